// What buttons do, by the data attribute that they have; of several the first in the list counts.
// Each action is given the button's data, the button, and whether a key pressed it.
export function onButtons(root, actions) {
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || button.disabled) return;
    const found = actions.find(([name]) => button.dataset[name] !== undefined);
    if (found) found[1](button.dataset, button, event.detail === 0);
  });
}
