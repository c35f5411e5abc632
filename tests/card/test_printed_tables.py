"""Tables of the cards are those of the second transcription: cells, labels, legends."""

from fractions import Fraction

import pytest

from grognard.card.tables import Table
from grognard.rules import game
from tests.transcription import GAMES, files, grid, lines

# What the transcription calls by its printed name and the card by a code or label.
LABELS: dict[tuple[str, str], dict[str, str]] = {
    ("bautzen", "cl-income"): {"columns": "CL"},
    ("bautzen", "reinforcements"): {
        "reinforcement": "come",
        "1-2": "2-",
        "7": "7+",
        "none": "0",
        "14 or 15 GRD released": "G",
        "95 GRD": "95",
        "95 GRD and 1 air marker": "95A",
        "4 GTC and 1 air marker": "4A",
    },
    ("bautzen", "cl-fate"): {"fate": "CL", "destroyed": "D", "captured": "C"},
    ("normandy", "determined-defence"): {
        "<=1": "1-",
        "flooded/clear": "open",
        "strongpoint/town": "strongpoint-or-town",
    },
    ("normandy", "jabo"): {"result": "shift"},
    ("normandy", "strafing"): {"result": "effect"},
    ("normandy", "attrition"): {"result": "effect", "-1 pas": "-1", "Aucun Effet": "-"},
    ("panzer-grenadier", "anti-tank"): {"<=9": "9-", "step+M2": "step"},
    ("white-october", "combat"): {"-|-": "|"},  # column 7: nothing is printed
}
ALIKE = [
    ("bautzen", "combat"),
    ("bautzen", "cl-income"),
    ("bautzen", "reinforcements"),
    ("bautzen", "cl-fate"),
    ("normandy", "combat"),
    ("normandy", "determined-defence"),
    ("normandy", "jabo"),
    ("normandy", "strafing"),
    ("normandy", "attrition"),
    ("panzer-grenadier", "direct-fire"),
    ("panzer-grenadier", "anti-tank"),
    ("white-october", "combat"),
]


# Tables that are laid out otherwise than in the transcription have a test of their own below.
ARRANGED = {
    ("bautzen", "stacking"),
    ("normandy", "reinforcements"),
    ("panzer-grenadier", "morale-check"),
    ("white-october", "ratio"),
}
NOT_PRINTED = {("bautzen", "zoc-breakthrough"): "only in the published rulebook (4.3)"}
LISTS = {"modifiers", "terrain", "options", "doubts", "damaged", "beyond"}  # no tables
DICE = {
    ("bautzen", "stacking"): None,
    ("normandy", "reinforcements"): None,
    ("white-october", "ratio"): None,
    ("white-october", "combat"): "2d6",
    ("panzer-grenadier", "direct-fire"): "2d6",
    ("panzer-grenadier", "anti-tank"): "2d6",
    ("panzer-grenadier", "morale-check"): "2d6",
}


@pytest.mark.parametrize(("id_", "table"), ALIKE)
def test_every_cell_is_as_printed(id_: str, table: str) -> None:
    known = LABELS.get((id_, table), {})
    head, *rows = grid(id_, table)
    printed = {
        (known.get(row[0], row[0]), known.get(column, column)): known.get(cell, cell)
        for row in rows
        for column, cell in zip(head[1:], row[1:], strict=True)
    }
    card = game.card(id_).table(table)
    read = {
        (row, column): card.cell(row, column).printed
        for row in card.row_labels
        for column in card.column_labels
    }
    assert read == printed
    assert list(read) == list(printed), "the order of rows and columns is that of the print"


def test_the_transcription_has_all_cells_of_the_large_tables() -> None:
    sizes = {
        (id_, table): len(game.card(id_).table(table).row_labels)
        * len(game.card(id_).table(table).column_labels)
        for id_, table in ALIKE
    }
    assert sizes["bautzen", "combat"] == 64
    assert sizes["white-october", "combat"] == 90
    assert sizes["normandy", "combat"] == 54
    assert sizes["normandy", "determined-defence"] == 28
    assert sizes["panzer-grenadier", "direct-fire"] == 99


@pytest.mark.parametrize("id_", GAMES)
def test_every_table_is_compared(id_: str) -> None:
    compared = {table for known in (ALIKE, ARRANGED, NOT_PRINTED) for g, table in known if g == id_}
    assert {table.id for table in game.card(id_).tables} == compared
    assert files(id_) - LISTS == compared - {table for _, table in NOT_PRINTED}


