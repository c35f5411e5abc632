// The moment of a roll: the dice fall beside the lit column, then the row lights, then the outcome is told.
const LASTS = 1600; // milliseconds that the dice stay beside the cell
let timer = 0;

export function showRoll(root) {
  clearTimeout(timer);
  root.classList.remove("moment");
  const fallen = root.querySelector(".roll.last .fallen");
  if (!fallen) return;
  const dice = fallen.cloneNode(true);
  const cell = root.querySelector(".printed td.hit");
  if (cell) {
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    const scroll = cell.closest(".table-scroll");
    dice.className = "falling";
    dice.setAttribute("aria-hidden", "true");
    scroll.append(dice);
    const frame = scroll.getBoundingClientRect();
    const hit = cell.getBoundingClientRect();
    const beside = frame.right - hit.right > dice.offsetWidth ? hit.right : hit.left - dice.offsetWidth;
    dice.style.left = `${beside - frame.left + scroll.scrollLeft}px`;
    dice.style.top = `${(hit.top + hit.bottom - dice.offsetHeight) / 2 - frame.top}px`;
  }
  root.classList.add("moment");
  timer = setTimeout(() => {
    dice.remove();
    root.classList.remove("moment");
  }, LASTS);
}
