"""Sums of integer weights over a common denominator."""

from collections.abc import Mapping, Sequence
from math import gcd, lcm
from typing import TypeVar

from msgspec.structs import astuple

from grognard.rules.fight import Fight, Outcome

K = TypeVar("K")


def by_outcome(ends: Mapping[Fight, int]) -> dict[Outcome, int]:
    """Sum the weights of ends by outcome.

    Outcomes have an order of their own: that in which ends are met depends on what was asked on the
    way, and that on the units that stand for others.
    """
    weights: dict[Outcome, int] = {}
    for fight, weight in ends.items():
        outcome = fight.case.procedure.outcome(fight)
        weights[outcome] = weights.get(outcome, 0) + weight
    if len(weights) == 1:
        return weights
    return {outcome: weights[outcome] for outcome in sorted(weights, key=_without_details)}


def mix(children: Sequence[tuple[int, tuple[Mapping[K, int], int]]]) -> tuple[dict[K, int], int]:
    """Mix weights, each with their sum, by further weights; give them and their sum."""
    common = lcm(*[total for _, (_, total) in children])
    mixed: dict[K, int] = {}
    whole = 0
    for weight, (after, total) in children:
        scale = weight * (common // total)
        whole += weight
        scaled = {what: part * scale for what, part in after.items()} if scale != 1 else after
        if mixed and not mixed.keys().isdisjoint(scaled):  # mostly each result has ends of its own
            scaled = {what: mixed.get(what, 0) + part for what, part in scaled.items()}
        mixed.update(scaled)
    return mixed, whole * common


def reduced(weights: Mapping[K, int]) -> Mapping[K, int]:
    """Divide weights by their greatest common divisor."""
    if (divisor := gcd(*weights.values())) == 1:
        return weights
    return {what: weight // divisor for what, weight in weights.items()}


def _without_details(outcome: Outcome) -> tuple[object, ...]:
    """Give what outcomes are ordered by: all but the details, which may name units."""
    return astuple(outcome)[:-1]
