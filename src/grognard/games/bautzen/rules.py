"""Bautzen 1945: the attack, put together from the eight steps of rule 8.2.

The set-up and the fight are in `stated`. The steps follow in `strength`, `odds` and `results`.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.games.bautzen import stated
from grognard.games.bautzen.least import carried, least
from grognard.games.bautzen.odds import column, result
from grognard.games.bautzen.outset import outset
from grognard.games.bautzen.results import advance, attacker_losses, columns_alone, defender_answers
from grognard.games.bautzen.strength import commitments, totals
from grognard.rules.fight import Outcome, Setup, alive, enemy_of
from grognard.rules.losses import steps_lost
from grognard.rules.procedure import Glance, Procedure, Trim, beginning, moved, with_survivors
from grognard.rules.setup_checks import need, terrain_known, units_named_once
from grognard.words.message import say


def check(setup: stated.Attack, card: Card, options: Mapping[str, str]) -> None:  # noqa: ARG001  # as procedures call it
    """Refuse what the rules do not allow."""
    units_named_once(setup.attackers, setup.defenders)
    terrain_known(card, setup.terrain)
    fighting = [u for u in setup.attackers if u.kind not in (*stated.SUPPORTS, "cl")]
    nobody = say("no unit attacks; at least one that is not an HQ, artillery or CL")
    need(fighting, nobody, "attackers")
    attacked = [u for u in setup.defenders if not u.at_distance]
    need(attacked, say("nobody is attacked; at least one unit must be in the hex"), "defenders")
    for side, units in (("attackers", setup.attackers), ("defenders", setup.defenders)):
        afar = [u for u in units if u.at_distance and u.kind not in stated.SUPPORTS]
        need(not afar, say("only HQs and artillery take part from a distance (8.1)"), side)
    _check_markers(setup, card)


def _check_markers(setup: stated.Attack, card: Card) -> None:
    """7.2, 10: not more logistic columns and air markers than there can be."""
    enemy = enemy_of(setup.allied)
    for key in (f"{enemy}_air", f"{enemy}_air_at_hand"):
        need(getattr(setup, key) == 0, say("only the Allied side has air markers (rule 10)"), key)
    given = {"attacker_cl_on_map": (setup.attacker_cl_on_map, "cl_on_map")}
    for side in ("attacker", "defender"):
        for what, most in (("cl", "cl_on_map"), ("air", "air_markers")):
            key = f"{side}_{what}"
            given[key] = (getattr(setup, key) + getattr(setup, f"{key}_at_hand"), most)
    for key, (count, number) in given.items():
        limit = int(card.number(number))
        need(count <= limit, say("{n} is too many; at most {most}", n=count, most=limit), key)


def outcome(fight: stated.BautzenFight) -> Outcome:
    """Sum up the outcome."""
    setup = fight.case.setup
    gone = not alive(stated.in_hex(fight.defenders))
    return Outcome(
        result=fight.result,
        attacker_steps_lost=_lost(setup.attackers, fight.attackers),
        defender_steps_lost=_lost(setup.defenders, fight.defenders),
        attacker_eliminated=not stated.loss_takers(fight, "attacker"),
        defender_eliminated=gone and not stated.only_columns(fight.defenders),
        vacated=stated.vacated(fight),
        taken=bool(fight.advanced),
        attacker_spent=fight.spent[0],
        defender_spent=fight.spent[1],
        details=(f"retreat {fight.retreat}",) if fight.retreat and not gone else (),
    )


def _lost(before: Sequence[stated.TrimmedCounter], after: Sequence[stated.TrimmedCounter]) -> int:
    """Count the steps lost by units; logistic columns have none."""
    was, is_ = ([u for u in units if u.kind != "cl"] for units in (before, after))
    return steps_lost(was, is_)


def remains(setup: stated.Attack, fight: stated.BautzenFight) -> Setup:
    """8.5.2b: a defender remembers that he has retreated in this combat segment."""

    def worn(unit: stated.Counter, at_end: stated.TrimmedCounter) -> stated.Counter:
        return replace(unit, steps=at_end.steps, retreated=at_end.retreated)

    return with_survivors(setup, fight, worn)


PROCEDURES = (
    Procedure(
        id="attack",
        setup=stated.Attack,
        start=beginning(stated.BautzenPreparation),
        steps=(
            commitments,
            totals,
            column,
            Trim(stated.trim, partial(moved, table="combat")),
            Glance(result, ("column", "die_modifier", "columns_alone")),
            columns_alone,
            attacker_losses,
            defender_answers,
            advance,
        ),
        outcome=outcome,
        check=check,
        remains=remains,
        outset=outset,
        least=least,
        carried=carried,
    ),
)
