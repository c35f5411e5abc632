"""The modifiers of a sheet as rows to tap: which count, which may, which can't and why."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.modifier_rows import Comparison, Condition, Group, Modifier, Test
from grognard.fights.explain import Explanation
from grognard.rules import game
from grognard.rules.game_places import GamePlace
from grognard.rules.line import Line
from grognard.rules.modifiers import Facts, FactValue, all_hold, holds, holds_test
from grognard.rules.stages.state import needs
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet
from grognard.study.player_sheet import Control
from grognard.words.message import Message, say
from grognard.words.text import Text

RowState = Literal["counts", "open", "closed"]


class ModifierRow(Struct, frozen=True, kw_only=True):
    """A printed modifier, its controls, and its state in this fight."""

    modifier: Modifier
    controls: tuple[Control, ...]
    state: RowState
    counted: tuple[Line, ...] = ()  # as the fight explains it
    why: tuple[Text, ...] = ()  # why it can't count


class RowGroup(Struct, frozen=True, kw_only=True):
    """A group of modifiers, as printed under one heading."""

    group: Group
    rows: tuple[ModifierRow, ...]


class Statement(Struct, frozen=True, kw_only=True):
    """A fight as far as it is stated; the rules may not accept it yet."""

    card: Card
    sheet: PlayerSheet
    stated: Mapping[str, object] = MappingProxyType({})
    options: Mapping[str, str] = MappingProxyType({})
    explanation: Explanation | None = None


def groups(statement: Statement) -> tuple[RowGroup, ...]:
    """Give every modifier of a sheet, grouped and ordered as printed."""
    rows = _RowMaker(statement)
    return tuple(
        RowGroup(group=group, rows=tuple(map(rows.row, modifiers)))
        for group, modifiers in rows.layout.groups
    )


def others(card: Card, sheet: PlayerSheet) -> tuple[Control, ...]:
    """Give the controls that belong to no unit, no modifier and not to the first facts."""
    return _layout(game.place(card.id), sheet.procedure).others


class _Need(NamedTuple):
    """A condition of a modifier besides its own box, and the message if it is not met."""

    facts: frozenset[str]
    condition: Condition
    told: Text


class _SheetLayout:
    """The parts of a sheet that are the same for every fight."""

    def __init__(self, card: Card, sheet: PlayerSheet) -> None:
        self.sheet = sheet
        self._places: dict[str, tuple[str, ...]] = {}
        self.known = player_sheet.controls(card.id, sheet.procedure)
        self.single = [control for control in self.known.values() if not control.list]
        by = {fact: [self.known[p] for p in places] for fact, places in sheet.by.items()}
        self.flags = {
            fact: controls
            for fact, controls in by.items()
            if all(control.list and control.kind == "flag" for control in controls)
        }
        self.tables = {table.id: table.text for table in card.tables}
        self.words = {row.id: row.text for row in (*card.facts, *card.options)}
        self.words |= player_sheet.load(card.id).labels
        self.names = {value: text for c in self.known.values() for value, text in c.values}
        for option in card.options:
            self.names |= {choice.id: choice.text for choice in option.choices}
        self.groups = [
            (group, tuple(row for row in card.modifiers if row.group == group.id))
            for group in card.groups
            if group.id in sheet.groups
        ]
        rows = [row for _, grouped in self.groups for row in grouped]
        self.controls = {row.id: tuple(self._controls(row)) for row in rows}
        self.needs = {row.id: tuple(self._needs(row)) for row in rows}
        self.bars = {  # the conditions that cancel a modifier, and their facts
            row.id: [
                (frozenset().union(*map(_facts_of, instead.when)), instead.when)
                for instead in row.instead
                if not instead.value
            ]
            for row in rows
        }
        tapped = {control.place for found in self.controls.values() for control in found}
        self.others = tuple(
            control
            for control in self.single
            if control.place not in tapped and control.place not in sheet.first
        )

    def _controls(self, modifier: Modifier) -> Iterator[Control]:
        """Give the controls of a modifier: the fields behind the facts in its conditions."""
        for place in dict.fromkeys(p for fact in _looked_at(modifier) for p in self.places(fact)):
            control = _narrowed(self.known[place], modifier)
            if control.kind == "set" and not control.values:
                continue  # what it must not have is stated by other rows
            if control.kind == "set" or control.place not in self.sheet.first:
                yield control

    def places(self, fact: str) -> tuple[str, ...]:
        if (known := self._places.get(fact)) is None:
            lists = ["", *(f"{units.list}." for units in self.sheet.units)]
            named = tuple(f"{list_}{fact}" for list_ in lists if f"{list_}{fact}" in self.known)
            known = self._places[fact] = self.sheet.by.get(fact, named)
        return known

    def _needs(self, modifier: Modifier) -> Iterator[_Need]:
        own = {control.place for control in self.controls[modifier.id][:1]}
        for condition in modifier.when:
            facts = _facts_of(condition)
            if not any(own.intersection(self.places(fact)) for fact in facts):
                needed = say("needs: {what}", what=self._either(condition.tests))
                yield _Need(facts, condition, _in_both(needed))

    def only_on(self, table: str) -> Text:
        return _in_both(say("only on table {table}", table=self.tables[table]))

    def barred(self, tests: Sequence[Test]) -> Text:
        return _in_both(say("not with: {what}", what=self._either(tests)))

    def _either(self, tests: Sequence[Test]) -> Message:
        """Put tests into words, with `or` between them."""
        first, *more = map(self._test, tests)
        for test in more:
            first = say("{one} or {other}", one=first, other=test)
        return first

    def _test(self, test: Test) -> Message:
        fact = self.words.get(test.fact, Text(test.fact, test.fact))
        if test.comparison is Comparison.AT_LEAST:
            told = say("{fact}: at least {n}", fact=fact, n=test.value)
        elif test.comparison is Comparison.AT_MOST:
            told = say("{fact}: at most {n}", fact=fact, n=test.value)
        elif isinstance(test.value, tuple):
            told = say("{fact}: {words}", fact=fact, words=self._values(test))
        else:
            told = say("{fact}", fact=fact)
        return say("not {what}", what=told) if test.negated else told

    def _values(self, test: Test) -> Text:
        names, wanted = self.names, test.value if isinstance(test.value, tuple) else ()
        texts = [names[value] for value in wanted if value in names]
        return Text(", ".join(t.en for t in texts) or "–", ", ".join(t.fr for t in texts) or "–")


@cache
def _layout(place: GamePlace, procedure: str) -> _SheetLayout:
    return _SheetLayout(game.card(place.id), player_sheet.load(place.id).sheet(procedure))


class _RowMaker:
    """Makes the rows of a statement."""

    def __init__(self, statement: Statement) -> None:
        self.layout = _layout(game.place(statement.card.id), statement.sheet.procedure)
        self.facts = _facts(self.layout, statement)
        self.table = _chosen(statement, self.facts)
        self.counted: dict[str, list[Line]] = {}
        for line in statement.explanation.modifiers if statement.explanation else ():
            self.counted.setdefault(line.id, []).append(line)

    def row(self, modifier: Modifier) -> ModifierRow:
        counted = tuple(self.counted.get(modifier.id, ()))
        why = () if counted else tuple(self._why_not(modifier))
        state: RowState = "counts" if counted else "closed" if why else "open"
        controls = self.layout.controls[modifier.id]
        return ModifierRow(
            modifier=modifier, controls=controls, state=state, counted=counted, why=why
        )

    def _why_not(self, modifier: Modifier) -> Iterator[Text]:
        """Name the conditions that are not met, besides its own box, or that cancel it."""
        known = self.facts.keys()
        if self.table is not None and modifier.table not in (None, *self.table):
            yield self.layout.only_on(modifier.table or "")
        for facts, condition, told in self.layout.needs[modifier.id]:
            if known >= facts and not holds(condition, self.facts):
                yield told
        for facts, when in self.layout.bars[modifier.id]:
            if known >= facts and all_hold(when, self.facts):
                met = [test for test in when[-1].tests if holds_test(test, self.facts)]
                yield self.layout.barred(met)


def _facts_of(condition: Condition) -> frozenset[str]:
    return frozenset(test.fact for test in condition.tests)


def _in_both(message: Message) -> Text:
    return Text(message.in_("en"), message.in_("fr"))


def _looked_at(modifier: Modifier) -> Iterator[str]:
    for condition in modifier.when:
        yield from (test.fact for test in condition.tests)
    yield from (fact for fact in (modifier.times, modifier.sign_of) if fact)


def _narrowed(control: Control, modifier: Modifier) -> Control:
    """Keep, of a set of words, those that this modifier tests: each has a box."""
    wanted = {
        word
        for condition in modifier.when
        for test in condition.tests
        if test.fact == control.field and isinstance(test.value, tuple) and not test.negated
        for word in test.value
    }
    tested = any(
        test.fact == control.field for condition in modifier.when for test in condition.tests
    )
    if control.kind != "set" or not tested:
        return control
    values = tuple(pair for pair in control.values if pair[0] in wanted)
    return replace(control, values=values)


def _facts(layout: _SheetLayout, statement: Statement) -> Facts:
    """Give the facts that follow directly from the statements; only the rules know the others."""
    stated = statement.stated
    facts: dict[str, FactValue] = dict(statement.options)
    for control in layout.single:
        value = stated.get(control.place, control.default)
        if isinstance(value, list | tuple):
            facts[control.place] = frozenset(map(str, value))
        elif isinstance(value, bool | int | str):
            facts[control.place] = value
    for fact, controls in layout.flags.items():
        facts[fact] = any(_flagged(control, stated) for control in controls)
    return facts


def _chosen(statement: Statement, facts: Facts) -> Collection[str] | None:
    """Give the table that is read, by what is stated, and those that its results may call; None
    where the card does not say it, or it is not known yet."""
    rows = [row for row in statement.card.procedures if row.id == statement.sheet.procedure]
    for choice in rows[0].choices if rows else ():
        looked_at = frozenset[str]().union(*map(_facts_of, choice.when))
        if not facts.keys() >= looked_at:
            return None
        if all_hold(choice.when, facts):
            return (choice.table, *needs(statement.card).called)
    return None


def _flagged(control: Control, stated: Mapping[str, object]) -> bool:
    units = stated.get(control.list)
    if not isinstance(units, list | tuple):
        return False
    return any(isinstance(unit, dict) and unit.get(control.field) is True for unit in units)
