"""Bautzen 1945 on the map: over-stacking, and every assumed rule of the map with each choice."""

import pytest
from msgspec.structs import replace

from grognard.fights.table_shift import trimmed
from grognard.games.bautzen import aftermath
from grognard.games.bautzen.conditions import concentric
from grognard.games.bautzen.field import Moves
from grognard.games.bautzen.ground import ALLIED, GERMAN
from grognard.games.bautzen.stated import BautzenFight
from grognard.maps.board import Board
from grognard.matches.orders import typed
from tests.fields.bautzen_board import (
    FIELD,
    ROOM_OF_ONE,
    SHEET,
    WHOLE,
    Run,
    at,
    attack,
    board,
    changed,
    cost,
    numbers,
    played,
    setup,
    ways,
    where,
)


def totals(run: Run) -> list[object]:
    return [line.value for line in run.lines if line.id in ("attack-total", "defence-total")]


def overstacked(on: Board) -> set[str]:
    return {piece.name for piece in on.pieces if piece.at and "overstacked" in piece.states}


# ------------------------------------------------------------------ 5.2, 5.3 over-stacking

FULL = {"50/20": "1912", "112/20": "1912", "Pi 70": "1912"}  # 6 points in the open
CROWD = {"21/20": "1912", **FULL}  # 8 points


def test_a_move_may_end_over_the_limit_which_holds_at_the_end_of_the_segment() -> None:
    on = board({"21/20": "1911", **FULL})
    order = ("move", "21/20", "1912")
    Moves(FIELD, on, GERMAN).check(order)
    assert cost(on, "21/20", "1912") is not None
    assert order not in Moves(FIELD, on, GERMAN).all()  # it can be ordered, but is not proposed
    at_once = played(stacking_check="each_move")
    assert cost(on, "21/20", "1912", at_once) is None
    assert cost(on, "21/20", "1913", at_once) == 1  # through it


@pytest.mark.parametrize(("check", "arrives"), [("segment_end", True), ("each_move", False)])
def test_an_arrival_over_the_limit(check: str, arrives: bool) -> None:
    on = board({"50/20": "1914", "112/20": "1914", "861/294": "1613"})  # Gr 545 has 3 points
    run = Run(played(stacking_check=check).supply_phase(on, GERMAN, 2))
    assert where(run.board, "Gr 545") == ("1914" if arrives else "")
    assert bool(run.told("arrival-blocked")) != arrives


def test_nobody_joins_a_second_nation_even_for_a_moment() -> None:
    on = board({"861/294": "1907", "3 Art": "1906"})
    assert cost(on, "861/294", "1906") is None


def test_who_is_over_the_limit_when_the_segment_ends_is_overstacked_and_fights_at_half() -> None:
    on = board({**CROWD, "861/294": "1911"})
    run = Run(FIELD.movement_phase(on, GERMAN, 1))
    assert run.told("is-overstacked") == ["1912 is over-stacked: 8 stacking points; at most 6"]
    assert overstacked(run.board) == set(CROWD)
    order = 'attack 1911 with 21/20 50/20 112/20 "Pi 70"'
    assert all(unit.overstacked for unit in setup(run.board, GERMAN, order).attackers)
    # 6, 4, 4 and 3, each halved down
    assert totals(attack(run.board, GERMAN, order)) == [3 + 2 + 2 + 1, 4]
    # 4, 4, 4 and 3
    assert totals(attack(run.board, ALLIED, "attack 1912 with 861/294")) == [3, 2 + 2 + 2 + 1]


def test_an_overstacked_hex_is_cured_when_somebody_leaves() -> None:
    on = Run(FIELD.movement_phase(board(CROWD), GERMAN, 1)).board
    lighter = on.moved(["Pi 70"], at("1913"))
    run = Run(FIELD.movement_phase(lighter, GERMAN, 2))
    assert overstacked(run.board) == set()
    assert set(run.told("no-longer-overstacked")) == {
        f"{name} is no longer over-stacked" for name in CROWD
    }


