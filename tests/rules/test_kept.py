"""Parts of rules that are kept."""

from typing import Any

import pytest

from grognard import load
from grognard.rules.ask import Asking, roll, told
from grognard.rules.fight import Case
from grognard.rules.kept import kept, told_once


def case(attack: int = 4, **options: str) -> Case[Any]:
    return (
        load("bautzen")
        .fight(
            attackers=[{"name": "a", "attack": attack}],
            defenders=[{"name": "d", "defence": 2}],
            options=options,
        )
        .case
    )


def test_a_part_runs_once_for_all_set_ups_under_the_same_rules() -> None:
    runs = list[int]()

    @kept
    def doubled(_case: Case[Any], number: int) -> int:
        runs.append(number)
        return 2 * number

    assert [doubled(case(attack), 3) for attack in (4, 5, 6)] == [6, 6, 6]
    assert runs == [3]
    assert doubled(case(low_die="no_effect"), 3) == 6
    assert runs == [3, 3]


def test_a_part_that_looks_at_the_set_up_fails() -> None:
    @kept
    def nosy(case: Case[Any]) -> int:
        return len(case.setup.attackers)

    with pytest.raises(AttributeError):
        nosy(case())


def test_of_traced_numbers_nothing_is_kept() -> None:
    runs = list[object]()

    @kept
    def noted(_case: Case[Any], number: object) -> None:
        runs.append(number)

    plain = case()
    traced = Case(plain.card, plain.options, plain.setup, plain.procedure, traced=True)
    for number in ([1], [1]):  # a list has no hash
        noted(traced, number)
    assert runs == [[1], [1]]


def test_lines_are_told_each_time() -> None:
    @told_once
    def telling(case: Case[Any], value: int) -> Asking[int]:
        yield case.tell("note", "unit-factor", unit="a", value=value)
        return value + 1

    for _ in range(2):
        value, lines = told(telling(case(), 3))
        assert (value, [line.value for line in lines]) == (4, [3])


def test_a_part_that_is_told_once_may_not_ask() -> None:
    @told_once
    def asking(_case: Case[Any]) -> Asking[int]:
        return (yield from roll("combat-roll"))

    with pytest.raises(TypeError):
        next(asking(case()))
