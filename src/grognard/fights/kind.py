"""The kind of a fight: everything its odds depend on, with tokens for unit names.

A fight has a kind once it is trimmed: only what later steps read is left of it.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, get_args, get_type_hints

from msgspec.structs import replace

from grognard.rules.ask import Answer, Commit
from grognard.rules.fight import Case, CaseKey, Fight, Outcome, Setup, Unit
from grognard.rules.line import Line

# Tokens are characters that no card uses, so that names can be put back into any text.
FIRST_TOKEN = 0xF0000


class Kind(NamedTuple):
    """A trimmed fight with tokens for names, and the names in the order of their tokens."""

    fight: Fight  # equal, with the very same case, for all fights of the kind
    names: tuple[str, ...]


def kind_of(fight: Fight) -> Kind:
    """Give the kind of a trimmed fight."""
    setup: Setup = fight.case.setup
    sides = {field: getattr(setup, field) for field in _unit_fields(type(setup))}
    names = tuple([unit.name for units in sides.values() for unit in units])
    tokens = {name: chr(token) for token, name in enumerate(names, FIRST_TOKEN)}
    named = {field: _named(units, tokens) for field, units in sides.items()}
    # Often the units of the fight are the same objects as in the set-up.
    attackers, defenders = (
        named[side] if sides.get(side) is units else _named(units, tokens)
        for side, units in (("attackers", fight.attackers), ("defenders", fight.defenders))
    )
    case = shared_case(CaseKey(fight.case.restated(replace(setup, **named))))
    return Kind(replace(fight, case=case, attackers=attackers, defenders=defenders), names)


def _named(units: tuple[Unit, ...], tokens: Mapping[str, str]) -> tuple[Unit, ...]:
    return tuple([replace(unit, name=tokens[unit.name]) for unit in units])


@lru_cache(maxsize=4096)
def shared_case(stated: CaseKey) -> Case[Any]:
    """Give the same case object for equal cases."""
    return stated.case


@lru_cache(maxsize=256)
def _unit_fields(setup: type[Setup]) -> tuple[str, ...]:
    hints = get_type_hints(setup)
    return tuple(
        field
        for field in setup.__struct_fields__
        if any(isinstance(part, type) and issubclass(part, Unit) for part in get_args(hints[field]))
    )


def names_units(outcome: Outcome) -> bool:
    """Tell whether an outcome contains tokens."""
    return any(max(text, default="") >= chr(FIRST_TOKEN) for text in outcome.details)


class Names:
    """Replaces tokens by the names of units."""

    def __init__(self, names: Iterable[str]) -> None:
        self._table = dict(enumerate(names, FIRST_TOKEN))
        self._texts: dict[str, str] = {}  # outcomes repeat a few texts over and over

    def outcome(self, outcome: Outcome) -> Outcome:
        return replace(outcome, details=tuple([self.text(text) for text in outcome.details]))

    def line(self, line: Line) -> Line:
        blanks = tuple(
            (key, self.text(blank) if isinstance(blank, str) else blank)
            for key, blank in line.blanks
        )
        value = self.text(line.value) if isinstance(line.value, str) else line.value
        return replace(line, unit=self.text(line.unit), value=value, blanks=blanks)

    def commit(self, ask: Commit) -> Commit:
        ours, theirs = (tuple(map(self._answer, side)) for side in (ask.attacker, ask.defender))
        return replace(ask, attacker=ours, defender=theirs)

    def _answer(self, answer: Answer) -> Answer:
        if isinstance(answer, tuple):
            return tuple(map(self._answer, answer))
        return self.text(answer) if isinstance(answer, str) else answer

    def text(self, text: str) -> str:
        if (named := self._texts.get(text)) is None:
            named = self._texts[text] = text.translate(self._table)
        return named
