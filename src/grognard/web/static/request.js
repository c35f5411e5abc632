// Asking the server, and telling the reader what it refuses.
const notice = document.querySelector("#notice");
let timer;

export function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
  clearTimeout(timer);
  if (text) timer = setTimeout(() => { notice.hidden = true; }, 6000);
}

// Give what the server answers; what it refuses is an error with its words and its status.
export async function ask(path, body, method = body === undefined ? "GET" : "POST") {
  const headers = { "content-type": "application/json" };
  const address = new URL(path, location.href);
  address.searchParams.set("lang", document.documentElement.lang); // as the page is read, whatever the browser prefers
  let answer;
  try {
    answer = await fetch(address, body === undefined ? { method } : { method, headers, body: JSON.stringify(body) });
  } catch {
    throw new Error(document.querySelector("[data-lost]").dataset.lost);
  }
  const data = await answer.json();
  if (answer.ok) return data;
  const problem = new Error(data.refusal);
  problem.status = answer.status;
  throw problem;
}
