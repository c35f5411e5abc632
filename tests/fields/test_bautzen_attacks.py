"""Bautzen 1945 on the map: support, who attacks, retreats, arrivals."""

from collections.abc import Mapping
from functools import cache

import pytest
from msgspec.structs import replace

from grognard.games.bautzen.ground import ALLIED, GERMAN
from grognard.matches.match import begin
from grognard.matches.orders import AttackOrders, typed
from grognard.matches.protocol import END, Order
from tests.fields import bautzen_records
from tests.fields.bautzen_board import (
    ASSAULT,
    FIELD,
    NAME,
    ROOM_OF_ONE,
    WHOLE,
    Run,
    at,
    attack,
    board,
    changed,
    columns,
    refused,
    setup,
    ways,
    where,
)
from tests.fields.recording import recorded

# ------------------------------------------------------------------ 6, 9 command and support


@pytest.mark.parametrize(
    ("hq", "unit", "to", "commands"),
    [
        ("QG 20 Pz", "21/20", "1911", True),
        ("QG 20 Pz", "21/20", "1910", False),  # range 3, here 4
        ("QG 20 Pz", "Gr 545", "1911", True),  # an independent unit
        ("QG 57 PzK", "21/20", "1910", True),  # corps: range 4, every German unit
        ("QG 57 PzK", "21/20", "1909", False),
        ("QG 294", "861/294", "1913", True),
        ("QG 294", "2/7 GvCC", "1913", False),
        ("QG 294", "1 KP", "1913", False),
        ("QG 2 AP", "1 KP", "1913", True),
        ("QG 2 AP", "861/294", "1913", False),
        ("21/20", "50/20", "1913", False),
    ],
)
def test_command(hq: str, unit: str, to: str, commands: bool) -> None:
    on = board({hq: "1914", unit: to})
    assert FIELD.commands(on.piece(hq), on.piece(unit)) == commands


def test_support_within_range_and_once() -> None:
    on = board(
        {"21/20": "1911", "861/294": "1910", "92 Art": "1914", "QG 20 Pz": "1914", "Pi 70": "2010"}
    )
    assert len(setup(on, GERMAN, 'attack 1910 with 21/20 "92 Art" "QG 20 Pz"').attackers) == 3
    used = changed(changed(on, "92 Art", "supported"), "QG 20 Pz", "supported")
    refused(used, GERMAN, 'attack 1910 with 21/20 "92 Art"', "given its support")
    refused(used, GERMAN, 'attack 1910 with 21/20 "QG 20 Pz"', "given its support")
    far = board({"21/20": "1909", "861/294": "1908", "92 Art": "1914", "QG 20 Pz": "1914"})
    refused(far, GERMAN, 'attack 1908 with 21/20 "92 Art"', "no engaged unit")
    refused(far, GERMAN, 'attack 1908 with 21/20 "QG 20 Pz"', "no engaged unit")


def test_the_defender_is_asked_for_supports_that_have_not_defended() -> None:
    where_ = {"21/20": "1911", "861/294": "1910", "QG 294": "1808", "3 Art": "1907"}
    on = board(where_)
    assert {u.name for u in setup(on, GERMAN, "attack 1910 with 21/20").defenders} == {
        "861/294",
        "QG 294",
        "3 Art",
    }
    used = changed(on, "QG 294", "defended")
    assert {u.name for u in setup(used, GERMAN, "attack 1910 with 21/20").defenders} == {
        "861/294",
        "3 Art",
    }
    none = attack(on, GERMAN, "attack 1910 with 21/20", defender_support=())
    assert [line.value for line in none.lines if line.kind == "total"] == [6, 4]


def test_an_hq_in_the_attacked_hex_has_given_its_support() -> None:
    on = board({"21/20": "1911", "861/294": "1910", "QG 294": "1910"})
    run = attack(on, GERMAN, "attack 1910 with 21/20")
    totals = {line.id: line.value for line in run.lines if line.kind == "total"}
    assert totals == {"attack-total": 6, "support-total": 2, "defence-total": 6}
    assert "defended" in run.board.piece("QG 294").states


