"""Checks of what a card says about its fights. Each yields the problem and its path."""

from collections.abc import Iterable, Iterator

from grognard.card.card import Card
from grognard.card.dice import parse_dice
from grognard.card.effects import Effect, parse_does
from grognard.card.known_facts import known_facts, unit_facts
from grognard.card.procedures import FIRST, LAST, ONE, REFUSED, CheckRow, ProcedureRow
from grognard.card.tables import NUMBERS, Result, Table
from grognard.files.value_path import Problem, ValuePath
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near

_NAMES = ("name", "steps", "attackers", "defenders", "attacker_room", "defender_room")


def fights(card: Card) -> Iterator[Problem]:
    """Check procedures, unit fields, states, checks, and what results do."""
    for number, table in enumerate(card.tables):
        yield from _dice(table.dice, ("tables", number, "dice"))
    if not card.procedures:
        return
    yield from _names(card)
    for number, row in enumerate(card.procedures):
        yield from _procedure(card, row, ("procedures", number))
    for number, check in enumerate(card.checks):
        yield from _check(card, check, ("checks", number))
    for number, table in enumerate(card.tables):
        yield from _axis(card, table, ("tables", number))
        for place, result in enumerate(table.results):
            yield from _result(card, table, result, ("tables", number, "results", place))


def _dice(words: str | None, path: ValuePath) -> Iterator[Problem]:
    try:
        parse_dice(words or "1d6")
    except Refusal as refusal:
        yield refusal.problem, path


def _names(card: Card) -> Iterator[Problem]:
    """A value of a fight has one meaning: no two parts share an id."""
    taken = dict.fromkeys(_NAMES, say("every fight has it"))
    for part in ("facts", "unit_fields", "states"):
        for number, row in enumerate(card.rows[part]):
            path: ValuePath = (part, number, "id")
            if not row.id.isidentifier() or row.id.startswith("_"):
                problem = say(
                    "'{id}' can't be the id of a value; expected letters, digits and _ only",
                    id=row.id,
                )
                yield problem, path
            elif row.id in taken:
                yield say("'{id}' is taken: {why}", id=row.id, why=taken[row.id]), path
            taken.setdefault(row.id, say("it stands among the {part}", part=part))
    for number, field in enumerate(card.unit_fields):
        if field.kind == "word" and not field.values:
            yield say("a word needs its values"), ("unit_fields", number)


def _procedure(card: Card, row: ProcedureRow, path: ValuePath) -> Iterator[Problem]:
    tables = {table.id: table for table in card.tables}
    numbers = [field.id for field in card.unit_fields if field.kind == "number"]
    for key, default in (("attack", "attack"), ("defence", "defence")):
        field = getattr(row, key)
        if field != default:
            yield from _known("unit field", field, numbers, (*path, key))
    for number, choice in enumerate(row.choices):
        here = (*path, "tables", number) if row.tables else path
        yield from _known("table", choice.table, tables, (*here, "table"))
        if (table := tables.get(choice.table)) is None:
            continue
        if table.cells == "options" or (table.cells == "pair") != (row.rolls == "each"):
            yield from _cells(table, row, here)
        yield from _ends(row, table, path)
    if row.beyond != LAST and row.beyond_from is None:
        yield say("beyond_from is missing: from which value on it is beyond the table"), path


def _cells(table: Table, row: ProcedureRow, path: ValuePath) -> Iterator[Problem]:
    if table.cells == "options":
        yield say("cells with options need rules in Python; expected codes or pair"), path
    elif row.rolls == "each":
        yield say('rolls = "each" needs a table with cells = "pair"'), (*path, "rolls")


def _ends(row: ProcedureRow, table: Table, path: ValuePath) -> Iterator[Problem]:
    """Below, beyond and no defence: a word, or a result of the table."""
    words: dict[str, tuple[str, ...]] = {
        "below": (FIRST, REFUSED),
        "beyond": (LAST, REFUSED),
        "zero_defence": (LAST, ONE, REFUSED),
    }
    for key, known in words.items():
        word = getattr(row, key)
        if word in known:
            continue
        try:
            table.parse(word)
        except Refusal:
            problem = say(
                "'{word}' is neither {words} nor a result of table {table} ({codes})",
                word=word,
                words=", ".join(known),
                table=table.id,
                codes=", ".join(table.legend),
            )
            yield problem, (*path, key)


