"""The cards against an independent transcription of the print, cell by cell and row by row."""

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction

import pytest

from grognard.card.card import Card, Option, Terrain
from grognard.card.modifier_rows import Fact, Modifier
from grognard.card.tables import Table
from grognard.rules import game
from tests.transcription import GAMES, Line, files, grid, ids, lines

# ------------------------------------------------------------------ tables

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


# ------------------------------------------------------------------ modifiers

CHANGES = {"attack+defence": "strength"}
OF_THE_TARGET = {"at-cover", "at-engineers-crossing"}  # anti-tank fire: a state of its one target
SCOPES = {"hex": "hex", "unit": "unit", "all": "fight", "air": "fight", "unit/hex": "hex"}
TABLE_OF: dict[str, dict[str, str | None]] = {
    "bautzen": {"combat": "combat", "terrain": "combat"},
    "normandy": {
        "combat": "combat",
        "determined-defence": "determined-defence",
        "strafing": "strafing",
        "attrition": "attrition",
        "halved": None,
        "terrain": None,
    },
    "panzer-grenadier": {"column": "direct-fire", "anti-tank": "anti-tank"},
    "white-october": {"dice": "combat", "morale": None, "strength": None},
}
# Rule numbers that are not printed in the row: of its table, or of the published rulebook.
RULES_ELSEWHERE = {
    "bautzen": {
        "formation": "8.2",
        "unsupplied": "8.2",
        "concentric": "8.1.1",
        "difficult": "8.2",
        "river": "8.2",
        "dominant-position": "8.2",
        "defender-cl": "7.2",
        "attacker-cl": "7.2",
        "attacker-air": "10",
        "defender-air": "10",
    },
    "normandy": {
        "lead-quality": "12.4",
        "lead-armour": "12.4",
        "defensive-support": "12.4",
        "supply-line": "18.5",
        "unit-quality": "18.5",
    },
    "panzer-grenadier": {},
    "white-october": {},
}
MODIFIERS_NOT_PRINTED = {
    "normandy": {"flak-jabos": "the other reading of Flak (option flak), off by default"},
}


def _printed_modifiers() -> list[object]:
    return [
        pytest.param(id_, line, id=f"{id_}: {line['where']} {line['word']}")
        for id_ in GAMES
        for line in lines(id_, "modifiers")
    ]


def _named(card: Card, line: Line) -> list[Modifier]:
    known = {row.id: row for row in card.modifiers}
    return [known[id_] for id_ in ids(line["row"])]


@pytest.mark.parametrize(("id_", "line"), _printed_modifiers())
def test_a_printed_modifier_is_on_the_card(id_: str, line: Line) -> None:
    card = game.card(id_)
    rows = _named(card, line)
    assert rows
    for row in rows:
        assert row.changes == CHANGES.get(line["kind"], line["kind"]), row.id
        rule = RULES_ELSEWHERE[id_].get(row.id) if line["rule"] == "-" else line["rule"]
        assert row.rule == rule, row.id
        expected = TABLE_OF[id_][line["where"]] if line["kind"] != "column" else row.table
        assert row.table == expected, row.id
        assert row.scope == _scope(line, row), row.id
    _check_amount(card, line["value"], rows)


def _scope(line: Line, row: Modifier) -> str:
    """Say whom a printed line concerns; where it does not, halvings concern one unit."""
    if line.get("scope", "-") != "-":
        return SCOPES[line["scope"]]
    if line["kind"] == "defence":
        return "hex"
    return "unit" if line["value"] == "1/2" or row.id in OF_THE_TARGET else "fight"


