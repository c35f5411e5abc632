"""The events of a match as JSON: where counters went, who attacked whom, what was lost."""

from collections.abc import Iterable
from typing import Literal

from grognard.card.rows import SIDES, Side
from grognard.draw.json.structs import JsonStruct
from grognard.draw.text.story import event_text, fight_text, loss_text
from grognard.maps.board import Board
from grognard.maps.labels import labelled
from grognard.matches.history import Event, Loss, Shift, losses_between, ways
from grognard.matches.match import Fighting, Match
from grognard.matches.protocol import END
from grognard.matches.recap import Reader, hidden_in, recap_due, recap_events
from grognard.matches.sight import UNNAMED, unnamed, viewer
from grognard.rules.fight import units_of
from grognard.words.text import Lang

StepKind = Literal["move", "fight", "order", "end", "between"]


class MoveJson(JsonStruct):
    """A counter that went elsewhere, with its way as far as it is known."""

    unit: str  # "?" if it is hidden from the reader
    side: str
    path: list[str]  # hexes; one alone: it came onto the map or left it
    arrives: bool
    leaves: bool


class LossJson(JsonStruct):
    """Steps that a counter lost; a negative number: it got some back."""

    unit: str
    side: str
    steps: int
    eliminated: bool
    hex: str | None  # where it stood before; None: beside the map
    text: str


class StepFightJson(JsonStruct):
    """A fight of an event: whence and against which hex, and how it ended."""

    side: str  # that attacks
    hexes: list[str]
    target: str | None  # None: the defender has no place on the map
    outcome: str
    first: int  # of its entries in the log
    until: int


class StepJson(JsonStruct):
    """An event of a match: an order with all that came of it, or what happened between turns."""

    n: int
    turn: int
    side: str
    phase: str  # in words; empty between turns
    kind: StepKind
    text: str
    moves: list[MoveJson]
    fights: list[StepFightJson]
    losses: list[LossJson]
    first: int  # of its entries in the log
    until: int


class RecapAnswer(JsonStruct):
    """What the other side did since the reader last gave an order, or looked."""

    due: bool  # whether it is the reader's turn now
    side: str | None  # the side that did it; None: there is nothing to tell
    turn: int | None
    steps: list[StepJson]
    losses: list[LossJson]  # of all of it together


def recap_json(match: Match, reader: Reader, lang: Lang) -> RecapAnswer:
    """Sum up what others did since the reader's last order or look; hidden counters stay hidden."""
    events = recap_events(match, reader.others, reader.since)
    side = viewer(match, reader.others, reader.seat)
    hidden = frozenset[str]().union(*(hidden_in(match, event, side) for event in events))
    before, after = (events[0].before, events[-1].after) if events else (match.board, match.board)
    return RecapAnswer(
        due=recap_due(match, reader.others),
        side=events[-1].side if events else None,
        turn=events[-1].turn if events else None,
        steps=steps_json(match, events, reader, lang),
        losses=[
            loss_json(match, before, loss, hidden, lang) for loss in losses_between(before, after)
        ],
    )


def steps_json(match: Match, events: Iterable[Event], reader: Reader, lang: Lang) -> list[StepJson]:
    """Describe events as their reader may see them."""
    side = viewer(match, reader.others, reader.seat)
    return [_step(match, event, hidden_in(match, event, side), lang) for event in events]


def _step(match: Match, event: Event, hidden: frozenset[str], lang: Lang) -> StepJson:
    field, known = match.field, unnamed(hidden)
    moves = [_move(event.after, shift, hidden) for shift in ways(field, event)]
    return StepJson(
        n=event.number,
        turn=event.turn,
        side=event.side,
        phase=field.card.phrase(event.phase).in_(lang) if event.phase else "",
        kind=_kind(event),
        text=labelled(event_text(match, event, lang), known),
        moves=moves,
        fights=[_fight(event, one, known, lang) for one in event.fights],
        losses=[loss_json(match, event.before, loss, hidden, lang) for loss in event.losses],
        first=event.first,
        until=event.until,
    )


def _kind(event: Event) -> StepKind:
    if event.order is None:
        return "between"
    if event.order == END:
        return "end"
    if event.fights:
        return "fight"
    return "move" if event.shifts else "order"


def _move(board: Board, shift: Shift, hidden: frozenset[str]) -> MoveJson:
    return MoveJson(
        unit=UNNAMED if shift.unit in hidden else shift.unit,
        side=shift.side,
        path=[board.map.number(hex_) for hex_ in shift.path if hex_ is not None],
        arrives=shift.path[0] is None,
        leaves=shift.path[-1] is None,
    )


def loss_json(
    match: Match, before: Board, loss: Loss, hidden: frozenset[str], lang: Lang
) -> LossJson:
    """Describe what a counter lost since a board."""
    at = before.piece(loss.unit).at
    shown = loss._replace(unit=UNNAMED) if loss.unit in hidden else loss
    return LossJson(
        unit=shown.unit,
        side=shown.side,
        steps=shown.steps,
        eliminated=shown.eliminated,
        hex=before.map.number(at) if at else None,
        text=loss_text(shown, match.field.card, lang),
    )


def _fight(
    event: Event, one: Fighting, hidden: tuple[tuple[str, str], ...], lang: Lang
) -> StepFightJson:
    attackers, defenders = (_hexes(event.before, one, side) for side in SIDES)
    named = [word for word in (event.order or ())[1:2] if event.before.map.has(word)]
    return StepFightJson(
        side=one.roles.attacker,
        hexes=attackers,
        target=next(iter([*defenders, *named]), None),
        outcome=labelled(fight_text(one.play, lang), hidden),
        first=one.first,
        until=one.first + len(one.play.log),
    )


def _hexes(board: Board, one: Fighting, side: Side) -> list[str]:
    """Give the hexes in which the units of a side stood when the fight was ordered."""
    names = [unit.name for unit in units_of(one.play.start, side) if board.has(unit.name)]
    places = (board.piece(name).at for name in names)
    return list(dict.fromkeys(board.map.number(at) for at in places if at is not None))
