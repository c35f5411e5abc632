// Advice: the plan of the phase or the attacks of the enemy, in the sheet and as arrows on the map.
import { ask, say } from "../request.js";
import { act } from "./changes.js";
import { draw } from "./drawing.js";
import { find, reveal, root } from "./page.js";

// Ask for advice; `what` is `advice` or `dangers`.
export async function advise(what, button) {
  button.disabled = true;
  try {
    const { html } = await ask(`/matches/${root.dataset.id}/${what}`);
    find("#advice").innerHTML = html;
    draw();
    reveal(find("#advice"));
    find("#advice-head").focus({ preventScroll: true });
  } catch (problem) {
    say(problem.message);
  }
  button.disabled = false;
}

export function unadvise() {
  find("#advice").replaceChildren();
  draw();
}

// Give the orders of a plan one after the other, as long as each is accepted.
export async function followPlan(orders) {
  for (const order of orders) {
    const before = root.dataset.version;
    await act("/answers", { answer: order });
    if (root.dataset.version === before) return;
  }
}
