// Quick combat: keeps what is stated, sends every tap, puts the answer in its place.
const root = document.querySelector("#quick");
const notice = document.querySelector("#notice");
let state = JSON.parse(document.querySelector("#state").textContent);
let waiting = 0;

function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
  if (text) setTimeout(() => { notice.hidden = true; }, 6000);
}

// ---------------------------------------------------------------- what is stated

function target(place, unit) {
  if (unit === undefined) return [state.fight, place];
  const [list, field] = place.split(".");
  return [state.fight[list][unit], field];
}

function setValue(place, unit, value) {
  const [holder, field] = target(place, unit);
  if (value === null || value === "") delete holder[field];
  else holder[field] = value;
}

function setWord(place, unit, word, on, shown) {
  const [holder, field] = target(place, unit);
  let words = holder[field] ?? shown;
  words = words.filter((one) => one !== word && !(on && one === "clear"));
  if (on) words.push(word);
  if (words.length) holder[field] = words;
  else delete holder[field];
}

function shownWords(place, unit) {
  const same = [...root.querySelectorAll(`input[data-kind="set"][data-place="${CSS.escape(place)}"]`)];
  const mine = same.filter((box) => box.dataset.unit === (unit === undefined ? undefined : String(unit)));
  return [...new Set(mine.filter((box) => box.defaultChecked).map((box) => box.dataset.word))];
}

function freeName(list, base, field) {
  const taken = new Set(Object.values(state.fight).filter(Array.isArray).flat().map((unit) => unit?.[field]));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base} ${number}`)) number += 1;
  return `${base} ${number}`;
}

function addUnit(list, unit) {
  state.fight[list] = [...(state.fight[list] ?? []), unit];
}

// ---------------------------------------------------------------- taps

function changed(input) {
  const { place, kind, word } = input.dataset;
  const unit = input.dataset.unit === undefined ? undefined : Number(input.dataset.unit);
  if (kind === "flag") setValue(place, unit, input.checked);
  else if (kind === "set") setWord(place, unit, word, input.checked, shownWords(place, unit));
  else if (kind === "number") setValue(place, unit, input.value === "" ? null : Math.trunc(Number(input.value)));
  else setValue(place, unit, input.value);
  restate();
}

function typedTotal(input) {
  const { total, factor, name } = input.dataset;
  const unit = { ...JSON.parse(input.dataset.new), name, [factor]: Math.max(0, Math.trunc(Number(input.value))) };
  state.fight[total] = [unit];
  restate();
}

function restate() {
  state.answers = [];
  send({});
}

root.addEventListener("change", (event) => {
  const input = event.target;
  if (input.dataset.place) changed(input);
  else if (input.dataset.total) typedTotal(input);
  else if (input.dataset.option) {
    state.fight.options = { ...state.fight.options, [input.dataset.option]: input.value };
    restate();
  } else if (input.dataset.doctrine) {
    state[input.dataset.doctrine] = input.value;
    send({});
  }
});

// What is folded is not made on the server: unfolding asks for it.
root.addEventListener("toggle", (event) => {
  const fold = event.target;
  if (fold.dataset.filled === undefined) return;
  const open = new Set(state.open ?? []);
  if (fold.open === open.has(fold.id)) return;
  if (fold.open) open.add(fold.id);
  else open.delete(fold.id);
  state.open = [...open];
  if (fold.open) send({});
}, true);

root.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#option-']");
  if (link) document.getElementById("options").open = true;
  const button = event.target.closest("button");
  if (!button || button.disabled) return;
  const data = button.dataset;
  if (data.step) {
    const input = root.querySelector(`input[data-kind="number"]#${CSS.escape(button.id.replace(/-(less|more)$/, ""))}`);
    input.value = Number(input.value || 0) + Number(data.step);
    changed(input);
  } else if (data.add) {
    addUnit(data.add, JSON.parse(data.stated));
    restate();
  } else if (data.newUnit) {
    const unit = JSON.parse(data.new);
    unit[data.field] = data.first ?? freeName(data.newUnit, data.name, data.field);
    if (data.factor) unit[data.factor] = 4;
    addUnit(data.newUnit, unit);
    const place = state.fight[data.newUnit].length - 1;
    state.open = [...(state.open ?? []), `unit-${data.newUnit}-${place}`];
    restate();
  } else if (data.remove) {
    state.fight[data.remove].splice(Number(data.unit), 1);
    state.open = (state.open ?? []).filter((id) => !id.startsWith(`unit-${data.remove}`));
    restate();
  } else if (data.roll !== undefined) send({ roll: true });
  else if (data.die) tapDie(button);
  else if (data.answer) send({ answer: JSON.parse(data.answer) });
  else if (data.commit) commitHalf(button);
  else if (data.undo !== undefined) send({ undo: true });
  else if (data.again !== undefined) restate();
  else if (data.reset !== undefined) location.assign(location.pathname);
  else if (data.share !== undefined) share();
  else if (data.fraction) {
    const fraction = button.textContent === data.percent;
    button.textContent = fraction ? data.fraction : data.percent;
  }
});

