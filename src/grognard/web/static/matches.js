// The list of matches: begin, rename, delete, import.
import { begin, offerMatches } from "./begin_match.js";
import { ask, say } from "./request.js";

const root = document.querySelector("#matches");
const problem = document.querySelector("#import-problem");

offerMatches(root);

document.querySelector("#import").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  problem.hidden = true;
  if (!file) return;
  const told = (text) => {
    problem.textContent = text;
    problem.hidden = false;
  };
  let match;
  try {
    match = JSON.parse(await file.text());
  } catch (error) {
    told(error.message);
    return;
  }
  await begin("/api/matches/import", { match }, told);
  event.target.value = "";
});

root.addEventListener("change", async (event) => {
  if (event.target.dataset.rename === undefined || !event.target.value.trim()) return;
  const entry = event.target.closest("[data-match]");
  const name = event.target.value.trim();
  try {
    await ask(`/api/matches/${entry.dataset.match}`, { name }, { method: "PATCH" });
    entry.querySelector("h2 a").textContent = name;
  } catch (error) {
    say(error.message);
  }
});

root.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-delete]");
  if (!button) return;
  const entry = button.closest("[data-match]");
  if (!confirm(`${entry.querySelector("h2").textContent}: ${button.dataset.delete}`)) return;
  try {
    await ask(`/api/matches/${entry.dataset.match}`, {}, { method: "DELETE" });
    entry.remove();
  } catch (error) {
    say(error.message);
  }
});
