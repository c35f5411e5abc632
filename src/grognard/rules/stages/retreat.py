"""Retreats: how far, what bars them, what may be lost instead; and the advance afterwards."""

from collections.abc import Sequence

from msgspec.structs import replace

from grognard.card.effects import Effect
from grognard.card.rows import SIDES, Side
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import enemy_of, units_of, with_unit
from grognard.rules.losses import each_loses
from grognard.rules.stages.state import CardFight, Fighter, before_all, exposed, row_of, standing


def retreat(fight: CardFight, effect: Effect, side: Side) -> Asking[CardFight]:
    """Let a side retreat, or stand where its procedure allows that."""
    hexes, row = effect.amount, row_of(fight.case)
    if not isinstance(hexes, int) or not standing(fight, side):
        return fight
    if row.stand == "step":
        words = ("retreat", "stand")
        chosen = yield from choose(side, "stand-or-retreat", words, row.rule, value=str(hexes))
        if chosen == "stand":
            yield fight.case.tell("remark", "stands", row.rule, side=side)
            return before_all(fight, f"{side} loses 1 step")
    elif row.stand == "trade":
        steps = sum(unit.steps for unit in standing(fight, side))
        traded = yield from choose(
            side, "trade-hexes", range(min(hexes, steps) + 1), row.rule, value=str(hexes)
        )
        if traded:
            rest = (f"{side} loses {traded} steps", f"!go {side} {hexes - traded}")
            return before_all(fight, *rest)
    return (yield from go(fight, side, hexes))


def go(fight: CardFight, side: Side, hexes: int) -> Asking[CardFight]:
    """Carry a retreat out as far as there is room."""
    units = standing(fight, side)
    if not hexes or not units:
        return fight
    fight, gone = yield from _as_far(fight, side, units, hexes)
    units = standing(fight, side)
    if not gone or not units:
        return fight
    phrase = "retreats" if side == "defender" else "attacker-retreats"
    rule = row_of(fight.case).rule
    yield fight.case.tell("retreat", phrase, rule, side=side, value=gone)
    for unit in units:
        fight = with_unit(fight, side, replace(unit, left=True))
    return _counted(fight, side, gone)


def unit_goes(fight: CardFight, side: Side, place: int, hexes: int) -> Asking[CardFight]:
    """Let a single unit retreat, after its check."""
    unit, rule = units_of(fight, side)[place], row_of(fight.case).rule
    if not unit.alive or unit.left:
        return fight
    fight, gone = yield from _as_far(fight, side, [unit], hexes)
    unit = units_of(fight, side)[place]
    if unit.alive and gone:
        yield fight.case.tell(
            "retreat", "unit-retreats", rule, side=side, unit=unit.name, value=gone
        )
        fight = with_unit(fight, side, replace(unit, left=True))
    return fight


def _as_far(
    fight: CardFight, side: Side, units: Sequence[Fighter], hexes: int
) -> Asking[tuple[CardFight, int]]:
    """Find how far units go where a retreat may be blocked, and let them lose for the rest."""
    row, setup = row_of(fight.case), fight.case.setup
    room = setup.attacker_room if side == "attacker" else setup.defender_room
    missing = 0 if room is None else max(0, hexes - room)
    if not missing:
        return fight, hexes
    yield fight.case.tell("remark", "retreat-blocked", row.rule, side=side, value=missing)
    if row.blocked == "stays":
        return fight, 0
    lost = None if row.blocked == "lost" else missing
    fight = yield from each_loses(fight, side, units, row.rule, lost=lost)
    return fight, hexes - missing


def _counted(fight: CardFight, side: Side, hexes: int) -> CardFight:
    ours, theirs = fight.retreated
    if side == "attacker":
        return replace(fight, retreated=(ours + hexes, theirs))
    return replace(fight, retreated=(ours, theirs + hexes))


# ------------------------------------------------------------------ advance


def advance(fight: CardFight) -> Asking[CardFight]:
    """Let a side advance into the hex that the other has left."""
    for place, side in enumerate(SIDES):
        if standing(fight, enemy_of(side)) or not standing(fight, side):
            continue
        words = {"no": "may not"}.get(row_of(fight.case).advance, row_of(fight.case).advance)
        word = fight.advance[place] or (words if side == "attacker" else "may not")
        fight = yield from _advances(fight, side, word)
    return replace(fight, advance=("", ""))


def _advances(fight: CardFight, side: Side, word: str) -> Asking[CardFight]:
    rule, goes = row_of(fight.case).rule, word == "must"
    if word == "may":
        chosen = yield from choose(side, "advance-now", ("advance", "stay"), rule)
        goes = chosen == "advance"
    if not goes:
        return fight
    yield fight.case.tell("advance", f"{side}-advances", rule, side=side)
    ours, theirs = fight.advanced
    return replace(fight, advanced=(ours or side == "attacker", theirs or side == "defender"))


def vacated(fight: CardFight) -> bool:
    """Tell whether no defender is left in the hex."""
    return not standing(fight, "defender")


def thrown_back(fight: CardFight) -> bool:
    """Tell whether the attackers that are left and could suffer have all retreated."""
    return bool(exposed(fight, "attacker")) and not standing(fight, "attacker")