def test_an_hq_near_its_dominant_position_supports_with_two_more() -> None:
    on = board({"857/294": "2208", "QG 294": "2107", "21/20": "2209"})
    run = attack(on, GERMAN, "attack 2208 with 21/20")
    assert run.told("hq-support") == ["Support of QG 294: 2"]
    assert run.counted() == {"dominant_support": 2, "difficult": -1, "dominant-position": -1}
    assert run.told("support-total") == ["Support: 4"]
    far = board({"861/294": "1910", "QG 294": "1909", "21/20": "1911"})
    run = attack(far, GERMAN, "attack 1910 with 21/20")
    assert run.told("hq-support") == ["Support of QG 294: 2"]


# ------------------------------------------------------------------ 8.1 who attacks


def test_who_may_attack() -> None:
    on = board({"21/20": "1911", "861/294": "1910", "CL G1": "1911", "QG 20 Pz": "1911"})
    refused(on, GERMAN, "attack 1909 with 21/20", "no enemy in 1909")
    refused(on, GERMAN, 'attack 1910 with 21/20 "CL G1"', "column does not attack")
    refused(on, GERMAN, 'attack 1910 with "QG 20 Pz"', "no unit attacks")
    refused(on, GERMAN, "attack 1910 with 861/294", "not yours")
    refused(on, GERMAN, "attack 1910", "not an order here")
    refused(changed(on, "21/20", "attacked"), GERMAN, "attack 1910 with 21/20", "already")
    away = on.moved(["21/20"], at("1912"))
    refused(away, GERMAN, "attack 1910 with 21/20", "not adjacent to 1910")


def test_every_listed_attack_is_legal_and_spent_units_are_left_out() -> None:
    listed = list(AttackOrders(FIELD, WHOLE, GERMAN).all())
    assert listed[0] == END
    for order in listed:
        AttackOrders(FIELD, WHOLE, GERMAN).check(order)
    spent = changed(WHOLE, "21/20", "attacked")
    assert not any("21/20" in order for order in AttackOrders(FIELD, spent, GERMAN).all())


def test_the_formation_counts_only_when_it_attacks_with_all_its_units() -> None:
    assert setup(WHOLE, GERMAN, ASSAULT).formation_complete
    assert not setup(WHOLE, GERMAN, "attack 1910 with 21/20 50/20").formation_complete
    alone = board({"21/20": "1911", "861/294": "1910"})  # one unit is no formation
    assert not setup(alone, GERMAN, "attack 1910 with 21/20").formation_complete


def test_opposite_attackers_surround_unless_a_friend_stands_beside() -> None:
    on = board({"21/20": "1909", "112/20": "1911", "861/294": "1910"})
    run = attack(on, GERMAN, "attack 1910 with 21/20")
    assert run.counted()["concentric"] == 1
    assert run.told("surrounded") == ["1910 is surrounded by the attacker's units and their ZOC"]
    friend = board({"21/20": "1909", "112/20": "1911", "861/294": "1910", "CL A1": "2009"})
    assert not setup(friend, GERMAN, "attack 1910 with 21/20").concentric
    edge = board({"21/20": "1907", "861/294": "1906"})
    assert not setup(edge, GERMAN, "attack 1906 with 21/20").concentric


# ------------------------------------------------------------------ 7.2, 10 columns and air


@pytest.mark.parametrize(
    ("moved", "at_hand"),
    [
        ({}, 1),
        ({"CL A1": "1910"}, 1),  # in the hex
        ({"CL A1": "1908"}, 0),  # two hexes away
        ({"QG 294": "1906"}, 0),  # four hexes: out of command
        ({"CL A2": "2009"}, 2),
    ],
)
def test_columns_beside_a_commanded_unit_are_at_hand(moved: dict[str, str], at_hand: int) -> None:
    where_ = {"21/20": "1911", "861/294": "1910", "CL A1": "1909", "QG 294": "1808", **moved}
    assert setup(board(where_), GERMAN, "attack 1910 with 21/20").defender_cl_at_hand == at_hand


def test_a_corps_hq_gives_columns_to_independents_only() -> None:
    where_ = {"QG 57 PzK": "1912", "CL G1": "1911", "861/294": "1910"}
    for name, at_hand in (("Pi 70", 1), ("21/20", 0)):
        stated = setup(board({**where_, name: "1911"}), GERMAN, f'attack 1910 with "{name}"')
        assert stated.attacker_cl_at_hand == at_hand


