"""Checksums of the store. Those of a match's answers are chained: each covers all before it.

They find damage, and they fix the history of a match for dice that both sides make. Every link
has a random nonce, so that nobody guesses a secret answer from its link. docs/dice.md tells how to
work them out without Grognard.
"""

from hashlib import sha256
from secrets import token_hex

NONCE = 16  # bytes


def new_nonce() -> str:
    """Draw the nonce of a link."""
    return token_hex(NONCE)


def digest(*parts: object) -> str:
    """Give the checksum of texts and numbers, a line each; None is an empty line."""
    text = "\n".join("" if part is None else str(part) for part in parts)
    return sha256(text.encode()).hexdigest()


def first_link(id_: str, scenario: str, options: str, created: str) -> str:
    """Give the beginning of the chain of a match: what does not change in it."""
    return digest("match", id_, scenario, options, created)


def next_link(previous: str, nonce: str, source: str, answer: str) -> str:
    """Give the link of an answer, which is written as JSON."""
    return digest(previous, nonce, source, answer)
