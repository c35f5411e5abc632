// What is unfolded on a phone comes into view above the open question or the outcome, which cover the bottom edge.

// Tell the style sheet how much of the bottom edge is covered.
export function measureCover(root) {
  const sheet = root.querySelector("#question, .end");
  const covers = sheet && getComputedStyle(sheet).position === "fixed";
  const height = covers ? innerHeight - sheet.getBoundingClientRect().top : 0;
  document.documentElement.style.setProperty("--covered", `${height}px`);
}

export function bringIntoView(part, root) {
  measureCover(root);
  part.scrollIntoView({ block: "nearest" });
}
