"""Marks in the log of a match: the lines that another reading of an option would change.

Rules mark what they tell by a reading of their own. What an order leads to may hang on options in
other ways too: through zones of control, stacking, sight, or because only one reading allows it.
So each order is carried out again under every other choice of the options that the rules look at
on the map; the first line that differs has the mark. Nothing of this is done while a match is only
played; it is worked out for the entries of the log that somebody reads, once for each order.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from types import MappingProxyType
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Reading
from grognard.fights.play import Play, checked_answer
from grognard.maps.board import Board
from grognard.matches.deployment import carried_out
from grognard.matches.field import Field
from grognard.matches.match import Match, Reply, run_on
from grognard.matches.orders import PhaseOrders
from grognard.matches.protocol import END, Order, Roles, order_words
from grognard.matches.watched_options import looked_at, watched
from grognard.rules.ask import Answer, Ask, Choose
from grognard.rules.fight import Fight
from grognard.rules.line import Line
from grognard.words.refusal import Refusal

Marks = Mapping[int, tuple[Reading, ...]]  # by the number of the entry
NO_MARKS: Marks = MappingProxyType({})
Entry = Line | Roles | Ask


def match_marks(match: Match, since: int = 0) -> Marks:
    """Give the readings that decide the entries of a log, from an entry on."""
    found: dict[int, tuple[Reading, ...]] = {
        n: _parted(match.field, entry.reading)
        for n, entry in enumerate(match.log)
        if n >= since and isinstance(entry, Line) and entry.reading.doubtful
    }
    if match not in _KNOWN:
        _KNOWN[match] = _Readings(match.field)
    for n, until, course in _orders(match):
        if until > since:
            for place, reading in _KNOWN[match].decided(match.log[n:until], course):
                told = {one.option for at in range(n, n + place + 1) for one in found.get(at, ())}
                if reading.option not in told:
                    found[n + place] = (*found.get(n + place, ()), reading)
    return found


def _parted(field: Field, reading: Reading) -> tuple[Reading, ...]:
    """Give the readings that a line joins, each with its own reason."""
    options = (reading.option or "").split(", ")
    return tuple(map(field.doubt, options)) if len(options) > 1 else (reading,)


def _orders(match: Match) -> Iterator[tuple[int, int, int]]:
    """Give where each order stands in a log, where the next one does, and a number that tells the
    course of the match until then: that of all answers."""
    begins, course = None, 0
    for n, entry in enumerate(match.log):
        if isinstance(entry, Reply):
            if isinstance(entry.ask, Order):
                if begins is not None:
                    yield begins, n, course
                begins = n
            course = hash((course, entry.answer))
    if begins is not None:
        yield begins, len(match.log), course


class _Readings:
    """The same battle under other choices of its options."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._watched = watched(field)
        self._always = looked_at(self._watched)
        self._decided: dict[int, tuple[tuple[int, Reading], ...]] = {}

    def decided(
        self, part: list[Line | Reply | Roles], course: int
    ) -> tuple[tuple[int, Reading], ...]:
        """Look up which entries of an order's part of the log are decided by a reading."""
        key, order = hash((course, len(part))), part[0]
        if key not in self._decided and isinstance(order, Reply):
            self._decided[key] = tuple(self.of(order, part))
        return self._decided[key]

    def of(self, order: Reply, part: list[Line | Reply | Roles]) -> Iterator[tuple[int, Reading]]:
        """Find the entries of an order's part of the log that another choice would change: lines,
        or the order itself where another reading forbids it or no line follows."""
        given = [entry.answer for entry in part[1:] if isinstance(entry, Reply)]
        course = _course(self._watched, order, given)
        if course is None:
            return
        lines = [n for n, entry in enumerate(part) if isinstance(entry, Line)]
        deciding = self._always | looked_at(self._watched)
        for option in self._field.card.options:
            for choice in option.choices if option.id in deciding else ():
                if choice.id == self._field.options[option.id]:
                    continue
                other = _course(self._field.under(option.id, choice.id), order, given)
                differs = _first_difference(course, other)
                if differs is not None:
                    later = [n for n in lines if n > differs] if other is not None else [0]
                    yield (later or lines[-1:] or [0])[0], self._field.doubt(option.id)


_KNOWN: WeakKeyDictionary[Match, _Readings] = WeakKeyDictionary()  # of the matches that are read


def _first_difference(ours: list[Entry], theirs: list[Entry] | None) -> int | None:
    """Give the place where two courses part; 0 if the other reading forbids the order."""
    if theirs is None:
        return 0
    pairs = zip(ours, theirs, strict=False)
    parted = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
    if parted is None and len(ours) != len(theirs):
        return min(len(ours), len(theirs))
    return parted


def _course(field: Field, order: Reply, given: list[Answer]) -> list[Entry] | None:
    """Carry an order out with the same answers, as far as they fit; None if it is not legal."""
    if not isinstance(order.ask, Order) or not isinstance(order.ask.orders, PhaseOrders):
        return None
    orders, words = copy(order.ask.orders), order_words(order.answer)
    if words == END:
        return None
    orders.field = field
    course: list[Entry] = []
    answers = iter(given)

    def note(told: Line | Board | Roles) -> None:
        if not isinstance(told, Board):
            course.append(_plain(told))

    try:
        orders.check(words)
        playing = carried_out(field, order.ask, words)
        sent: Answer | Play | None = None
        while (said := run_on(playing, sent, note)) is not None:
            sent = _fought(said, answers, course) if isinstance(said, Fight) else None
            if isinstance(said, Ask):
                course.append(_plain(said))
                sent = _fitting(said, answers)
            if sent is None:
                break
        playing.close()
    except Refusal:
        return course or None
    return course


def _fought(fight: Fight, answers: Iterator[Answer], course: list[Entry]) -> Play | None:
    """Resolve a fight with the answers that fit; None if they end before it."""
    play, told = Play(fight), 0
    while True:
        course += [_plain(entry.line) for entry in play.told[told:]]
        told = len(play.told)
        if play.asking is None:
            return play
        course.append(_plain(play.asking))
        answer = _fitting(play.asking, answers)
        if answer is None:
            return None
        play.answer(answer)


def _fitting(ask: Ask, answers: Iterator[Answer]) -> Answer | None:
    """Give the next answer, if it is legal here."""
    answer = next(answers, None)
    try:
        return None if answer is None else checked_answer(ask, answer)
    except Refusal:
        return None


def _plain(entry: Entry) -> Entry:
    """Give a line without its reading, and a question without what only serves its odds."""
    if isinstance(entry, Line):
        return replace(entry, reading=CERTAIN)
    return replace(entry, alike=()) if isinstance(entry, Choose) else entry