def _axis(card: Card, table: Table, path: ValuePath) -> Iterator[Problem]:
    numbers = [id_ for id_, known in known_facts(card).items() if known.kind == "number"]
    numbers += [id_ for id_, known in unit_facts(card).items() if known.kind == "number"]
    for key, axis, labels in (
        ("rows", table.rows, table.row_labels),
        ("columns", table.columns, table.column_labels),
    ):
        if axis.of is not None:
            yield from _known("number", axis.of, [*NUMBERS, *numbers], (*path, key, "of"))
        read = {choice.table for row in card.procedures for choice in row.choices}
        if not axis.starts and (key == "rows" or (len(labels) > 1 and table.id in read)):
            problem = say(
                "where each of {labels} starts is not clear; expected from = [ … ], the least "
                "value of each",
                labels=", ".join(labels),
            )
            yield problem, (*path, key)


def _check(card: Card, check: CheckRow, path: ValuePath) -> Iterator[Problem]:
    numbers = [field.id for field in card.unit_fields if field.kind == "number"]
    for field in check.fields:
        yield from _known("unit field", field, numbers, (*path, "against"))
    yield from _dice(check.dice, (*path, "dice"))
    if bool(check.fails) == (check.table is not None):
        yield say("a check has either fails or a table"), path
    if check.table is not None:
        yield from _known("table", check.table, [t.id for t in card.tables], (*path, "table"))
    elif check.fails:
        yield from _does(card, check.fails, (*path, "fails"), of_units=True)


def _result(card: Card, table: Table, result: Result, path: ValuePath) -> Iterator[Problem]:
    if not result.does:
        if _is_read(card, table):
            problem = say("result '{code}' has no meaning; expected does = …", code=result.code)
            yield problem, path
        return
    margins = {check.table for check in card.checks}
    own = table.cells == "pair"
    yield from _does(card, result.does, (*path, "does"), of_units=table.id in margins, own=own)


def _is_read(card: Card, table: Table) -> bool:
    """Tell whether fights read a table; a card may print others."""
    read = {choice.table for row in card.procedures for choice in row.choices}
    read |= {check.table or "" for check in card.checks}
    return table.id in read


_OF_UNITS = ("nothing", "state", "lose", "eliminate", "retreat")


def _does(
    card: Card, words: str, path: ValuePath, *, of_units: bool = False, own: bool = False
) -> Iterator[Problem]:
    try:
        does = parse_does(words)
    except Refusal as refusal:
        yield refusal.problem, path
        return
    if of_units:
        does = does.of("unit")
    for effect in does.effects():
        for problem in _effect(card, effect, of_units=of_units, own=own):
            yield problem, path


def _effect(card: Card, effect: Effect, *, of_units: bool, own: bool) -> Iterator[Message]:
    ids = {
        "state": [state.id for state in card.states],
        "check": [check.id for check in card.checks],
        "read": [table.id for table in card.tables],
    }.get(effect.kind)
    if ids is not None and effect.word not in ids:
        yield say(
            "there is no {what} '{word}'; {near}",
            what=effect.kind if effect.kind != "read" else "table",
            word=effect.word,
            near=near(effect.word, ids),
        )
    if (effect.side == "unit") != of_units and effect.kind != "nothing":
        yield (
            say("a check is about its unit; expected for instance 'is disrupted'")
            if of_units
            else say("only checks are about a unit; expected attacker, defender or both")
        )
    elif of_units and effect.kind not in _OF_UNITS:
        yield say("'{effect}' can't follow from the check of a unit", effect=effect)
    elif not (effect.side or own) and effect.kind not in ("nothing", "exchange", "read"):
        yield say("'{effect}' does not say who; expected attacker, defender or both", effect=effect)


def _known(what: str, word: str, known: Iterable[str], path: ValuePath) -> Iterator[Problem]:
    ids = list(known)
    if word not in ids:
        problem = say(
            "there is no {what} '{word}'; {near}", what=what, word=word, near=near(word, ids)
        )
        yield problem, path
