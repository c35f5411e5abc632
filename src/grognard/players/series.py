"""Series of automatic matches, each with its own seed."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from msgspec import Struct

from grognard.files.source import is_file, read_source
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board
from grognard.maps.scenario import Scenario
from grognard.matches.field import Field
from grognard.matches.match import Match, Reply, new_field, saved, written_match
from grognard.matches.protocol import Order
from grognard.parallel.workers import run as run_tasks
from grognard.players.bot import play_on
from grognard.players.general import SECONDS
from grognard.players.levels import Level, level, players_for
from grognard.players.stopwatch import Pace, Timed
from grognard.words.message import say
from grognard.words.refusal import Refusal


class Battle(NamedTuple):
    """The scenario and options of a series, in a form that can be sent to another machine."""

    name: str  # of the scenario, or of its file
    text: str | None  # the content of that file
    options: tuple[tuple[str, str], ...]


class Contest(NamedTuple):
    """The levels of the two players of a series. Different levels change seats after each match,
    and two matches with changed seats have the same seed."""

    one: Level = "sergeant"
    other: Level = "sergeant"
    seconds: float = SECONDS  # of a general, for a phase

    @property
    def paired(self) -> bool:
        return self.one != self.other

    @property
    def levels(self) -> tuple[Level, ...]:
        return (self.one, self.other) if self.paired else (self.one,)

    def seats(self, number: int) -> tuple[Level, Level]:
        """Give the levels of the first and the second side in a match."""
        return (self.other, self.one) if self.paired and number % 2 == 0 else (self.one, self.other)

    def seed(self, seed: int, number: int) -> int:
        """Give the seed of a match of a series."""
        return match_seed(seed, (number + 1) // 2 if self.paired else number)


SERGEANTS = Contest()


class Pairing(NamedTuple):
    """One match of a series, to be played."""

    battle: Battle
    number: int  # from 1
    seed: int
    keep: bool  # whether its file is wanted
    seats: tuple[Level, Level] = ("sergeant", "sergeant")
    seconds: float = SECONDS
    timed: bool = False


class Played(Struct, frozen=True, omit_defaults=True):
    """The result of one match of a series."""

    number: int
    seed: int
    winner: str | None
    turns: int
    points: Mapping[str, int]  # of each side, as are:
    lost: Mapping[str, int]  # steps
    file: bytes | None = None  # the match file, if it is wanted
    levels: Mapping[str, Level] = {}
    pace: Mapping[str, Pace] = {}  # if it is wanted


def contest(players: str, matches: int, seconds: float = SECONDS) -> Contest:
    """Read the levels of a series: one for both sides, or two that play each other."""
    levels = [level(name.strip()) for name in players.split(",")]
    if len(levels) > len(Contest._fields[:2]):
        problem = say("{n} levels can't play one match; expected one or two", n=len(levels))
        raise Refusal(problem)
    found = Contest(levels[0], levels[-1], seconds)
    if found.paired and matches % 2:
        raise Refusal(
            say("two levels play each match in both seatings: the number of matches must be even")
        )
    return found


def battle(name: str, options: Mapping[str, str]) -> Battle:
    """Choose scenario and options; refuse unknown ones."""
    file = name not in scenarios.ids() and is_file(name)
    found = Battle(name, read_source(name).text if file else None, tuple(options.items()))
    field(found)
    return found


def field(of: Battle) -> Field:
    """Give a battle the rules of its game, for one match."""
    return new_field(_scenario(of))


@lru_cache(maxsize=4)
def _scenario(of: Battle) -> Scenario:
    own = scenarios.own(of.name) if of.text is None else scenarios.read(of.text, of.name)
    return own.with_options(dict(of.options))


def run(  # a series has so many properties
    of: Battle,
    matches: int,
    seed: int,
    *,
    players: Contest = SERGEANTS,
    keep: bool = False,
    on: str | None = None,
    workers: int | None = None,
) -> Iterator[Played]:
    """Play a series, in the order of its matches; the result is the same on any workers."""
    return run_pairings(pairings([of], matches, seed, players, keep=keep), on=on, workers=workers)


def run_pairings(
    tasks: Iterator[Pairing], *, on: str | None = None, workers: int | None = None
) -> Iterator[Played]:
    """Play matches, in their order."""
    return run_tasks(play, tasks, on=on, workers=workers)


def pairings(
    battles: Sequence[Battle],
    matches: int,
    seed: int,
    players: Contest,
    *,
    keep: bool = False,
    timed: bool = False,
) -> Iterator[Pairing]:
    """Give the matches of a series of each battle."""
    for one in battles:
        for number in range(1, matches + 1):
            seats = players.seats(number)
            match_ = players.seed(seed, number)
            yield Pairing(one, number, match_, keep, seats, players.seconds, timed)


def match_seed(seed: int, number: int) -> int:
    """Derive the seed of a match from the seed of its series and its number alone."""
    return Random(f"{seed}/{number}").getrandbits(32)


def play(pairing: Pairing) -> Played:
    """Play one match to its end; `grognard play --auto all` with its seed and levels plays the
    same."""
    match = Match(field(pairing.battle))
    sides = [side.id for side in match.field.scenario.sides]
    levels = dict(zip(sides, pairing.seats, strict=True))
    players = players_for(levels, pairing.seed, pairing.seconds)
    timed = {side: Timed(player) for side, player in players.items()}
    before = match.board
    for _ in play_on(match, timed):
        pass
    verdict = match.verdict()
    return Played(
        number=pairing.number,
        seed=pairing.seed,
        winner=verdict.winner,
        turns=_turns(match),
        points=dict(verdict.points),
        lost={side: _steps(before, side) - _steps(match.board, side) for side in sides},
        file=written_match(saved(match)) if pairing.keep else None,
        levels=levels,
        pace={side: player.pace() for side, player in timed.items()} if pairing.timed else {},
    )


def _turns(match: Match) -> int:
    orders = (entry.ask for entry in match.log if isinstance(entry, Reply))
    return max((ask.turn for ask in orders if isinstance(ask, Order)), default=0)


def _steps(board: Board, side: str) -> int:
    return sum(piece.steps for piece in board.pieces if piece.side == side)
