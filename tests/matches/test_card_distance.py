"""Fights from a distance by the rules of a card: range, line of sight, support, supply length."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from grognard import Refusal
from grognard.maps import scenario
from grognard.maps.board import Board
from grognard.matches.card_field import CardField
from grognard.matches.match import new_field
from grognard.rules import game_places
from grognard.rules.line import Line
from grognard.testing.random_matches import check_match, random_match
from tests.example_games import look_in
from tests.matches.test_card_field import Run, attack

CARD = """
[[procedures]]
advance = "no"
[[tables]]
columns = { of = "attack" }
grid = [["die", "1", "4", "8", "12"], ["1-6", "N", "R", "R", "E"]]
results = { N = "nothing", R = "defender loses 1 step", E = "defender is eliminated" }

[[unit_fields]]
id = "reach"
least = 1

[[unit_fields]]
id = "barrage"

[[unit_fields]]
id = "far"

[[facts]]
id = "range"
kind = "number"
[[facts]]
id = "attack_support"
kind = "number"
[[facts]]
id = "defence_support"
kind = "number"

[[modifiers]]
id = "far"
changes = "attack"
factor = "1/2"
when = "far >= 3"
[[modifiers]]
id = "near"
changes = "column"
value = 1
when = "range <= 1"
[[facts]]
id = "hexes_around"
kind = "number"
[[modifiers]]
id = "around"
changes = "die"
value = 1
when = "hexes_around >= 2"
[[modifiers]]
id = "guns"
changes = "attack"
value = 1
times = "attack_support"
[[modifiers]]
id = "counter"
changes = "attack"
value = -1
times = "defence_support"

[[terrain]]
id = "clear"
[[terrain]]
id = "wood"
[[terrain]]
id = "lake"
cost = "no"

[map]
zoc = "none"
range = "reach"
sight = ["wood"]
supply = "lines"
supply_length = 4
support = { kinds = ["artillery"], strength = "barrage", range = 3 }
[map.facts]
range = "distance"
far = "distance"
hexes_around = "attacking hexes"
attack_support = "attacker's support"
defence_support = "defender's support"
"""
UNITS = {  # name -> side, kind, face
    "Rifles": ("blue", "infantry", "attack = 4, reach = 3"),
    "Foot": ("blue", "infantry", "attack = 4, reach = 1"),
    "Guns": ("blue", "artillery", "barrage = 5"),
    "Guard": ("red", "infantry", "attack = 4, defence = 4, reach = 1"),
    "Howitzers": ("red", "artillery", "barrage = 2"),
}
HEXES = ("0101", "0102", "0103", "0108", "0109")
FORCES = "".join(
    f'  {{ name = "{name}", side = "{side}", kind = "{kind}", hex = "{hex_}", move = 2, steps = 2, '
    f"faces = [{{ {face} }}] }},\n"
    for (name, (side, kind, face)), hex_ in zip(UNITS.items(), HEXES, strict=True)
)
BATTLE = f"""
turns = 3
sides = [{{ id = "blue", name = "Blue" }}, {{ id = "red", name = "Red" }}]
units = [
{FORCES}]
[map]
first = "0101"
grid = \"\"\"
.
.
.
.
.
w
.
.
.
l
\"\"\"
legend = {{ "." = ["clear"], w = ["wood"], l = ["lake"] }}
sources = {{ blue = ["0101"], red = ["0109"] }}
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CardField]:
    (tmp_path / "range.toml").write_text(CARD, encoding="utf-8")
    (tmp_path / "range.row.toml").write_text(BATTLE, encoding="utf-8")
    look_in(tmp_path, monkeypatch)
    made = new_field(scenario.own("range.row"))
    assert isinstance(made, CardField)
    yield made
    game_places.refresh()


def board(rules: CardField, **places: str) -> Board:
    """Set up the units that are named, on a map that is one column of ten hexes."""
    whole = rules.scenario.board()
    pieces = (
        replace(piece, at=whole.map.hex(places[piece.name]))
        if piece.name in places
        else replace(piece, at=None, steps=0)
        for piece in whole.pieces
    )
    return replace(whole, pieces=tuple(pieces))


def refused(rules: CardField, on: Board, *order: str) -> str:
    with pytest.raises(Refusal) as found:
        rules.attack_orders(on, "blue").check(order)
    return str(found.value)


def test_a_unit_attacks_as_far_as_its_range(rules: CardField) -> None:
    on = board(rules, Rifles="0101", Foot="0102", Guard="0104")
    assert "0104 is" not in str(attack(rules, on, "0104", "Rifles", answers=((1,),)).ids())
    assert "Foot is not adjacent to 0104" in refused(rules, on, "attack", "0104", "Foot")
    on = board(rules, Rifles="0101", Guard="0105")
    assert "0105 is 4 hexes away; the range is 3" in refused(rules, on, "attack", "0105", "Rifles")
    orders = rules.attack_orders(on, "blue")
    assert list(orders.deeds()) == []
    assert "no enemy within its range" in str(orders.idle(on.piece("Rifles")))


