"""The dice of a fight so far: what they were rolled for, and whether they can be corrected."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from markupsafe import Markup

from grognard.card.dice import Dice
from grognard.draw.svg.die import die
from grognard.fights.play import Play
from grognard.rules.ask import Roll
from grognard.rules.wording import question
from grognard.words.text import Lang


class ShownRoll(NamedTuple):
    """Dice that have been rolled or typed in."""

    place: int  # among the answers
    text: str
    dice: Dice
    shown: tuple[int, ...]  # faces
    drawings: tuple[Markup, ...]
    typed: bool | None  # typed dice can be corrected; None where no dice can
    last: bool


def shown_rolls(play: Play, typed: Collection[int] | None, lang: Lang) -> tuple[ShownRoll, ...]:
    """Give the rolls so far, in their order; `typed` are the places of those that were typed in."""
    return tuple(_rolls(play, typed, lang))


def _rolls(play: Play, typed: Collection[int] | None, lang: Lang) -> Iterator[ShownRoll]:
    for place, given in enumerate(play.given):
        if isinstance(given.ask, Roll) and isinstance(given.answer, tuple):
            shown = tuple(face for face in given.answer if isinstance(face, int))
            yield ShownRoll(
                place,
                question(play.start.case.card, given.ask, lang),
                given.ask.dice,
                shown,
                tuple(Markup(die(face, given.ask.dice.faces)) for face in shown),
                None if typed is None else place in typed,
                place == len(play.given) - 1,
            )