@pytest.mark.parametrize("id_", GAMES)
def test_dice_are_as_printed(id_: str) -> None:
    for table in game.card(id_).tables:
        assert table.dice == DICE.get((id_, table.id), "1d6"), table.id


def test_bautzen_stacking_points() -> None:
    table = game.card("bautzen").table("stacking")
    printed = {line["row"]: line["points"] for line in lines("bautzen", "stacking")}
    assert {row: table.cell(row, "SP").printed for row in table.row_labels} == printed
    for line in lines("bautzen", "stacking"):
        assert printed[line["row"]] == line["points"], "one row of the card, one value"


def test_bautzen_zone_of_control() -> None:
    table = game.card("bautzen").table("zoc-breakthrough")
    assert [table.cell(row, "effect").printed for row in table.row_labels] == ["1", "-"]
    assert table.row_labels == ("1-2", "3-6")


def test_normandy_reinforcement_points() -> None:
    table = game.card("normandy").table("reinforcements")
    printed = {
        line["row"]: line["points"] + (" *" if line["restriction"] == "yes" else "")
        for line in lines("normandy", "reinforcements")
    }
    assert {row: table.cell(row, "points").printed for row in table.row_labels} == printed
    assert list(printed) == list(table.row_labels)


def test_panzer_grenadier_morale_check() -> None:
    table = game.card("panzer-grenadier").table("morale-check")
    effects = {"passes": "passed", "disrupted": "disrupted", "demoralised": "demoralised"}
    for line in lines("panzer-grenadier", "morale-check"):
        for over in _numbers(line["over by"], least=-3, most=8):
            row = table.row_labels[_place(table, "rows", over)]
            cell = table.cell(row, "good-order")
            assert cell.printed == effects[line["effect"]], over
            worse = "passed" if over <= 0 else "demoralised"  # 14.1: a second failure
            assert table.cell(row, "disrupted").printed == worse, over
            assert table.cell(row, "demoralised").printed == worse, over


def test_white_october_ratio_steps() -> None:
    table = game.card("white-october").table("ratio")
    steps = [
        (Fraction(line["lowest ratio"]), int(line["modifier"]))
        for line in lines("white-october", "ratio")
    ]
    steps.sort()
    tops = [low for low, _ in steps[1:]] + [Fraction(12)]
    for (low, modifier), top in zip(steps, tops, strict=True):
        for ratio in (low, (low + top) / 2, top - Fraction(1, 1000)):
            column = table.column_labels[_place(table, "columns", ratio)]
            cell = table.cell("dice", column)
            assert table.legend[cell.codes[0]].values["dice"] == modifier, ratio
            assert int(cell.printed) == modifier, ratio


def _place(table: Table, axis: str, value: Fraction | int) -> int:
    place = (table.rows if axis == "rows" else table.columns).position(value)
    assert place is not None
    return place


def _numbers(label: str, least: int, most: int) -> range:
    """Give the whole numbers that a printed label such as `3+`, `<=9`, `10-12` or `4` covers."""
    if label.endswith("+"):
        return range(int(label[:-1]), most + 1)
    if label.startswith("<=") or label.endswith("-"):
        return range(least, int(label.strip("<=-")) + 1)
    first, _, last = label.partition("-")
    return range(int(first), int(last or first) + 1)


@pytest.mark.parametrize(("id_", "table"), [key for key in ALIKE if key[1] != "combat"])
def test_each_number_of_a_row_label_falls_into_that_row(id_: str, table: str) -> None:
    card = game.card(id_).table(table)
    for number, label in enumerate(card.row_labels):
        for value in _numbers(label, least=-5, most=30):
            assert card.rows.position(value) == number, (label, value)


