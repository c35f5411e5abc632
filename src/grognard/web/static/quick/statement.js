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
  statement.beside ??= {};
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

// Replace the units of a side by a single number; give whether one was typed.
export function stateTotal({ dataset, value }) {
  const { total, factor, name } = dataset;
  if (!/^\d+$/.test(value.trim())) return false;
  statement.fight[total] = [{ ...JSON.parse(dataset.new), name, [factor]: Number(value) }];
  return true;
}

export function stateOption(option, choice) {
  statement.fight.options = { ...statement.fight.options, [option]: choice };
}

function addUnit(list, unit) {
  statement.fight[list] = [...(statement.fight[list] ?? []), unit];
}

// Put a counter of the tray into the fight, or take it out again.
export function toggleCounter({ toggle: list, name, supports, stated }) {
  if (supports) return toggleSupporter(list, name, JSON.parse(stated));
  const place = (statement.fight[list] ?? []).findIndex((unit) => unit.name === name);
  if (place < 0) addUnit(list, JSON.parse(stated));
  else removeUnit(list, place);
}

// A counter that only supports changes facts of the fight.
function toggleSupporter(list, name, adds) {
  const { fight, beside } = statement;
  const others = (beside[list] ?? []).filter((one) => one !== name);
  const leaves = others.length < (beside[list] ?? []).length;
  for (const [fact, value] of Object.entries(adds)) {
    if (value === true) fight[fact] = !leaves;
    else fight[fact] = (fight[fact] ?? 0) + (leaves ? -value : value);
  }
  beside[list] = leaves ? others : [...others, name];
}

export function addNewUnit({ newUnit: list, factor, field, name, first, new: stated }) {
  const unit = { ...JSON.parse(stated), [field]: first ?? freeName(name, field) };
  if (factor) unit[factor] = 4;
  addUnit(list, unit);
  toggleEditor(`unit-${list}-${statement.fight[list].length - 1}`);
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

// Open the editor of a unit and close any other, or close it.
export function toggleEditor(unit) {
  const others = opened().filter((id) => !id.startsWith("unit-"));
  statement.open = opened().includes(unit) ? others : [...others, unit];
}

// Note a part of the page as unfolded or folded; give whether it is unfolded now.
export function toggleFold(id) {
  const others = opened().filter((one) => one !== id);
  const unfolds = others.length === opened().length;
  statement.open = unfolds ? [...others, id] : others;
  return unfolds;
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
