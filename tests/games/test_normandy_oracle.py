"""The engine against the oracle of Normandy: the same odds, exactly, on many random fights."""

from fractions import Fraction
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grognard.fights.chances import Odds
from grognard.fights.doctrine import DOCTRINES
from grognard.games.normandy.air_and_supply import (
    Attrition,
    Isolated,
    Purchase,
    Strafing,
    Target,
    Wanted,
)
from grognard.games.normandy.stated import Army, Attack, Attacker, Camp, Defender
from grognard.rules.fight import Fight, Setup
from grognard.rules.game import load
from grognard.words.refusal import Refusal
from tests.oracles import normandy as oracle
from tests.tiers import examples

GAME = load("normandy")
CHOICES = {
    option.id: [choice.id for choice in option.choices]
    for option in GAME.card.options
    if option.id in oracle.OPTIONS
}
DEFAULTS = {id_: ids[0] for id_, ids in CHOICES.items()}
PAIRS = list(product(DOCTRINES, repeat=2))
HEXES = ["clear", "mixed", "bocage", "wood", "village", "town", "flooded", "hilltop"]
WAY = [*HEXES, "airfield", "strongpoint-or-entrenchment"]
SIDES = [
    "minor-river",
    "major-river",
    "flooded-hexside",
    "runway",
    "cherbourg-perimeter",
    "causeway",
]

FACTORS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 18]

options = st.fixed_dictionaries({id_: st.sampled_from(ids) for id_, ids in CHOICES.items()})
pairs = st.sampled_from(PAIRS)
seldom = st.sampled_from((False, False, False, True))
mostly = st.sampled_from((True, True, True, False))


@st.composite
def attackers(draw: st.DrawFn, camp: Camp) -> tuple[Attacker, ...]:
    """One or two units, often by the same way, at least one of them in the main force."""
    common = draw(st.lists(st.sampled_from(SIDES), unique=True, max_size=2))
    allied = camp == "allied"
    army: Army | None = draw(st.sampled_from((None, *get_args(Army)))) if allied else None
    units = []
    for place in range(draw(st.integers(1, 2))):
        own = draw(st.lists(st.sampled_from(SIDES), unique=True, max_size=1))
        units.append(
            Attacker(
                name=f"a{place}",
                factor=draw(st.sampled_from(FACTORS)),
                steps=draw(st.integers(1, 3)),
                main_force=draw(mostly),
                crosses=tuple(draw(st.sampled_from((common, common, own, [])))),
                from_flooded=draw(seldom),
                unsupplied=draw(seldom),
                landing=allied and draw(seldom),
                nationality=army,
                mechanised=draw(st.booleans()),
                by_road=draw(st.booleans()),
            )
        )
    if not any(unit.main_force for unit in units):
        units[-1] = replace(units[-1], main_force=True)
    return tuple(units)


@st.composite
def defenders(draw: st.DrawFn) -> tuple[Defender, ...]:
    return tuple(
        Defender(
            name=f"d{place}",
            factor=draw(st.integers(0, 5)),
            steps=draw(st.integers(1, 3)),
            quality=draw(st.integers(-2, 3)),
            armour=draw(st.integers(-2, 2)),
            lead_uses_armour=draw(seldom),
        )
        for place in range(draw(st.integers(1, 2)))
    )


@st.composite
def attacks(draw: st.DrawFn) -> Attack:
    """An attack at any odds."""
    camp: Camp = draw(st.sampled_from(get_args(Camp)))
    terrain = draw(st.lists(st.sampled_from(HEXES), min_size=1, max_size=2))
    if draw(seldom):
        terrain.append("airfield")
    return Attack(
        attackers=draw(attackers(camp)),
        defenders=draw(defenders()),
        terrain=tuple(terrain),
        fortification=draw(st.sampled_from(("none", "strongpoint", "entrenchment"))),
        attacker_camp=camp,
        weather=draw(st.sampled_from(("clear", "clear", "overcast", "other"))),
        quality_advantage=draw(st.integers(-2, 2)),
        armour_advantage=draw(st.integers(-2, 2)),
        armour_across=draw(seldom),
        tiger_advantage=draw(st.integers(-1, 1)),
        offensive_air=draw(st.integers(0, 2)),
        naval_support=draw(seldom),
        hq_support=draw(st.integers(0, 2)),
        defender_strategic=draw(seldom),
        flak_present=draw(st.booleans()),
        defensive_support=draw(st.integers(0, 2)),
        can_retreat=draw(mostly),
        retreat_path=tuple(draw(st.lists(st.sampled_from(WAY), max_size=4))),
    )


