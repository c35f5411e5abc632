"""The analysis of a fight: its grid, and the worth of each modifier, in exact numbers."""

from msgspec import Struct

from grognard.fights.chances import Odds
from grognard.fights.table_shift import trimmed
from grognard.rules.fight import Fight
from grognard.study import modifier_worth, sheet_rows
from grognard.study.aid import PlayerSheet
from grognard.study.figures import Figures, figures
from grognard.study.grid import BESIDE_COLUMNS, HERE, Grid, GridPlace, ShiftedFight
from grognard.study.sheet_rows import Statement


class AnalysisSheet(Struct, frozen=True, kw_only=True, eq=False):
    """The analysis of a fight."""

    fight: Fight
    doctrines: tuple[str, str]
    as_stated: Figures  # including secret commitments, which the grid leaves out
    shifted: ShiftedFight | None  # None: the fight can't be shifted
    grid: Grid
    shifts: tuple[modifier_worth.ShiftWorth, ...]
    others: tuple[modifier_worth.StatedWorth, ...]

    def odds(self, place: GridPlace) -> Odds:
        return self.shifted.odds(place) if self.shifted else self.fight.odds(*self.doctrines)


def analyse(
    sheet: PlayerSheet,
    stated: modifier_worth.Statements,
    make_fight: modifier_worth.MakeFight,
    attacker: str = "best",
    defender: str = "best",
    *,
    beside: int = BESIDE_COLUMNS,
) -> AnalysisSheet:
    """Analyse a fight: `make_fight` makes one from statements.

    `beside` is the number of die modifiers on either side if the table also has columns.
    """
    fight = make_fight(dict(stated))
    sheet = sheet.read_by(fight.explain())
    as_stated = figures(fight.odds(attacker, defender))
    shifted = _shifted(fight, attacker, defender)
    grid = _grid(shifted, sheet, as_stated, beside)
    shifts = _on_the_table(shifted, sheet, grid) if shifted else ()
    shifting = {modifier.id for shift in shifts for modifier in shift.modifiers}
    trial = modifier_worth.Trial(
        sheet=sheet, stated=stated, make_fight=make_fight, attacker=attacker, defender=defender
    )
    statement = Statement(
        card=fight.case.card,
        sheet=sheet,
        stated=stated,
        options=fight.case.options,
        explanation=fight.explain(),
    )
    rows = (row for group in sheet_rows.groups(statement) for row in group.rows)
    return AnalysisSheet(
        fight=fight,
        doctrines=(attacker, defender),
        as_stated=as_stated,
        shifted=shifted,
        grid=grid,
        shifts=shifts,
        others=tuple(
            worth for row in rows if row.modifier.id not in shifting for worth in trial.worths(row)
        ),
    )


def _shifted(fight: Fight, attacker: str, defender: str) -> ShiftedFight | None:
    """Make a fight that can be shifted; None if its procedure has no table to shift on."""
    start, trim = trimmed(fight), fight.case.procedure.trim
    if start is None or trim is None:
        return None
    return ShiftedFight(fight, trim, start, attacker, defender)


def grid_of(
    fight: Fight, sheet: PlayerSheet, attacker: str, defender: str, *, beside: int = BESIDE_COLUMNS
) -> Grid:
    """Make only the grid of a fight."""
    as_stated = figures(fight.odds(attacker, defender))
    read = sheet.read_by(fight.explain())
    return _grid(_shifted(fight, attacker, defender), read, as_stated, beside)


def _grid(
    shifted: ShiftedFight | None, sheet: PlayerSheet, as_stated: Figures, beside: int
) -> Grid:
    """Make the grid; a fight that can't be shifted has a single place."""
    if shifted is None:
        return Grid(columns=(0,), dice=(0,), cells={HERE: as_stated})
    return shifted.grid(shifted.fight.case.card.table(sheet.table), beside)


def _on_the_table(
    shifted: ShiftedFight, sheet: PlayerSheet, grid: Grid
) -> tuple[modifier_worth.ShiftWorth, ...]:
    axes = {"column": grid.columns, "die": grid.dice}
    rows = [
        row
        for row in shifted.fight.case.card.modifiers
        if row.group in sheet.groups
        and (row.table or sheet.table) == sheet.table
        and row.side != "defender"  # of his own die, where both sides roll
        and len(axes.get(row.changes, ())) > 1
    ]
    return tuple(modifier_worth.shift_worths(shifted, grid, rows))
