"""The balance of a scenario under each reading, in words."""

from collections.abc import Iterator

from grognard.draw.text.series import share_words
from grognard.maps.scenario import MARKS
from grognard.players.option_balance import Balance, Change, ReadingBalance
from grognard.words.message import Message, say
from grognard.words.numbers import decimal
from grognard.words.text import Lang, Text, colon
from grognard.words.typography import with_minus


def balance_lines(of: Balance, lang: Lang) -> Iterator[str]:
    """Describe the shares of wins, and what each reading adds to them."""
    for side, mark in zip(of.field.scenario.sides, MARKS, strict=True):
        won = say("won {share}", share=share_words(of.usual.won[side.id], lang))
        yield f"  {mark} {side.name.in_(lang)}  {won.in_(lang)}"
    draws = say("draws {share}", share=share_words(of.usual.draws, lang))
    yield f"  {draws.in_(lang)}"
    for one in of.readings:
        if one.otherwise.count:
            yield from _reading(of, one, lang)
    if same := [one for one in of.readings if not one.otherwise.count]:
        names = ", ".join(f"{one.option.id}={one.choice.id}" for one in same)
        yield f"{say('No match went otherwise').in_(lang)}{colon(lang)}{names}"
    for other in of.unplayable:
        name = f"{other.option.id}={other.choice.id}"
        yield say("{name} can't be played: {problem}", name=name, problem=other.problem).in_(lang)
    yield balance_note().in_(lang)


def balance_note() -> Message:
    """Say what the figures are."""
    return say(
        "Against the same matches under the options as they are, in points of percent of wins, "
        "with the interval that holds 95 %. Of twenty readings without any effect one "
        "is likely to look clear."
    )


def _reading(of: Balance, one: ReadingBalance, lang: Lang) -> Iterator[str]:
    name = f"{one.option.id}={one.choice.id}"
    yield f"{name}{colon(lang)}{one.option.text.in_(lang)} → {one.choice.text.in_(lang)}"
    for side, mark in zip(of.field.scenario.sides, MARKS, strict=True):
        yield f"  {mark} {side.name.in_(lang)}  {change_words(one.changes[side.id], lang)}"
    yield f"  {favour_words(of, one).in_(lang)}"


def favour_words(of: Balance, one: ReadingBalance) -> Message:
    """Say whom a reading favours, and how many matches went otherwise."""
    side, n = favoured(of, one), one.otherwise.count
    if side is None:
        return say("favours nobody clearly; {n} {n:match|matches} went otherwise", n=n)
    return say("favours {side}; {n} {n:match|matches} went otherwise", side=side, n=n)


def favoured(of: Balance, one: ReadingBalance) -> Text | None:
    """Name the side that a reading clearly favours; None if it does not."""
    sides = {side.id: side.name for side in of.field.scenario.sides}
    return None if one.favours is None else sides[one.favours]


def change_words(of: Change, lang: Lang) -> str:
    """Write a difference in points of percent, with its interval."""
    middle, low, high = (_points(part, lang) for part in (of.difference, of.low, of.high))
    return say("{middle} ({low} to {high})", middle=middle, low=low, high=high).in_(lang)


def _points(part: float, lang: Lang) -> str:
    text = decimal(100 * part, 1, lang)
    plain = text.startswith("-") or text == decimal(0, 1, lang)
    return with_minus(text if plain else f"+{text}")
