// The page of a match that was played: the board at any step, by a slider.
import { Frames } from "./frames.js";
import { MapMarks } from "./match/map_marks.js";
import { putPieces } from "./match/map_pieces.js";
import { MapView } from "./match/map_view.js";
import { drawStep, hexOf } from "./step_marks.js";

const story = document.querySelector(".story");
const told = JSON.parse(document.querySelector("#story-data").textContent);
const shown = new Frames(told.frames);
const slider = document.querySelector("#step");
const text = document.querySelector("#step-text");
const words = [...document.querySelectorAll("#step-words > li")];
const map = new MapView(document.querySelector("#map"));
const drawn = new MapMarks(map);

function goTo(number) {
  slider.value = number;
  const at = Number(slider.value);
  const step = told.steps[at - 1];
  putPieces(map.svg, shown.pieces(at));
  drawn.clear();
  if (step) {
    drawStep(drawn, step, 0, told.colours);
    const hex = hexOf(step);
    if (hex && !map.shows(hex)) map.show(hex);
  }
  text.innerHTML = at ? words[at - 1].innerHTML : text.dataset.start;
  slider.setAttribute("aria-valuetext", text.textContent);
  document.querySelector("#step-back").disabled = at === 0;
  document.querySelector("#step-forward").disabled = at === told.steps.length;
}

slider.addEventListener("input", () => goTo(slider.value));
document.querySelector("#step-back").addEventListener("click", () => goTo(Number(slider.value) - 1));
document.querySelector("#step-forward").addEventListener("click", () => goTo(Number(slider.value) + 1));

story.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  const { to, show, fold } = button?.dataset ?? {};
  if (to !== undefined) {
    goTo(told.steps.findIndex(({ n }) => n === Number(to)) + 1);
    document.querySelector(".replay").scrollIntoView({ block: "start" });
  } else if (show !== undefined) {
    drawn.clear();
    drawn.outline(show, "picked", 0.98);
    map.show(show);
    document.querySelector(".replay").scrollIntoView({ block: "start" });
  } else if (fold !== undefined) {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    for (const line of document.querySelectorAll(`#log [data-in="${fold}"]`)) line.hidden = !open;
  }
});

map.fitAll();
goTo(told.steps.length);
