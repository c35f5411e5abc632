"""Words for what a result does, in both languages, where the card has none of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from grognard.card.effects import Does, Effect, Kind, Subject
from grognard.words.message import Message, say
from grognard.words.text import Text

if TYPE_CHECKING:
    from grognard.card.card import Card
    from grognard.card.rows import Row
    from grognard.card.tables import Table

Names = Mapping[str, Text]  # of states, checks and tables

_SIDES: Mapping[Subject, Message] = {
    "attacker": say("the attacker"),
    "defender": say("the defender"),
    "both": say("each side"),
    "unit": say("the unit"),
    "": say("the side"),
}
_EACH: Mapping[Subject, Message] = {
    "attacker": say("each unit of the attacker"),
    "defender": say("each unit of the defender"),
    "": say("each of its units"),
}


def effect_names(card: Card) -> Names:
    """Give the wording of the states, checks and tables of a card."""
    rows: tuple[Row | Table, ...] = (*card.states, *card.checks, *card.tables)
    return {row.id: row.text for row in rows}


def wording(does: Does, names: Names) -> Text:
    """Put a result into words."""
    ways = []
    for way in does.ways:
        first, *more = (_WORDS[effect.kind](effect, names) for effect in way)
        for told in more:
            first = say("{one} and {other}", one=first, other=told)
        ways.append(first)
    told, *others = ways
    for other in others:
        told = say("{one} or {other}", one=told, other=other)
    if does.chooser:
        told = say("{what} ({side} chooses)", what=told, side=_SIDES[does.chooser])
    return Text(told.in_("en"), told.in_("fr"))


def _lose(effect: Effect, _: Names) -> Message:
    side = _EACH[effect.side] if effect.each else _SIDES[effect.side]
    return _picked(effect, _lost(effect, side))


def _lost(effect: Effect, side: Message) -> Message:
    n = effect.amount
    if n == "half":
        what = say("half of its units") if effect.units else say("half of its steps")
        told = say("{side} loses {what}", side=side, what=what)
        return say("{what}, rounded down", what=told) if effect.down else told
    if n == "all":
        return say("{side} loses everything", side=side)
    if effect.units and n == 1:
        return say("{side} loses a unit", side=side)
    if effect.units:
        return say("{side} loses {n} units", side=side, n=n)
    if n == 1:
        return say("{side} loses a step", side=side)
    return say("{side} loses {n} steps", side=side, n=n)


def _picked(effect: Effect, told: Message) -> Message:
    if effect.picks is None:
        return told
    return say("{what} ({side} picks)", what=told, side=_SIDES[effect.picks])


def _eliminate(effect: Effect, _: Names) -> Message:
    if effect.side == "unit":
        return say("the unit is eliminated")
    return say("{side} is eliminated", side=_SIDES[effect.side])


def _retreat(effect: Effect, _: Names) -> Message:
    side = _SIDES[effect.side]
    if effect.amount == 1:
        return say("{side} retreats a hex", side=side)
    return say("{side} retreats {n} hexes", side=side, n=effect.amount)


def _exchange(effect: Effect, _: Names) -> Message:
    times = {1: say("as much"), 2: say("twice as much"), 3: say("three times as much")}
    much = times[effect.times]
    if effect.side:
        return say("{side}: lost; the other side loses {much}", side=_SIDES[effect.side], much=much)
    return say("exchange: the smaller side is lost, the other loses {much}", much=much)


def _state(effect: Effect, names: Names) -> Message:
    side, state = _SIDES[effect.side], names.get(effect.word, Text(effect.word, effect.word))
    if effect.amount == "all":
        return say("{side}: {state}", side=side, state=state)
    told = say("{side}: {state}, units: {n}", side=side, state=state, n=effect.amount)
    return _picked(effect, told)


def _advance(effect: Effect, _: Names) -> Message:
    side = _SIDES[effect.side]
    if effect.word == "must":
        return say("{side} must advance", side=side)
    if effect.word == "may":
        return say("{side} may advance", side=side)
    return say("{side} may not advance", side=side)


def _check(effect: Effect, names: Names) -> Message:
    side, check = _SIDES[effect.side], names.get(effect.word, Text(effect.word, effect.word))
    if effect.added:
        return say("{side}: {check} {n}", side=side, check=check, n=f"{effect.added:+d}")
    return say("{side}: {check}", side=side, check=check)


def _read(effect: Effect, names: Names) -> Message:
    table = names.get(effect.word, Text(effect.word, effect.word))
    return say("roll on the table “{table}”", table=table)


_WORDS: Mapping[Kind, Callable[[Effect, Names], Message]] = {
    "nothing": lambda _, __: say("no effect"),
    "lose": _lose,
    "eliminate": _eliminate,
    "retreat": _retreat,
    "exchange": _exchange,
    "state": _state,
    "advance": _advance,
    "check": _check,
    "read": _read,
}
