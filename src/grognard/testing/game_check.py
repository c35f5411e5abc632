"""The check of a game that somebody writes: it is read, proved on random fights, and advised on."""

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from typing import Literal, NamedTuple

from msgspec import inspect

from grognard.card.card import Card
from grognard.card.written_lines import line_in_card
from grognard.files import toml_file
from grognard.files.value_path import PathStep, ValuePath
from grognard.rules import game
from grognard.rules.game_places import GamePlace
from grognard.rules.procedure import Game
from grognard.study.report import ReportRequest, report
from grognard.testing.array_conformance import check_arrays
from grognard.testing.conformance import NotConforming, check_game
from grognard.testing.random_setups import random_fights
from grognard.words.message import Message, say
from grognard.words.text import LANGS, Text

FIGHTS, ON_ARRAYS, TRIED = 25, 8, 300  # random fights of each procedure


class Finding(NamedTuple):
    """What a check has found: a problem, or advice."""

    kind: Literal["problem", "advice"]
    text: Message
    line: int | None = None


def check_place(place: GamePlace) -> Iterator[Finding]:
    """Check a game; one that can't be read is refused."""
    rules = game.load(place.id)
    yield from proved(rules)
    text = place.text()
    data = toml_file.parse(text, place.source)
    for told, path in _advice(rules, data):
        yield Finding("advice", told, line_in_card(text, data, path))


def proved(rules: Game, seed: int = 0) -> Iterator[Finding]:
    """Prove a game on random fights made from its card."""
    for procedure in rules.procedures:
        fights = [*islice(random_fights(rules, procedure.id, Random(seed)), FIGHTS)]
        try:
            check_game(rules, fights, seed)
            check_arrays(fights[:ON_ARRAYS])
        except NotConforming as error:
            problem = say(
                "procedure {id} does not keep what every game must keep: {problem}",
                id=procedure.id,
                problem=str(error),
            )
            yield Finding("problem", problem)


Advice = tuple[Message, ValuePath]


def _advice(rules: Game, data: Mapping[str, object]) -> Iterator[Advice]:
    yield from _uneven(rules)
    yield from _idle_modifiers(rules)
    yield from _unused_results(rules.card)
    yield from _one_language(data)


def _uneven(rules: Game) -> Iterator[Advice]:
    """Cells where a better column or die makes the attacker worse off, in the example fight."""
    each = {row.id for row in rules.card.procedures if row.rolls == "each"}  # two rolls, two cells
    for section in report(ReportRequest(game=rules)).sections:
        if section.sheet.procedure in each:
            continue
        table = rules.card.table(section.sheet.table)
        number = [other.id for other in rules.card.tables].index(table.id)
        seen = set()
        for dip in section.printed_dips:
            at, than = dip.at, dip.than
            if not dip.all_in_all or (at, than) in seen or at.row not in table.row_labels:
                continue
            seen.add((at, than))
            row, column = table.row_labels.index(at.row), table.column_labels.index(at.column)
            told = say(
                "row {row}, column {column} is worse for the attacker than row {other_row}, column "
                "{other_column}: is that printed so?",
                row=at.row,
                column=at.column,
                other_row=than.row,
                other_column=than.column,
            )
            yield told, ("tables", number, "grid", row + 1, column + 1)


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


def _one_language(data: Mapping[str, object]) -> Iterator[Advice]:
    """Texts that are given in one language only; the first of them is named."""
    missing = [*_missing(data, inspect.type_info(Card), ())]
    if missing:
        told = say(
            "{n} texts are in one language; the other shows them as they are. To give both, write "
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
