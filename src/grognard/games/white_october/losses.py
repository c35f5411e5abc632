"""White October: losses in PE or steps, the mandatory loss, and how losses are spread."""

from collections.abc import Sequence
from itertools import combinations_with_replacement

from grognard.card.rows import SIDES, Side
from grognard.games.white_october.stated import (
    Attack,
    TrimmedAttack,
    TrimmedCounter,
    WhiteOctoberPreparation,
)
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import Case, alive, units_of
from grognard.rules.line import Line
from grognard.rules.losses import reduced
from grognard.words.text import Text


def loss_line(case: Case[Attack]) -> Line:
    """Tell what a loss takes: PE or steps, by the option for it."""
    results = case.card.table("combat").results
    reading = next(r.reading for r in results if r.reading.option == "losses_in")
    return case.tell("note", "losses-in", reading=reading, what=_lost_what(case))


def _lost_what(case: Case[Attack] | Case[TrimmedAttack]) -> Text:
    return case.card.phrase(f"lost-{case.options['losses_in']}")


def mandatory_loss(fight: WhiteOctoberPreparation) -> Asking[int]:
    """One loss more for each side, where both have enough PE of combat units engaged."""
    card = fight.case.card
    least, row = card.number("mandatory_loss_from"), card.number_row("mandatory_loss")
    engaged = [sum(u.pe for u in units_of(fight, side) if u.combat) for side in SIDES]
    if min(engaged) < least:
        return 0
    loss = int(row.value)
    yield fight.case.tell(
        "note",
        "mandatory",
        value=loss,
        changes="mandatory",
        reading=row.reading,
        least=least,
    )
    return loss


def lose(
    case: Case[TrimmedAttack], side: Side, units: tuple[TrimmedCounter, ...], owed: int
) -> Asking[tuple[TrimmedCounter, ...]]:
    """The owner spreads his losses over his units as he likes."""
    if not owed:
        return units
    ways = _spreads(units, owed)
    names = yield from choose(side, "who-loses", ways, alike=[_gone_by(units, w) for w in ways])
    after, what = list(units), _lost_what(case)
    for place, unit in enumerate(units):
        if lost := names.count(unit.name):
            after[place] = yield from reduced(
                case, side, unit, lost, phrase="loses-steps", what=what
            )
    return tuple(after)


def _spreads(units: Sequence[TrimmedCounter], owed: int) -> list[tuple[str, ...]]:
    """Give the ways to spread losses: each unit is named as often as it loses."""
    if owed >= sum([unit.steps for unit in units]):
        return [tuple(unit.name for unit in units for _ in range(unit.steps))]
    ways = combinations_with_replacement([unit.name for unit in alive(units)], owed)
    weak = [unit for unit in units if unit.steps < owed]
    return [way for way in ways if all(way.count(u.name) <= u.steps for u in weak)]


def _gone_by(units: Sequence[TrimmedCounter], way: Sequence[str]) -> tuple[tuple[bool, bool], ...]:
    """Tell what a way of losing comes to: what counts is who is gone, and how shaken he was."""
    gone = [unit for unit in units if way.count(unit.name) == unit.steps]
    return tuple(sorted([(unit.disorganised, unit.routed) for unit in gone]))
