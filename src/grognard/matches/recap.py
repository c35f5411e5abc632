"""The recap of an automatic side's turn, for the person who plays against it."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import dropwhile, takewhile
from typing import NamedTuple

from grognard.maps.board import Board
from grognard.maps.labels import Labels
from grognard.matches.deployment import PHASE as DEPLOYMENT
from grognard.matches.history import Event, history, opened
from grognard.matches.match import Match, Reply
from grognard.matches.protocol import END, Order, order_words
from grognard.matches.sight import hidden_from, hidden_on, shown_board, unnamed, with_backs
from grognard.rules.line import EXPLAINS, Line
from grognard.words.message import say
from grognard.words.refusal import Refusal


def recap_due(match: Match, autos: Collection[str]) -> bool:
    """Tell whether a person's turn begins after an order of an automatic side: he is asked for an
    order, or for what comes before it."""
    replies = (entry for entry in reversed(match.log) if isinstance(entry, Reply))
    last = next((reply for reply in replies if isinstance(reply.ask, Order)), None)
    if match.asking is None or last is None or last.side not in autos:
        return False
    if isinstance(last.ask, Order) and last.ask.phase == DEPLOYMENT:
        return False
    if isinstance(match.asking, Order):
        return match.asking.side not in autos
    return order_words(last.answer) == END and match.roles.attacker not in autos


def recap_events(match: Match, autos: Collection[str], since: int = 0) -> list[Event]:
    """Give the last turn of automatic sides: their events since a person's order before it, as far
    as there is anything to see; not those that ended before an entry of the log."""

    def of_persons(event: Event) -> bool:
        return event.order is None or event.side not in autos

    def not_of_persons(event: Event) -> bool:
        return event.order is None or event.side in autos

    latest = takewhile(not_of_persons, dropwhile(of_persons, reversed(history(match))))
    return [
        event
        for event in reversed(list(latest))
        if event.side in autos
        and event.until > since
        and event.phase != DEPLOYMENT
        and is_shown(match, event)
    ]


class Reader(NamedTuple):
    """Who reads a recap: whose deeds it tells, as whom, and from which entry of the log on."""

    others: Collection[str]  # the automatic sides; for a seat of a match apart, all other sides
    seat: str | None = None
    since: int = 0


def seat_reader(match: Match, seat: str, looked: int) -> Reader:
    """Make the reader of a seat who last looked when the match had some number of answers."""
    others = [side.id for side in match.field.scenario.sides if side.id != seat]
    given = [n for n, entry in enumerate(match.log) if isinstance(entry, Reply)]
    since = given[looked] if looked < len(given) else len(match.log)
    return Reader(others, seat, since if looked else 0)


def is_shown(match: Match, event: Event) -> bool:
    """Tell whether there is anything to see in an event: the mere end of a phase has nothing."""
    if event.order not in (None, END) or event.shifts or event.losses or event.fights:
        return True
    return bool(told(match, event))


def told(match: Match, event: Event) -> list[Line]:
    """Give the lines of an event that tell what happened, outside its fights."""
    fought = {n for one in event.fights for n in range(one.first, one.first + len(one.play.log))}
    return [
        entry
        for n, entry in enumerate(match.log[event.first : event.until], event.first)
        if isinstance(entry, Line) and entry.kind not in EXPLAINS and n not in fought
    ]


def hidden_in(match: Match, event: Event, side: str | None) -> frozenset[str]:
    """Name the counters of an event that a side may not look at: now, before it or after it."""
    if side is None:
        return frozenset()
    boards = {id(board): board for board in (event.before, event.after)}
    return hidden_from(match, side).union(
        *(hidden_on(match.field, board, side) for board in boards.values())
    )


class QuietNames:
    """What stands in the place of the names of hidden counters, entry by entry of a log: they are
    named only in events in which they came into the open."""

    def __init__(self, match: Match, hidden: frozenset[str]) -> None:
        self._match, self._hidden = match, hidden
        self._events = history(match) if hidden else ()
        self._known: dict[int, Labels] = {}

    def at(self, n: int) -> Labels:
        """Give the labels for an entry of the log."""
        place = bisect_right(self._events, n, key=lambda event: event.first) - 1
        if place < 0:
            return unnamed(self._hidden)
        if place not in self._known:
            self._known[place] = unnamed(self._hidden - opened(self._match, self._events[place]))
        return self._known[place]


def shown_events(match: Match) -> list[Event]:
    """Give the events of a match in which there is anything to see: its steps."""
    return [event for event in history(match) if is_shown(match, event)]


def seen_boards(match: Match, events: Sequence[Event], side: str | None) -> list[Board]:
    """Give the boards before the first of some events and after each, as a side sees them."""
    if not events:
        return [shown_board(match, side)]
    first = with_backs(events[0].before, hidden_in(match, events[0], side))
    return [first, *(with_backs(one.after, hidden_in(match, one, side)) for one in events)]


def step_boards(match: Match, side: str | None) -> list[Board]:
    """Give the boards of a whole match before its first step and after each, as a side sees them;
    the last one is that of the present."""
    return [*seen_boards(match, shown_events(match), side)[:-1], shown_board(match, side)]


def step_number(word: str, last: int) -> int:
    """Read the number of a step; refuse what is none."""
    if not (word.isascii() and word.isdigit() and len(word) < 7 and int(word) <= last):
        raise Refusal(say("there is no step {word}; expected 0 to {last}", word=word, last=last))
    return int(word)
