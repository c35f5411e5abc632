// The planner: every tap goes to the server with the plan, and the answer is the new page.
import { copyAddress, keepAddress } from "./address.js";
import { onButtons } from "./buttons.js";
import { guardTaps } from "./double_tap.js";
import { trayKeys } from "./quick/tray_keys.js";
import { redraw } from "./redraw.js";
import { ask, say } from "./request.js";

const root = document.querySelector("#plan");
let state = JSON.parse(document.querySelector("#state").textContent);
let waiting = Promise.resolve();

guardTaps(root, () => 0);
trayKeys(root);

// One tap after the other: each changes the plan that the one before it has left.
function send(change) {
  waiting = waiting.then(async () => {
    try {
      const data = await ask(root.dataset.tap, { ...state, change });
      state = data.state;
      redraw(root, "details[id]", () => {
        root.innerHTML = data.html;
      });
      keepAddress(`?p=${data.link}`);
    } catch (problem) {
      say(problem.message);
    }
  });
}

function stated({ dataset: { kind }, type, checked, value }) {
  if (type === "checkbox") return checked;
  if (kind !== "number") return value;
  return value === "" ? null : Number.parseInt(value, 10);
}

function set(input) {
  const { place, unit, kind, word } = input.dataset;
  const field = place.split(".").at(-1);
  if (kind === "set") send({ do: "word", at: unit, field, name: word, value: input.checked });
  else send({ do: "set", at: unit, field, value: stated(input) });
}

root.addEventListener("change", ({ target: input }) => {
  const { place, choose } = input.dataset;
  if (place) set(input);
  else if (choose === "chain") send({ do: "choose", field: "chain", value: input.checked ? 2 : 1 });
  else if (choose) send({ do: "choose", field: choose, value: input.value });
});

onButtons(root, [
  ["step", (data, button) => step(button, Number(data.step))],
  ["toggle", (data) => send({ do: "counter", at: data.toggle, name: data.name })],
  ["reach", (data) => send({ do: "reach", at: data.reach, name: data.name })],
  ["remove", (data) => send({ do: "remove", at: data.remove })],
  ["edit", (data) => send({ do: "edit", at: data.edit })],
  ["new", (data) => send({ do: "new", at: data.new })],
  ["target", () => send({ do: "target" })],
  ["member", (data, button) => member(data, button.getAttribute("aria-pressed") !== "true")],
  ["share", () => copyAddress(root.dataset.copied)],
  ["print", () => print()],
]);

// Let a unit be one of those with which facts hold, or not.
function member({ member: at, name }, value) {
  send({ do: "word", at, field: "units", name, value });
}

function step(button, by) {
  const input = document.getElementById(button.id.replace(/-(less|more)$/, ""));
  input.value = Number(input.value || 0) + by;
  set(input);
}