@pytest.mark.parametrize(
    ("id_", "table", "starts"),
    [
        ("bautzen", "combat", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("normandy", "combat", [Fraction(1, 3), Fraction(1, 2), 1, 2, 3, 4, 5, 6, 7]),
        ("panzer-grenadier", "direct-fire", [1, 2, 4, 7, 11, 16, 22, 30, 45]),
        ("white-october", "combat", list(range(1, 16))),
    ],
)
def test_columns_begin_where_their_headings_say(
    id_: str, table: str, starts: list[Fraction | int]
) -> None:
    assert list(game.card(id_).table(table).columns.starts) == starts


@pytest.mark.parametrize("id_", ["bautzen", "normandy"])
def test_rows_of_the_combat_table_are_the_faces_of_the_die(id_: str) -> None:
    table = game.card(id_).table("combat")
    for number, label in enumerate(table.row_labels):
        assert table.rows.position(int(label.rstrip("+"))) == number


@pytest.mark.parametrize(("id_", "table"), sorted({*ALIKE, *ARRANGED}))
def test_the_legend_holds_each_printed_code_and_no_other(id_: str, table: str) -> None:
    card = game.card(id_).table(table)
    used = {
        code
        for row in card.row_labels
        for column in card.column_labels
        for half in card.cell(row, column).halves
        for option in half.options
        for code in option
    }
    assert {result.code for result in card.results} == used


RULES_OF_RESULTS = {
    ("panzer-grenadier", "direct-fire"): {
        "M": "14.1",
        "M1": "14.1",
        "M2": "14.1",
        "X": "7.61",
        "2X": "7.61",
        "3X": "7.61",
    },
    ("white-october", "combat"): {"a": "8.2.7"},
}
RULES_OF_TABLES = {
    ("bautzen", "combat"): "8.2",
    ("bautzen", "cl-income"): "7.2",
    ("bautzen", "reinforcements"): "11.1",
    ("bautzen", "cl-fate"): "8.6.3",
    ("bautzen", "zoc-breakthrough"): "4.3",
    ("bautzen", "stacking"): "5.1",
    ("normandy", "determined-defence"): "12.4",
    ("normandy", "jabo"): "19.1.3",
    ("normandy", "strafing"): "19.1.3",
    ("normandy", "attrition"): "18.5",
    ("normandy", "reinforcements"): "6.5",
    ("panzer-grenadier", "morale-check"): "14.1",
}


@pytest.mark.parametrize("id_", GAMES)
def test_tables_and_results_carry_their_rule_numbers(id_: str) -> None:
    for table in game.card(id_).tables:
        assert table.rule == RULES_OF_TABLES.get((id_, table.id)), table.id
        rules = {result.code: result.rule for result in table.results if result.rule}
        assert rules == RULES_OF_RESULTS.get((id_, table.id), {}), table.id


# code: attacker's steps, who picks them; defender's steps, who picks them; hexes of retreat,
# Determined Defence, disorganised; advance
NORMANDY_RESULTS = {
    "A1": (1, "owner", 0, "owner", 0, False, False, "none"),
    "A1/DR": (1, "owner", 0, "owner", 2, True, False, "if-vacated"),
    "EX": (1, "defender", 1, "attacker", 0, False, False, "limited"),
    "DR": (0, "owner", 0, "owner", 2, True, False, "if-vacated"),
    "A1/D1": (1, "owner", 1, "owner", 2, True, False, "if-vacated"),
    "D1": (0, "owner", 1, "owner", 2, True, False, "if-vacated"),
    "A1/D2": (1, "defender", 2, "attacker-first", 4, False, True, "allowed"),
    "DH": (0, "owner", 0, "owner", 4, False, True, "allowed"),
}


def test_normandy_results_mean_what_the_legend_prints() -> None:
    keys = (
        "attacker_steps",
        "attacker_loss_by",
        "defender_steps",
        "defender_loss_by",
        "retreat",
        "determined_defence",
        "disorganised",
        "advance",
    )
    results = game.card("normandy").table("combat").legend
    assert {
        code: tuple(result.values[key] for key in keys) for code, result in results.items()
    } == NORMANDY_RESULTS
    assert [code for code, result in results.items() if result.values["defender_half"]] == ["DH"]
    assert {c for c, r in results.items() if r.values["reserve"]} == {"A1/D2", "DH"}
    assert {c for c, r in results.items() if r.values["spares_attacker_if_one_step"]} == {"A1/D2"}
    assert {r.values["attacker_loss_from"] for r in results.values()} == {"main-force"}


def test_panzer_grenadier_results_mean_what_the_legend_prints() -> None:
    results = game.card("panzer-grenadier").table("direct-fire").legend
    for code, checked in {"M": 0, "M1": 1, "M2": 2}.items():
        assert results[code].values == {"check": True, "check_modifier": checked, "steps": 0}
    for code, steps, open_top in (("X", 1, 0), ("2X", 2, 1), ("3X", 3, 1)):
        assert results[code].values == {
            "check": True,
            "closed_top_check": 0,
            "other_check": 2,
            "steps": steps,
            "open_top_steps": open_top,
        }
    step = game.card("panzer-grenadier").table("anti-tank").legend["step"].values
    assert (step["steps"], step["check_modifier"]) == (1, 2)
