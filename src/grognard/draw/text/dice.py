"""Statistics of dice in words."""

from grognard.matches.dice_statistics import Fairness
from grognard.matches.storage.rows import Source
from grognard.words.message import Message, say

ABOUT = say(
    "How often each face came, and how often fair dice are as uneven as these or more. A single "
    "figure proves nothing: among twenty fair sets one comes once in twenty."
)
RARE = 1000  # sets of which one is as uneven


def source_text(source: Source | None) -> Message:
    """Name the dice of a source; None: all of them."""
    match source:
        case None:
            return say("all dice")
        case "typed":
            return say("typed dice")
        case "rolled":
            return say("dice rolled here")
        case "fair":
            return say("fair dice")
        case "imported":
            return say("imported dice")
        case _:
            return say("dice of unknown source")


def fairness_text(found: Fairness) -> Message:
    """Say how often fair dice are as uneven."""
    if found.chance > 0.5:
        return say("more than half of all sets of fair dice are as uneven")
    if found.chance * RARE < 1:
        return say("so uneven a set of fair dice comes less than once in {n} matches", n=RARE)
    sets = round(1 / found.chance)
    if found.exact:
        return say("so uneven a set of fair dice comes in 1 of {n} matches", n=sets)
    return say(
        "so uneven a set of fair dice comes in about 1 of {n} matches (chi-square distribution)",
        n=sets,
    )
