// Quick combat: every tap goes to the server with what is stated, and the answer is the new sheet.
import { copyAddress, keepAddress } from "./address.js";
import { onButtons } from "./buttons.js";
import { guardTaps } from "./double_tap.js";
import { keepColumnInView, tapDie, toggleFraction, toggleMember, toggleView } from "./fight_panel.js";
import { showRoll } from "./moment.js";
import { askHints, leaveHints } from "./quick/hints.js";
import { bringIntoView, measureCover } from "./quick/in_view.js";
import { endRecall, keepFight, recalledFight } from "./quick/last_fight.js";
import { offerSending, savePicture, sendPicture } from "./quick/picture.js";
import * as stated from "./quick/statement.js";
import { trayKeys } from "./quick/tray_keys.js";
import { redraw } from "./redraw.js";
import { ask, say } from "./request.js";

const root = document.querySelector("#quick");
const { statement } = stated;

// ---------------------------------------------------------------- taps

guardTaps(root, () => statement.answers.length);
trayKeys(root);

// Send what is stated anew; answers to the fight before it count no more.
function restate() {
  statement.answers = [];
  statement.typed = [];
  send({});
}

root.addEventListener("change", ({ target: input }) => {
  const { place, total, option, doctrine } = input.dataset;
  if (place) stated.state(input, root);
  else if (option) stated.stateOption(option, input.value);
  else if (doctrine) statement[doctrine] = input.value;
  else if (!total) return;
  const changed = total ? stated.stateTotal(input) : !doctrine;
  if (changed) restate();
  else send({});
});

// What is folded is not made on the server: unfolding asks for it.
root.addEventListener(
  "toggle",
  ({ target: fold }) => {
    if (fold.dataset.filled !== undefined && stated.noteFold(fold) && fold.open) send({});
    if (fold.id === "picture") offerSending(fold.querySelector("[data-send-picture]"));
    if (fold.open && fold.matches("#picture, .correct")) bringIntoView(fold, root);
  },
  true,
);

onButtons(root, [
  ["step", (data, button) => step(button, Number(data.step))],
  ["toggle", (data) => change(stated.toggleCounter, data)],
  ["newUnit", (data) => change(stated.addNewUnit, data)],
  ["remove", (data) => change(stated.removeUnit, data.remove, data.unit)],
  ["edit", (data) => edit(data.edit)],
  ["unfold", (data, button) => unfold(data.unfold, button)],
  ["roll", () => send({ roll: true })],
  ["die", (_, button) => tapDie(button, typeDice)],
  ["answer", (data) => send({ answer: JSON.parse(data.answer) })],
  ["commit", (_, button) => commitHalf(button)],
  ["undo", () => send({ undo: true })],
  ["again", () => restate()],
  ["share", () => copyAddress(root.dataset.copied)],
  ["print", () => print()],
  ["png", () => savePicture(root.querySelector("#picture img"))],
  ["sendPicture", () => sendPicture(root.querySelector("#picture img"))],
  ["fraction", (_, button) => toggleFraction(button)],
  ["member", (_, button) => toggleMember(button)],
  ["view", (data) => toggleView(data.view)],
]);

root.addEventListener("click", ({ target }) => {
  if (target.closest("a[href^='#option-']")) document.getElementById("options").open = true;
  if (target.closest("a[href='#picture']")) document.getElementById("picture").open = true;
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

function edit(unit) {
  stated.toggleEditor(unit);
  send({});
}

function unfold(id, button) {
  const unfolds = stated.toggleFold(id);
  button.setAttribute("aria-expanded", String(unfolds));
  document.getElementById(button.getAttribute("aria-controls")).classList.toggle("folded", !unfolds);
}

// Dice that were rolled on the table; `at` is the place of those that they correct.
function typeDice(dice, at) {
  send({ answer: dice, ...(at !== undefined && { at: Number(at) }) });
}

// The first side commits, then the second; both are sent together. A side without a choice commits nothing.
function commitHalf(button) {
  const box = button.closest(".commit");
  const halves = [...box.querySelectorAll("fieldset")];
  const mine = button.closest("fieldset");
  mine.chosen = JSON.parse(button.dataset.commit);
  const next = halves[halves.indexOf(mine) + 1];
  if (!next) {
    const half = (side) => halves.find((one) => one.dataset.half === side)?.chosen ?? JSON.parse(box.dataset[side]);
    send({ answer: [half("attacker"), half("defender")] });
    return;
  }
  mine.hidden = true;
  next.hidden = false;
  next.querySelector("button").focus();
}

// ---------------------------------------------------------------- sending

let sent = 0;

// Give whether the server answered with a sheet.
async function send(tapped) {
  leaveHints();
  sent += 1;
  const mine = sent;
  const rolls = tapped.roll || (tapped.answer !== undefined && root.querySelector("#question .dice, .correct[open]"));
  try {
    const data = await ask(root.dataset.tap, { ...statement, ...tapped });
    if (mine !== sent) return true;
    stated.replaceStatement(data.state);
    show(data.html);
    keepColumnInView(root);
    if (rolls) showRoll(root);
    askHints(root);
    keep(data.link);
    return true;
  } catch (problem) {
    if (mine === sent) say(problem.message);
    return false;
  }
}

function show(html) {
  redraw(root, "details[id]:not([data-filled], .correct)", () => {
    root.innerHTML = html;
  });
  measureCover(root);
}

// The address holds the fight, so that it can be sent to the opponent; the browser keeps the last one that can be fought.
function keep(link) {
  if (root.querySelector(".headline")) keepFight(statement, root.querySelector(".end") !== null);
  keepAddress(`?f=${link}`);
}

async function begin() {
  const sample = { ...statement };
  const kept = recalledFight();
  if (kept) {
    stated.replaceStatement(kept);
    const known = await send({});
    if (!known) stated.replaceStatement(sample);
    endRecall();
  }
  measureCover(root);
  keepColumnInView(root);
  askHints(root);
}

begin();
