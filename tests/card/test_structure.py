"""What is regular in the printed tables: a slip in one cell breaks it. Printed slips are named."""

from collections import Counter
from itertools import pairwise

import pytest

from grognard.card.tables import Half, Table
from grognard.rules import game

# ------------------------------------------------------------------ Bautzen


def _bautzen_losses(side: int) -> list[list[int]]:
    """Give the losses of the attacker (0) or the defender (1), row by row."""
    table = game.card("bautzen").table("combat")
    return [
        [int(table.cell(row, column).halves[side].options[0][0]) for column in table.column_labels]
        for row in table.row_labels
    ]


def test_bautzen_defender_never_loses_less_with_a_higher_die() -> None:
    for upper, lower in pairwise(_bautzen_losses(1)):
        assert all(high >= low for low, high in zip(upper, lower, strict=True))


def test_bautzen_defender_never_loses_less_at_higher_odds() -> None:
    for row in _bautzen_losses(1):
        assert row == sorted(row)


def test_bautzen_has_a_single_six_in_the_last_corner() -> None:
    table = game.card("bautzen").table("combat")
    sixes = [
        (row, column)
        for row in table.row_labels
        for column in table.column_labels
        if "6" in table.cell(row, column).printed
    ]
    assert sixes == [("8+", "7/1+")]
    assert table.cell("8+", "7/1+").printed == "0/6"


def test_bautzen_losses_run_from_0_to_6_as_the_legend_says() -> None:
    used = {loss for side in (0, 1) for row in _bautzen_losses(side) for loss in row}
    assert used == set(range(7))
    assert [result.code for result in game.card("bautzen").table("combat").results] == [
        str(n) for n in range(7)
    ]


def test_bautzen_attacker_losses_are_uneven_and_kept_as_printed() -> None:
    columns = list(zip(*_bautzen_losses(0), strict=True))
    assert columns[1] == (2, 2, 1, 1, 2, 2, 2, 1)
    assert columns[5][:2] == (1, 0)
    assert columns[6] == columns[7] == (0, 0, 1, 1, 1, 0, 0, 0)


def test_bautzen_row_8_is_reached_by_both_die_bonuses_and_never_passed() -> None:
    card = game.card("bautzen")
    bonuses = [row.value for row in card.modifying("combat", "die") if (row.value or 0) > 0]
    assert bonuses == [1, 1]
    assert card.table("combat").row_labels[-1] == "8+"


def test_bautzen_terrain_always_favours_the_defender() -> None:
    card = game.card("bautzen")
    effects = {row.id: row.value for row in card.modifiers}
    for terrain in card.terrain:
        assert all(effects[id_] == -1 for id_ in terrain.combat), terrain.id
        assert len(terrain.combat) <= 1, "steep and difficult are one terrain and count once"


def test_bautzen_columns_change_places_by_one_for_each_side() -> None:
    amounts = {row.id: row.value for row in game.card("bautzen").modifying("combat", "column")}
    assert amounts["attacker-cl"] == 1
    assert amounts["defender-cl"] == -1
    assert amounts["attacker-air"] == 1
    assert amounts["defender-air"] == -1
    assert amounts["concentric"] == 1


# ------------------------------------------------------------------ Normandy

# From the lowest sum of row and column to the highest
DIAGONAL = "A1 A1 A1 A1 A1/DR EX DR DR A1/D1 D1 D1 A1/D2 DH DH".split()  # noqa: SIM905  # as read


def test_normandy_one_column_is_worth_one_pip_in_all_54_cells() -> None:
    table = game.card("normandy").table("combat")
    cells = 0
    for row, die in enumerate(table.row_labels):
        for column, odds in enumerate(table.column_labels):
            assert table.cell(die, odds).printed == DIAGONAL[row + column], (die, odds)
            cells += 1
    assert cells == 54


def test_normandy_combat_has_no_die_modifier_only_shifts() -> None:
    card = game.card("normandy")
    assert card.modifying("combat", "die") == ()
    assert len(card.modifying("combat", "column")) == 12


