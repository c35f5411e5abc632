// The page of a match: its elements, and what the player is looking at.
import { MapMarks } from "./map_marks.js";
import { MapView } from "./map_view.js";

export const root = document.querySelector("#match");
export const find = (selector) => root.querySelector(selector);
export const all = (selector, from = root) => [...from.querySelectorAll(selector)];

export const state = {
  chosen: null, // the unit that is looked at: { unit, hex, zoc, supply, way }
  aim: null, // the attack that is put together
  refused: null, // the hex that was tapped last and can't be reached
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

// Bring a part of the sheet into its upper half, if it does not show there.
export function reveal(part) {
  const sheet = find(".side-sheet");
  const grip = find("#grow").offsetHeight;
  const top = part.getBoundingClientRect().top - sheet.getBoundingClientRect().top;
  if (top < grip || top > sheet.clientHeight * 0.4) sheet.scrollBy({ top: top - grip });
}
