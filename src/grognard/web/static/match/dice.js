// Fair dice of a match apart: this page keeps the secret of its side, publishes the anchor of its
// hash chain, reveals a link when a roll waits for it, and checks what the server makes of it.
import { ask, say } from "../request.js";
import { sha256 } from "../sha256.js";
import { act, chosenAutos } from "./changes.js";
import { find, root } from "./page.js";

const box = find("#dice");
const side = box?.dataset.side;
const address = `/api/matches/${root.dataset.id}/dice`;
const place = `grognard dice ${root.dataset.id} ${side}`;
// Kept by name: what is needed for a roll stands in its question, which is drawn anew with each answer.
const parts = Object.fromEntries(
  [...(box?.querySelectorAll("[data-part]") ?? [])].map((one) => [one.dataset.part, one]),
);
const LENGTH = 4096; // links of a chain, without its anchor
const MOST_DICE = 20;
const MOST_FACES = 100;
const chains = new Map(); // secret -> all links, worked out once
let state = null;
let turn = Promise.resolve();

// ---------------------------------------------------------------- hashes

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text) => Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16));
const digest = (...lines) => sha256(new TextEncoder().encode(lines.join("\n")));

// All links of a chain: the secret first, the anchor last.
function linksOf(secret) {
  if (!chains.has(secret)) {
    const links = [bytesOf(secret)];
    while (links.length <= LENGTH) links.push(sha256(links.at(-1)));
    chains.set(secret, links.map(hex));
  }
  return chains.get(secret);
}

// Whether a link leads to an anchor in exactly so many steps: any other place would be a choice.
function leads(link, anchor, steps) {
  let bytes = bytesOf(link);
  for (let n = 0; n < steps; n += 1) bytes = sha256(bytes);
  return hex(bytes) === anchor;
}

function diceOf({ roll, question, links, dice }) {
  const limit = 2 ** 32 - (2 ** 32 % dice.faces);
  const values = Object.keys(links)
    .sort()
    .map((one) => links[one]);
  const shown = [];
  for (let counter = 0; shown.length < dice.count; counter += 1) {
    const block = new DataView(digest("grognard dice 1", root.dataset.id, roll, question, ...values, counter).buffer);
    for (let at = 0; at < 32 && shown.length < dice.count; at += 4) {
      const number = block.getUint32(at);
      if (number < limit) shown.push(dice.lowest + (number % dice.faces));
    }
  }
  return shown;
}

// ---------------------------------------------------------------- what this page knows

// Nothing of it is ever deleted: `chains` of this side by anchor, the oldest first, and `chain`, the last one that the
// server has taken; `reveals` by number of the roll, and those that were `withdrawn`.
const none = () => ({ chains: {}, chain: null, reveals: {}, withdrawn: [] });
const notes = () => JSON.parse(localStorage.getItem(place)) ?? none();
function note(change) {
  const known = notes();
  Object.assign(known, { match: root.dataset.id, side, other: known.other ?? box.dataset.other });
  change(known);
  localStorage.setItem(place, JSON.stringify(known));
}
const mine = () => state.sides.find((one) => one.id === side);
const theirs = () => state.sides.find((one) => one.id !== side);
const own = () => notes().chains[mine().anchor]; // undefined: begun elsewhere, or not at all
const cheated = () => notes().cheated;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const lastOf = ({ reveals }) => Math.max(0, ...Object.keys(reveals).map(Number));

// ---------------------------------------------------------------- what the server tells

const isNumber = (value, most) => Number.isSafeInteger(value) && value > 0 && value <= most;
const isLink = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isDice = (dice) =>
  isNumber(dice?.count, MOST_DICE) &&
  isNumber(dice.faces, MOST_FACES) &&
  dice.faces > 1 &&
  Number.isSafeInteger(dice.lowest);

// Whether all that this page relies on has its form; a number in another form would be another roll.
function isState({ roll, question, sides, awaited, made }) {
  return (
    isNumber(roll, Number.MAX_SAFE_INTEGER) &&
    isLink(question) &&
    same(sides.map((one) => one.id).sort(), [side, notes().other ?? box.dataset.other].sort()) &&
    sides.every(({ anchor, first }) => anchor === null || (isLink(anchor) && isNumber(first, roll))) &&
    Array.isArray(awaited) &&
    made.every((one) => isNumber(one.roll, roll - 1))
  );
}

