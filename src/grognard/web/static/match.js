// A match on the map. The page's own buttons are the model: whatever may be tapped on the map is
// a button beside it too. Every answer goes to the server, and the page is put together anew.
import { Aim } from "./aim.js";
import { legendIn } from "./map_legend.js";
import { MapMarks } from "./map_marks.js";
import { putPieces } from "./map_pieces.js";
import { MapView } from "./map_view.js";
import { ask, say } from "./talk.js";

const root = document.querySelector("#match");
const find = (selector) => root.querySelector(selector);
const all = (selector, from = root) => [...from.querySelectorAll(selector)];
const api = `/api/matches/${root.dataset.id}`;
const pages = `/matches/${root.dataset.id}`;

let version = Number(root.dataset.version);
let newest = version; // of which the server has told
let mark = root.dataset.mark;
let busy = false;
let chosen = null; // { unit, zoc, supply, hex } of the unit that is looked at
const doctrines = {}; // by which the odds of a fight are worked out
let aim = null; // the attack that is put together

const view = new MapView(find("#map"), tapped);
const marks = new MapMarks(view);

// ---------------------------------------------------------------- talking

// Do something to the match; a page that was behind is brought up to date.
async function act(path, body) {
  if (busy) return;
  busy = true;
  root.classList.add("busy");
  try {
    const answered = await ask(`${api}${path}?since=${mark}`, { version, ...body });
    letGo();
    await refresh();
    if (version < answered.version) await refresh(); // the first was on its way before the answer
    keepFocus();
  } catch (problem) {
    say(problem.message);
    if (problem.status === 409) {
      letGo();
      await refresh();
    }
  } finally {
    busy = false;
    root.classList.remove("busy");
  }
  if (newest > version) await refresh();
}

let refreshing = null;

function refresh() {
  refreshing ??= fetchParts().finally(() => { refreshing = null; });
  return refreshing;
}

async function fetchParts() {
  try {
    put(await ask(`${pages}/parts?since=${mark}`));
  } catch (problem) {
    say(problem.message);
  }
}

// ---------------------------------------------------------------- the page anew

function put(data) {
  const focused = document.activeElement?.id;
  const open = new Set(all("details[id]").filter((one) => one.open).map((one) => one.id));
  const shut = new Set(all("details[id]").filter((one) => !one.open).map((one) => one.id));
  const changed = data.version !== version;
  version = data.version;
  root.dataset.version = version;
  mark = data.log.mark;
  for (const [part, html] of Object.entries(data.parts)) {
    const place = find(`#${part}`);
    if (!place.contains(document.activeElement) || part !== "tools") place.innerHTML = html;
  }
  for (const one of all("details[id]")) {
    if (open.has(one.id) && !one.id.startsWith("secret-")) one.open = true;
    if (shut.has(one.id)) one.open = false;
  }
  putPieces(view.svg, data.pieces);
  putLog(data.log);
  if (changed && (aim || chosen)) letGo();
  showStrip();
  draw();
  keepColumnInView();
  reveal(find("#ask"));
  const offered = all("#ask [data-answer]").flatMap((button) => hexesOf(JSON.parse(button.dataset.answer)));
  if (offered.length && !offered.some((hex) => view.shows(hex))) view.show(offered[0]);
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus({ preventScroll: true });
}

// Whoever used a button that is gone goes on from the next question.
function keepFocus() {
  if (document.activeElement === document.body) (find("#ask .asked") ?? find("#undo")).focus({ preventScroll: true });
}

function putLog(log) {
  const list = find("#log");
  if (log.whole) list.innerHTML = log.html;
  else list.insertAdjacentHTML("beforeend", log.html);
  list.scrollTop = list.scrollHeight;
}

function keepColumnInView() {
  for (const scroll of all(".table-scroll")) {
    const column = scroll.querySelector("th.in-question");
    if (column) scroll.scrollLeft = column.offsetLeft - scroll.clientWidth / 2 + column.clientWidth / 2;
  }
}

// Bring a piece of the sheet into its upper part, where it does not show.
function reveal(piece) {
  const sheet = find(".side-sheet");
  const grip = find("#grow").offsetHeight;
  const top = piece.getBoundingClientRect().top - sheet.getBoundingClientRect().top;
  if (top < grip || top > sheet.clientHeight * 0.4) sheet.scrollBy({ top: top - grip });
}

// ---------------------------------------------------------------- looking at stacks and units

let shownHex = null;

