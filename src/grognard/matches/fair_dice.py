"""Fair dice: both sides make them together, and nobody can foresee or choose them.

Each side has a hash chain: a random secret, hashed again and again. It publishes the last link, the
anchor, before the first roll, and reveals one link for each roll, from the last to the first. So it
can't choose a link afterwards, and the dice come from the links of both sides. docs/dice.md has the
protocol, and says what it promises against whom.
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import count
from secrets import token_hex

from msgspec import Struct

from grognard.card.dice import Dice
from grognard.matches.storage.seals import digest
from grognard.words.message import Message, say

LENGTH = 4096  # links of a chain, without its anchor
NAME = "grognard dice 1"
_LINK = re.compile(r"[0-9a-f]{64}")
_WORD, _WORDS = 4, 8  # bytes of a random number, and numbers in a checksum


def new_secret() -> str:
    """Draw the secret of a chain."""
    return token_hex(32)


def is_link(text: str) -> bool:
    """Tell whether a text can be a link: 64 small hexadecimal digits."""
    return _LINK.fullmatch(text) is not None


def hashed(link: str, times: int = 1) -> str:
    """Give the link that follows a link of a chain, or the one so many places on."""
    raw = bytes.fromhex(link)
    for _ in range(times):
        raw = sha256(raw).digest()
    return raw.hex()


def anchor_of(secret: str) -> str:
    """Give the anchor of the chain of a secret."""
    return hashed(secret, LENGTH)


def link_of(secret: str, place: int) -> str:
    """Give the link of a chain that serves its roll number `place`; its first roll is number 0."""
    return hashed(secret, LENGTH - 1 - place)


class Chain(Struct, frozen=True, omit_defaults=True):
    """A chain of a side, as everybody knows it."""

    side: str
    first: int  # the number of the first roll that it serves
    anchor: str
    withdrawn: bool = False  # another chain took its place before it served

    def serves(self, roll: int) -> bool:
        return self.first <= roll < self.first + LENGTH


def chain_for(chains: Iterable[Chain], side: str, roll: int) -> Chain | None:
    """Give the chain of a side that serves a roll: the last one that was begun before it."""
    known = [
        chain
        for chain in chains
        if chain.side == side and chain.first <= roll and not chain.withdrawn
    ]
    found = max(known, key=lambda chain: chain.first, default=None)
    return found if found and found.serves(roll) else None


def link_problem(
    chains: Iterable[Chain], side: str, roll: int, value: str, before: str | None
) -> Message | None:
    """Say why a value is not the link of a side for a roll; `before` is its link of the last roll.

    None: it is the link.
    """
    chain = chain_for(chains, side, roll)
    if chain is None:
        return say("{side} has no chain for roll {roll}", side=side, roll=roll)
    previous = chain.anchor if chain.first == roll else before
    if previous is None or not is_link(value) or hashed(value) != previous:
        return say(
            "the link of {side} for roll {roll} does not belong to its chain", side=side, roll=roll
        )
    return None


class Asked(Struct, frozen=True):
    """A roll for which links are revealed."""

    match: str
    roll: int  # counted in the match, from 1
    question: str  # the last link of the chain of answers
    dice: Dice


def fair_dice(asked: Asked, links: Mapping[str, str]) -> tuple[int, ...]:
    """Make the dice of a roll from the links of the sides, which are taken in the order of names.

    Random numbers that would make some faces likelier are left out.
    """
    dice = asked.dice
    limit = (1 << 8 * _WORD) // dice.faces * dice.faces
    values = [links[side] for side in sorted(links)]
    rolled: list[int] = []
    for counter in count():
        block = bytes.fromhex(
            digest(NAME, asked.match, asked.roll, asked.question, *values, counter)
        )
        for place in range(_WORDS):
            number = int.from_bytes(block[place * _WORD : (place + 1) * _WORD], "big")
            if number < limit:
                rolled.append(dice.first + number % dice.faces)
            if len(rolled) == dice.count:
                return tuple(rolled)
    raise AssertionError("a checksum has always another")