@st.composite
def routs(draw: st.DrawFn) -> Attack:
    """An attack beyond 7-1, with more against it than for it."""
    setup = draw(attacks())
    first = replace(setup.attackers[0], factor=18, main_force=True, crosses=(), from_flooded=False)
    return replace(
        setup,
        attackers=(replace(first, unsupplied=False, landing=False), *setup.attackers[1:]),
        defenders=tuple(
            replace(unit, factor=1, steps=draw(st.sampled_from((1, 2, 2, 3, 3))))
            for unit in setup.defenders
        ),
        terrain=draw(st.sampled_from((("clear",), ("hilltop",)))),
        quality_advantage=-1,
        offensive_air=draw(st.integers(0, 1)),
        hq_support=0,
    )


@st.composite
def crossings(draw: st.DrawFn) -> Attack:
    """An attack with one difficulty at most, so that each of them tells."""
    setup = draw(attacks())
    easy = [
        replace(unit, main_force=True, crosses=(), from_flooded=False, unsupplied=False)
        for unit in setup.attackers
    ]
    landing = draw(seldom) and setup.attacker_camp == "allied"
    hexside = () if landing else (draw(st.sampled_from([*SIDES, "cherbourg-perimeter"])),)
    return replace(
        setup,
        attackers=tuple(replace(unit, crosses=hexside, landing=landing) for unit in easy),
        terrain=(draw(st.sampled_from(("clear", "mixed", "bocage", "village", "hilltop"))),),
        fortification="none",
        armour_across=False,
    )


@st.composite
def fords(draw: st.DrawFn) -> Attack:
    """An attack after which perhaps one of two units can advance, against few steps."""
    setup = draw(attacks())
    first = replace(setup.attackers[0], factor=draw(st.sampled_from((3, 9, 18))), mechanised=False)
    pair = [
        replace(first, name=f"a{place}", steps=draw(st.integers(1, 2)), main_force=True)
        for place in range(2)
    ]
    pair[draw(st.integers(0, 1))] = replace(pair[0], name="a2", mechanised=True, by_road=False)
    return replace(
        setup,
        attackers=tuple(pair),
        defenders=(replace(setup.defenders[0], factor=2, steps=draw(st.integers(1, 2))),),
        terrain=("flooded",),
    )


def fight_of(setup: Setup, procedure: str, chosen: dict[str, str]) -> Fight | None:
    """None where the engine refuses."""
    try:
        return GAME.fight(setup, procedure=procedure, options=chosen)
    except Refusal:
        return None


def doctrines_of(pair: tuple[str, str]) -> oracle.Doctrines:
    return DOCTRINES[pair[0]], DOCTRINES[pair[1]]


def chances(odds: Odds) -> oracle.Chances:
    return {outcome: Fraction(weight, odds.total) for outcome, weight in odds.weights.items()}


def compare(setup: Attack, chosen: dict[str, str], pair: tuple[str, str]) -> None:
    """Both refuse the attack, or both give the same distribution."""
    fight = fight_of(setup, "attack", chosen)
    if fight is None:
        with pytest.raises(oracle.Refused):
            oracle.basic_column(setup, chosen)
    else:
        assert chances(fight.odds(*pair)) == oracle.attack_odds(setup, chosen, doctrines_of(pair))


@examples(200)
@given(attacks(), options, pairs)
def test_odds_are_the_oracles(setup: Attack, chosen: dict[str, str], pair: tuple[str, str]) -> None:
    compare(setup, chosen, pair)


@examples(200)
@given(routs() | crossings() | fords(), options, pairs)
def test_odds_of_special_attacks_are_the_oracles(
    setup: Attack, chosen: dict[str, str], pair: tuple[str, str]
) -> None:
    compare(setup, chosen, pair)


@examples(50)
@given(attacks(), pairs)
def test_odds_by_the_default_readings_are_the_oracles(setup: Attack, pair: tuple[str, str]) -> None:
    compare(setup, DEFAULTS, pair)


@examples(80)
@given(attacks() | routs() | crossings(), options)
def test_the_explanation_has_the_oracles_numbers(setup: Attack, chosen: dict[str, str]) -> None:
    fight = fight_of(setup, "attack", chosen)
    if fight is None:
        with pytest.raises(oracle.Refused):
            oracle.basic_column(setup, chosen)
        return
    told = fight.explain()
    basic, final = oracle.columns_named(setup, chosen)
    assert told.totals() == {
        "attack": oracle.attack_total(setup, chosen),
        "defence": oracle.defence_total(setup, chosen),
    }
    assert told.column() == {"basic": basic, "final": final}
    # The first die is the Jabos' where they fly; the combat roll has no modifier.
    flies = oracle.jabos_fly(setup, chosen)
    assert told.die_modifier == (oracle.jabo_modifier(setup, chosen) if flies else 0)


# ------------------------------------------------------------------ the other procedures