def test_used_columns_are_removed_the_owner_choosing() -> None:
    on = board(
        {"21/20": "1911", "861/294": "1910", "CL A1": "1909", "CL A2": "2009", "QG 294": "1808"}
    )
    run = attack(
        on, GERMAN, "attack 1910 with 21/20", commit_cl=((0, 0), (1, 0)), which_column="CL A2"
    )
    assert run.told("column-used") == ["CL A2 is used up"]
    assert (where(run.board, "CL A1"), where(run.board, "CL A2")) == ("1909", "")


def test_an_air_marker_is_used_once_a_turn() -> None:
    on = board({"21/20": "1911", "861/294": "1910"}, air_used=2)
    stated = setup(on, GERMAN, "attack 1910 with 21/20")
    assert (stated.attacker_air_at_hand, stated.defender_air_at_hand) == (0, 1)
    stated = setup(on, ALLIED, "attack 1911 with 861/294")
    assert (stated.attacker_air_at_hand, stated.defender_air_at_hand) == (1, 0)
    run = attack(on, ALLIED, "attack 1911 with 861/294", commit_cl=((0, 1), (0, 0)))
    assert run.board.pools["air_used"] == 3
    assert run.counted()["attacker-air"] == 1


def test_air_markers_come_back_with_the_next_turn() -> None:
    match = begin(NAME)
    match.answer(END)
    match.answer(typed("attack 1910 with 112/20"))
    match.answer(("QG 294",))
    match.answer(((0, 0), (0, 2)))
    match.answer((1,))
    assert match.board.pools["air_used"] == 2
    while not (isinstance(match.asking, Order) and match.asking.turn == 2):
        ask = match.asking
        match.answer(END if isinstance(ask, Order) else ask.options[0])  # type: ignore[union-attr]
    assert match.board.pools["air_used"] == 0


# ------------------------------------------------------------------ 8.5 retreats


def test_a_retreat_enters_no_enemy_zone() -> None:
    on = board({"21/20": "1810", "112/20": "1911", "861/294": "1910"})
    assert ways(on, 1) == {"1909", "2009"}
    assert ways(on.moved(["112/20"], at("1912")), 1) == {"1909", "2009", "2010"}


def test_a_retreat_does_not_end_over_the_limit_but_passes() -> None:
    on = board(
        {"21/20": "1810", "112/20": "1911", "861/294": "1910", "859/294": "1909"}
        | {"QG 294": "1909", "CL A1": "1909"}
    )
    assert ways(on, 1) == {"2009"}
    assert "1909" in ways(on, 2)
    poles = board({"21/20": "1810", "112/20": "1911", "861/294": "1910", "1 KP": "1909"})
    assert ways(poles, 1) == {"2009"}


def test_a_surrounded_stack_loses_a_step_each_besides_the_result() -> None:
    on = board({"21/20": "1909", "112/20": "1911", "861/294": "1910", "857/294": "1910"})
    stated = setup(on, GERMAN, "attack 1910 with 21/20 112/20")
    assert not stated.can_retreat
    # 10 : 8 is 1/1, concentric 2/1; die 6, +1 formation, -1 river, -1 village: 1/1.
    run = attack(on, GERMAN, "attack 1910 with 21/20 112/20", combat_roll=6)
    assert run.told("cannot-retreat")
    assert "trade" not in run.asked
    # The step of the result, and one more from each: one of the two had two to lose.
    assert [run.board.piece(name).steps for name in ("861/294", "857/294")] == [0, 1]
    assert (where(run.board, "857/294"), where(run.board, "21/20")) == ("1910", "1909")


def test_the_board_knows_which_units_of_a_stack_have_retreated() -> None:
    """8.5.2b: the units that retreated are marked; others in their hex are not eliminated."""
    on = board({"21/20": "1909", "861/294": "1910", "857/294": "1910"})
    on = changed(on, "861/294", "retreated")
    order = "attack 1910 with 21/20"
    marks = {unit.name: unit.retreated for unit in setup(on, GERMAN, order).defenders}
    assert marks["861/294"]
    assert not marks["857/294"]
    run = attack(on, GERMAN, order, combat_roll=6)
    assert run.told("attacked-again")
    assert [run.board.piece(name).steps for name in ("861/294", "857/294")] == [0, 2]


