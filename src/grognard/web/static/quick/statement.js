// What is stated of the fight, and the taps that change it.
export const statement = JSON.parse(document.querySelector("#state").textContent);
complete();

// Take over what the server answered.
export function replaceStatement(answered) {
  for (const key of Object.keys(statement)) delete statement[key];
  Object.assign(statement, answered);
  complete();
}

// The server leaves out what is empty.
function complete() {
  statement.fight ??= {};
  statement.answers ??= [];
}

// A control by its place: a field of the fight, or of a unit in one of its lists.
function target({ place, unit }) {
  if (unit === undefined) return [statement.fight, place];
  const [list, field] = place.split(".");
  return [statement.fight[list][Number(unit)], field];
}

function setValue(control, value) {
  const [holder, field] = target(control);
  if (value === null || value === "") delete holder[field];
  else holder[field] = value;
}

function setWord(control, on, shown) {
  const [holder, field] = target(control);
  const words = (holder[field] ?? shown).filter((one) => one !== control.word && !(on && one === "clear"));
  if (on) words.push(control.word);
  setValue(control, words.length ? words : null);
}

// The words of a set that the page shows as stated.
function shownWords({ place, unit }, root) {
  const boxes = [...root.querySelectorAll(`input[data-kind="set"][data-place="${CSS.escape(place)}"]`)];
  const mine = boxes.filter((box) => box.dataset.unit === unit && box.defaultChecked);
  return [...new Set(mine.map((box) => box.dataset.word))];
}

export function state(input, root) {
  const control = input.dataset;
  if (control.kind === "flag") setValue(control, input.checked);
  else if (control.kind === "set") setWord(control, input.checked, shownWords(control, root));
  else if (control.kind === "number") setValue(control, input.value === "" ? null : Math.trunc(Number(input.value)));
  else setValue(control, input.value);
}

export function stateTotal({ dataset, value }) {
  const { total, factor, name } = dataset;
  statement.fight[total] = [{ ...JSON.parse(dataset.new), name, [factor]: Math.max(0, Math.trunc(Number(value))) }];
}

export function stateOption(option, choice) {
  statement.fight.options = { ...statement.fight.options, [option]: choice };
}

export function addUnit(list, unit) {
  statement.fight[list] = [...(statement.fight[list] ?? []), unit];
}

export function addNewUnit({ newUnit: list, factor, field, name, first, new: stated }) {
  const unit = { ...JSON.parse(stated), [field]: first ?? freeName(name, field) };
  if (factor) unit[factor] = 4;
  addUnit(list, unit);
  statement.open = [...opened(), `unit-${list}-${statement.fight[list].length - 1}`];
}

function freeName(base, field) {
  const taken = new Set(
    Object.values(statement.fight)
      .filter(Array.isArray)
      .flat()
      .map((unit) => unit?.[field]),
  );
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base} ${number}`)) number += 1;
  return `${base} ${number}`;
}

export function removeUnit(list, place) {
  statement.fight[list].splice(Number(place), 1);
  statement.open = opened().filter((id) => !id.startsWith(`unit-${list}`));
}

// The folds that are open, by their ids.
function opened() {
  return statement.open ?? [];
}

// Note a fold as open or folded; give whether that is new.
export function noteFold(fold) {
  if (fold.open === opened().includes(fold.id)) return false;
  const others = opened().filter((id) => id !== fold.id);
  statement.open = fold.open ? [...others, fold.id] : others;
  return true;
}
