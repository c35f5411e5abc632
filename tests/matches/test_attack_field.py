"""What games of attacks on adjacent hexes share, with the hooks as they are by default."""

import pytest

from grognard import Refusal
from grognard.maps import scenario
from grognard.maps.board import Board
from grognard.matches.attack_field import AttackField, Engagement
from tests.maps.test_no_way import board as placed

FIELD = AttackField(scenario.load("weissenberg"))
OURS, THEIRS = "21/20Pz", "861/294"


def board(where: dict[str, str]) -> Board:
    return placed("weissenberg", where)


DUEL = board({OURS: "1911", THEIRS: "1910"})
TARGET = DUEL.map.hex("1910")


def refused(on: Board, *order: str) -> str:
    with pytest.raises(Refusal) as refusal:
        FIELD.engagement(on, "german", ("attack", *order))
    return str(refusal.value)


def test_an_order_names_the_hex_and_who_attacks_it() -> None:
    plan = FIELD.engagement(DUEL, "german", ("attack", "1910", OURS, OURS))
    assert plan == Engagement(TARGET, (DUEL.piece(OURS),), (DUEL.piece(THEIRS),))
    assert (plan.side, plan.enemy) == ("german", "allied")
    assert (plan.engaged("attacker"), plan.engaged("defender")) == plan[1:3]


def test_what_is_no_attack_is_refused() -> None:
    assert refused(DUEL, "1911", OURS) == "there is no enemy in 1911"
    assert refused(DUEL, "1910", THEIRS) == f"{THEIRS} is not yours to use here"
    assert refused(DUEL, "1910") == "nobody attacks; at least one unit must"
    far = board({OURS: "1913", THEIRS: "1910"})
    assert refused(far, "1910", OURS) == f"{OURS} is not adjacent to 1910"
    again = DUEL.changed(DUEL.piece(OURS).marked("attacked"))
    assert refused(again, "1910", OURS) == f"{OURS} has attacked already"


@pytest.mark.parametrize("hexes", [1, 2])
def test_a_retreat_enters_no_enemy_zone_and_does_not_come_back(hexes: int) -> None:
    stack = [DUEL.piece(THEIRS)]
    far, ways = FIELD.longest_retreat(DUEL, stack, (TARGET,), hexes)
    assert far == hexes
    assert not FIELD.zoc(DUEL, "german") & set(ways)
    assert TARGET not in FIELD.retreats(DUEL, stack, (TARGET, ways[0]), 1)


def test_a_surrounded_stack_has_no_way_back() -> None:
    ring = board({OURS: "1911", "59/20Pz": "1809", "112/20Pz": "2009", THEIRS: "1910"})
    assert FIELD.surrounded(ring, TARGET, "german", edge_closes=False)
    assert FIELD.longest_retreat(ring, [ring.piece(THEIRS)], (TARGET,), 2) == (0, [])
    assert not FIELD.surrounded(DUEL, TARGET, "german", edge_closes=True)
