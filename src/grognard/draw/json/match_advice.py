"""Advice as JSON: the plan of a phase, and what the enemy could do."""

from collections.abc import Sequence

from grognard.draw.json.match_preview import asked_order
from grognard.draw.json.odds import FightSummaryJson, summary_json
from grognard.draw.json.structs import JsonStruct
from grognard.draw.text.match_advice import (
    chance_label,
    column_label,
    expected_words,
    reason_words,
    routine_of,
    routine_words,
)
from grognard.maps.board import Map
from grognard.matches.history import history
from grognard.matches.match import Match
from grognard.matches.protocol import Order, Words
from grognard.players.advice import Advice, Danger, advice, dangers, kept_advice
from grognard.words.text import Lang


class PlannedMoveJson(JsonStruct):
    """A move of a plan."""

    order: list[str]
    unit: str
    start: str
    to: str


class RoutineJson(JsonStruct):
    """An order that needs no plan, such as an arrival."""

    order: list[str]
    text: str


class EnemyMoveJson(JsonStruct):
    """Where a unit of the enemy would stand for an attack."""

    unit: str
    to: str


class DangerJson(JsonStruct):
    """An attack that the enemy could make after his next move."""

    hex: str
    units: list[str]
    moves: list[EnemyMoveJson]
    column: str  # of the table, and the one that the odds assume; empty where none decides
    chance: str  # that the hex is taken, or else cleared; empty if it can't be
    text: str
    summary: FightSummaryJson


class PlannedAttackJson(JsonStruct):
    """An attack of a plan, its chances, and why."""

    order: list[str]
    target: str
    units: list[str]
    now: bool  # whether it can be ordered in this phase
    starts: list[str]  # the hexes from which its units attack
    column: str  # of the table, and the one that the odds assume; empty where none decides
    chance: str  # that the hex is taken, or else cleared; empty if it can't be
    text: str
    leaves_open: DangerJson | None  # the enemy's best reply to hexes that its units hold or left
    summary: FightSummaryJson


class DangersAnswer(JsonStruct):
    """The best attacks that the enemy could make, the worst first."""

    dangers: list[DangerJson]


class AdviceAnswer(DangersAnswer):
    """The plan of a phase, and what the enemy could do after it."""

    first: RoutineJson | None  # an order to give before all others
    moves: list[PlannedMoveJson]
    attacks: list[PlannedAttackJson]


def advice_json(match: Match, lang: Lang) -> AdviceAnswer:
    """Plan the phase for the side that is asked for an order."""
    ask = asked_order(match)
    return _advice_json(match, ask, advice(match.field, ask), lang)


def kept_advice_json(match: Match, orders: Sequence[Words], lang: Lang) -> AdviceAnswer:
    """Give what is left of a plan that the side follows."""
    ask = asked_order(match)
    found = kept_advice(match.field, ask, [one for one in orders if one not in _given(match, ask)])
    verbs = {order[0] for order in ask.orders.kinds()}
    left = (one for one in found.attacks if one.now or one.order[0] not in verbs)
    return _advice_json(match, ask, found._replace(attacks=tuple(left)), lang)


def _given(match: Match, ask: Order) -> set[Words]:
    """Give the orders that a side has carried out in this turn."""
    now = ask.turn, ask.side
    return {one.order for one in history(match) if one.order and (one.turn, one.side) == now}


def _advice_json(match: Match, ask: Order, found: Advice, lang: Lang) -> AdviceAnswer:
    field, sheet = match.field, match.board.map
    first = routine_of(field, ask)
    return AdviceAnswer(
        first=RoutineJson(order=list(first), text=routine_words(first, field.card, lang))
        if first
        else None,
        moves=[
            PlannedMoveJson(
                order=list(one.order),
                unit=one.unit,
                start=sheet.number(one.start),
                to=sheet.number(one.to),
            )
            for one in found.moves
        ],
        attacks=[
            PlannedAttackJson(
                order=list(one.order),
                target=sheet.number(one.target),
                units=list(one.units),
                now=one.now,
                starts=[sheet.number(hex_) for hex_ in one.starts],
                column=column_label(one.fight, lang),
                chance=chance_label(one.fight, lang),
                text=reason_words(one, sheet, lang),
                leaves_open=_danger_json(one.leaves_open, sheet, lang) if one.leaves_open else None,
                summary=summary_json(one.fight.odds()),
            )
            for one in found.attacks
        ],
        dangers=[_danger_json(one, sheet, lang) for one in found.dangers],
    )


def dangers_json(match: Match, lang: Lang) -> DangersAnswer:
    """Give what the enemy could do if the side that is asked ended its phase now."""
    found, sheet = dangers(match.field, asked_order(match)), match.board.map
    return DangersAnswer(dangers=[_danger_json(one, sheet, lang) for one in found])


def _danger_json(one: Danger, sheet: Map, lang: Lang) -> DangerJson:
    return DangerJson(
        hex=sheet.number(one.hex),
        units=list(one.units),
        moves=[EnemyMoveJson(unit=name, to=sheet.number(hex_)) for name, hex_ in one.placed],
        column=column_label(one.fight, lang),
        chance=chance_label(one.fight, lang),
        text=expected_words(one.fight, lang),
        summary=summary_json(one.fight.odds()),
    )
