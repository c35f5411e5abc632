"""White October: each side applies its half, the loser first; then the winner advances."""

from collections.abc import Mapping

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, SIDES, Side
from grognard.card.tables import Half
from grognard.games.white_october.effects import (
    Effects,
    Fate,
    amount,
    disorganisation,
    effects_of,
    retreat,
    surrender,
)
from grognard.games.white_october.losses import lose
from grognard.games.white_october.stated import (
    NOTHING,
    Settled,
    Toll,
    TrimmedAttack,
    TrimmedCounter,
    WhiteOctoberFight,
    can_retreat,
    gone,
)
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import Case, alive, enemy_of, units_of


def loser_results(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """The loser applies his half first; where nobody has won, the attacker."""
    return (yield from _results(fight, enemy_of(fight.winner or "defender")))


def winner_results(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """Then the winner applies his."""
    return (yield from _results(fight, fight.winner or "defender"))


def _results(fight: WhiteOctoberFight, side: Side) -> Asking[WhiteOctoberFight]:
    """A side's result: first its losses, then what it does to all engaged units that are left."""
    case = fight.case
    effects = yield from _chosen(case, side, fight.halves[SIDES.index(side)])
    owed = yield from _owed(fight, side, effects)
    units = yield from lose(case, side, units_of(fight, side), owed)
    fate = Fate(units)
    if alive(units):
        fate = yield from surrender(case, side, fate, effects)
        fate = yield from retreat(case, side, fate, effects)
        fate = yield from disorganisation(case, side, fate, effects)
    return _settled(fight, side, fate, effects)


def _settled(
    fight: WhiteOctoberFight, side: Side, fate: Fate, effects: Effects
) -> WhiteOctoberFight:
    """A side is through with its result: note what it did, and whether an advance is due."""
    (ours, theirs), letter = fight.halves, LETTERS[side]
    after = replace(
        fight,
        left=(*fight.left, side) if fate.left else fight.left,
        due=effects["advance"].code if "advance" in effects else "",
        details=(*fight.details, *(f"{letter} {detail}" for detail in fate.details)),
    )
    units, toll = Settled(fate.units), _toll(units_of(fight.case.setup, side), fate.units)
    if side == "attacker":
        return replace(after, attackers=units, attacker_toll=toll, halves=(NOTHING, theirs))
    return replace(after, defenders=units, defender_toll=toll, halves=(ours, NOTHING))


LETTERS: Mapping[Side, str] = {"attacker": "A", "defender": "D"}


def _toll(before: tuple[TrimmedCounter, ...], after: tuple[TrimmedCounter, ...]) -> Toll:
    lost = shaken = 0
    for old, new in zip(before, after, strict=True):
        lost += old.steps - new.steps
        if new.steps:
            shaken += _shock(new) - _shock(old)
    return Toll(lost, shaken)


def _shock(unit: TrimmedCounter) -> int:
    return 2 if unit.routed else int(unit.disorganised)


def _chosen(case: Case[TrimmedAttack], side: Side, half: Half) -> Asking[Effects]:
    """At a stroke the owner of the units chooses; at a D the defender, for his opponent."""
    asked: Side = "defender" if half.chooser == "defender" else side
    what = "own-result" if asked == side else "imposed-result"
    codes = yield from choose(asked, what, half.options)
    effects = effects_of(case, codes)
    reading = effects["advance"].reading if "advance" in effects else CERTAIN
    result = "".join(codes) or "-"
    yield case.tell("result", f"{side}-applies", side=side, value=result, reading=reading)
    return effects


def _owed(fight: WhiteOctoberFight, side: Side, effects: Effects) -> Asking[int]:
    """The losses of the result, the mandatory one, and those for hexes that can't be retreated."""
    case, printed, blocked = fight.case, amount(effects, "losses"), 0
    if case.options["no_retreat"] == "loss" and not can_retreat(case.setup, side):
        hexes = amount(effects, "retreat") + amount(effects, "rout")
        row = case.card.number_row("no_retreat_loss")
        blocked = hexes * int(row.value)
        if blocked:
            yield case.tell(
                "note",
                "blocked-losses",
                side=side,
                value=blocked,
                changes="blocked",
                reading=row.reading,
                hexes=hexes,
            )
    owed = printed + fight.mandatory + blocked
    if owed:
        yield case.tell(
            "total",
            f"{side}-owes",
            side=side,
            value=owed,
            of="losses",
            printed=printed,
            mandatory=fight.mandatory,
            blocked=blocked,
        )
    return owed


# ------------------------------------------------------------------ advance


def advance(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """a, a1: a unit of the winner must advance, if the loser has left his hex; others may follow.

    A second hex (8.2.7) only by a, and where it is stated that its conditions hold.
    """
    side, case = fight.winner, fight.case
    if not fight.due or side is None:
        return fight
    units = alive(units_of(fight, side))
    if not units or not gone(fight, enemy_of(side)):
        yield case.tell("remark", "nobody-advances", side=side)
        return replace(fight, due="")
    code = case.card.table("combat").legend[fight.due]
    most = int(code.values["advance"]) if case.setup.second_hex_allowed else 1
    hexes = yield from choose(side, "how-far", range(1, most + 1), code.rule)
    names = [unit.name for unit in units]
    # Whoever goes, the hex is taken.
    name = yield from choose(side, "who-advances", names, code.rule, [True] * len(names))
    yield case.tell("advance", "advances-by", code.rule, side=side, unit=name, value=hexes)
    return replace(fight, due="", advanced=hexes)