function showStrip() {
  const everything = find("#all-units").getAttribute("aria-pressed") === "true";
    for (const stack of all(".stack-strip")) {
    const here = stack.dataset.stack;
    const buttons = all(".piece", stack);
    for (const one of buttons) {
      one.setAttribute("aria-pressed", String(one.dataset.unit === chosen?.unit));
      one.hidden = !everything && shownHex === null && !one.classList.contains("acts");
    }
    stack.hidden = everything ? false : shownHex === null ? buttons.every((one) => one.hidden) : here !== shownHex;
  }
  find("#strip").classList.toggle("empty", all(".stack-strip:not([hidden])").length === 0);
  if (aim) showAttackers();
}

function lookAt(hex) {
  shownHex = hex;
  find("#all-units").setAttribute("aria-pressed", "false");
  showStrip();
}

async function choose(unit) {
  aim = null;
  try {
    const told = await ask(`${pages}/unit?name=${encodeURIComponent(unit)}`);
    chosen = { unit, ...told };
    find("#chosen").innerHTML = told.html;
    find("#look").replaceChildren();
    showAim(false);
    reveal(find("#chosen"));
    showStrip();
    draw();
  } catch (problem) {
    say(problem.message);
  }
}

function letGo() {
  chosen = null;
  aim = null;
  shownHex = null;
  find("#chosen").replaceChildren();
  find("#look").replaceChildren();
  showAim(false);
  showStrip();
  draw();
}

// ---------------------------------------------------------------- the gesture of an attack

function showAim(on) {
  find("#aiming").hidden = !on;
  find("#ask").hidden = on;
  find("#fight").hidden = on;
}

function startAim(button, first) {
  chosen = null;
  find("#chosen").replaceChildren();
  aim = new Aim(button, first);
  const focused = document.activeElement === button;
  showAim(true);
  find("#aim-text").textContent = button.textContent;
  find("#aim-go").textContent = button.textContent;
  find("#aim-all").hidden = !aim.several;
  shownHex = aim.hex || null;
  view.show(aim.hex);
  showStrip();
  reveal(find("#aiming"));
  if (focused) find("#aim-text").focus();
  preview();
}

function showAttackers() {
  const place = find("#attackers");
  const focused = document.activeElement?.dataset?.attacker;
  place.replaceChildren(...aim.candidates.map((unit) => {
    const piece = all(".piece").find((one) => one.dataset.unit === unit);
    const copy = piece.cloneNode(true);
    copy.removeAttribute("id");
    copy.hidden = false;
    copy.dataset.attacker = unit;
    copy.setAttribute("aria-pressed", String(aim.units.has(unit)));
    return copy;
  }));
  if (focused) all("[data-attacker]", place).find((one) => one.dataset.attacker === focused)?.focus();
}

function toggle(units) {
  aim.toggle(units);
  showStrip();
  preview();
}

async function preview() {
  const mine = aim;
  find("#aim-go").disabled = !aim.ready;
  find("#aim-problem").hidden = true;
  aim.label = "";
  draw();
  if (!aim.ready) {
    find("#look").replaceChildren();
    return;
  }
  const { order } = aim;
  const past = () => aim !== mine || String(order) !== String(aim.order);
  try {
    const told = await ask(`${pages}/look`, { order, ...doctrines });
    if (past()) return;
    find("#look").innerHTML = told.html;
    aim.label = told.label;
    keepColumnInView();
  } catch (problem) {
    if (past()) return;
    find("#look").replaceChildren();
    find("#aim-problem").textContent = problem.message;
    find("#aim-problem").hidden = false;
  }
  draw();
}

// ---------------------------------------------------------------- taps on the map

function offersAt(hex) {
  return all("#ask [data-answer]").filter((button) => hexesOf(JSON.parse(button.dataset.answer)).includes(hex));
}

// The hexes that an answer names, itself or by its units.
function hexesOf(answer) {
  if (Array.isArray(answer)) return answer.flatMap(hexesOf);
  const word = String(answer);
  if (view.centres.has(word)) return [word];
  const piece = all(".piece").find((one) => one.dataset.unit === word);
  return piece?.dataset.hex ? [piece.dataset.hex] : [];
}

function goAt(hex) {
  return all("#chosen .goes:not([hidden]) .go").find((button) => button.dataset.hex === hex);
}

function aimsAt(hex) {
  return all("#ask [data-aim]").filter((button) => button.dataset.hex === hex);
}

