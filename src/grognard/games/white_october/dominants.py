"""White October: dominant Quality, and the row of the dominant morale."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.games.white_october.stated import (
    Attack,
    Counter,
    Stack,
    WhiteOctoberPreparation,
    stack_of,
)
from grognard.rules.ask import Asking
from grognard.rules.fight import Case
from grognard.rules.modifiers import Sum, total
from grognard.words.numbers import signed


def dominants(fight: WhiteOctoberPreparation) -> Asking[WhiteOctoberPreparation]:
    """The dominant Quality of each side, and the row that its dominant morale gives it."""
    ours = yield from _quality(fight.case, "attacker")
    theirs = yield from _quality(fight.case, "defender")
    yield fight.case.tell(
        "total",
        "quality-difference",
        value=ours - theirs,
        of="quality",
        changes="quality_difference",
        difference=signed(ours - theirs),
    )
    row = yield from _row(fight.case, "attacker")
    their_row = yield from _row(fight.case, "defender")
    return replace(fight, quality=ours - theirs, rows=(row, their_row))


def dominant(held: Iterable[tuple[int, int]], tie: str) -> int:
    """Give the value that the most PE have; in a tie the higher or the lower one."""
    effectives: dict[int, int] = {}
    for value, pe in held:
        effectives[value] = effectives.get(value, 0) + pe
    most = max(effectives.values())
    tied = [value for value, pe in effectives.items() if pe == most]
    return max(tied) if tie == "higher" else min(tied)


def _quality(case: Case[Attack], side: Side) -> Asking[int]:
    stack = stack_of(case.setup, side)
    quality = stack.quality
    if quality is None:
        held = [(unit.quality, unit) for unit in stack.units]
        quality = yield from _dominant(case, side, "quality", held)
    else:
        yield case.tell("note", "quality-stated", side=side, value=quality, changes="quality")
    yield case.tell("dominant", f"{side}-quality", side=side, value=quality, of="quality")
    return quality


def _dominant(
    case: Case[Attack], side: Side, what: str, held: Sequence[tuple[int, Counter]]
) -> Asking[int]:
    """Tell how many PE have each value, and find the dominant one."""
    for value in dict.fromkeys(value for value, _ in held):
        units = [unit for other, unit in held if other == value]
        yield case.tell(
            "note",
            f"{what}-held",
            side=side,
            unit=", ".join(unit.name for unit in units),
            value=value,
            changes=what,
            weight=sum(unit.pe for unit in units),
        )
    return dominant(((value, unit.pe) for value, unit in held), case.options["dominant_tie"])


def morale_of(stack: Stack, card: Card, options: Mapping[str, str], side: Side) -> tuple[int, Sum]:
    """Give a stack's dominant morale, and what is added to it."""
    morale = stack.morale
    if morale is None:
        held = ((unit.morale, unit.pe) for unit in stack.units)
        morale = dominant(held, options["dominant_tie"])
    facts = {"encircled": stack.encircled, "trotsky": stack.trotsky}
    return morale, total(card, card.modifying("", "morale"), facts, side=side)


def _row(case: Case[Attack], side: Side) -> Asking[str]:
    """Modify the dominant morale; beyond the printed rows the last one is read."""
    card = case.card
    stack = stack_of(case.setup, side)
    morale, added = morale_of(stack, card, case.options, side)
    if stack.morale is None:
        yield from _dominant(case, side, "morale", [(unit.morale, unit) for unit in stack.units])
    else:
        yield case.tell("note", "morale-stated", side=side, value=morale, changes="morale")
    yield case.tell(
        "dominant", f"{side}-morale", side=side, value=morale, of="morale", changes="morale"
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
    row = f"m{read}"
    table = card.table("combat")
    reading = table.reading
    yield case.tell("row", f"{side}-row", side=side, value=row, of=table.id, reading=reading)
    return row
