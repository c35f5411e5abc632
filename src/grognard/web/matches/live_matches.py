"""Matches that are being played. Every change is stored before anybody is told of it."""

import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from time import monotonic

from anyio import CancelScope, to_thread
from starlette.requests import HTTPConnection

from grognard.draw.json.match import last_order, undo_problem
from grognard.fights.play import checked_answer
from grognard.fights.record import plain
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board
from grognard.maps.scenario import Scenario
from grognard.matches.match import Match
from grognard.matches.recap import Reader, seat_reader
from grognard.matches.seats import TABLE, WATCH, Seats, awaited, plays_itself, to_answer, together
from grognard.matches.sight import shown_board, viewer
from grognard.matches.storage.dice import Revealing
from grognard.matches.storage.rows import (
    Damaged,
    Kept,
    New,
    NotYours,
    Source,
    Stale,
    Standing,
    Unknown,
)
from grognard.matches.storage.seats import Holder, Place, SeatTables
from grognard.matches.storage.store import Store
from grognard.rules.ask import Answer, Commit, Roll
from grognard.web.matches.access import holder_of
from grognard.web.matches.automatic_players import Bots, Players, rolled
from grognard.web.matches.fair_rolls import FairRolls
from grognard.web.matches.match_cache import Copies, Copy, check_light_replay
from grognard.web.matches.match_room import MatchRoom
from grognard.web.matches.presence import Presence
from grognard.web.matches.watcher import Watcher
from grognard.web.matches.webhook import TellTurn, nobody
from grognard.web.server_config import Limits
from grognard.words.message import say
from grognard.words.refusal import Refusal

LOG = logging.getLogger(__name__)
MOST = 1000  # matches in memory, if they are small


def standing(match: Match) -> Standing:
    """Sum a match up for lists."""
    order = last_order(match)
    over = match.asking is None
    return Standing(order.turn if order else 1, over, match.verdict().winner if over else None)


