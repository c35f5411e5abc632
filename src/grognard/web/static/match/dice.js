// Fair dice of a match apart: this page keeps the secret of its side, publishes the anchor of its
// hash chain, reveals a link when a roll waits for it, and checks what the server makes of it.
import { ask, say } from "../request.js";
import { sha256 } from "../sha256.js";
import { act } from "./changes.js";
import { find, root } from "./page.js";

const box = find("#dice");
const side = box?.dataset.side;
const address = `/api/matches/${root.dataset.id}/dice`;
const place = `grognard dice ${root.dataset.id} ${side}`;
// Kept by name: what is needed for a roll stands in its question, which is drawn anew with each answer.
const parts = Object.fromEntries(
  [...(box?.querySelectorAll("[data-part]") ?? [])].map((one) => [one.dataset.part, one]),
);
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
    while (links.length <= state.length) links.push(sha256(links.at(-1)));
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
    const block = new DataView(digest("grognard dice 1", state.match, roll, question, ...values, counter).buffer);
    for (let at = 0; at < 32 && shown.length < dice.count; at += 4) {
      const number = block.getUint32(at);
      if (number < limit) shown.push(dice.lowest + (number % dice.faces));
    }
  }
  return shown;
}

// ---------------------------------------------------------------- what this page knows

const notes = () => JSON.parse(localStorage.getItem(place) ?? '{"secrets": {}, "reveals": {}}');
function note(change) {
  const known = { ...notes(), match: root.dataset.id, side };
  change(known);
  localStorage.setItem(place, JSON.stringify(known));
}
const mine = () => state.sides.find((one) => one.id === side);
const theirs = () => state.sides.find((one) => one.id !== side);
const secret = () => notes().secrets[mine().anchor];
const cheated = () => notes().cheated;

const lastNoted = () => Math.max(0, ...Object.keys(notes().reveals).map(Number));

// Compare the rolls that were made with the notes of this page. The last one is always told: a roll
// that is left out can't be checked.
function check() {
  const known = notes().reveals;
  const last = lastNoted();
  if (last && last < state.roll && !state.made.some((made) => made.roll === last)) warn(last);
  for (const made of state.made) {
    const noted = known[made.roll];
    if (!noted) continue;
    const holds =
      Object.keys(made.links).length === 2 &&
      made.question === noted.question &&
      JSON.stringify(made.dice) === JSON.stringify(noted.dice) &&
      made.links[side] === noted.value &&
      leads(made.links[theirs().id], noted.other, noted.steps) &&
      String(diceOf(made)) === String(made.shown);
    if (!holds) warn(made.roll);
  }
}

// Say that the server cheats, now and whenever the page is opened: it reveals nothing any more.
function warn(roll) {
  if (!cheated()) {
    note((known) => {
      known.cheated = roll;
    });
  }
  show();
}

// ---------------------------------------------------------------- what this page does

async function look() {
  state = await ask(`${address}?since=${lastNoted()}`);
  check();
}

// Begin a new chain; it withdraws what this side has revealed for the open roll.
async function begin() {
  const drawn = hex(crypto.getRandomValues(new Uint8Array(32)));
  const anchor = linksOf(drawn).at(-1);
  note((known) => {
    known.secrets[anchor] = drawn; // first: a secret that is lost can't be had again
    delete known.reveals[state.roll];
  });
  state = await ask(`${address}/anchor`, { side, anchor, replaces: mine().anchor });
}

// A link tells all links of the rolls before it: each roll gets the next one, none is left out.
async function reveal() {
  if (cheated()) return;
  const { roll, question, dice } = state;
  const { anchor, first } = mine();
  const other = theirs().anchor;
  const { [roll]: noted, ...before } = notes().reveals;
  const place = Object.values(before).filter((one) => one.anchor === anchor).length;
  if (roll - first !== place || (noted && (noted.question !== question || noted.other !== other))) {
    warn(roll);
    return;
  }
  const value = linksOf(secret())[state.length - 1 - place];
  const steps = roll - theirs().first + 1;
  note((known) => {
    known.reveals[roll] = { question, dice, value, anchor, other, steps };
  });
  state = await ask(`${address}/reveal`, { side, roll, question, other, value });
  check();
}

// Do what the dice want of this page without a tap: begin a chain, and answer the other side's roll.
async function attend() {
  await look();
  if (!side) return show();
  if (!mine().anchor && !cheated()) await begin();
  const asked = state.awaited.includes(side) && theirs().anchor;
  if (asked && state.side !== side && !mine().server && secret()) await reveal();
  return show();
}

function show() {
  const own = side && mine();
  const awaited = Boolean(side) && state.awaited.includes(side);
  const lost = Boolean(own?.anchor) && !own.server && !secret();
  const stopped = Boolean(side) && cheated();
  box.hidden = !side && !state.dice;
  (find("[data-fair]") ?? box).prepend(parts.live);
  parts.text.textContent = state.text;
  parts.text.hidden = !state.dice;
  parts.warning.textContent = stopped ? box.dataset.warning.replace("{roll}", stopped) : "";
  parts.warning.hidden = !stopped;
  parts.roll.hidden = stopped || !(awaited && state.side === side && !lost && theirs().anchor);
  parts.device.hidden = stopped || !lost;
  parts.again.hidden = stopped || !(own?.revealed && state.awaited.length);
  parts.server.checked = Boolean(own?.server);
  parts.own.hidden = !side;
}

// One thing after the other; a page that is behind looks again.
function inTurn(job) {
  turn = turn.then(job).catch(async (problem) => {
    if (problem.status !== 409) say(problem.message);
    await look().then(show, () => undefined);
  });
  return turn;
}

async function roll() {
  await look();
  if (cheated()) return;
  if (mine().server) await act("/roll", {});
  else await reveal();
  show();
}

async function serve(on) {
  await look();
  if (cheated()) return show();
  if (on) state = await ask(`${address}/anchor`, { side, anchor: mine().anchor, secret: secret() });
  else await begin();
  return show();
}

function download() {
  const { match, side: noted, reveals } = notes();
  const kept = JSON.stringify({ match, side: noted, reveals });
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
  parts.device.addEventListener("click", () => inTurn(() => begin().then(attend)));
  parts.anew.addEventListener("click", () => inTurn(() => begin().then(show)));
  parts.notes.addEventListener("click", download);
  parts.server.addEventListener("change", ({ target }) => inTurn(() => serve(target.checked)));
  inTurn(attend);
}
