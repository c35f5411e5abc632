"""Statistics of a series of matches: of its sides, and of the levels that played it."""

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev

from msgspec import Struct

from grognard.files.csv_text import csv_text
from grognard.players.levels import Level
from grognard.players.series import Played
from grognard.players.stopwatch import Pace

SURE = 1.959963984540054  # standard deviations on each side of the mean that hold 95 %


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


class Strength(Struct, frozen=True):
    """How a level did against another: its share of all matches, with the 95 % interval."""

    wins: int
    share: float
    low: float
    high: float
    draws: int
    matches: int
    points: Average  # of the side that it played, as are:
    lost: Average  # steps


class PhaseSeconds(Struct, frozen=True):
    """The processor time of a level for a phase."""

    mean: float
    longest: float


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


def strengths(played: Sequence[Played]) -> dict[Level, Strength]:
    """Compare the levels of a series; empty if both sides are of one level."""
    levels = dict.fromkeys(level for match in played for level in match.levels.values())
    return {level: _strength(level, played) for level in levels} if len(levels) > 1 else {}


def _strength(level: Level, played: Sequence[Played]) -> Strength:
    seats = [(m, side) for m in played for side, found in m.levels.items() if found == level]
    won = share(sum(m.winner == side for m, side in seats), len(seats))
    return Strength(
        wins=won.count,
        share=won.share,
        low=won.low,
        high=won.high,
        draws=sum(m.winner is None for m, _ in seats),
        matches=len(seats),
        points=spread_of([m.points[side] for m, side in seats]),
        lost=spread_of([m.lost[side] for m, side in seats]),
    )


def phase_seconds(played: Sequence[Played]) -> dict[Level, PhaseSeconds]:
    """Give the time of each level for a phase, if it was measured."""
    times: dict[Level, list[Pace]] = {}
    for match in played:
        for side, pace in match.pace.items():
            times.setdefault(match.levels[side], []).append(pace)
    return {
        level: PhaseSeconds(
            sum(one.seconds for one in paces) / max(1, sum(one.phases for one in paces)),
            max(one.longest for one in paces),
        )
        for level, paces in times.items()
    }


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


def rows(played: Mapping[str, Sequence[Played]]) -> str:
    """Write the matches of series as CSV, a match a row; the columns have the sides of all."""
    matches = [match for found in played.values() for match in found]
    sides = list(dict.fromkeys(side for match in matches for side in match.points))
    names = [f"{what}_{side}" for what in ("points", "lost", "level") for side in sides]
    table: list[Sequence[object]] = [["number", "seed", "winner", "turns", *names, "scenario"]]
    for name, found in played.items():
        for match in found:
            numbers: list[object] = [
                of.get(side, "")
                for of in (match.points, match.lost, match.levels)
                for side in sides
            ]
            winner = match.winner or ""
            table.append([match.number, match.seed, winner, match.turns, *numbers, name])
    return csv_text(table)
