"""The briefing before a match: sides, goals, turns, and what is special."""

from collections import Counter
from collections.abc import Collection

from grognard.draw.json.scenario import SeatJson, seats_json
from grognard.draw.json.structs import JsonStruct, joined
from grognard.maps.board import Board
from grognard.matches.field import Field
from grognard.words.message import say
from grognard.words.text import Lang


class ArrivalJson(JsonStruct):
    """How many units may arrive on a turn."""

    turn: int
    units: int


class BriefedSideJson(SeatJson):
    """A side: how many units it begins with, and how many may arrive later."""

    units: int
    arrivals: list[ArrivalJson]


class GoalJson(JsonStruct):
    """A condition of victory, a hex that is worth points to its holder at the end, or points that a
    side has from the start."""

    text: str
    hex: str | None
    points: int | None
    holder: str | None


class ChosenOptionJson(JsonStruct):
    """An option of the rules that is not played in its usual way."""

    id: str
    text: str
    choice: str
    rule: str | None


class BriefingAnswer(JsonStruct):
    """What both sides should know before the first turn."""

    about: str
    text: str  # empty if the scenario has none
    turns: int
    sides: list[BriefedSideJson]
    goals: list[GoalJson]
    victory: str  # what decides
    special: list[ChosenOptionJson]


def briefing_json(field: Field, autos: Collection[str], lang: Lang) -> BriefingAnswer:
    """Brief the sides of a match before its first turn."""
    scenario, board = field.scenario, field.scenario.board()
    conditions = field.verdict(board).conditions
    by_points = say("At the end, whoever has more points wins.")
    by_conditions = say("These conditions decide at the end.")
    return BriefingAnswer(
        about=scenario.about.in_(lang),
        text=scenario.briefing.in_(lang),
        turns=scenario.turns,
        sides=[_side(field, seat) for seat in seats_json(scenario, autos, lang)],
        goals=[
            GoalJson(text=one.text.in_(lang), hex=None, points=None, holder=None)
            for one in conditions
        ]
        or points_json(field, board, lang),
        victory=(by_conditions if conditions else by_points).in_(lang),
        special=_special(field, lang),
    )


def points_json(field: Field, board: Board, lang: Lang) -> list[GoalJson]:
    """Give the hexes that are worth points, with their holders on a board, and the points that a
    side has from the start."""
    return [*_objectives(field, board, lang), *_handicaps(field, lang)]


def _side(field: Field, seat: SeatJson) -> BriefedSideJson:
    own = [force for force in field.scenario.forces if force.side == seat.id]
    later = Counter(force.arrives for force in own if force.arrives)
    return joined(
        BriefedSideJson,
        seat,
        units=sum(not force.arrives for force in own),
        arrivals=[ArrivalJson(turn=turn, units=later[turn]) for turn in sorted(later)],
    )


def _objectives(field: Field, board: Board, lang: Lang) -> list[GoalJson]:
    return [
        GoalJson(
            text=one.text.in_(lang),
            hex=one.hex,
            points=one.points,
            holder=board.holders.get(board.map.hex(one.hex)),
        )
        for one in field.scenario.objectives
    ]


def _handicaps(field: Field, lang: Lang) -> list[GoalJson]:
    text = say("from the start, so that equal players have even chances").in_(lang)
    return [
        GoalJson(text=text, hex=None, points=points, holder=side)
        for side, points in field.scenario.handicap.items()
    ]


def _special(field: Field, lang: Lang) -> list[ChosenOptionJson]:
    """Name the options that are not played as the card reads them by default."""
    found = []
    for option in field.card.options:
        chosen = field.options[option.id]
        if chosen != option.default:
            choice = next(one.text.in_(lang) for one in option.choices if one.id == chosen)
            found.append(
                joined(ChosenOptionJson, option, text=option.text.in_(lang), choice=choice)
            )
    return found
