// Changes of the match. The answer to an action holds the parts of the page that change; what
// other pages and automatic players do is announced by events, and then asked for.
import { keepColumnInView } from "../fight_panel.js";
import { showRoll } from "../moment.js";
import { redraw } from "../redraw.js";
import { ask, say } from "../request.js";
import { draw, showStrip } from "./drawing.js";
import { putLog } from "./log.js";
import { putPieces } from "./map_pieces.js";
import { all, find, offers, reveal, revealQuestion, root, state, view } from "./page.js";
import { openRecap } from "./recap.js";
import { showHere, showTurn } from "./seat.js";
import { letGo } from "./selection.js";

const address = `/matches/${root.dataset.id}`;
let version = Number(root.dataset.version);
let newest = version; // that the server has announced
let news = Number(root.dataset.news);
const PAUSE = 500; // milliseconds between two looks at news
let announced = news; // by the server
let unread = false;
let pausing = false;
let { mark } = root.dataset; // how far the log is shown
let busy = false;
let turn = Promise.resolve(); // of the last request

// One request after the other, so that each knows how far the page is.
function inTurn(request) {
  turn = turn.then(request).catch((problem) => say(problem.message));
  return turn;
}

// Do something to the match. If the page was behind, it is brought up to date instead.
export async function act(path, body) {
  if (busy) return;
  busy = true;
  root.classList.add("busy");
  await inTurn(() => send(path, body));
  busy = false;
  root.classList.remove("busy");
  if (newest > version) refresh();
}

async function send(path, body) {
  try {
    const rolled = find("#ask .dice") !== null;
    const parts = await ask(newer(path), { version, ...body });
    letGo();
    find("#briefing").open = false;
    put({ ...parts, rolled: rolled && path !== "/undo" });
    keepFocus();
  } catch (problem) {
    if (problem.status === 409) {
      letGo();
      await fetchParts();
    }
    throw problem;
  }
}

// Rename the match, or let other sides play themselves.
export function change(body) {
  return inTurn(async () => put(await ask(newer(""), body, { method: "PATCH" })));
}

function refresh() {
  return inTurn(() => (newest > version ? fetchParts() : undefined));
}

// Show the question again, with its odds by other doctrines.
export function askAgain() {
  return inTurn(fetchParts);
}

async function fetchParts() {
  put(await ask(newer("/parts")));
}

// An address that gives what is new since the last answer, with odds by the chosen doctrines.
function newer(path) {
  const line = Number(find("#chat li:last-child")?.dataset.line ?? -1) + 1;
  return `${address}${path}?${new URLSearchParams({ since: mark, line, ...state.doctrines })}`;
}

function put(data) {
  const changed = data.version !== version;
  version = data.version;
  news = data.news;
  root.dataset.version = version;
  mark = data.log.mark;
  redraw(root, "details[id]:not(.half-secret)", () => putParts(data.parts));
  find("#chat")?.insertAdjacentHTML("beforeend", data.chat);
  showTurn();
  putPieces(view.svg, data.pieces);
  putLog(data.log);
  if (changed && state.recap) state.recap.rest = null;
  openRecap();
  if (changed && (state.aim || state.chosen)) letGo();
  if (changed) root.dispatchEvent(new Event("position"));
  root.dispatchEvent(new Event("drawn"));
  showStrip();
  draw();
  keepColumnInView(root);
  if (state.recap) reveal(find("#recap"));
  else if (!find("#briefing").open) revealQuestion(); // else it is being read
  if (data.rolled) showRoll(root);
  const offered = offers().flatMap((offer) => offer.hexes);
  if (offered.length && !offered.some((hex) => view.shows(hex))) view.show(offered[0]);
}

function putParts(parts) {
  for (const [part, html] of Object.entries(parts)) {
    const place = find(`#${part}`);
    // At one table there are no seats; a name that is being typed stays.
    if (!place) continue;
    if (part !== "tools" || !place.contains(document.activeElement)) place.innerHTML = html;
  }
}

// Whoever used a button that is gone goes on from the next question.
function keepFocus() {
  if (document.activeElement !== document.body) return;
  (find("#ask .asked") ?? find("#undo"))?.focus({ preventScroll: true });
}

// Look at news at once; those that come thick and fast are looked at together.
function lookAtNews() {
  if (pausing || !unread) return;
  unread = false;
  pausing = true;
  setTimeout(() => {
    pausing = false;
    lookAtNews();
  }, PAUSE);
  root.dispatchEvent(new Event("news"));
  if (announced > news && newest === version && !busy) askAgain();
}

// Learn of changes that are made elsewhere.
export function follow() {
  const events = new EventSource(`/api${address}/events`);
  events.addEventListener("version", (event) => {
    newest = Number(event.data);
    if (newest > version && !busy) refresh();
  });
  events.addEventListener("news", ({ data }) => {
    announced = Number(data);
    unread = true;
    lookAtNews();
  });
  events.addEventListener("here", ({ data }) => showHere(data.split(" ")));
  events.addEventListener("gone", () => {
    events.close();
    say(root.dataset.gone);
  });
}

export function chosenAutos() {
  return all("[data-auto]")
    .filter((box) => box.checked)
    .map((box) => box.dataset.auto);
}
