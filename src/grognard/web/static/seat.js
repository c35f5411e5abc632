// The page of a secret link: a tap takes its seat.
import { onButtons } from "./buttons.js";
import { keepLink } from "./own_links.js";
import { ask, say } from "./request.js";

async function take() {
  try {
    const { match, seat } = await ask(location.pathname, {});
    keepLink(match, seat, location.pathname);
    location.replace(`/matches/${match}`);
  } catch (problem) {
    say(problem.message);
  }
}

onButtons(document.querySelector("#seat"), [["take", take]]);
