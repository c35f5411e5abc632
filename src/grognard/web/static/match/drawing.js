// Drawing the player's thoughts: marks on the map, the strip of counters, the attackers.
import { drawStep } from "../step_marks.js";
import { showHint } from "./hint.js";
import { all, find, goes, marks, offers, pieceOf, state, view } from "./page.js";

export function draw() {
  marks.clear();
  view.minded = null;
  showHint();
  markIdle();
  if (state.recap) {
    drawRecap(state.recap);
    return;
  }
  if (state.shownHex) marks.outline(state.shownHex, "picked", 0.98);
  for (const hex of offers().flatMap((offer) => offer.hexes)) {
    marks.wash(hex, "offer");
    marks.outline(hex, "offer");
  }
  const ordered = find("#ask [data-arrows]");
  if (ordered) drawOrdered(JSON.parse(ordered.dataset.arrows));
  if (state.aim) drawAim(state.aim);
  else drawTargets();
  if (state.chosen && !state.aim) drawChosen(state.chosen);
  if (!state.chosen && !state.aim) drawAdvice();
}

function drawTargets() {
  const targets = state.chosen?.aims.length ? state.chosen.aims : all("#ask [data-aim]").map((one) => one.dataset.hex);
  for (const hex of targets) if (hex) marks.outline(hex, "target");
}

// The moves and attacks of a plan, or the attacks of the enemy.
function drawAdvice() {
  for (const one of all("#advice [data-advised]")) {
    const { from = [], units = [], to, kind, label } = JSON.parse(one.dataset.advised);
    const stand = units.map((unit) => pieceOf(unit)?.dataset.hex).filter(Boolean);
    if (kind === "attacks") marks.outline(to, "target");
    marks.arrows(from.length ? from : stand, to, label ?? "", kind);
  }
}

// The arrows of the step that is shown again, else of the whole turn of the automatic side.
function drawRecap({ steps, colours, at }) {
  for (const [place, step] of steps.entries()) {
    if (at === null || place === at - 1) drawStep(marks, step, place + 1, colours);
  }
}

function drawChosen({ zoc, supply, hex: at, way }) {
  view.minded = at;
  for (const hex of zoc) marks.outline(hex, "zoc", 0.86);
  marks.way(supply?.path ?? [], "supply-way");
  for (const hex of supply?.cut_by ?? []) marks.cross(hex);
  if (way) marks.way([at, ...way], "own-way");
  const reached = goes();
  if (reached.length && !way) marks.veil(new Set([at, ...reached.map((go) => go.dataset.hex)]));
  for (const go of reached) {
    marks.wash(go.dataset.hex, "reach");
    marks.outline(go.dataset.hex, go.classList.contains("rash") ? "reach rash" : "reach");
    marks.number(go.dataset.hex, go.dataset.cost);
  }
}

// The attack that is being carried out.
function drawOrdered({ units, target, label }) {
  view.minded = target;
  marks.outline(target, "target aimed");
  marks.arrows(units, target, label);
}

function drawAim(aim) {
  view.minded = aim.hex;
  const where = (unit) => pieceOf(unit)?.dataset.hex;
  for (const unit of aim.candidates) {
    const at = where(unit);
    if (at) marks.outline(at, aim.units.has(unit) ? "attacker-on" : "attacker-off");
  }
  marks.outline(aim.hex, "target aimed");
  marks.arrows([...aim.units].map(where).filter(Boolean), aim.hex, aim.label);
}

// Counters of the side to move that have nothing to do are pale.
function markIdle() {
  const idle = new Set(all(".piece.idle").map((one) => one.dataset.unit));
  for (const counter of all("#map g.counter")) counter.classList.toggle("idle", idle.has(counter.dataset.unit));
}

// Show all stacks, the stack of one hex, or the units that may act.
export function showStrip() {
  const everything = find("#all-units").getAttribute("aria-pressed") === "true";
  const acting = !everything && state.shownHex === null;
  for (const stack of all(".stack-strip")) {
    const pieces = all(".piece", stack);
    for (const one of pieces) {
      one.setAttribute("aria-pressed", String(one.dataset.unit === state.chosen?.unit));
      one.hidden = acting && !one.classList.contains("acts");
    }
    if (acting) stack.hidden = pieces.every((one) => one.hidden);
    else stack.hidden = !everything && stack.dataset.stack !== state.shownHex;
  }
  find("#strip").classList.toggle("empty", all(".stack-strip:not([hidden])").length === 0);
  if (state.aim) showAttackers(state.aim);
}

function showAttackers(aim) {
  const place = find("#attackers");
  const focused = document.activeElement?.dataset?.attacker;
  place.replaceChildren(...aim.candidates.map((unit) => attackerButton(unit, aim.units.has(unit))));
  if (focused)
    all("[data-attacker]", place)
      .find((one) => one.dataset.attacker === focused)
      ?.focus();
}

function attackerButton(unit, on) {
  const copy = pieceOf(unit).cloneNode(true);
  copy.removeAttribute("id");
  copy.hidden = false;
  copy.dataset.attacker = unit;
  copy.setAttribute("aria-pressed", String(on));
  return copy;
}

// Show the attack that is put together, instead of the question.
export function showAim(on) {
  find("#aiming").hidden = !on;
  find("#ask").hidden = on;
  find("#fight").hidden = on;
  find("#details").hidden = on;
}
