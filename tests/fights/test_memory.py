"""What odds share with other fights changes no answer."""

from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

from grognard import load
from grognard.fights.chances import Odds
from grognard.fights.odds import direct_odds, forget
from grognard.fights.opening import opening
from grognard.rules.ask import Asking
from grognard.rules.fight import Fight
from grognard.rules.procedure import Game, Glance
from grognard.testing.random_setups import random_fights
from grognard.words.refusal import Refusal

PROCEDURES = [
    ("bautzen", "attack"),
    ("normandy", "attack"),
    ("panzer-grenadier", "direct-fire"),
    ("panzer-grenadier", "anti-tank"),
    ("white-october", "attack"),
]


def read(found: Odds) -> tuple[object, ...]:
    return [*found.weights.items()], found.total, found.commitments, found.doubts


def answered(fight: Fight, *, direct: bool = False) -> object:
    """Give all that odds say, or why they are refused."""
    try:
        return read(direct_odds(fight) if direct else fight.odds())
    except Refusal as refusal:
        return str(refusal)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "procedure"), PROCEDURES)
def test_fights_asked_before_change_no_odds(game: str, procedure: str) -> None:
    fights = [*islice(random_fights(load(game), procedure, Random(11)), 25)]
    forget()
    warm = [answered(fight) for fight in fights]
    for fight, found in zip(fights, warm, strict=True):
        forget()
        assert answered(fight) == found


def large_stacks(random: Random) -> dict[str, object]:
    """State an attack of Bautzen with many units, alike and not, and HQs and guns that support."""

    def some(side: str, count: int) -> list[dict[str, object]]:
        kinds = ["infantry", "infantry", "armour", "artillery", "hq"]
        sizes = ["regiment", "brigade"]
        units: list[dict[str, object]] = [{"name": f"{side} first", "attack": 4, "defence": 4}]
        for number in range(count):
            kind = random.choice(kinds)
            units.append(
                {
                    "name": f"{side} {number}",
                    "kind": kind,
                    "size": random.choice(sizes),
                    "attack": 4,
                    "defence": 3,
                    "steps": random.choice([1, 2, 2]),
                    "at_distance": kind in ("hq", "artillery") and random.random() < 0.5,
                }
            )
        return units

    return {
        "attackers": some("a", random.randint(0, 6)),
        "defenders": some("d", random.randint(0, 3)),
        "attacker_cl": random.randint(0, 2),
        "can_retreat": random.random() < 0.7,
        "retreat_unsupplied": random.random() < 0.3,
        "terrain": [random.choice(["clear", "town", "wood"])],
    }


def test_units_that_stand_for_others_have_their_odds() -> None:
    game, random = load("bautzen"), Random(3)
    for _ in range(60):
        options = {o.id: random.choice(o.choices).id for o in game.card.options}
        fight = game.fight(large_stacks(random), options=options)
        assert answered(fight) == answered(fight, direct=True)


def test_a_step_that_looks_at_more_than_it_says_fails() -> None:
    game = load("bautzen")
    rules = game.procedure()

    def nosy(fight: Fight) -> Asking[Fight]:
        assert len(fight.attackers)  # not among the fields of the glance
        after: Fight = yield from rule(fight)
        return after

    glance = next(step for step in rules.steps if isinstance(step, Glance))
    rule = glance.step
    steps = tuple(replace(step, step=nosy) if step is glance else step for step in rules.steps)
    fight = Game(game.card, (replace(rules, steps=steps),)).fight(
        attackers=[{"name": "a", "attack": 4}], defenders=[{"name": "d", "defence": 2}]
    )
    assert opening(fight).kind is not None
    with pytest.raises(TypeError):
        fight.odds()
