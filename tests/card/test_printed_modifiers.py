"""Modifiers of the cards are the printed ones: amounts, conditions, limits, order."""

import re
from fractions import Fraction

import pytest

from grognard.card.card import Card
from grognard.card.modifier_rows import Fact, Modifier
from grognard.rules import game
from tests.card.printed_cards import option_of, plain_of
from tests.transcription import GAMES, Line, ids, lines

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
    said = plain_of(" ".join(row.text.fr for row in _named(game.card(id_), line)))
    words = re.findall(r"\w+", plain_of(OWN_WORDS.get(line["word"], line["word"])))
    stems = [word[:5] for word in words if word not in SMALL_WORDS]
    assert any(re.search(rf"\b{stem}", said) for stem in stems), (stems, said)


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
    assert option_of(card, "flak").default == "strafing_only"


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
