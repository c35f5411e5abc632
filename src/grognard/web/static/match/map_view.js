// Pan and zoom of a map: mouse, touch, keyboard; and which hex was tapped.
const SLOP = 7; // pixels that a finger may move and still tap
const CLOSEST = 140; // units of the map across the box, at least
const STEP = 1.35;
const READABLE = 0.8; // pixels a unit of the map

export class MapView {
  constructor(box) {
    this.box = box;
    this.svg = box.querySelector("svg.grognard-map");
    this.tap = () => false; // is told the number of a tapped hex, or null, and the event; answers whether anything came of it
    this.minded = null; // the hex that the player has in mind
    this.pointers = new Map();
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.centres = new Map();
    for (const hex of this.svg.querySelectorAll("g.hex")) {
      this.centres.set(hex.dataset.hex, { x: Number(hex.dataset.x), y: Number(hex.dataset.y) });
    }
    const grid = this.svg.querySelector(".layer.grid").getBBox();
    const margin = 8;
    this.whole = { x: grid.x - margin, y: grid.y - margin, w: grid.width + 2 * margin, h: grid.height + 2 * margin };
    this.fitFirst();
    this.listen();
  }

  // ---------------------------------------------------------------- the view

  get ratio() {
    return this.box.clientHeight / Math.max(this.box.clientWidth, 1) || 1;
  }

  // How wide a view holds all of the map.
  get widest() {
    return Math.max(this.whole.w, this.whole.h / this.ratio);
  }

  // All of the map where counters can be read then, else its whole width.
  fitFirst() {
    this.fitAll();
    if (this.box.clientWidth / this.w < READABLE) this.look(this.whole.x, -Infinity, this.whole.w);
  }

  fitAll() {
    const w = this.widest;
    this.look(this.whole.x - (w - this.whole.w) / 2, -Infinity, w);
  }

  look(x, y, w) {
    this.w = Math.min(Math.max(w, CLOSEST), this.widest);
    this.h = this.w * this.ratio;
    this.x = kept(x, this.w, this.whole.x, this.whole.w);
    this.y = kept(y, this.h, this.whole.y, this.whole.h);
    this.svg.setAttribute("viewBox", `${this.x} ${this.y} ${this.w} ${this.h}`);
  }

  zoom(factor, at = { x: this.x + this.w / 2, y: this.y + this.h / 2 }) {
    const w = Math.min(Math.max(this.w / factor, CLOSEST), this.widest);
    const share = w / this.w;
    this.look(at.x - (at.x - this.x) * share, at.y - (at.y - this.y) * share, w);
  }

  pan(right, down) {
    this.look(this.x + right, this.y + down, this.w);
  }

  // Whether two hexes are neighbours.
  beside(one, other) {
    const [a, b] = [this.centres.get(one), this.centres.get(other)];
    return one !== other && Math.hypot(a.x - b.x, a.y - b.y) < 100;
  }

  shows(hex) {
    const at = this.centres.get(hex);
    const edge = 40;
    const inside = (value, start, length) => value > start + edge && value < start + length - edge;
    return inside(at.x, this.x, this.w) && inside(at.y, this.y, this.h);
  }

  show(hex) {
    const at = this.centres.get(hex);
    if (at && !this.shows(hex)) this.look(at.x - this.w / 2, at.y - this.h / 2, this.w);
  }

  // Look at a hex so closely that its counters can be read.
  approach(hex) {
    const { x, y } = this.centres.get(hex);
    const w = Math.min(this.w, this.box.clientWidth / READABLE);
    this.look(x - w / 2, y - (w * this.ratio) / 2, w);
  }

  point(event) {
    const box = this.box.getBoundingClientRect();
    return {
      x: this.x + ((event.clientX - box.left) / box.width) * this.w,
      y: this.y + ((event.clientY - box.top) / box.height) * this.h,
    };
  }

