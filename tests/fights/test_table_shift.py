"""A shift is worth what a printed modifier of the same size brings."""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grognard.fights.chances import Odds
from grognard.fights.fight_file import stated_fight
from grognard.fights.table_shift import shifted

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str, **more: object) -> dict[str, Any]:
    stated = tomllib.loads((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"))
    return {**stated, **more}


def chances(odds: Odds) -> dict[object, Fraction]:
    return dict(odds.outcomes())


@pytest.mark.parametrize(
    ("name", "stated", "columns", "die"),
    [
        ("bautzen", {"concentric": True}, 1, 0),
        ("bautzen", {"terrain": ["village", "wood"]}, 0, -1),
        ("bautzen", {"terrain": ["village", "dominant-position"]}, -1, 0),
        ("normandy", {"naval_support": False}, -1, 0),
        ("normandy", {"defender_strategic": True}, 1, 0),
        ("panzer-grenadier", {"night": True}, -1, 0),
        ("panzer-grenadier-anti-tank", {"crossfire": False}, 0, -2),
        ("panzer-grenadier-anti-tank", {"target_moved": False}, 0, 1),
        ("white-october", {"attacker_air": True}, 0, 1),
        ("white-october", {"terrain_value": 5}, 0, -2),
    ],
)
def test_a_shift_is_worth_what_its_modifier_brings(
    name: str, stated: dict[str, object], columns: int, die: int
) -> None:
    found = shifted(stated_fight(example(name)), columns, die)
    assert found is not None
    assert chances(found.odds) == chances(stated_fight(example(name, **stated)).odds())


@pytest.mark.parametrize(
    ("name", "columns", "die"),
    [("normandy", 0, 1), ("white-october", 1, 0), ("normandy-attrition", 0, 1)],
)
def test_what_can_t_be_shifted_has_no_worth(name: str, columns: int, die: int) -> None:
    assert shifted(stated_fight(example(name)), columns, die) is None


def test_nothing_lies_beyond_the_ends_of_a_table() -> None:
    far = stated_fight(example("bautzen", terrain=["clear"], attacker_cl=4, defender_cl=0))
    assert shifted(far, 1, 0) is None
