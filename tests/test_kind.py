"""Odds found by the kind of a fight are those worked out for the fight itself."""

from collections.abc import Callable, Iterator
from itertools import count, product
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from grognard import Refusal, load, odds
from grognard.ask import Asking, commit, roll
from grognard.doctrine import BEST, DOCTRINES, doctrine
from grognard.fight import Case, Fight, Outcome, Setup, Unit
from grognard.kind import kind_of
from grognard.odds import Analysis, Odds, forget
from grognard.opening import opening
from grognard.procedure import Game, Plain, Procedure
from tests import (
    test_oracle_bautzen,
    test_oracle_normandy,
    test_oracle_panzer_grenadier,
    test_oracle_white_october,
)

SETUPS: dict[tuple[str, str], st.SearchStrategy[Setup]] = {
    ("bautzen", "attack"): test_oracle_bautzen.attacks(at_hand=1),
    ("normandy", "attack"): test_oracle_normandy.attacks()
    | test_oracle_normandy.routs()
    | test_oracle_normandy.crossings(),
    ("panzer-grenadier", "direct-fire"): test_oracle_panzer_grenadier.direct_fires(),
    ("panzer-grenadier", "anti-tank"): test_oracle_panzer_grenadier.anti_tank_fires(),
    ("white-october", "attack"): test_oracle_white_october.attacks(in_steps=False),
}
PAIRS = list(product(DOCTRINES, repeat=2))
each_procedure = pytest.mark.parametrize(("game", "procedure"), SETUPS)
# Not in the order of the alphabet, one within another, and one like a word that outcomes use.
NAMES = ["z 9", "a", "a eliminated", "É", "clear", "b", "attacker", "0", "a, b", "2r", "-", "y"]


class Drawn(NamedTuple):
    """What is stated of a random fight, and how the sides decide."""

    setup: Setup
    options: dict[str, str]
    pair: tuple[str, str]

    def fight(self, game: Game, procedure: str) -> Fight | None:
        """Set the fight up; None where the rules refuse it."""
        try:
            return game.fight(self.setup, procedure=procedure, options=self.options)
        except Refusal:
            return None


@st.composite
def drawn(draw: st.DrawFn, game: str, procedure: str) -> Drawn:
    """Draw a fight under any options, its units named in any way."""
    setup = draw(SETUPS[game, procedure])
    every = load(game).card.options
    options = {o.id: draw(st.sampled_from([c.id for c in o.choices])) for o in every}
    names = iter(draw(st.permutations(NAMES)))
    named = {
        side: tuple(replace(unit, name=next(names)) for unit in getattr(setup, side))
        for side in ("attackers", "defenders")
    }
    return Drawn(replace(setup, **named), options, draw(st.sampled_from(PAIRS)))


class Answered(NamedTuple):
    """All that can be read out of odds."""

    weights: list[tuple[Outcome, int]]
    total: int
    numbers: dict[str, object]
    results: dict[str, list[tuple[Outcome, int]]]
    commitments: tuple[odds.Mixed, ...]
    doubts: tuple[object, ...]


def read(found: Odds) -> Answered:
    return Answered(
        [*found.weights.items()],
        found.total,
        {
            "taken": found.chance("taken"),
            "lost": found.expected("defender_steps_lost"),
            "spread": found.spread("attacker_steps_lost"),
        },
        {result: [*part.weights.items()] for result, part in found.by_result().items()},
        found.commitments,
        found.doubts,
    )


def answer(ask: Callable[[], Odds]) -> Answered | str:
    """Give what is answered, or why the question is refused."""
    try:
        return read(ask())
    except Refusal as refusal:
        return str(refusal)


def both_ways(fight: Fight, pair: tuple[str, str]) -> tuple[Answered | str, Answered | str]:
    ours, theirs = map(doctrine, pair)
    direct = Analysis(fight, ours, theirs, by_kind=False)
    return answer(direct.odds), answer(lambda: fight.odds(*pair))


@each_procedure
def test_odds_by_kind_are_those_of_the_fight(game: str, procedure: str) -> None:
    @settings(max_examples=200)
    @given(drawn(game, procedure))
    def check(stated: Drawn) -> None:
        fight = stated.fight(load(game), procedure)
        if fight is not None:
            direct, by_kind = both_ways(fight, stated.pair)
            assert by_kind == direct

    check()


