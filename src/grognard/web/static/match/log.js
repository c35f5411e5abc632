// The log: a fight that is over is folded to its outcome, until somebody opens it.
import { all, find } from "./page.js";

const opened = new Set(); // the fights that the reader has opened

export function putLog({ whole, html }) {
  const list = find("#log");
  if (whole) list.innerHTML = html;
  else list.insertAdjacentHTML("beforeend", html);
  for (const end of all("[data-ended]:not([data-settled])", list)) {
    end.dataset.settled = "";
    fold(end.dataset.ended, opened.has(end.dataset.ended));
  }
  list.scrollTop = list.scrollHeight;
}

export function toggleFold(fight) {
  if (!opened.delete(fight)) opened.add(fight);
  fold(fight, opened.has(fight));
}

function fold(fight, shown) {
  for (const line of all(`#log [data-in="${fight}"]`)) line.hidden = !shown;
  find(`#log [data-fold="${fight}"]`)?.setAttribute("aria-expanded", String(shown));
}
