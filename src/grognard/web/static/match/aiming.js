// Putting an attack together: a target, the units that attack it, a look at the fight.
import { keepColumnInView } from "../fight_panel.js";
import { ask } from "../request.js";
import { Aim } from "./aim.js";
import { draw, showAim, showStrip } from "./drawing.js";
import { find, putLook, reveal, revealFight, root, state, view } from "./page.js";
import { dropChosen } from "./selection.js";

export function startAim(button) {
  const aim = new Aim(button, state.chosen?.unit);
  dropChosen();
  state.aim = aim;
  const focused = document.activeElement === button;
  showAim(true);
  find("#aim-text").textContent = button.textContent;
  find("#aim-go").textContent = button.textContent;
  find("#aim-all").hidden = !aim.several;
  state.shownHex = aim.hex || null;
  view.show(aim.hex);
  showStrip();
  reveal(find("#aiming"));
  if (focused) find("#aim-text").focus();
  preview();
}

export function toggleAttackers(units) {
  state.aim.toggle(units);
  showStrip();
  preview();
}

export function takeAll() {
  state.aim.takeAll();
  showStrip();
  preview();
}

export function setDoctrine(side, doctrine) {
  state.doctrines[side] = doctrine;
  if (state.aim) preview();
}

// Look at the fight to which the order would lead.
async function preview() {
  const { aim } = state;
  find("#aim-go").disabled = !aim.ready;
  find("#aim-problem").hidden = true;
  aim.label = "";
  draw();
  if (!aim.ready) {
    putLook();
    return;
  }
  const { order } = aim;
  const past = () => state.aim !== aim || String(order) !== String(aim.order);
  try {
    const told = await ask(`/matches/${root.dataset.id}/look`, { order, ...state.doctrines });
    if (past()) return;
    putLook(told);
    aim.label = told.label;
    keepColumnInView(find("#look"));
    revealFight(find("#look"), find("#aiming"));
  } catch (problem) {
    if (past()) return;
    putLook();
    find("#aim-problem").textContent = problem.message;
    find("#aim-problem").hidden = false;
  }
  draw();
}
