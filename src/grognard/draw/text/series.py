"""A series of matches in words: the sides, the levels, and a table over scenarios."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grognard.maps.scenario import MARKS
from grognard.matches.field import Field
from grognard.players.levels import NAMES, Level
from grognard.players.series import Contest, Played
from grognard.players.series_statistics import (
    Average,
    PhaseSeconds,
    Share,
    Strength,
    Summary,
    phase_seconds,
    share,
    strengths,
    summary,
)
from grognard.words.message import Message, say
from grognard.words.numbers import decimal, percentage
from grognard.words.text import Lang, Text


class Series(NamedTuple):
    """The matches of one scenario."""

    field: Field
    played: Sequence[Played]

    @property
    def summary(self) -> Summary:
        return summary([side.id for side in self.field.scenario.sides], self.played)


def heading(scenario: Text, matches: int, seed: int) -> Message:
    """Name the scenario, the number of matches and the seed."""
    return say(
        "{scenario}: {n} automatic {n:match|matches}, seed {seed}",
        scenario=scenario,
        n=matches,
        seed=seed,
    )


def players_line(players: Contest) -> Message:
    """Say who plays."""
    if players.paired:
        one, other = NAMES[players.one], NAMES[players.other]
        return say("{one} against {other}, each seed in both seatings", one=one, other=other)
    return say("{level} on both sides", level=NAMES[players.one])


def series_lines(of: Series, lang: Lang) -> Iterator[str]:
    """Describe a series of one scenario: levels, sides, draws and turns."""
    found, losses = of.summary, of.field.card.phrase("losses")
    seconds = phase_seconds(of.played)
    for level, strength in strengths(of.played).items():
        won = say("won {share}", share=share_words(_share(strength), lang)).in_(lang)
        yield f"  {NAMES[level].in_(lang)}  {won}"
        yield f"    {_counted(strength.points, strength.lost, losses, lang)}"
    for level, taken in seconds.items():
        yield f"  {_time(level, taken, lang)}"
    for side, mark in zip(of.field.scenario.sides, MARKS, strict=True):
        won = say("won {share}", share=share_words(found.won[side.id], lang)).in_(lang)
        yield f"  {mark} {side.name.in_(lang)}  {won}"
        yield f"    {_counted(found.points[side.id], found.lost[side.id], losses, lang)}"
    draws = say("draws {share}", share=share_words(found.draws, lang))
    turns = say("turns {turns}", turns=_spread(found.turns, lang))
    yield f"  {draws.in_(lang)}"
    yield f"  {turns.in_(lang)}"


def series_note() -> Message:
    """Say what the figures are."""
    return say(
        "Shares with the interval that holds 95 %; numbers with their standard deviation. "
        "--json or -o FILE gives each match with its seed."
    )


def table_lines(of: Sequence[Series], lang: Lang) -> Iterator[str]:
    """Compare levels, or sides of one level, over scenarios: a row for each, and a total."""
    every = [match for one in of for match in one.played]
    levels = list(strengths(every))
    head = [say("scenario"), say("matches"), *_heads(levels), say("draws")]
    table = [[cell.in_(lang) for cell in head]]
    for one in of:
        table.append([one.field.scenario.name.in_(lang), *_row(one.played, levels, lang, one)])
    if levels:
        table.append([say("total").in_(lang), *_row(every, levels, lang)])
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
    for level, taken in phase_seconds(every).items():
        yield _time(level, taken, lang)


def _heads(levels: Sequence[Level]) -> list[Message]:
    if not levels:
        return [say("first side won"), say("second side won")]
    return [say("{level} won", level=NAMES[level]) for level in levels]


def _row(
    played: Sequence[Played], levels: Sequence[Level], lang: Lang, of: Series | None = None
) -> list[str]:
    draws = share(sum(match.winner is None for match in played), len(played))
    wins: list[str] = []
    if levels:
        wins = [share_words(_share(one), lang) for one in strengths(played).values()]
    elif of is not None:
        won = of.summary.won
        wins = [
            f"{side.name.in_(lang)} {share_words(won[side.id], lang)}"
            for side in of.field.scenario.sides
        ]
    return [str(len(played)), *wins, share_words(draws, lang)]


def _share(of: Strength) -> Share:
    return Share(of.wins, of.share, of.low, of.high)


def _counted(points: Average, lost: Average, losses: object, lang: Lang) -> str:
    return say(
        "points {points}, {losses} {lost}",
        points=_spread(points, lang),
        losses=losses,
        lost=_spread(lost, lang),
    ).in_(lang)


def _time(level: Level, taken: PhaseSeconds, lang: Lang) -> str:
    return say(
        "{level}: {mean} s a phase, at most {longest} s",
        level=NAMES[level],
        mean=decimal(taken.mean, 2, lang),
        longest=decimal(taken.longest, 2, lang),
    ).in_(lang)


def share_words(of: Share, lang: Lang) -> str:
    """Write a count, its share and the interval."""
    low, high = (decimal(100 * limit, 1, lang) for limit in (of.low, of.high))
    most = percentage(decimal(100 * of.share, 1, lang), lang)
    return f"{of.count} = {most} ({low}–{percentage(high, lang)})"


def _spread(spread: Average, lang: Lang) -> str:
    return f"{decimal(spread.mean, 2, lang)} ± {decimal(spread.spread, 2, lang)}"