@pytest.mark.parametrize(
    ("hex_", "column"),
    [
        ("0103", "4"),
        ("0104", "1"),
        ("0102", "8"),
    ],  # as it is; halved; one column more
)
def test_the_distance_is_a_fact_of_the_fight_and_of_each_unit(
    hex_: str, column: str, rules: CardField
) -> None:
    run = attack(rules, board(rules, Rifles="0101", Guard=hex_), hex_, "Rifles", answers=((1,),))
    assert run.fight is not None
    assert run.fight.explain().column()["final"] == column


def test_a_wood_between_two_hexes_blocks_the_line_of_sight(rules: CardField) -> None:
    on = board(rules, Rifles="0105", Guard="0107")
    told = refused(rules, on, "attack", "0107", "Rifles")
    assert "Rifles does not see 0107: 0106 is in the way" in told
    beside = board(rules, Rifles="0105", Guard="0106")  # into the wood it sees
    rules.attack_orders(beside, "blue").check(("attack", "0106", "Rifles"))


def test_fire_goes_where_nobody_can_walk(rules: CardField) -> None:
    on = board(rules, Rifles="0108", Foot="0109", Guard="0110")
    rules.attack_orders(on, "blue").check(("attack", "0110", "Rifles"))
    assert "can't enter" in refused(rules, on, "attack", "0110", "Foot")


def test_guns_support_an_attack_from_a_distance_and_suffer_nothing(rules: CardField) -> None:
    on = board(rules, Foot="0103", Guns="0101", Guard="0104")
    alone = attack(rules, on, "0104", "Foot", answers=((1,),))
    assert alone.fight is not None
    assert alone.fight.explain().column()["final"] == "8"  # 4, and one column for being adjacent
    run = attack(rules, on, "0104", "Foot", "Guns", answers=((1,),))
    assert run.fight is not None
    assert run.fight.explain().column()["final"] == "12"  # 4 + 5 = 9, and one column
    assert "number-on-the-map" in run.ids()
    assert [unit.name for unit in run.fight.attackers] == ["Foot"]
    assert "supported" in run.board.piece("Guns").states
    guns, target = run.board.piece("Guns"), run.board.map.hex("0104")
    again = rules.may_support(run.board, "blue", guns, target, ())
    assert str(again) == "Guns has supported already"
    assert "nobody attacks" in refused(rules, on, "attack", "0104", "Guns")
    far = board(rules, Foot="0104", Guns="0101", Guard="0105")
    assert "0105 is 4 hexes away; the range is 3" in refused(
        rules, far, "attack", "0105", "Foot", "Guns"
    )


@pytest.mark.parametrize(("helpers", "column"), [(("Howitzers",), "4"), ((), "8")])
def test_the_defender_says_who_supports_him(
    helpers: tuple[str, ...], column: str, rules: CardField
) -> None:
    on = board(rules, Foot="0103", Guard="0104", Howitzers="0105")
    run = attack(rules, on, "0104", "Foot", answers=(helpers, (1,)))
    assert run.asked[0] == ("defender", (("Howitzers",), ()))
    assert run.fight is not None
    assert run.fight.explain().column()["final"] == column
    assert ("supported" in run.board.piece("Howitzers").states) == bool(helpers)


@pytest.mark.parametrize(("foot", "added"), [("0105", 1), ("0103", 0)])
def test_the_hexes_from_which_an_attack_comes_are_counted(
    foot: str, added: int, rules: CardField
) -> None:
    on = board(rules, Rifles="0103", Foot=foot, Guard="0104")
    run = attack(rules, on, "0104", "Rifles", "Foot", answers=((1,),))
    assert run.fight is not None
    assert run.fight.explain().die_modifier == added


def test_units_that_fire_from_a_distance_may_be_unharmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attackers lose a step each and go back: with the key only those beside the hex do."""
    back = 'R = "each attacker unit loses 1 step and attacker retreats 1"'
    card = CARD.replace('R = "defender loses 1 step"', back)
    card = card.replace("[[procedures]]", '[[procedures]]\nunharmed = "far >= 2"')
    (tmp_path / "range.toml").write_text(card, encoding="utf-8")
    (tmp_path / "range.row.toml").write_text(BATTLE, encoding="utf-8")
    look_in(tmp_path, monkeypatch)
    safe = new_field(scenario.own("range.row"))
    assert isinstance(safe, CardField)
    on = board(safe, Rifles="0102", Foot="0104", Guard="0105")
    run = attack(safe, on, "0105", "Rifles", "Foot", answers=((1,),))
    assert (run.board.piece("Rifles").steps, run.board.piece("Foot").steps) == (2, 1)
    assert run.board.piece("Rifles").at == on.piece("Rifles").at
    assert run.board.piece("Foot").at == on.map.hex("0103")
    assert "attacked" in run.board.piece("Rifles").states
    game_places.refresh()


def test_a_supply_line_has_its_length(rules: CardField) -> None:
    on = board(rules, Rifles="0105", Foot="0106")
    run = Run(rules.check_supply(on, "blue"))
    assert run.board.piece("Rifles").states == frozenset()  # four hexes from 0101
    assert run.board.piece("Foot").states == {"unsupplied"}
    assert run.ids() == ["no-supply-line"]


def test_random_matches_with_fire_and_support_end(rules: CardField) -> None:
    found = set[str]()
    for seed in range(12):
        match = random_match(rules.scenario.id, seed)
        check_match(match)
        found |= {entry.id for entry in match.log if isinstance(entry, Line)}
    assert "look-up" in found
