"""Statistics of the dice of a match as JSON."""

from grognard.draw.json.structs import JsonStruct
from grognard.draw.text.dice import fairness_text, source_text
from grognard.matches.dice_statistics import Tally, tallies
from grognard.matches.match import Match
from grognard.matches.storage.rows import Source
from grognard.words.text import Lang


class DiceTallyJson(JsonStruct):
    """Dice of one kind: how often each face came, and how often fair dice are as uneven."""

    die: str
    side: str | None  # None: of all sides and sources
    source: Source | None
    source_text: str  # the source in words
    faces: list[int]
    counts: list[int]
    dice: int
    chance: float  # that fair dice are as uneven, or more
    exact: bool  # whether every possible set was counted
    text: str  # the chance in words


def dice_json(match: Match, lang: Lang) -> list[DiceTallyJson]:
    """Count the dice of a match, and test them for fairness."""
    return [_tally(tally, lang) for tally in tallies(match)]


def _tally(tally: Tally, lang: Lang) -> DiceTallyJson:
    found, lowest = tally.fairness, tally.die.lowest
    return DiceTallyJson(
        die=str(tally.die),
        side=tally.side,
        source=tally.source,
        source_text=source_text(tally.source).in_(lang),
        faces=list(range(lowest, lowest + tally.die.faces)),
        counts=list(tally.counts),
        dice=tally.dice,
        chance=round(found.chance, 6),
        exact=found.exact,
        text=fairness_text(found).in_(lang),
    )