def test_losses_cure_an_overstacked_hex() -> None:
    on = board({**CROWD, "1 KP": "1911"})
    for name in ("21/20", "50/20", "112/20"):
        on = changed(on, name, steps=1)
    on = Run(FIELD.movement_phase(on, GERMAN, 1)).board
    # 6 against 2, 2, 2 and 3, each halved down, is 1/1; die 5: 2/1.
    run = attack(on, ALLIED, 'attack 1912 with "1 KP"', combat_roll=5, trade=0, which_loses="Pi 70")
    assert totals(run) == [6, 4]
    assert not run.board.piece("Pi 70").alive
    assert overstacked(run.board) == set()


def test_option_overstacked_removed_lets_the_owner_take_units_away() -> None:
    field = played(overstacked="removed")
    run = Run(field.movement_phase(board(CROWD), GERMAN, 1), which_removed="Pi 70")
    assert run.asked == ["phase-movement", "which-removed"]
    assert run.told("is-eliminated") == ["Pi 70 is eliminated"]
    assert not run.board.piece("Pi 70").alive
    assert overstacked(run.board) == set()
    assert {where(run.board, name) for name in CROWD} == {"1912", ""}


def test_option_overstacked_removed_asks_the_defender_for_his_hexes() -> None:
    field = played(overstacked="removed")
    on = board({"861/294": "2008", "857/294": "2008", "859/294": "2008"})
    run = Run(aftermath.segment_ends(field, on, GERMAN), which_removed="859/294")
    assert [line.side for line in run.lines if line.kind == "eliminated"] == ["defender"]
    assert where(run.board, "859/294") == ""


# The wood 2008 is the one free hex beside 1908; three regiments (6 points) find room for 4 there.
TO_THE_WOOD = {"861/294": "1908", "857/294": "1908", "859/294": "1908"}
PURSUERS = {"21/20": "1808", "112/20": "1906", "50/20": "1810", "QG 57 PzK": "1811"}
STORM = "attack 1908 with 21/20"


def test_a_retreat_into_an_empty_hex_may_overstack() -> None:
    on = board({**TO_THE_WOOD, **PURSUERS})
    assert "2008" in ways(on, 1, STORM)
    blocked = played(retreat_overstacking="never")
    assert "2008" not in ways(on, 1, STORM, blocked)
    # 6 : 12 is 1/2-, concentric or not; die 6 gives 2/1.
    run = attack(on, GERMAN, STORM, combat_roll=6, trade=1, retreat_where="2008")
    assert {where(run.board, name) for name in TO_THE_WOOD} == {"2008"}
    assert run.told("is-overstacked") == ["2008 is over-stacked: 6 stacking points; at most 4"]
    assert overstacked(run.board) == set(TO_THE_WOOD)
    near = run.board.moved(["50/20"], at("1909"))
    again = attack(near, GERMAN, "attack 2008 with 50/20")
    assert totals(again) == [4, 2 + 2 + 2]


def test_an_overstacked_stack_never_goes_back_onto_friends_over_the_limit() -> None:
    on = board({**TO_THE_WOOD, **PURSUERS, "CL A1": "2008"})
    assert "2008" not in ways(on, 1, STORM)


@pytest.mark.parametrize(
    ("choice", "passes"), [("not_on_friends", True), ("not_in_passing", False)]
)
def test_a_retreat_passes_through_a_full_hex(choice: str, passes: bool) -> None:
    on = board(
        {"21/20": "1810", "112/20": "1911", "861/294": "1910", "859/294": "1909"}
        | {"QG 294": "1909", "CL A1": "1909"}
    )
    field = played(retreat_overstacking=choice)
    assert "1909" not in ways(on, 1, field=field)
    assert ("1909" in ways(on, 2, field=field)) == passes


# ------------------------------------------------------------------ 8.5 retreat


@pytest.mark.parametrize(("choice", "beside"), [("any_hex", True), ("farther", False)])
def test_option_retreat_direction(choice: str, beside: bool) -> None:
    on = board({"21/20": "1911", "861/294": "1910"})
    field = played(retreat_direction=choice)
    plan = field.engagement(on, GERMAN, ("attack", "1910", "21/20"))
    second = numbers(field.retreats(on, plan.defenders, (plan.target, at("1909")), 1))
    assert ("2009" in second) == beside  # a neighbour of 1910 itself
    assert "1908" in second


