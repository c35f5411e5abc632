// Requests to the server, and the notice that tells the reader what it refuses.
const notice = document.querySelector("#notice");
const SHOWN = 6000; // milliseconds
let timer;

export function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
  clearTimeout(timer);
  if (text) timer = setTimeout(() => say(""), SHOWN);
}

// Give the server's answer. A refusal becomes an error with its message and its status.
export async function ask(path, body, { method = body === undefined ? "GET" : "POST", signal } = {}) {
  const headers = { "content-type": "application/json" };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const address = new URL(path, location.href);
  address.searchParams.set("lang", document.documentElement.lang); // that of the page, whatever the browser prefers
  let answer;
  try {
    answer = await fetch(address, { method, signal, ...sent });
  } catch {
    throw new Error(document.querySelector("[data-lost]").dataset.lost);
  }
  const data = await answer.json();
  if (answer.ok) return data;
  throw Object.assign(new Error(data.refusal), { status: answer.status });
}