def _check_amount(card: Card, printed: str, rows: list[Modifier]) -> None:
    """Compare a printed amount with what the rows add or multiply."""
    facts = {fact.id: fact for fact in card.facts}
    assert all((row.factor is not None) == (printed == "1/2") for row in rows)
    if printed == "1/2":
        assert {row.factor for row in rows} == {Fraction(1, 2)}
    elif printed == "±1" and len(rows) == 2:  # one line for both sides, a row for each
        assert sorted(row.value or 0 for row in rows) == [-1, 1]
        assert all(row.times and row.limit for row in rows)
    elif printed.startswith("±"):
        for row in rows:
            assert row.value == 1
            assert bool(row.sign_of) == (printed == "±1"), row.id
            assert printed == "±1" or _reach(row, facts[row.times or ""]) == (None, None), row.id
    elif printed == "-n":
        assert [_reach(row, facts[row.times or ""]) for row in rows] == [(None, -1)]
    elif ".." in printed:
        ends = tuple(sorted(int(end) for end in printed.split("..")))
        assert [_reach(row, facts[row.times or ""]) for row in rows] == [ends]
    else:
        assert {row.value for row in rows} == {int(printed)}
        for row in rows:
            assert row.sign_of is None
            assert row.times is None or row.limit, "more than once only within a limit"


def _reach(row: Modifier, fact: Fact) -> tuple[int | None, int | None]:
    """Give the least and greatest amount of a row that counts a number; None: no end."""
    least = fact.least
    if any(test.value == 1 for condition in row.when for test in condition.tests):
        least = 1  # it holds only from 1 on
    ends = [None if end is None else end * (row.value or 0) for end in (least, fact.most)]
    low, high = ends if (row.value or 0) > 0 else reversed(ends)
    return low, high


# Where the card says it in other words than the print
OWN_WORDS = {
    "qualité troupe": "QT",
    "éloigné de 3 hexagones": "3 hex ou plus",
    "déplacée": "bougé",
    "ratio": "rapport",
}
SMALL_WORDS = {"de", "des", "la", "les", "ou", "si", "un", "une"}


@pytest.mark.parametrize(("id_", "line"), _printed_modifiers())
def test_a_printed_modifier_is_paired_with_a_row_that_says_the_same(id_: str, line: Line) -> None:
    said = _plain(" ".join(row.text.fr for row in _named(game.card(id_), line)))
    words = re.findall(r"\w+", _plain(OWN_WORDS.get(line["word"], line["word"])))
    stems = [word[:5] for word in words if word not in SMALL_WORDS]
    assert any(re.search(rf"\b{stem}", said) for stem in stems), (stems, said)


