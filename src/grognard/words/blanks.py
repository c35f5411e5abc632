"""Blanks of a wording, `{unit} retreats`: which there are, and how they are filled."""

import string

from grognard.words.message import say
from grognard.words.refusal import Refusal


def blanks_of(words: str) -> frozenset[str]:
    """Name the blanks of a wording; a ValueError tells of a brace without its partner."""
    return frozenset(blank for _, blank, _, _ in string.Formatter().parse(words) if blank)


def filled(words: str, *parts: object, **blanks: object) -> str:
    """Fill the blanks of a wording; refuse one for which nothing is given."""
    try:
        return words.format(*parts, **blanks)
    except (KeyError, IndexError):
        missing = sorted(blanks_of(words) - blanks.keys())
        problem = say(
            "the wording “{words}” has a blank that nothing fills: {missing}; known: {known}",
            words=words,
            missing=", ".join(missing),
            known=", ".join(sorted(blanks)) or "-",
        )
        raise Refusal(problem) from None
