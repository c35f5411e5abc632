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
  for (const { hex } of losses) if (hex) marks.cross(hex);
}

// A hex to look at: where the event took place.
export function hexOf({ moves, fights }) {
  return fights.find(({ target }) => target)?.target ?? moves[0]?.path.at(-1);
}
