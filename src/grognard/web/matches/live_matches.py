"""The matches of a server that are being played, and their automatic players."""

import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from time import monotonic

from anyio import CancelScope, to_thread
from starlette.requests import HTTPConnection

from grognard.maps import scenario as scenarios
from grognard.maps.scenario import Scenario
from grognard.matches.seats import TABLE, WATCH, to_answer
from grognard.matches.storage.rows import (
    Damaged,
    Kept,
    New,
    NotYours,
    Unknown,
    Unusable,
)
from grognard.matches.storage.seats import Holder, Place, SeatTables, own_place
from grognard.matches.storage.store import Store
from grognard.web.matches.access import holder_of
from grognard.web.matches.automatic_players import Bots, Players
from grognard.web.matches.known_facts import KnownFacts
from grognard.web.matches.match_cache import Copies, Copy
from grognard.web.matches.match_room import MatchRoom
from grognard.web.matches.presence import Presence
from grognard.web.matches.seen_match import Beside, Seen
from grognard.web.matches.watcher import Watcher
from grognard.web.matches.webhook import TellTurn, nobody
from grognard.web.server_config import Limits
from grognard.web.visitors import VISITOR
from grognard.words.message import say
from grognard.words.refusal import Refusal

LOG = logging.getLogger(__name__)
MOST = 1000  # matches in memory, if they are small


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
        self.beside = Beside(store, self.links, Presence())
        self.open_to_strangers = open_  # then each browser sees only its own matches
        self._tell_turn = tell_turn if players is not None else self._turns.append
        self._copies = Copies(store, MOST)
        self._bots = Bots()
        # Matches that are known to be apart, as they stay; and links whose seats are held.
        self._apart = KnownFacts[str](MOST)
        self._come = KnownFacts[str](MOST)

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

    def damaged(self, request: HTTPConnection) -> list[Damaged]:
        """Say what is wrong with the damaged matches of who asks; nothing on an open server."""
        found = [] if self.open_to_strangers else self.store.damaged()
        own = self.links.all_held_by(holder_of(request)) if found else []
        return [one for one in found if one.id in own or not self.links.linked(one.id)]

    def seat(self, id_: str, holder: Holder) -> str | None:
        """Give the seat from which somebody sees a match: a side, `WATCH`, or None at one table.

        A match that he has no seat in is refused like one that does not exist. Every address of a
        match comes here, by `seen` or `seated`.
        """
        held = self.links.held_by(holder, id_)
        if held is not None and holder.link is not None:
            self._note_program(holder.link)
        if held is not None and id_ in self._apart:
            return held
        try:
            kept = self.store.get(id_)
        except Damaged:
            if held is None and (self.open_to_strangers or self.links.linked(id_)):
                raise Unknown(id_) from None
            raise
        if held is None and (kept.apart or self.open_to_strangers):
            raise Unknown(id_)
        if kept.apart:
            self._apart.add(id_)
        return held if kept.apart else None

    def seated(self, request: HTTPConnection) -> Place | None:
        """Give the seat of who asks for a match; None at one table."""
        id_ = str(request.path_params["id"])
        seat = self.seat(id_, holder_of(request))
        return None if seat is None else Place(id_, seat)

    def stamp(self, request: HTTPConnection) -> str:
        """Give what changes whenever a match may look otherwise to who asks; nothing for a request
        that is not about a match."""
        if "id" not in request.path_params:
            return ""
        place, kept = self.seated(request), self.store.get(str(request.path_params["id"]))
        look = self.links.last_look(own_place(place, holder_of(request))) if place else 0
        return f"{place and place.seat} {kept.version} {kept.news} {look}"

    def _note_program(self, link: str) -> None:
        """Note that a program uses a link, if only to look: the seat is held as by a browser."""
        if link not in self._come:
            with suppress(Unusable):  # a full disk: it may look all the same
                place = self.links.come(link)
                if place is not None:
                    self.store.tell(place.match)
                self._come.add(link)

    @contextmanager
    def seen(self, request: HTTPConnection) -> Iterator[Seen]:
        """Open the match of a request's address, as who asks may see it; others wait."""
        id_, holder = str(request.path_params["id"]), holder_of(request)
        with self.opened(id_, self.seat(id_, holder), holder) as seen:
            yield seen

    @contextmanager
    def opened(
        self,
        id_: str,
        seat: str | None,
        holder: Holder = Holder(),  # noqa: B008  # immutable
    ) -> Iterator[Seen]:
        """Open a match from a seat that was checked before."""
        with self._copies.seen(id_) as copy, self._telling_turns(copy):
            seen = Seen(self.beside, copy, seat, holder)
            yield seen
            if seen.plays_itself:
                self.wake(id_)

    @contextmanager
    def _telling_turns(self, copy: Copy) -> Iterator[None]:
        """Tell the sides whose turn it becomes meanwhile, where persons play apart; also when what
        was done is then shown by a worker, or what follows is refused."""
        before = to_answer(copy.match, copy.seats)
        try:
            yield
        finally:
            if copy.kept.apart and not copy.ahead:
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
                seat: self.links.new_link(Place(kept.id, seat), "seat" if seat == WATCH else "sent")
                for seat in (seats if kept.apart else ())
            }
            if holder is not None and not kept.apart:
                self.links.hold(holder, Place(kept.id, TABLE))
        self.room.note([kept.id], VISITOR.get())
        if kept.autos:
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
            seen = Seen(self.beside, copy, None)
            while seen.plays_itself:
                if monotonic() > until:
                    return True
                seen.give(copy.kept.version, self._bots.answer(copy))
        return False