function tapped(hex) {
  if (hex === null) {
    letGo();
    return false;
  }
  const offers = offersAt(hex);
  if (offers.length === 1) {
    offers[0].click();
    return true;
  }
  if (aim) return tappedInAim(hex);
  if (chosen?.way) {
    goOn(hex);
    return true;
  }
  const go = goAt(hex);
  if (go) {
    go.click();
    return true;
  }
  return tappedFresh(hex, offers);
}

function tappedInAim(hex) {
  if (hex === aim.hex && !find("#aim-go").disabled && find("#aim-problem").hidden) {
    find("#aim-go").click();
    return true;
  }
  const here = new Set(all(".piece").filter((one) => one.dataset.hex === hex).map((one) => one.dataset.unit));
  const units = aim.candidates.filter((unit) => here.has(unit));
  if (units.length) {
    toggle(aim.several ? units : units.slice(0, 1));
    return true;
  }
  return tappedFresh(hex, []);
}

function tappedFresh(hex, offers) {
  const aims = aimsAt(hex);
  const units = all(`.piece[data-hex="${hex}"]`);
  if (aims.length === 1 && aim?.button !== aims[0]) {
    startAim(aims[0], chosen?.unit);
    return true;
  }
  if (aims.length > 1) {
    lookAt(hex);
    find("#aims").open = true;
    for (const one of all("#ask [data-aim]")) one.classList.toggle("meant", aims.includes(one));
    aims[0].focus();
    return true;
  }
  for (const one of all("#ask [data-answer]")) one.classList.toggle("meant", offers.includes(one));
  if (offers.length) offers[0].focus();
  if (!units.length) {
    letGo();
    return false;
  }
  lookAt(hex);
  const acting = units.filter((one) => one.classList.contains("acts"));
  if (units.length === 1 || acting.length === 1) choose((acting[0] ?? units[0]).dataset.unit);
  else {
    chosen = null;
    find("#chosen").replaceChildren();
    draw();
  }
  return true;
}

function draw() {
  marks.clear();
  if (shownHex) marks.outline(shownHex, "picked", 0.98);
  for (const button of all("#ask [data-answer]")) {
    for (const hex of hexesOf(JSON.parse(button.dataset.answer))) {
      marks.wash(hex, "offer");
      marks.outline(hex, "offer");
    }
  }
  if (aim) {
    drawAim();
    return;
  }
  for (const button of all("#ask [data-aim]")) if (button.dataset.hex) marks.outline(button.dataset.hex, "target");
  if (!chosen) return;
  for (const hex of chosen.zoc) marks.outline(hex, "zoc", 0.86);
  marks.way(chosen.supply?.path ?? [], "supply-way");
  for (const hex of chosen.supply?.cut_by ?? []) marks.cross(hex);
  if (chosen.way) marks.way([chosen.hex, ...chosen.way], "own-way");
  for (const go of all("#chosen .goes:not([hidden]) .go")) {
    marks.wash(go.dataset.hex, "reach");
    marks.outline(go.dataset.hex, go.classList.contains("rash") ? "reach rash" : "reach");
    marks.number(go.dataset.hex, go.dataset.cost);
  }
}

function drawAim() {
  const where = (unit) => all(".piece").find((one) => one.dataset.unit === unit)?.dataset.hex;
  for (const unit of aim.candidates) {
    const at = where(unit);
    if (at) marks.outline(at, aim.units.has(unit) ? "attacker-on" : "attacker-off");
  }
  marks.outline(aim.hex, "target aimed");
  marks.arrows([...aim.units].map(where).filter(Boolean), aim.hex, aim.label);
}

// ---------------------------------------------------------------- buttons

const CLICKS = [
  ["order", (data) => (chosen?.way && data.hex ? goOn(data.hex) : act("/answers", { answer: JSON.parse(data.order) }))],
  ["answer", (data) => act("/answers", { answer: JSON.parse(data.answer) })],
  ["roll", () => act("/roll", {})],
  ["die", (data, button) => tapDie(button)],
  ["half", (data) => act("/commit", { side: data.half, option: JSON.parse(data.option) })],
  ["undo", () => act("/undo", {})],
  ["aim", (data, button) => startAim(button, chosen?.unit)],
  ["attacker", (data) => toggle([data.attacker])],
  ["deed", (data) => switchDeed(data.deed)],
  ["way", () => ownWay(chosen.way ? null : [])],
  ["wayGo", () => act("/answers", { answer: ["move", chosen.unit, ...chosen.way] })],
  ["letGo", () => letGo()],
  ["show", (data) => { view.show(data.show); lookAt(data.show); draw(); }],
  ["unit", (data, button, byKey) => choosePiece(data, byKey)],
  ["fraction", (data, button) => {
    button.textContent = button.textContent === data.percent ? data.fraction : data.percent;
  }],
];

