"""Options, doubtful cells and numbers of the cards are those of the reading."""

from fractions import Fraction

import pytest

from grognard.rules import game
from tests.card.printed_cards import option_of
from tests.transcription import GAMES, Line, ids, lines

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


@pytest.mark.parametrize("id_", GAMES)
def test_every_open_reading_is_an_option_with_its_default_first(id_: str) -> None:
    card = game.card(id_)
    offered: dict[str, list[str]] = {}
    for line in lines(id_, "options"):
        if line["option"] in LINES_WITHOUT_OPTION.get(id_, {}):
            assert line["row"] == "-"
            continue
        default, *others = ids(line["choices"])
        assert option_of(card, line["row"]).default == default, line["option"]
        assert others, line["option"]
        offered.setdefault(line["row"], []).extend([default, *others])
    for option, choices in offered.items():
        known = [choice.id for choice in option_of(card, option).choices]
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
