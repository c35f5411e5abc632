// What is drawn over the map while somebody thinks: reach, zones, supply, arrows.
const NS = "http://www.w3.org/2000/svg";
const CORNERS = [
  [50, 0],
  [25, 43.3],
  [-25, 43.3],
  [-50, 0],
  [-25, -43.3],
  [25, -43.3],
];

const APART = 25; // between the middles of two discs

function made(name, attributes, text) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function between(one, other, share) {
  return { x: one.x + (other.x - one.x) * share, y: one.y + (other.y - one.y) * share };
}

export class MapMarks {
  constructor(view) {
    this.centres = view.centres;
    this.discs = []; // where numbers stand
    const quiet = { class: "thoughts", "pointer-events": "none", "aria-hidden": "true" };
    this.washes = made("g", quiet); // below the counters
    this.layer = made("g", quiet);
    view.svg.querySelector("g.pieces").before(this.washes);
    this.numbers = made("g", quiet); // above all arrows
    view.svg.append(this.layer, this.numbers);
  }

  clear() {
    this.discs = [];
    this.washes.replaceChildren();
    this.layer.replaceChildren();
    this.numbers.replaceChildren();
  }

  wash(hex, kind) {
    this.polygon(this.washes, hex, `wash ${kind}`, 1);
  }

  // Make pale what is out of reach.
  veil(within) {
    for (const hex of this.centres.keys()) if (!within.has(hex)) this.wash(hex, "veil");
  }

  outline(hex, kind, scale = 0.93) {
    this.polygon(this.layer, hex, `thought ${kind}`, scale);
  }

  polygon(layer, hex, kind, scale) {
    const at = this.centres.get(hex);
    if (!at) return;
    const points = CORNERS.map(([x, y]) => `${at.x + x * scale},${at.y + y * scale}`).join(" ");
    layer.append(made("polygon", { class: kind, points }));
  }

  number(hex, text) {
    const at = this.centres.get(hex);
    if (!at || !text) return;
    this.layer.append(made("circle", { class: "cost-disc", cx: at.x + 27, cy: at.y - 24, r: 11 }));
    this.layer.append(made("text", { class: "cost", x: at.x + 27, y: at.y - 19.6 }, text));
  }

  cross(hex) {
    const at = this.centres.get(hex);
    if (at) this.layer.append(made("path", { class: "cut", d: `M${at.x - 14} ${at.y - 14}l28 28m0-28l-28 28` }));
  }

  // Steps that were lost in a hex, beside its counters.
  lost(hex, text) {
    const at = this.centres.get(hex);
    if (!at) return;
    this.layer.append(made("circle", { class: "lost-disc", cx: at.x + 27, cy: at.y + 20, r: 11 }));
    this.layer.append(made("text", { class: "lost-steps", x: at.x + 27, y: at.y + 24.6 }, text));
  }

  way(hexes, kind) {
    const points = hexes.map((hex) => this.centres.get(hex)).filter(Boolean);
    if (points.length < 2) return;
    this.layer.append(made("polyline", { class: kind, points: points.map((at) => `${at.x},${at.y}`).join(" ") }));
  }

  // The way of a counter in its side's colours: its shaft below the counters, a head and a number at its end.
  route(hexes, { fill, edge }, number) {
    const points = hexes.map((hex) => this.centres.get(hex)).filter(Boolean);
    const [before, to] = points.slice(-2);
    if (!to) {
      if (before) this.ring(before, edge, number);
      return;
    }
    const far = Math.hypot(to.x - before.x, to.y - before.y) || 1;
    const [dx, dy] = [(to.x - before.x) / far, (to.y - before.y) / far];
    const end = { x: to.x - dx * 20, y: to.y - dy * 20 };
    const neck = { x: end.x - dx * 16, y: end.y - dy * 16 };
    const line = [...points.slice(0, -1), neck].map((at) => `${at.x},${at.y}`).join(" ");
    const head = `M${end.x} ${end.y}L${neck.x - dy * 11} ${neck.y + dx * 11}L${neck.x + dy * 11} ${neck.y - dx * 11}Z`;
    this.washes.append(made("polyline", { class: "route", points: line, stroke: edge, "stroke-width": 9 }));
    this.washes.append(made("polyline", { class: "route", points: line, stroke: fill, "stroke-width": 5.5 }));
    this.layer.append(made("path", { class: "route-head", d: head, fill, stroke: edge }));
    if (number) this.disc(between(before, to, 0.42), number);
  }

  // A counter that came onto the map, or left it.
  ring(at, edge, number) {
    this.layer.append(made("circle", { class: "route-head", cx: at.x, cy: at.y, r: 32, fill: "none", stroke: edge }));
    if (number) this.disc({ x: at.x + 24, y: at.y - 24 }, number);
  }

  // A number in a disc, beside those that are there already.
  disc(at, number) {
    const { x, y } = this.free(at);
    this.discs.push({ x, y });
    this.numbers.append(made("circle", { class: "step-disc", cx: x, cy: y, r: 12 }));
    this.numbers.append(made("text", { class: "step-number", x, y: y + 4.8 }, number));
  }

  // The nearest place where a disc covers no other one.
  free({ x, y }) {
    for (let far = 0; far <= 3 * APART; far += APART) {
      for (let turn = 0; turn < 2 * Math.PI; turn += Math.PI / 4) {
        const spot = { x: x + far * Math.cos(turn), y: y + far * Math.sin(turn) };
        if (this.discs.every((one) => Math.hypot(one.x - spot.x, one.y - spot.y) >= APART - 1)) return spot;
      }
    }
    return { x, y };
  }

  // Arrows from every hex to the target; what is said stands at their heads.
  arrows(from, target, label, kind = "attacks") {
    const to = this.centres.get(target);
    if (!to) return;
    for (const hex of new Set(from)) {
      const at = this.centres.get(hex);
      if (!at || hex === target) continue;
      const far = Math.hypot(to.x - at.x, to.y - at.y);
      const [dx, dy] = [(to.x - at.x) / far, (to.y - at.y) / far];
      const start = { x: at.x + dx * 20, y: at.y + dy * 20 };
      const end = { x: to.x - dx * 30, y: to.y - dy * 30 };
      const neck = { x: end.x - dx * 14, y: end.y - dy * 14 };
      const head = `M${end.x} ${end.y}L${neck.x - dy * 9} ${neck.y + dx * 9}L${neck.x + dy * 9} ${neck.y - dx * 9}Z`;
      this.layer.append(
        made("path", { class: `arrow-shaft ${kind}`, d: `M${start.x} ${start.y}L${neck.x} ${neck.y}` }),
      );
      this.layer.append(made("path", { class: `arrow-head ${kind}`, d: head }));
    }
    if (label) {
      const wide = Math.max(label.length * 9 + 12, 30);
      this.numbers.append(
        made("rect", { class: "arrow-label-box", x: to.x - wide / 2, y: to.y - 46, width: wide, height: 20, rx: 4 }),
      );
      this.numbers.append(made("text", { class: "arrow-label", x: to.x, y: to.y - 31 }, label));
    }
  }
}
