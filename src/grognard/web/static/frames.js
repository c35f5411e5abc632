// The counters of a map at several moments, drawn from frames that hold what has changed.
export class Frames {
  constructor({ drawings, frames }) {
    this.drawings = drawings;
    this.frames = frames;
    this.built = []; // by the number of the frame: the stacks by hex, and the marks of objectives
  }

  get count() {
    return this.frames.length;
  }

  // The group of all counters, as the text of an SVG.
  pieces(number) {
    const { stacks, holders } = this.at(number);
    const drawn = [...stacks].map(([hex, stack]) => this.stack(hex, stack)).join("");
    return `<g class="pieces"><g class="layer holders">${holders}</g><g class="layer counters">${drawn}</g></g>`;
  }

  at(number) {
    for (let next = this.built.length; next <= number; next += 1) {
      const before = this.built[next - 1] ?? { stacks: new Map(), holders: "" };
      const stacks = new Map(before.stacks);
      const frame = this.frames[next];
      for (const [hex, stack] of Object.entries(frame.stacks)) {
        if (stack.counters.length) stacks.set(hex, stack);
        else stacks.delete(hex);
      }
      this.built.push({ stacks, holders: frame.holders ?? before.holders });
    }
    return this.built[number];
  }

  stack(hex, { counters, sum }) {
    const drawn = counters.map(([look, x, y]) => {
      const { unit, side, svg } = this.drawings[look];
      const named = `data-unit="${quoted(unit)}" data-hex="${hex}" data-side="${quoted(side)}"`;
      return `<g class="counter" ${named} transform="translate(${x} ${y})">${svg}</g>`;
    });
    return `<g class="stack" data-at="${hex}">${drawn.join("")}${sum}</g>`;
  }
}

function quoted(text) {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
