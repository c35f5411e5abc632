"""A match as JSON: how it stands."""

from collections.abc import Iterable, Mapping

from grognard.card.card import Card
from grognard.card.rows import Value
from grognard.draw.json.fight import ResolvedJson, StatedFightJson, resolved_json, stated_fight_json
from grognard.draw.json.match_question import (
    BEST,
    NOBODY,
    Doctrines,
    MatchAskJson,
    asking_json,
)
from grognard.draw.json.scenario import (
    NamedScenarioJson,
    ScoredSeatJson,
    named_scenario,
    seats_json,
)
from grognard.draw.json.structs import Joined, JsonStruct, joined
from grognard.draw.json.unnamed import without_names
from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.text.match import verdict_words
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.labels import labels_of
from grognard.matches.field import Field
from grognard.matches.match import NOT_YOURS, Match, Reply
from grognard.matches.protocol import Order, Verdict
from grognard.matches.seats import Seats
from grognard.matches.sight import hidden_from, shown_board, unnamed, viewer
from grognard.matches.storage.rows import HALF_STANDS
from grognard.words.message import Message
from grognard.words.text import Lang


class PhaseJson(JsonStruct):
    """A phase of a turn."""

    id: str
    text: str


class RolesJson(JsonStruct):
    """Which side attacks and which defends in the open question."""

    attacker: str
    defender: str


class StateJson(JsonStruct):
    """A state of a unit; a brief one ends with the phase or the turn."""

    id: str
    text: str
    brief: bool


class PieceJson(JsonStruct, rename={"unit_class": "class"}):
    """A counter: its place, its steps, its states and the numbers on its face."""

    name: str
    label: str  # what readers see in the place of the name
    side: str
    hex: str | None
    steps: int
    full: int
    alive: bool
    states: list[StateJson]
    kind: str
    unit_class: str
    size: str
    formation: str
    nation: str
    move: int
    face: Mapping[str, Value]
    arrives: int
    entry: list[str]


class ObjectiveJson(JsonStruct):
    """A hex that counts for victory, and the side that holds it."""

    hex: str
    points: int
    text: str
    holder: str | None


class StoreJson(JsonStruct):
    """Something that a side has beside the map, and how much of it is left."""

    id: str
    text: str
    left: int


class PossibleJson(JsonStruct):
    """Whether something is possible, and the reason if it is not."""

    possible: bool
    reason: str | None


class VerdictJson(JsonStruct):
    """How a match ended."""

    winner: str | None
    points: Mapping[str, int]
    text: str


class ConditionJson(JsonStruct):
    """A condition of victory: whether it holds now, and why."""

    text: str
    holds: bool
    why: str


class MatchFightJson(StatedFightJson, ResolvedJson, metaclass=Joined):
    """The fight that is being resolved."""


class MatchJson(JsonStruct):
    """How a match stands."""

    scenario: NamedScenarioJson
    options: Mapping[str, str]
    sides: list[ScoredSeatJson]
    turn: int
    phase: PhaseJson | None
    side: str  # whose turn it is
    roles: RolesJson
    asking: MatchAskJson  # None when the match is over
    fight: MatchFightJson | None
    pieces: list[PieceJson]
    objectives: list[ObjectiveJson]
    conditions: list[ConditionJson]  # of victory, if not the points decide
    holders: dict[str, str]  # hex -> side
    pools: Mapping[str, int]
    stores: list[StoreJson]
    undo: PossibleJson
    verdict: VerdictJson | None


def match_json(
    match: Match, lang: Lang, seats: Seats = NOBODY, doctrines: Doctrines = BEST
) -> MatchJson:
    """Describe how a match stands."""
    field, side = match.field, viewer(match, seats.autos, seats.seat)
    board, quiet = shown_board(match, side), unnamed(hidden_from(match, side))
    standing = field.verdict(match.board)
    order = last_order(match)
    return MatchJson(
        scenario=named_scenario(field.scenario, field.card, lang),
        options=field.options,
        sides=[
            joined(ScoredSeatJson, seat, points=standing.points[seat.id])
            for seat in seats_json(field.scenario, seats.autos, lang)
        ],
        # Between two orders: those of the last one.
        turn=order.turn if order else 1,
        phase=PhaseJson(id=order.phase, text=field.card.phrase(order.phase).in_(lang))
        if order
        else None,
        side=order.side if order else match.roles.attacker,
        roles=joined(RolesJson, match.roles),
        asking=asking_json(match, lang, seats, doctrines),
        fight=_present_fight(match, lang),
        pieces=_pieces_json(field, board, lang),
        objectives=[
            joined(
                ObjectiveJson,
                objective,
                text=objective.text.in_(lang),
                holder=board.holders.get(board.map.hex(objective.hex)),
            )
            for objective in field.scenario.objectives
        ],
        conditions=without_names(conditions_json(standing, lang), quiet),
        holders=_holders_json(board),
        pools=board.pools,
        stores=_stores(board, field.card, lang),
        undo=possible_json(undo_problem(match, seats), lang),
        verdict=None if match.asking else verdict_json(field, match.verdict(), lang),
    )