@pytest.mark.parametrize(
    ("choice", "hex_", "steps", "marked", "taken"),
    [
        ("each_unit", "1806", 1, True, "1706"),
        ("stop", "1806", 2, True, "1706"),
        ("steps", "1806", 1, True, "1706"),
    ],
)
def test_option_retreat_short(choice: str, hex_: str, steps: int, marked: bool, taken: str) -> None:
    on = changed(board({**ROOM_OF_ONE, "QG 57 PzK": "1606"}), "861/294", "unsupplied")
    # 12 : 4 is 3/1, and the die 4 + 1: 1/2; there is room for one hex of the two.
    run = attack(
        on,
        GERMAN,
        'attack 1706 with 21/20 "QG 57 PzK"',
        played(retreat_short=choice),
        combat_roll=4,
        trade=2,
        who_advances=("21/20",),
    )
    beaten = run.board.piece("861/294")
    assert (where(run.board, "861/294"), beaten.steps) == (hex_, steps)
    assert ("retreated" in beaten.states) == marked
    assert where(run.board, "21/20") == taken
    assert run.told("advances")
    assert run.told("retreats")


@pytest.mark.parametrize(("loss", "steps"), [("added", 1), ("only", 1)])
def test_a_short_retreat_that_stays_is_not_begun(loss: str, steps: int) -> None:
    """Where steps may be traded for hexes that can't be gone, the stack stays and pays."""
    on = changed(board({**ROOM_OF_ONE, "QG 57 PzK": "1606"}), "861/294", "unsupplied")
    field = played(retreat_short="stays", no_retreat_loss=loss)
    order = 'attack 1706 with 21/20 "QG 57 PzK"'
    run = attack(on, GERMAN, order, field, combat_roll=4, trade=2)
    beaten = run.board.piece("861/294")
    assert (where(run.board, "861/294"), beaten.steps) == ("1706", steps)
    assert "retreated" not in beaten.states
    assert where(run.board, "21/20") == "1606"
    # Nobody is asked for what can't be.
    assert not run.told("advances")
    assert not run.told("retreats")
    assert "who-advances" not in run.asked
    assert not run.told("nobody-advances")


def test_a_short_retreat_that_stays_leaves_one_that_is_long_enough() -> None:
    on = changed(board({**ROOM_OF_ONE, "QG 57 PzK": "1606"}), "861/294", "unsupplied")
    order, field = 'attack 1706 with 21/20 "QG 57 PzK"', played(retreat_short="stays")
    assert setup(on, GERMAN, order, field).retreat_room == 1
    assert setup(on, GERMAN, order).retreat_room is None
    run = attack(on, GERMAN, order, field, combat_roll=4, trade=1, who_advances=("21/20",))
    assert (where(run.board, "861/294"), where(run.board, "21/20")) == ("1806", "1706")
    assert run.board.piece("861/294").steps == 1  # the step that was not traded


def test_hexes_that_become_steps_again_are_spread_with_the_steps_lost_before() -> None:
    """8.3: who has lost a step in the fight loses none while another has lost fewer."""
    on = board({**ROOM_OF_ONE, "857/294": "1706"})
    on = changed(changed(on, "861/294", "unsupplied"), "857/294", "unsupplied")
    field, order = played(retreat_short="steps"), "attack 1706 with 21/20"
    plan = field.engagement(on, GERMAN, typed(order))
    stated = setup(on, GERMAN, order, field)
    for first, other in (("861/294", "857/294"), ("857/294", "861/294")):
        fight = trimmed(field.game.fight(stated, options=field.options))
        assert isinstance(fight, BautzenFight)
        beaten = tuple(
            replace(unit, steps=1) if unit.name == first else unit for unit in fight.defenders
        )
        fight = replace(fight, defenders=beaten, retreat=2)
        run = Run(aftermath.retreat(field, changed(on, first, steps=1), plan, fight))
        assert run.told("hexes-lost")
        assert "which-loses" not in run.asked
        assert [run.board.piece(name).steps for name in (first, other)] == [1, 1]
        assert where(run.board, other) == "1806"


def test_a_retreat_of_which_nothing_is_left_goes_nowhere() -> None:
    """8.5.2b, really lost: one step lost, one traded; the loss destroys the stack on the spot."""
    on = changed(board({**ROOM_OF_ONE, "QG 57 PzK": "1606"}), "861/294", "unsupplied", "retreated")
    field = played(reattacked="really_lost")
    order = 'attack 1706 with 21/20 "QG 57 PzK"'
    run = attack(on, GERMAN, order, field, combat_roll=4, trade=1, who_advances=("21/20",))
    assert not run.board.piece("861/294").alive
    assert not run.told("retreats-to")
    assert where(run.board, "21/20") == "1706"


