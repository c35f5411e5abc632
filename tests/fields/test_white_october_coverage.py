"""The recorded matches of Pulkovo use every rule of White October's card.

A rule is used when the match's log, or an answer in it, shows it. What counts:

* a modifier: a told line of kind `modifier` with its id; one that can help either side with both
  signs, one to morale or strength for attackers and for defenders;
* the limit of the ratio: the table of ratios ends with it, so a ratio was worth as much;
* the combat table: a told `look-up` line, which holds the row and the half that a side reads there;
  every half that differs from the others was read, and every one whose reading is doubtful;
* a code of the legend: a side applied a result that holds it;
* the ratio table: a told `basic-column` line with the column, a modifier with what it gives;
* an option: a told line whose reading names it, played as the scenario does;
* terrain of hexes and markers: a move entered such a hex, and one was attacked; what has a
  defensive value was told as helping; the sea is for the fleet alone;
* a river: a move and an attack crossed it; a road, a railway: a move went along it;
* an order: an answer with its verb; a unit class or a kind: a unit of it moved, or took part;
* a phrase: a told line with its id or with it as a part, or a question that asks it.
"""

from collections.abc import Mapping
from functools import cache

from grognard.card.rows import Side
from grognard.games.white_october.field import WhiteOctoberField
from grognard.games.white_october.ground import FIGHTS, SUPPORTS
from grognard.maps import scenario as scenarios
from tests.fields import white_october_records as records
from tests.fields.recording import recorded

FIELD = WhiteOctoberField(scenarios.load(records.NAME))
CARD = FIELD.card
COMBAT = CARD.table("combat")
SHEET = FIELD.scenario.board().map
SIDES: tuple[Side, Side] = ("attacker", "defender")


@cache
def found() -> Mapping[str, set[str]]:
    return recorded(records.FOLDER, records.used)


def uses(kind: str) -> set[str]:
    return found()[kind]


EITHER_WAY = ("ratio", "quality", "support", "vehicles", "hq")
HELP = ("tank", "air", "night", "encirclement", "cavalry")
OF_A_SIDE = ("encircled-stack", "trotsky", "out-of-ammunition", "disorganised")


def test_every_modifier_with_its_sign_or_for_both_sides() -> None:
    known = {
        *(f"{id_} {sign}" for id_ in EITHER_WAY for sign in "+-"),
        *(f"{id_} +" for id_ in HELP),
        *(f"{id_} {side}" for id_ in OF_A_SIDE for side in SIDES),
        "terrain -",
        "routed defender",  # routed units do not attack (option routed_units)
    }
    assert {use.split()[0] for use in known} == {row.id for row in CARD.modifiers}
    assert uses("modifier") == known


def test_the_ratio_up_to_its_limit() -> None:
    (limit,) = CARD.limits
    assert f"{limit.most:+}" in uses("ratio dice")
    assert uses("ratio") == set(CARD.table("ratio").column_labels)
    assert uses("ratio dice") == set(CARD.table("ratio").legend) - {"+0"}


def test_every_row_and_every_column_of_the_table() -> None:
    rows = {f"{side} {row}" for side in SIDES for row in COMBAT.row_labels}
    assert uses("row") == rows
    assert uses("column") == set(COMBAT.column_labels)


def test_every_half_that_differs() -> None:
    halves = {
        f"{side} {half}"
        for row in COMBAT.row_labels
        for column in COMBAT.column_labels
        for side in SIDES
        for half in [str(COMBAT.read(row, column, FIELD.options, side)) or "-"]
    }
    assert len(halves) == 47
    assert uses("half") == halves


def test_every_doubtful_half() -> None:
    doubts = {f"{doubt.half} {doubt.row} {doubt.column}" for doubt in COMBAT.doubts}
    assert len(doubts) == 29
    assert uses("doubtful half") == doubts


def test_every_code_of_the_legend() -> None:
    assert {use.split()[1] for use in uses("code")} == set(COMBAT.legend)
    for code in ("1", "2", "d", "r", "dr", "R", "a1"):
        assert {f"{side} {code}" for side in SIDES} <= uses("code")


def test_every_option_that_a_reading_of_the_fight_names() -> None:
    order = [option.id for option in CARD.options]
    stated = order[: order.index("zoc_movement")]  # from there on they are about the map
    assert len(stated) == 18
    assert uses("option") >= set(stated)


def test_the_limits_of_morale_and_no_way_back() -> None:
    least, most = CARD.number("morale_least"), CARD.number("morale_most")
    assert uses("morale limit") == {str(least), str(most)}
    assert uses("no way back") == set(SIDES)


def test_every_terrain_of_the_chart() -> None:
    hexes = {id_ for place in SHEET.places.values() for id_ in place.terrain}
    sides = {id_ for features in SHEET.hexsides.values() for id_ in features}
    ways = {id_ for features in SHEET.ways.values() for id_ in features}
    assert {row.id for row in FIELD.scenario.terrain} == hexes | sides | ways
    assert uses("entered") == hexes
    assert uses("attacked") == hexes - {"sea"}
    assert uses("crossed") == sides
    assert uses("along") == ways
    worth = [row for row in FIELD.scenario.terrain if row.values.get("defence")]
    names = {text.en for text in SHEET.names.values()}
    assert uses("helps") == {row.text.en for row in worth if row.on != "hexside"} | names


def test_zones_of_control_terrain_and_stacking_hold_moves_back() -> None:
    assert uses("stopped") == {"zone", "terrain"}
    assert uses("stacked") == {"full"}


def test_every_kind_of_unit_takes_part() -> None:
    assert uses("takes part") == {*FIGHTS, *SUPPORTS}
    classes = {unit.unit_class for unit in FIELD.scenario.units} - {"air"}
    assert uses("moved") == classes


def test_every_order_and_every_phrase() -> None:
    assert uses("order") == {"attack", "end", "move"}
    other_options = {
        "lost-steps",
        "own-result.2",
        "recovery-roll",
        "stays-shaken",
        "strength-rounded",
        "surrender",
        "surrender.captured",
        "surrender.stay",
    }
    rare = {"already-routed"}  # tested with the fight
    rare |= {"who-loses.part", "how-far.n", "defensive-fires.none"}  # words of answers
    rare |= {"which-loses", "which-loses.eliminates"}  # of the map, where steps are spread
    rare |= {"losses", "a-loss", "steps-lost", "steps-left", "word-retreat"}  # words of outcomes
    rare |= {"unit-die"}  # of modifiers
    # On the map the dominant values are counted, never stated.
    stated_by_players = {"quality-stated", "morale-stated"}
    shared = {"across", "advances-to", "all-gone", "arrives", "arrives-where", "is-disorganised"}
    shared |= {"retreat-where", "who-follows"}  # of all games
    assert {*CARD.phrases, *shared} - uses("phrase") == other_options | stated_by_players | rare
