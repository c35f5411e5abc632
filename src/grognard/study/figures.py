"""The figures of a fight: expected losses, probabilities, and its worth in points."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.fights.chances import Odds
from grognard.words.message import Message, say
from grognard.words.text import Lang


class Figures(NamedTuple):
    """Expected numbers of a fight; yes-or-no fields count as 1 or 0, so theirs is a probability."""

    attacker_steps_lost: Fraction
    defender_steps_lost: Fraction
    taken: Fraction
    vacated: Fraction
    attacker_shaken: Fraction
    defender_shaken: Fraction
    attacker_eliminated: Fraction
    defender_eliminated: Fraction
    worth: Fraction  # of everything together, in points of the attacker's doctrine

    def since(self, before: "Figures") -> "Figures":
        return Figures(*(now - then for now, then in zip(self, before, strict=True)))


def figures(odds: Odds) -> Figures:
    """Calculate the figures of some odds."""
    expected = {measure.id: odds.expected(measure.id) for measure in MEASURES}
    return Figures(**expected, worth=odds.found.worth.of("attacker"))


class Measure(NamedTuple):
    """One of the figures, with its name; `more_is_better` is from the attacker's view."""

    id: str
    text: Message | None  # None: what the game calls its losses
    side: Side
    chance: bool
    more_is_better: bool

    def words(self, card: Card, lang: Lang) -> str:
        """Name it in the words of the game."""
        return (self.text or card.phrase("losses")).in_(lang)

    def of(self, found: Figures) -> Fraction:
        value: Fraction = getattr(found, self.id)
        return value

    def worse(self, now: Figures, before: Figures) -> bool:
        """Tell whether the change is bad for the attacker."""
        change = self.of(now) - self.of(before)
        return change < 0 if self.more_is_better else change > 0


MEASURES = (
    Measure("attacker_steps_lost", None, "attacker", False, False),
    Measure("defender_steps_lost", None, "defender", False, True),
    Measure("taken", say("hex taken"), "attacker", True, True),
    Measure("attacker_eliminated", say("all eliminated"), "attacker", True, False),
    Measure("defender_eliminated", say("all eliminated"), "defender", True, True),
    Measure("vacated", say("hex vacated"), "defender", True, True),
    Measure("attacker_shaken", say("units shaken"), "attacker", False, False),
    Measure("defender_shaken", say("units shaken"), "defender", False, True),
)

# Not shown as a number on the sheet; there it only decides the signs of uneven places.
WORTH = Measure("worth", say("points, all in all"), "attacker", False, True)


def telling(found: Iterable[Figures]) -> tuple[Measure, ...]:
    """Give the measures worth showing: not 0 everywhere, and not everywhere equal to another."""
    rows = tuple(found)
    seen: set[tuple[Fraction, ...]] = {(Fraction(0),) * len(rows)}
    shown: list[Measure] = []
    for measure in MEASURES:
        values = tuple(map(measure.of, rows))
        if values not in seen:
            seen.add(values)
            shown.append(measure)
    return tuple(shown)
