"""The combination of attacks, against every combination tried."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from random import Random

import pytest

from grognard.maps.hexes import Hex
from grognard.matches.match import Match, begin
from grognard.matches.protocol import Order
from grognard.players.attack_plan import Candidate, best_combination, candidates_on
from grognard.players.bot import Bot
from grognard.players.colonel import Colonel, outlook_of
from tests.tiers import sized


def any_candidates(random: Random) -> list[Candidate]:
    units = [f"u{n}" for n in range(random.randint(1, 7))]
    return [
        Candidate(
            random.randint(-300, 900),
            (
                "attack",
                str(target),
                *(group := random.sample(units, random.randint(1, len(units)))),
            ),
            Hex(target, 0),
            frozenset(group),
        )
        for target in range(random.randint(1, 5))
        for _ in range(random.randint(0, 4))
    ]


def best_of_all(candidates: list[Candidate]) -> int:
    """Try every choice of at most one attack for each target."""
    targets = {one.target for one in candidates}
    choices = [[None, *(one for one in candidates if one.target == target)] for target in targets]
    best = 0
    for chosen in product(*choices):
        attacks = [one for one in chosen if one is not None]
        names = [name for one in attacks for name in one.units]
        if len(names) == len(set(names)):
            best = max(best, sum(one.value for one in attacks))
    return best


@pytest.mark.parametrize("seed", range(sized(200)))
def test_the_combination_is_the_best_of_all(seed: int) -> None:
    candidates = any_candidates(Random(seed))
    chosen = best_combination(candidates)
    names = [name for one in chosen for name in one.units]
    assert len(names) == len(set(names))
    assert len({one.target for one in chosen}) == len(chosen)
    assert sum(one.value for one in chosen) == best_of_all(candidates)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["weissenberg", "pulkovo"])
def test_the_attacks_of_a_real_front_are_the_best_of_all(name: str) -> None:
    """On fronts that a match has reached, every division of the candidates is tried."""
    fronts = 0
    for match in fronts_of(name):
        ask, field = match.asking, match.field
        assert isinstance(ask, Order)
        outlook = outlook_of(field, ask, ask.board)
        candidates = [
            one
            for hex_, stack in ask.board.stacks().items()
            if stack[0].side != ask.side
            for one in candidates_on(
                ask.orders, hex_, partial(outlook.order_value, ask.board, hex_)
            )
        ]
        chosen = Colonel().attacks(field, ask, ())
        assert sum(one.value for one in chosen) == best_of_all(candidates)
        fronts += bool(candidates)
    assert fronts


def fronts_of(name: str) -> Iterator[Match]:
    """Give a match at the beginning of its first combat phases."""
    match, bot, seen = begin(name), Bot(1), 0
    while match.asking is not None and seen < 3:
        ask = match.asking
        if isinstance(ask, Order) and ask.phase == "phase-combat" and any(ask.orders.deeds()):
            seen += 1
            yield match
        match.answer(bot.answer(match))
