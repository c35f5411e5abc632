// Advice: the plan of the phase or the attacks of the enemy, in the sheet and as arrows on the map. A plan that is
// followed is kept: what is left of it is shown again after each order, and in the later phases of the turn.
import { ask, say } from "../request.js";
import { act } from "./changes.js";
import { draw } from "./drawing.js";
import { all, find, reveal, root } from "./page.js";

const address = `/matches/${root.dataset.id}`;
let shown = null; // the plan in the sheet: { orders, time }
let followed = null; // the plan that is followed

// Ask for advice; `what` is `advice` or `dangers`.
export async function advise(what, button) {
  const { version } = root.dataset;
  const asked = find("#advice");
  for (const one of all("[data-advise]")) one.disabled = true;
  asked.innerHTML = '<p class="thinking" role="status"></p>';
  asked.firstChild.textContent = button.dataset.busy;
  reveal(asked);
  try {
    const found = await ask(`${address}/${what}`);
    if (root.dataset.version !== version) return; // it was for another position
    put(found);
    reveal(asked);
    find("#advice-head").focus({ preventScroll: true });
  } catch (problem) {
    if (root.dataset.version === version) asked.replaceChildren();
    say(problem.message);
  } finally {
    for (const one of all("[data-advise]")) one.disabled = false;
  }
}

function put({ html, orders, time }) {
  shown = { orders, time };
  find("#advice").innerHTML = html;
  draw();
}

export function unadvise() {
  followed = null;
  find("#advice").replaceChildren();
  draw();
}

// Give orders of a plan one after the other, as long as each is accepted and the next order is asked for: the enemy
// may fire at who moves, or act in between. What is left of the plan is shown again.
export async function followPlan(orders) {
  followed = shown;
  for (const order of orders) {
    const before = root.dataset.version;
    await act("/answers", { answer: order });
    if (root.dataset.version === before || !find('#ask [data-ask="order"]')) return;
  }
}

// The position has changed: advice was for the one before, and of a plan that is followed some orders are left.
root.addEventListener("position", async () => {
  find("#advice").replaceChildren();
  if (!followed || !find('#ask [data-ask="order"]')) return;
  const { version } = root.dataset;
  try {
    const left = await ask(`${address}/advice`, followed);
    if (root.dataset.version !== version) return; // the next position asks again
    if (left.html) put(left);
    else if (left.time === followed.time) followed = null; // nothing is left
  } catch (problem) {
    say(problem.message);
  }
});
