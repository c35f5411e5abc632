// SHA-256 (FIPS 180-4). Browsers keep their own to https and localhost; dice are made in a home
// network too.

const PRIMES = [2];
for (let n = 3; PRIMES.length < 64; n += 2) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const fraction = (number) => Math.floor((number % 1) * 2 ** 32);
const FIRST = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

const turned = (word, bits) => (word >>> bits) | (word << (32 - bits));
const mixed = (word, a, b, c) => turned(word, a) ^ turned(word, b) ^ turned(word, c);

// The message, a bit, zeros, and the length of the message in bits: whole blocks of 64 bytes.
function padded(bytes) {
  const blocks = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  const view = new DataView(blocks.buffer);
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(blocks.length - 4, bytes.length * 8);
  return view;
}

function words(view, at) {
  const found = new Int32Array(64);
  for (let n = 0; n < 16; n += 1) found[n] = view.getInt32(at + 4 * n);
  for (let n = 16; n < 64; n += 1) {
    const early = found[n - 15];
    const late = found[n - 2];
    found[n] =
      found[n - 16] +
      (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
      found[n - 7] +
      (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
  }
  return found;
}

export function sha256(bytes) {
  const state = Int32Array.from(FIRST);
  const view = padded(bytes);
  for (let at = 0; at < view.byteLength; at += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    words(view, at).forEach((word, n) => {
      const one = (h + mixed(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + ROUNDS[n] + word) | 0;
      const two = mixed(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    });
    [a, b, c, d, e, f, g, h].forEach((word, n) => {
      state[n] += word;
    });
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, n) => {
    digest.setInt32(4 * n, word);
  });
  return new Uint8Array(digest.buffer);
}
