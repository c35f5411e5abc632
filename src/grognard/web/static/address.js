// The state of a page in its address, so that it can be sent; switching the language keeps it.
import { say } from "./request.js";

export function keepAddress(query) {
  history.replaceState(null, "", query);
  const to = encodeURIComponent(location.pathname + location.search);
  for (const language of document.querySelectorAll("a[data-language]")) language.href = `${language.pathname}?to=${to}`;
}

export async function copyAddress(copied) {
  try {
    await navigator.clipboard.writeText(location.href);
    say(copied);
  } catch {
    say(location.href);
  }
}
