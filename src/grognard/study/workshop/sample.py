"""The sample fight of a draft: two strengths, and the conditions that are ticked."""

from functools import lru_cache
from typing import Any

from msgspec import Struct

from grognard.card.card import Card
from grognard.card.known_facts import MANY, unit_facts
from grognard.card.rows import SIDES, Side
from grognard.fights.odds import forget
from grognard.rules import game
from grognard.rules.procedure import Game
from grognard.study.aid import UnitList
from grognard.study.derived_sheet import derived_sheet, unit_fields

MOST_STRENGTH, MOST_STEPS = 999, 12


class Sample(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is stated for the sample fight; what is not stated is as in the derived example."""

    attack: int | None = None
    defence: int | None = None
    attacker_steps: int | None = None
    defender_steps: int | None = None
    facts: dict[str, bool | int | str] = {}
    terrain: tuple[str, ...] = ()
    marked: tuple[str, ...] = ()  # flags of units, for the side that they matter to


class Stated(Struct, frozen=True):
    """A sample fight ready to be set up: its units and conditions."""

    setup: dict[str, Any]
    strengths: dict[Side, int]
    steps: dict[Side, int]


def stated(rules: Game, sample: Sample) -> Stated:
    """State the sample fight of a draft."""
    card, procedure = rules.card, rules.procedures[0]
    sheet = derived_sheet(rules, procedure)
    setup: dict[str, Any] = {}
    strengths: dict[Side, int] = {}
    steps: dict[Side, int] = {}
    for units, side in zip(sheet.units, SIDES, strict=True):
        given = _units(units, sheet.example.get(units.list), sample)
        known = unit_fields(procedure, units.list)
        marks = [mark for mark in sample.marked if mark in known and _matters(card, mark, side)]
        setup[units.list] = [{**unit, **dict.fromkeys(marks, True)} for unit in given]
        strengths[side] = sum(int(unit.get(units.factor, 0)) for unit in given)
        steps[side] = sum(int(unit.get("steps", 1)) for unit in given)
    return Stated({**setup, **_facts(card, sample)}, strengths, steps)


def _units(units: UnitList, example: object, sample: Sample) -> list[dict[str, Any]]:
    """Give the units of a side: those of the example, or one with what is stated."""
    given = [dict(unit) for unit in example] if isinstance(example, list) else []
    given = given or [{"name": units.text.en, units.factor: 4}]
    ours = units.side == "attacker"
    total = sample.attack if ours else sample.defence
    lasting = sample.attacker_steps if ours else sample.defender_steps
    if total is None and lasting is None:
        return given
    whole = sum(int(unit.get(units.factor, 0)) for unit in given)
    all_steps = sum(int(unit.get("steps", 1)) for unit in given)
    number = whole if total is None else max(0, min(MOST_STRENGTH, total))
    left = all_steps if lasting is None else max(1, min(MOST_STEPS, lasting))
    return [{**given[0], units.factor: number, "steps": left}]


def _facts(card: Card, sample: Sample) -> dict[str, Any]:
    known = {fact.id: fact for fact in card.facts if fact.of != "unit"}
    found: dict[str, Any] = {
        id_: value
        for id_, value in sample.facts.items()
        if id_ in known and known[id_].kind != "set"
    }
    terrain = [row.id for row in card.terrain if row.id in sample.terrain]
    if "terrain" in known and terrain:
        found["terrain"] = terrain
    return found


def _matters(card: Card, mark: str, side: Side) -> bool:
    """Tell whether a mark on units of a side changes their own strength or rating."""
    other = "defence" if side == "attacker" else "attack"
    changes = {
        row.changes
        for row in card.modifiers
        for condition in row.when
        for test in condition.tests
        if test.fact in (mark, f"any_{side}_{mark}", f"all_{MANY[side]}_{mark}")
    }
    return mark in unit_facts(card) and bool(changes) and changes != {other}


_FORGET = 200  # drafts between which the odds of earlier ones are dropped


@lru_cache(maxsize=32)
def rules_of(text: str) -> Game:
    """Make the rules of a draft from its text, once for equal texts."""
    if rules_of.cache_info().misses % _FORGET == 0:
        forget()  # the caches of odds hold every card that was ever drafted
    return game.made(game.read_card(text, ""))
