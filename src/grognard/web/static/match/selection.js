// Looking at a stack or a unit, and planning its way.
import { ask, say } from "../request.js";
import { draw, showAim, showStrip } from "./drawing.js";
import { forget, tell } from "./hint.js";
import { all, deedWords, find, goes, putLook, reveal, root, state, view } from "./page.js";

export function lookAt(hex) {
  state.shownHex = hex;
  find("#all-units").setAttribute("aria-pressed", "false");
  showStrip();
}

// The order that a tap on a hex would be for the chosen unit; null if units do not move now.
export function triedOrder(hex) {
  const words = state.chosen && hex !== state.chosen.hex ? (deedWords() ?? state.chosen.tries) : null;
  return words && [...words, hex];
}

// Go to a hex, or learn why the chosen unit can't.
export async function tryHex(hex) {
  const go = goes().find((button) => button.dataset.hex === hex);
  if (go) {
    go.click();
    return;
  }
  state.refused = hex;
  try {
    tell((await ask(`/matches/${root.dataset.id}/try`, { order: triedOrder(hex) })).refusal);
  } catch (problem) {
    say(problem.message);
  }
}

// Choose a unit; `tried` is the order of the unit before it that the same tap would have been.
export function choose(unit, tried = null) {
  const asking = askUnit(unit, tried).finally(() => {
    if (state.asking === asking) state.asking = null;
  });
  state.asking = asking;
  return asking;
}

async function askUnit(unit, tried) {
  state.aim = null;
  try {
    const query = new URLSearchParams({ name: unit, ...(tried && { tried: JSON.stringify(tried) }) });
    const told = await ask(`/matches/${root.dataset.id}/unit?${query}`);
    forget();
    if (told.refusal) tell(told.refusal);
    state.chosen = { unit, ...told };
    find("#chosen").innerHTML = told.html;
    putLook();
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
  state.refused = null;
  find("#chosen").replaceChildren();
}

export function letGo() {
  forget();
  dropChosen();
  state.aim = null;
  state.shownHex = null;
  putLook();
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
