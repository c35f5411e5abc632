// The counters anew: those that have gone elsewhere are seen going.
const FAR = 20; // units of the map; less is only another place in the stack

function places(svg) {
  return new Map([...svg.querySelectorAll(".counters g.counter")].map((one) => [one.dataset.unit, one]));
}

function place(counter) {
  return counter
    .getAttribute("transform")
    .match(/-?[\d.]+/g)
    .map(Number);
}

export function putPieces(svg, text) {
  const before = places(svg);
  const fresh = new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`,
    "image/svg+xml",
  );
  svg.querySelector("g.pieces").replaceWith(document.importNode(fresh.querySelector("g.pieces"), true));
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [unit, counter] of places(svg)) {
    if (before.has(unit)) slide(counter, place(before.get(unit)), place(counter));
  }
}

function slide(counter, [x0, y0], [x1, y1]) {
  if (Math.hypot(x1 - x0, y1 - y0) < FAR) return;
  const at = (x, y) => ({ transform: `translate(${x}px, ${y}px)` });
  counter.animate([at(x0, y0), at(x1, y1)], { duration: 350, easing: "ease-in-out" });
}
