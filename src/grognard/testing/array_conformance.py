"""Checks of a game on arrays: call `check_arrays` in the tests of a game that you add."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

import msgspec
import numpy as np

from grognard.arrays.batch import Batch, Fights, Integers
from grognard.arrays.decision_tree import label, number
from grognard.arrays.row_results import MISSING
from grognard.files.value_path import ValuePath, written
from grognard.rules.fight import Fight, Outcome
from grognard.rules.procedure import Game
from grognard.testing.conformance import NotConforming
from grognard.words.refusal import Refusal


class Findings(NamedTuple):
    """The explanation of a fight in numbers, and its odds."""

    attack: float | None
    defence: float | None
    basic: str | None
    final: str | None
    die_modifier: float
    weights: Mapping[Outcome, int]


def check_arrays(fights: Iterable[Fight]) -> None:
    """Check that arrays agree with single fights, also for slightly changed fights."""
    for fight in fights:
        stated = msgspec.to_builtins(fight.case.setup)
        names = {written(path): value for path, value in _numbers(stated)}
        if not names:
            continue
        batch = Batch(
            Game(fight.case.card, (fight.case.procedure,)),
            stated,
            names,
            options=fight.case.options,
            folder=None,
        )
        for problem in differences(batch, _varied(names)):
            raise NotConforming(problem)


def _numbers(value: object, path: ValuePath = ()) -> Iterator[tuple[ValuePath, int]]:
    match value:
        case int():
            yield path, value
        case dict():
            for key, part in value.items():
                yield from _numbers(part, (*path, str(key)))
        case list() | tuple():
            for place, part in enumerate(value):
                yield from _numbers(part, (*path, place))


def _varied(stated: Mapping[str, int]) -> dict[str, Integers]:
    """Give the fight itself, and variants with one number changed by one or one flag flipped."""
    rows = [dict(stated)]
    for name, value in stated.items():
        changed = (not value,) if isinstance(value, bool) else (value + 1, max(0, value - 1))
        rows += [{**stated, name: other} for other in changed]
    return {name: np.array([int(row[name]) for row in rows]) for name in stated}


def differences(batch: Batch, columns: Mapping[str, Integers]) -> Iterator[str]:
    """Describe every fight for which arrays and single fight disagree."""
    known: dict[tuple[int, ...], Findings | None] = {}
    names = tuple(columns)
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    for row, said in zip(rows, in_arrays(batch, batch.coded_fights(columns)), strict=True):
        if row not in known:
            known[row] = alone(batch, dict(zip(names, row, strict=True)))
        if said != known[row]:
            yield f"{dict(zip(names, row, strict=True))}: {known[row]} alone, {said} in arrays"


def in_arrays(batch: Batch, fights: Fights) -> Iterator[Findings | None]:
    """Give the findings of arrays, fight by fight; None for a refused one."""
    labels = (*batch.labels, None)  # the last for a place that is nowhere
    distributions, outcomes = fights.distributions, batch.outcomes
    for attack, defence, basic, final, die, place in zip(
        fights.attack.tolist(),
        fights.defence.tolist(),
        fights.basic.tolist(),
        fights.final.tolist(),
        fights.die_modifier.tolist(),
        fights.weighted.tolist(),
        strict=True,
    ):
        if place == MISSING:
            yield None
            continue
        each = distributions[place]
        weights = {outcomes[o]: w for o, w in zip(each.outcomes, each.weights, strict=True)}
        totals = [None if np.isnan(total) else total for total in (attack, defence)]
        yield Findings(totals[0], totals[1], labels[basic], labels[final], die, weights)


def alone(batch: Batch, row: Mapping[str, int]) -> Findings | None:
    """Give the findings of a single fight; None if it is refused."""
    attacker, defender = (doctrine.id for doctrine in batch.doctrines)
    try:
        fight = batch.template.fight(batch.template.setup(row))
        told, odds = fight.explain(), fight.odds(attacker, defender)
    except Refusal:
        return None
    totals, column = told.totals(), told.column()
    return Findings(
        _total(totals["attack"]),
        _total(totals["defence"]),
        label(column["basic"]),
        label(column["final"]),
        float(told.die_modifier),
        dict(odds.weights),
    )


def _total(value: int | Fraction | str | None) -> float | None:
    return None if (found := number(value)) is None else float(found)
