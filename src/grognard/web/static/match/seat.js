// The seat of a match apart: whose turn it is, who is here, chat, links, notifications.
import { copy } from "../copying.js";
import { keepLink, ownLink } from "../own_links.js";
import { ask, say } from "../request.js";
import { all, find, root } from "./page.js";

const api = `/api/matches/${root.dataset.id}`;
const title = document.title;
const able = "Notification" in window;
let mine = null; // whether it was the reader's turn when the page was drawn last

// Show in the title whose turn it is; tell who looks elsewhere when his turn begins.
export function showTurn() {
  if (root.dataset.apart === undefined) return;
  const now = find(".own-seat[data-own-turn]") !== null;
  const name = document.querySelector("#match-name").textContent;
  document.title = now ? `● ${root.dataset.yourTurn} – ${name}` : title;
  if (now && mine === false && document.hidden && able && Notification.permission === "granted") {
    new Notification(root.dataset.yourTurn, { body: name, tag: root.dataset.id });
  }
  mine = now;
  offerNotices();
  offerMyLink();
  const list = find("#chat");
  list.querySelectorAll("time").forEach(showTime);
  list.scrollTop = list.scrollHeight;
}

// Show a time as the reader's clock has it; the date too, if it is not of today.
function showTime(time) {
  const at = new Date(time.dateTime);
  const today = at.toDateString() === new Date().toDateString();
  const style = today ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" };
  time.textContent = at.toLocaleString(document.documentElement.lang, style);
}

function offerNotices() {
  find("#notify").hidden = !able || Notification.permission !== "default";
}

export async function allowNotices() {
  await Notification.requestPermission();
  offerNotices();
}

// Show who has the match open, as the server tells it.
export function showHere(seats) {
  for (const one of all("[data-seat-of]")) one.dataset.here = seats.includes(one.dataset.seatOf) ? "yes" : "no";
}

async function trying(request) {
  try {
    return await request();
  } catch (problem) {
    say(problem.message);
    return null;
  }
}

// Ask the server for a link, and show it this once.
export async function newLink({ link, sure, about }) {
  if (sure && !confirm(sure)) return;
  const told = await trying(() => ask(`${api}${link}`, {}));
  if (!told) return;
  const { id, apart } = root.dataset;
  if (link === `/seats/${apart}/link`) keepLink(id, apart, told.link);
  showLink(told.link ?? told.feed, about);
  offerMyLink();
}

// The link by which this browser has come is known to who sent it: give the seat one of its own.
export async function claimSeat() {
  const { id, apart, sent } = root.dataset;
  if (sent === undefined) return;
  const told = await trying(() => ask(`${api}/seats/${apart}/link`, {}));
  if (!told) return;
  keepLink(id, apart, told.link);
  delete root.dataset.sent;
  offerMyLink();
}

// Show the own link of the seat, for other devices of its holder.
export function showMyLink({ about }) {
  showLink(ownLink(root.dataset.id, root.dataset.apart), about);
}

function offerMyLink() {
  const button = find("#my-link");
  if (button) button.hidden = ownLink(root.dataset.id, root.dataset.apart) === null;
}

function showLink(path, about) {
  const box = find("#told-link");
  box.hidden = false;
  box.querySelector(".about").textContent = about;
  const field = box.querySelector("input");
  field.value = new URL(path, location.href).href;
  field.focus();
  field.select();
}

export function copyLink() {
  copy(find("#told-link input"), root.dataset.copied);
}

export async function revoke({ revoke: seat, sure }) {
  if (!confirm(sure)) return;
  const told = await trying(() => ask(`${api}/seats/${seat}`, {}, { method: "DELETE" }));
  if (told && seat === root.dataset.apart) location.assign("/matches");
}

// What the recap told has been seen.
export function looked(answers) {
  if (root.dataset.apart !== undefined) trying(() => ask(`${api}/looked`, { answers }));
}

export function listenToChat(refresh) {
  find("#say")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = find("#say-text");
    const text = field.value.trim();
    if (!text) return;
    const told = await trying(() => ask(`${api}/chat`, { text }));
    if (!told) return;
    field.value = "";
    refresh();
  });
}
