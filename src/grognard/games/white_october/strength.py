"""White October: combat strengths and their ratio, dominant Quality and morale."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import CERTAIN, SIDES, Reading, Side
from grognard.games.white_october.stated import (
    Attack,
    Counter,
    Stack,
    WhiteOctoberPreparation,
    stack_of,
)
from grognard.rules.ask import Asking
from grognard.rules.columns import basic_column, ratio_of, rounded_place
from grognard.rules.fight import Case, units_of
from grognard.rules.kept import kept, told_once
from grognard.rules.modifiers import Facts, Sum, factor, total
from grognard.rules.strength import ROUNDED, Strength, multiplied, summed
from grognard.words.numbers import signed

STATES = ("out_of_ammunition", "routed", "disorganised")  # of a unit, which halve its strength


def strengths(fight: WhiteOctoberPreparation) -> Asking[WhiteOctoberPreparation]:
    """Combat strengths, halved where a unit's state asks for it, and their ratio."""
    attack, defence = (_strength(fight.case, side, units_of(fight, side)) for side in SIDES)
    yield from (attack.lines, defence.lines)
    ratio = yield from _ratio(fight.case, attack.value, defence.value)
    return replace(fight, ratio=ratio)


@kept
def _strength(case: Case[Attack], side: Side, units: tuple[Counter, ...]) -> Strength:
    """Halvings of a unit multiply; rounding comes once, on the sum."""
    parts = [_of_unit(case, side, unit) for unit in units]
    rounded = ROUNDED[case.options["rounding"]]
    return summed(case, side, parts, of="strength", rounded=rounded, rounding="strength-rounded")


@kept
def _of_unit(case: Case[Attack], side: Side, unit: Counter) -> Strength:
    states: Facts = {state: getattr(unit, state) for state in STATES}
    halvings = case.card.modifying("", "strength")
    halved = factor(case.card, halvings, states, side=side, unit=unit.name)
    return multiplied(case, side, unit.name, unit.strength, halved, "strength")


@told_once
def _ratio(case: Case[Attack], attack: Fraction, defence: Fraction) -> Asking[int]:
    """Read the dice modifier of the ratio; what lies between printed ratios is a reading."""
    table = case.card.table("ratio")
    one, doubt = case.options["zero_defence"] != "best_ratio", case.doubt("zero_defence")
    axis = table.columns
    ratio = yield from ratio_of(case, axis, attack, defence, as_one=one, reading=doubt)
    place = rounded_place(axis, ratio)
    row, label = table.row_labels[0], table.column_labels[place]
    reading = CERTAIN if ratio == axis.starts[place] else table.reading
    for cell_doubt in table.cell(row, label).doubts:
        reading = cell_doubt.reading
    yield from basic_column(case, table, place, attack=attack, defence=defence, reading=reading)
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


# ------------------------------------------------------------------ dominant Quality and morale


def dominants(fight: WhiteOctoberPreparation) -> Asking[WhiteOctoberPreparation]:
    """The dominant Quality of each side, and the row that its dominant morale gives it."""
    case = fight.case
    ours, theirs = (stack_of(case.setup, side) for side in SIDES)
    more = yield from _quality(case, "attacker", ours)
    more -= yield from _quality(case, "defender", theirs)
    yield case.tell(
        "total",
        "quality-difference",
        value=more,
        of="quality",
        changes="quality_difference",
        difference=signed(more),
    )
    row = yield from _row(case, "attacker", ours)
    their_row = yield from _row(case, "defender", theirs)
    return replace(fight, quality=more, rows=(row, their_row))


def dominant(held: Iterable[tuple[int, int]], tie: str) -> int:
    """Give the value that the most PE have; in a tie the higher or the lower one."""
    effectives: dict[int, int] = {}
    for value, pe in held:
        effectives[value] = effectives.get(value, 0) + pe
    most = max(effectives.values())
    tied = [value for value, pe in effectives.items() if pe == most]
    return max(tied) if tie == "higher" else min(tied)


@told_once
def _quality(case: Case[Attack], side: Side, stack: Stack) -> Asking[int]:
    quality, doubt = stack.quality, CERTAIN
    if quality is None:
        held = [(unit.quality, unit) for unit in stack.units]
        quality, doubt = yield from _dominant(case, side, "quality", held)
    else:
        yield case.tell("note", "quality-stated", side=side, value=quality, changes="quality")
    yield case.tell(
        "dominant", f"{side}-quality", side=side, value=quality, of="quality", reading=doubt
    )
    return quality


def _dominant(
    case: Case[Attack], side: Side, what: str, held: Sequence[tuple[int, Counter]]
) -> Asking[tuple[int, Reading]]:
    """Tell how many PE have each value; find the dominant one, doubtful in a tie."""
    for value in dict.fromkeys(value for value, _ in held):
        units = [unit for other, unit in held if other == value]
        names, weight = ", ".join(u.name for u in units), sum(u.pe for u in units)
        yield case.tell(
            "note", f"{what}-held", side=side, unit=names, value=value, changes=what, weight=weight
        )
    weights = [(value, unit.pe) for value, unit in held]
    tied = dominant(weights, "higher") != dominant(weights, "lower")
    doubt = case.doubt("dominant_tie") if tied else CERTAIN
    return dominant(weights, case.options["dominant_tie"]), doubt


def morale_of(stack: Stack, card: Card, options: Mapping[str, str], side: Side) -> tuple[int, Sum]:
    """Give a stack's dominant morale, and what is added to it."""
    morale = stack.morale
    if morale is None:
        held = ((unit.morale, unit.pe) for unit in stack.units)
        morale = dominant(held, options["dominant_tie"])
    facts = {"encircled": stack.encircled, "trotsky": stack.trotsky}
    return morale, total(card, card.modifying("", "morale"), facts, side=side)


@told_once
def _row(case: Case[Attack], side: Side, stack: Stack) -> Asking[str]:
    """Modify the dominant morale; beyond the printed rows the last one is read."""
    card = case.card
    morale, added = morale_of(stack, card, case.options, side)
    doubt = CERTAIN
    if stack.morale is None:
        held = [(unit.morale, unit) for unit in stack.units]
        _, doubt = yield from _dominant(case, side, "morale", held)
    else:
        yield case.tell("note", "morale-stated", side=side, value=morale, changes="morale")
    yield case.tell(
        "dominant",
        f"{side}-morale",
        side=side,
        value=morale,
        of="morale",
        changes="morale",
        reading=doubt,
    )
    yield from added.lines
    modified = morale + added.value
    read = max(int(card.number("morale_least")), min(int(card.number("morale_most")), modified))
    if read != modified:
        limit = card.number_row("morale_most" if read < modified else "morale_least")
        yield case.tell(
            "clamp",
            "morale-clamped",
            side=side,
            value=read,
            changes="morale",
            reading=limit.reading,
            modified=modified,
        )
    row, table = f"m{read}", card.table("combat")
    reading = table.reading
    yield case.tell("row", f"{side}-row", side=side, value=row, of=table.id, reading=reading)
    return row