def test_normandy_uses_each_of_its_eight_results() -> None:
    results = game.card("normandy").table("combat").results
    assert len(results) == 8
    assert {result.code for result in results} == set(DIAGONAL)


def _defence(column: str) -> list[tuple[str, ...]]:
    table = game.card("normandy").table("determined-defence")
    return [table.cell(row, column).codes for row in table.row_labels]


# From bad to good for the defender, as the four columns show
DEFENCE_ORDER = [("-",), ("-1",), ("●", "-1"), ("●", "EX"), ("●", "PA", "*"), ("●", "PA")]


def test_determined_defence_gets_better_with_the_die_and_with_the_position() -> None:
    columns = game.card("normandy").table("determined-defence").column_labels
    ranks = [[DEFENCE_ORDER.index(codes) for codes in _defence(column)] for column in columns]
    for column in ranks:
        assert column == sorted(column)
    for weaker, stronger in pairwise(ranks):
        assert all(low <= high for low, high in zip(weaker, stronger, strict=True))


def test_the_first_two_columns_of_determined_defence_differ_in_one_cell() -> None:
    rows = game.card("normandy").table("determined-defence").row_labels
    both = zip(rows, _defence("open"), _defence("other"), strict=True)
    assert [row for row, first, second in both if first != second] == ["5"]


def test_only_one_loss_of_determined_defence_is_printed_without_the_bullet() -> None:
    table = game.card("normandy").table("determined-defence")
    bare = [
        (row, column)
        for row in table.row_labels
        for column in table.column_labels
        if (codes := table.cell(row, column).codes) != ("-",) and "●" not in codes
    ]
    assert bare == [("5", "open")]


def test_the_star_of_determined_defence_stands_once() -> None:
    table = game.card("normandy").table("determined-defence")
    starred = [
        (row, column)
        for row in table.row_labels
        for column in table.column_labels
        if "*" in table.cell(row, column).codes
    ]
    assert starred == [("6", "entrenched")]


def test_normandy_waters_that_shift_also_halve_and_take_the_armour_advantage() -> None:
    card = game.card("normandy")
    known = {row.id: row for row in card.modifiers}
    for terrain in card.terrain:
        changes = {known[id_].changes for id_ in terrain.combat}
        if "column" in changes and terrain.id != "hilltop":
            assert "attack" in changes, terrain.id
            assert terrain.values["armour"] == "no", terrain.id
            assert "*" in {note.mark for note in terrain.notes}, terrain.id


# ------------------------------------------------------------------ Panzer Grenadier

SEVERITY = ["-", "M", "M1", "M2", "X", "2X", "3X"]


def _severities() -> list[list[int]]:
    table = game.card("panzer-grenadier").table("direct-fire")
    return [
        [SEVERITY.index(table.cell(row, column).printed) for column in table.column_labels]
        for row in table.row_labels
    ]


def test_direct_fire_is_never_weaker_with_a_higher_fire_value() -> None:
    for row in _severities():
        assert row == sorted(row)


def test_direct_fire_is_weakest_at_7_and_grows_towards_both_ends() -> None:
    for column in zip(*_severities(), strict=True):
        down, up = column[: 7 - 2 + 1], column[7 - 2 :]
        assert list(down) == sorted(down, reverse=True)
        assert list(up) == sorted(up)


def test_direct_fire_uses_each_severity_and_has_no_dice_modifier() -> None:
    used = Counter(cell for row in _severities() for cell in row)
    assert set(used) == set(range(len(SEVERITY)))
    assert sum(used.values()) == 99
    assert game.card("panzer-grenadier").modifying("direct-fire", "die") == ()


def test_panzer_grenadier_minus_lines_stand_before_plus_lines() -> None:
    card = game.card("panzer-grenadier")
    for table, changes, minus, plus in (
        ("direct-fire", "column", 7, 9),
        ("anti-tank", "die", 5, 3),
    ):
        values = [row.value or 0 for row in card.modifying(table, changes)]
        assert [value < 0 for value in values] == [True] * minus + [False] * plus, table


