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
    cell.scrollIntoView({ block: "nearest" });
    const scroll = cell.closest(".table-scroll");
    dice.className = "falling";
    dice.setAttribute("aria-hidden", "true");
    scroll.append(dice);
    const room = scroll.scrollWidth - cell.offsetLeft - cell.offsetWidth;
    const left = room > dice.offsetWidth ? cell.offsetLeft + cell.offsetWidth : cell.offsetLeft - dice.offsetWidth;
    dice.style.left = `${Math.max(left, 0)}px`;
    dice.style.top = `${cell.offsetTop + (cell.offsetHeight - dice.offsetHeight) / 2}px`;
  }
  root.classList.add("moment");
  timer = setTimeout(() => {
    dice.remove();
    root.classList.remove("moment");
  }, LASTS);
}
