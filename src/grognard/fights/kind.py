"""The kind of a fight: everything its odds depend on, with tokens for unit names.

A fight has a kind once it is trimmed: only what later steps read is left of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grognard.rules.ask import Answer, Commit
from grognard.rules.fight import (
    Case,
    CaseKey,
    Fight,
    Outcome,
    Setup,
    Unit,
    shared_case,
    unit_fields,
)
from grognard.rules.line import Line

# Tokens are characters that no card uses, so that names can be put back into any text. Those of the
# units of a list do not depend on how many there are in the lists before it.
FIRST_TOKEN = 0xF0000
_OF_A_LIST = 0x400
UnitNames = Mapping[int, str]  # by token


class Kind(NamedTuple):
    """A trimmed fight with tokens for names, and the names by their tokens."""

    fight: Fight  # equal, with the very same case, for all fights of the kind
    names: UnitNames
    other_names: UnitNames  # the names, unless they are the tokens themselves


class _Tokened(NamedTuple):
    """A case with tokens for names; its units, and as they were before."""

    case: Case[Any]
    attackers: tuple[Unit, ...]
    defenders: tuple[Unit, ...]
    ours: tuple[Unit, ...] | None  # the attackers of the set-up, if it has any
    theirs: tuple[Unit, ...] | None
    names: UnitNames
    other_names: UnitNames


def kind_of(fight: Fight) -> Kind:
    """Give the kind of a trimmed fight."""
    case, attackers, defenders, ours, theirs, names, other_names = _tokened(fight.case)
    # Often the units of the fight are the same objects as in the set-up.
    if fight.attackers is not ours:
        attackers = _named(fight.attackers, names)
    if fight.defenders is not theirs:
        defenders = _named(fight.defenders, names)
    changed = replace(fight, case=case, attackers=attackers, defenders=defenders)
    return Kind(changed, names, other_names)


@lru_cache(maxsize=1024)
def _tokened(case: Case[Any]) -> _Tokened:
    """Put tokens for names into a case."""
    setup: Setup = case.setup
    names, same, units = dict[int, str](), True, dict[str, tuple[Unit, ...]]()
    for place, field in enumerate(unit_fields(type(setup))):
        units[field], of_list, alike = with_tokens(getattr(setup, field), place)
        names.update(of_list)
        same = same and alike
    restated = case if same else case.restated(replace(setup, **units))
    shared = shared_case(CaseKey(restated))
    return _Tokened(
        shared,
        units.get("attackers", ()),
        units.get("defenders", ()),
        getattr(setup, "attackers", None),
        getattr(setup, "defenders", None),
        names,
        {} if same else names,
    )


class _List(NamedTuple):
    """Units with tokens for names, and the names by their tokens."""

    units: tuple[Unit, ...]
    names: UnitNames
    same: bool  # whether the names are the tokens themselves


@lru_cache(maxsize=4096)  # fights meet the same stacks over and over
def with_tokens(units: tuple[Unit, ...], place: int) -> _List:
    """Put tokens for names into the units of a list of the set-up, given by its place."""
    names = dict(enumerate([unit.name for unit in units], FIRST_TOKEN + place * _OF_A_LIST))
    renamed = tuple([_renamed(unit, chr(token)) for token, unit in zip(names, units, strict=True)])
    return _List(renamed, names, all(name == chr(token) for token, name in names.items()))


@lru_cache(maxsize=4096)  # fights meet the same units over and over
def _renamed(unit: Unit, name: str) -> Unit:
    return replace(unit, name=name)


def _named(units: tuple[Unit, ...], names: UnitNames) -> tuple[Unit, ...]:
    if not units:
        return units
    tokens = {name: chr(token) for token, name in names.items()}
    return tuple([_renamed(unit, tokens[unit.name]) for unit in units])


def names_units(outcome: Outcome) -> bool:
    """Tell whether an outcome contains tokens."""
    return any(max(text, default="") >= chr(FIRST_TOKEN) for text in outcome.details)


class Names:
    """Replaces tokens by the names of units."""

    def __init__(self, names: UnitNames) -> None:
        self._table = names
        self._texts: dict[str, str] = {}  # outcomes repeat a few texts over and over

    def outcome(self, outcome: Outcome, **changed: object) -> Outcome:
        """Give an outcome with names, and with other changes."""
        details = tuple([self.text(text) for text in outcome.details])
        return replace(outcome, details=details, **changed)

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


class Renamed(Struct, frozen=True, eq=False):
    """Doubtful lines with tokens, and the names that are put in when somebody reads them."""

    lines: Iterable[Doubt]
    names: UnitNames


Doubt = Line | Renamed


def lines_of(doubts: Iterable[Doubt]) -> Iterator[Line]:
    """Give doubtful lines, with names where they were renamed."""
    for doubt in doubts:
        if isinstance(doubt, Line):
            yield doubt
        else:
            yield from map(Names(doubt.names).line, lines_of(doubt.lines))
