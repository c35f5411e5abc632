"""A match as one request sees it: what its seat may see, and what it may do."""

from typing import NamedTuple

from grognard.draw.json.match import last_order, undo_problem
from grognard.fights.play import checked_answer
from grognard.fights.record import plain
from grognard.maps.board import Board
from grognard.matches.match import Match
from grognard.matches.recap import Reader, seat_reader
from grognard.matches.seats import WATCH, Seats, awaited, plays_itself, to_answer, together
from grognard.matches.sight import shown_board, viewer
from grognard.matches.storage.dice import Revealing
from grognard.matches.storage.rows import (
    Kept,
    NotYours,
    Source,
    Stale,
    Standing,
)
from grognard.matches.storage.seats import Holder, Place, SeatTables, own_place
from grognard.matches.storage.store import Store
from grognard.rules.ask import Answer, Commit, Roll
from grognard.web.matches.automatic_players import rolled
from grognard.web.matches.fair_rolls import FairRolls
from grognard.web.matches.match_cache import Copy, check_light_replay
from grognard.web.matches.presence import Presence
from grognard.words.message import say
from grognard.words.refusal import Refusal


def standing(match: Match) -> Standing:
    """Sum a match up for lists."""
    order = last_order(match)
    over = match.asking is None
    return Standing(order.turn if order else 1, over, match.verdict().winner if over else None)


class Beside(NamedTuple):
    """What is kept beside the answers of matches."""

    store: Store
    links: SeatTables
    presence: Presence  # who has a page open


class Seen:
    """A match that one request looks at or changes; nobody else does meanwhile."""

    def __init__(
        self,
        beside: Beside,
        copy: Copy,
        seat: str | None,
        holder: Holder = Holder(),  # noqa: B008  # immutable
    ) -> None:
        self.beside, self._store, self._copy = beside, beside.store, copy
        self.seat = seat  # of who asks: a side, `WATCH`, or None at one table
        self._holder = holder

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
        place = own_place(Place(self.kept.id, self.seat), self._holder)
        looked = self.beside.links.last_look(place)
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
        kept = self._store.change(self.kept.id, self.kept.version, name, autos, level)
        self._copy.keep(kept, self._copy.halves)

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
