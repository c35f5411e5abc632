"""Advice on a card that works: what looks uneven, idle, unused or untranslated."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random

from msgspec import inspect

from grognard.card.card import Card
from grognard.card.effects import Effect, parse_does
from grognard.card.known_facts import unit_facts
from grognard.card.rows import Row
from grognard.card.tables import Table
from grognard.files.value_path import PathStep, ValuePath
from grognard.rules.procedure import Game
from grognard.study.figures import MEASURES, Figures
from grognard.study.grid import Dip
from grognard.study.printed_cells import PrintedCell
from grognard.study.report import ReportRequest, report
from grognard.testing.label_advice import label_advice
from grognard.testing.random_setups import random_fights
from grognard.words.message import Message, say
from grognard.words.text import LANGS, Text

TRIED = 300  # random fights of each procedure
Advice = tuple[Message, ValuePath]


def advice(rules: Game, data: Mapping[str, object]) -> Iterator[Advice]:
    """Say what looks wrong with a game that works, and where its card says it."""
    yield from label_advice(rules.card)
    yield from _uneven(rules)
    yield from _idle_modifiers(rules)
    yield from _unused_results(rules.card)
    yield from _unused_rows(rules.card, data)
    yield from _one_language(data)


def _uneven(rules: Game) -> Iterator[Advice]:
    """Cells where a better column or die makes the attacker worse off in the example fight, and
    better off in nothing: an exchange costs both. Each pair of results is told once, at its first
    place."""
    each = {row.id for row in rules.card.procedures if row.rolls == "each"}  # two rolls, two cells
    for section in report(ReportRequest(game=rules)).sections:
        if section.sheet.procedure in each:
            continue
        table = rules.card.table(section.sheet.table)
        number = [other.id for other in rules.card.tables].index(table.id)
        found: dict[tuple[str, str], list[Dip[PrintedCell]]] = {}
        for dip in section.printed_dips:
            if dip.at.row in table.row_labels and _only_worse(section.printed.cells, dip):
                pair = _printed(table, dip.at), _printed(table, dip.than)
                found.setdefault(pair, []).append(dip)
        for (worse, better), dips in found.items():
            at, than = dips[0].at, dips[0].than
            row, column = table.row_labels.index(at.row), table.column_labels.index(at.column)
            told = say(
                "{worse} (row {row}, column {column}) is worse for the attacker than {better} "
                "(row {other_row}, column {other_column}){more}: is that printed so?",
                worse=worse,
                row=at.row,
                column=at.column,
                better=better,
                other_row=than.row,
                other_column=than.column,
                more=_more(len({dip.at for dip in dips}) - 1),
            )
            yield told, ("tables", number, "grid", row + 1, column + 1)


def _only_worse(cells: Mapping[PrintedCell, Figures], dip: Dip[PrintedCell]) -> bool:
    """Tell whether the attacker is worse off by his doctrine, and no better by any count of losses
    and ground. (Units that are gone are not shaken, so that count tells nothing.)"""
    now, then = cells[dip.at], cells[dip.than]
    counts = [measure for measure in MEASURES if not measure.id.endswith("shaken")]
    return dip.all_in_all and not any(measure.worse(then, now) for measure in counts)


def _printed(table: Table, at: PrintedCell) -> str:
    return table.cell(at.row, at.column).printed


def _more(cells: int) -> Message | str:
    return say(", and so in {n} more {n:cell|cells}", n=cells) if cells else ""


def _idle_modifiers(rules: Game) -> Iterator[Advice]:
    """Modifiers that no random fight meets: their conditions may exclude each other."""
    met: set[str] = set()
    for procedure in rules.procedures:
        for fight in islice(random_fights(rules, procedure.id, Random(1)), TRIED):
            met.update(line.id for line in fight.explain().modifiers)
    for number, modifier in enumerate(rules.card.modifiers):
        if modifier.id not in met:
            told = say(
                "modifier '{id}' applied in none of {n} random fights: can it ever apply?",
                id=modifier.id,
                n=TRIED * len(rules.procedures),
            )
            yield told, ("modifiers", number)


def _unused_results(card: Card) -> Iterator[Advice]:
    """Results of a legend that stand in no cell, and that no procedure names."""
    named = {word for row in card.procedures for word in (row.below, row.beyond, row.zero_defence)}
    for number, table in enumerate(card.tables):
        used = {
            code
            for row in table.row_labels
            for column in table.column_labels
            for half in table.cell(row, column).halves
            for codes in half.options
            for code in codes
        }
        words = {code for word in named for code in word.split("/")} | named
        for place, result in enumerate(table.results):
            if result.code not in used | words:
                told = say("result '{code}' stands in no cell of its table", code=result.code)
                yield told, ("tables", number, "results", place)


def _unused_rows(card: Card, data: Mapping[str, object]) -> Iterator[Advice]:
    """Facts, unit fields, states, checks and tables that nothing in the card looks at."""
    used = {*_tested(card), *_named_by_rows(card), *(effect.word for effect in _effects(card))}
    if card.map is not None:
        support = card.map.support
        used |= {*ON_THE_MAP, *card.map.facts, card.map.stacking_counts, str(card.map.range)}
        used |= {support.strength, str(support.range)} if support else set()
    for part in ("facts", "unit_fields", "states", "checks", "tables"):
        rows: Sequence[Row | Table] = card.tables if part == "tables" else card.rows[part]
        written = data.get(part)
        count = len(written) if isinstance(written, list) else 0  # the others are defaults
        for number, row in enumerate(rows[:count]):
            if row.id not in used:
                yield say("nothing in the card looks at '{id}'", id=row.id), (part, number)


ON_THE_MAP = ("kind", "size")  # unit fields that the map shows


def _tested(card: Card) -> Iterator[str]:
    """Name what conditions look at: facts, and the fields behind `any_attacker_…` and the like."""
    known = unit_facts(card)
    choices = [choice for row in card.procedures for choice in row.choices]
    tests = {test.fact for choice in choices for when in choice.when for test in when.tests}
    tests |= {test.fact for row in card.procedures for when in row.unharmed for test in when.tests}
    for modifier in card.modifiers:
        tests |= modifier.facts | {modifier.times or "", modifier.sign_of or ""}
    yield from tests
    for fact in tests:
        yield from (field for field in known if fact.endswith(f"_{field}"))


def _named_by_rows(card: Card) -> Iterator[str]:
    """Name the fields and tables that procedures, checks and axes look up."""
    for row in card.procedures:
        yield from (row.attack, row.defence, *(choice.table for choice in row.choices))
    for check in card.checks:
        yield from (*check.fields, check.table or "")
    for table in card.tables:
        yield from (axis.of or "" for axis in (table.rows, table.columns))


def _effects(card: Card) -> Iterator[Effect]:
    words = [result.does for table in card.tables for result in table.results]
    for does in (*words, *(check.fails for check in card.checks)):
        yield from parse_does(does).effects() if does else ()


def _one_language(data: Mapping[str, object]) -> Iterator[Advice]:
    """Texts that are given in one language only; the first of them is named."""
    missing = [*_missing(data, inspect.type_info(Card), ())]
    if missing:
        told = say(
            "texts in one language: {n}; the other shows them as they are. To give both, write "
            '{{ en = "…", fr = "…" }}',
            n=len(missing),
        )
        yield told, missing[0]


def _missing(data: object, info: inspect.Type, path: ValuePath) -> Iterator[ValuePath]:
    match info:
        case inspect.StructType(cls=cls) if cls is Text:
            if isinstance(data, str) or (isinstance(data, dict) and not set(LANGS) <= data.keys()):
                yield path
        case inspect.UnionType(types=types):
            for one in types:
                yield from _missing(data, one, path)
        case _:
            for step, value, type_ in _inside(data, info):
                yield from _missing(value, type_, (*path, step))


def _inside(data: object, info: inspect.Type) -> Iterator[tuple[PathStep, object, inspect.Type]]:
    match data, info:
        case dict(), inspect.StructType(fields=fields):
            types = {field.encode_name: field.type for field in fields}
            yield from ((key, data[key], type_) for key, type_ in types.items() if key in data)
        case dict(), inspect.DictType(value_type=item):
            yield from ((str(key), value, item) for key, value in data.items())
        case list(), inspect.VarTupleType(item_type=item):
            yield from ((number, value, item) for number, value in enumerate(data))
