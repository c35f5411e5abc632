"""The history of a match: its events by turn and side, each with the board before and after it.

An event is an order with all that came of it, or what happened between the turns of two sides
(arrivals, weather). Every entry of the log belongs to exactly one event.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, pairwise
from typing import NamedTuple

from msgspec import Struct

from grognard.card.rows import SIDES
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.match import Fighting, Match, Reply
from grognard.matches.protocol import END, Order, Roles, Words, order_words
from grognard.rules.ask import Answer, Choose
from grognard.rules.fight import units_of
from grognard.words.refusal import Refusal


class Shift(NamedTuple):
    """A counter that went elsewhere: its way, or its two ends; None is off the map."""

    unit: str
    side: str
    path: tuple[Hex | None, ...]


class Loss(NamedTuple):
    """Steps that a counter lost; fewer than none if it got some back."""

    unit: str
    side: str
    steps: int
    eliminated: bool


class Event(Struct, frozen=True, eq=False, dict=True):
    """An order with all that came of it, or what happened between two turns."""

    number: int
    first: int  # of its entries in the log
    until: int
    turn: int
    side: str
    phase: str  # empty between turns
    order: Words | None  # None between turns
    before: Board
    after: Board
    fights: tuple[Fighting, ...] = ()

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """The steps that counters lost in this event."""
        return losses_between(self.before, self.after)

    @cached_property
    def shifts(self) -> tuple[Shift, ...]:
        """The counters that are elsewhere after this event, without those that died in place."""
        return tuple(
            Shift(new.name, new.side, (old.at, new.at))
            for old, new in _pairs(self.before, self.after)
            if old.at != new.at and new.alive
        )


def losses_between(before: Board, after: Board) -> tuple[Loss, ...]:
    """Give the steps that counters lost between two boards of a match."""
    return tuple(
        Loss(old.name, old.side, old.steps - new.steps, not new.alive)
        for old, new in _pairs(before, after)
        if old.steps != new.steps
    )


def _pairs(before: Board, after: Board) -> Iterator[tuple[Piece, Piece]]:
    """Give each piece that has changed, as it was and as it is."""
    if before is after:
        return
    for old in before.pieces:
        new = after.piece(old.name)
        if new is not old:
            yield old, new


def opened(match: Match, event: Event) -> frozenset[str]:
    """Name the counters that an event has shown to both sides: those of its fights, and those that
    an attack or an answer about it names."""
    if not event.fights:
        return frozenset()
    words = set((event.order or ())[1:])
    for entry in match.log[event.first : event.until]:
        if isinstance(entry, Reply) and isinstance(entry.ask, Choose):
            words |= _words(entry.answer)
    for one in event.fights:
        words |= {unit.name for side in SIDES for unit in units_of(one.play.start, side)}
    return frozenset(words)


def _words(answer: Answer) -> set[str]:
    if isinstance(answer, tuple):
        return set[str]().union(*map(_words, answer))
    return {str(answer)}


def ways(field: Field, event: Event) -> tuple[Shift, ...]:
    """Give the shifts of an event; a plain move with every hex of its way."""
    order = event.order or ()
    if order[:1] != ("move",) or len(order) < 3:
        return event.shifts
    return tuple(
        shift._replace(path=_way(field, event, shift, order)) if shift.unit == order[1] else shift
        for shift in event.shifts
    )


def _way(field: Field, event: Event, shift: Shift, order: Words) -> tuple[Hex | None, ...]:
    try:
        found = field.route(event.before, event.before.piece(shift.unit), order[2:]).path
    except Refusal:  # an order of a game's own that is called a move too
        return shift.path
    return found if found[-1] == shift.path[-1] else shift.path


# ------------------------------------------------------------------ deriving it


class _Part(NamedTuple):
    """A part of the log that becomes an event."""

    first: int
    ask: Order | None
    order: Words | None
    side: str


def history(match: Match) -> tuple[Event, ...]:
    """Derive the events of a match from its log and its boards.

    The match keeps them. Further answers change only the last order and what came after it, so no
    more than that is derived again.
    """
    events = match.events
    if not events or events[-1].until < len(match.log):
        last = next((n for n in reversed(range(len(events))) if events[n].order), 0)
        match.events = (*events[:last], *_derived(match, events[:last]))
    return match.events


def _derived(match: Match, earlier: Sequence[Event]) -> Iterator[Event]:
    """Derive the events that follow earlier ones."""
    begin = earlier[-1].until if earlier else 0
    parts = list(_parts(match, begin))
    ends = [part.first for part in parts[1:]] + [len(match.log)]
    turns = _turns(parts, match.asking if isinstance(match.asking, Order) else None)
    # An order is given on the board of its question; what comes between turns has no question.
    starts = [part.ask.board if part.ask else match.board_at(part.first) for part in parts]
    starts.append(match.board)
    fights: dict[int, list[Fighting]] = {}
    for one in match.fights[bisect_left(match.fights, begin, key=lambda one: one.first) :]:
        fights.setdefault(bisect_right(parts, one.first, key=lambda p: p.first) - 1, []).append(one)
    for number, (part, until, turn) in enumerate(zip(parts, ends, turns, strict=True)):
        boards = (starts[number], starts[number + 1])
        phase = part.ask.phase if part.ask else ""
        placed = (len(earlier) + number, part.first, until, turn, part.side, phase, part.order)
        yield Event(*placed, *boards, tuple(fights.get(number, ())))


def _parts(match: Match, begin: int) -> Iterator[_Part]:
    """Cut the log at each order, and after the end of a phase where the other side begins; from
    the beginning or the first entry of an order on."""
    side, ended, empty = match.field.scenario.sides[0].id, True, True
    part = _Part(begin, None, None, side)
    for n, entry in enumerate(match.log[begin:], begin):
        if isinstance(entry, Roles):
            if ended and entry.attacker != side:
                if not empty:
                    yield part
                side, first = entry.attacker, part.first if empty else n
                part, empty = _Part(first, None, None, side), True
            continue
        if isinstance(entry, Reply) and isinstance(entry.ask, Order):
            if not empty:
                yield part
            words = order_words(entry.answer)
            first = part.first if empty else n
            part = _Part(first, entry.ask, words, entry.ask.side)
            side, ended = entry.ask.side, words == END
        empty = False
    if match.log:
        yield part


def _turns(parts: Sequence[_Part], asking: Order | None) -> list[int]:
    """Give the turn of each part: of what comes between, that of the next order, else the last."""
    asks = (part.ask for part in reversed(parts))
    order = asking or next((ask for ask in asks if ask), None)
    turn = order.turn if order else 1
    found = []
    for part in reversed(parts):
        turn = part.ask.turn if part.ask else turn
        found.append(turn)
    return found[::-1]


class SideTurn(NamedTuple):
    """The events of one side in a row, within a turn."""

    turn: int
    side: str
    events: tuple[Event, ...]


def side_turns(events: Sequence[Event]) -> list[SideTurn]:
    """Group events by turn and side."""
    return [
        SideTurn(turn, side, tuple(group))
        for (turn, side), group in groupby(events, key=lambda one: (one.turn, one.side))
    ]


def turn_ends(events: Sequence[Event]) -> list[tuple[int, Board]]:
    """Give the board at the end of each turn, before it the board at the beginning as turn 0."""
    if not events:
        return []
    ends = [(one.turn, one.after) for one, after in pairwise(events) if one.turn != after.turn]
    return [(0, events[0].before), *ends, (events[-1].turn, events[-1].after)]
