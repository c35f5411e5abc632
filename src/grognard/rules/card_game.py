"""Procedures made from a card alone: the stages put together as its rows say."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.procedures import ProcedureRow
from grognard.card.rows import SIDES, Side
from grognard.rules.card_types import setup_type
from grognard.rules.fight import Case, Outcome, Setup, Unit, alive, units_of
from grognard.rules.losses import steps_lost
from grognard.rules.procedure import Procedure, Trim, beginning, with_survivors
from grognard.rules.setup_checks import terrain_known, units_named_once
from grognard.rules.stages.column import column, find_place
from grognard.rules.stages.effects import consequences
from grognard.rules.stages.foresight import settled, shaken
from grognard.rules.stages.retreat import advance, thrown_back, vacated
from grognard.rules.stages.state import (
    CardFight,
    CardPreparation,
    Fighter,
    Needs,
    TrimmedSetup,
    needs,
    row_of,
)
from grognard.rules.stages.strength import (
    called,
    chosen_table,
    counted_sides,
    fight_facts,
    ratings,
    side_strength,
    strength,
    unharmed,
)
from grognard.rules.stages.table import result
from grognard.words.message import say
from grognard.words.refusal import Refusal


def procedures(card: Card) -> tuple[Procedure, ...]:
    """Make the procedures that a card describes."""
    return tuple(_procedure(card, row) for row in card.procedures)


def _procedure(card: Card, row: ProcedureRow) -> Procedure:
    def check(setup: Any, card: Card, options: Mapping[str, str]) -> None:  # noqa: ANN401  # made from the card
        # The numbers may be traced ones (see arrays), of which nothing may be kept.
        _check(Case(card, options, setup, made, traced=True))

    made = Procedure(
        id=row.id,
        setup=setup_type(card, row),
        start=beginning(CardPreparation),
        steps=(
            strength,
            ratings,
            column,
            called,
            Trim(trim, moved),
            result,
            consequences,
            advance,
        ),
        outcome=outcome,
        check=check,
        settled=settled,
        remains=_remains,
        weight=24,  # its steps run once for each effect, unit and check
    )
    return made


_FOUGHT_OVER = ("hex", "way", "marker", "hexside")  # terrain that may be stated of a fight


def _check(case: Case[Any]) -> None:
    """Refuse what the card does not allow: a name twice, unknown terrain, no place on the table."""
    setup: Setup = case.setup
    units_named_once(*(units_of(case.setup, side) for side in SIDES))
    for fact in case.card.facts:
        if fact.kind == "set" and not fact.values and fact.of != "unit":
            terrain_known(case.card, getattr(setup, fact.id), fact.id, _FOUGHT_OVER)
    facts = fight_facts(case)
    table = chosen_table(case, facts)
    if table is None:
        raise Refusal(say("no table of the procedure fits what is stated"))
    totals = dict.fromkeys(SIDES, Fraction(0))
    for side in counted_sides(case, table):
        totals[side] = side_strength(case, side, table.id, facts)[0].value
    place = find_place(case, table, totals["attacker"], totals["defender"])
    if place.refused is not None:
        raise Refusal(place.refused)


def _remains(setup: Setup, fight: CardFight) -> Setup:
    """Keep the states that units are in; one that has retreated is not attacked again."""
    states = [state.id for state in fight.case.card.states]

    def worn(unit: Unit, at_end: Fighter) -> Unit | None:
        now = {state: state in at_end.states for state in states}
        return None if at_end.left else replace(unit, steps=at_end.steps, **now)

    return with_survivors(setup, fight, worn)


# ------------------------------------------------------------------ trimming


def trim(fight: CardPreparation) -> CardFight:
    """Keep the place on the table, and of the units what the results of the card look at."""
    setup, wants = fight.case.setup, needs(fight.case.card)
    ours, theirs = (tuple(_fighters(fight, side, wants)) for side in SIDES)
    rooms = {
        name: getattr(setup, name) for name in ("attacker_room", "defender_room") if wants.retreat
    }
    stated = TrimmedSetup(attackers=ours, defenders=theirs, **rooms)
    return CardFight(
        case=fight.case.restated(stated),
        attackers=ours,
        defenders=theirs,
        table=fight.table,
        column=fight.column,
        die_modifier=fight.die_modifier,
        defender_die=fight.defender_die,
        automatic=fight.automatic,
        called=fight.called,
    )


def _fighters(fight: CardPreparation, side: Side, wants: Needs) -> Iterator[Fighter]:
    row, place = row_of(fight.case), SIDES.index(side)
    facts = fight_facts(fight.case) if row.unharmed else {}
    for number, unit in enumerate(units_of(fight, side)):
        kept: dict[str, Any] = {"states": _states(fight.case.card, unit)}
        if wants.exchange:
            kept["printed"] = getattr(unit, row.attack if side == "attacker" else row.defence)
            kept["counted"] = fight.counted[place][number]
        if wants.check:
            kept["ratings"] = fight.ratings[place][number]
        kept["unharmed"] = unharmed(fight.case, side, facts, unit)
        yield Fighter(name=unit.name, steps=unit.steps, full=unit.steps, **kept)


def _states(card: Card, unit: Unit) -> tuple[str, ...]:
    return tuple(sorted(state.id for state in card.states if getattr(unit, state.id)))


def moved(fight: CardFight, columns: int, die: int) -> CardFight:
    """Shift a fight on its table; an automatic result is nowhere on it."""
    if fight.automatic:
        return fight
    column = fight.case.card.table(fight.table).within(fight.column + columns)
    return replace(fight, column=column, die_modifier=fight.die_modifier + die)


# ------------------------------------------------------------------ outcome


def outcome(fight: CardFight) -> Outcome:
    """Sum up the outcome."""
    setup = fight.case.setup
    ours, theirs = fight.retreated
    gone = vacated(fight)
    return Outcome(
        result=fight.result,
        attacker_steps_lost=steps_lost(setup.attackers, fight.attackers),
        defender_steps_lost=steps_lost(setup.defenders, fight.defenders),
        attacker_eliminated=not alive(fight.attackers),
        defender_eliminated=not alive(fight.defenders),
        vacated=gone,
        taken=fight.advanced[0],
        attacker_left=thrown_back(fight),
        defender_advanced=fight.advanced[1],
        attacker_shaken=_shaken(fight, "attacker"),
        defender_shaken=_shaken(fight, "defender"),
        details=(
            *((f"retreat {theirs}",) if theirs and alive(fight.defenders) else ()),
            *((f"attacker-retreat {ours}",) if ours and alive(fight.attackers) else ()),
        ),
    )


def _shaken(fight: CardFight, side: Side) -> int:
    """Weigh the states that units have got in the fight."""
    return sum(shaken(fight.case, side, unit) for unit in alive(units_of(fight, side)))
