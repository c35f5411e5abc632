// What is tapped before a page's own script is there is kept, and tapped again once it is.
{
  const types = ["click", "change", "toggle"];
  const kept = [];
  // A hex is known by its number: the script may lay the map out anew.
  const hexAt = ({ clientX, clientY }) =>
    document
      .elementsFromPoint(clientX, clientY)
      .find((one) => one.closest("g.hex"))
      ?.closest("g.hex").dataset.hex;
  const onMap = (target) => target instanceof Element && target.closest("#map");
  const keep = (event) => {
    const { type, target } = event;
    kept.push({ type, target, hex: type === "click" && onMap(target) && hexAt(event) });
  };

  function again({ type, target, hex }) {
    if (hex) document.querySelector("#map").dispatchEvent(new CustomEvent("early-tap", { detail: hex }));
    else if (type !== "click") target.dispatchEvent(new Event(type, { bubbles: type === "change" }));
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
