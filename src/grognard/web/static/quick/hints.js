// Hints: what a little more would bring. They are asked for when no tap has followed for a moment.
import { ask } from "../request.js";
import { statement } from "./statement.js";

const PAUSE = 250; // milliseconds
let pause = 0;
let asked = new AbortController();

export function leaveHints() {
  clearTimeout(pause);
  asked.abort();
}

export function askHints(root) {
  leaveHints();
  if (!root.querySelector("#hints") || statement.answers.length) return;
  pause = setTimeout(() => fetchHints(root), PAUSE);
}

async function fetchHints(root) {
  asked = new AbortController();
  const { signal } = asked;
  let hints;
  try {
    ({ hints } = await ask(root.dataset.hints, statement, { signal }));
  } catch {
    return; // a tap came first, or the server is gone, which the next tap will tell
  }
  if (signal.aborted) return;
  root.querySelector("#hints")?.replaceChildren(...hints.map(item));
}

function item(hint) {
  const made = document.createElement("li");
  made.textContent = hint;
  return made;
}
