"""Matches that are being played. Every change is stored before anybody is told of it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic

from anyio import to_thread

from grognard.draw.json.match import last_order
from grognard.fights.play import checked_answer
from grognard.fights.record import plain
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board
from grognard.maps.scenario import Scenario
from grognard.matches.match import Match
from grognard.matches.seats import Seats, awaited, plays_itself, together
from grognard.matches.sight import shown_board, viewer
from grognard.matches.store import Kept, New, Stale, Standing, Store
from grognard.rules.ask import Answer, Commit, Roll
from grognard.web.matches.automatic_players import Bots, Players, rolled
from grognard.web.matches.match_cache import Copies, Copy, check_light_replay
from grognard.web.matches.match_room import MatchRoom
from grognard.web.server_config import Limits
from grognard.words.message import say
from grognard.words.refusal import Refusal

MOST = 32  # matches in memory


def standing(match: Match) -> Standing:
    """Sum a match up for lists."""
    order = last_order(match)
    over = match.asking is None
    return Standing(order.turn if order else 1, over, match.verdict().winner if over else None)


class Live:
    """The matches of a store, with their automatic players."""

    def __init__(self, store: Store, players: Players | None = None) -> None:
        self.store = store
        self.players = players  # None in a worker: the server lets them play
        self._woken: dict[str, None] = {}
        self.room = MatchRoom(store, Limits())
        self._copies = Copies(store, MOST)
        self._bots = Bots()

    @asynccontextmanager
    async def running(self, _app: object) -> AsyncIterator[None]:
        """Run the automatic players until the application ends, then close the store."""
        self.store.open()
        with self.store:
            if self.players is not None:
                self.players.start()
            for kept in self.store.matches():
                if kept.autos and not kept.standing.over:
                    self.wake(kept.id)
            yield
            await to_thread.run_sync(self.halt)

    def halt(self) -> None:
        """Stop the automatic players."""
        if self.players is not None:
            self.players.stop()

    def listed(self) -> Iterator[tuple[Kept, Scenario | None]]:
        """Give the matches with their scenarios; None for one that does not exist any more."""
        known = scenarios.ids()
        for kept in self.store.matches():
            yield kept, scenarios.own(kept.scenario) if kept.scenario in known else None

    def keep(self, new: New) -> Kept:
        """Keep a new match."""
        self.room.check(new.autos, new=True)
        kept = self.store.keep(new)
        if kept.autos:
            self.room.note(kept.id)
            self.wake(kept.id)
        return kept

    @contextmanager
    def seen(self, id_: str) -> Iterator["Seen"]:
        """Open a match for one request; others wait."""
        with self._copies.seen(id_) as copy:
            yield Seen(self.store, copy)
            if plays_itself(copy.match, copy.seats):
                self.wake(id_)

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

    def warm(self, id_: str) -> None:
        """Have a match ready; refuse one that is not there."""
        with self._copies.seen(id_):
            pass

    def play_on(self, id_: str, seconds: float) -> bool:
        """Answer for the automatic sides of a match for a while; tell whether there is more to do.

        A match that had to be replayed is played on for as long as that took, so that many matches
        that take turns are not only replayed.
        """
        begun = monotonic()
        with self._copies.seen(id_) as copy:
            ready = monotonic()
            until = ready + max(seconds, ready - begun)
            seen = Seen(self.store, copy)
            while plays_itself(copy.match, copy.seats):
                if monotonic() > until:
                    return True
                seen.give(copy.kept.version, self._bots.answer(copy))
        return False


class Seen:
    """A match that one request looks at or changes; nobody else does meanwhile."""

    def __init__(self, store: Store, copy: Copy) -> None:
        self._store, self._copy = store, copy

    @property
    def match(self) -> Match:
        return self._copy.match

    @property
    def kept(self) -> Kept:
        return self._copy.kept

    @property
    def seats(self) -> Seats:
        return self._copy.seats

    @property
    def board(self) -> Board:
        """The board as the person who plays sees it."""
        return shown_board(self.match, viewer(self.match, self.kept.autos))

    # -------------------------------------------------------------- what persons do

    def answer(self, version: int, answer: Answer) -> None:
        """Answer the open question."""
        self._for_persons(version)
        if isinstance(self.match.asking, Commit) and any(self.seats):
            raise Refusal(say("each side commits for itself here"))
        self._answered(answer)

    def roll(self, version: int) -> None:
        """Roll the requested dice."""
        self._for_persons(version)
        if not isinstance(self.match.asking, Roll):
            raise Refusal(say("no roll is asked for now"))
        self._answered(rolled(self.match.asking))

    def commit(self, version: int, side: str, option: Answer) -> None:
        """Take a side's half of a secret commitment.

        The other side may have given its own since the version: that changes nothing here.
        """
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
            self._answered(both)

    def undo(self, version: int) -> None:
        """Take the last answer back."""
        self._fresh(version)
        check_light_replay(len(self.match.answers))
        self.match.undo(self.kept.autos)
        self._copy.ahead = True
        self._copy.keep(self._store.undo(self.kept.id, version, standing(self.match)))

    # -------------------------------------------------------------- storing

    def give(self, version: int, answer: Answer) -> None:
        """Answer for a side that plays itself."""
        self._fresh(version)
        self._answered(answer)

    def _for_persons(self, version: int) -> None:
        self._fresh(version)
        if plays_itself(self.match, self.seats):
            raise Refusal(say("this is answered by the side that plays itself"))

    def _fresh(self, version: int) -> None:
        if version != self.kept.version:
            raise Stale

    def _answered(self, answer: Answer) -> None:
        """Answer, and store the answer."""
        self.match.answer(answer)
        self._copy.ahead = True
        at, answers = standing(self.match), [plain(answer)]
        self._copy.keep(self._store.append(self.kept.id, self.kept.version, answers, at))