# ------------------------------------------------------------------ 8.4 advance


@pytest.mark.parametrize(("choice", "follows"), [("all", False), ("limits_only", True)])
def test_option_advance_together(choice: str, follows: bool) -> None:
    on = board({"861/294": "2009", "1 KP": "1909"})
    run = Run(
        aftermath.advance(played(advance_together=choice), on, ("861/294", "1 KP"), at("2010"))
    )
    assert where(run.board, "861/294") == "2010"
    assert where(run.board, "1 KP") == ("2010" if follows else "1909")
    assert bool(run.told("no-room")) != follows


def test_an_advance_never_goes_over_the_limit() -> None:
    on = board({"21/20": "2009", "50/20": "2009", "Pi 70": "2009"})
    for choice in ("all", "limits_only"):
        field = played(advance_together=choice)
        run = Run(
            aftermath.advance(field, on, ("21/20", "50/20", "Pi 70"), at("2008"))
        )  # a wood: 4 points
        assert [where(run.board, n) for n in ("21/20", "50/20", "Pi 70")] == [
            "2008",
            "2008",
            "2009",
        ]


@pytest.mark.parametrize(("choice", "armour"), [("open", "2208"), ("closed", "2209")])
def test_option_advance_ground(choice: str, armour: str) -> None:
    on = board({"21/20": "2209", "Gr 545": "2109"})  # no road leads from there to the Strohmberg
    for name, hex_ in (("21/20", armour), ("Gr 545", "2208")):
        run = Run(aftermath.advance(played(advance_ground=choice), on, (name,), at("2208")))
        assert where(run.board, name) == hex_
        assert bool(run.told("advance-closed")) == (hex_ != "2208")


# ------------------------------------------------------------------ 8.6.3 columns


@pytest.mark.parametrize(
    ("choice", "enters", "asked", "fate"),
    [
        ("on_entry", True, True, GERMAN),
        ("on_entry", False, False, ALLIED),
        ("at_once", True, True, GERMAN),
        ("at_once", False, True, GERMAN),
        ("destroyed", True, False, ""),
        ("destroyed", False, False, ""),
    ],
)
def test_option_lost_escort(choice: str, enters: bool, asked: bool, fate: str) -> None:
    on = changed(board({"21/20": "1810", "861/294": "1809", "CL A1": "1809"}), "861/294", steps=1)
    run = attack(
        on,
        GERMAN,
        "attack 1809 with 21/20",
        played(lost_escort=choice),
        combat_roll=5,
        trade=0,
        cl_roll=4,
        who_advances=("21/20",) if enters else (),
    )
    assert ("cl-roll" in run.asked) == asked
    column = next((p for p in run.board.stack(at("1809")) if p.kind == "cl"), None)
    assert (column.side if column else "") == fate


@pytest.mark.parametrize(
    ("choice", "hexes"), [("source", {"1906", "1607"}), ("hq", {"1808", "1907"})]
)
def test_option_cl_arrival(choice: str, hexes: set[str]) -> None:
    on = board({"QG 294": "1808", "QG 2 AP": "1907"})
    run = Run(played(cl_arrival=choice).supply_phase(on, ALLIED, 1))
    new = [piece for piece in run.board.of(ALLIED) if piece.kind == "cl"]
    assert len(new) == 4
    assert {where(run.board, piece.name) for piece in new} <= hexes


def test_no_column_appears_with_an_hq_that_is_cut_off_or_of_another_nation() -> None:
    field = played(cl_arrival="hq")
    alone = board({"QG 294": "1808"})
    run = Run(field.supply_phase(alone, ALLIED, 1))
    nations = {piece.nation for piece in run.board.of(ALLIED) if piece.kind == "cl"}
    assert nations == {"soviet"}
    cut = board({"QG 294": "1606", "21/20": "1707"})
    run = Run(field.supply_phase(cut, ALLIED, 1))
    assert not [piece for piece in run.board.of(ALLIED) if piece.kind == "cl"]