function tapDie(button) {
  const box = button.closest(".dice");
  const tapped = [...(box.tapped ?? []), Number(button.dataset.die)];
  box.tapped = tapped;
  box.querySelector(".tapped-dice").textContent = tapped.map((die) => "⚀⚁⚂⚃⚄⚅"[die - 1]).join(" ");
  if (tapped.length === Number(box.dataset.dice)) send({ answer: tapped });
}

function commitHalf(button) {
  const fields = button.closest(".commit").querySelectorAll("fieldset");
  const mine = button.closest("fieldset");
  mine.chosen = JSON.parse(button.dataset.commit);
  if (mine === fields[0]) {
    fields[0].hidden = true;
    fields[1].hidden = false;
    fields[1].querySelector("button").focus();
  } else send({ answer: [fields[0].chosen, fields[1].chosen] });
}

async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    say(root.dataset.copied);
  } catch {
    say(location.href);
  }
}

// ---------------------------------------------------------------- sending

function post(address, data, signal) {
  return fetch(`${address}?lang=${document.documentElement.lang}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(data),
    signal,
  });
}

async function send(tapped) {
  leaveHints();
  waiting += 1;
  const mine = waiting;
  try {
    const answer = await post(root.dataset.tap, { ...state, ...tapped });
    const data = await answer.json();
    if (mine !== waiting) return;
    if (!answer.ok) {
      say(data.refusal);
      return;
    }
    state = data.state;
    state.fight ??= {};
    state.answers ??= [];
    show(data.html);
    askHints();
    const address = new URL(location.href);
    address.searchParams.set("s", JSON.stringify(state));
    address.searchParams.delete("lang");
    history.replaceState(null, "", address);
    for (const link of document.querySelectorAll("a[data-language]")) {
      link.href = `${link.pathname}?to=${encodeURIComponent(address.pathname + address.search)}`;
    }
  } catch {
    say(root.dataset.lost);
  }
}

function show(html) {
  const focused = document.activeElement?.id;
  const folds = [...root.querySelectorAll("details[id]:not([data-filled])")].map((one) => [one.id, one.open]);
  root.innerHTML = html;
  for (const [id, open] of folds) document.getElementById(id)?.toggleAttribute("open", open);
  const again = focused && document.getElementById(focused);
  if (again) again.focus({ preventScroll: true });
  keepColumnInView();
  const question = root.querySelector(".resolution .steps + .question, .end");
  if (question && state.answers.length) question.scrollIntoView({ block: "nearest" });
}

// What a little more would bring is asked for when no tap has followed for a moment.
let pause = 0;
let asked = new AbortController();

function leaveHints() {
  clearTimeout(pause);
  asked.abort();
}

function askHints() {
  leaveHints();
  if (!root.querySelector("#hints") || state.answers.length) return;
  pause = setTimeout(async () => {
    const mine = waiting;
    asked = new AbortController();
    const answer = await post(root.dataset.hints, state, asked.signal).catch(() => null);
    const list = root.querySelector("#hints");
    if (!answer?.ok || mine !== waiting || !list) return;
    const { hints } = await answer.json();
    list.replaceChildren(...hints.map((hint) => {
      const item = document.createElement("li");
      item.textContent = hint;
      return item;
    }));
  }, 250);
}

function keepColumnInView() {
  const scroll = root.querySelector(".table-scroll");
  const column = scroll?.querySelector("th.in-question");
  if (!column || column.offsetLeft + column.clientWidth <= scroll.clientWidth) return;
  scroll.scrollLeft = column.offsetLeft - scroll.clientWidth / 2 + column.clientWidth / 2;
}

state.fight ??= {};
state.answers ??= [];
keepColumnInView();
askHints();
