// The fight panel of quick combat and of the map: dice, chances, the column in question.
const FACES = "⚀⚁⚂⚃⚄⚅";

// Note a tapped die. Once there are as many dice as the roll needs, give them, and the place of those they correct.
export function tapDie(button, roll) {
  const box = button.closest(".dice");
  box.tapped = [...(box.tapped ?? []), Number(button.dataset.die)];
  const shown = box.dataset.faces === "6" ? box.tapped.map((die) => FACES[die - 1]) : box.tapped;
  box.querySelector(".tapped-dice").textContent = shown.join(" ");
  if (box.tapped.length === Number(box.dataset.dice)) roll(box.tapped, box.dataset.at);
}

// Show a chance as a fraction, and again as a percentage.
export function toggleFraction(button) {
  const { percent, fraction } = button.dataset;
  button.textContent = button.textContent === percent ? fraction : percent;
}

// Scroll printed tables so that the cell that was hit, or the column in question, can be seen between the names of the
// rows and the chances, which stay at the edges. No column is cut beside the names: "1" and half of "3/0" read as "13/0".
export function keepColumnInView(root) {
  for (const scroll of root.querySelectorAll(".table-scroll")) {
    const columns = [...scroll.querySelectorAll("th.in-question")];
    const shown = scroll.querySelector("td.hit") ?? columns[Math.floor(columns.length / 2)];
    if (!shown) continue;
    const names = scroll.querySelector("tbody th")?.offsetWidth ?? 0;
    const chances = scroll.querySelector("tbody td.chance")?.offsetWidth ?? 0;
    const middle = (scroll.clientWidth + names - chances) / 2;
    const wanted = shown.offsetLeft + shown.offsetWidth / 2 - middle;
    const farthest = scroll.scrollWidth - scroll.clientWidth;
    const least = Math.max(shown.offsetLeft + shown.offsetWidth - scroll.clientWidth + chances, 0);
    const starts = [...scroll.querySelectorAll("thead tr:first-child th")]
      .slice(1)
      .map((one) => one.offsetLeft - names);
    const far = (start) => Math.abs(start - wanted);
    const uncut = starts.filter((start) => least <= start && start <= farthest).sort((a, b) => far(a) - far(b));
    scroll.scrollLeft = uncut[0] ?? wanted;
  }
}

// ---------------------------------------------------------------- groups and views

// Put a member into the group that is chosen, or take it out. Only a legal group can be confirmed.
export function toggleMember(button) {
  button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
  const box = button.closest(".group-choice");
  const chosen = [...box.querySelectorAll("[aria-pressed=true]")].map((one) => one.dataset.member);
  const same = ({ answer }) => {
    const group = JSON.parse(answer);
    return group.length === chosen.length && group.every((name) => chosen.includes(name));
  };
  const found = JSON.parse(box.dataset.groups).find(same);
  const confirm = box.querySelector(".confirm");
  const key = ["answer", "commit", "option"].find((name) => confirm.dataset[name] !== undefined);
  confirm.disabled = !found;
  confirm.querySelector(".words").textContent = found?.text ?? `${chosen.join(", ")}: ${box.dataset.illegal}`;
  confirm.querySelector(".figures").textContent = found?.figures ?? "";
  if (found) confirm.dataset[key] = found.answer;
}

// What the reader wants to see is remembered: advice on answers, steps lost exactly or at least.
const VIEWS = ["no-advice", "cumulated"];

export function toggleView(name) {
  const on = document.documentElement.classList.toggle(name);
  try {
    localStorage.setItem(name, on ? "on" : "");
  } catch {
    // a browser without storage forgets it with the page
  }
}

try {
  for (const name of VIEWS) document.documentElement.classList.toggle(name, localStorage.getItem(name) === "on");
} catch {
  // no storage, nothing remembered
}
