"""White October: combat strengths and their ratio."""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, Side
from grognard.games.white_october.stated import Attack, Counter, WhiteOctoberPreparation
from grognard.rules.ask import Asking
from grognard.rules.exact import exact
from grognard.rules.fight import Case, units_of
from grognard.rules.line import Line
from grognard.rules.modifiers import Facts, factor
from grognard.rules.strength import Rounding, multiplied

ROUNDINGS: Mapping[str, Rounding] = {
    "exact": exact,
    "floor": floor,
    "ceil": ceil,
    "nearest": lambda strength: floor(strength + Fraction(1, 2)),
}


def strengths(fight: WhiteOctoberPreparation) -> Asking[WhiteOctoberPreparation]:
    """Combat strengths, halved where a unit's state asks for it, and their ratio."""
    attack = yield from _strength(fight, "attacker", "attack-total")
    defence = yield from _strength(fight, "defender", "defence-total")
    ratio = yield from _ratio(fight.case, attack, defence)
    return replace(fight, ratio=ratio)


def _strength(fight: WhiteOctoberPreparation, side: Side, phrase: str) -> Asking[Fraction]:
    """Halvings of a unit multiply; rounding comes once, on the sum."""
    case, whole = fight.case, Fraction(0)
    halvings = case.card.modifying("", "strength")
    for unit in units_of(fight, side):
        halved = factor(case.card, halvings, _states(unit), side=side, unit=unit.name)
        strength = multiplied(case, side, unit.name, unit.strength, halved, "strength")
        yield from strength.lines
        whole += strength.value
    rounded = exact(ROUNDINGS[case.options["rounding"]](whole))
    if rounded != whole:
        yield case.tell(
            "clamp",
            "strength-rounded",
            side=side,
            value=rounded,
            changes="strength",
            exact=whole,
        )
    yield case.tell("total", phrase, side=side, value=rounded, of="strength")
    return rounded


def _states(unit: Counter) -> Facts:
    return {
        "out_of_ammunition": unit.out_of_ammunition,
        "routed": unit.routed,
        "disorganised": unit.disorganised,
    }


def _ratio(case: Case[Attack], attack: Fraction, defence: Fraction) -> Asking[int]:
    """Read the dice modifier of the ratio; what lies between printed ratios is a reading."""
    table = case.card.table("ratio")
    if defence:
        ratio = attack / defence
    else:
        best = case.options["zero_defence"] == "best_ratio"
        ratio = table.columns.starts[-1] if best else attack
        yield _no_defence(case, ratio)
    place = table.columns.position(ratio) or 0
    row, label = table.row_labels[0], table.column_labels[place]
    reading = CERTAIN if ratio == table.columns.starts[place] else table.reading
    for doubt in table.cell(row, label).doubts:
        reading = doubt.reading
    yield case.tell(
        "column",
        "basic-column",
        value=label,
        of=table.id,
        attack=attack,
        defence=defence,
        reading=reading,
    )
    code = table.read(row, label, case.options).options[0][0]
    yield case.tell(
        "lookup",
        "ratio-gives",
        value=code,
        of=table.id,
        changes="ratio_modifier",
        column=label,
        meaning=table.legend[code].text,
    )
    return int(table.legend[code].values["dice"])


def _no_defence(case: Case[Attack], ratio: Fraction) -> Line:
    option = next(option for option in case.card.options if option.id == "zero_defence")
    return case.tell(
        "clamp",
        "no-defence",
        side="defender",
        value=ratio,
        changes="ratio",
        reading=option.reading,
    )
