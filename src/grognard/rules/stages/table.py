"""The roll and the table: which result it is, and what it does."""

from msgspec.structs import replace

from grognard.card.effects import Subject, parse_does
from grognard.card.rows import SIDES, Side
from grognard.card.tables import Table
from grognard.rules.ask import Asking, roll
from grognard.rules.fight import enemy_of
from grognard.rules.line import Blank
from grognard.rules.modifiers import modified
from grognard.rules.rolls import cell_line, look_up, means_line, row_at, row_bands
from grognard.rules.stages.state import CardFight, row_of


def result(fight: CardFight) -> Asking[CardFight]:
    """Roll and read the table; what the result does is left to be done."""
    case, table = fight.case, fight.case.card.table(fight.table)
    if fight.automatic:
        yield case.tell("result", "automatic-result", table.rule, value=fight.automatic)
        read, todo = fight.automatic, tuple[str, ...]()
        for half, side in zip(table.parse(read), _sides(table), strict=True):
            yield from (means_line(case, table, code) for code in half.options[0])
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
        column=fight.column if fight.called else 0,
        die_modifier=0,
        defender_die=0,
        automatic="",
    )


def _sides(table: Table) -> tuple[Subject, ...]:
    """Give the sides of the halves of a cell; a whole cell is nobody's."""
    return SIDES if table.cells == "pair" else ("",)


def rolled_on(on: Table, what: str, added: int = 0, **blanks: Blank) -> Asking[int]:
    """Roll the dice of a table; rolls that come to the same row are alike."""
    rows = row_bands(on.rolled, on.rows.starts, added)
    return (yield from roll(what, on.rolled, on.rule, bands=rows, side="attacker", **blanks))


def _does(table: Table, codes: tuple[str, ...], side: Subject = "") -> tuple[str, ...]:
    found = (parse_does(table.legend[code].does).of(side) for code in codes)
    return tuple(str(does) for does in found if str(does) != "nothing")


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
        yield cell_line(case, table, row, label, str(half), table.rule, half=enemy, side=enemy)
        codes = half.options[0]
        for code in codes:
            yield means_line(case, table, code)
        halves[enemy] = str(half)
        todo += _does(table, codes, enemy)
    return f"{halves['attacker']}/{halves['defender']}", tuple(todo)
