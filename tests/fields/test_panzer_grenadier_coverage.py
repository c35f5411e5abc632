"""The recorded matches of the steppe village use every rule of Panzer Grenadier's card.

A rule is used when the match's log, or an answer in it, shows it. What counts:

* a modifier: a told line of kind `modifier` with its id, and a value other than 0;
* the limit: a told line of kind `limit`; one at its lower end and one at its upper end;
* the direct-fire table: a told `look-up` line with the row, the column, the code;
* the anti-tank table: a told `anti-tank-result` line with the row, the code;
* the morale-check table: a told `exceeded` line with the row and the code; `check-passed` for the
  row 0-, where nothing is exceeded; for the columns, a morale roll of a unit in that state;
* a hex's terrain and markers: a fire at units there (a told `fires-from` or `strikes-at` line), and
  a move that came to its end through or in such a hex;
* a river, a road: a step of a move that came to its end, across the one off the road, along the
  other;
* an order: an answer with its verb; to carry a load is an order of its own;
* a phrase: a told line with its id, or a question that asks it.
"""

from collections.abc import Mapping
from functools import cache

import pytest

from grognard.games.panzer_grenadier.field import PanzerGrenadierField
from grognard.games.panzer_grenadier.segment import SegmentOrders
from grognard.maps import scenario as scenarios
from grognard.matches.orders import LAST
from tests.fields import panzer_grenadier_records as records
from tests.fields.recording import recorded

FIELD = PanzerGrenadierField(scenarios.load(records.NAME))
CARD = FIELD.card
SHEET = FIELD.scenario.board().map


@cache
def found() -> Mapping[str, set[str]]:
    return recorded(records.FOLDER, records.used)


def uses(kind: str) -> set[str]:
    return found()[kind]


@pytest.mark.parametrize(("group", "count"), [("column", 16), ("anti-tank", 8)])
def test_every_modifier(group: str, count: int) -> None:
    rows = {row.id for row in CARD.modifiers if row.group == group}
    assert len(rows) == count
    assert rows <= uses("modifier")


def test_the_limit_at_both_ends() -> None:
    ends = {f"{row.id} {end}" for row in CARD.limits for end in (row.least, row.most)}
    assert ends == {"column -2", "column 3"}
    assert uses("limit") == ends


@pytest.mark.parametrize("table", ["direct-fire", "anti-tank", "morale-check"])
def test_every_result_and_every_row_of_a_table(table: str) -> None:
    assert uses(table) == set(CARD.table(table).legend)
    assert uses(f"{table} row") == set(CARD.table(table).row_labels)


def test_every_column_of_the_tables() -> None:
    assert uses("direct-fire column") == set(CARD.table("direct-fire").column_labels)
    assert uses("morale-check column") == set(CARD.table("morale-check").column_labels)


def test_every_terrain_of_the_map() -> None:
    hexes = {id_ for place in SHEET.places.values() for id_ in place.terrain}
    sides = {id_ for features in SHEET.hexsides.values() for id_ in features}
    ways = {id_ for features in SHEET.ways.values() for id_ in features}
    assert {row.id for row in CARD.terrain} <= hexes | sides
    assert {row.id for row in FIELD.scenario.terrain} == hexes | sides | ways
    assert uses("fired at") == hexes
    assert uses("entered") == hexes
    assert uses("crossed") == sides
    assert uses("along") == ways


def test_every_order() -> None:
    verbs = {form.in_("en").split()[0] for form in (*SegmentOrders.known, LAST)}
    assert uses("order") == verbs | {"move with"}


def test_what_changes_a_value() -> None:
    rows = (CARD.number_row("disrupted_fire"), CARD.number_row("truck_armour"))
    assert uses("number") == {row.text.en for row in rows}
    assert "disrupted" in uses("moved")  # one hex, disrupted_move


def test_every_phrase() -> None:
    other_options = {"dug-in-now", "fire-read", "initiative-roll", "left-of-table"}
    other_options |= {"need-not-check"}
    never_on_the_map = {"over-stacked"}
    elsewhere = {"arrival-blocked"}  # tested in test_panzer_grenadier
    codes = {"word-none", "word-step", "word-passed"}  # wordings of results
    verbs = {f"order-{verb}" for verb in uses("order")}
    shared = {"arrives", "arrives-where", "arrival-blocked"}  # of all games
    answers = {"who-loses.part"}  # words of an answer
    unused = {*CARD.phrases, *shared} - uses("phrase") - verbs - codes - answers
    assert unused == other_options | never_on_the_map | elsewhere
