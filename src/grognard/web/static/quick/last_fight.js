// The last fight of each procedure that this browser had.
const key = `fight:${location.pathname}`;
const RECALLING = "recalling"; // set by recall.js

// Keep a fight. Of one that is over the dice are left out: the next one is fought with the same counters.
export function keepFight({ open: _open, ...statement }, over) {
  const kept = over ? { ...statement, answers: [], typed: [] } : statement;
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing shows the sample next time.
  }
}

// Give the kept fight, if the page is waiting for it.
export function recalledFight() {
  if (!document.documentElement.classList.contains(RECALLING)) return null;
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

export function endRecall() {
  document.documentElement.classList.remove(RECALLING);
}
