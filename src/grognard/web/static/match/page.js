// The page of a match: its elements, and what the player is looking at.
import { MapMarks } from "./map_marks.js";
import { MapView } from "./map_view.js";

const OVERHANG = 8; // pixels by which a falling die is higher than its cell, on either side

export const root = document.querySelector("#match");
export const find = (selector) => root.querySelector(selector);
export const all = (selector, from = root) => [...from.querySelectorAll(selector)];

export const state = {
  chosen: null, // the unit that is looked at: { unit, hex, zoc, supply, way }
  asking: null, // the promise of the unit that the server is asked for
  aim: null, // the attack that is put together
  doctrines: {}, // by which odds are worked out, by side; those not named are the best
  refused: null, // the hex that was tapped last and can't be reached
  recap: null, // what the automatic side did, while it is shown: { key, steps, colours, frames, at, rest }
  shownHex: null, // whose stack the strip shows; null: all units that may act
};

export const view = new MapView(find("#map"));
export const marks = new MapMarks(view);

// The hexes to which the chosen unit may go by the deed that is shown, and the words of that deed.
export const goes = () => all("#chosen .goes:not([hidden]) .go");
export const deedWords = () => JSON.parse(find("#chosen .goes:not([hidden])")?.dataset.words ?? "null");

export function pieceOf(unit) {
  return all(".piece").find((one) => one.dataset.unit === unit);
}

// The hexes that an answer names, itself or by its units.
export function hexesOf(answer) {
  if (Array.isArray(answer)) return answer.flatMap(hexesOf);
  const word = String(answer);
  if (view.centres.has(word)) return [word];
  const hex = pieceOf(word)?.dataset.hex;
  return hex ? [hex] : [];
}

// The buttons of legal answers, each with the hexes that its answer names.
export function offers() {
  return all("#ask [data-answer]").map((button) => ({ button, hexes: hexesOf(JSON.parse(button.dataset.answer)) }));
}

// Show the fight panel of an attack that is put together; without any, nothing.
export function putLook({ html = "", details = "" } = {}) {
  find("#look").innerHTML = html;
  find("#look-details").innerHTML = details;
}

// Bring the fight panel to the top of the sheet, if it and the question below it do not fit; then the cell that was hit
// above the question.
export function revealFight(panel, question) {
  const sheet = find(".side-sheet");
  const grip = find("#grow").offsetHeight;
  const top = panel.getBoundingClientRect().top - sheet.getBoundingClientRect().top;
  const room = sheet.clientHeight - top - panel.offsetHeight - question.offsetHeight;
  if (top < grip || room < 0) sheet.scrollBy({ top: top - grip });
  const hit = panel.querySelector("td.hit");
  if (!hit) return;
  const hidden = hit.getBoundingClientRect().bottom + OVERHANG - question.getBoundingClientRect().top;
  if (hidden > 0) sheet.scrollBy({ top: hidden });
}

// Bring the question into view, with the fight that it belongs to.
export function revealQuestion() {
  if (find("#fight .headline")) revealFight(find("#fight"), find("#ask"));
  else reveal(find("#ask"));
}

// Bring a part of the sheet into its upper half, if it does not show there.
export function reveal(part) {
  const sheet = find(".side-sheet");
  const grip = find("#grow").offsetHeight;
  const top = part.getBoundingClientRect().top - sheet.getBoundingClientRect().top;
  if (top < grip || top > sheet.clientHeight * 0.4) sheet.scrollBy({ top: top - grip });
}
