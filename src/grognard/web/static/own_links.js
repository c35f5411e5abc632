// Own links of seats. The server tells each only once, so the browser that took the seat keeps it.
const place = (match, seat) => `link:${match}:${seat}`;

export function keepLink(match, seat, path) {
  localStorage.setItem(place(match, seat), path);
}

// Give the link that this browser knows; null if there is none.
export function ownLink(match, seat) {
  return localStorage.getItem(place(match, seat));
}