# ------------------------------------------------------------------ a hook that drops too much

# What each hook keeps of units and set-up, and what instead of it would be dropping it.
KEPT: list[tuple[str, str, str, object]] = [
    ("bautzen", "attack", "defenders.kind", "infantry"),
    ("bautzen", "attack", "attackers.kind", "infantry"),
    ("bautzen", "attack", "attackers.size", "regiment"),
    ("bautzen", "attack", "defenders.steps", 2),
    ("bautzen", "attack", "defenders.at_distance", False),
    ("bautzen", "attack", "attackers.at_distance", False),
    ("bautzen", "attack", "can_retreat", True),
    ("bautzen", "attack", "retreat_unsupplied", False),
    ("bautzen", "attack", "retreated_before", False),
    ("normandy", "attack", "attackers.main_force", True),
    ("normandy", "attack", "attackers.by_road", True),
    ("normandy", "attack", "attackers.steps", 3),
    ("normandy", "attack", "defenders.quality", 0),
    ("normandy", "attack", "defenders.armour", 0),
    ("normandy", "attack", "defenders.lead_uses_armour", False),
    ("normandy", "attack", "terrain", ("clear",)),
    ("normandy", "attack", "fortification", "none"),
    ("normandy", "attack", "attacker_camp", "allied"),
    ("normandy", "attack", "weather", "other"),
    ("normandy", "attack", "flak_present", False),
    ("normandy", "attack", "defensive_support", 0),
    ("normandy", "attack", "can_retreat", True),
    ("normandy", "attack", "retreat_path", ()),
    ("panzer-grenadier", "direct-fire", "defenders.kind", "infantry"),
    ("panzer-grenadier", "direct-fire", "defenders.morale", 7),
    ("panzer-grenadier", "direct-fire", "defenders.steps", 2),
    ("panzer-grenadier", "direct-fire", "defenders.state", "good-order"),
    ("panzer-grenadier", "direct-fire", "defenders.armour", None),
    ("panzer-grenadier", "direct-fire", "defenders.distance", 0),
    ("panzer-grenadier", "anti-tank", "defenders.kind", "infantry"),
    ("panzer-grenadier", "anti-tank", "defenders.morale", 7),
    ("panzer-grenadier", "anti-tank", "defenders.state", "good-order"),
    ("white-october", "attack", "attackers.steps", 3),
    ("white-october", "attack", "defenders.routed", False),
    ("white-october", "attack", "defenders.disorganised", False),
    ("white-october", "attack", "second_hex_allowed", False),
    ("white-october", "attack", "attacker_can_retreat", True),
    ("white-october", "attack", "defender_can_retreat", True),
]


def greedy(game: Game, procedure: str, what: str, instead: object) -> Game:
    """Give a game whose hook drops one thing too much."""
    rules = game.procedure(procedure)
    assert rules.plain is not None
    hook = rules.plain.of

    def of(fight: Fight) -> Fight:
        return without(hook(fight), what, instead)

    return Game(game.card, (replace(rules, plain=Plain(before=rules.plain.before, of=of)),))


def without(fight: Fight, what: str, instead: object) -> Fight:
    setup, (side, _, field) = fight.case.setup, what.partition(".")
    if not field:
        return replace(fight, case=fight.case.restated(replace(setup, **{what: instead})))
    units = tuple(replace(unit, **{field: instead}) for unit in getattr(setup, side))
    stated = replace(setup, **{side: units})
    return replace(fight, case=fight.case.restated(stated), **{side: units})


@pytest.mark.parametrize(("game", "procedure", "what", "instead"), KEPT)
def test_a_hook_that_drops_too_much_is_found(
    game: str, procedure: str, what: str, instead: object
) -> None:
    greedy_game = greedy(load(game), procedure, what, instead)

    def differs(stated: Drawn) -> bool:
        fight = stated.fight(greedy_game, procedure)
        if fight is None:
            return False
        direct, by_kind = both_ways(fight, stated.pair)
        return by_kind != direct

    quick = settings(max_examples=3000, derandomize=True, database=None, phases=[Phase.generate])
    find(drawn(game, procedure), differs, settings=quick)