// Look at what the server tells, from the last roll on for which this page has revealed; or do something first. What
// another tab notes in between is not compared with an answer that may be older.
async function tell(path, body) {
  const before = notes();
  state = await ask(path ? `${address}/${path}` : `${address}?since=${lastOf(before)}`, body);
  if (side) check(before);
}

function check(before) {
  try {
    const problem = isState(state) ? (chainProblem(before) ?? rollProblem(before)) : { chain: true };
    if (problem) warn(problem);
  } catch {
    warn({ chain: true }); // what can't be checked does not hold
  }
}

// What is wrong with the chain of this side: it is one that does not count any more, serves other rolls, or has served
// without this page. Notes the chain that serves.
function chainProblem(before) {
  const { anchor, first, server } = mine();
  const { roll } = state;
  const last = lastOf(before);
  if (roll < last || (anchor === null && roll === last)) return { roll: last };
  const chain = own();
  if (!chain) return null; // show() says so
  const order = Object.keys(notes().chains);
  if (anchor !== before.chain && order.indexOf(anchor) > order.indexOf(before.chain)) {
    // It withdraws no reveal but the one for which it was begun, when the person asked for that.
    const given = Object.values(before.reveals).filter((one) => one.roll >= first);
    if (given.some((one) => one.value !== chain.gives)) return { roll: last };
    note((known) => {
      if (order.indexOf(anchor) > order.indexOf(known.chain)) known.chain = anchor;
      known.chains[anchor].first ??= first;
      for (const one of Object.values(known.reveals).filter(({ value }) => value === chain.gives)) {
        known.withdrawn.push(one);
        delete known.reveals[one.roll];
      }
    });
  } else if (anchor !== before.chain) return { chain: true };
  if (own().first !== first || (server && !chain.server)) return { chain: true };
  // A link tells all links of the rolls before it: each roll gets the next one, none is left out.
  const served = Object.values(notes().reveals).filter((one) => one.anchor === anchor && one.roll < roll).length;
  return chain.server || served === roll - first ? null : { roll };
}

// Compare the rolls that were made with the notes of this page. The last one is always told: a roll that is left out
// can't be checked.
function rollProblem(before) {
  const last = lastOf(before);
  if (last && last < state.roll && !state.made.some((made) => made.roll === last)) return { roll: last };
  const wrong = state.made.find((made) => notes().reveals[made.roll] && !holds(made, notes().reveals[made.roll]));
  return wrong ? { roll: wrong.roll } : null;
}

function holds(made, noted) {
  const { other } = notes();
  return (
    same(Object.keys(made.links).sort(), [side, other].sort()) &&
    made.question === noted.question &&
    same(made.dice, noted.dice) &&
    made.links[side] === noted.value &&
    isLink(made.links[other]) &&
    leads(made.links[other], noted.other, noted.steps) &&
    same(diceOf(made), made.shown)
  );
}

// Say that the server cheats, now and whenever the page is opened: it reveals nothing any more.
function warn(problem) {
  if (!cheated()) {
    note((known) => {
      known.cheated = problem;
    });
  }
  show();
}

// ---------------------------------------------------------------- what this page does

// Begin a new chain; it withdraws what this side has revealed for the open roll.
async function begin() {
  const drawn = hex(crypto.getRandomValues(new Uint8Array(32)));
  const anchor = linksOf(drawn).at(-1);
  note((known) => {
    // First: a secret that is lost can't be had again.
    known.chains[anchor] = { secret: drawn, gives: known.reveals[state.roll]?.value };
  });
  await tell("anchor", { side, anchor, replaces: mine().anchor });
}

