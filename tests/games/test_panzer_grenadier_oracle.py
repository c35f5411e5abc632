"""The engine against the oracle of Panzer Grenadier: the same odds, exactly, on random fires."""

from fractions import Fraction
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icepool import Die, d6
from msgspec.structs import replace

from grognard.fights.chances import Odds
from grognard.fights.doctrine import DOCTRINES
from grognard.games.panzer_grenadier.stated import (
    STATES,
    AntiTankFire,
    DirectFire,
    Firer,
    Kind,
    Target,
)
from grognard.rules.game import load
from grognard.words.refusal import Refusal
from tests.oracles import panzer_grenadier as oracle
from tests.tiers import examples

GAME = load("panzer-grenadier")
CHOICES = {option.id: [choice.id for choice in option.choices] for option in GAME.card.options}
DEFAULTS = {id_: ids[0] for id_, ids in CHOICES.items()}
PAIRS = list(product(DOCTRINES, repeat=2))
TERRAIN = [row.id for row in GAME.card.terrain if row.on == "hex"]
AFVS: tuple[Kind, ...] = ("afv-closed", "afv-open")
TRANSPORT: tuple[Kind, ...] = ("truck", "wagon", "sledge")
FIGHTING: list[Kind] = [kind for kind in get_args(Kind) if kind not in (*TRANSPORT, "leader")]

Plain = tuple[str, int, bool, int]  # result, steps lost, vacated, shaken

options = st.fixed_dictionaries({id_: st.sampled_from(ids) for id_, ids in CHOICES.items()})
pairs = st.sampled_from(PAIRS)
seldom = st.sampled_from((False, False, False, True))
terrain = st.lists(st.sampled_from(TERRAIN), unique=True, max_size=2).map(tuple)
GOOD, DISRUPTED, DEMORALISED = STATES
states = st.sampled_from((GOOD, GOOD, DISRUPTED, DEMORALISED))
able = st.sampled_from((GOOD, DISRUPTED))


@st.composite
def targets(draw: st.DrawFn, kinds: st.SearchStrategy[Kind]) -> Target:
    """A unit in the hex. A gun on tracks may be stated as a gun: it has armour then, too."""
    kind = draw(kinds)
    armoured = kind in AFVS or (kind not in TRANSPORT and draw(seldom))
    return Target(
        name="unit",
        kind=kind,
        morale=draw(st.integers(5, 9)),
        steps=draw(st.integers(1, 3)),
        state=draw(states),
        armour=draw(st.integers(0, 4)) if armoured else None,
        dug_in=draw(seldom),
        engineers_crossing=draw(seldom),
    )


combat_kinds = st.sampled_from(FIGHTING) | st.sampled_from(AFVS)
COMBAT = targets(combat_kinds)
ANY = targets(combat_kinds | combat_kinds | st.sampled_from(TRANSPORT))
TRUCKS = targets(st.just("truck"))
LEADERS = st.builds(
    Target,
    name=st.just("leader"),
    kind=st.just("leader"),
    morale=st.integers(6, 10),
    steps=st.integers(1, 2),
    state=st.sampled_from((GOOD, GOOD, GOOD, DISRUPTED, DEMORALISED)),
    dug_in=seldom,
    engineers_crossing=seldom,
    bonus=st.sampled_from((1, 2, 0)),
    distance=st.integers(0, 1),
)


def named(units: list[Target]) -> tuple[Target, ...]:
    return tuple(replace(unit, name=f"d{place}") for place, unit in enumerate(units))


# Who is fired at, and how many leaders are there: at least, at most.
STACKS: list[tuple[list[st.SearchStrategy[Target]], int, int]] = [
    ([], 1, 2),
    ([ANY], 0, 2),
    ([COMBAT], 2, 2),
    ([TRUCKS, ANY], 1, 2),
    ([ANY, ANY], 0, 1),
    ([ANY, ANY, ANY], 0, 1),
    ([COMBAT, COMBAT, COMBAT, COMBAT], 0, 0),
]


