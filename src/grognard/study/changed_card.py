"""A changed card: another file for a game's card, played by the same rules.

Everything that the rules look up by name must exist; numbers, cells and conditions may differ.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from grognard.card.card import Card, Number, encode_hook
from grognard.card.modifier_rows import Limit, Modifier
from grognard.card.rows import Row, Value
from grognard.card.tables import Table
from grognard.card.wording import effect
from grognard.files.source import Source
from grognard.rules import game
from grognard.rules.procedure import Game
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near
from grognard.words.text import LANGS, Text


def own_game(id_: str, source: Source) -> Game:
    """Load a game with the card of a file; refuse a card that does not fit its rules."""
    shipped = game.load(id_)
    card = game.read_card(source.text, source.name)
    for problem in _problems(card, shipped.card):
        raise Refusal(problem, source=source.name)
    return Game(card, shipped.procedures)


def _problems(card: Card, shipped: Card) -> Iterator[Message]:
    if card.id != shipped.id:
        yield say("this is a card of {other}, not of {game}", other=card.id, game=shipped.id)
        return
    theirs = _parts(shipped)
    for part, ids in _parts(card).items():
        for id_ in theirs[part]:
            if id_ not in ids:
                yield say("'{id}' is missing among the {part}: rules need it", id=id_, part=part)
    known = {fact.id: fact.kind for fact in shipped.facts}
    for fact in card.facts:
        if known.get(fact.id) != fact.kind:
            yield say("the rules state no fact '{id}' of this kind", id=fact.id)
    for number in shipped.numbers:
        if card.number(number.id) < 0 <= number.value:
            yield say("the number '{id}' can't be below 0", id=number.id)
    yield from _terrain_problems(card, shipped)
    for table in shipped.tables:
        yield from _table_problems(card.table(table.id), table)


def _parts(card: Card) -> Mapping[str, Sequence[str]]:
    rows: dict[str, Sequence[Row | Table]] = {**card.rows, "tables": card.tables}
    parts: dict[str, Sequence[str]] = {part: [row.id for row in of] for part, of in rows.items()}
    parts["choices"] = [f"{o.id} = {choice.id}" for o in card.options for choice in o.choices]
    parts["phrases"] = list(card.phrases)
    return parts


def _table_problems(table: Table, shipped: Table) -> Iterator[Message]:
    """Compare dice, labels and results, which the rules know by name."""
    for what in ("dice", "cells", "row_labels", "column_labels"):
        if getattr(table, what) != getattr(shipped, what):
            yield say("table {table}: the rules need {what} as they are", table=table.id, what=what)
    for key, axis, printed in (
        ("rows", table.rows, shipped.rows),
        ("columns", table.columns, shipped.columns),
    ):
        if printed.starts and not axis.starts:
            yield say(
                "table {table}: {key}.from is missing; expected where each of its labels starts",
                table=table.id,
                key=key,
            )
    known = {code: _kinds(result.values) for code, result in shipped.legend.items()}
    for code, result in table.legend.items():
        if known.get(code) != _kinds(result.values):
            yield say(
                "table {table}: the rules know no such result '{code}'", table=table.id, code=code
            )
        yield from _value_problems(code, result.values, [r.values for r in shipped.results])


def _terrain_problems(card: Card, shipped: Card) -> Iterator[Message]:
    """Compare the values of terrain, which the rules know by name."""
    known = {row.id: _kinds(row.values) for row in shipped.terrain}
    for row in card.terrain:
        if known.get(row.id, _kinds(row.values)) != _kinds(row.values):
            yield say("terrain '{id}': the rules need its values as they are", id=row.id)
        yield from _value_problems(row.id, row.values, [r.values for r in shipped.terrain])


def _value_problems(
    id_: str, values: Mapping[str, Value], shipped: Iterable[Mapping[str, Value]]
) -> Iterator[Message]:
    """Find words that the rules do not know, and numbers below 0 where they expect none."""
    rows = list(shipped)
    for key, value in values.items():
        known = [row[key] for row in rows if key in row]
        where = f"{id_}: {key}"
        if isinstance(value, str) and value not in known:
            close = near(value, sorted({str(word) for word in known}))
            problem = say("'{word}' is not possible here", word=value)
            yield say("{where}: {problem}; {near}", where=where, problem=problem, near=close)
        least = min((n for n in known if isinstance(n, int)), default=0)
        if isinstance(value, int) and value < 0 <= least:
            yield say("the number '{id}' can't be below 0", id=where)


def _kinds(values: Mapping[str, object]) -> dict[str, type]:
    return {key: type(value) for key, value in values.items()}


class Changed(NamedTuple):
    """A difference between two cards."""

    what: Text
    then: Text
    now: Text


def changes(card: Card, other: Card) -> Iterator[Changed]:
    """Give every cell and every row that differs between two cards of the same rules."""
    for table in other.tables:
        yield from _cells(card.table(table.id), table)
    theirs = other.rows
    for part, rows in card.rows.items():
        known = {row.id: row for row in theirs[part]}
        for row in rows:
            before = known.get(row.id)
            if before is None or _plain(row) != _plain(before):
                then = _written(before, other) if before else _same("–")
                yield Changed(row.text, then, _written(row, card))


def _plain(row: Row) -> object:
    """Convert a row to plain data; conditions are compared by their text."""
    return msgspec.to_builtins(row, enc_hook=encode_hook)


def _cells(table: Table, other: Table) -> Iterator[Changed]:
    for row in other.row_labels:
        for column in other.column_labels:
            then, now = other.cell(row, column).printed, table.cell(row, column).printed
            if now != then:
                place = (f"{table.text.in_(lang)}, {row} × {column}" for lang in LANGS)
                yield Changed(Text(*place), _same(then), _same(now))
    for what, now_, then_ in (
        (table.rows.text, table.rows.starts, other.rows.starts),
        (table.columns.text, table.columns.starts, other.columns.starts),
    ):
        if now_ != then_:
            yield Changed(what, _same(_list(then_)), _same(_list(now_)))
    for code, result in table.legend.items():
        before = other.legend[code]
        if result.values != before.values:
            yield Changed(result.text, _same(_values(before.values)), _same(_values(result.values)))


def _same(words: str) -> Text:
    return Text(words, words)


def _list(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def _values(values: Mapping[str, object]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in values.items())


def _written(row: Row, card: Card) -> Text:
    """Write a modifier's effect and conditions, or a number; for other rows their wording."""
    match row:
        case Modifier():
            effects = (_list((effect(card, row, lang), *row.when)) for lang in LANGS)
            return Text(*effects)
        case Number():
            return _same(str(row.value))
        case Limit():
            return _same(f"{row.combine} {row.least}…{row.most}")
    return row.text
