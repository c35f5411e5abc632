"""Series of automatic matches, each with its own seed, and their statistics."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from msgspec import Struct

from grognard.files.csv_text import csv_text
from grognard.files.source import is_file, read_source
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board
from grognard.maps.scenario import Scenario
from grognard.matches.field import Field
from grognard.matches.match import Match, Reply, new_field, saved, written_match
from grognard.matches.protocol import Order
from grognard.parallel.workers import run as run_tasks
from grognard.players.bot import bots_for, play_on

SURE = 1.959963984540054  # standard deviations on each side of the mean that hold 95 %


class Battle(NamedTuple):
    """The scenario and options of a series, in a form that can be sent to another machine."""

    name: str  # of the scenario, or of its file
    text: str | None  # the content of that file
    options: tuple[tuple[str, str], ...]


class Pairing(NamedTuple):
    """One match of a series, to be played."""

    battle: Battle
    number: int  # from 1
    seed: int
    keep: bool  # whether its file is wanted


class Played(Struct, frozen=True, omit_defaults=True):
    """The result of one match of a series."""

    number: int
    seed: int
    winner: str | None
    turns: int
    points: Mapping[str, int]  # of each side, as are:
    lost: Mapping[str, int]  # steps
    file: bytes | None = None  # the match file, if it is wanted


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


def run(
    of: Battle,
    matches: int,
    seed: int,
    *,
    keep: bool = False,
    on: str | None = None,
    workers: int | None = None,
) -> Iterator[Played]:
    """Play a series, in the order of its matches; the result is the same on any workers."""
    pairings = (
        Pairing(of, number, match_seed(seed, number), keep) for number in range(1, matches + 1)
    )
    return run_tasks(play, pairings, on=on, workers=workers)


def match_seed(seed: int, number: int) -> int:
    """Derive the seed of a match from the seed of its series and its number alone."""
    return Random(f"{seed}/{number}").getrandbits(32)


def play(pairing: Pairing) -> Played:
    """Play one match to its end; `grognard play --auto all` with its seed plays the same."""
    match = Match(field(pairing.battle))
    sides = [side.id for side in match.field.scenario.sides]
    before = match.board
    for _ in play_on(match, bots_for(sides, pairing.seed)):
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
    )


def _turns(match: Match) -> int:
    orders = (entry.ask for entry in match.log if isinstance(entry, Reply))
    return max((ask.turn for ask in orders if isinstance(ask, Order)), default=0)


def _steps(board: Board, side: str) -> int:
    return sum(piece.steps for piece in board.pieces if piece.side == side)


class Share(Struct, frozen=True):
    """A frequency, with the 95 % confidence interval of its probability."""

    count: int
    share: float
    low: float
    high: float


class Average(Struct, frozen=True):
    """The mean and standard deviation of a number over the matches."""

    mean: float
    spread: float


class Summary(Struct, frozen=True):
    """Statistics of a series."""

    matches: int
    won: Mapping[str, Share]
    draws: Share
    turns: Average
    points: Mapping[str, Average]
    lost: Mapping[str, Average]


def summary(sides: Sequence[str], played: Sequence[Played]) -> Summary:
    """Summarise a series."""
    total = len(played)
    return Summary(
        matches=total,
        won={side: share(sum(m.winner == side for m in played), total) for side in sides},
        draws=share(sum(m.winner is None for m in played), total),
        turns=spread_of([m.turns for m in played]),
        points={side: spread_of([m.points[side] for m in played]) for side in sides},
        lost={side: spread_of([m.lost[side] for m in played]) for side in sides},
    )


def share(count: int, total: int) -> Share:
    """Give a share with its Wilson interval, which is good for few matches too."""
    found, squared = count / total, SURE * SURE
    middle = found + squared / (2 * total)
    reach = SURE * sqrt(found * (1 - found) / total + squared / (4 * total * total))
    scale = 1 + squared / total
    low, high = max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)
    return Share(count, found, low if count else 0.0, high if count < total else 1.0)


def spread_of(numbers: Sequence[int]) -> Average:
    """Give mean and standard deviation (0 for a single number)."""
    return Average(fmean(numbers), stdev(numbers) if len(numbers) > 1 else 0.0)


def rows(sides: Sequence[str], played: Iterable[Played]) -> str:
    """Write a series as CSV, a match a row."""
    names = [f"{what}_{side}" for what in ("points", "lost") for side in sides]
    table: list[Sequence[object]] = [["number", "seed", "winner", "turns", *names]]
    for match in played:
        numbers = [*(match.points[s] for s in sides), *(match.lost[s] for s in sides)]
        table.append([match.number, match.seed, match.winner or "", match.turns, *numbers])
    return csv_text(table)
