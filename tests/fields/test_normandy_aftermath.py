"""Normandy '44 on the map: retreats, and the board after a fight."""

import random

import pytest
from msgspec.structs import replace

from grognard.games.normandy import pursuit
from grognard.games.normandy.field import ReserveOrders
from grognard.maps.movement import POINT
from grognard.words.refusal import Refusal
from tests.fields.normandy_board import (
    Run,
    at,
    board,
    field,
    fought,
    marked,
    numbers,
    scattered,
    setup,
)

# ------------------------------------------------------------------ retreats


def test_a_retreat_goes_farther_each_hex_and_not_into_enemy_zones() -> None:
    b = board({"8/4": "0504", "1058/91": "0505", "22/4": "0705"})
    group = [b.piece("1058/91")]
    steps = field().retreat_steps(b, group, (at(b, "0505"),))
    assert numbers(b, steps) == {"0506", "0405"}  # 0404, 0604 and 0605 are in zones
    free = field(retreat_zoc="free").retreat_steps(b, group, (at(b, "0505"),))
    assert numbers(b, free) == {"0506", "0405", "0404", "0604", "0605"}


def test_by_option_a_retreat_need_not_go_farther() -> None:
    b = board({"8/4": "0504", "1058/91": "0505"})
    group, target, here = [b.piece("1058/91")], at(b, "0505"), at(b, "0506")
    beside = {"0405", "0605"}  # as far from 0505 as 0506 is
    steps = field().retreat_steps(b, group, (target, here))
    assert not beside & numbers(b, steps)
    free = field(retreat_direction="any_hex").retreat_steps(b, group, (target, here))
    assert beside & numbers(b, free)
    assert "0505" not in numbers(b, free)


def test_friends_open_an_enemy_zone_to_a_retreat() -> None:
    b = board({"8/4": "0504", "1058/91": "0505", "FJ 6": "0604"})
    group, here = [b.piece("1058/91")], at(b, "0505")
    assert "0604" in numbers(b, field().retreat_steps(b, group, (here,)))
    strict = field(retreat_zoc="never")
    assert "0604" not in numbers(b, strict.retreat_steps(b, group, (here,)))


@pytest.mark.parametrize("seed", range(10))
def test_no_legal_retreat_enters_a_forbidden_hex(seed: int) -> None:
    b = scattered(random.Random(seed))
    for target, stack in b.stacks().items():
        side, foe = stack[0].side, field().enemy(stack[0].side)
        zone = field().zoc(b, foe)
        for hexes in (1, 2, 4):
            for there in field().longest_retreat(b, stack, (target,), hexes)[1]:
                names, sides = b.map.places[there].terrain, b.map.between(target, there)
                assert "marsh" not in names
                assert "impassable" not in sides
                assert b.side_of(there) != foe
                assert there not in zone or b.side_of(there) == side
                if any(p.unit_class != "non-mech" for p in stack):
                    road = b.map.ways_between(target, there)
                    assert road or ("flooded" not in names and "flooded-hexside" not in sides)


def test_a_retreat_ends_within_stacking() -> None:
    full = {"FJ 6": "0506", "Pz 100": "0506", "Flak 30": "0506"}
    b = board({"1058/91": "0505", "8/4": "0504", **full})
    group, here = [b.piece("1058/91")], at(b, "0505")
    assert "0506" not in numbers(b, field().retreats(b, group, (here,), 1))
    assert "0506" in numbers(b, field().retreats(b, group, (here,), 2))  # through it


# 6 against 2 and 2 for mixed ground: 1-1, less a column for the better armour; DR with a 6
TO_THE_BOCAGE: dict[str, object] = {
    "combat-roll": (6,),
    "retreat-where": ["0704"],
    "who-advances": (),
}


def test_a_retreat_is_asked_for_hex_by_hex() -> None:
    b = board({"8/4": "0504", "Flak 30": "0604"})
    run = fought(b, "0604", "8/4", answers={**TO_THE_BOCAGE, "retreat-on": "go"})
    assert run.told("way-open") == ["The defender can retreat to 0704 0705 0605"]
    assert run.asked.count("retreat-where") == 2
    assert run.asked.count("retreat-on") == 1  # the bocage of 0704
    flak = run.board.piece("Flak 30")
    assert flak.at is not None
    assert flak.at.distance(at(b, "0604")) == 2


def test_a_retreat_stops_in_shelter_if_the_defender_likes_or_must() -> None:
    b = board({"8/4": "0504", "Flak 30": "0604"})
    stopped = fought(b, "0604", "8/4", answers={**TO_THE_BOCAGE, "retreat-on": "stop"})
    assert stopped.board.piece("Flak 30").at == at(b, "0704")
    assert stopped.told("retreat-stops") == ["The retreat of Flak 30 ends in 0704: Bocage"]
    must = fought(b, "0604", "8/4", answers=TO_THE_BOCAGE, retreat_stop="must")
    assert must.board.piece("Flak 30").at == at(b, "0704")
    assert "retreat-on" not in must.asked


