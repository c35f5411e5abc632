// Two quick taps on one spot never hit two things, nor turn one thing on and off again.
const QUICK = 350; // milliseconds
const NEAR = 30; // pixels
let last = { time: Number.NEGATIVE_INFINITY, x: 0, y: 0, what: "" };

// Whether a tap follows one on the same spot, which was for something else, or for the same that turns on and off.
export function slips({ timeStamp: time, clientX: x, clientY: y }, what, toggles = false) {
  const quick = time - last.time < QUICK && Math.hypot(x - last.x, y - last.y) < NEAR;
  if (quick && (toggles || what !== last.what)) return true;
  last = { time, x, y, what };
  return false;
}

// What a control is, also after the page was drawn anew.
function nameOf(control) {
  const { id, dataset } = control.tagName === "LABEL" ? (control.control ?? control) : control;
  return dataset.name ?? (id || JSON.stringify(dataset));
}

// `stage` changes whenever the same controls come to mean something else.
export function guardTaps(root, stage) {
  const guard = (event) => {
    const control = event.target.closest("button, summary, label, input, select, a");
    if (!control || event.detail === 0) return; // a key was pressed
    if (!slips(event, `${stage()} ${nameOf(control)}`, control.hasAttribute("aria-pressed"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  root.addEventListener("click", guard, true);
}
