// The fight panel of quick combat and of the map: dice, chances, the column in question.
const FACES = "⚀⚁⚂⚃⚄⚅";

// Note a tapped die. Roll once there are as many dice as the roll needs.
export function tapDie(button, roll) {
  const box = button.closest(".dice");
  box.tapped = [...(box.tapped ?? []), Number(button.dataset.die)];
  box.querySelector(".tapped-dice").textContent = box.tapped.map((die) => (box.dataset.faces === "6" ? FACES[die - 1] : die)).join(" ");
  if (box.tapped.length === Number(box.dataset.dice)) roll(box.tapped);
}

// Show a chance as a fraction, and again as a percentage.
export function toggleFraction(button) {
  const { percent, fraction } = button.dataset;
  button.textContent = button.textContent === percent ? fraction : percent;
}

// Scroll printed tables so that the column in question can be seen.
export function keepColumnInView(root) {
  for (const scroll of root.querySelectorAll(".table-scroll")) {
    const column = scroll.querySelector("th.in-question");
    if (column && column.offsetLeft + column.clientWidth > scroll.clientWidth) {
      scroll.scrollLeft = column.offsetLeft - scroll.clientWidth / 2 + column.clientWidth / 2;
    }
  }
}