class Live:
    """The matches of a store, with their automatic players."""

    def __init__(
        self,
        store: Store,
        players: Players | None = None,
        *,
        open_: bool = False,
        tell_turn: TellTurn = nobody,
    ) -> None:
        self.store = store
        self.players = players  # None in a worker: the server lets them play
        self._woken: dict[str, None] = {}
        self._turns: list[Place] = []
        self.room = MatchRoom(store, Limits())
        self.watcher = Watcher(store)
        self.links = SeatTables(store.database)
        self.presence = Presence()
        self.open_to_strangers = open_  # then each browser sees only its own matches
        self._tell_turn = tell_turn if players is not None else self._turns.append
        self._copies = Copies(store, MOST)
        self._bots = Bots()

    @asynccontextmanager
    async def running(self, _app: object) -> AsyncIterator[None]:
        """Run the automatic players until the application ends, then close the store."""
        self.store.open()
        with self.store:
            for damage in self.store.damaged():
                LOG.warning("%s", damage)
            if self.players is not None:
                self.players.start()
            for kept in self.store.matches():
                if kept.autos and not kept.standing.over:
                    self.wake(kept.id)
            yield
            with CancelScope(shield=True):
                await to_thread.run_sync(self.halt)

    def halt(self) -> None:
        """Stop the automatic players."""
        if self.players is not None:
            self.players.stop()

    # -------------------------------------------------------------- who may see what

    def listed(self, request: HTTPConnection) -> Iterator[tuple[Kept, Scenario | None]]:
        """Give the matches of who asks, with their scenarios; None for a scenario that does not
        exist any more. At one table on a local server, all matches are everybody's."""
        known = scenarios.ids()
        own = self.links.all_held_by(holder_of(request))
        for kept in self._held(own) if self.open_to_strangers else self.store.matches():
            if kept.id in own or not kept.apart:
                yield kept, scenarios.own(kept.scenario) if kept.scenario in known else None

    def _held(self, ids: Iterable[str]) -> list[Kept]:
        """Give some matches, the one that changed last first; not those that are damaged."""
        found = []
        for id_ in ids:
            with suppress(Damaged):
                found.append(self.store.get(id_))
        return sorted(found, key=lambda kept: kept.changed, reverse=True)

    def seat(self, id_: str, holder: Holder) -> str | None:
        """Give the seat from which somebody sees a match: a side, `WATCH`, or None at one table.

        A match that he has no seat in is refused like one that does not exist. Every address of a
        match comes here, by `seen` or `seated`.
        """
        held = self.links.held_by(holder, id_)
        try:
            kept = self.store.get(id_)
        except Damaged:
            if held is None and (self.open_to_strangers or self.links.linked(id_)):
                raise Unknown(id_) from None
            raise
        if held is None and (kept.apart or self.open_to_strangers):
            raise Unknown(id_)
        return held if kept.apart else None

    def seated(self, request: HTTPConnection) -> Place | None:
        """Give the seat of who asks for a match; None at one table."""
        id_ = str(request.path_params["id"])
        seat = self.seat(id_, holder_of(request))
        return None if seat is None else Place(id_, seat)

    @contextmanager
    def seen(self, request: HTTPConnection) -> Iterator["Seen"]:
        """Open the match of a request's address, as who asks may see it; others wait."""
        id_ = str(request.path_params["id"])
        with self.opened(id_, self.seat(id_, holder_of(request))) as seen:
            yield seen

    @contextmanager
    def opened(self, id_: str, seat: str | None) -> Iterator["Seen"]:
        """Open a match from a seat that was checked before."""
        with self._copies.seen(id_) as copy, self._telling_turns(copy):
            seen = Seen(self, copy, seat)
            yield seen
            if seen.plays_itself:
                self.wake(id_)

    @contextmanager
    def _telling_turns(self, copy: Copy) -> Iterator[None]:
        """Tell the sides whose turn it becomes meanwhile, where persons play apart."""
        before = to_answer(copy.match, copy.seats)
        yield
        if copy.kept.apart:
            for side in to_answer(copy.match, copy.seats) - before - set(copy.kept.autos):
                self._tell_turn(Place(copy.kept.id, side))

    # -------------------------------------------------------------- beginning

    def keep(self, new: New, holder: str | None) -> tuple[Kept, dict[str, str]]:
        """Keep a new match, and give the secrets of its links, for this once.

        On an open server a match at one table belongs to the browser that began it.
        """
        self.room.check(new.autos, new=True)
        with self.store.database.transaction(write=True):
            kept = self.store.keep(new)
            sides = [side.id for side in scenarios.own(kept.scenario).sides]
            seats = [*(side for side in sides if side not in kept.autos), WATCH]
            secrets = {
                seat: self.links.new_link(Place(kept.id, seat))
                for seat in (seats if kept.apart else ())
            }
            if holder is not None and not kept.apart:
                self.links.hold(holder, Place(kept.id, TABLE))
        if kept.autos:
            self.room.note(kept.id)
            self.wake(kept.id)
        return kept, secrets

    def delete(self, request: HTTPConnection) -> str:
        """Delete a match, also one that can't be played on. Apart, only when it is over, or when
        nobody sits on the other side."""
        id_, holder = str(request.path_params["id"]), holder_of(request)
        try:
            seat = self.seat(id_, holder)
            over = self.store.get(id_).standing.over
        except Damaged:
            seat, over = self.links.held_by(holder, id_), True
        if seat == WATCH:
            raise NotYours
        others = self.links.held(id_) - {seat, WATCH, TABLE}
        if seat is not None and not over and others:
            raise Refusal(
                say(
                    "the other side plays this match; it can be deleted when it is over, or when "
                    "the other side has given its seat up"
                )
            )
        self.store.delete(id_)
        return id_

    # -------------------------------------------------------------- automatic players

    def wake(self, id_: str) -> None:
        """Let a match be played by its automatic sides; in a worker, note that it should be."""
        if self.players is None:
            self._woken[id_] = None
        else:
            self.players.wake(id_)

    def take_woken(self) -> tuple[str, ...]:
        """Give the matches that should be played, once."""
        woken, self._woken = tuple(self._woken), {}
        return woken

    def take_turns(self) -> tuple[Place, ...]:
        """Give the seats whose turn it has become in a worker, once."""
        turns = tuple(self._turns)
        self._turns.clear()
        return turns

    def play_on(self, id_: str, seconds: float) -> bool:
        """Answer for the automatic sides of a match for a while; tell whether there is more to do.

        A match that had to be replayed is played on for as long as that took, so that many matches
        that take turns are not only replayed.
        """
        begun = monotonic()
        with self._copies.seen(id_) as copy, self._telling_turns(copy):
            ready = monotonic()
            until = ready + max(seconds, ready - begun)
            seen = Seen(self, copy, None)
            while seen.plays_itself:
                if monotonic() > until:
                    return True
                seen.give(copy.kept.version, self._bots.answer(copy))
        return False


