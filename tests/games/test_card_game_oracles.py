"""The games of `examples/games` against their odds worked out a second way, fight by fight."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random

from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.words.refusal import Refusal
from tests.example_games import finds_examples
from tests.oracles import card_games as oracle
from tests.oracles.card_games import End, Odds
from tests.tiers import sized

FIGHTS = sized(150)

pytestmark = finds_examples


def _odds(fight: Fight) -> Odds:
    found: dict[End, Fraction] = {}
    for o, p in fight.odds().outcomes():
        end = End(
            o.result,
            o.attacker_steps_lost,
            o.defender_steps_lost,
            o.vacated,
            o.taken,
            o.attacker_left,
            o.attacker_shaken,
            o.defender_shaken,
        )
        found[end] = found.get(end, Fraction(0)) + p
    return found


def _same(id_: str, stated: Mapping[str, object], expected: Odds | None) -> None:
    try:
        found = _odds(game.load(id_).fight(stated))
    except Refusal:
        found = None
    assert found == expected, stated


def _units(random: Random) -> tuple[int, int, tuple[int, int]]:
    return random.randint(1, 20), random.randint(1, 8), (random.randint(1, 4), random.randint(1, 4))


def test_river_line() -> None:
    random = Random(1)
    for _ in range(FIGHTS):
        attack, defence, steps = _units(random)
        cut_off, river, rough = (random.random() < 0.4 for _ in range(3))
        stated = {
            "attackers": [{"name": "A", "attack": attack, "steps": steps[0], "cut_off": cut_off}],
            "defenders": [{"name": "D", "defence": defence, "steps": steps[1]}],
            "across_river": river,
            "terrain": ["town"] if rough else [],
        }
        expected = oracle.river_line(
            attack, defence, steps, cut_off=cut_off, river=river, rough=rough
        )
        _same("river-line", stated, expected)


def test_dust_and_iron() -> None:
    random = Random(2)
    for _ in range(FIGHTS):
        attack, defence, steps = _units(random)
        disrupted = random.random() < 0.3, random.random() < 0.3
        terrain = random.choice(["open", "dunes", "wadi"])
        entrenchment, engineers = random.randint(0, 3), random.random() < 0.3
        room = random.choice([None, 0, 1, 2])
        units = zip(
            ("A", "D"), ("attack", "defence"), (attack, defence), steps, disrupted, strict=True
        )
        ours, theirs = (
            {"name": name, field: value, "steps": count, "disrupted": shaken}
            for name, field, value, count, shaken in units
        )
        stated: dict[str, object] = {
            "attackers": [ours],
            "defenders": [theirs],
            "terrain": [terrain],
            "entrenchment": entrenchment,
            "engineers": engineers,
        }
        if room is not None:
            stated["defender_room"] = room
        expected = oracle.dust_and_iron(
            attack,
            defence,
            steps,
            disrupted=disrupted,
            entrenchment=entrenchment,
            engineers=engineers,
            terrain=terrain,
            room=room,
        )
        _same("dust-and-iron", stated, expected)


def test_two_roads() -> None:
    random = Random(3)
    for _ in range(FIGHTS):
        attack, defence, steps = _units(random)
        manner, kind = (
            random.choice(["assault", "mobile"]),
            random.choice(["infantry", "armour", "artillery"]),
        )
        terrain, room = random.choice(["open", "woods", "works"]), random.choice([None, 0, 2])
        stated: dict[str, object] = {
            "attackers": [{"name": "A", "attack": attack, "steps": steps[0], "kind": kind}],
            "defenders": [{"name": "D", "defence": defence, "steps": steps[1]}],
            "terrain": [terrain],
            "manner": manner,
        }
        if room is not None:
            stated["defender_room"] = room
        expected = oracle.two_roads(
            manner, kind, attack, defence, steps, terrain=terrain, room=room
        )
        _same("two-roads", stated, expected)


def test_fire_lane() -> None:
    random = Random(4)
    for _ in range(FIGHTS // 2):
        fire, range_, steps = random.randint(1, 30), random.randint(1, 8), random.randint(1, 3)
        morale = random.randint(4, 10)
        cover, leader, pinned = (random.random() < 0.4 for _ in range(3))
        target = {
            "name": "D",
            "steps": steps,
            "morale": morale,
            "leader": leader,
            "pinned": pinned,
        }
        stated = {
            "attackers": [{"name": "A", "fire": fire}],
            "defenders": [target],
            "range": range_,
            "terrain": ["hedge"] if cover else [],
        }
        expected = oracle.fire_lane(
            fire, range_, steps, morale, cover=cover, leader=leader, pinned=pinned
        )
        _same("fire-lane", stated, expected)


def test_dawn_raid() -> None:
    random = Random(5)
    for _ in range(FIGHTS):
        attack, defence, steps = _units(random)
        defence = random.choice([defence, defence, 0])
        surprise, *veterans = (random.random() < 0.4 for _ in range(3))
        stated = {
            "attackers": [
                {"name": "A", "attack": attack, "steps": steps[0], "veteran": veterans[0]}
            ],
            "defenders": [
                {"name": "D", "defence": defence, "steps": steps[1], "veteran": veterans[1]}
            ],
            "surprise": surprise,
        }
        expected = oracle.dawn_raid(
            attack, defence, steps, surprise=surprise, veterans=(veterans[0], veterans[1])
        )
        _same("dawn-raid", stated, expected)
