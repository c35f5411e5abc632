"""Matches that are being played. Every change is stored before anybody is told of it."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

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
from grognard.matches.storage.dice import Revealing
from grognard.matches.storage.rows import Kept, New, Source, Stale, Standing
from grognard.matches.storage.store import Store
from grognard.rules.ask import Answer, Commit, Roll
from grognard.web.matches.automatic_players import Players, rolled
from grognard.web.matches.fair_rolls import FairRolls
from grognard.web.matches.match_cache import Copies, Copy
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

    def __init__(self, store: Store) -> None:
        self.store = store
        self._copies = Copies(store, MOST)
        self._players = Players(store, self._give)

    @asynccontextmanager
    async def running(self, _app: object) -> AsyncIterator[None]:
        """Run the automatic players until the application ends, then close the store."""
        self.store.open()
        with self.store:
            self._players.start()
            for kept in self.store.matches():
                if kept.autos and not kept.standing.over:
                    self._players.wake(kept.id)
            yield
            await to_thread.run_sync(self.halt)

    def halt(self) -> None:
        """Stop the automatic players after their present answer."""
        self._players.stop()

    def listed(self) -> Iterator[tuple[Kept, Scenario | None]]:
        """Give the matches with their scenarios; None for one that does not exist any more."""
        known = scenarios.ids()
        for kept in self.store.matches():
            yield kept, scenarios.own(kept.scenario) if kept.scenario in known else None

    def keep(self, new: New) -> Kept:
        """Keep a new match."""
        kept = self.store.keep(new)
        if kept.autos:
            self._players.wake(kept.id)
        return kept

    @contextmanager
    def seen(self, id_: str) -> Iterator["Seen"]:
        """Open a match for one request; others wait."""
        with self._copies.seen(id_) as copy:
            seen = Seen(self.store, copy)
            yield seen
            if seen.plays_itself:
                self._players.wake(id_)

    def _give(self, id_: str, version: int, answer: Answer) -> None:
        with self.seen(id_) as seen:
            seen.give(version, answer)


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

    @property
    def sources(self) -> Sequence[Source]:
        """Where each answer comes from."""
        return self._copy.sources

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
        self._for_persons(version)
        if isinstance(self.match.asking, Commit) and any(self.seats):
            raise Refusal(say("each side commits for itself here"))
        if self.rolls_fairly:
            raise Refusal(say("the dice of this match are made by both sides, and never typed"))
        self._answered(answer, "typed" if isinstance(self.match.asking, Roll) else "person")

    def roll(self, version: int) -> None:
        """Roll the requested dice; fair ones, where the server answers for both sides."""
        self._for_persons(version)
        if not isinstance(self.match.asking, Roll):
            raise Refusal(say("no roll is asked for now"))
        if self.rolls_fairly:
            with self._store.database.transaction(write=True):
                self.fair.tap()
                self._roll_fairly()
            return
        self._answered(rolled(self.match.asking), "rolled")

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
            self._answered(both, "person")

    def undo(self, version: int) -> None:
        """Take the last answer back."""
        self._fresh(version)
        self.match.undo(self.kept.autos)
        self._copy.ahead = True
        self._copy.sources.pop()
        self._copy.keep(self._store.undo(self.kept.id, version, standing(self.match)))

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
        self.match.answer(answer)
        self._copy.ahead = True
        self._copy.sources.append(source)
        at, answers = standing(self.match), [plain(answer)]
        kept = self._store.append(self.kept.id, self.kept.version, answers, at, source)
        self._copy.keep(kept)
