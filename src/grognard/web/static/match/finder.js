// Jumping to a unit or a hex by its name or number.
import { all, find, view } from "./page.js";

const MOST = 8; // of the matches that are listed

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Everything that can be found: units on the map first, then named hexes, then all others.
function known() {
  const places = new Map(all("#places option").map(({ value, textContent }) => [value, textContent]));
  const label = (hex) => [hex, places.get(hex)].filter(Boolean).join(" ");
  const units = all("#strip .piece[data-hex]:not([data-hex=''])").map(({ dataset: { unit, hex } }) => ({
    unit,
    hex,
    text: `${unit} · ${label(hex)}`,
  }));
  const named = [...places.keys()].map((hex) => ({ hex, text: label(hex) }));
  const others = [...view.centres.keys()].filter((hex) => !places.has(hex)).map((hex) => ({ hex, text: hex }));
  return [...units, ...named, ...others];
}

function matching(typed) {
  const wanted = plain(typed.trim());
  if (!wanted) return [];
  const found = known().filter(({ text }) => plain(text).includes(wanted));
  const starts = ({ text }) => plain(text).startsWith(wanted);
  return [...found.filter(starts), ...found.filter((one) => !starts(one))].slice(0, MOST);
}

// A button of a match does what the same button does elsewhere on the page.
function offered({ unit, hex, text }) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  Object.assign(button.dataset, unit ? { unit, hex } : { show: hex });
  button.dataset.found = hex;
  return button;
}

export function openFinder() {
  const dialog = find("#finder");
  const input = dialog.querySelector("input");
  input.value = "";
  list();
  dialog.showModal();
  input.focus();
}

function list() {
  const found = matching(find("#finder input").value);
  find("#finder .found").replaceChildren(...found.map(offered));
}

export function listenToFinder() {
  const dialog = find("#finder");
  dialog.querySelector("input").addEventListener("input", list);
  dialog.addEventListener("click", ({ target }) => {
    const hex = target.closest("[data-found]")?.dataset.found;
    if (!hex) return;
    dialog.close();
    view.approach(hex);
  });
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.querySelector("[data-found]")?.click();
  });
}