class Seen:
    """A match that one request looks at or changes; nobody else does meanwhile."""

    def __init__(self, live: Live, copy: Copy, seat: str | None) -> None:
        self.live, self._store, self._copy = live, live.store, copy
        self.seat = seat  # of who asks: a side, `WATCH`, or None at one table

    @property
    def match(self) -> Match:
        return self._copy.match

    @property
    def kept(self) -> Kept:
        return self._copy.kept

    @property
    def seats(self) -> Seats:
        return self._copy.seats._replace(seat=self.seat)

    @property
    def viewer(self) -> str | None:
        """Who looks: a side, `WATCH`, or None if everything is open."""
        return viewer(self.match, self.kept.autos, self.seat)

    @property
    def board(self) -> Board:
        """The board as the person who plays sees it."""
        return shown_board(self.match, self.viewer)

    @property
    def reader(self) -> Reader:
        """The reader of a recap: what others did since he gave an order, or looked."""
        if self.seat is None:
            return Reader(self.kept.autos)
        looked = self.live.links.last_look(Place(self.kept.id, self.seat))
        return seat_reader(self.match, self.seat, looked)

    @property
    def to_move(self) -> bool:
        """Whether the match waits for who looks."""
        waits = to_answer(self.match, self.seats) - set(self.kept.autos)
        return bool(waits) if self.seat is None else self.seat in waits

    def only(self, side: str | None) -> None:
        """Refuse what only a side may do, unless who asks holds it."""
        if side is None or not self.seats.mine(side):
            raise NotYours

    def only_players(self) -> None:
        """Refuse what only players may do to those who watch."""
        if self.seat == WATCH:
            raise NotYours

    @property
    def plays_itself(self) -> bool:
        """Whether automatic sides alone answer now; for fair dice a person may have to reveal."""
        if not plays_itself(self.match, self.seats):
            return False
        return not self.rolls_fairly or self.fair.ready

    # -------------------------------------------------------------- fair dice

    @property
    def rolls_fairly(self) -> bool:
        """Whether dice are asked for that both sides make."""
        return self.kept.apart and isinstance(self.match.asking, Roll)

    @property
    def fair(self) -> FairRolls:
        return FairRolls(self._store, self.kept, self.match)

    def reveal(self, given: Revealing) -> None:
        """Take a side's link for the open roll; the last one makes the dice."""
        with self._store.database.transaction(write=True):
            self.fair.reveal(given)
            self._roll_fairly()

    def _roll_fairly(self) -> None:
        """Make the dice of the open roll, if all links are there; within a transaction."""
        if self.rolls_fairly and (made := self.fair.made()) is not None:
            self._answered(made, "fair")

    # -------------------------------------------------------------- what persons do

    def answer(self, version: int, answer: Answer) -> None:
        """Answer the open question."""
        self.only_players()
        self._for_persons(version)
        ask = self.match.asking
        if isinstance(ask, Commit) and any(self.seats):
            raise Refusal(say("each side commits for itself here"))
        if self.rolls_fairly:
            raise Refusal(say("the dice of this match are made by both sides, and never typed"))
        if self.seat is not None and ask is not None:
            self.only(self.match.asked)
        self._answered(answer, "typed" if isinstance(ask, Roll) else "person")

    def roll(self, version: int) -> None:
        """Roll the requested dice; fair ones, where the server answers for both sides."""
        self.only_players()
        self._for_persons(version)
        ask = self.match.asking
        if not isinstance(ask, Roll):
            raise Refusal(say("no roll is asked for now"))
        if self.seat is not None:
            self.only(next(iter(to_answer(self.match, self.seats))))
        if self.rolls_fairly:
            with self._store.database.transaction(write=True):
                self.fair.tap()
                self._roll_fairly()
            return
        self._answered(rolled(ask), "rolled")

    def commit(self, version: int, side: str, option: Answer) -> None:
        """Take a side's half of a secret commitment.

        The other side may have given its own since the version: that changes nothing here.
        """
        self.only(side)
        halves, ask = self._copy.halves, self.match.asking
        if not self.kept.version - len(halves) <= version <= self.kept.version:
            raise Stale
        if not isinstance(ask, Commit):
            raise Refusal(say("no secret commitment is asked for now"))
        if side not in awaited(self.match, halves) - set(self.kept.autos):
            raise Refusal(say("'{side}' has nothing to commit now", side=side), place="side")
        both = together(self.match, (ask.attacker[0], ask.defender[0]), {**halves, side: option})
        checked_answer(ask, both)
        if awaited(self.match, {**halves, side: option}):
            half = plain(option)
            kept = self._store.give_half(self.kept.id, self.kept.version, side, half)
            self._copy.keep(kept, {**halves, side: option})
        else:
            self._answered(both, "person")

    def change(self, name: str | None, autos: tuple[str, ...] | None, level: str | None) -> None:
        """Rename the match; let one's own side play itself or not, and choose its level."""
        self.only_players()
        before, after = set(self.kept.autos), set(self.kept.autos if autos is None else autos)
        for side in before ^ after:
            self.only(side)
        for side in (before | after) if level is not None else ():
            self.only(side)
        self._copy.keep(
            self._store.change(self.kept.id, name, autos, level), halves=self._copy.halves
        )

    # -------------------------------------------------------------- taking back

    def undo(self, version: int) -> None:
        """Take the last answer back; in a match apart, ask the other side for its consent."""
        self.only_players()
        self._fresh(version)
        self.match.field.refuse(undo_problem(self.match, self.seats))
        if self.seat is None or not self._others():
            self._take_back(version)
        else:
            self.only(self.match.replies[-1].side)
            self._copy.keep(self._store.ask_undo(self.kept.id, version, self.seat))

    def settle_undo(self, version: int, *, agreed: bool) -> None:
        """Agree that the other side takes its last answer back, or decline; or ask no more."""
        self.only_players()
        self._fresh(version)
        asks = self.kept.undo_asked
        if asks is None:
            raise Refusal(say("nobody asks to take an answer back"))
        if not agreed:
            self._copy.keep(self._store.ask_undo(self.kept.id, version, None))
        elif asks == self.seat:
            raise NotYours
        else:
            self._take_back(version)

    def _take_back(self, version: int) -> None:
        check_light_replay(len(self.match.answers))
        self.match.undo(self.kept.autos)
        self._copy.ahead = True
        self._copy.keep(self._store.undo(self.kept.id, version, standing(self.match)))

    def _others(self) -> list[str]:
        """Give the sides that other persons play."""
        return [side for side in self.sides if side not in (self.seat, *self.kept.autos)]

    @property
    def sides(self) -> list[str]:
        return [side.id for side in self.match.field.scenario.sides]

    # -------------------------------------------------------------- storing

    def give(self, version: int, answer: Answer) -> None:
        """Answer for a side that plays itself."""
        self._fresh(version)
        if self.rolls_fairly:
            with self._store.database.transaction(write=True):
                self._roll_fairly()
            return
        self._answered(answer, "rolled" if isinstance(self.match.asking, Roll) else "automatic")

    def _for_persons(self, version: int) -> None:
        self._fresh(version)
        if plays_itself(self.match, self.seats):
            raise Refusal(say("this is answered by the side that plays itself"))

    def _fresh(self, version: int) -> None:
        if version != self.kept.version:
            raise Stale

    def _answered(self, answer: Answer, source: Source) -> None:
        """Answer, and store the answer with its source."""
        self.match.answer(answer, source)
        self._copy.ahead = True
        at, answers = standing(self.match), [plain(answer)]
        kept = self._store.append(self.kept.id, self.kept.version, answers, at, source)
        self._copy.keep(kept)
