// The page of a match: what its buttons do.
import { onButtons } from "./buttons.js";
import { guardTaps, slips } from "./double_tap.js";
import { keepColumnInView, tapDie, toggleFraction, toggleMember, toggleView } from "./fight_panel.js";
import { advise, followPlan, unadvise } from "./match/advice.js";
import { setDoctrine, startAim, takeAll, toggleAttackers } from "./match/aiming.js";
import { act, askAgain, change, chosenAutos, follow } from "./match/changes.js";
import { attendDice } from "./match/dice.js";
import { draw, showStrip } from "./match/drawing.js";
import { listenToFinder, openFinder } from "./match/finder.js";
import { toggleFold } from "./match/log.js";
import { legendIn } from "./match/map_legend.js";
import { tapHex } from "./match/map_taps.js";
import { all, find, revealQuestion, root, state, view } from "./match/page.js";
import { closeRecap, openRecap, playRecap, recallRecap, stepRecap } from "./match/recap.js";
import {
  allowNotices,
  claimSeat,
  copyLink,
  listenToChat,
  newLink,
  revoke,
  showMyLink,
  showTurn,
} from "./match/seat.js";
import { choosePiece, extendWay, letGo, lookAt, setWay, switchDeed, tryHex } from "./match/selection.js";

const KEYS = { ArrowLeft: -1, ArrowRight: 1 }; // through the steps of a recap
const answer = (words) => act("/answers", { answer: words });

function closeBriefing() {
  find("#briefing").open = false;
  find(".side-sheet").scrollTo({ top: 0 });
  if (find("#fight .headline")) revealQuestion();
  find("#ask .asked")?.focus({ preventScroll: true });
}

function showHex(hex) {
  view.show(hex);
  lookAt(hex);
  draw();
}

guardTaps(root, () => root.dataset.version);

onButtons(root, [
  ["order", (data) => (state.chosen?.way && data.hex ? extendWay(data.hex) : answer(JSON.parse(data.order)))],
  ["answer", (data) => answer(JSON.parse(data.answer))],
  ["roll", () => act("/roll", {})],
  ["die", (_, button) => tapDie(button, answer)],
  ["advise", (data, button) => advise(data.advise, button)],
  ["unadvise", unadvise],
  ["follow", (data) => followPlan(JSON.parse(data.follow))],
  ["half", (data) => act("/commit", { side: data.half, option: JSON.parse(data.option) })],
  ["undo", () => act("/undo", {})],
  ["consent", (data) => act("/undo/consent", { agreed: data.consent === "yes" })],
  ["notify", () => allowNotices()],
  ["link", (data) => newLink(data)],
  ["myLink", (data) => showMyLink(data)],
  ["copy", () => copyLink()],
  ["revoke", (data) => revoke(data)],
  ["aim", (_, button) => startAim(button)],
  ["at", (data) => startAim(all("#ask [data-aim]")[Number(data.at)])],
  ["attacker", (data) => toggleAttackers([data.attacker])],
  ["deed", (data) => switchDeed(data.deed)],
  ["way", () => setWay(state.chosen.way ? null : [])],
  ["wayGo", () => answer(["move", state.chosen.unit, ...state.chosen.way])],
  ["letGo", () => letGo()],
  ["briefed", () => closeBriefing()],
  ["fold", (data) => toggleFold(data.fold)],
  ["recapAgain", () => playRecap()],
  ["recapBy", (data) => stepRecap(Number(data.recapBy))],
  ["recapStep", (data) => playRecap(Number(data.recapStep))],
  ["recapOn", () => closeRecap()],
  ["recapOpen", () => recallRecap()],
  ["show", (data) => showHex(data.show)],
  [
    "unit",
    (data, _, byKey) => {
      closeRecap();
      choosePiece(data, byKey);
    },
  ],
  ["fraction", (_, button) => toggleFraction(button)],
  ["member", (_, button) => toggleMember(button)],
  ["view", (data) => toggleView(data.view)],
]);

root.addEventListener("keydown", (event) => {
  if (event.key === "Escape") letGo();
  if (state.recap && event.target.closest("#recap") && KEYS[event.key]) stepRecap(KEYS[event.key]);
  if (event.key === "Enter" && event.target.dataset.toHex !== undefined) tryHex(event.target.value.trim());
});

root.addEventListener("change", async ({ target: { id, dataset, value } }) => {
  if (id === "rename" && value.trim()) {
    await change({ name: value.trim() });
    document.querySelector("#match-name").textContent = value.trim();
  } else if (dataset.doctrine) {
    setDoctrine(dataset.doctrine, value);
    if (!state.aim) await askAgain();
  } else if (dataset.auto) await change({ autos: chosenAutos() });
  else if (dataset.level !== undefined) await change({ level: value });
});

find("#aim-go").addEventListener("click", () => answer(state.aim.order));
find("#aim-all").addEventListener("click", takeAll);
find("#all-units").addEventListener("click", ({ currentTarget: button }) => {
  button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
  state.shownHex = null;
  showStrip();
  draw();
});
find("#zoom-in").addEventListener("click", () => view.closer());
find("#zoom-out").addEventListener("click", () => view.farther());
find("#zoom-all").addEventListener("click", () => view.fitAll());
find("#find").addEventListener("click", openFinder);
listenToFinder();
find("#show-legend").addEventListener("click", legendIn(find("#legend"), view.svg));
find("#grow").addEventListener("click", ({ currentTarget: grip }) => {
  grip.setAttribute("aria-expanded", String(root.classList.toggle("tall")));
});

view.tap = (hex, event) => {
  if (slips(event, `hex ${hex}`)) return false;
  closeRecap();
  if (!state.asking) return tapHex(hex);
  state.asking.then(() => tapHex(hex)); // the hex is for the unit that was tapped before
  return true;
};
find("#map").addEventListener("early-tap", ({ detail }) => tapHex(detail));
follow();
showTurn();
claimSeat();
listenToChat(askAgain);
attendDice();
find("#log").scrollTop = find("#log").scrollHeight;
showStrip();
draw();
keepColumnInView(root);
view.show(find(".piece.acts")?.dataset.hex);
openRecap();
