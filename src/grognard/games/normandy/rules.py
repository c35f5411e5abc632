"""Normandy '44: the attack from odds to advance, and the list of all procedures."""

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.games.normandy.aftermath import advance
from grognard.games.normandy.air_and_supply import ATTRITION, STRAFING
from grognard.games.normandy.determined import (
    determined_defence,
    retreat,
    retreat_or_stand,
)
from grognard.games.normandy.losses import attacker_losses, defender_losses
from grognard.games.normandy.reinforcements import REINFORCEMENTS
from grognard.games.normandy.stated import (
    Attack,
    NormandyFight,
    NormandyPreparation,
    surviving,
    vacated,
)
from grognard.games.normandy.strength import (
    AUTOMATIC,
    jabos,
    odds,
    odds_allowed,
    on_table,
    shifts,
)
from grognard.games.normandy.trim import trim
from grognard.rules.ask import Asking, roll
from grognard.rules.fight import Case, Outcome, alive
from grognard.rules.losses import steps_lost
from grognard.rules.procedure import Procedure, Trim, beginning
from grognard.rules.rolls import look_up
from grognard.rules.setup_checks import need, units_named_once
from grognard.rules.trimming import moved
from grognard.words.message import say
from grognard.words.refusal import Refusal, near


def result(fight: NormandyFight) -> Asking[NormandyFight]:
    """Roll and read the table; left of it the result needs no die."""
    place = on_table(fight.case, fight.column)
    if place is None:
        yield fight.case.tell("result", "automatic", value=AUTOMATIC)
        return replace(fight, result=AUTOMATIC, column=0)
    die = yield from roll("combat-roll", 1)
    (code,) = yield from look_up(fight.case, "combat", die, column=place)
    return replace(fight, result=code, column=0)


# ------------------------------------------------------------------ beginning and end


def check(setup: Attack, card: Card, options: Mapping[str, str]) -> None:  # noqa: ARG001  # as procedures call it
    """Refuse what the rules do not allow; the odds are looked at when the attack begins."""
    units_named_once(setup.attackers, setup.defenders)
    need(setup.defenders, say("nobody is attacked; name at least one defender"), "defenders")
    _numbers_within(setup, card)
    _ground(setup, card)
    _who_attacks(setup)


def _numbers_within(setup: Attack, card: Card) -> None:
    for fact in card.bounded_facts:
        value = getattr(setup, fact.id, None)
        if value is not None:
            if fact.least is not None:
                problem = say("{value} is too few; at least {least}", value=value, least=fact.least)
                need(value >= fact.least, problem, fact.id)
            if fact.most is not None:
                problem = say("{value} is too many; at most {most}", value=value, most=fact.most)
                need(value <= fact.most, problem, fact.id)


def _ground(setup: Attack, card: Card) -> None:
    """Refuse terrain that can't be attacked, crossed, or retreated through."""
    _known("terrain", setup.terrain, card.fact("terrain").values)
    for place, unit in enumerate(setup.attackers):
        _known(f"attackers[{place}].crosses", unit.crosses, card.fact("crosses").values)
    _known("retreat_path", setup.retreat_path, card.fact("retreat_path").values)
    ground = any("determined_defence" in card.terrain_row(id_).values for id_ in setup.terrain)
    need(ground, say("name the terrain of the hex; an airfield alone is none"), "terrain")


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
    odds_allowed(case)
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
        details=tuple(_details(fight)),
    )


def _details(fight: NormandyFight) -> Iterator[str]:
    if fight.retreated:
        yield f"retreat {fight.retreated}"
    if fight.held and not vacated(fight):
        yield "held"
    if fight.disorganised:
        yield "disorganised"
    if fight.fortification_removed:
        yield "fortification removed"
    if fight.reserve:
        yield "reserve"


PROCEDURES = (
    Procedure(
        id="attack",
        setup=Attack,
        start=start,
        steps=(
            odds,
            shifts,
            Trim(trim, partial(moved, table="combat", by_die=False)),
            jabos,
            result,
            attacker_losses,
            defender_losses,
            retreat_or_stand,
            determined_defence,
            retreat,
            advance,
        ),
        outcome=outcome,
        check=check,
    ),
    STRAFING,
    ATTRITION,
    REINFORCEMENTS,
)
