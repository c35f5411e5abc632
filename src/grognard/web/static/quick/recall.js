// A page that is opened without a fight shows the last one that this browser had. Until it is there, the sample is
// not shown: this runs before the page is drawn.
try {
  const kept = localStorage.getItem(`fight:${location.pathname}`) !== null;
  document.documentElement.classList.toggle("recalling", kept);
} catch {
  // A browser that keeps nothing shows the sample.
}
