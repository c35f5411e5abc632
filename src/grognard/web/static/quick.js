// Quick combat: every tap goes to the server with what is stated, and the answer is the new sheet.
import { onButtons } from "./buttons.js";
import { keepColumnInView, tapDie, toggleFraction } from "./fight_panel.js";
import { askHints, leaveHints } from "./quick/hints.js";
import * as stated from "./quick/statement.js";
import { redraw } from "./redraw.js";
import { ask, say } from "./request.js";

const root = document.querySelector("#quick");
const { statement } = stated;

// ---------------------------------------------------------------- taps

// Send what is stated anew; answers to the fight before it count no more.
function restate() {
  statement.answers = [];
  send({});
}

root.addEventListener("change", ({ target: input }) => {
  const { place, total, option, doctrine } = input.dataset;
  if (place) stated.state(input, root);
  else if (total) stated.stateTotal(input);
  else if (option) stated.stateOption(option, input.value);
  else if (doctrine) {
    statement[doctrine] = input.value;
    send({});
    return;
  } else return;
  restate();
});

// What is folded is not made on the server: unfolding asks for it.
root.addEventListener(
  "toggle",
  ({ target: fold }) => {
    if (fold.dataset.filled !== undefined && stated.noteFold(fold) && fold.open) send({});
  },
  true,
);

onButtons(root, [
  ["step", (data, button) => step(button, Number(data.step))],
  ["add", (data) => change(stated.addUnit, data.add, JSON.parse(data.stated))],
  ["newUnit", (data) => change(stated.addNewUnit, data)],
  ["remove", (data) => change(stated.removeUnit, data.remove, data.unit)],
  ["roll", () => send({ roll: true })],
  ["die", (_, button) => tapDie(button, (dice) => send({ answer: dice }))],
  ["answer", (data) => send({ answer: JSON.parse(data.answer) })],
  ["commit", (_, button) => commitHalf(button)],
  ["undo", () => send({ undo: true })],
  ["again", () => restate()],
  ["reset", () => location.assign(location.pathname)],
  ["share", () => share()],
  ["fraction", (_, button) => toggleFraction(button)],
]);

root.addEventListener("click", ({ target }) => {
  if (target.closest("a[href^='#option-']")) document.getElementById("options").open = true;
});

function change(how, ...what) {
  how(...what);
  restate();
}

function step(button, by) {
  const input = document.getElementById(button.id.replace(/-(less|more)$/, ""));
  input.value = Number(input.value || 0) + by;
  change(stated.state, input, root);
}

// The first side commits, then the second; both are sent together.
function commitHalf(button) {
  const [first, second] = button.closest(".commit").querySelectorAll("fieldset");
  const mine = button.closest("fieldset");
  mine.chosen = JSON.parse(button.dataset.commit);
  if (mine === second) {
    send({ answer: [first.chosen, second.chosen] });
    return;
  }
  first.hidden = true;
  second.hidden = false;
  second.querySelector("button").focus();
}

async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    say(root.dataset.copied);
  } catch {
    say(location.href);
  }
}

// ---------------------------------------------------------------- sending

let sent = 0;

async function send(tapped) {
  leaveHints();
  sent += 1;
  const mine = sent;
  try {
    const data = await ask(root.dataset.tap, { ...statement, ...tapped });
    if (mine !== sent) return;
    stated.replaceStatement(data.state);
    show(data.html);
    askHints(root);
    keepInAddress();
  } catch (problem) {
    if (mine === sent) say(problem.message);
  }
}

function show(html) {
  redraw(root, "details[id]:not([data-filled])", () => {
    root.innerHTML = html;
  });
  keepColumnInView(root);
  const question = root.querySelector(".resolution .steps + .question, .end");
  if (question && statement.answers.length) question.scrollIntoView({ block: "nearest" });
}

// The address holds the fight, so that it can be sent to the opponent.
function keepInAddress() {
  const address = new URL(location.href);
  address.searchParams.set("s", JSON.stringify(statement));
  address.searchParams.delete("lang");
  history.replaceState(null, "", address);
  for (const link of document.querySelectorAll("a[data-language]")) {
    link.href = `${link.pathname}?to=${encodeURIComponent(address.pathname + address.search)}`;
  }
}

keepColumnInView(root);
askHints(root);
