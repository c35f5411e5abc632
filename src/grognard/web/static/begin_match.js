// The buttons that begin a match: "You play".
import { beginApart } from "./apart_links.js";
import { onButtons } from "./buttons.js";
import { ask, say } from "./request.js";

export async function begin(path, body, told) {
  try {
    const match = await ask(path, body);
    location.assign(`/matches/${match.id}`);
  } catch (error) {
    told(error.message);
  }
}

// The level that is chosen on the card of the button.
function withLevel(body, button) {
  const choice = button.closest(".scenario")?.querySelector("[data-level]");
  return choice ? { ...body, level: choice.value } : body;
}

export function offerMatches(root) {
  onButtons(root, [
    ["apart", ({ apart: body, sides }) => beginApart(JSON.parse(body), JSON.parse(sides))],
    ["begin", ({ begin: body }, button) => begin("/api/matches", withLevel(JSON.parse(body), button), say)],
  ]);
}
