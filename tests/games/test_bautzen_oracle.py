"""The engine against the oracle of Bautzen: the same odds, exactly, on many random attacks."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeVar, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.fights.chances import Odds
from grognard.fights.doctrine import DOCTRINES
from grognard.fights.play import Play
from grognard.games.bautzen.stated import Attack, BautzenFight, Counter, Kind
from grognard.rules.ask import Answer, Choose
from grognard.rules.fight import Fight, Outcome
from grognard.rules.game import load
from tests.oracles import bautzen as oracle
from tests.tiers import examples

T = TypeVar("T")

GAME = load("bautzen")
CHOICES = {option.id: [choice.id for choice in option.choices] for option in GAME.card.options}
PAIRS = list(product(DOCTRINES, repeat=2))
TERRAIN = [row.id for row in GAME.card.terrain if row.id not in ("lake", "river")]
FIGHTING: list[Kind] = [kind for kind in get_args(Kind) if kind not in ("hq", "artillery", "cl")]

options = st.fixed_dictionaries({id_: st.sampled_from(ids) for id_, ids in CHOICES.items()})
seldom = st.sampled_from((False, False, False, True))


def counters(kinds: list[Kind], *, far: bool) -> st.SearchStrategy[Counter]:
    return st.builds(
        Counter,
        name=st.just("unit"),
        kind=st.sampled_from(kinds),
        size=st.sampled_from(("regiment", "brigade", "first-corps")),
        attack=st.integers(0, 9) | st.integers(10, 25),
        defence=st.integers(0, 2) | st.integers(3, 8),
        support=st.integers(0, 6),
        steps=st.integers(1, 2),
        unsupplied=seldom,
        overstacked=st.just(False) if far else seldom,
        across_river=seldom,
        near_dominant=seldom,
        at_distance=st.just(far),
        retreated=seldom,
    )


ENGAGED = counters(FIGHTING, far=False)
STACKED = counters([*FIGHTING, "hq", "artillery"], far=False)
FAR = counters(["hq", "artillery"], far=True)
LOADS = st.builds(Counter, name=st.just("unit"), kind=st.just("cl"), size=st.just("cl"))


def side_of(letter: str, units: list[Counter]) -> tuple[Counter, ...]:
    return tuple(replace(unit, name=f"{letter}{place}") for place, unit in enumerate(units))


def some(draw: st.DrawFn, what: st.SearchStrategy[T], least: int, most: int) -> list[T]:
    """As many as you like, each number as often as any other."""
    count = draw(st.integers(least, most))
    return [draw(what) for _ in range(count)]


@st.composite
def attackers(draw: st.DrawFn) -> tuple[Counter, ...]:
    units = [draw(ENGAGED), *some(draw, STACKED, 0, 2), *some(draw, FAR, 0, 1)]
    return side_of("a", draw(st.permutations(units)))


@st.composite
def defenders(draw: st.DrawFn) -> tuple[Counter, ...]:
    stack = some(draw, STACKED, 1, 3)
    if len(stack) == 1:  # one unit alone is never over-stacked
        stack = [replace(stack[0], overstacked=False)]
    others = [*some(draw, FAR, 0, 1), *some(draw, LOADS, 0, 1)]
    return side_of("d", draw(st.permutations([*stack, *others])))


@st.composite
def attacks(draw: st.DrawFn, *, at_hand: int) -> Attack:
    """An attack; `at_hand` is the most CLs and air markers that a side may still commit."""
    allied: Side = draw(st.sampled_from(get_args(Side)))
    numbers = {}
    for side in get_args(Side):
        numbers[f"{side}_cl_at_hand"] = hand = draw(st.integers(0, at_hand))
        numbers[f"{side}_cl"] = draw(st.integers(0, oracle.MOST_CL - hand))
    numbers[f"{allied}_air_at_hand"] = hand = draw(st.integers(0, min(at_hand, 1)))
    numbers[f"{allied}_air"] = draw(st.integers(0, 3 - hand))
    return Attack(
        attackers=draw(attackers()),
        defenders=draw(defenders()),
        terrain=tuple(sorted({*some(draw, st.sampled_from(TERRAIN), 0, 3)})),
        allied=allied,
        formation_complete=draw(st.booleans()),
        concentric=draw(st.booleans()),
        can_retreat=draw(st.booleans()),
        retreat_room=draw(st.none() | st.integers(0, 4)),
        retreat_unsupplied=draw(seldom),
        retreated_before=draw(seldom),
        **numbers,
    )


def chances(odds: Odds) -> oracle.Chances:
    return {outcome: Fraction(weight, odds.total) for outcome, weight in odds.weights.items()}


def compare(fight: Fight, setup: Attack, chosen: dict[str, str], pair: tuple[str, str]) -> None:
    """Both must give the same distribution; where both sides think, both must be optimal."""
    doctrines = (DOCTRINES[pair[0]], DOCTRINES[pair[1]])
    found = fight.odds(*pair)
    game = oracle.committing(setup, chosen, doctrines)
    pure = oracle.pure_commitments(game, doctrines)
    if pure is not None:
        row, column = pure
        assert chances(found) == game.chances[row][column]
        return
    if not found.commitments:
        assert oracle.offers_of(setup) == ([(0, 0)], [(0, 0)])
        assert chances(found) == game.chances[0][0]
        return
    (commitment,) = found.commitments
    assert (list(commitment.ask.attacker), list(commitment.ask.defender)) == oracle.offers_of(setup)
    matrix = game.difference()
    value = oracle.game_value(matrix)
    for often in (commitment.attacker, commitment.defender):
        assert sum(often) == 1
        assert min(often) >= 0
    assert commitment.solution is not None
    assert commitment.solution.value == value
    assert oracle.secured(matrix, commitment.attacker) == value
    assert -oracle.secured(oracle.turned(matrix), commitment.defender) == value
    assert chances(found) == oracle.mixed(game, commitment.attacker, commitment.defender)


@examples(150)
@given(attacks(at_hand=0), options, st.sampled_from(PAIRS))
def test_odds_are_the_oracles(setup: Attack, chosen: dict[str, str], pair: tuple[str, str]) -> None:
    compare(GAME.fight(setup, options=chosen), setup, chosen, pair)


@examples(150)
@given(attacks(at_hand=2), options, st.sampled_from(PAIRS))
def test_odds_with_commitments_are_the_oracles(
    setup: Attack, chosen: dict[str, str], pair: tuple[str, str]
) -> None:
    compare(GAME.fight(setup, options=chosen), setup, chosen, pair)


@examples(100)
@given(attacks(at_hand=2), options)
def test_the_secret_commitment_has_the_value_of_the_game(
    setup: Attack, chosen: dict[str, str]
) -> None:
    compare(GAME.fight(setup, options=chosen), setup, chosen, ("best", "best"))


@examples(150)
@given(attacks(at_hand=1), options)
def test_the_explanation_has_the_oracles_numbers(setup: Attack, chosen: dict[str, str]) -> None:
    told = GAME.fight(setup, options=chosen).explain()
    basic, final = oracle.columns_of(setup, chosen)
    assert told.totals() == {
        "attack": oracle.attack_total(setup, chosen),
        "defence": oracle.defence_total(setup, chosen),
    }
    assert told.column() == {"basic": oracle.COLUMNS[basic], "final": oracle.COLUMNS[final]}
    assert told.die_modifier == oracle.die_modifier(setup)


class Finished(NamedTuple):
    """An end as both can name it."""

    outcome: Outcome
    attackers: tuple[int, ...]
    defenders: tuple[int, ...]
    advanced: tuple[str, ...]


def every_play(fight: Fight, answers: tuple[Answer, ...]) -> Iterator[Play]:
    play = Play(fight, answers)
    if play.asking is None:
        yield play
        return
    assert isinstance(play.asking, Choose)
    for option in play.asking.options:
        yield from every_play(fight, (*answers, option))


def compare_ends(setup: Attack, chosen: dict[str, str], die: int) -> None:
    """Legal decisions must lead to the same ends, no more and no fewer."""
    found = set()
    for play in every_play(GAME.fight(setup, options=chosen), ((die,),)):
        fight = play.fight
        assert isinstance(fight, BautzenFight)
        outcome = replace(play.outcome, result="", attacker_spent=0, defender_spent=0)
        left = [tuple(unit.steps for unit in side) for side in (fight.attackers, fight.defenders)]
        found.add(Finished(outcome, left[0], left[1], fight.advanced))
    assert found == {
        Finished(end.outcome, end.state.attackers, end.state.defenders, end.advanced)
        for end in oracle.all_ends(setup, chosen, die)
    }


@examples(150)
@given(attacks(at_hand=0), options, st.integers(1, 6))
def test_legal_decisions_lead_to_the_oracles_ends(
    setup: Attack, chosen: dict[str, str], die: int
) -> None:
    compare_ends(setup, chosen, die)


@pytest.mark.parametrize("choice", CHOICES["no_retreat_loss"])
@pytest.mark.parametrize("reattacked", CHOICES["reattacked"])
@pytest.mark.parametrize("retreated_before", [False, True])
def test_a_cornered_stack_comes_to_the_oracles_ends(
    choice: str, reattacked: str, retreated_before: bool
) -> None:
    chosen = dict(GAME.card.chosen({"no_retreat_loss": choice, "reattacked": reattacked}))
    for attack, die in product((8, 16, 28), (1, 4, 6)):
        setup = Attack(
            attackers=(Counter(name="a", attack=attack),),
            defenders=tuple(
                Counter(name=f"d{place}", defence=1, steps=steps)
                for place, steps in enumerate((2, 2, 1, 2))
            ),
            can_retreat=False,
            retreated_before=retreated_before,
        )
        compare_ends(setup, chosen, die)


@pytest.mark.parametrize("reattacked", CHOICES["reattacked"])
@pytest.mark.parametrize("units", CHOICES["reattacked_units"])
@pytest.mark.parametrize("can_retreat", [False, True])
def test_units_attacked_again_beside_others_come_to_the_oracles_ends(
    reattacked: str, units: str, can_retreat: bool
) -> None:
    chosen = dict(GAME.card.chosen({"reattacked": reattacked, "reattacked_units": units}))
    for attack, die in product((8, 16, 28), (1, 4, 6)):
        setup = Attack(
            attackers=(Counter(name="a", attack=attack),),
            defenders=tuple(
                Counter(name=f"d{place}", defence=1, steps=steps, retreated=place < 2)
                for place, steps in enumerate((2, 1, 2, 2))
            ),
            can_retreat=can_retreat,
        )
        compare_ends(setup, chosen, die)


@examples(40)
@given(
    attackers(),
    st.lists(LOADS, min_size=1, max_size=3),
    st.integers(0, oracle.MOST_CL),
    st.sampled_from(PAIRS),
)
def test_columns_alone_are_the_oracles(
    units: tuple[Counter, ...], loads: list[Counter], on_map: int, pair: tuple[str, str]
) -> None:
    setup = Attack(attackers=units, defenders=side_of("d", loads), attacker_cl_on_map=on_map)
    found = GAME.fight(setup).odds(*pair)
    doctrines = (DOCTRINES[pair[0]], DOCTRINES[pair[1]])
    assert chances(found) == oracle.columns_alone(setup, doctrines)


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        ([[1, -1], [-1, 1]], Fraction(0)),  # matching pennies
        ([[3, 0], [1, 2]], Fraction(3, 2)),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], Fraction(0)),  # paper, scissors, stone
        ([[4, 5, 1], [2, 3, 0]], Fraction(1)),  # a saddle
        ([[2, 2], [2, 2]], Fraction(2)),  # all the same: no sub-game of two is regular
    ],
)
def test_the_oracle_solves_known_games(matrix: list[list[int]], value: Fraction) -> None:
    assert oracle.game_value([[Fraction(number) for number in row] for row in matrix]) == value
