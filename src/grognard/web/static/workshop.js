// The workshop: every change goes to the server with the draft, and the answer is the page as it is then.
import { morph } from "./morph.js";
import { ask, say } from "./request.js";

const root = document.querySelector("#workshop");
const STORED = "grognard-workshop";
const PAUSE = 250; // milliseconds without a key before what is typed is sent
const LARGEST = 60_000; // characters of a card's file

let state = JSON.parse(document.querySelector("#state").textContent);
let waiting = new Map(); // changes that are not sent yet, by their place
let sent = []; // changes that the server has not answered yet
let timer;

// ---------------------------------------------------------------- changes

function change({ dataset, value }, pause = 0) {
  const at = dataset.at ? JSON.parse(dataset.at) : [];
  const key = pause ? `${dataset.do} ${dataset.at}` : Symbol(dataset.do);
  waiting.set(key, { do: dataset.do, at, value: value ?? "" });
  later(pause);
}

function later(pause) {
  store();
  clearTimeout(timer);
  timer = setTimeout(send, pause);
}

root.addEventListener("input", ({ target }) => {
  const { dataset } = target;
  if (target.matches("select, [type=checkbox], [type=file]")) return;
  if (dataset.do) change(target, PAUSE);
  else if (dataset.paste !== undefined) paste(dataset.paste, target.value);
  else if (dataset.sample) stateNumber(dataset.sample, target);
  else if (dataset.fact) stateFact(dataset.fact, target);
});

root.addEventListener("change", ({ target }) => {
  const { dataset } = target;
  if (target.id === "upload") takeUp(target);
  else if (target.matches("select[data-do]")) change(target);
  else if (target.matches("select[data-fact]")) stateFact(dataset.fact, target);
  else if (dataset.tick) tick(dataset.tick, target.checked);
  else later(0); // what was typed is complete
});

root.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const { dataset } = button;
  if (dataset.do) change(button);
  else if (dataset.keep !== undefined) keep(false);
  else if (dataset.download) download(dataset.download);
  else if (dataset.anew !== undefined && confirm(root.dataset.anew)) beginAnew();
});

// Several cells that are pasted into one are a table.
root.addEventListener("paste", (event) => {
  const number = event.target.closest("table.grid-editor") && JSON.parse(event.target.dataset.at)[0];
  const text = event.clipboardData.getData("text/plain");
  if (number === null || number === undefined || !text.trim().includes("\n")) return;
  event.preventDefault();
  paste(number, text);
});

function paste(number, text) {
  if (text.trim().split("\n").length < 2) return;
  waiting.set("paste", { do: "paste", at: [Number(number)], value: text });
  later(PAUSE);
}

function stateNumber(key, { value }) {
  state.sample[key] = value === "" ? null : Math.trunc(Number(value));
  later(PAUSE);
}

function stateFact(id, input) {
  state.sample.facts = {
    ...state.sample.facts,
    [id]: input.type === "number" ? Math.trunc(Number(input.value)) : input.value,
  };
  later(PAUSE);
}

function tick(what, on) {
  const [kind, id] = what.split(":");
  const { sample } = state;
  if (kind === "fact") sample.facts = { ...sample.facts, [id]: on };
  else {
    const list = kind === "mark" ? "marked" : "terrain";
    sample[list] = [...(sample[list] ?? []).filter((one) => one !== id), ...(on ? [id] : [])];
  }
  later(0);
}

// ---------------------------------------------------------------- sending

let sending; // the exchange under way
let again = false; // something was changed meanwhile

// One request at a time: what is changed meanwhile follows with the next one.
async function send() {
  clearTimeout(timer);
  if (sending) {
    again = true;
    return sending;
  }
  sending = exchange();
  const answered = await sending;
  sending = undefined;
  if (again) later(0);
  return answered;
}

// Give whether the server took the draft.
async function exchange() {
  sent = [...waiting.values()];
  waiting = new Map();
  again = false;
  let answered = true;
  try {
    const { html, card, text } = await ask("/workshop/draft", { ...state, changes: sent });
    state = { ...state, card, text };
    show(html);
    if (sent.some((one) => one.do === "paste")) foldPastes();
  } catch (problem) {
    say(problem.message);
    answered = false;
  }
  sent = [];
  store();
  return answered;
}

// The browser keeps the draft: a reload, or another language, finds it again.
function store() {
  localStorage.setItem(STORED, JSON.stringify({ ...state, changes: [...sent, ...waiting.values()] }));
}

// The table has taken what was pasted: it is corrected where it stands.
function foldPastes() {
  for (const fold of root.querySelectorAll("details.paste")) {
    fold.open = false;
    fold.querySelector("textarea").value = "";
  }
}

function show(html) {
  const fresh = document.createElement("div");
  fresh.innerHTML = html;
  const kept = document.querySelector("#kept").innerHTML;
  morph(root.querySelector(".made"), fresh.querySelector(".made"));
  document.querySelector("#kept").innerHTML = kept;
}

// ---------------------------------------------------------------- keeping and taking up

async function keep(replace) {
  try {
    await send(); // what was typed last is kept too
    const { id, link } = await ask("/workshop/keep", { card: state.card, text: state.text, replace });
    const shown = document.createElement("a");
    shown.href = link;
    shown.className = "button primary";
    shown.textContent = `${document.querySelector("#name").value || id} →`;
    document.querySelector("#kept").replaceChildren(`${root.dataset.kept} `, shown);
    shown.focus();
  } catch (problem) {
    if (problem.status === 409 && !replace) {
      if (confirm(problem.message)) await keep(true);
    } else say(problem.message);
  }
}

function download(name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([document.querySelector("#toml").textContent], { type: "application/toml" }),
  );
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function takeUp(input) {
  const [file] = input.files;
  input.value = "";
  if (!file) return;
  if (file.size > LARGEST) {
    say(root.dataset.large);
    return;
  }
  state.sample = {};
  waiting.set("take-up", { do: "take-up", at: [file.name], value: await file.text() });
  later(0);
}

function beginAnew() {
  localStorage.removeItem(STORED);
  location.assign("/workshop");
}

// The draft of the last visit, unless the address names a game.
async function recall() {
  const stored = localStorage.getItem(STORED);
  if (!stored || new URLSearchParams(location.search).has("game")) return;
  const first = state;
  const { changes, ...kept } = JSON.parse(stored);
  state = kept;
  waiting = new Map(changes.entries());
  if (!(await send())) state = first;
}

recall();
