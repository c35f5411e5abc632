"""White October: each side applies its half, the loser first; then the winner advances."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from grognard.card.rows import CERTAIN, SIDES, Side
from grognard.card.tables import Half, Result
from grognard.games.white_october.stated import (
    NOTHING,
    Attack,
    Settled,
    Toll,
    TrimmedAttack,
    TrimmedCounter,
    WhiteOctoberFight,
    WhiteOctoberPreparation,
    can_retreat,
    gone,
)
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import Case, alive, enemy_of, steps, units_of
from grognard.rules.kept import kept
from grognard.rules.line import Line
from grognard.rules.losses import reduced, spreads
from grognard.words.text import Text

# ------------------------------------------------------------------ losses


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
        "note", "mandatory", value=loss, changes="mandatory", reading=row.reading, least=least
    )
    return loss


def lose(
    case: Case[TrimmedAttack], side: Side, units: tuple[TrimmedCounter, ...], owed: int
) -> Asking[tuple[TrimmedCounter, ...]]:
    """The owner spreads his losses over his units as he likes."""
    if not owed:
        return units
    ways, alike = _ways(case, units, owed)
    what = _lost_what(case)
    names = yield from choose(side, "who-loses", ways, alike=alike, counted=what)
    after = list(units)
    for place, unit in enumerate(units):
        if lost := names.count(unit.name):
            after[place] = yield from reduced(
                case, side, unit, lost, phrase="loses-steps", what=what
            )
    return tuple(after)


@kept
def _ways(
    case: Case[TrimmedAttack], units: tuple[TrimmedCounter, ...], owed: int
) -> tuple[Sequence[tuple[str, ...]], tuple[Hashable, ...]]:
    """Give the ways to spread losses, and which of them are alike."""
    ways = spreads({unit.name: unit.steps for unit in units}, owed)
    # Who is shaken again may be eliminated with what he has left: then every way differs.
    worse = case.options["shaken_again"] != "unchanged"
    return tuple(ways), () if worse else tuple([_gone_by(units, way) for way in ways])


def _gone_by(units: Sequence[TrimmedCounter], way: Sequence[str]) -> tuple[tuple[bool, bool], ...]:
    """Tell what a way of losing comes to: what counts is who is gone, and how shaken he was."""
    gone = [unit for unit in units if way.count(unit.name) == unit.steps]
    return tuple(sorted([(unit.disorganised, unit.routed) for unit in gone]))


# ------------------------------------------------------------------ effects

Shaken = Literal["routed", "disorganised"]
Effects = Mapping[str, Result]  # what a result does, and by which code of the legend


class Fate(NamedTuple):
    """The units of a side while its result is applied to them."""

    units: tuple[TrimmedCounter, ...]
    left: bool = False  # they have retreated, routed or surrendered
    details: tuple[str, ...] = ()


@kept
def effects_of(case: Case[TrimmedAttack], codes: tuple[str, ...]) -> Effects:
    """Part a result into losses, retreat, rout, surrender, disorganisation and advance."""
    legend = case.card.table("combat").legend
    return {key: legend[code] for code in codes for key in legend[code].values}


def amount(effects: Effects, key: str) -> int:
    """Give the losses or hexes of an effect; 0 where the result does not have it."""
    return int(effects[key].values[key]) if key in effects else 0


def surrender(case: Case[TrimmedAttack], side: Side, fate: Fate, effects: Effects) -> Asking[Fate]:
    """R: what the losses have left is captured, or settled by the players; its hex is empty."""
    if "surrender" not in effects:
        return fate
    reading = effects["surrender"].reading
    yield case.tell("state", f"{side}-surrenders", side=side, reading=reading)
    if case.options["surrender"] == "players":
        return Fate(fate.units, left=True, details=("surrenders",))
    for unit in alive(fate.units):
        yield case.tell("captured", "is-captured", side=side, unit=unit.name)
    captured = tuple(replace(unit, steps=0) for unit in fate.units)
    return Fate(captured, left=True, details=("captured",))


def retreat(case: Case[TrimmedAttack], side: Side, fate: Fate, effects: Effects) -> Asking[Fate]:
    """r, r2: retreat; dr: rout. Where there is no way back, the option for it decides."""
    kind = "rout" if "rout" in effects else "retreat"
    if kind not in effects:
        return fate
    hexes = amount(effects, kind)
    if can_retreat(case.setup, side):
        reading = effects[kind].reading
        yield case.tell("retreat", f"{side}-{kind}", side=side, value=hexes, reading=reading)
        fate = Fate(fate.units, left=True, details=(f"{kind} {hexes}",))
    else:
        fate = yield from _stuck(case, side, fate)
    if kind == "rout":
        fate = yield from _shaken(case, side, fate, "routed")
    return fate


def _stuck(case: Case[TrimmedAttack], side: Side, fate: Fate) -> Asking[Fate]:
    """No way back: the losses for it are taken already, or all that is left is eliminated."""
    reading = case.card.number_row("no_retreat_loss").reading
    yield case.tell("remark", f"{side}-stuck", side=side, reading=reading)
    if case.options["no_retreat"] == "eliminated":
        return Fate((yield from lose(case, side, fate.units, steps(fate.units))))
    return fate


def disorganisation(
    case: Case[TrimmedAttack], side: Side, fate: Fate, effects: Effects
) -> Asking[Fate]:
    """d: all engaged units that are left."""
    if "disorganised" not in effects or not alive(fate.units):
        return fate
    fate = fate._replace(details=(*fate.details, "disorganised"))
    return (yield from _shaken(case, side, fate, "disorganised"))


def _shaken(case: Case[TrimmedAttack], side: Side, fate: Fate, state: Shaken) -> Asking[Fate]:
    after = list(fate.units)
    for place, unit in enumerate(fate.units):
        if not unit.steps:
            continue
        if unit.routed if state == "routed" else unit.disorganised:
            after[place] = yield from _shaken_again(case, side, unit, state)
        else:
            yield case.tell("state", f"is-{state}", side=side, unit=unit.name)
            after[place] = _in_state(unit, state)
    return fate._replace(units=tuple(after))


def _in_state(unit: TrimmedCounter, state: Shaken) -> TrimmedCounter:
    if state == "routed":
        return replace(unit, routed=True)
    return replace(unit, disorganised=True)


def _shaken_again(
    case: Case[TrimmedAttack], side: Side, unit: TrimmedCounter, state: Shaken
) -> Asking[TrimmedCounter]:
    """A state that a unit has already: nothing more, or by option the next worse."""
    doubt = case.doubt("shaken_again")
    yield case.tell("note", f"already-{state}", side=side, unit=unit.name, reading=doubt)
    if case.options["shaken_again"] == "unchanged":
        return unit
    if not unit.routed:
        yield case.tell("state", "is-routed", side=side, unit=unit.name)
        return _in_state(unit, "routed")
    lost, what = unit.steps, _lost_what(case)
    return (yield from reduced(case, side, unit, lost, phrase="loses-steps", what=what))


# ------------------------------------------------------------------ results


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
    hexes = amount(effects, "retreat") + amount(effects, "rout")
    row, doubt = case.card.number_row("no_retreat_loss"), CERTAIN
    if hexes and not can_retreat(case.setup, side):
        doubt = row.reading
        if case.options["no_retreat"] == "loss":
            blocked = hexes * int(row.value)
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
            reading=doubt,
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
