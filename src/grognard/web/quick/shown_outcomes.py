"""The chances of what may happen, as bars and unit by unit."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.draw.text.chances import at_least, fate_words, ground_rows, hundredfold
from grognard.draw.text.fight import suffering
from grognard.fights.chances import Found, Odds
from grognard.fights.odds import CACHES
from grognard.fights.play import Play
from grognard.fights.unit_fates import unit_fates
from grognard.words.text import Lang


class ChanceBar(NamedTuple):
    """A chance as a bar."""

    text: str
    chance: Fraction
    side: Side | None = None

    @property
    def width(self) -> str:
        """In percent of the whole."""
        return f"{hundredfold(self.chance):.2f}"


class Losses(NamedTuple):
    """The possible step losses of a side, and their mean."""

    side: Side
    expected: Fraction
    bars: tuple[ChanceBar, ...]
    at_least: tuple[ChanceBar, ...]  # the chance of so many steps or more
    shaken: tuple[ChanceBar, ...]  # points of disorder; empty if there can be none


class ShownFate(NamedTuple):
    """What may become of a unit."""

    side: Side
    unit: str
    chances: tuple[ChanceBar, ...]


class Outcomes(Struct, frozen=True):
    """The chances of the outcomes."""

    ground: tuple[ChanceBar, ...] = ()
    never: str = ""  # what can't happen
    losses: tuple[Losses, ...] = ()
    units: tuple[ShownFate, ...] = ()  # where outcomes name units
    lost: str = ""  # what is lost, in the words of the game


def shown_outcomes(play: Play, odds: Odds, lang: Lang) -> Outcomes:
    """Lay out the chances of what may still happen in a play."""
    card = play.start.case.card
    shown = replace(
        _of_kind(odds.found, suffering(play.start), lang), lost=card.phrase("losses").in_(lang)
    )
    if not odds.found.names_units:
        return shown
    ways = [way.id for way in odds.doctrines]
    units = tuple(
        ShownFate(
            fate.side,
            fate.unit,
            tuple(ChanceBar(w, p, fate.side) for w, p in fate_words(fate, card, lang)),
        )
        for fate in unit_fates(play, *ways)
    )
    # That a whole side is not eliminated would contradict a unit which may be.
    return replace(shown, units=units, never="")


@lru_cache(maxsize=4096)
def _of_kind(found: Found, sides: tuple[Side, ...], lang: Lang) -> Outcomes:
    """Give the chances of the outcomes; they are the same for all fights of a kind."""
    odds = Odds(found)
    rows = ground_rows(odds, sides, lang)
    losses = tuple(
        Losses(
            side,
            odds.expected(f"{side}_steps_lost"),
            _bars(spread, side),
            _bars(at_least(spread), side),
            _bars(odds.spread(f"{side}_shaken"), side) if odds.expected(f"{side}_shaken") else (),
        )
        for side in sides
        for spread in (odds.spread(f"{side}_steps_lost"),)
    )
    return Outcomes(
        tuple(ChanceBar(*row) for row in rows if row.chance),
        ", ".join(row.text for row in rows if not row.chance),
        losses,
    )


CACHES.append(_of_kind)


def _bars(spread: Mapping[int, Fraction], side: Side) -> tuple[ChanceBar, ...]:
    return tuple(ChanceBar(str(n), chance, side) for n, chance in spread.items())
