"""White October: the attack, put together in the order of the printed card.

The set-up and the fight are in `stated`. The stages follow in `strength`, `dice`
and `results`: the dice give the column, each side's dominant morale its row; the loser applies
his half first.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import SIDES
from grognard.games.white_october import stated
from grognard.games.white_october.dice import dice, dice_modifiers
from grognard.games.white_october.least import carried, least, settled
from grognard.games.white_october.results import advance, loser_results, winner_results
from grognard.games.white_october.strength import dominants, morale_of, strengths
from grognard.rules.fight import Case, Outcome, Setup, alive
from grognard.rules.procedure import Glance, Procedure, Trim, moved, with_survivors
from grognard.rules.setup_checks import need, units_named_once
from grognard.words.message import say


def check(setup: stated.Attack, card: Card, options: Mapping[str, str]) -> None:
    """Refuse what the rules do not allow."""
    units_named_once(setup.attackers, setup.defenders)
    both = setup.attacker_trotsky and setup.defender_trotsky
    need(not both, say("Trotsky is with one side only"), "defender_trotsky")
    need(setup.attackers, say("nobody attacks; at least one unit must"), "attackers")
    need(setup.defenders, say("nobody is attacked; at least one unit must be"), "defenders")
    strong = any(unit.strength for unit in setup.attackers)
    need(strong, say("the attackers have no combat strength"), "attackers")
    for side in SIDES:
        stack = stated.stack_of(setup, side)
        for unit in stack.units:
            _check_unit(unit, card, options, f"{side}s")
        if stack.morale is not None:
            _check_morale(stack.morale, card, f"{side}_morale")
        morale, added = morale_of(stack, card, options, side)
        if options["morale_clamp"] == "refuse":
            _check_morale(morale + added.value, card, f"{side}s")


def _check_unit(unit: stated.Counter, card: Card, options: Mapping[str, str], place: str) -> None:
    need(unit.pe, say("'{name}' has no PE", name=unit.name), place)
    same = unit.pe == unit.steps or options["losses_in"] == "steps"
    problem = say(
        "'{name}' has {pe} PE and {steps} steps; they differ only where losses are taken in steps "
        "(option losses_in)",
        name=unit.name,
        pe=unit.pe,
        steps=unit.steps,
    )
    need(same, problem, place)
    _check_morale(unit.morale, card, place)


def _check_morale(morale: int, card: Card, place: str) -> None:
    least, most = card.number("morale_least"), card.number("morale_most")
    problem = say(
        "the table has no row for a morale of {morale}; expected {least} to {most}",
        morale=morale,
        least=least,
        most=most,
    )
    need(least <= morale <= most, problem, place)


def start(case: Case[stated.Attack]) -> stated.WhiteOctoberPreparation:
    """Begin an attack."""
    ours, theirs = (stated.stack_of(case.setup, side).units for side in SIDES)
    return stated.WhiteOctoberPreparation(case=case, attackers=ours, defenders=theirs)


def outcome(fight: stated.WhiteOctoberFight) -> Outcome:
    """Sum up the outcome; captured units are lost."""
    further = (f"advance {fight.advanced}",) if fight.advanced > 1 else ()
    return Outcome(
        result=fight.result,
        attacker_steps_lost=fight.attacker_toll.lost,
        defender_steps_lost=fight.defender_toll.lost,
        attacker_eliminated=not alive(fight.attackers),
        defender_eliminated=not alive(fight.defenders),
        vacated=stated.gone(fight, "defender"),
        taken=fight.advanced > 0 and fight.winner == "attacker",
        attacker_left=stated.gone(fight, "attacker"),
        defender_advanced=fight.advanced > 0 and fight.winner == "defender",
        attacker_shaken=fight.attacker_toll.shaken,
        defender_shaken=fight.defender_toll.shaken,
        details=(*fight.details, *further),
    )


def remains(setup: stated.Attack, fight: stated.WhiteOctoberFight) -> Setup:
    """Losses are PE, unless they are taken in steps; who was routed or disorganised stays so."""

    def worn(unit: stated.Counter, at_end: stated.TrimmedCounter) -> stated.Counter:
        pe = unit.pe if unit.steps not in (0, unit.pe) else at_end.steps
        return replace(
            unit,
            pe=pe,
            steps=at_end.steps,
            routed=at_end.routed,
            disorganised=at_end.disorganised,
        )

    return with_survivors(setup, fight, worn)


PROCEDURES = (
    Procedure(
        id="attack",
        setup=stated.Attack,
        start=start,
        steps=(
            strengths,
            dominants,
            dice_modifiers,
            Trim(stated.trim, moved),  # the dice alone choose the column
            Glance(dice, ("rows", "die_modifier", "mandatory")),
            loser_results,
            winner_results,
            advance,
        ),
        outcome=outcome,
        check=check,
        settled=settled,
        remains=remains,
        least=least,
        carried=carried,
    ),
)
