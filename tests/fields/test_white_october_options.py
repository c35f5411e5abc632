"""White October on the map: assumed rules with each choice of their option."""

from random import Random

import pytest
from msgspec.structs import replace

from grognard.games.white_october.aftermath import furthest, second_hexes, withdraw
from tests.fields.white_october_board import (
    FIELD,
    Choices,
    at,
    attacked,
    field,
    numbers,
    only,
    run,
    scattered,
    stated,
)

OPEN = {"Talabsk": "0606", "53 Rifles": "0605"}
RING = {"Sailors": "0605", "Talabsk": "0606", "Semenov": "0604"}


@pytest.mark.parametrize(("choice", "fed"), [("friends", True), ("never", False)])
def test_option_supply_zoc(choice: str, fed: bool) -> None:
    """The sailors' only way out of the ring leads through the cadets, beside the enemy."""
    board = only({"Sailors": "0106", "Talabsk": "0205", "Semenov": "0107", "Cadets": "0105"})
    rules = field(supply_zoc=choice)
    assert board.map.hex("0105") in rules.zoc(board, "ano")
    assert rules.has_supply(board, board.piece("Sailors")) is fed
    assert rules.supply(board, board.piece("Sailors")).traced is fed


@pytest.mark.parametrize(("choice", "present"), [("same_hex", False), ("adjacent", True)])
def test_option_trotsky_reach(choice: str, present: bool) -> None:
    rules = field(trotsky_reach=choice)
    beside = only({**OPEN, "Cadets": "0604", "Trotsky": "0604"})
    setup, ran = stated(beside, "0605", "Talabsk", rules=rules)
    assert setup.defender_trotsky is present
    assert ("leads" in ran.ids) is present
    shared = only({**OPEN, "Trotsky": "0605"})
    assert stated(shared, "0605", "Talabsk", rules=rules)[0].defender_trotsky
    far = only({**OPEN, "Cadets": "0603", "Trotsky": "0603"})
    assert not stated(far, "0605", "Talabsk", rules=rules)[0].defender_trotsky


@pytest.mark.parametrize(
    ("choice", "three_of_five", "fewer_than_half", "whole"),
    [("most", True, False, True), ("any", True, True, True), ("all", False, False, True)],
)
def test_option_attackers_encircled(
    choice: str, three_of_five: bool, fewer_than_half: bool, whole: bool
) -> None:
    rules = field(attackers_encircled=choice)
    relief = only({**RING, "Cadets": "0707"})
    setup, _ = stated(relief, "0606", "Sailors", "Cadets", rules=rules)
    assert setup.attacker_encircled is three_of_five
    more = only({**RING, "Cadets": "0707", "53 Rifles": "0707"})
    setup, _ = stated(more, "0606", "Sailors", "Cadets", "53 Rifles", rules=rules)
    assert setup.attacker_encircled is fewer_than_half
    setup, _ = stated(only(RING), "0606", "Sailors", rules=rules)
    assert setup.attacker_encircled is whole


@pytest.mark.parametrize(("choice", "follows"), [("may", "0605"), ("none", "0706")])
def test_option_followers(choice: str, follows: str) -> None:
    start = only({**OPEN, "Semenov": "0706"})
    choices: Choices = {"own-result": ("1", "a"), "who-follows": "Semenov"}
    board, _ = attacked(
        start,
        *("0605", "Talabsk", "Semenov"),
        column=12,
        choices=choices,
        rules=field(followers=choice),
    )
    assert (at(board, "Talabsk"), at(board, "Semenov")) == ("0605", follows)


@pytest.mark.parametrize(("choice", "open_"), [("open", True), ("closed", False)])
def test_option_second_hex_zoc(choice: str, open_: bool) -> None:
    board = only({"Bulak Horse": "0605", "Cadets": "0504"})
    rules = field(second_hex_zoc=choice)
    beside = board.map.hex("0505")
    assert beside in rules.zoc(board, "red")
    hexes = second_hexes(rules, board, board.piece("Bulak Horse"))
    assert (beside in hexes) is open_
    assert board.map.hex("0606") in hexes


@pytest.mark.parametrize(("choice", "where"), [("joins", "0602"), ("captured", "-")])
def test_option_lone_leader(choice: str, where: str) -> None:
    rules = field(lone_leader=choice)
    threatened = only({"Trotsky": "0605", "Talabsk": "0606", "Cadets": "0602"})
    assert at(run(rules.gather(threatened, "ano")).value, "Trotsky") == where
    alone = only({"Trotsky": "0605", "Talabsk": "0608", "Cadets": "0602"})
    assert at(run(rules.gather(alone, "ano")).value, "Trotsky") == "0602"


