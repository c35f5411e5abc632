// The counters of a tray are one stop for the Tab key; arrow keys go from one to the next.
const STEPS = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function trayKeys(root) {
  root.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const tray = event.target.closest("ul.tray");
    if (!step || !tray) return;
    const counters = [...tray.querySelectorAll("button.counter")];
    const next = counters.indexOf(event.target) + step;
    counters[Math.min(Math.max(next, 0), counters.length - 1)].focus();
    event.preventDefault();
  });
}
