// The list of matches: begin, rename, delete, import.
import { ask, say } from "./request.js";

const root = document.querySelector("#matches");
const form = document.querySelector("#new-match");
const problem = document.querySelector("#import-problem");

async function begin(path, body, told) {
  try {
    const match = await ask(path, body);
    location.assign(`/matches/${match.id}`);
  } catch (error) {
    told(error.message);
  }
}

form.addEventListener("change", (event) => {
  if (event.target.name !== "scenario") return;
  for (const fields of form.querySelectorAll("[data-autos]")) {
    const mine = fields.dataset.autos === event.target.value;
    fields.hidden = !mine;
    fields.disabled = !mine;
  }
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const data = new FormData(form);
  const name = data.get("name").trim();
  const scenario = data.get("scenario");
  const autos = data.get(`autos-${scenario}`).split(" ").filter(Boolean);
  begin("/api/matches", { scenario, autos, ...(name && { name }) }, say);
});

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