def test_opportunity_fire_helps_direct_fire_and_hinders_anti_tank_fire() -> None:
    values = {row.id: row.value for row in game.card("panzer-grenadier").modifiers}
    assert values["opportunity-fire"] == 1
    assert values["at-opportunity-fire"] == -1


# ------------------------------------------------------------------ White October


def _october() -> Table:
    return game.card("white-october").table("combat")


def _half(row: str, column: str, side: int) -> Half:
    return _october().cell(row, column).halves[side]


def _halves(side: int, columns: tuple[str, ...]) -> list[tuple[str, str, Half]]:
    return [
        (row, column, _half(row, column, side))
        for row in _october().row_labels
        for column in columns
    ]


DEFENDER_WINS = ("1-", "2", "3", "4", "5", "6")
ATTACKER_WINS = ("8", "9", "10", "11", "12", "13", "14", "15")
WINNERS = [(1, DEFENDER_WINS), (0, ATTACKER_WINS)]
LOSERS = [(0, DEFENDER_WINS), (1, ATTACKER_WINS)]
SUSPECT = ("m6", "4")


def _codes(half: Half) -> set[str]:
    return {code for option in half.options for code in option}


@pytest.mark.parametrize(("side", "columns"), LOSERS)
def test_the_loser_never_advances(side: int, columns: tuple[str, ...]) -> None:
    for row, column, half in _halves(side, columns):
        assert not _codes(half) & {"a", "a1"}, (row, column)


@pytest.mark.parametrize(("side", "columns"), WINNERS)
def test_the_winner_neither_routs_nor_surrenders(side: int, columns: tuple[str, ...]) -> None:
    for row, column, half in _halves(side, columns):
        assert not _codes(half) & {"dr", "R"}, (row, column)


def test_column_7_is_empty_on_every_row() -> None:
    for row in _october().row_labels:
        cell = _october().cell(row, "7")
        assert cell.printed == "|"
        assert all(half.options == ((),) for half in cell.halves)


def test_the_headings_part_the_victories_after_column_7() -> None:
    spans = [(span.first, span.last) for span in _october().columns.spans]
    assert spans == [("1-", "7"), ("8", "15")]


def test_only_losing_attackers_have_a_result_that_the_defender_chooses() -> None:
    chosen = {
        (side, column)
        for side in (0, 1)
        for _, column, half in _halves(side, _october().column_labels)
        if half.chooser == "defender"
    }
    assert {side for side, _ in chosen} == {0}
    assert {column for _, column in chosen} <= set(DEFENDER_WINS)


# The last column in which a row has the D; a worse morale has it further to the right.
STAIRCASE = {"m6": 3, "m5": 3, "m4": 4, "m3": 5, "m2": 6, "m1": 6}


def test_the_cells_with_d_form_a_staircase_but_for_the_suspect_one() -> None:
    assert list(STAIRCASE.values()) == sorted(STAIRCASE.values())
    astray = [
        (row, column)
        for row, column, half in _halves(0, DEFENDER_WINS)
        if len(half.options) > 1
        and (half.chooser == "defender") != (int(column.rstrip("-")) <= STAIRCASE[row])
    ]
    assert astray == [SUSPECT]


def test_a_half_with_d_always_offers_a_choice() -> None:
    for row, column, half in _halves(0, DEFENDER_WINS):
        assert half.chooser == "owner" or len(half.options) > 1, (row, column)


def test_77_cells_are_whole_and_13_damaged() -> None:
    table = _october()
    damaged = {
        (doubt.row, doubt.column)
        for doubt in table.doubts
        if doubt.reading.option == "damaged_cells"
    }
    cells = len(table.row_labels) * len(table.column_labels)
    assert (len(damaged), cells - len(damaged)) == (13, 77)
    rows = {column: {row for row, c in damaged if c == column} for _, column in damaged}
    assert rows == {
        "2": {"m3"},
        "3": {"m4", "m3"},
        "4": {"m5", "m4", "m3", "m2", "m1"},
        "5": {"m3", "m2", "m1"},
        "6": {"m2", "m1"},
    }