def test_a_retreat_goes_as_far_as_it_can_and_pays_for_the_rest() -> None:
    on = changed(board({**ROOM_OF_ONE, "QG 57 PzK": "1606"}), "861/294", "unsupplied")
    order = 'attack 1706 with 21/20 "QG 57 PzK"'
    assert (ways(on, 1, order), ways(on, 2, order)) == ({"1806"}, set())
    # 12 : 4 is 3/1, and the die 4 + 1: 1/2.
    run = attack(on, GERMAN, order, combat_roll=4, trade=2, who_advances=("21/20",))
    assert run.told("retreats-to") == ["The stack retreats to 1806"]
    assert run.told("stops-short")
    assert not run.told("cannot-retreat")
    assert not run.told("unsupplied-by-retreat")  # it was before
    assert (where(run.board, "861/294"), run.board.piece("861/294").steps) == ("1806", 1)
    assert where(run.board, "21/20") == "1706"
    assert "retreated" in run.board.piece("861/294").states


def test_a_stack_that_loses_its_supply_by_retreating_loses_a_step_each() -> None:
    on = board({**ROOM_OF_ONE, "QG 57 PzK": "1606"})
    order = 'attack 1706 with 21/20 "QG 57 PzK"'
    run = attack(on, GERMAN, order, combat_roll=3, trade=1)  # 3/1, die 3: 1/1
    assert run.told("unsupplied-by-retreat")
    assert (where(run.board, "861/294"), run.board.piece("861/294").steps) == ("1806", 1)


def test_a_stack_attacked_again_after_its_retreat_is_eliminated() -> None:
    on = board({"21/20": "1810", "861/294": "1809"})
    again = changed(on, "861/294", "retreated")
    order = "attack 1809 with 21/20"  # 6 : 4 is 1/1: 2/1
    run = attack(on, GERMAN, order, combat_roll=5, trade=1)
    assert run.board.piece("861/294").alive
    run = attack(again, GERMAN, order, combat_roll=5, trade=1)
    assert run.told("attacked-again")
    assert not run.board.piece("861/294").alive


# ------------------------------------------------------------------ 8.6.3 columns alone


@pytest.mark.parametrize(("die", "captured"), [(1, False), (3, False), (4, True), (6, True)])
def test_a_column_alone_is_destroyed_or_captured(die: int, captured: bool) -> None:
    on = board({"21/20": "1910", "CL A1": "1909"})
    run = attack(on, GERMAN, "attack 1909 with 21/20", cl_roll=die)
    assert run.asked[0] == "cl-roll"
    assert where(run.board, "CL A1") == ""
    assert columns(run.board, "1909") == ([GERMAN] if captured else [])


def test_no_fifth_column_is_captured() -> None:
    on = board(
        {"21/20": "1910", "CL A1": "1909", "CL G1": "1914", "CL G2": "1914", "CL G3": "1914"}
    )
    on = on.changed(replace(on.piece("CL A2"), side=GERMAN, nation=GERMAN, at=at("1914")))
    run = attack(on, GERMAN, "attack 1909 with 21/20", cl_roll=6)
    assert run.told("cl-full")
    assert where(run.board, "CL A1") == ""


@pytest.mark.parametrize(("die", "captured"), [(3, False), (4, True)])
def test_a_column_that_outlives_its_escort_is_alone(die: int, captured: bool) -> None:
    on = changed(board({"21/20": "1810", "861/294": "1809", "CL A1": "1809"}), "861/294", steps=1)
    order = "attack 1809 with 21/20"
    run = attack(on, GERMAN, order, combat_roll=5, trade=0, cl_roll=die, who_advances=("21/20",))
    assert where(run.board, "21/20") == "1809"
    assert columns(run.board, "1809") == ([GERMAN] if captured else [])


# ------------------------------------------------------------------ 2, 7.2 arrivals


def test_reinforcements_arrive_in_their_turn() -> None:
    on = board({})
    assert where(Run(FIELD.supply_phase(on, GERMAN, 1)).board, "Gr 545") == ""
    run = Run(FIELD.supply_phase(on, GERMAN, 2), arrives_where="1914")
    assert where(run.board, "Gr 545") == "1914"


def test_reinforcements_wait_where_no_entry_is_free() -> None:
    on = board({"861/294": "1914", "859/294": "1613"})
    run = Run(FIELD.supply_phase(on, GERMAN, 2))
    assert run.told("arrival-blocked")
    assert run.board.piece("Gr 545").arrives == 3