async function reveal() {
  if (cheated() || !own()) return;
  const { roll, question, dice } = state;
  const { anchor, first } = mine();
  const other = theirs().anchor;
  const steps = roll - theirs().first + 1;
  const value = linksOf(own().secret)[LENGTH - 1 - (roll - first)];
  const noted = { roll, question, dice, value, anchor, other, steps };
  // What was noted stays: whoever knows the link must not choose anything any more.
  if (!value || !isDice(dice) || steps > LENGTH || !same(notes().reveals[roll] ?? noted, noted)) {
    warn({ roll });
    return;
  }
  note((known) => {
    known.reveals[roll] = noted;
  });
  await tell("reveal", { side, roll, question, other, value });
}

// Do what the dice want of this page without a tap: begin the first chain, or the next one when one is used up, and
// answer the other side's roll.
async function attend() {
  await tell();
  if (!side || cheated()) return show();
  if (!mine().anchor) await begin();
  if (state.awaited.includes(side) && theirs().anchor && state.side !== side && !mine().server) await reveal();
  return show();
}

function show() {
  const stopped = side && cheated();
  parts.warning.textContent = warning(stopped);
  (find("[data-fair]") ?? box).prepend(parts.live);
  box.hidden = !side && !state?.dice;
  parts.own.hidden = !side;
  parts.text.textContent = state?.text;
  const shown = stopped ? ["warning"] : shownParts();
  for (const name of ["warning", "replaced", "elsewhere", "text", "roll", "device", "again"]) {
    parts[name].hidden = !shown.includes(name);
  }
}

// The parts that show while nobody cheats.
function shownParts() {
  const text = state.dice ? ["text"] : [];
  if (!side) return text;
  const { anchor, server, revealed } = mine();
  parts.server.checked = server;
  const asked = state.awaited.includes(side) && state.side === side && theirs().anchor;
  const roll = asked && (own() || server) ? ["roll"] : [];
  const again = revealed && state.awaited.length ? ["again"] : [];
  const plays = chosenAutos().includes(side); // by itself, with chains of the server
  const foreign = anchor && !own() && !plays ? [notes().chain ? "replaced" : "elsewhere", "device"] : [];
  return [...text, ...roll, ...again, ...foreign];
}

function warning(problem) {
  if (!problem) return "";
  return problem.roll ? box.dataset.warning.replace("{roll}", problem.roll) : box.dataset.chain;
}

// One thing after the other; a page that is behind looks again. What keeps it from looking is shown.
function inTurn(job) {
  turn = turn.then(job).catch(async (problem) => {
    if (problem.status !== 409) say(problem.message);
    await tell().then(show, (again) => {
      box.hidden = false;
      parts.text.hidden = false;
      parts.text.textContent = again.message;
    });
  });
  return turn;
}

async function roll() {
  await tell();
  if (cheated()) return;
  if (mine().server) await act("/roll", {});
  else await reveal();
  show();
}

async function serve(on) {
  await tell();
  if (cheated()) return show();
  if (on && !own()) await begin();
  if (on && own()) {
    const { anchor } = mine();
    note((known) => {
      known.chains[anchor].server = true; // before the server has its secret
    });
    await tell("anchor", { side, anchor, replaces: anchor, secret: own().secret });
  } else if (!on) await begin();
  return show();
}

// Begin a chain because the person says so.
const beginAnew = () => (cheated() ? undefined : begin().then(attend));

function download() {
  const { match, side: noted, other, chain, reveals, withdrawn } = notes();
  const kept = JSON.stringify({ match, side: noted, other, chain, reveals, withdrawn });
  const link = Object.assign(document.createElement("a"), {
    href: `data:application/json,${encodeURIComponent(kept)}`,
    download: `${root.dataset.id}-${side}-notes.json`,
  });
  link.click();
}

export function attendDice() {
  if (!box) return;
  root.addEventListener("news", () => inTurn(attend));
  root.addEventListener("drawn", () => state && show()); // the question was drawn anew
  parts.roll.addEventListener("click", () => inTurn(roll));
  parts.device.addEventListener("click", () => inTurn(beginAnew));
  parts.anew.addEventListener("click", () => inTurn(beginAnew));
  parts.notes.addEventListener("click", download);
  parts.server.addEventListener("change", ({ target }) => inTurn(() => serve(target.checked)));
  inTurn(attend);
}
