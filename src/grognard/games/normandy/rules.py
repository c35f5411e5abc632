"""Normandy '44: the attack from odds to advance, and the list of all procedures."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Literal

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.games.normandy import results, strength
from grognard.games.normandy.advance import advance
from grognard.games.normandy.air_and_supply import ATTRITION, REINFORCEMENTS, STRAFING
from grognard.games.normandy.least import least, settled
from grognard.games.normandy.stated import (
    Attack,
    Attacker,
    Defender,
    NormandyFight,
    NormandyPreparation,
    TrimmedAttack,
    TrimmedAttacker,
    TrimmedDefender,
    is_bare,
    surviving,
    vacated,
)
from grognard.rules.ask import Asking, roll
from grognard.rules.fight import Case, Outcome, Setup, alive
from grognard.rules.kept import kept
from grognard.rules.losses import steps_lost
from grognard.rules.procedure import (
    Glance,
    Procedure,
    Trim,
    beginning,
    moved,
    trimmed,
    with_survivors,
)
from grognard.rules.rolls import look_up
from grognard.rules.setup_checks import need, units_named_once
from grognard.words.message import say
from grognard.words.refusal import Refusal, near


def result(fight: NormandyFight) -> Asking[NormandyFight]:
    """Roll and read the table; left of it the result needs no die."""
    place = strength.on_table(fight.case, fight.column)
    if place is None:
        reading = fight.case.doubt("low_column")
        yield fight.case.tell("result", "automatic", value=strength.AUTOMATIC, reading=reading)
        return replace(fight, result=strength.AUTOMATIC, column=0)
    die = yield from roll("combat-roll", 1)
    (code,) = yield from look_up(fight.case, "combat", die, column=place)
    return replace(fight, result=code, column=0)


READING = Glance(result, ("column",))

# ------------------------------------------------------------------ beginning and end


def check(setup: Attack, card: Card, options: Mapping[str, str]) -> None:
    """Refuse what the rules do not allow; the odds are looked at when the attack begins."""
    units_named_once(setup.attackers, setup.defenders)
    need(setup.defenders, say("nobody is attacked; name at least one defender"), "defenders")
    _numbers_within(setup, card)
    _ground(setup, card, options)
    _who_attacks(setup)


def _numbers_within(setup: Attack, card: Card) -> None:
    for fact in card.bounded_facts:
        value, least, most = getattr(setup, fact.id, None), fact.least, fact.most
        if value is not None:
            few = say("{value} is too few; at least {least}", value=value, least=least)
            need(least is None or value >= least, few, fact.id)
            many = say("{value} is too many; at most {most}", value=value, most=most)
            need(most is None or value <= most, many, fact.id)


def _ground(setup: Attack, card: Card, options: Mapping[str, str]) -> None:
    """Refuse terrain that can't be attacked, crossed, or retreated through."""
    _known("terrain", setup.terrain, card.fact("terrain").values)
    for place, unit in enumerate(setup.attackers):
        _known(f"attackers[{place}].crosses", unit.crosses, card.fact("crosses").values)
    _known("retreat_path", setup.retreat_path, card.fact("retreat_path").values)
    need(setup.terrain, say("name the terrain of the hex"), "terrain")
    stated = options["bare_ground"] == "clear" or not is_bare(setup, card)
    alone = say("name the terrain of the hex; a hilltop or an airfield alone is none")
    need(stated, alone, "terrain")


def _known(place: str, words: Collection[str], known: Collection[str]) -> None:
    for word in words:
        if word not in known:
            problem = say("no terrain '{word}' here; {near}", word=word, near=near(word, known))
            raise Refusal(problem, place=place)


def _who_attacks(setup: Attack) -> None:
    """Refuse attackers that may not be together, or not be there."""
    problem = say("no unit is in the main force; mark at least one with main_force = true (10.3)")
    need(any(unit.main_force for unit in setup.attackers), problem, "attackers")
    armies = {unit.nationality for unit in setup.attackers} - {None}
    need(len(armies) < 2, say("US and British units do not attack together"), "attackers")
    if setup.attacker_camp == "german":
        need(not armies, say("US and British units do not attack with the Germans"), "attackers")
        landing = any(unit.landing for unit in setup.attackers)
        need(not landing, say("only Allied reinforcements land (6.5.2)"), "attackers")


