// What is tapped before a page's own script is there is kept, and tapped again once it is.
{
  const types = ["click", "change", "toggle"];
  const kept = [];
  const keep = ({ type, target }) => kept.push({ type, target });

  function again({ type, target }) {
    if (type !== "click") target.dispatchEvent(new Event(type, { bubbles: type === "change" }));
    // Links and forms need no script, and have done what they do.
    else target.closest("button[type=button]")?.click();
  }

  for (const type of types) document.addEventListener(type, keep, true);
  // Modules have run by then.
  document.addEventListener("DOMContentLoaded", () => {
    for (const type of types) document.removeEventListener(type, keep, true);
    kept.forEach(again);
  });
}