def test_units_without_a_way_are_eliminated_or_lose_a_step() -> None:
    where = {"8/4": "1007", "22/4": "1106", "39/9": "1107", "1058/91": "1108"}
    b = board(where)
    names = ("8/4", "39/9")
    assert not setup(b, "1108", *names).can_retreat
    answers = {"combat-roll": (6,), "main-force": "4 DI"}
    run = fought(b, "1108", *names, answers=answers)
    assert run.told("way-closed")
    assert not run.board.piece("1058/91").alive


def test_a_stack_without_a_common_way_goes_back_each_its_own() -> None:
    # Around 0403 only flooded hexes are open, which tanks can't enter.
    b = board({"Pz 100": "0403", "I/919": "0403", "8/4": "0504", "22/4": "0503", "39/9": "0304"})
    stack, target = b.stack(at(b, "0403")), at(b, "0403")
    rules = field(retreat_zoc="free")
    assert [len(group) for group in pursuit.groups(rules, b, stack, target)] == [1, 1]
    assert pursuit.can_retreat(rules, b, stack, target)
    run = fought(
        b,
        "0403",
        *("8/4", "22/4", "39/9"),
        answers={"main-force": "4 DI", "combat-roll": (4,), "who-advances": ()},
        retreat_zoc="free",
    )
    assert run.board.piece("I/919").at not in (None, target)
    assert not run.board.piece("Pz 100").alive
    assert run.told("retreat-blocked") == ["The retreat of Pz 100 is blocked in 0403"]
    together = field(retreat_zoc="free", retreat_apart="together")
    assert [len(group) for group in pursuit.groups(together, b, stack, target)] == [2]
    assert not pursuit.can_retreat(together, b, stack, target)


def test_a_stack_with_a_common_way_goes_back_together() -> None:
    b = board({"Pz 100": "0403", "I/919": "0403", "8/4": "0304"})
    stack, target = b.stack(at(b, "0403")), at(b, "0403")
    assert [len(group) for group in pursuit.groups(field(), b, stack, target)] == [2]


def test_a_retreat_cut_short_costs_a_step_unless_played_otherwise() -> None:
    b = board({"1058/91": "0505", "8/4": "0605", "22/4": "0405", "39/9": "0507"})
    b = b.moved(["1058/91"], at(b, "0505"))
    for choice, left in (("step_lost", 1), ("stop", 2)):
        rules = field(retreat_short=choice, retreat_zoc="free")
        blocked = Run(pursuit.retreat(rules, b, ["1058/91"], at(b, "0505"), 12))
        assert blocked.told("retreat-blocked")
        assert blocked.board.piece("1058/91").steps == left


# ------------------------------------------------------------------ outcomes on the board


def test_losses_marks_retreat_and_advance_come_to_the_board() -> None:
    b = board({"8/4": "0905", "Flak 30": "0904"})
    answers = {"combat-roll": (5,), "retreat-where": ["0803"], "who-advances": ("8/4",)}
    run = fought(b, "0904", "8/4", answers=answers)
    eight, flak = run.board.piece("8/4"), run.board.piece("Flak 30")
    assert eight.at == at(b, "0904")
    assert "attacked" in eight.states
    assert flak.at is not None
    assert flak.at.distance(at(b, "0904")) == 2
    assert run.board.holders[at(b, "0904")] == "allied"


def test_eliminated_units_leave_the_map() -> None:
    b = board({"8/4": "0905", "22/4": "0905", "QG 91": "0904"})
    run = fought(b, "0904", "8/4", "22/4", answers={"combat-roll": (6,)})
    assert run.board.piece("QG 91").at is None
    assert not run.board.piece("QG 91").alive


def test_a_rout_disorganises_until_the_end_of_the_next_turn() -> None:
    b = board(
        {"8/4": "0905", "22/4": "0905", "39/9": "0803", "Flak 30": "0904", "192/21 Pz": "0904"}
    )
    b = b.changed(replace(b.piece("192/21 Pz"), steps=1))
    two = b.changed(
        replace(b.piece("192/21 Pz"), faces=({"defence": 0, "attack": 1},) * 2, steps=2)
    )
    run = fought(two, "0904", "8/4", "22/4", answers={"combat-roll": (6,)})
    left = list(run.board.of("german"))
    assert left
    assert all("disorganised" in piece.states for piece in left)
    after = Run(field().end_of_turn(run.board, "german", 1)).board
    assert not any("disorganised" in piece.states for piece in after.of("german"))


