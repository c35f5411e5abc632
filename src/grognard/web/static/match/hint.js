// The line below the map that is always there: what can be done next, or why something can't.
import { all, find, goes, state } from "./page.js";

let told = ""; // a reason, until something else is done

export function tell(reason) {
  told = reason;
  showHint();
}

export function forget() {
  told = "";
}

export function showHint() {
  find("[data-when=told]").textContent = told;
  const now = told ? "told" : present();
  for (const one of all("#hint [data-when]")) one.hidden = one.dataset.when !== now;
}

function present() {
  const { aim, chosen, recap } = state;
  if (recap) return "recap";
  if (aim) return aim.ready ? "ready" : "aim";
  if (chosen?.way) return "way";
  if (goes().length) return "goes";
  return chosen?.aims.length ? "targets" : "rest";
}