@pytest.mark.parametrize(
    ("turn", "die", "received"), [(1, 6, 0), (2, 6, 0), (3, 3, 0), (3, 4, 1), (3, 5, 1), (4, 6, 2)]
)
def test_german_columns_come_by_a_die_from_turn_3(turn: int, die: int, received: int) -> None:
    run = Run(FIELD.supply_phase(board({}), GERMAN, turn), cl_income_roll=die)
    assert ("cl-income-roll" in run.asked) == (turn >= 3)
    assert sum(piece.kind == "cl" for piece in run.board.of(GERMAN)) == received


def test_the_allies_receive_four_columns_up_to_four_on_the_map() -> None:
    for on in (board({}), board({"CL A1": "1909"}), board({"CL A1": "1909", "CL A3": "1908"})):
        run = Run(FIELD.supply_phase(on, ALLIED, 1))
        columns = [piece for piece in run.board.of(ALLIED) if piece.kind == "cl"]
        assert len(columns) == 4
        new = [p for p in columns if on.piece(p.name).at is None]
        assert {where(run.board, p.name) for p in new} <= {"1906", "1607"}


def test_a_used_column_comes_back() -> None:
    run = Run(FIELD.supply_phase(board({}).removed("CL A1"), ALLIED, 1))
    assert run.board.piece("CL A1").alive


# ------------------------------------------------------------------ every rule of the card


@cache
def _found() -> Mapping[str, set[str]]:
    return recorded(bautzen_records.FOLDER, bautzen_records.used, NAME)


def _uses(kind: str) -> set[str]:
    return _found()[kind]


@pytest.mark.slow
def test_the_recorded_matches_use_every_modifier_and_limit() -> None:
    added = {"dominant_support"}  # a number of the card that is added to an HQ's support
    assert _uses("modifier") == {row.id for row in FIELD.card.modifiers} | added
    assert {row.id for row in FIELD.card.limits} <= _uses("limit")


def test_the_recorded_matches_use_every_table() -> None:
    combat = FIELD.card.table("combat")
    assert _uses("row") == set(combat.row_labels)
    assert _uses("column") == set(combat.column_labels)
    for table in ("combat", "cl-income", "cl-fate", "zoc-breakthrough"):
        assert _uses(table) == set(FIELD.card.table(table).legend)
    assert _uses("stacking") == set(FIELD.card.table("stacking").row_labels)
    tables = {"combat", "cl-income", "cl-fate", "zoc-breakthrough", "stacking", "reinforcements"}
    assert {table.id for table in FIELD.card.tables} == tables


def test_the_recorded_matches_use_every_terrain() -> None:
    rows = {row.id for row in FIELD.card.terrain}
    hexes = rows - {"road", "river", "supply-source", "lake"}
    assert _uses("entered") == hexes
    assert _uses("attacked") == hexes
    assert "dominant-position" in _uses("infantry entered") & _uses("other entered")
    assert _uses("along") == {"road"}
    assert _uses("crossed") == {"river"}
    assert _uses("arrived") == {"supply-source"}
    assert _uses("shunned") == {"lake"}


def test_the_recorded_matches_halve_what_the_rules_halve() -> None:
    """5.3 over-stacked, 7.3 unsupplied; alone in the hex an HQ, guns, anti-tank units."""
    assert _uses("halved") == {"5.3", "7.3", "8.6.1", "8.6.2", "1.2"}


def test_the_recorded_matches_give_every_order_and_use_every_phrase() -> None:
    assert _uses("order") == {"attack", "break", "end", "move"}
    other_options = {"all-shifts-cap", "no-row", "which-removed", "advance-closed", "hexes-lost"}
    other_options |= {"short-way", "no-farther", "reinforcement-test"}
    rare = {"attacked-again", "stops-short", "retreated-before", "first-attacked"}  # tested above
    rare |= {"shifts-add-up"}  # tested with the fight
    verbs = {f"order-{verb}" for verb in _uses("order")}
    pools = {"pool-air", "pool-air_used"}  # names of what is beside the map
    pools |= {"reinforcement-roll", "reinforcement-result", "in-play-already", "air-comes"}
    pools |= {"which-released", "released"}  # of the whole game
    shared = {"across", "arrives", "arrives-where", "arrival-blocked", "is-supplied"}
    shared |= {"is-unsupplied", "retreat-where"}  # of all games
    phrases = {id_ for id_ in FIELD.card.phrases if "." not in id_} - pools | shared
    assert phrases - _uses("phrase") - verbs - rare == other_options
