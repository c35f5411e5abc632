// Replacing parts of a page: focus and folds stay as they were.
export function redraw(root, folds, put) {
  const focused = document.activeElement?.id;
  const open = [...root.querySelectorAll(folds)].map((one) => [one.id, one.open]);
  put();
  for (const [id, was] of open) document.getElementById(id)?.toggleAttribute("open", was);
  if (focused && document.activeElement === document.body) {
    document.getElementById(focused)?.focus({ preventScroll: true });
  }
}
