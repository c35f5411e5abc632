// Looking at a stack or a unit, and planning its way.
import { ask, say } from "../request.js";
import { draw, showAim, showStrip } from "./drawing.js";
import { all, find, reveal, root, state, view } from "./page.js";

export function lookAt(hex) {
  state.shownHex = hex;
  find("#all-units").setAttribute("aria-pressed", "false");
  showStrip();
}

export async function choose(unit) {
  state.aim = null;
  try {
    const told = await ask(`/matches/${root.dataset.id}/unit?name=${encodeURIComponent(unit)}`);
    state.chosen = { unit, ...told };
    find("#chosen").innerHTML = told.html;
    find("#look").replaceChildren();
    showAim(false);
    reveal(find("#chosen"));
    showStrip();
    draw();
  } catch (problem) {
    say(problem.message);
  }
}

export function dropChosen() {
  state.chosen = null;
  find("#chosen").replaceChildren();
}

export function letGo() {
  dropChosen();
  state.aim = null;
  state.shownHex = null;
  find("#look").replaceChildren();
  showAim(false);
  showStrip();
  draw();
}

export async function choosePiece({ unit, hex }, byKey) {
  const offer = all("#ask [data-answer]").find((button) => JSON.parse(button.dataset.answer) === unit);
  if (offer) {
    offer.click();
    return;
  }
  if (state.chosen?.unit === unit) {
    letGo();
    return;
  }
  if (hex) {
    view.show(hex);
    if (state.shownHex !== null) state.shownHex = hex;
  }
  await choose(unit);
  if (byKey) find("#chosen h2")?.focus();
}

export function switchDeed(id) {
  for (const one of all("#chosen [data-goes]")) one.hidden = one.dataset.goes !== id;
  for (const one of all("#chosen [data-deed]")) one.setAttribute("aria-pressed", String(one.dataset.deed === id));
  draw();
}

// A way of the player's own: hex after hex, each beside the one before. null: none.
export function setWay(way) {
  state.chosen.way = way;
  const go = find("[data-way-go]");
  find("[data-way]").setAttribute("aria-pressed", String(way !== null));
  go.hidden = !way?.length;
  go.textContent = way ? `${go.dataset.wayGo} ${way.join(" ")}` : "";
  draw();
}

// Add a hex to the way; the last hex again gives the order.
export function extendWay(hex) {
  const { way, hex: start } = state.chosen;
  const last = way.at(-1) ?? start;
  if (hex === last && way.length) find("[data-way-go]").click();
  else if (view.beside(hex, last)) setWay([...way, hex]);
}