root.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || button.disabled) return;
  const found = CLICKS.find(([name]) => button.dataset[name] !== undefined);
  if (found) found[1](button.dataset, button, event.detail === 0);
});

async function choosePiece(data, byKey) {
  const offer = all("#ask [data-answer]").find((button) => JSON.parse(button.dataset.answer) === data.unit);
  if (offer) {
    offer.click();
    return;
  }
  if (chosen?.unit === data.unit) {
    letGo();
    return;
  }
  if (data.hex) {
    view.show(data.hex);
    if (shownHex !== null) shownHex = data.hex;
  }
  await choose(data.unit);
  if (byKey) find("#chosen h2")?.focus();
}

function switchDeed(id) {
  for (const one of all("#chosen [data-goes]")) one.hidden = one.dataset.goes !== id;
  for (const one of all("#chosen [data-deed]")) one.setAttribute("aria-pressed", String(one.dataset.deed === id));
  draw();
}

// A way of its own: hex after hex, each beside the one before; the last one again goes.
function ownWay(way) {
  chosen.way = way;
  const go = find("[data-way-go]");
  find("[data-way]").setAttribute("aria-pressed", String(way !== null));
  go.hidden = !way?.length;
  go.textContent = way ? `${go.dataset.wayGo} ${way.join(" ")}` : "";
  draw();
}

function goOn(hex) {
  const last = chosen.way.at(-1) ?? chosen.hex;
  if (hex === last && chosen.way.length) find("[data-way-go]").click();
  else if (view.beside(hex, last)) ownWay([...chosen.way, hex]);
}

function tapDie(button) {
  const box = button.closest(".dice");
  box.tapped = [...(box.tapped ?? []), Number(button.dataset.die)];
  box.querySelector(".tapped-dice").textContent = box.tapped.map((die) => "⚀⚁⚂⚃⚄⚅"[die - 1]).join(" ");
  if (box.tapped.length === Number(box.dataset.dice)) act("/answers", { answer: box.tapped });
}

find("#aim-go").addEventListener("click", () => act("/answers", { answer: aim.order }));
find("#aim-all").addEventListener("click", () => {
  aim.takeAll();
  showStrip();
  preview();
});
find("#all-units").addEventListener("click", (event) => {
  const on = event.currentTarget.getAttribute("aria-pressed") !== "true";
  event.currentTarget.setAttribute("aria-pressed", String(on));
  shownHex = null;
  showStrip();
  draw();
});
find("#zoom-in").addEventListener("click", () => view.closer());
find("#zoom-out").addEventListener("click", () => view.farther());
find("#zoom-all").addEventListener("click", () => view.fitAll());
find("#show-legend").addEventListener("click", legendIn(find("#legend"), view.svg));
find("#grow").addEventListener("click", (event) => {
  const tall = root.classList.toggle("tall");
  event.currentTarget.setAttribute("aria-expanded", String(tall));
});
root.addEventListener("keydown", (event) => { if (event.key === "Escape") letGo(); });

root.addEventListener("change", async (event) => {
  const { id, dataset, value } = event.target;
  if (id === "rename" && value.trim()) {
    await change({ name: value.trim() });
    document.querySelector("#match-name").textContent = value.trim();
  } else if (dataset.doctrine) {
    doctrines[dataset.doctrine] = value;
    preview();
  } else if (dataset.auto) {
    await change({ autos: all("[data-auto]").filter((box) => box.checked).map((box) => box.dataset.auto) });
  }
});

async function change(body) {
  try {
    await ask(api, body, "PATCH");
    await refresh();
  } catch (problem) {
    say(problem.message);
  }
}

// ---------------------------------------------------------------- in step with other pages

const events = new EventSource(`${api}/events`);
events.addEventListener("version", (event) => {
  newest = Number(event.data);
  if (newest > version && !busy) refresh();
});
events.addEventListener("gone", () => {
  events.close();
  say(root.dataset.gone);
});

find("#log").scrollTop = find("#log").scrollHeight;
showStrip();
draw();
keepColumnInView();
view.show(find(".piece.acts")?.dataset.hex);