# How bad a code is for the side that suffers it. Only the order of the sums matters.
HARM = {"-": 0, "0": 0, "1": 12, "2": 24, "a": -2, "a1": -1, "d": 5, "r": 5, "r2": 12, "dr": 28}
SURRENDER = 200  # what is lost before it is not captured


def _harm(half: Half) -> int:
    harms = [
        SURRENDER - HARM[option[0]] if "R" in option else sum(HARM[code] for code in option)
        for option in half.options
    ]
    return max(harms) if half.chooser == "defender" else min(harms)


@pytest.mark.parametrize("side", [0, 1])
def test_a_higher_morale_never_fares_worse_but_in_the_suspect_cell(side: int) -> None:
    rows = _october().row_labels  # m6 first
    worse = [
        (upper, column)
        for column in _october().column_labels
        for upper, lower in pairwise(rows)
        if _harm(_half(upper, column, side)) > _harm(_half(lower, column, side))
    ]
    assert worse == ([SUSPECT] if side == 0 else [])


@pytest.mark.parametrize(
    ("side", "columns"),
    [(0, tuple(reversed(DEFENDER_WINS))), (1, ATTACKER_WINS)],
)
def test_the_loser_fares_worse_away_from_column_7_but_in_the_suspect_cell(
    side: int, columns: tuple[str, ...]
) -> None:
    better = [
        (row, near)
        for row in _october().row_labels
        for near, far in pairwise(columns)
        if _harm(_half(row, near, side)) > _harm(_half(row, far, side))
    ]
    assert better == ([SUSPECT] if side == 0 else [])


def test_the_winner_pays_for_his_advance_or_takes_the_lighter_way_out() -> None:
    top = {column: str(_half("m6", column, 0)) for column in ("8", "9", "10")}
    low = {column: str(_half("m1", column, 0)) for column in ("8", "9", "10")}
    assert top == {"8": "1da/1", "9": "1a/d", "10": "da/-"}
    assert low == {"8": "1d", "9": "1", "10": "d"}


def test_rout_is_one_code_and_retreat_in_disorder_two() -> None:
    table = _october()
    assert table.parse_half("dr").options == (("dr",),)
    assert table.parse_half("rd").options == (("r", "d"),)
    assert table.parse_half("1rd").options == (("1", "r", "d"),)
    assert table.parse_half("1dr").options == (("1", "dr"),)
    assert table.parse_half("da1").options == (("d", "a1"),)
    assert table.parse_half("r2d").options == (("r2", "d"),)
    assert table.parse_half("0R").options == (("0", "R"),)


def test_the_ratio_scale_rises_and_stops_at_plus_5() -> None:
    table = game.card("white-october").table("ratio")
    for choices in ({}, {"ratio_steps": "half_steps", "ratio_gap": "literal"}):
        steps = [
            int(table.read("dice", column, choices).options[0][0]) for column in table.column_labels
        ]
        assert steps == sorted(steps)
        assert (steps[0], steps[-1]) == (-4, 5)


@pytest.mark.parametrize(
    ("column", "step"),
    [("2/1", 2), ("2.5/1", 3), ("3/1", 4), ("3.5/1", 5), ("4/1", 5), ("5/1", 5)],
)
def test_half_steps_of_the_ratio(column: str, step: int) -> None:
    table = game.card("white-october").table("ratio")
    half = table.read("dice", column, {"ratio_steps": "half_steps"})
    assert int(half.options[0][0]) == step


def test_between_a_quarter_and_a_third_the_literal_reading_is_minus_3() -> None:
    table = game.card("white-october").table("ratio")
    assert table.read("dice", "1/4", {"ratio_gap": "literal"}).options == (("-3",),)
    assert table.read("dice", "1/4", {"ratio_gap": "round_down"}).options == (("-4",),)
