"""White October: dice modifiers, the roll, and the halves of the result that are read."""

from typing import NamedTuple

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, SIDES, Side
from grognard.card.tables import Half
from grognard.games.white_october.results import loss_line, mandatory_loss
from grognard.games.white_october.stated import (
    TrimmedAttack,
    WhiteOctoberFight,
    WhiteOctoberPreparation,
)
from grognard.rules.ask import Asking
from grognard.rules.fight import Case, enemy_of, units_of
from grognard.rules.kept import told_once
from grognard.rules.modifiers import Facts, stated_facts
from grognard.rules.rolls import cell_line, die_modifier, modified_roll

# ------------------------------------------------------------------ modifiers


def dice_modifiers(fight: WhiteOctoberPreparation) -> Asking[WhiteOctoberPreparation]:
    """Everything that changes the attack dice; what a loss is, and the mandatory one."""
    added = die_modifier(fight.case, "combat", facts_of(fight))
    yield from added.lines
    yield loss_line(fight.case)
    mandatory = yield from mandatory_loss(fight)
    return replace(fight, ratio=0, quality=0, die_modifier=added.value, mandatory=mandatory)


def facts_of(fight: WhiteOctoberPreparation) -> Facts:
    """State what the card's dice modifiers look at; its options are facts too."""
    setup, least = fight.case.setup, fight.case.card.number("cavalry_quality")
    vehicles, their_vehicles = (
        sum(unit.tank or unit.armoured_car for unit in units_of(fight, side)) for side in SIDES
    )
    cavalry, their_cavalry = (
        any(unit.cavalry and unit.quality >= least for unit in units_of(fight, side))
        for side in SIDES
    )
    return {
        **stated_facts(fight.case),
        "ratio_modifier": fight.ratio,
        "quality_difference": fight.quality,
        "support_difference": setup.attacker_support - setup.defender_support,
        "vehicle_difference": vehicles - their_vehicles,
        "attacker_tank": any(unit.tank for unit in fight.attackers),
        "cavalry_attack": cavalry,
        "enemy_cavalry": their_cavalry,
    }


# ------------------------------------------------------------------ the roll


def dice(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """Roll, modify, see who wins, and read each side's half."""
    die = yield from modified_roll(fight.case, "combat-roll", 2, fight.die_modifier)
    read = yield from _read(fight.case, die, fight.rows)
    spared = fight.case.options["mandatory_loss"] == "only_with_effect" and not read.effect
    return replace(
        fight,
        rows=("", ""),
        die_modifier=0,
        mandatory=0 if spared else fight.mandatory,
        winner=read.winner,
        halves=read.halves,
        result=read.result,
    )


class CellRead(NamedTuple):
    """What the table says to a modified roll."""

    winner: Side | None
    halves: tuple[Half, Half]
    result: str
    effect: bool  # whether a half does anything


@told_once
def _read(case: Case[TrimmedAttack], die: int, own: tuple[str, str]) -> Asking[CellRead]:
    """Find the column and the winner, and read each side's half on its row."""
    label, winner = yield from _column(case, die)
    rows = rows_read(case, own, winner)
    for side, row, usual in zip(SIDES, rows, own, strict=True):
        if row != usual:
            yield case.tell("row", f"{side}-row", side=side, value=row, of="combat")
    ours = yield from _half(case, "attacker", rows[0], label)
    theirs = yield from _half(case, "defender", rows[1], label)
    halves = ours, theirs
    effect = any(set(codes) - {"-"} for half in halves for codes in half.options)
    return CellRead(winner, halves, "|".join(str(half) or "-" for half in halves), effect)


@told_once
def _column(case: Case[TrimmedAttack], die: int) -> Asking[tuple[str, Side | None]]:
    """Find the column of a modified roll, and under whose victory it stands."""
    table, last = case.card.table("combat"), case.card.number_row("last_column")
    if die > last.value:
        yield case.tell(
            "clamp", "column-clamped", value=last.value, changes="roll", reading=last.reading
        )
    label = table.column_labels[table.columns.position(die) or 0]
    yield case.tell("column", "final-column", value=label, of=table.id)
    winner = winner_of(case, die)
    empty = case.card.number_row("column_without_winner")
    doubt = empty.reading if die == empty.value else CERTAIN
    told = f"{winner}-wins" if winner else "nobody-wins"
    yield case.tell("remark", told, side=winner, reading=doubt)
    return label, winner


def winner_of(case: Case[TrimmedAttack], modified: int) -> Side | None:
    """Tell under whose victory the column stands."""
    if modified >= case.card.number("attacker_wins_from"):
        return "attacker"
    between = modified == case.card.number("column_without_winner")
    return None if between and case.options["column_7"] == "nobody" else "defender"


def rows_read(
    case: Case[TrimmedAttack], own: tuple[str, str], winner: Side | None
) -> tuple[str, str]:
    """Give the rows on which attacker and defender read, by the option for it."""
    ours, theirs = own
    whose = case.options["morale_row"]
    if whose in ("winner", "loser"):
        if winner is None:  # the column is empty on every row
            return own
        whose = winner if whose == "winner" else enemy_of(winner)
    if whose == "attacker":
        return ours, ours
    return (theirs, theirs) if whose == "defender" else own


@told_once
def _half(case: Case[TrimmedAttack], side: Side, row: str, label: str) -> Asking[Half]:
    """Read a half; where it is doubtful, its reading goes with it as a warning."""
    table = case.card.table("combat")
    half = table.read(row, label, case.options, side)
    who, told = case.card.phrase(side), str(half) or "-"
    yield cell_line(case, table, row, label, told, half=side, side=side, who=who)
    return half
