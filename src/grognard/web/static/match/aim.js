// An attack that is being put together: a target's button, and the units that go for it.
export class Aim {
  constructor(button, first) {
    this.button = button;
    this.hex = button.dataset.hex;
    this.candidates = JSON.parse(button.dataset.units);
    this.party = JSON.parse(button.dataset.party);
    this.units = new Set(this.candidates.filter((unit) => this.candidates.length === 1 || unit === first));
    this.label = ""; // what stands at the heads of the arrows
  }

  // Whether several units may go together.
  get several() {
    return this.party.length > 1;
  }

  get ready() {
    return this.units.size > 0 || this.candidates.length === 0;
  }

  get order() {
    return [this.button.dataset.aim, this.button.dataset.target, ...this.units];
  }

  toggle(units) {
    const every = units.every((unit) => this.units.has(unit));
    if (!this.several) this.units.clear();
    for (const unit of units) {
      if (every) this.units.delete(unit);
      else this.units.add(unit);
    }
  }

  takeAll() {
    this.units = new Set(this.party);
  }
}
