"""The roll and the table: which result it is, and what it does."""

from typing import Any

from msgspec.structs import replace

from grognard.card.dice import Dice
from grognard.card.effects import Subject, parse_does
from grognard.card.rows import CERTAIN, SIDES, Side
from grognard.card.tables import Table
from grognard.rules.ask import Asking, roll
from grognard.rules.fight import Case, enemy_of
from grognard.rules.line import Blank, Line
from grognard.rules.modifiers import modified
from grognard.rules.rolls import look_up, row_at
from grognard.rules.stages.state import CardFight, row_of


def result(fight: CardFight) -> Asking[CardFight]:
    """Roll and read the table; what the result does is left to be done."""
    case, table = fight.case, fight.case.card.table(fight.table)
    if fight.automatic:
        yield case.tell("result", "automatic-result", table.rule, value=fight.automatic)
        read, todo = fight.automatic, tuple[str, ...]()
        for half, side in zip(table.parse(read), _sides(table), strict=True):
            yield from (_means(case, table, code) for code in half.options[0])
            todo += _does(table, half.options[0], side)
    elif row_of(case).rolls == "each":
        read, todo = yield from _each_rolls(fight, table)
    else:
        rolled = yield from rolled_on(table, "combat-roll", fight.die_modifier)
        codes = yield from look_up(case, table.id, rolled, fight.die_modifier, fight.column)
        read, todo = " ".join(codes), _does(table, codes)
    return replace(
        fight,
        result=read,
        todo=todo,
        column=fight.column if _called(fight) else 0,
        die_modifier=0,
        defender_die=0,
        automatic="",
    )


def _sides(table: Table) -> tuple[Subject, ...]:
    """Give the sides of the halves of a cell; a whole cell is nobody's."""
    return SIDES if table.cells == "pair" else ("",)


def _called(fight: CardFight) -> bool:
    """Tell whether a result may read another table, in the same column."""
    tables = fight.case.card.tables
    return any("read table" in result.does for table in tables for result in table.results)


def rolled_on(on: Table, what: str, added: int = 0, **blanks: Blank) -> Asking[int]:
    """Roll the dice of a table; rolls that come to the same row are alike."""
    bands = row_bands(on, on.rolled, added)
    return (yield from roll(what, on.rolled, on.rule, bands=bands, **blanks))


def row_bands(table: Table, dice: Dice, added: int) -> tuple[int, ...]:
    """Give the least roll for each row of a table that a modified roll can come to."""
    values = dice.values()
    starts = (int(-(-start // 1)) - added for start in table.rows.starts)
    return (values[0], *(start for start in starts if values[0] < start <= values[-1]))


def _does(table: Table, codes: tuple[str, ...], side: Subject = "") -> tuple[str, ...]:
    found = (parse_does(table.legend[code].does).of(side) for code in codes)
    return tuple(str(does) for does in found if str(does) != "nothing")


def _means(case: Case[Any], table: Table, code: str) -> Line:
    row = table.legend[code]
    return case.tell(
        "remark", "means", table.rule, value=code, meaning=row.text, reading=row.reading
    )


def _each_rolls(fight: CardFight, table: Table) -> Asking[tuple[str, tuple[str, ...]]]:
    """Both sides roll: each reads what happens to the other."""
    case, halves, todo = fight.case, dict[Side, str](), list[str]()
    for side in SIDES:
        added = fight.die_modifier if side == "attacker" else fight.defender_die
        what = "combat-roll" if side == "attacker" else "defender-roll"
        rolled = yield from rolled_on(table, what, added)
        yield from modified(case, rolled, added, table.rule, side=side)
        enemy = enemy_of(side)
        row, label = row_at(table, rolled + added), table.column_labels[fight.column]
        half = table.read(row, label, case.options, enemy)
        blanks: dict[str, Blank] = {"row": row, "column": label}
        doubts = [doubt for doubt in table.cell(row, label).doubts if doubt.half == enemy]
        yield case.tell(
            "result",
            "look-up" if len(table.column_labels) > 1 else "look-up-row",
            table.rule,
            side=enemy,
            value=str(half),
            of=table.id,
            reading=doubts[0].reading if doubts else CERTAIN,
            blanks=blanks,
        )
        codes = half.options[0]
        for code in codes:
            yield _means(case, table, code)
        halves[enemy] = str(half)
        todo += _does(table, codes, enemy)
    return f"{halves['attacker']}/{halves['defender']}", tuple(todo)