def undo_problem(match: Match, seats: Seats) -> Message | None:
    """Say why the reader may not take the last answer back, or ask for it; None: he may."""
    if seats.given:
        return HALF_STANDS
    last = match.replies[-1:]
    if seats.seat is not None and last and last[0].side not in (seats.seat, None):
        return NOT_YOURS
    return match.undo_problem(seats.autos)


class PositionAnswer(JsonStruct):
    """The counters after a step of a match; 0 is the beginning."""

    step: int
    steps: int
    pieces: list[PieceJson]
    holders: dict[str, str]  # hex -> side


def position_json(field: Field, board: Board, step: int, steps: int, lang: Lang) -> PositionAnswer:
    """Describe a board of a match."""
    return PositionAnswer(
        step=step,
        steps=steps,
        pieces=_pieces_json(field, board, lang),
        holders=_holders_json(board),
    )


def _pieces_json(field: Field, board: Board, lang: Lang) -> list[PieceJson]:
    full = {unit.name: unit.steps or len(unit.faces) for unit in field.scenario.forces}
    labels = dict(labels_of([field.scenario], lang))
    return [
        _piece_json(board, piece, full, labels.get(piece.name, piece.name), lang)
        for piece in board.pieces
    ]


def _holders_json(board: Board) -> dict[str, str]:
    return {board.map.number(hex_): side for hex_, side in board.holders.items()}


def possible_json(problem: Message | None, lang: Lang) -> PossibleJson:
    """Say that something is possible, or the problem."""
    return PossibleJson(possible=problem is None, reason=problem.in_(lang) if problem else None)


def _stores(board: Board, card: Card, lang: Lang) -> list[StoreJson]:
    """Give what sides have beside the map, where the card has a name for it."""
    return [
        StoreJson(id=id_, text=card.phrases[f"pool-{id_}"].in_(lang), left=left)
        for id_, left in board.pools.items()
        if f"pool-{id_}" in card.phrases
    ]


def _present_fight(match: Match, lang: Lang) -> MatchFightJson | None:
    play = match.play
    if play is None:
        return None
    return joined(MatchFightJson, stated_fight_json(play.start, lang), resolved_json(play, lang))


def _piece_json(
    board: Board, piece: Piece, full: Mapping[str, int], label: str, lang: Lang
) -> PieceJson:
    return joined(
        PieceJson,
        piece,
        label=label,
        hex=hex_number(board, piece.at),
        full=full.get(piece.name, piece.steps),
        states=[_state_json(state, lang) for state in sorted(piece.states)],
        entry=hex_numbers(board, piece.entry),
    )


def _state_json(state: str, lang: Lang) -> StateJson:
    brief = svg_symbols.brief(state)
    text = svg_symbols.ACTED.in_(lang) if brief else svg_symbols.state_name(state, lang)
    return StateJson(id=state, text=text, brief=brief)


def verdict_json(field: Field, verdict: Verdict, lang: Lang) -> VerdictJson:
    """Describe how a match ended."""
    words = verdict_words(field, verdict).in_(lang)
    return VerdictJson(winner=verdict.winner, points=dict(verdict.points), text=words)


def conditions_json(verdict: Verdict, lang: Lang) -> list[ConditionJson]:
    """Say which conditions of victory hold now, and why."""
    return [
        ConditionJson(text=one.text.in_(lang), holds=one.holds, why=one.why.in_(lang))
        for one in verdict.conditions
    ]


def last_order(match: Match) -> Order | None:
    """Give the order that is asked for, or was last."""
    if isinstance(match.asking, Order):
        return match.asking
    asks = (entry.ask for entry in reversed(match.log) if isinstance(entry, Reply))
    return next((ask for ask in asks if isinstance(ask, Order)), None)


def hex_number(board: Board, at: Hex | None) -> str | None:
    """Give the number of a hex; None for a unit that is not on the map."""
    return None if at is None else board.map.number(at)


def hex_numbers(board: Board, hexes: Iterable[Hex]) -> list[str]:
    """Give the numbers of hexes."""
    return [board.map.number(hex_) for hex_ in hexes]