@st.composite
def defenders(draw: st.DrawFn) -> tuple[Target, ...]:
    stack, least, most = draw(st.sampled_from(STACKS))
    units = [draw(strategy) for strategy in stack]
    leaders = draw(st.lists(LEADERS, min_size=least, max_size=most))
    if not units:
        leaders[0] = replace(leaders[0], distance=0)
    return named(draw(st.permutations([*units, *leaders])))


@st.composite
def direct_fires(draw: st.DrawFn) -> DirectFire:
    """Direct fire with a few modifiers: with many, all columns would be at the limit."""
    most = draw(st.sampled_from((1, 4, 12, 40)))
    firing = draw(st.lists(st.tuples(st.integers(0, most), able), min_size=1, max_size=3))
    distance = draw(st.sampled_from((0, 1, 2, 2, 3)))
    flags = draw(
        st.sets(
            st.sampled_from(("opportunity_fire", "entrenched", "night", "minefield_of_firer")),
            max_size=2,
        )
    )
    return DirectFire(
        attackers=tuple(
            Firer(name=f"a{place}", fire=fire, state=state)
            for place, (fire, state) in enumerate(firing)
        ),
        defenders=draw(defenders()),
        range=distance,
        terrain=draw(terrain),
        adjacent_to_all=distance == 1 and draw(st.booleans()),
        air_attack=not draw(seldom),
        aa_unit=not draw(seldom),
        aa_distance=draw(st.sampled_from((1, 2, 3, 3, 4))),
        **dict.fromkeys(flags, True),
    )


@st.composite
def anti_tank_fires(draw: st.DrawFn) -> AntiTankFire:
    target = draw(ANY)
    if target.kind in TRANSPORT:
        target = replace(target, kind="truck")
    elif target.armour is None:
        target = replace(target, armour=draw(st.integers(0, 4)))
    leaders = [draw(LEADERS) for _ in range(draw(st.sampled_from((0, 1, 2, 2))))]
    firer = Firer(name="a", anti_tank=draw(st.integers(0, 10)), state=draw(able))
    return AntiTankFire(
        attackers=(firer,),
        defenders=named(draw(st.permutations([target, *leaders]))),
        range=draw(st.integers(0, 7)),
        terrain=draw(terrain),
        opportunity_fire=draw(st.booleans()),
        target_moved=draw(st.booleans()),
        target_higher=draw(st.booleans()),
        crossfire=draw(st.booleans()),
        crossfire_hexes_only=draw(st.booleans()),
    )


def chances(odds: Odds) -> oracle.Chances:
    return {outcome: Fraction(weight, odds.total) for outcome, weight in odds.weights.items()}


def compare(setup: DirectFire, chosen: dict[str, str], pair: tuple[str, str]) -> None:
    """Both must give the same distribution; where several choices are equally good, one of them."""
    if not oracle.may_fire(setup, chosen):
        with pytest.raises(Refusal):
            GAME.fight(setup, procedure="direct-fire", options=chosen)
        return
    found = chances(GAME.fight(setup, procedure="direct-fire", options=chosen).odds(*pair))
    branches = oracle.direct_fire(setup, chosen, DOCTRINES[pair[1]])
    assert {end.result for end in found} == {branch.result for branch in branches}
    for branch in branches:
        part = {
            end: chance / branch.chance
            for end, chance in found.items()
            if end.result == branch.result
        }
        assert part in branch.best


@examples(200)
@given(direct_fires(), options, pairs)
def test_direct_fire_is_the_oracles(
    setup: DirectFire, chosen: dict[str, str], pair: tuple[str, str]
) -> None:
    compare(setup, chosen, pair)


@examples(150)
@given(direct_fires(), st.sampled_from(CHOICES["step_losses"]), pairs)
def test_direct_fire_with_many_losses_is_the_oracles(
    setup: DirectFire, step_losses: str, pair: tuple[str, str]
) -> None:
    heavy = replace(setup, attackers=(Firer(name="a", fire=45),), range=2, adjacent_to_all=False)
    compare(heavy, {**DEFAULTS, "step_losses": step_losses}, pair)