def _plain(words: str) -> str:
    """Take accents and capitals away."""
    parts = unicodedata.normalize("NFD", words.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


@pytest.mark.parametrize("id_", GAMES)
def test_every_modifier_of_a_card_is_printed(id_: str) -> None:
    printed = [row for line in lines(id_, "modifiers") for row in ids(line["row"])]
    card = [row.id for row in game.card(id_).modifiers]
    assert set(card) - set(printed) == set(MODIFIERS_NOT_PRINTED.get(id_, {}))
    assert set(printed) - set(card) == set()


def test_flak_against_jabos_is_the_flak_of_strafing_and_off_by_default() -> None:
    card = game.card("normandy")
    rows = {row.id: row for row in card.modifiers}
    flak, jabos = rows["flak"], rows["flak-jabos"]
    assert (jabos.changes, jabos.value, jabos.rule) == (flak.changes, flak.value, flak.rule)
    assert (flak.table, jabos.table) == ("strafing", "jabo")
    assert "flak = also_jabos" in [str(condition) for condition in jabos.when]
    assert _option(card, "flak").default == "strafing_only"


@pytest.mark.parametrize("id_", ["bautzen", "panzer-grenadier", "white-october"])
def test_modifiers_stand_in_printed_order(id_: str) -> None:
    printed = [row for line in lines(id_, "modifiers") for row in ids(line["row"])]
    assert [row.id for row in game.card(id_).modifiers] == printed


# id: combine, least, most, rule
LIMITS = {
    "bautzen": {"cl": ("sum", -3, 3, None), "air": ("sum", -2, 2, "10")},
    "normandy": {
        "water": ("once", None, None, None),
        "halving": ("once", None, None, None),
        "bdc": ("best", None, None, None),
        "defensive-support": ("sum", 0, 1, "12.4"),
    },
    "panzer-grenadier": {"column": ("sum", -2, 3, "10.3")},
    "white-october": {"ratio": ("sum", None, 5, None)},
}
LIMITED = {
    "bautzen": {
        "cl": {"defender-cl", "attacker-cl"},
        "air": {"attacker-air", "defender-air"},
    },
    "normandy": {
        "water": {"water", "into-flooded", "causeway"},
        "defensive-support": {"defensive-support"},
    },
    "white-october": {"ratio": {"ratio"}},
}


@pytest.mark.parametrize("id_", GAMES)
def test_limits_are_as_printed(id_: str) -> None:
    card = game.card(id_)
    read = {row.id: (row.combine, row.least, row.most, row.rule) for row in card.limits}
    assert read == LIMITS[id_]
    for limit, rows in LIMITED.get(id_, {}).items():
        assert {row.id for row in card.modifiers if row.limit == limit} == rows


def test_the_limit_of_direct_fire_holds_for_all_its_modifiers_and_no_other() -> None:
    card = game.card("panzer-grenadier")
    for row in card.modifiers:
        assert (row.limit == "column") == (row.table == "direct-fire"), row.id


def test_normandy_halves_a_unit_once_and_takes_the_best_terrain() -> None:
    card = game.card("normandy")
    for row in card.modifiers:
        assert (row.limit == "halving") == (row.changes == "attack"), row.id
        assert (row.limit == "bdc") == (row.changes == "defence"), row.id


# What the printed words of a line ask for, where they name a terrain or a number.
CONDITIONS = {
    "bautzen": {
        "difficult": ["terrain has difficult"],
        "river": ["across_river"],
        "dominant-position": ["terrain has dominant-position"],
        "village": ["terrain has village"],
        "town": ["terrain has town"],
        "wood": ["terrain has wood"],
    },
    "normandy": {
        "hilltop": ["terrain has hilltop"],
        "jabos": ["jabo_shift >= 1", "weather = clear"],
        "bdc-mixed": ["terrain has mixed"],
        "bdc-bocage": ["terrain has bocage"],
        "bdc-wood": ["terrain has wood"],
        "bdc-village": ["terrain has village"],
        "bdc-town": ["terrain has town"],
        "outside-main-force": ["not main_force"],
        "across-cherbourg-perimeter": ["crosses has cherbourg-perimeter", "attacker_camp = allied"],
    },
    "panzer-grenadier": {
        "town-or-wood": ["terrain has town|wood"],
        "hill": ["terrain has hill"],
        "range": ["range >= 3"],
        "anti-aircraft-near": ["air_attack", "aa_unit", "aa_distance <= 3"],
        "gun-or-mortar": ["unit_kind = mortar|anti-aircraft|anti-tank"],
        "cavalry": ["unit_kind = cavalry"],
        "marsh": ["terrain has marsh"],
        "three-units": ["combat_units_in_hex >= 3"],
        "artillery": ["unit_kind = artillery"],
        "at-cover": ["dug_in or terrain has town|wood"],
        "at-range": ["range >= 6"],
        "at-adjacent": ["range >= 1", "range <= 1"],
    },
    "white-october": {
        "cavalry": ["cavalry_attack", "clear_terrain", "not enemy_cavalry"],
        "encirclement": ["defender_encircled"],
        "encircled-stack": ["encircled"],
    },
}


@pytest.mark.parametrize("id_", GAMES)
def test_conditions_are_what_the_printed_words_ask_for(id_: str) -> None:
    read = {row.id: [str(c) for c in row.when] for row in game.card(id_).modifiers}
    assert {key: read[key] for key in CONDITIONS[id_]} == CONDITIONS[id_]


def test_an_entrenchment_in_town_or_wood_counts_one_column_only() -> None:
    (row,) = [row for row in game.card("panzer-grenadier").modifiers if row.id == "entrenchment"]
    ((instead,),) = [row.instead]
    assert [str(c) for c in instead.when] == ["terrain has town|wood"]
    assert instead.value == -1


# ------------------------------------------------------------------ terrain

KINDS = {"road": "way", "other": "marker"}
COSTS = {
    "idem": "other",
    "AT": "other",
    "x2": "1/2",  # the card's note says how it is printed
    "impassable": "no",
    "Interdit": "no",
    "seulement via route ou voie ferrée": "way",
    "2 et Arrêt": "2 stop",
    "Adj. +1": "+1 adjacent",
}
STACKING = {"idem": "other", "-": None, "6": 6, "4": 4}
ARMOUR = {"AT": "other", "-": None, "yes": "yes", "no": "no"}
# Rows that are no terrain but stand in the chart
ZOC = {"leave-zoc", "enter-zoc"}
TERRAIN_RULES = {"bautzen": {"road": "4.2"}, "panzer-grenadier": {"river": "5.7"}}
# The card of Panzer Grenadier has no terrain chart: these are named in its modifiers.
TERRAIN_NOT_PRINTED = {
    "panzer-grenadier": {"clear", "town", "wood", "hill", "marsh", "river"},
}


def _printed_terrain(id_: str) -> list[object]:
    return [pytest.param(line, id=line["name"]) for line in lines(id_, "terrain")]


def _row(id_: str, line: Line) -> Terrain:
    known = {row.id: row for row in game.card(id_).terrain}
    return known[line["row"]]


def _effects(id_: str, row: Terrain) -> set[str]:
    """Write what a terrain does in combat as the transcriptions do."""
    known = {modifier.id: modifier for modifier in game.card(id_).modifiers}
    words = {"die": "{} dé", "column": "{} colonne", "defence": "{} BDC", "attack": "Attq {}"}
    return {
        words[known[m].changes].format(known[m].factor or f"{known[m].value:+d}")
        for m in row.combat
    }


@pytest.mark.parametrize("id_", GAMES)
def test_the_terrain_chart_has_the_printed_rows_in_printed_order(id_: str) -> None:
    printed = [line["row"] for line in lines(id_, "terrain")]
    card = [row.id for row in game.card(id_).terrain]
    assert [id_ for id_ in card if id_ in printed] == printed
    assert set(card) - set(printed) == TERRAIN_NOT_PRINTED.get(id_, set())


def test_the_charts_have_all_their_rows() -> None:
    assert len(lines("bautzen", "terrain")) == 10
    assert len(lines("normandy", "terrain")) == 22


@pytest.mark.parametrize("id_", ["bautzen", "normandy"])
def test_terrain_rows_are_paired_by_name(id_: str) -> None:
    expected = {"PA": "point", "Périm.": "perim", "Sortir": "sortir", "Impassable": "infra"}
    for line in lines(id_, "terrain"):
        first = line["name"].split()[0].split("/")[0]
        stem = expected.get(first, _plain(first)[:5])
        assert _plain(_row(id_, line).text.fr).startswith(stem), line["name"]


@pytest.mark.parametrize("line", _printed_terrain("bautzen"))
def test_a_terrain_of_bautzen_is_as_printed(line: Line) -> None:
    row = _row("bautzen", line)
    assert row.on == KINDS.get(line["kind"], line["kind"])
    assert dict(row.cost) == {
        unit: COSTS.get(line[unit], line[unit]) for unit in ("infantry", "other")
    }
    assert row.stacking == STACKING[line["stacking"]]
    effects = {word for word in line["combat"].split("; ") if word.startswith("-1")}
    assert _effects("bautzen", row) == effects
    notes = " ".join(note.text.fr for note in row.notes)
    assert ("interdit" in notes) == (line["combat"] == "interdit")
    assert ("QG" in notes) == ("QG +2" in line["combat"])
    assert ("×2" in notes) == (line["infantry"] == "x2")


def test_headquarters_on_a_dominant_position_support_with_two_more() -> None:
    assert game.card("bautzen").number("dominant_support") == 2


@pytest.mark.parametrize("line", _printed_terrain("normandy"))
def test_a_terrain_of_normandy_is_as_printed(line: Line) -> None:
    row = _row("normandy", line)
    assert row.on == ("zoc" if row.id in ZOC else KINDS.get(line["kind"], line["kind"]))
    mech, _, german = line["mech"].partition(" (")
    if not german:
        german = mech = line["mech"]
    costs = {"non-mech": line["non-mech"], "mech": mech, "german-mech": german.rstrip(")")}
    assert dict(row.cost) == {unit: COSTS.get(cost, cost) for unit, cost in costs.items()}
    assert row.values.get("armour") == ARMOUR[line["armour"]]
    assert row.stacking is None
    assert _effects("normandy", row) == set(_normandy_effects(line["combat"]))


def _normandy_effects(printed: str) -> Iterator[str]:
    for word in re.findall(r"\d BDC|1/2|1G", printed):
        yield {"1/2": "Attq 1/2", "1G": "-1 colonne"}.get(word, f"+{word}")


@pytest.mark.parametrize("line", _printed_terrain("normandy"))
def test_the_marks_and_notes_of_a_terrain_are_as_printed(line: Line) -> None:
    row = _row("normandy", line)
    marks = [] if line["marks"] == "-" else line["marks"].split()
    assert sorted(note.mark for note in row.notes if note.mark) == sorted(marks)
    printed = [] if line["notes"] == "-" else line["notes"].split("; ")
    rules = [match[1] for note in printed if (match := re.search(r"\(([\d.]+)\)$", note))]
    plain = [note for note in row.notes if not note.mark]
    assert [note.rule for note in plain if note.rule] == rules
    repeats = line["combat"].startswith("AT")  # the combat column says it, the card in a note
    assert bool(plain) == (bool(printed) or repeats)
    assert bool(row.values.get("retreat_stop")) == ("Arrêt retraite" in line["notes"])
    assert (row.values.get("zoc") is False) == ("Pas de ZDC" in line["notes"])


# What the notes say of the advance: of units that are not mechanised, of mechanised ones
ADVANCE = {
    "Avance Cbt Arrêt sauf libéré Def OU Route (14.4)": ("stop-unless-vacated-or-road",) * 2,
    "Avance Cbt non limité (14.4)": ("unlimited",) * 2,
    "Avance Cbt 1er hex sans Route (14.4)": ("first-hex-without-road",) * 2,
    "Avance Cbt Interdit": ("no",) * 2,
    "Non Meca. : Avance Cbt limité 1er hex sans Route": ("first-hex-without-road", None),
    "Meca. : Avance Cbt Interdit sans Route (14.4)": (None, "no-without-road"),
}


@pytest.mark.parametrize("line", _printed_terrain("normandy"))
def test_the_advance_over_a_terrain_is_as_noted(line: Line) -> None:
    row = _row("normandy", line)
    notes = [ADVANCE[note] for note in line["notes"].split("; ") if "Avance" in note]
    for place, key in enumerate(("advance_non_mech", "advance_mech")):
        said = [note[place] for note in notes if note[place]]
        assert [row.values[key]] * len(said) == said if said else key not in row.values, key


def test_columns_of_determined_defence_follow_the_terrain() -> None:
    opened = {
        row.id: row.values["determined_defence"]
        for row in game.card("normandy").terrain
        if "determined_defence" in row.values
    }
    assert {id_ for id_, column in opened.items() if column == "open"} == {"clear", "flooded"}
    assert {id_ for id_, c in opened.items() if c == "strongpoint-or-town"} == {"town"}
    assert set(opened.values()) == {"open", "other", "strongpoint-or-town"}


@pytest.mark.parametrize("id_", GAMES)
def test_rule_numbers_of_terrain_rows(id_: str) -> None:
    rules = {row.id: row.rule for row in game.card(id_).terrain if row.rule}
    assert rules == TERRAIN_RULES.get(id_, {})


UNIT_CLASSES = {
    "bautzen": ["infantry", "other"],
    "normandy": ["non-mech", "mech", "german-mech"],
    "white-october": [],
}


@pytest.mark.parametrize("id_", sorted(UNIT_CLASSES))
def test_the_columns_of_the_terrain_chart_are_the_printed_unit_classes(id_: str) -> None:
    assert [row.id for row in game.card(id_).unit_classes] == UNIT_CLASSES[id_]


def test_panzer_grenadier_names_its_terrain_in_modifiers() -> None:
    card = game.card("panzer-grenadier")
    assert {row.id: (row.on, set(row.combat)) for row in card.terrain} == {
        "clear": ("hex", set()),
        "town": ("hex", {"town-or-wood", "at-cover"}),
        "wood": ("hex", {"town-or-wood", "at-cover"}),
        "hill": ("hex", {"hill", "at-higher"}),
        "marsh": ("hex", {"marsh"}),
        "river": ("hexside", {"engineers-crossing", "at-engineers-crossing"}),
    }
    (kinds,) = [fact for fact in card.facts if fact.id == "unit_kind"]
    assert [row.id for row in card.unit_classes] == list(kinds.values)


# ------------------------------------------------------------------ options

# The rule on which an option bears, where it has a number
RULES_OF_OPTIONS = {
    "bautzen": {
        "ratio_clamp": "8.2",
        "low_die": "8.2",
        "zero_defence": "8.2",
        "support_cap": "9.2",
        "support_losses": "8.3",
        "no_retreat_loss": "8.5.2a",
        "reattacked": "8.5.2b",
    },
    "normandy": {
        "dd_column": "12.4",
        "dd_row_five": "12.4",
        "dd_star": "12.4",
        "armour_shift": "11.4",
        "jabo_side": "19.1.3",
        "flak": "19.1.4",
    },
    "panzer-grenadier": {
        "separate_columns": "7.51",
        "off_table": "10.3",
        "trucks_check": "14.1",
        "step_losses": "7.61",
        "morale_thresholds": "14.1",
        "crossfire_lines": "1.11",
    },
    "white-october": {},
}
LINES_WITHOUT_OPTION = {
    "white-october": {
        "second-hex": "stated by the player: fact second_hex_allowed",
        "rout-surrender-execution": "told, and left to the players: no second way to compute",
    },
}


def _option(card: Card, id_: str) -> Option:
    return next(option for option in card.options if option.id == id_)


@pytest.mark.parametrize("id_", GAMES)
def test_every_open_reading_is_an_option_with_its_default_first(id_: str) -> None:
    card = game.card(id_)
    offered: dict[str, list[str]] = {}
    for line in lines(id_, "options"):
        if line["option"] in LINES_WITHOUT_OPTION.get(id_, {}):
            assert line["row"] == "-"
            continue
        default, *others = ids(line["choices"])
        assert _option(card, line["row"]).default == default, line["option"]
        assert others, line["option"]
        offered.setdefault(line["row"], []).extend([default, *others])
    for option, choices in offered.items():
        known = [choice.id for choice in _option(card, option).choices]
        assert known == list(dict.fromkeys(choices)), option


@pytest.mark.parametrize("id_", GAMES)
def test_each_named_alternative_is_a_choice(id_: str) -> None:
    for line in lines(id_, "options"):
        if line["row"] == "-" or line["alternatives"] == "(none named)":
            continue
        free = ("configurable", "hook", "user value")  # one way for the card, or the player's word
        named = [a for a in line["alternatives"].split(" | ") if not a.endswith(free)]
        assert len(ids(line["choices"])) >= 1 + len(named), line["option"]


def _beyond(id_: str, part: str) -> dict[str, Line]:
    """Give the rows of a card that are not printed, and that the reading does not ask for."""
    return {line["row"]: line for line in lines(id_, "beyond") if line["part"] == part}


@pytest.mark.parametrize("id_", GAMES)
def test_every_option_of_a_card_is_listed(id_: str) -> None:
    listed = {row for line in lines(id_, "options") for row in ids(line["row"])}
    options = {option.id: option for option in game.card(id_).options}
    assert listed - set(options) == set()
    beyond = _beyond(id_, "options")
    assert set(options) - listed == set(beyond), f"tests/printed/{id_}/beyond.tsv lists the others"
    for row, line in beyond.items():
        assert [choice.id for choice in options[row].choices] == ids(line["value"]), row
        assert (options[row].rule or "-") == line["rule"], row


@pytest.mark.parametrize("id_", GAMES)
def test_options_carry_the_number_of_their_rule(id_: str) -> None:
    beyond = _beyond(id_, "options")
    options = [option for option in game.card(id_).options if option.id not in beyond]
    assert {option.id: option.rule for option in options if option.rule} == RULES_OF_OPTIONS[id_]


@pytest.mark.parametrize("id_", GAMES)
def test_what_is_not_printed_has_a_reason(id_: str) -> None:
    for line in lines(id_, "beyond"):
        assert line["part"] in ("options", "numbers"), line
        assert len(line["reason"].split()) > 2, line


@pytest.mark.parametrize("id_", GAMES)
def test_lines_without_an_option_are_known(id_: str) -> None:
    without = {line["option"] for line in lines(id_, "options") if line["row"] == "-"}
    assert without == set(LINES_WITHOUT_OPTION.get(id_, {}))


def test_the_second_hex_is_stated_by_the_player() -> None:
    (fact,) = [f for f in game.card("white-october").facts if f.id == "second_hex_allowed"]
    assert fact.kind == "flag"
    assert fact.reading.doubtful


# ------------------------------------------------------------------ doubtful cells

DOUBTFUL_CELLS = 19
DAMAGED_CELLS = 13


def test_exactly_the_doubtful_halves_of_white_october_are_marked() -> None:
    table = game.card("white-october").table("combat")
    printed = {
        (line["row"], line["column"], line["half"]): line
        for line in lines("white-october", "doubts")
    }
    assert len(printed) == 29
    assert {(d.row, d.column, d.half) for d in table.doubts} == set(printed)
    assert len(table.doubts) == len(printed)
    for doubt in table.doubts:
        line = printed[doubt.row, doubt.column, doubt.half or ""]
        status = {"suspect": "certain"}.get(line["status"], line["status"])
        assert doubt.reading.status == status, line
        assert doubt.reading.confidence == int(line["confidence"]), line
        assert doubt.printed == line["printed"], line


def test_exactly_19_cells_of_white_october_are_doubtful() -> None:
    table = game.card("white-october").table("combat")
    doubtful = {
        (row, column)
        for row in table.row_labels
        for column in table.column_labels
        if table.cell(row, column).doubts
    }
    assert len(doubtful) == DOUBTFUL_CELLS
    assert doubtful == {(line["row"], line["column"]) for line in lines("white-october", "doubts")}


def test_exactly_13_cells_of_white_october_are_damaged() -> None:
    table = game.card("white-october").table("combat")
    lost = {(line["row"], line["column"]) for line in lines("white-october", "damaged")}
    assert len(lost) == DAMAGED_CELLS
    read = {(d.row, d.column) for d in table.doubts if d.reading.option == "damaged_cells"}
    assert read == lost
    refused = {(d.row, d.column) for d in table.doubts if d.instead.get("refuse") == "?"}
    assert refused == lost


def test_what_is_legible_of_the_damaged_cells_is_kept() -> None:
    table = game.card("white-october").table("combat")
    legible = {
        (line["row"], line["column"], line["half"]): line["legible"].replace("(none)", "")
        for line in lines("white-october", "damaged")
    }
    assert len(legible) == DAMAGED_CELLS
    for doubt in table.doubts:
        if doubt.reading.option != "damaged_cells":
            continue
        key = (doubt.row, doubt.column, doubt.half or "")
        whole = str(table.cell(doubt.row, doubt.column).halves[doubt.half == "defender"])
        assert doubt.instead["legible"] == legible.pop(key, whole), key
    assert legible == {}, "damaged halves that the card does not mark"


OTHER_DOUBTFUL_CELLS = {
    ("normandy", "determined-defence"): {("5", "open"), ("6", "entrenched")},
    ("panzer-grenadier", "morale-check"): {  # not on the card at all: all rows of the third column
        ("2", "good-order"),
        ("3", "good-order"),
        ("1", "demoralised"),
        ("2", "demoralised"),
        ("3", "demoralised"),
        ("4+", "demoralised"),
    },
    ("white-october", "ratio"): {
        ("dice", column) for column in ("1/4", "2.5/1", "3/1", "3.5/1", "4/1", "5/1")
    },
}


@pytest.mark.parametrize("id_", GAMES)
def test_no_other_cell_is_doubtful(id_: str) -> None:
    for table in game.card(id_).tables:
        if (id_, table.id) != ("white-october", "combat"):
            marked = {(doubt.row, doubt.column) for doubt in table.doubts}
            assert marked == OTHER_DOUBTFUL_CELLS.get((id_, table.id), set()), table.id


# ------------------------------------------------------------------ numbers

# Printed outside tables, or facts of Bautzen's published rules: value and rule.
NUMBERS: dict[str, dict[str, tuple[Fraction | int, str | None]]] = {
    "bautzen": {
        "command_range": (3, "6.1"),  # the printed example
        "cl_allied_income": (4, "7.2"),
        "cl_on_map": (4, "7.2"),
        "cl_movement": (4, "7.2"),
        "air_markers": (3, "10"),
        "dominant_support": (2, "10.2"),  # also in the terrain chart
        "dominant_range": (2, "10.2"),
        "hq_alone": (Fraction(1, 2), "8.6.1"),
        "artillery_alone": (1, "8.6.2"),
        "anti_tank_alone": (1, "1.2"),
        "overstacked": (Fraction(1, 2), "5.3"),
        "unsupplied_attack": (Fraction(1, 2), "7.3"),
        "unsupplied_defence": (Fraction(1, 2), "7.3"),
        "leave_zoc": (1, "3"),
        "turns": (6, "2"),
    },
    "normandy": {
        "factor_cap": (18, None),
        "german_mech_clear_weather": (-2, None),
    },
    "panzer-grenadier": {
        "shift_left": (-2, "10.3"),
        "shift_right": (3, "10.3"),
        "fire_least": (1, None),
        "long_range": (3, None),
        "anti_tank_long_range": (5, None),
        "aa_reach": (3, None),
        "stacked_target": (3, "4.4"),
        "crossfire_sides": (2, "1.11"),
        "truck_armour": (-1, None),
    },
    "white-october": {
        "mandatory_loss_from": (4, None),
        "mandatory_loss": (1, None),
        "cavalry_quality": (5, None),
        "morale_least": (1, None),
        "morale_most": (6, None),
        "column_without_winner": (7, None),
        "attacker_wins_from": (8, None),
        "last_column": (15, None),
    },
}


@pytest.mark.parametrize("id_", GAMES)
def test_every_number_is_known(id_: str) -> None:
    read = {number.id: (number.value, number.rule) for number in game.card(id_).numbers}
    beyond = {
        row: (Fraction(line["value"]), None if line["rule"] == "-" else line["rule"])
        for row, line in _beyond(id_, "numbers").items()
    }
    assert read == NUMBERS[id_] | beyond, f"tests/printed/{id_}/beyond.tsv lists the others"
    for row in beyond:
        assert game.card(id_).number_row(row).reading.status == "assumed", row


@pytest.mark.parametrize("id_", GAMES)
def test_the_transcription_knows_every_game(id_: str) -> None:
    assert set(GAMES) == set(game.ids())
    assert game.card(id_).id == id_
