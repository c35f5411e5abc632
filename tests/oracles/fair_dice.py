"""Fair dice a second time, written from docs/dice.md alone."""

import hashlib
from collections.abc import Mapping


def lines(*parts: object) -> bytes:
    """SHA-256 of the parts, a line each."""
    return hashlib.sha256("\n".join(f"{part}" for part in parts).encode()).digest()


def chain(secret: str) -> list[str]:
    """All links, the secret first and the anchor last."""
    found = [bytes.fromhex(secret)]
    while len(found) < 4097:
        found.append(hashlib.sha256(found[-1]).digest())
    return [link.hex() for link in found]


def rolled(
    match: str,
    roll: int,
    question: str,
    links: Mapping[str, str],
    dice: tuple[int, int, int],
) -> list[int]:
    """Dice of a roll: `dice` are their number, their faces and their lowest face."""
    number, faces, lowest = dice
    first, second = (link for _, link in sorted(links.items()))
    shown: list[int] = []
    counter = 0
    while True:
        block = lines("grognard dice 1", match, roll, question, first, second, counter).hex()
        for place in range(0, 64, 8):
            found = int(block[place : place + 8], 16)
            if found // faces < 2**32 // faces:
                shown.append(found % faces + lowest)
            if len(shown) == number:
                return shown
        counter += 1
