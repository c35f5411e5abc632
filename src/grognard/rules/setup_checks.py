"""Checks of a set-up that all games share."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence

from grognard.card.card import Card
from grognard.rules.fight import Unit
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near


def terrain_known(
    card: Card,
    named: Iterable[str],
    place: str = "terrain",
    on: Container[str] = ("hex", "way", "marker"),
) -> None:
    """Refuse terrain that the card does not have, or that no hex can have."""
    known = [row.id for row in card.terrain if row.on in on]
    for word in named:
        if word not in known:
            problem = say("there is no terrain '{word}'; {near}", word=word, near=near(word, known))
            raise Refusal(problem, place=place)


def units_named_once(*sides: Sequence[Unit]) -> None:
    """Refuse two units with the same name."""
    names = Counter(unit.name for side in sides for unit in side)
    for name, count in names.items():
        if count > 1:
            raise Refusal(say("two units are named '{name}'; each needs its own name", name=name))


def need(condition: object, problem: Message, place: str) -> None:
    """Refuse what the rules do not allow."""
    if not condition:
        raise Refusal(problem, place=place)