@examples(150)
@given(anti_tank_fires(), options, pairs)
def test_anti_tank_fire_is_the_oracles(
    setup: AntiTankFire, chosen: dict[str, str], pair: tuple[str, str]
) -> None:
    found = GAME.fight(setup, procedure="anti-tank", options=chosen).odds(*pair)
    assert chances(found) == oracle.anti_tank(setup, chosen)


@examples(150)
@given(direct_fires(), options)
def test_the_explanation_of_direct_fire_has_the_oracles_numbers(
    setup: DirectFire, chosen: dict[str, str]
) -> None:
    chosen = {**chosen, "fire_below_one": "column_1"}
    told = GAME.fight(setup, procedure="direct-fire", options=chosen).explain()
    columns = {
        frozenset(unit.name for unit in party.units): oracle.heading(party.column)
        for party in oracle.parties(setup, chosen)
        if party.column is not None
    }
    assert told.totals() == {"attack": oracle.fire_total(setup, chosen), "defence": None}
    assert told.column() == {
        "basic": oracle.heading(oracle.basic_column(setup, chosen)),
        "final": next(iter(columns.values()), None),  # of the first unit that can be hit
    }
    assert {
        frozenset(line.unit.split(", ")): line.value
        for line in told.lines
        if line.id == "final-column"
    } == columns
    assert told.die_modifier == 0


@examples(150)
@given(anti_tank_fires(), options)
def test_the_explanation_of_anti_tank_fire_has_the_oracles_numbers(
    setup: AntiTankFire, chosen: dict[str, str]
) -> None:
    told = GAME.fight(setup, procedure="anti-tank", options=chosen).explain()
    assert told.totals() == {"attack": oracle.anti_tank_value(setup, chosen), "defence": None}
    assert told.column() == {"basic": None, "final": None}
    assert told.die_modifier == oracle.anti_tank_modifier(setup, chosen)


# ------------------------------------------------------------------ a third way


def plain_infantry(column: int, count: int, morale: int, steps: int) -> dict[Plain, Fraction]:
    """Good infantry in the open, all alike, worked out with icepool.

    The owner puts all steps on as few units as he can: then the fewest are left to check.
    """
    two = 2 @ d6

    def shaken(units: int, added: int) -> "Die[int]":
        over = two + (added - morale)
        return units @ over.map(lambda number: 0 if number <= 0 else 1 if number < 3 else 2)

    def after(roll: int) -> "Die[Plain]":
        code = oracle.TABLE[roll][column]
        if code == "-":
            return Die([(code, 0, False, 0)])
        if code.startswith("M"):
            return shaken(count, int(code[1:] or 0)).map(lambda sum_: (code, 0, False, sum_))
        lost = min(int(code[:-1] or 1), count * steps)
        left = count - lost // steps
        if not left:
            return Die([(code, lost, True, 0)])
        return shaken(left, 2).map(lambda sum_: (code, lost, False, sum_))

    die = two.map(after)
    return {end: Fraction(weight, die.denominator()) for end, weight in die.items()}


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("column", range(len(oracle.BEGIN)))
def test_plain_infantry_has_icepools_odds(column: int, count: int) -> None:
    for morale, steps in product((6, 8), (1, 2)):
        setup = DirectFire(
            attackers=(Firer(name="a", fire=oracle.BEGIN[column]),),
            defenders=tuple(
                Target(name=f"d{place}", morale=morale, steps=steps) for place in range(count)
            ),
            range=2,
        )
        found: dict[Plain, Fraction] = {}
        for end, chance in chances(GAME.fight(setup, procedure="direct-fire").odds()).items():
            key = (end.result, end.defender_steps_lost, end.vacated, end.defender_shaken)
            found[key] = found.get(key, Fraction(0)) + chance
        shifted = column + (count == 3)  # three units: one column to the right
        assert found == plain_infantry(min(shifted, oracle.LAST), count, morale, steps)
