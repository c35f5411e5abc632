// The buttons that begin a match: "You play".
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

export function offerMatches(root) {
  onButtons(root, [["begin", (data) => begin("/api/matches", JSON.parse(data.begin), say)]]);
}
