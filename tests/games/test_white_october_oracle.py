"""The engine against the oracle of White October: the same odds, exactly, on random attacks."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grognard.fights.chances import Odds
from grognard.fights.doctrine import DOCTRINES
from grognard.games.white_october.stated import Attack, Counter
from grognard.rules.game import load
from grognard.words.refusal import Refusal
from tests.oracles import white_october as oracle
from tests.tiers import examples

GAME = load("white-october")
CHOICES = {option.id: [choice.id for choice in option.choices] for option in GAME.card.options}
# What leaves a fight to the players; it has tests of its own.
REFUSING = [("damaged_cells", "refuse"), ("morale_clamp", "refuse")]
PAIRS = list(product(DOCTRINES, repeat=2))
MORALES = st.integers(oracle.LOWEST_MORALE, oracle.HIGHEST_MORALE)

seldom = st.sampled_from((False, False, False, True))
answering = st.fixed_dictionaries(
    {
        id_: st.sampled_from([choice for choice in ids if (id_, choice) not in REFUSING])
        for id_, ids in CHOICES.items()
    }
)
anything = st.fixed_dictionaries({id_: st.sampled_from(ids) for id_, ids in CHOICES.items()})


@st.composite
def counters(draw: st.DrawFn, name: str, *, in_steps: bool) -> Counter:
    """A counter of 1 to 5 PE; steps are stated besides, or alone, where they may be."""
    pe = draw(st.integers(1, 5))
    steps = draw(st.integers(0, 3)) if in_steps else draw(st.sampled_from((0, pe)))
    return Counter(
        name=name,
        pe=draw(st.sampled_from((0, pe))) if steps else pe,
        steps=steps,
        strength=draw(st.integers(0, 3) | st.integers(1, 12)),
        quality=draw(st.integers(3, 6)),
        morale=draw(MORALES),
        combat=not draw(seldom),
        tank=draw(seldom),
        armoured_car=draw(seldom),
        cavalry=draw(st.booleans()),
        out_of_ammunition=draw(seldom),
        routed=draw(seldom),
        disorganised=draw(seldom),
    )


@st.composite
def sides(draw: st.DrawFn, letter: str, *, in_steps: bool) -> tuple[Counter, ...]:
    names = [f"{letter}{place}" for place in range(draw(st.integers(1, 2)))]
    return tuple(draw(counters(name, in_steps=in_steps)) for name in names)


@st.composite
def attacks(draw: st.DrawFn, *, in_steps: bool) -> Attack:
    attackers = draw(sides("a", in_steps=in_steps))
    assume(any(unit.strength for unit in attackers))
    trotsky = draw(st.sampled_from((None, None, "attacker", "defender")))
    stated = {
        f"{side}_{what}": draw(st.none() | values)
        for side in oracle.LETTER
        for what, values in (("quality", st.integers(3, 6)), ("morale", MORALES))
    }
    return Attack(
        attackers=attackers,
        defenders=draw(sides("d", in_steps=in_steps)),
        attacker_support=draw(st.integers(0, 2)),
        defender_support=draw(st.integers(0, 2)),
        attacker_air=draw(seldom),
        night=draw(st.booleans()),
        attacker_is_ano=draw(st.booleans()),
        hq_bonus=draw(st.integers(-6, 6)),
        attacker_encircled=draw(seldom),
        defender_encircled=draw(seldom),
        attacker_trotsky=trotsky == "attacker",
        defender_trotsky=trotsky == "defender",
        clear_terrain=draw(st.booleans()),
        terrain_value=draw(st.integers(0, 3)),
        second_hex_allowed=draw(st.booleans()),
        attacker_can_retreat=not draw(seldom),
        defender_can_retreat=not draw(seldom),
        **stated,
    )


Stated = tuple[Attack, dict[str, str]]


@st.composite
def stated(draw: st.DrawFn, options: st.SearchStrategy[dict[str, str]]) -> Stated:
    chosen = draw(options)
    return draw(attacks(in_steps=chosen["losses_in"] == "steps")), chosen


def chances(odds: Odds) -> oracle.Chances:
    return {outcome: Fraction(weight, odds.total) for outcome, weight in odds.weights.items()}


def expected(fight: Stated, pair: tuple[str, str]) -> oracle.Chances:
    return oracle.chances(*fight, {"attacker": DOCTRINES[pair[0]], "defender": DOCTRINES[pair[1]]})


@examples(200)
@given(stated(answering), st.sampled_from(PAIRS))
def test_odds_are_the_oracles(fight: Stated, pair: tuple[str, str]) -> None:
    setup, chosen = fight
    found = GAME.fight(setup, procedure="attack", options=chosen).odds(*pair)
    assert chances(found) == expected(fight, pair)


@examples(150)
@given(stated(anything))
def test_the_explanation_has_the_oracles_numbers(fight: Stated) -> None:
    setup, chosen = fight[0], {**fight[1], "morale_clamp": "to_table"}
    told = GAME.fight(setup, procedure="attack", options=chosen).explain()
    assert told.totals() == {
        "attack": oracle.strength(setup, "attacker", chosen),
        "defence": oracle.strength(setup, "defender", chosen),
    }
    label, modifier = oracle.ratio_of(setup, chosen)
    assert told.column() == {"basic": label, "final": None}
    assert {line.id: line.value for line in told.modifiers}.get("ratio", 0) == modifier
    assert told.die_modifier == oracle.dice_modifier(setup, chosen)


@examples(60)
@given(stated(anything), st.sampled_from(PAIRS), st.sampled_from(REFUSING))
def test_what_the_oracle_does_not_read_is_refused(
    fight: Stated, pair: tuple[str, str], refusing: tuple[str, str]
) -> None:
    setup, chosen = fight[0], {**fight[1], refusing[0]: refusing[1]}
    try:
        wanted = expected((setup, chosen), pair)
    except oracle.NotRead:
        with pytest.raises(Refusal):
            GAME.fight(setup, procedure="attack", options=chosen).odds(*pair)
    else:
        found = GAME.fight(setup, procedure="attack", options=chosen).odds(*pair)
        assert chances(found) == wanted


# ---------------------------------------------------------------- the whole table, cell by cell

DEFAULTS = {id_: ids[0] for id_, ids in CHOICES.items()}
READINGS = [
    (id_, choice)
    for id_ in ("damaged_cells", "c4_m6_chooser", "c8_slash_one", "c11_m6", "morale_row")
    for choice in CHOICES[id_]
    if (id_, choice) not in REFUSING
]


def of_morale(attacker: int, defender: int, hq_bonus: int) -> Attack:
    """An even fight of two units against two, one of them small, so that all results bite."""
    ours, theirs = (
        tuple(
            Counter(name=f"{letter}{pe}", pe=pe, strength=pe, quality=3, morale=morale)
            for pe in (1, 2)
        )
        for letter, morale in (("a", attacker), ("d", defender))
    )
    return Attack(attackers=ours, defenders=theirs, hq_bonus=hq_bonus)


@pytest.mark.slow
@pytest.mark.parametrize("reading", READINGS, ids="=".join)
def test_every_cell_is_the_oracles(reading: tuple[str, str]) -> None:
    chosen = {**DEFAULTS, reading[0]: reading[1]}
    for morale, hq_bonus in product(range(1, 7), (-5, 3)):
        setup = of_morale(morale, morale % 6 + 1, hq_bonus)
        for pair in (("best", "best"), ("take", "hold")):
            found = GAME.fight(setup, procedure="attack", options=chosen).odds(*pair)
            assert chances(found) == expected((setup, chosen), pair)


@pytest.mark.parametrize("column", range(2, 13))
def test_damaged_halves_alone_are_refused(column: int) -> None:
    chosen = {**DEFAULTS, "damaged_cells": "refuse"}
    doctrines = dict.fromkeys(oracle.LETTER, DOCTRINES["best"])
    dice = (1, column - 1) if column < 8 else (6, column - 6)
    for rows in product(range(1, 7), repeat=2):
        setup = of_morale(rows[0], rows[1], hq_bonus=0)
        fight = GAME.fight(setup, procedure="attack", options=chosen)
        try:
            wanted = oracle.outcome_on(column, setup, chosen, doctrines)
        except oracle.NotRead:
            with pytest.raises(Refusal):
                fight.resolve(dice)
        else:
            assert fight.resolve(dice).outcome == wanted
