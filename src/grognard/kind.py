"""The kind of a fight: all that its odds depend on, units named by tokens in their order.

A fight has a kind when its reckoning is done, before the step that its procedure's `Plain` names.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple, get_args, get_type_hints

from msgspec.structs import replace

from grognard.ask import Answer, Commit
from grognard.fight import Case, Fight, Outcome, Setup, Stated, Unit
from grognard.line import Line

# Tokens are characters that no card prints, so that names can be put back into any text.
FIRST_TOKEN = 0xF0000


class Kind(NamedTuple):
    """A fight reduced to its kind, and the names of its units in the order of their tokens."""

    fight: Fight  # equal, with the very same case, for all fights of the kind
    names: tuple[str, ...]


def kind_of(fight: Fight) -> Kind:
    """Reduce a fight whose reckoning is done to its kind."""
    plain = fight.case.procedure.plain
    if plain is not None:
        fight = plain.of(fight)
    setup: Setup = fight.case.setup
    tokens = _Tokens()
    sides = {field: getattr(setup, field) for field in _unit_fields(type(setup))}
    named = {field: tokens.units(units) for field, units in sides.items()}
    attackers, defenders = (
        next((named[field] for field, units in sides.items() if units is now), tokens.units(now))
        for now in (fight.attackers, fight.defenders)
    )
    case = _same(Stated(fight.case.restated(replace(setup, **named))))
    reduced = replace(fight, case=case, attackers=attackers, defenders=defenders)
    return Kind(reduced, tuple(tokens))


def forget() -> None:
    """Forget the cases that fights of one kind share."""
    _same.cache_clear()


@lru_cache(maxsize=4096)
def _same(stated: Stated) -> Case[Any]:
    """Give one and the same case for all that are stated alike."""
    return stated.case


class _Tokens(dict[str, str]):
    """The token of each name; a new name gets the next one."""

    def __missing__(self, name: str) -> str:
        token = self[name] = chr(FIRST_TOKEN + len(self))
        return token

    def units(self, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        return tuple([replace(unit, name=self[unit.name]) for unit in units])


@cache
def _unit_fields(setup: type[Setup]) -> tuple[str, ...]:
    """Name the fields of a set-up that hold units."""
    hints = get_type_hints(setup)
    return tuple(
        field
        for field in setup.__struct_fields__
        if any(isinstance(part, type) and issubclass(part, Unit) for part in get_args(hints[field]))
    )


class Names:
    """Puts the names of units back into what was found of their kind."""

    def __init__(self, names: Iterable[str]) -> None:
        self._table = dict(enumerate(names, FIRST_TOKEN))

    def outcome(self, outcome: Outcome) -> Outcome:
        if not outcome.details:
            return outcome
        return replace(outcome, details=tuple([self._text(text) for text in outcome.details]))

    def line(self, line: Line) -> Line:
        blanks = tuple(
            (key, self._text(blank) if isinstance(blank, str) else blank)
            for key, blank in line.blanks
        )
        value = self._text(line.value) if isinstance(line.value, str) else line.value
        return replace(line, unit=self._text(line.unit), value=value, blanks=blanks)

    def commit(self, ask: Commit) -> Commit:
        ours, theirs = (tuple(map(self._answer, side)) for side in (ask.attacker, ask.defender))
        return replace(ask, attacker=ours, defender=theirs)

    def _answer(self, answer: Answer) -> Answer:
        if isinstance(answer, tuple):
            return tuple(map(self._answer, answer))
        return self._text(answer) if isinstance(answer, str) else answer

    def _text(self, text: str) -> str:
        return text.translate(self._table)