TARGETS = st.builds(Target, name=st.just("t"), steps=st.integers(1, 3), armoured=st.booleans())
ISOLATED = st.builds(
    Isolated,
    name=st.just("i"),
    steps=st.integers(1, 3),
    quality=st.integers(-3, 3),
    supply_line_to=st.sampled_from((None, None, "town", "hq", "strongpoint", "coast")),
)
WANTED = st.builds(
    Wanted,
    what=st.sampled_from([*oracle.PRICES, "supply-point"]),
    count=st.integers(1, 3),
    army=st.sampled_from((None, *get_args(Army))),
)


@examples(80)
@given(st.lists(TARGETS, min_size=1, max_size=3), st.booleans(), st.booleans(), options, pairs)
def test_strafing_is_the_oracles(
    targets: list[Target],
    flak: bool,
    strategic: bool,
    chosen: dict[str, str],
    pair: tuple[str, str],
) -> None:
    named = tuple(replace(unit, name=f"t{place}") for place, unit in enumerate(targets))
    setup = Strafing(targets=named, flak_present=flak, strafed_strategic=strategic)
    fight = fight_of(setup, "strafing", chosen)
    if fight is None:
        with pytest.raises(oracle.Refused):
            oracle.strafing_odds(setup, chosen, doctrines_of(pair))
        return
    expected = oracle.strafing_odds(setup, chosen, doctrines_of(pair))
    assert chances(fight.odds(*pair)) == expected
    assert fight.explain().die_modifier == oracle.strafing_modifier(setup)


@examples(80)
@given(st.lists(ISOLATED, min_size=1, max_size=3), st.sampled_from(get_args(Camp)), options, pairs)
def test_attrition_is_the_oracles(
    units: list[Isolated], camp: Camp, chosen: dict[str, str], pair: tuple[str, str]
) -> None:
    named = tuple(replace(unit, name=f"i{place}") for place, unit in enumerate(units))
    setup = Attrition(units=named, camp=camp)
    fight = fight_of(setup, "attrition", chosen)
    if fight is None:
        with pytest.raises(oracle.Refused):
            oracle.attrition_odds(setup)
        return
    assert chances(fight.odds(*pair)) == oracle.attrition_odds(setup)
    assert fight.explain().die_modifier == oracle.attrition_modifier(named[0])


@examples(80)
@given(
    st.integers(0, 25),
    st.lists(WANTED, max_size=3),
    st.lists(st.sampled_from(get_args(Army)), unique=True),
    pairs,
)
def test_reinforcements_are_the_oracles(
    points: int, wanted: list[Wanted], built: list[Army], pair: tuple[str, str]
) -> None:
    setup = Purchase(points=points, wanted=tuple(wanted), mulberries=tuple(built))
    fight = fight_of(setup, "reinforcements", {})
    if fight is None:
        with pytest.raises(oracle.Refused):
            oracle.purchase(setup)
        return
    assert chances(fight.odds(*pair)) == {oracle.purchase(setup): Fraction(1)}


# ------------------------------------------------------------------ the oracle itself


def test_the_oracle_covers_options_of_the_card() -> None:
    assert set(CHOICES) == set(oracle.OPTIONS)


def plain(factor: int, defenders: list[Defender], terrain: str = "clear") -> Attack:
    attacker = Attacker(name="a", factor=factor, steps=2, main_force=True)
    return Attack(attackers=(attacker,), defenders=tuple(defenders), terrain=(terrain,))


def test_the_oracle_has_the_known_cases() -> None:
    """N4, N5 and N6 of the reading."""
    village = plain(25, [Defender(name="d", factor=3)], "village")
    assert oracle.attack_total(village, DEFAULTS) == 18
    assert oracle.defence_total(village, DEFAULTS) == 7
    assert oracle.columns_named(village, DEFAULTS) == ("2-1", "2-1")
    doctrines = doctrines_of(("best", "best"))
    (one_step,) = oracle.Aftermath(village, DEFAULTS, doctrines).of("A1/D2")
    assert (one_step.attacker_steps_lost, one_step.defender_steps_lost) == (0, 1)
    five = plain(9, [Defender(name="d", factor=3, steps=3), Defender(name="e", factor=3, steps=2)])
    (halved,) = oracle.Aftermath(five, DEFAULTS, doctrines).of("DH")
    assert halved.defender_steps_lost == 3


@pytest.mark.parametrize(
    ("terrain", "die", "held", "lost"),
    [("clear", 5, False, (0, 1)), ("town", 4, True, (1, 1))],
)
def test_the_oracle_reads_determined_defence(
    terrain: str, die: int, held: bool, lost: tuple[int, int]
) -> None:
    """N2 and N3 of the reading."""
    setup = plain(9, [Defender(name="d", factor=3, steps=2)], terrain)
    aftermath = oracle.Aftermath(setup, DEFAULTS, doctrines_of(("best", "best")))
    aftermath.code = "DR"
    codes = oracle.STAND[die][aftermath.stand_column()].split()
    (end,) = aftermath.stood(aftermath.before, 0, codes)
    assert end.vacated is not held
    assert (end.attacker_steps_lost, end.defender_steps_lost) == lost