def start(case: Case[Attack]) -> NormandyPreparation:
    """Begin an attack, unless its odds are not allowed."""
    strength.odds_allowed(case)
    return beginning(NormandyPreparation)(case)


def outcome(fight: NormandyFight) -> Outcome:
    """Sum up the outcome."""
    setup, left = fight.case.setup, surviving(fight)
    return Outcome(
        result=fight.result,
        attacker_steps_lost=steps_lost(setup.attackers, fight.attackers),
        defender_steps_lost=steps_lost(setup.defenders, fight.defenders),
        attacker_eliminated=not alive(fight.attackers),
        defender_eliminated=not left,
        vacated=vacated(fight),
        taken=fight.taken,
        defender_shaken=len(left) if fight.disorganised else 0,
        details=_details(fight),
    )


def _details(fight: NormandyFight) -> tuple[str, ...]:
    details = {
        f"retreat {fight.retreated}": fight.retreated,
        "held": fight.held and not vacated(fight),
        "disorganised": fight.disorganised,
        "fortification removed": fight.fortification_removed,
        "reserve": fight.reserve,
    }
    return tuple(detail for detail, holds in details.items() if holds)


# ------------------------------------------------------------------ trimming


def trim(fight: NormandyPreparation) -> NormandyFight:
    """Drop the factors and all that shifts the column, but for the Jabos."""
    case, setup = fight.case, fight.case.setup
    ours, theirs = setup.attackers, setup.defenders
    stated = trimmed(
        TrimmedAttack,
        setup,
        attackers=tuple([_attacker(case, unit, setup.terrain) for unit in ours]),
        defenders=tuple([_defender(case, unit) for unit in theirs]),
        terrain=(*setup.terrain, "clear") if is_bare(setup, case.card) else setup.terrain,
        flak_present=setup.flak_present and strength.jabos_fly(case),
    )
    return trimmed(
        NormandyFight,
        fight,
        case=case.restated(stated),
        attackers=stated.attackers,
        defenders=stated.defenders,
    )


@kept
def _attacker(case: Case[Attack], unit: Attacker, terrain: tuple[str, ...]) -> TrimmedAttacker:
    return trimmed(TrimmedAttacker, unit, advance=_advance(case.card, unit, terrain))


@kept
def _defender(case: Case[Attack], unit: Defender) -> TrimmedDefender:  # noqa: ARG001  # as it is kept
    return trimmed(TrimmedDefender, unit)


def _advance(
    card: Card, unit: Attacker, terrain: tuple[str, ...]
) -> Literal["open", "first-hex", "barred"]:
    """14.4: without a road no unit advances over or into terrain that is closed to it, and water
    ends the advance in the first hex."""
    if unit.by_road:
        return "open"
    way = [card.terrain_row(id_) for id_ in unit.crosses + terrain]
    kind, key = ("mech", "advance_mech") if unit.mechanised else ("non-mech", "advance_non_mech")
    if any(row.cost[kind] == "no" for row in way):
        return "barred"
    ends = any(row.values.get(key) == "first-hex-without-road" for row in way)
    return "first-hex" if ends else "open"


def remains(setup: Attack, fight: NormandyFight) -> Setup:
    """A second attack meets no fortification that the first has removed."""
    without = replace(setup, fortification="none") if fight.fortification_removed else setup
    return with_survivors(without, fight)


PROCEDURES = (
    Procedure(
        id="attack",
        setup=Attack,
        start=start,
        steps=(
            strength.odds,
            strength.shifts,
            Trim(trim, partial(moved, table="combat", by_die=False)),
            strength.jabos,
            READING,
            results.attacker_losses,
            results.defender_losses,
            results.retreat_or_stand,
            Glance(results.determined_defence, ("lead", "die_modifier", "stand_column")),
            results.retreat,
            advance,
        ),
        outcome=outcome,
        check=check,
        remains=remains,
        settled=settled,
        reads=READING,
        least=least,
    ),
    STRAFING,
    ATTRITION,
    REINFORCEMENTS,
)
