"""Headings and folds of a log: whose turn and phase it was, and which entries are of one fight."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from grognard.draw.json.structs import JsonStruct
from grognard.draw.text.story import fight_text
from grognard.matches.history import Event, history
from grognard.matches.match import Match
from grognard.matches.protocol import Roles
from grognard.words.message import say
from grognard.words.text import Lang


class HeadingJson(JsonStruct):
    """The heading above an entry of the log."""

    n: int  # of the entry below it
    turn: int | None  # None between the turns of two sides
    side: str
    phase: str | None
    text: str
    same: bool  # whether only the phase is another one


class FoldJson(JsonStruct):
    """The entries of one fight."""

    first: int
    until: int
    over: bool
    text: str  # how it ended


class SectionsJson(JsonStruct):
    """The headings of a log from an entry on, and its fights."""

    headings: list[HeadingJson]
    fights: list[FoldJson]


def sections_json(match: Match, lang: Lang, since: int = 0) -> SectionsJson:
    """Divide a log by turns, phases and fights."""
    events = history(match)
    ended = bisect_right(events, since, key=lambda event: event.until)  # before that entry
    around = [events[ended - 1] if ended else None, *events[ended:]]
    headings = [one for one in _headings(match, around, lang) if one.n >= since]
    fights = [
        FoldJson(
            first=one.first,
            until=one.first + len(one.play.log),
            over=one.play.asking is None,
            text=fight_text(one.play, lang),
        )
        for one in match.fights
        if one.first + len(one.play.log) > since and one.play.log
    ]
    return SectionsJson(headings=headings, fights=fights)


def _headings(match: Match, events: Sequence[Event | None], lang: Lang) -> Iterator[HeadingJson]:
    """Give the headings of events, except the first one, which stands before them."""
    for before, event in pairwise(events):
        if event is None or (before and _place(before) == _place(event)):
            continue
        entries = range(event.first, event.until)
        n = next((n for n in entries if not isinstance(match.log[n], Roles)), None)
        if n is None:
            continue
        side = match.field.player(event.side).name
        phase = match.field.card.phrase(event.phase) if event.phase else None
        words = (
            say("Turn {turn}, {side}, {phase}", turn=event.turn, side=side, phase=phase)
            if phase
            else say("{side}, before the turn", side=side)
        )
        same = bool(before and before.phase and _place(before)[:2] == _place(event)[:2])
        yield HeadingJson(
            n=n,
            turn=event.turn if phase else None,
            side=event.side,
            phase=phase.in_(lang) if phase else None,
            text=phase.in_(lang) if same and phase else words.in_(lang),
            same=same,
        )


def _place(event: Event) -> tuple[int, str, str]:
    return (event.turn if event.phase else 0), event.side, event.phase