def test_an_advance_goes_on_as_far_as_the_retreat() -> None:
    b = board({"8/4": "0905", "Flak 30": "0904"})
    answers = {"combat-roll": (5,), "retreat-where": ["0803", "0802"], "who-advances": ("8/4",)}
    on = fought(b, "0904", "8/4", answers={**answers, "advance-on": ["1003"]})
    assert on.asked.count("advance-on") == 1
    assert on.board.piece("8/4").at == at(b, "1003")
    short = fought(b, "0904", "8/4", answers=answers, advance_length="one_hex")
    assert "advance-on" not in short.asked


def test_an_advance_ends_in_an_enemy_zone_unless_played_otherwise() -> None:
    b = board({"8/4": "0904", "FJ 6": "0803"})
    assert pursuit.advances(field(), b, b.piece("8/4")) == []
    assert pursuit.advances(field(advance_zoc="free"), b, b.piece("8/4"))


@pytest.mark.parametrize(
    ("unit", "here", "there", "open_"),
    [
        ("8/4", "0405", "0406", False),  # a major river only with the first hex
        ("8/4", "0505", "0506", True),  # but by road
        ("8/4", "0602", "0703", False),  # a flooded hexside
        ("8/4", "0401", "0402", False),  # a flooded hex
        ("70 Tk", "0304", "0404", True),  # by road
        ("70 Tk", "0401", "0402", False),
        ("8/4", "0804", "0805", False),  # impassable
        ("8/4", "0805", "0806", True),  # a minor river is no bar
    ],
)
def test_where_an_advance_goes_on(unit: str, here: str, there: str, open_: bool) -> None:
    b = board({unit: here})
    assert (there in numbers(b, pursuit.advances(field(), b, b.piece(unit)))) == open_


def test_bocage_ends_an_advance_unless_by_road() -> None:
    # from 0604: 0703 and 0605 are bocage, the second way is by road from 0505
    off = Run(pursuit._goes_on(field(), board({"8/4": "0604"}), "8/4", 3), {"advance-on": ["0605"]})
    assert off.told("advance-ends")
    road = Run(
        pursuit._goes_on(field(), board({"8/4": "0505"}), "8/4", 2), {"advance-on": ["0605"]}
    )
    assert not road.told("advance-ends")


def test_no_more_units_advance_than_there_is_room_for() -> None:
    names = ("8/4", "22/4", "39/9", "70 Tk")
    b = board({**dict.fromkeys(names[:2], "0905"), **dict.fromkeys(names[2:], "0804")})
    run = Run(pursuit.advance(field(), b, names, at(b, "0904"), (), 0))
    assert len(run.board.stack(at(b, "0904"))) == 3
    assert run.told("no-room") == ["No room for 70 Tk in 0904; it stays"]


def test_a_fortification_is_lost_when_an_enemy_enters() -> None:
    b = board({"8/4": "0602"})
    run = Run(field().moves(b, ("move", "8/4", "0702")))
    assert field().fortification(run.board, at(b, "0702")) == "none"
    assert run.told("fort-falls")
    standing = field(fort_entered="kept")
    run = Run(standing.moves(b, ("move", "8/4", "0702")))
    assert standing.fortification(run.board, at(b, "0702")) == "strongpoint"
    assert standing.fortification(run.board, at(b, "0702"), "allied") == "none"
    assert not run.told("fort-falls")
    kept = Run(field().moves(board({"II/919": "0703"}), ("move", "II/919", "0702")))
    assert field().fortification(kept.board, at(b, "0702")) == "strongpoint"


def test_the_star_removes_the_entrenchment_from_the_board() -> None:
    b = board({"39/9": "0504", "8/4": "0504", "CCA/3": "0504", "I/919": "0503", "QG 91": "0404"})
    answers = {
        "main-force": "4 DI",
        "combat-roll": (6,),
        "retreat-or-stand": "stand",
        "determined-roll": (6,),
    }
    b = b.changed(replace(b.piece("I/919"), faces=({"attack": 3, "defence": 4, "quality": 0},) * 2))
    run = fought(b, "0503", "39/9", "8/4", "CCA/3", answers=answers)
    assert "determined-roll" in run.asked
    assert field().fortification(run.board, at(b, "0503")) == "none"
    assert run.board.piece("I/919").at == at(b, "0503")


def test_units_in_reserve_move_again_with_half_their_points() -> None:
    b = marked(board({"8/4": "0504", "70 Tk": "0504"}), "8/4", "reserve", "moved")
    run = Run(field().reserve_phase(b, "allied", 1), {"phase-reserve": [("move", "8/4", "0506")]})
    assert run.asked == ["phase-reserve"]
    assert run.board.piece("8/4").at == at(b, "0506")
    ready = b.changed(b.piece("8/4").cleared("moved"))
    assert field().allowance(ready, ready.piece("8/4")) == 2 * POINT
    with pytest.raises(Refusal):
        ReserveOrders(field(), ready, "allied").check(("move", "70 Tk", "0506"))
    assert not Run(field(reserve="marked").reserve_phase(b, "allied", 1)).asked
