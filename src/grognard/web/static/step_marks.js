// The events of a match drawn on its map: ways of counters, attacks, losses.
export function drawStep(marks, { moves, fights, losses }, number, colours) {
  let named = number; // once, at the first thing that is drawn
  for (const { hexes, target } of fights) {
    if (!target) continue;
    marks.outline(target, "target aimed");
    marks.arrows(hexes, target, named ? String(named) : "");
    named = null;
  }
  for (const { path, side } of moves) {
    marks.route(path, colours[side], named);
    named = null;
  }
  drawLosses(marks, losses);
}

// A cross where a counter was eliminated; elsewhere the steps that were lost.
function drawLosses(marks, losses) {
  const lost = losses.filter(({ hex, steps }) => hex && steps > 0);
  const gone = new Set(lost.filter(({ eliminated }) => eliminated).map(({ hex }) => hex));
  const steps = new Map();
  for (const one of lost) steps.set(one.hex, (steps.get(one.hex) ?? 0) + one.steps);
  for (const [hex, sum] of steps) {
    if (gone.has(hex)) marks.cross(hex);
    else marks.lost(hex, `−${sum}`);
  }
}

// A hex to look at: where the event took place.
export function hexOf({ moves, fights }) {
  return fights.find(({ target }) => target)?.target ?? moves[0]?.path.at(-1);
}
