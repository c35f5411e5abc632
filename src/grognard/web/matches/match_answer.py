"""Matches as answers of the JSON interface: in the list, and whole with their log."""

import re

from msgspec import UNSET, UnsetType

from grognard.draw.json.log_sections import FoldJson, HeadingJson, sections_json
from grognard.draw.json.match import MatchJson, match_json
from grognard.draw.json.match_log import EntryJson, log_json
from grognard.draw.json.match_question import BEST, Doctrines
from grognard.draw.json.scenario import SeatJson, seats_json
from grognard.draw.json.structs import Joined, JsonStruct, joined
from grognard.maps.scenario import Scenario
from grognard.matches.match import Match
from grognard.matches.seats import WATCH, Seats, to_answer
from grognard.matches.storage.rows import Kept, Origin
from grognard.matches.storage.seats import Place
from grognard.players.levels import Level, known_level
from grognard.web.matches.seen_match import Seen
from grognard.web.matches.webhook import reference
from grognard.words.text import Lang

_MARK = re.compile(r"(\d{1,9})-(\d{1,9})")


class KeptMatchJson(JsonStruct):
    """A match in the store."""

    id: str
    name: str
    version: int
    created: str
    changed: str
    level: Level  # of the automatic player
    apart: bool  # whether each side plays by its secret link
    origin: Origin  # begun here, imported, or imported with dice that were checked


class ScenarioNameJson(JsonStruct):
    """The scenario of a match."""

    id: str
    name: str


class ListedMatchJson(KeptMatchJson, metaclass=Joined):
    """A match in the list of matches."""

    scenario: ScenarioNameJson
    game: str | None  # None: the scenario does not exist any more
    sides: list[SeatJson]
    turn: int
    turns: int | None
    over: bool
    winner: str | None


class LogJson(JsonStruct):
    """The log of a match, from a mark on."""

    whole: bool  # whether it begins at the beginning
    mark: str  # what a later request may give as `since`
    entries: list[EntryJson]
    headings: list[HeadingJson]  # above entries: turns and phases
    fights: list[FoldJson]  # which entries are of one fight


class SeatStateJson(JsonStruct):
    """A seat of a match apart."""

    id: str  # a side, or `watch`
    opened: bool  # whether somebody has taken it by its link
    here: bool  # whether a page of it is open now


class OwnSeatJson(JsonStruct):
    """The seat from which a match apart is looked at."""

    id: str  # a side, or `watch`
    reference: str  # by which notices of the server name the seat
    holders: int  # browsers and programs that hold it
    seats: list[SeatStateJson]
    undo_asked: str | None  # the side that asks for the other's consent


class MatchAnswer(KeptMatchJson, MatchJson, metaclass=Joined):
    """A match: how it stands as its reader sees it, and its log."""

    news: int  # rises with all that a page shows
    seat: OwnSeatJson | None  # None: at one table
    awaits: list[str]  # the sides for which the match waits
    log: LogJson


class BegunAnswer(MatchAnswer, metaclass=Joined):
    """A match that has begun; if it is played apart, with its links, which are told only here."""

    links: dict[str, str] | UnsetType = UNSET  # side or `watch` -> path


def listed_match(kept: Kept, scenario: Scenario | None, lang: Lang) -> ListedMatchJson:
    """Sum a match up; also one whose scenario does not exist any more."""
    name = scenario.name.in_(lang) if scenario else kept.scenario
    return joined(
        ListedMatchJson,
        kept,
        kept.standing,
        level=known_level(kept.level),
        scenario=ScenarioNameJson(id=kept.scenario, name=name),
        game=scenario.game if scenario else None,
        sides=seats_json(scenario, kept.autos, lang) if scenario else [],
        turns=scenario.turns if scenario else None,
    )


def match_answer(
    seen: Seen, lang: Lang, since: str | None = None, doctrines: Doctrines = BEST
) -> MatchAnswer:
    """Describe a match, with the log from a mark on."""
    stands = match_json(seen.match, lang, seen.seats, doctrines)
    return joined(
        MatchAnswer,
        seen.kept,
        stands,
        level=known_level(seen.kept.level),
        seat=_own_seat(seen),
        awaits=sorted(to_answer(seen.match, seen.seats)),
        log=_log(seen, lang, since),
    )


def _own_seat(seen: Seen) -> OwnSeatJson | None:
    if seen.seat is None:
        return None
    id_, beside = seen.kept.id, seen.beside
    own = Place(id_, seen.seat)
    taken, here = beside.links.held(id_), beside.presence.seats(id_)
    return OwnSeatJson(
        id=seen.seat,
        reference=reference(own),
        holders=beside.links.holders(own),
        seats=[
            SeatStateJson(id=seat, opened=seat in taken, here=seat in here)
            for seat in (*(side for side in seen.sides if side not in seen.kept.autos), WATCH)
        ],
        undo_asked=seen.kept.undo_asked,
    )


def _log(seen: Seen, lang: Lang, since: str | None) -> LogJson:
    """Give what is new since a mark; all of it if something was taken back since."""
    undone, told = seen.kept.undone, len(seen.match.log)
    given = _MARK.fullmatch(since or "")
    known = int(given[2]) if given and int(given[1]) == undone and int(given[2]) <= told else 0
    return _log_since(seen.match, seen.seats, lang, known, f"{undone}-{told}")


def whole_log(match: Match, seats: Seats, lang: Lang) -> LogJson:
    """Give all of a log."""
    return _log_since(match, seats, lang, 0, "")


def _log_since(match: Match, seats: Seats, lang: Lang, known: int, mark: str) -> LogJson:
    entries = log_json(match, lang, known, seats.autos, seats.seat)
    sections = sections_json(match, lang, known)
    return joined(LogJson, sections, whole=known == 0, mark=mark, entries=entries)
