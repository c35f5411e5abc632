// Changing a part of a page into another where they differ: what is typed in, focused or scrolled stays.
export function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName || (old.id ?? "") !== (fresh.id ?? "")) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) return;
  adopt(old, fresh);
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  after.forEach((node, place) => {
    if (place < before.length) morph(before[place], node);
    else old.append(node);
  });
  for (const node of before.slice(after.length)) node.remove();
  value(old, fresh);
}

function adopt(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

// What the reader is typing in stays as it is.
function value(old, fresh) {
  if (old === document.activeElement && old.matches("input:not([type=checkbox]), textarea")) return;
  if (old.matches("input[type=checkbox]")) old.checked = fresh.hasAttribute("checked");
  else if (old.matches("input:not([type=file]), select")) old.value = fresh.value;
}
