"""Luck and decisions of fights: exact, and they add up to what a fight brought."""

from fractions import Fraction

import pytest

from grognard import load
from grognard.card.rows import SIDES
from grognard.fights.play import Play
from grognard.fights.prospects import Prospects
from grognard.maps import scenario
from grognard.matches.assessment import FightAssessment, assess, assessed
from grognard.matches.before_fight import match_advice
from grognard.matches.history import history
from grognard.matches.match import begin
from grognard.matches.protocol import END, Order
from grognard.players.bot import Bot
from grognard.rules.ask import Choose
from grognard.testing.random_matches import random_match
from tests.tiers import sized

SCENARIOS = [
    pytest.param(name, marks=pytest.mark.slow if name == "bautzen-1945" else ())
    for name in sorted(scenario.ids())
]
MATCHES = sized(2, quick=1, soak=50)


@pytest.mark.parametrize("name", SCENARIOS)
def test_luck_and_decisions_are_the_difference_to_the_expectation(name: str) -> None:
    for seed in range(MATCHES):
        match = random_match(name, seed)
        sides = [side.id for side in match.field.scenario.sides]
        found = assess(match, history(match))
        assert len(found.fights) == len(match.fights)
        total = dict.fromkeys(sides, Fraction(0))
        for fight in found.fights:
            told = fight.found
            assert isinstance(told, FightAssessment)
            for side in SIDES:
                decided = sum((one.points[side] for one in told.decisions), Fraction(0))
                assert told.actual[side] - told.expected[side] == told.luck[side] + decided
            assert all(one.cost >= 0 for one in told.decisions)
            for player, points in fight.of(told.luck).items():
                total[player] += points
        assert total == found.luck
        costs = [one.cost for one in found.costly]
        assert costs == sorted(costs, reverse=True)
        assert all(cost > 0 for cost in costs)


def fight(*answers: object) -> Play:
    """14 : 4 at 3/1, a village: rows 1 to 4 by a roll of 1 to 5, row 5 by 6."""
    setup = {
        "terrain": ["village"],
        "attackers": [
            {"name": "21/20Pz", "attack": 6},
            {"name": "59/20Pz", "attack": 4},
            {"name": "112/20Pz", "attack": 4},
        ],
        "defenders": [{"name": "861/294", "defence": 4, "steps": 2}],
    }
    play = Play(load("bautzen").fight(setup))
    for answer in answers:
        play.answer(answer)  # type: ignore[arg-type]  # as a player types it
    return play


def test_a_fight_by_hand() -> None:
    """The table at 3/1 in a village: 1 to 3 give 1/0, 4 gives 1/1, 5 and 6 give 1/2.

    By the doctrine `best` 1/0 costs the attacker a step (−4). At 1/1 and 1/2 the defender gives
    way: a step lost, a hex left and taken: −4 + 3 + 3 = 2.
    """
    start = fight()
    odds = start.start.odds()
    by_hand = sum(
        (Fraction(weight, odds.total) * value for weight, value in _values(odds.weights)),
        Fraction(0),
    )
    play = fight((5,), "21/20Pz", 0, ("59/20Pz",))
    told = assessed(play)
    assert isinstance(told, FightAssessment)
    assert told.expected["attacker"] == by_hand
    # The defender holds and loses both steps: 8 points for the attacker's 4, and the hex.
    assert told.actual["attacker"] == 8 - 4 + 3 + 3
    which, trade, advance = told.decisions
    assert which.cost == advance.cost == 0
    # Retreating two hexes would have cost the defender the hex alone, and no steps.
    assert trade.side == "defender"
    assert trade.cost == 8
    assert (trade.answer, trade.better) == (0, 2)
    assert told.luck["attacker"] == 2 - told.expected["attacker"]
    assert assessed(play) is told


def _values(weights: object) -> list[tuple[int, int]]:
    """Value outcomes for the attacker: 4 a step, 3 for a hex left, 3 more for a hex taken."""
    assert isinstance(weights, dict)
    return [
        (
            weight,
            4 * (one.defender_steps_lost - one.attacker_steps_lost) + 3 * (one.vacated + one.taken),
        )
        for one, weight in weights.items()
    ]


def test_an_answer_before_a_fight_costs_what_the_advice_says() -> None:
    match = begin("weissenberg")
    match.answer(END)
    match.answer(("attack", "1910", "112/20Pz", "59/20Pz", "21/20Pz"))
    ask, advised = match.asking, match_advice(match)
    assert isinstance(ask, Choose)
    assert isinstance(advised, Prospects)
    worths = {
        option.answer: option.odds.found.worth.of("defender")
        for option in advised.options["defender"]
    }
    worst = min(worths, key=worths.__getitem__)
    cost = max(worths.values()) - worths[worst]
    assert cost > 0
    match.answer(worst)
    while match.asking is not None and not isinstance(match.asking, Order):
        match.answer(Bot(1).answer(match))
    found = assess(match, history(match))
    (made,) = [one for one in found.costly if one.decision and one.decision.ask == ask]
    assert (made.side, made.cost) == ("allied", cost)
    assert made.decision is not None
    assert worths[made.decision.better] == max(worths.values())
