// What the automatic side did in its turn: arrows on the map, and step by step on demand.
import { Frames } from "../frames.js";
import { ask, say } from "../request.js";
import { hexOf } from "../step_marks.js";
import { draw } from "./drawing.js";
import { putPieces } from "./map_pieces.js";
import { all, find, root, state, view } from "./page.js";
import { looked } from "./seat.js";

let passed = null; // the recap that the player has read

// Show the recap that has come with the page, unless it was read.
export function openRecap() {
  const panel = find("#recap .recap");
  const told = panel ? JSON.parse(panel.dataset.told) : null;
  if (!told || panel.dataset.recap === passed) {
    forget();
    return;
  }
  if (state.recap?.key === panel.dataset.recap && state.recap.frames) {
    showStep();
    return;
  }
  state.recap = { key: panel.dataset.recap, ...told, frames: null, at: null, rest: null };
  root.classList.add("recapping");
  draw();
  const hexes = told.steps.map(hexOf).filter(Boolean);
  if (!hexes.every((hex) => view.shows(hex))) view.fitAll();
}

function forget() {
  find("#recap").replaceChildren();
  state.recap = null;
  root.classList.remove("recapping");
}

// Read and done: the player's own turn begins.
export function closeRecap() {
  if (!state.recap) return;
  passed = state.recap.key;
  looked(Number(find("#recap .recap").dataset.until));
  if (state.recap.rest) putPieces(view.svg, state.recap.rest);
  forget();
  draw();
  view.fitFirst();
  view.show(find(".piece.acts")?.dataset.hex);
  (find("#ask .asked") ?? find("#undo"))?.focus({ preventScroll: true });
}

// The last recap once more.
export async function recallRecap() {
  try {
    const { html } = await ask(`/matches/${root.dataset.id}/recap`);
    passed = null;
    find("#recap").innerHTML = html;
    if (!html) say(root.dataset.noRecap);
    openRecap();
    find("#recap h2")?.focus();
  } catch (problem) {
    say(problem.message);
  }
}

// Go through the turn again, from the board before it.
export async function playRecap(at = 0) {
  const { recap } = state;
  try {
    if (!recap.frames) {
      recap.frames = new Frames(await ask(`/matches/${root.dataset.id}/frames?of=recap`));
      recap.rest = view.svg.querySelector("g.pieces").outerHTML;
    }
  } catch (problem) {
    say(problem.message);
    return;
  }
  if (state.recap !== recap) return;
  recap.at = at;
  showStep();
}

// A step forward or back; 0 is the board before the turn.
export function stepRecap(by) {
  const { recap } = state;
  const last = recap.steps.length;
  playRecap(Math.min(Math.max((recap.at ?? (by > 0 ? 0 : last)) + by, 0), last));
}

function showStep() {
  const { recap } = state;
  const step = recap.steps[recap.at - 1];
  putPieces(view.svg, recap.frames.pieces(recap.at));
  const hex = step && hexOf(step);
  if (hex && !view.shows(hex)) view.show(hex);
  draw();
  const bar = find("#recap .stepping");
  bar.hidden = false;
  find("#recap-again").hidden = true;
  find("#recap .step-count").textContent = `${recap.at} / ${recap.steps.length}`;
  find("#recap [data-recap-by='-1']").disabled = recap.at === 0;
  find("#recap [data-recap-by='1']").disabled = recap.at === recap.steps.length;
  for (const [place, line] of all("#recap .recap-steps > li").entries()) {
    line.classList.toggle("now", place === recap.at - 1);
    if (place === recap.at - 1) line.scrollIntoView({ block: "nearest" });
  }
}
