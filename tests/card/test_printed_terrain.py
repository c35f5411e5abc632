"""Terrain charts of the cards are the printed ones."""

import re
from collections.abc import Iterator

import pytest

from grognard.card.card import Terrain
from grognard.rules import game
from tests.card.printed_cards import plain_of
from tests.transcription import GAMES, Line, lines

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
        stem = expected.get(first, plain_of(first)[:5])
        assert plain_of(_row(id_, line).text.fr).startswith(stem), line["name"]


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