  hexAt(point) {
    let best = null;
    let least = 46 * 46;
    for (const [hex, at] of this.centres) {
      const apart = (at.x - point.x) ** 2 + (at.y - point.y) ** 2;
      if (apart < least) [best, least] = [hex, apart];
    }
    return best;
  }

  // ---------------------------------------------------------------- hands

  listen() {
    const { box } = this;
    box.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(1.0015 ** -event.deltaY, this.point(event));
      },
      { passive: false },
    );
    box.addEventListener("pointerdown", (event) => this.down(event));
    box.addEventListener("pointermove", (event) => this.moved(event));
    box.addEventListener("pointerup", (event) => this.up(event));
    box.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    box.addEventListener("keydown", (event) => this.key(event));
    const { x, y, w, h } = this.whole;
    window.addEventListener("beforeprint", () => this.svg.setAttribute("viewBox", `${x} ${y} ${w} ${h}`));
    window.addEventListener("afterprint", () => this.look(this.x, this.y, this.w));
    new ResizeObserver(() => this.resized()).observe(box);
  }

  // The middle stays where it was, and what the player has in mind in view.
  resized() {
    this.look(this.x, this.y + (this.h - this.w * this.ratio) / 2, this.w);
    this.show(this.minded);
  }

  down(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, {
      x: event.clientX,
      y: event.clientY,
      startX: event.clientX,
      startY: event.clientY,
    });
    if (this.pointers.size === 1) this.dragged = false;
    else this.dragged = true;
  }

  moved(event) {
    const finger = this.pointers.get(event.pointerId);
    if (!finger) return;
    const before = { ...finger };
    finger.x = event.clientX;
    finger.y = event.clientY;
    if (this.pointers.size === 2) {
      this.pinch(event.pointerId, before);
      return;
    }
    if (!this.dragged) {
      if (Math.hypot(finger.x - finger.startX, finger.y - finger.startY) < SLOP) return;
      this.dragged = true;
      this.box.setPointerCapture(event.pointerId);
    }
    const unit = this.w / this.box.clientWidth;
    this.pan((before.x - finger.x) * unit, (before.y - finger.y) * unit);
  }

  pinch(id, before) {
    const [other] = [...this.pointers].filter(([key]) => key !== id).map(([, finger]) => finger);
    const finger = this.pointers.get(id);
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(finger.x - other.x, finger.y - other.y);
    const middle = { clientX: (finger.x + other.x) / 2, clientY: (finger.y + other.y) / 2 };
    if (was > 0) this.zoom(is / was, this.point(middle));
    const unit = this.w / this.box.clientWidth;
    this.pan(((before.x - finger.x) / 2) * unit, ((before.y - finger.y) / 2) * unit);
  }

  up(event) {
    if (!this.pointers.delete(event.pointerId) || this.dragged) return;
    const point = this.point(event);
    const twice =
      this.last &&
      event.timeStamp - this.last.time < 320 &&
      Math.hypot(event.clientX - this.last.x, event.clientY - this.last.y) < 24;
    if (twice && this.last.used) return; // what came of the first tap is not tapped by the second
    const used = this.tap(this.hexAt(point), event);
    if (twice && !used) this.zoom(1.8, point);
    this.last = { time: event.timeStamp, x: event.clientX, y: event.clientY, used };
  }

  key(event) {
    const far = this.w / 8;
    const keys = {
      ArrowLeft: () => this.pan(-far, 0),
      ArrowRight: () => this.pan(far, 0),
      ArrowUp: () => this.pan(0, -far),
      ArrowDown: () => this.pan(0, far),
      "+": () => this.zoom(STEP),
      "=": () => this.zoom(STEP),
      "-": () => this.zoom(1 / STEP),
      "−": () => this.zoom(1 / STEP),
      0: () => this.fitAll(),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  closer() {
    this.zoom(STEP);
  }

  farther() {
    this.zoom(1 / STEP);
  }
}

// Keep a view over the map: in the middle where there is more room than map.
function kept(at, room, start, length) {
  if (room >= length) return start - (room - length) / 2;
  return Math.min(Math.max(at, start), start + length - room);
}
