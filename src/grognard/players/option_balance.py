"""What each reading of a card's options does to the balance of a scenario, over paired matches."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import sqrt
from typing import NamedTuple

from msgspec import Struct

from grognard.card.card import Choice, Option
from grognard.matches.field import Field
from grognard.parallel.workers import run as run_tasks
from grognard.players.series import Battle, Contest, Pairing, Played, field, pairings, play
from grognard.players.series_statistics import SURE, Share, Summary, share, summary
from grognard.words.refusal import Refusal


class Change(Struct, frozen=True):
    """What is added to a side's share of wins, with the 95 % confidence interval."""

    difference: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0


class ReadingBalance(NamedTuple):
    """The matches under another choice of one option, against the same matches without it."""

    option: Option
    choice: Choice
    otherwise: Share  # matches that went otherwise
    won: Mapping[str, Share]
    draws: Share
    changes: Mapping[str, Change]  # of each side

    @property
    def effect(self) -> float:
        return max(abs(change.difference) for change in self.changes.values())

    @property
    def favours(self) -> str | None:
        """The side that clearly wins more."""
        return next((side for side, one in self.changes.items() if one.low > 0), None)


class Unplayable(NamedTuple):
    """A choice under which a match could not be played to its end."""

    option: Option
    choice: Choice
    problem: Refusal


class Balance(NamedTuple):
    """The balance of a scenario, and what each reading does to it, the largest effect first."""

    field: Field
    usual: Summary  # under the scenario's own options, and those that were chosen
    readings: tuple[ReadingBalance, ...]
    unplayable: tuple[Unplayable, ...]


def readings(of: Field) -> tuple[tuple[Option, Choice], ...]:
    """Give every choice that is not the present one, of every option of the card."""
    return tuple(
        (option, choice)
        for option in of.card.options
        for choice in option.choices
        if choice.id != of.options[option.id]
    )


def running(  # a series has so many properties
    of: Battle,
    matches: int,
    seed: int,
    players: Contest,
    *,
    on: str | None = None,
    workers: int | None = None,
) -> Iterator[Played | Refusal]:
    """Play the matches as they are, then under each reading with the same seeds."""
    chosen = dict(of.options)
    battles = [of]
    for option, choice in readings(field(of)):
        battles.append(of._replace(options=tuple({**chosen, option.id: choice.id}.items())))
    return run_tasks(_tried, pairings(battles, matches, seed, players), on=on, workers=workers)


def _tried(pairing: Pairing) -> Played | Refusal:
    try:
        return play(pairing)
    except Refusal as refusal:  # some choices leave a case to the players
        return refusal


def balance(of: Battle, matches: int, results: Iterator[Played | Refusal]) -> Balance:
    """Compare the matches under each reading with those under the options as they are."""
    rules = field(of)
    sides = [side.id for side in rules.scenario.sides]
    usual = _played(islice(results, matches))
    if isinstance(usual, Refusal):
        raise usual
    found, unplayable = list[ReadingBalance](), list[Unplayable]()
    for option, choice in readings(rules):
        played = _played(islice(results, matches))
        if isinstance(played, Refusal):
            unplayable.append(Unplayable(option, choice, played))
        else:
            found.append(_compared(option, choice, sides, usual, played))
    ordered = sorted(found, key=lambda one: (-one.effect, -one.otherwise.count))
    return Balance(rules, summary(sides, usual), tuple(ordered), tuple(unplayable))


def _played(results: Iterator[Played | Refusal]) -> list[Played] | Refusal:
    """Collect the matches under one reading; the first refusal, if there is one."""
    played = list[Played]()
    problem: Refusal | None = None
    for result in results:
        if isinstance(result, Refusal):
            problem = problem or result
        else:
            played.append(result)
    return problem or played


def _compared(
    option: Option,
    choice: Choice,
    sides: Sequence[str],
    usual: Sequence[Played],
    played: Sequence[Played],
) -> ReadingBalance:
    found = summary(sides, played)
    otherwise = sum(one != other for one, other in zip(usual, played, strict=True))
    return ReadingBalance(
        option,
        choice,
        share(otherwise, len(played)),
        found.won,
        found.draws,
        {
            side: change(
                [(a.winner == side, b.winner == side) for a, b in zip(usual, played, strict=True)]
            )
            for side in sides
        },
    )


def change(pairs: Sequence[tuple[bool, bool]]) -> Change:
    """Compare paired matches, won before and won now, by Agresti and Min's interval (2005), which
    adds half a match to each of the four cases and so is good for few matches too."""
    gained = sum(now and not before for before, now in pairs)
    gone = sum(before and not now for before, now in pairs)
    total = len(pairs) + 2
    middle = (gained - gone) / total
    reach = SURE * sqrt(gained + gone + 1 - (gained - gone) ** 2 / total) / total
    return Change((gained - gone) / len(pairs), max(-1.0, middle - reach), min(1.0, middle + reach))