@pytest.mark.parametrize(("choice", "may"), [("free", True), ("as_units", False)])
def test_option_cl_supply(choice: str, may: bool) -> None:
    on = board({"CL G1": "2111", "CL A1": "2208"})  # within two hexes of a height that Allies hold
    assert (cost(on, "CL G1", "2209", played(cl_supply=choice)) is not None) == may


# ------------------------------------------------------------------ 7.1, 2, 4.2


@pytest.mark.parametrize(("choice", "hex_"), [("waits", ""), ("any_source", "1613")])
def test_option_late_arrival(choice: str, hex_: str) -> None:
    on = board({"861/294": "1914"})
    on = on.changed(replace(on.piece("Gr 545"), entry=(at("1914"),)))
    run = Run(played(late_arrival=choice).supply_phase(on, GERMAN, 2))
    assert where(run.board, "Gr 545") == hex_
    assert bool(run.told("arrival-blocked")) == (not hex_)


@pytest.mark.parametrize(("choice", "points"), [("other_terrain", 2), ("closed", None)])
def test_option_dominant_in_zoc(choice: str, points: int | None) -> None:
    """The Strohmberg is difficult ground: 2 points for armour where the road does not help."""
    on = board({"1 KP": "2108", "21/20": "2209"})
    field = played(dominant_in_zoc=choice)
    assert "2208" in numbers(field.zoc(on, GERMAN))
    assert "2108" not in numbers(field.zoc(on, GERMAN))
    assert cost(on, "1 KP", "2208", field) == points


# ------------------------------------------------------------------ 8.2, 8.1.1, 9.1, 3


@pytest.mark.parametrize(
    ("choice", "whole", "without_hq", "single"),
    [
        ("two_or_more", True, True, False),
        ("one_is_enough", True, True, True),
        ("with_hq", True, False, False),
    ],
)
def test_option_complete_formation(
    choice: str, whole: bool, without_hq: bool, single: bool
) -> None:
    field = played(complete_formation=choice)
    units = "attack 1910 with 21/20 50/20 112/20"
    assert setup(WHOLE, GERMAN, f'{units} "QG 20 Pz"', field).formation_complete == whole
    assert setup(WHOLE, GERMAN, units, field).formation_complete == without_hq
    alone = board({"21/20": "1911", "861/294": "1910"})
    assert setup(alone, GERMAN, "attack 1910 with 21/20", field).formation_complete == single


@pytest.mark.parametrize(("choice", "defence"), [("always", 4 + 2), ("once", 4)])
def test_option_own_hex_support(choice: str, defence: int) -> None:
    field = played(own_hex_support=choice)
    on = changed(
        board({"21/20": "1911", "861/294": "1910", "QG 294": "1910"}), "QG 294", "defended"
    )
    assert totals(attack(on, GERMAN, "attack 1910 with 21/20", field)) == [6, defence]
    fresh = board({"21/20": "1911", "861/294": "1910", "QG 294": "1910"})
    assert totals(attack(fresh, GERMAN, "attack 1910 with 21/20", field)) == [6, 6]
    alone = changed(board({"21/20": "1911", "QG 294": "1910"}), "QG 294", "defended")
    assert totals(attack(alone, GERMAN, "attack 1910 with 21/20", field)) == [6, 1]


def test_option_map_edge_closes_a_hex_at_the_edge() -> None:
    """A unit in the corner 1606 with attackers on every side that is on the map."""
    around = zip(("21/20", "50/20", "112/20"), SHEET.around[at("1606")], strict=True)
    on = board({"861/294": "1606", **{name: SHEET.number(hex_) for name, hex_ in around}})
    assert not concentric(FIELD, on, at("1606"), GERMAN)
    assert concentric(played(map_edge="closed"), on, at("1606"), GERMAN)


@pytest.mark.parametrize(
    ("name", "plain", "other"),
    [("92 Art", True, False), ("PzJg 20", True, False), ("21/20", True, True)],
)
def test_option_zoc_units_takes_the_zone_from_guns(name: str, plain: bool, other: bool) -> None:
    assert FIELD.exerts_zoc(WHOLE.piece(name)) is plain
    assert played(zoc_units="no_guns").exerts_zoc(WHOLE.piece(name)) is other