@pytest.mark.parametrize(("choice", "goes"), [("apart", True), ("together", False)])
def test_option_retreat_apart(choice: str, goes: bool) -> None:
    """A train without rails and sailors who could go: together neither can."""
    board = only({"Train No. 6": "0603", "Sailors": "0603", "Talabsk": "0604"})
    names = ["Train No. 6", "Sailors"]
    ran = run(withdraw(field(retreat_apart=choice), board, "defender", names, 1, rout=False))
    assert (at(ran.value, "Sailors") != "0603") is goes
    assert "no-way-on" in ran.ids
    lost = sum(board.piece(name).steps - ran.value.piece(name).steps for name in names)
    assert lost == 1


@pytest.mark.parametrize(("choice", "where"), [("waits", "-"), ("any_source", "0109")])
def test_option_late_arrival(choice: str, where: str) -> None:
    blocked = only({"Sailors": "0509", "Cadets": "1109"})
    assert {blocked.map.number(hex_) for hex_ in blocked.piece("Reval").entry} == {"0509", "1109"}
    ran = run(field(late_arrival=choice).supply_phase(blocked, "ano", 2))
    assert at(ran.value, "Reval") == where
    assert ("arrival-blocked" in ran.ids) is (where == "-")
    free = blocked.changed(replace(blocked.piece("Cadets"), at=None))
    ran = run(FIELD.supply_phase(free, "ano", 2))
    assert at(ran.value, "Reval") == "1109"


@pytest.mark.parametrize(("choice", "beside"), [("farther", False), ("any_hex", True)])
def test_option_retreat_direction(choice: str, beside: bool) -> None:
    board = only({"53 Rifles": "0605", "Talabsk": "0606"})
    rules = field(retreat_direction=choice)
    path = (board.map.hex("0605"), board.map.hex("0604"))
    second = numbers(rules.retreats(board, [board.piece("53 Rifles")], path, 1))
    assert ("0705" in second) is beside  # a neighbour of 0605 itself
    assert "0603" in second
    assert "0605" not in second


def test_a_free_retreat_does_not_go_round_between_full_hexes() -> None:
    """The gulf, zones of control, and two hexes full of friends: no way that ends anywhere."""
    rules = field(retreat_direction="any_hex")
    board = only(
        {"Sailors": "0402", "Cadets": "0502", "Latvians": "0503"}
        | {"Talabsk": "0403", "Semenov": "0601", "Ostrov": "0604"}
    )
    full = board.changed(*(replace(board.piece(n), steps=8) for n in ("Cadets", "Latvians")))
    sailors = full.piece("Sailors")
    assert [furthest(rules, full, [sailors], hexes) for hexes in (1, 2)] == [0, 0]
    ran = run(withdraw(rules, full, "defender", ["Sailors"], 1, rout=False))
    assert (at(ran.value, "Sailors"), ran.value.piece("Sailors").steps) == (
        "0402",
        sailors.steps - 1,
    )
    roomy = full.moved(["Bashkirs"], full.map.hex("0501"))
    ran = run(withdraw(rules, roomy, "defender", ["Sailors"], 1, rout=False))
    assert at(ran.value, "Sailors") == "0501", "through the cadets"
    assert ran.ids.count("retreats-to") == 2


def test_a_free_retreat_ends_and_passes_no_hex_twice() -> None:
    rules, random, seen = field(retreat_direction="any_hex"), Random(11), 0
    for _ in range(15):
        board = scattered(random)
        for piece in [piece for piece in board.pieces if piece.at]:
            ran = run(withdraw(rules, board, "defender", [piece.name], 2, rout=False))
            went = [line.value for line in ran.lines if line.id == "retreats-to"]
            assert len({at(board, piece.name), *went}) == len(went) + 1
            assert len(went) >= 2 or "no-way-on" in ran.ids
            seen += len(went)
    assert seen > 100


@pytest.mark.parametrize(("choice", "room"), [("free", True), ("counted", False)])
def test_option_hq_stacking(choice: str, room: bool) -> None:
    board = only(dict.fromkeys(("Talabsk", "Semenov", "Bulak Horse"), "0507"))
    hex_, rules = board.map.hex("0507"), field(hq_stacking=choice)
    assert sum(piece.steps for piece in board.stack(hex_)) == 8
    assert (rules.may_end(board, board.piece("HQ Palen"), hex_) is None) is room
    red = only({"Cadets": "0605"})
    full = red.changed(replace(red.piece("Cadets"), steps=8))
    assert rules.may_end(full, full.piece("Trotsky"), full.map.hex("0605")) is None, "a person"
