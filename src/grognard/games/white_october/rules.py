"""White October: the attack, in the order of the printed card.

The dice give the column, each side's dominant morale its row. The loser applies his half first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil, floor
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from grognard.ask import Asking, choose, roll
from grognard.card import CERTAIN, SIDES, Card, Half, Modifier, Result, Side
from grognard.exact import exact
from grognard.fight import Case, Fight, Outcome, Setup, Unit
from grognard.line import Line, signed
from grognard.message import say
from grognard.modifiers import Facts, Sum, factor, modified, share, total
from grognard.procedure import Plain, Procedure
from grognard.setup_check import need, units_named_once
from grognard.text import Text

Count = Annotated[int, Meta(ge=0)]


class Counter(Unit, frozen=True, kw_only=True):
    """A counter of White October. Of `pe` and `steps` one is enough: they are the same number,
    unless losses are taken in steps."""

    pe: Count = 0
    steps: Count = 0
    strength: Count
    quality: Count
    morale: int
    combat: bool = True  # whether its PE count for the mandatory loss
    tank: bool = False
    armoured_car: bool = False
    cavalry: bool = False
    out_of_ammunition: bool = False
    routed: bool = False
    disorganised: bool = False


class Attack(Setup, frozen=True, kw_only=True):
    """What is stated before an attack."""

    attackers: tuple[Counter, ...]
    defenders: tuple[Counter, ...]
    attacker_support: Count = 0  # support fires, air included
    defender_support: Count = 0
    attacker_air: bool = False
    night: bool = False
    attacker_is_ano: bool = False
    hq_bonus: int = 0  # above 0 for the attacker, below 0 for the defender
    attacker_encircled: bool = False
    defender_encircled: bool = False
    attacker_trotsky: bool = False
    defender_trotsky: bool = False
    clear_terrain: bool = False
    terrain_value: Count = 0
    second_hex_allowed: bool = False  # 8.2.7
    attacker_can_retreat: bool = True
    defender_can_retreat: bool = True
    # Dominant values, before modifiers, that the players find otherwise than by counting PE.
    attacker_quality: Count | None = None
    defender_quality: Count | None = None
    attacker_morale: int | None = None
    defender_morale: int | None = None


class Stack(NamedTuple):
    """One side of what is stated."""

    units: tuple[Counter, ...]
    quality: int | None
    morale: int | None
    encircled: bool
    trotsky: bool


def stack_of(setup: Attack, side: Side) -> Stack:
    """Give one side of what is stated; PE and steps are the same where only one is given."""
    if side == "attacker":
        return Stack(
            _counted(setup.attackers),
            setup.attacker_quality,
            setup.attacker_morale,
            setup.attacker_encircled,
            setup.attacker_trotsky,
        )
    return Stack(
        _counted(setup.defenders),
        setup.defender_quality,
        setup.defender_morale,
        setup.defender_encircled,
        setup.defender_trotsky,
    )


def _counted(units: Sequence[Counter]) -> tuple[Counter, ...]:
    return tuple(replace(u, pe=u.pe or u.steps, steps=steps_at_first(u)) for u in units)


def steps_at_first(unit: Counter) -> int:
    """Give the steps that a unit is stated with: by itself, or as its PE."""
    return unit.steps or unit.pe


class Settled(tuple[Counter, ...]):
    """A side's units once its result is applied, and the fight has counted what it did to them.

    From then on only who is left is asked, not who took which loss. Units settled alike are equal,
    and so their fights merge in the odds.
    """

    def __init__(self, units: Iterable[Counter]) -> None:  # noqa: ARG002  # the tuple has them
        self.left = tuple([unit.name for unit in self if unit.steps])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settled) and self.left == other.left

    def __hash__(self) -> int:
        return hash(self.left)


class Toll(NamedTuple):
    """What a result did to a side's units."""

    lost: int  # steps, captured ones too
    shaken: int  # units newly disorganised, and routed ones twice


NOTHING = Half(((),))


class WhiteOctoberFight(Fight, frozen=True, kw_only=True):
    """An attack between two steps."""

    case: Case[Attack]
    attackers: tuple[Counter, ...] = ()
    defenders: tuple[Counter, ...] = ()
    ratio: int = 0  # as a dice modifier
    quality: int = 0  # dominant Quality, the attacker's less the defender's
    rows: tuple[str, str] = ("", "")  # by the dominant morale of attacker and defender
    die_modifier: int = 0
    mandatory: int = 0  # losses of each side beside its result
    winner: Side | None = None
    halves: tuple[Half, Half] = (NOTHING, NOTHING)  # still to be applied
    attacker_toll: Toll = Toll(0, 0)
    defender_toll: Toll = Toll(0, 0)
    left: tuple[Side, ...] = ()  # who has retreated, routed or surrendered
    due: str = ""  # the code by which the winner must advance
    advanced: int = 0  # hexes
    details: tuple[str, ...] = ()


# ------------------------------------------------------------------ who takes part


def side_of(fight: WhiteOctoberFight, side: Side) -> tuple[Counter, ...]:
    """Give a side's units."""
    return fight.attackers if side == "attacker" else fight.defenders


def stated(fight: WhiteOctoberFight, side: Side) -> tuple[Counter, ...]:
    """Give a side's units as they were stated."""
    setup = fight.case.setup
    return setup.attackers if side == "attacker" else setup.defenders


def enemy_of(side: Side) -> Side:
    """Give the other side."""
    return "defender" if side == "attacker" else "attacker"


def alive(units: Iterable[Counter]) -> list[Counter]:
    """Give the units that are still there."""
    return [unit for unit in units if unit.steps]


def gone(fight: WhiteOctoberFight, side: Side) -> bool:
    """Tell whether a side has left its ground: retreated, routed, captured or destroyed."""
    return side in fight.left or not alive(side_of(fight, side))


# ------------------------------------------------------------------ strengths and their ratio


ROUNDINGS: Mapping[str, Callable[[Fraction], int | Fraction]] = {
    "exact": exact,
    "floor": floor,
    "ceil": ceil,
    "nearest": lambda strength: floor(strength + Fraction(1, 2)),
}


def strengths(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """Combat strengths, halved where a unit's state asks for it, and their ratio."""
    attack = yield from _strength(fight, "attacker", "attack-total")
    defence = yield from _strength(fight, "defender", "defence-total")
    ratio = yield from _ratio(fight.case, attack, defence)
    return replace(fight, ratio=ratio)


def _strength(fight: WhiteOctoberFight, side: Side, phrase: str) -> Asking[Fraction]:
    """Halvings of a unit multiply; rounding comes once, on the sum."""
    case, whole = fight.case, Fraction(0)
    halvings = case.card.modifying("", "strength")
    for unit in side_of(fight, side):
        whole += yield from _strength_of(case, side, unit, halvings)
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


def _strength_of(
    case: Case[Attack], side: Side, unit: Counter, halvings: Iterable[Modifier]
) -> Asking[Fraction]:
    product = factor(case.card, halvings, _states(unit), side=side, unit=unit.name)
    if not product.lines:
        yield case.tell(
            "note",
            "unit-factor",
            side=side,
            unit=unit.name,
            value=unit.strength,
            changes="strength",
        )
        return exact(unit.strength)
    yield from product.lines
    strength, lines = share(
        case.card,
        unit.strength,
        product.value,
        changes="strength",
        side=side,
        unit=unit.name,
    )
    yield from lines
    return strength


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


# ------------------------------------------------------------------ dominant Quality and morale


def dominants(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
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


# ------------------------------------------------------------------ modifiers


def dice_modifiers(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """Everything that changes the attack dice; what a loss is, and the mandatory one."""
    card = fight.case.card
    added = total(card, card.modifying("combat", "die"), facts_of(fight))
    yield from added.lines
    yield fight.case.tell("die", "die-modifier", value=added.value, of="die", changes="roll")
    yield _loss_line(fight.case)
    mandatory = yield from _mandatory(fight)
    return replace(fight, ratio=0, quality=0, die_modifier=added.value, mandatory=mandatory)


def facts_of(fight: WhiteOctoberFight) -> Facts:
    """State what the card's dice modifiers look at; its options are facts too."""
    setup, least = fight.case.setup, fight.case.card.number("cavalry_quality")
    vehicles, their_vehicles = (
        sum(unit.tank or unit.armoured_car for unit in side_of(fight, side)) for side in SIDES
    )
    cavalry, their_cavalry = (
        any(unit.cavalry and unit.quality >= least for unit in side_of(fight, side))
        for side in SIDES
    )
    return {
        **fight.case.options,
        "ratio_modifier": fight.ratio,
        "quality_difference": fight.quality,
        "support_difference": setup.attacker_support - setup.defender_support,
        "vehicle_difference": vehicles - their_vehicles,
        "attacker_tank": any(unit.tank for unit in fight.attackers),
        "attacker_air": setup.attacker_air,
        "night": setup.night,
        "attacker_is_ano": setup.attacker_is_ano,
        "hq_bonus": setup.hq_bonus,
        "defender_encircled": setup.defender_encircled,
        "cavalry_attack": cavalry,
        "enemy_cavalry": their_cavalry,
        "clear_terrain": setup.clear_terrain,
        "terrain_value": setup.terrain_value,
    }


def _loss_line(case: Case[Attack]) -> Line:
    results = case.card.table("combat").results
    reading = next(r.reading for r in results if r.reading.option == "losses_in")
    return case.tell("note", "losses-in", reading=reading, what=_lost_what(case))


def _lost_what(case: Case[Attack]) -> Text:
    return case.card.phrase(f"lost-{case.options['losses_in']}")


def _mandatory(fight: WhiteOctoberFight) -> Asking[int]:
    """One loss more for each side, where both have enough PE of combat units engaged."""
    card = fight.case.card
    least, row = card.number("mandatory_loss_from"), card.number_row("mandatory_loss")
    engaged = [sum(u.pe for u in side_of(fight, side) if u.combat) for side in SIDES]
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


# ------------------------------------------------------------------ the dice


def dice(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """Roll, modify, see who wins, and read each side's half."""
    case, table = fight.case, fight.case.card.table("combat")
    rolled = yield from roll("combat-roll", 2)
    die = rolled + fight.die_modifier
    yield from modified(case.card, rolled, fight.die_modifier)
    last = case.card.number_row("last_column")
    if die > last.value:
        yield case.tell(
            "clamp", "column-clamped", value=last.value, changes="roll", reading=last.reading
        )
    label = table.column_labels[table.columns.position(die) or 0]
    yield case.tell("column", "final-column", value=label, of=table.id)
    winner = winner_of(case, die)
    yield _victory(case, winner)
    rows = rows_read(fight, winner)
    for side, row, own in zip(SIDES, rows, fight.rows, strict=True):
        if row != own:
            yield case.tell("row", f"{side}-row", side=side, value=row, of=table.id)
    halves = yield from _halves(case, rows, label)
    mandatory = fight.mandatory
    if case.options["mandatory_loss"] == "only_with_effect" and not _any_effect(halves):
        mandatory = 0
    return replace(
        fight,
        rows=("", ""),
        die_modifier=0,
        mandatory=mandatory,
        winner=winner,
        halves=halves,
        result="|".join(str(half) or "-" for half in halves),
    )


def winner_of(case: Case[Attack], modified: int) -> Side | None:
    """Tell under whose victory the column stands."""
    if modified >= case.card.number("attacker_wins_from"):
        return "attacker"
    between = modified == case.card.number("column_without_winner")
    return None if between and case.options["column_7"] == "nobody" else "defender"


def _victory(case: Case[Attack], winner: Side | None) -> Line:
    if winner:
        return case.tell("remark", f"{winner}-wins", side=winner)
    reading = case.card.number_row("column_without_winner").reading
    return case.tell("remark", "nobody-wins", reading=reading)


def rows_read(fight: WhiteOctoberFight, winner: Side | None) -> tuple[str, str]:
    """Give the rows on which attacker and defender read, by the option for it."""
    ours, theirs = fight.rows
    whose = fight.case.options["morale_row"]
    if whose in ("winner", "loser"):
        if winner is None:  # the column is empty on every row
            return fight.rows
        whose = winner if whose == "winner" else enemy_of(winner)
    if whose == "attacker":
        return ours, ours
    return (theirs, theirs) if whose == "defender" else fight.rows


def _halves(case: Case[Attack], rows: tuple[str, str], label: str) -> Asking[tuple[Half, Half]]:
    ours = yield from _half(case, "attacker", rows[0], label)
    theirs = yield from _half(case, "defender", rows[1], label)
    return ours, theirs


def _half(case: Case[Attack], side: Side, row: str, label: str) -> Asking[Half]:
    """Read a half; where it is doubtful, its reading goes with it as a warning."""
    table = case.card.table("combat")
    half = table.read(row, label, case.options, side)
    doubts = table.cell(row, label).doubts
    reading = next((doubt.reading for doubt in doubts if doubt.half == side), CERTAIN)
    yield case.tell(
        "result",
        "look-up",
        side=side,
        value=str(half) or "-",
        of=table.id,
        reading=reading,
        who=case.card.phrase(side),
        row=row,
        column=label,
    )
    return half


def _any_effect(halves: Iterable[Half]) -> bool:
    return any(set(codes) - {"-"} for half in halves for codes in half.options)


# ------------------------------------------------------------------ results, the loser first


def loser_results(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """The loser applies his half first; where nobody has won, the attacker."""
    return (yield from _results(fight, enemy_of(fight.winner or "defender")))


def winner_results(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """Then the winner applies his."""
    return (yield from _results(fight, fight.winner or "defender"))


Effects = Mapping[str, Result]  # what a result does, and by which code of the legend


class Fate(NamedTuple):
    """What becomes of a side's units while its result is applied."""

    units: tuple[Counter, ...]
    left: bool = False  # they have retreated, routed or surrendered
    details: tuple[str, ...] = ()


def _results(fight: WhiteOctoberFight, side: Side) -> Asking[WhiteOctoberFight]:
    """A side's result: first its losses, then what it does to all engaged units that are left."""
    case = fight.case
    effects = yield from _chosen(case, side, fight.halves[SIDES.index(side)])
    owed = yield from _owed(fight, side, effects)
    units = yield from _losses(case, side, side_of(fight, side), owed)
    fate = Fate(units)
    if alive(units):
        fate = yield from _surrender(case, side, fate, effects)
        fate = yield from _retreat(case, side, fate, effects)
        fate = yield from _disorganisation(case, side, fate, effects)
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
    units, toll = Settled(fate.units), _toll(stated(fight, side), fate.units)
    if side == "attacker":
        return replace(after, attackers=units, attacker_toll=toll, halves=(NOTHING, theirs))
    return replace(after, defenders=units, defender_toll=toll, halves=(ours, NOTHING))


LETTERS: Mapping[Side, str] = {"attacker": "A", "defender": "D"}


def _toll(before: tuple[Counter, ...], after: tuple[Counter, ...]) -> Toll:
    lost = shaken = 0
    for old, new in zip(before, after, strict=True):
        lost += steps_at_first(old) - new.steps
        if new.steps:
            shaken += _shock(new) - _shock(old)
    return Toll(lost, shaken)


def _shock(unit: Counter) -> int:
    return 2 if unit.routed else int(unit.disorganised)


def _chosen(case: Case[Attack], side: Side, half: Half) -> Asking[Effects]:
    """At a stroke the owner of the units chooses; at a D the defender, for his opponent."""
    asked: Side = "defender" if half.chooser == "defender" else side
    what = "own-result" if asked == side else "imposed-result"
    codes = yield from choose(asked, what, half.options)
    effects = effects_of(case, codes)
    reading = effects["advance"].reading if "advance" in effects else CERTAIN
    result = "".join(codes) or "-"
    yield case.tell("result", f"{side}-applies", side=side, value=result, reading=reading)
    return effects


def effects_of(case: Case[Attack], codes: Iterable[str]) -> Effects:
    """Part a result into losses, retreat, rout, surrender, disorganisation and advance."""
    legend = case.card.table("combat").legend
    return {key: legend[code] for code in codes for key in legend[code].values}


def amount(effects: Effects, key: str) -> int:
    """Give the losses or hexes of an effect; 0 where the result does not have it."""
    return int(effects[key].values[key]) if key in effects else 0


def can_retreat(setup: Attack, side: Side) -> bool:
    """Tell whether a side's way back is open."""
    return setup.attacker_can_retreat if side == "attacker" else setup.defender_can_retreat


# ------------------------------------------------------------------ losses


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


def _losses(
    case: Case[Attack], side: Side, units: tuple[Counter, ...], owed: int
) -> Asking[tuple[Counter, ...]]:
    """The owner spreads his losses over his units as he likes."""
    if not owed:
        return units
    names = yield from choose(side, "who-loses", _spreads(units, owed))
    after = list(units)
    for place, unit in enumerate(units):
        if lost := names.count(unit.name):
            after[place] = yield from _reduced(case, side, unit, lost)
    return tuple(after)


def _spreads(units: Sequence[Counter], owed: int) -> list[tuple[str, ...]]:
    """Give the ways to spread losses: each unit is named as often as it loses."""
    if owed >= sum([unit.steps for unit in units]):
        return [tuple(unit.name for unit in units for _ in range(unit.steps))]
    ways = combinations_with_replacement([unit.name for unit in alive(units)], owed)
    weak = [unit for unit in units if unit.steps < owed]
    return [way for way in ways if all(way.count(u.name) <= u.steps for u in weak)]


def _reduced(case: Case[Attack], side: Side, unit: Counter, lost: int) -> Asking[Counter]:
    """Take PE or steps from a unit, and the unit away when it has none left."""
    left = unit.steps - lost
    yield case.tell(
        "loss",
        "loses-steps",
        side=side,
        unit=unit.name,
        value=left,
        lost=lost,
        what=_lost_what(case),
    )
    if not left:
        yield case.tell("eliminated", "is-eliminated", side=side, unit=unit.name)
    return replace(unit, steps=left)


# ------------------------------------------------------------------ effects


def _surrender(case: Case[Attack], side: Side, fate: Fate, effects: Effects) -> Asking[Fate]:
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


def _retreat(case: Case[Attack], side: Side, fate: Fate, effects: Effects) -> Asking[Fate]:
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


def _stuck(case: Case[Attack], side: Side, fate: Fate) -> Asking[Fate]:
    """No way back: the losses for it are taken already, or all that is left is eliminated."""
    reading = case.card.number_row("no_retreat_loss").reading
    yield case.tell("remark", f"{side}-stuck", side=side, reading=reading)
    if case.options["no_retreat"] == "eliminated":
        owed = sum(unit.steps for unit in fate.units)
        return Fate((yield from _losses(case, side, fate.units, owed)))
    return fate


def _disorganisation(case: Case[Attack], side: Side, fate: Fate, effects: Effects) -> Asking[Fate]:
    """d: all engaged units that are left."""
    if "disorganised" not in effects or not alive(fate.units):
        return fate
    fate = fate._replace(details=(*fate.details, "disorganised"))
    return (yield from _shaken(case, side, fate, "disorganised"))


def _shaken(
    case: Case[Attack], side: Side, fate: Fate, state: Literal["routed", "disorganised"]
) -> Asking[Fate]:
    after = list(fate.units)
    for place, unit in enumerate(fate.units):
        routed = unit.routed or state == "routed"
        disorganised = unit.disorganised or state == "disorganised"
        if unit.steps and (routed, disorganised) != (unit.routed, unit.disorganised):
            yield case.tell("state", f"is-{state}", side=side, unit=unit.name)
            after[place] = replace(unit, routed=routed, disorganised=disorganised)
    return fate._replace(units=tuple(after))


# ------------------------------------------------------------------ advance


def advance(fight: WhiteOctoberFight) -> Asking[WhiteOctoberFight]:
    """a, a1: a unit of the winner must advance, if the loser has left his hex; others may follow.

    A second hex (8.2.7) only by a, and where it is stated that its conditions hold.
    """
    side, case = fight.winner, fight.case
    if not fight.due or side is None:
        return fight
    units = alive(side_of(fight, side))
    if not units or not gone(fight, enemy_of(side)):
        yield case.tell("remark", "nobody-advances", side=side)
        return replace(fight, due="")
    code = case.card.table("combat").legend[fight.due]
    most = int(code.values["advance"]) if case.setup.second_hex_allowed else 1
    hexes = yield from choose(side, "how-far", range(1, most + 1), code.rule)
    name = yield from choose(side, "who-advances", [unit.name for unit in units], code.rule)
    yield case.tell("advance", "advances-by", code.rule, side=side, unit=name, value=hexes)
    return replace(fight, due="", advanced=hexes)


# ------------------------------------------------------------------ beginning and end


def check(setup: Attack, card: Card, options: Mapping[str, str]) -> None:
    """Refuse what the rules do not allow."""
    units_named_once(setup.attackers, setup.defenders)
    both = setup.attacker_trotsky and setup.defender_trotsky
    need(not both, say("Trotsky is with one side only"), "defender_trotsky")
    need(setup.attackers, say("nobody attacks; at least one unit must"), "attackers")
    need(setup.defenders, say("nobody is attacked; at least one unit must be"), "defenders")
    strong = any(unit.strength for unit in setup.attackers)
    need(strong, say("the attackers have no combat strength"), "attackers")
    for side in SIDES:
        stack = stack_of(setup, side)
        for unit in stack.units:
            _check_unit(unit, card, options, f"{side}s")
        if stack.morale is not None:
            _check_morale(stack.morale, card, f"{side}_morale")
        morale, added = morale_of(stack, card, options, side)
        if options["morale_clamp"] == "refuse":
            _check_morale(morale + added.value, card, f"{side}s")


def _check_unit(unit: Counter, card: Card, options: Mapping[str, str], place: str) -> None:
    need(unit.pe, say("'{name}' has no PE", name=unit.name), place)
    same = unit.pe == unit.steps or options["losses_in"] == "steps"
    problem = say(
        "'{name}' has {pe} PE and {steps} steps; they differ only where losses are taken in steps "
        "(option losses_in)",
        name=unit.name,
        pe=unit.pe,
        steps=unit.steps,
    )
    need(same, problem, place)
    _check_morale(unit.morale, card, place)


def _check_morale(morale: int, card: Card, place: str) -> None:
    least, most = card.number("morale_least"), card.number("morale_most")
    problem = say(
        "the table has no row for a morale of {morale}; expected {least} to {most}",
        morale=morale,
        least=least,
        most=most,
    )
    need(least <= morale <= most, problem, place)


def start(case: Case[Attack]) -> WhiteOctoberFight:
    """Begin an attack."""
    ours, theirs = (stack_of(case.setup, side).units for side in SIDES)
    return WhiteOctoberFight(case=case, attackers=ours, defenders=theirs)


def outcome(fight: WhiteOctoberFight) -> Outcome:
    """Sum up what has happened; who is captured is lost."""
    details = fight.details
    if fight.advanced > 1:
        details = (*details, f"advance {fight.advanced}")
    return Outcome(
        result=fight.result,
        attacker_steps_lost=fight.attacker_toll.lost,
        defender_steps_lost=fight.defender_toll.lost,
        attacker_eliminated=not alive(fight.attackers),
        defender_eliminated=not alive(fight.defenders),
        vacated=gone(fight, "defender"),
        taken=fight.advanced > 0 and fight.winner == "attacker",
        attacker_left=gone(fight, "attacker"),
        defender_advanced=fight.advanced > 0 and fight.winner == "defender",
        attacker_shaken=fight.attacker_toll.shaken,
        defender_shaken=fight.defender_toll.shaken,
        details=details,
    )


# What has done its work when rows and dice modifiers are known, as if it had not been stated.
RECKONED = {
    "attacker_air": False,
    "night": False,
    "attacker_is_ano": False,
    "hq_bonus": 0,
    "clear_terrain": False,
    "terrain_value": 0,
    **{f"{side}_support": 0 for side in SIDES},
    **{f"{side}_encircled": False for side in SIDES},
    **{f"{side}_trotsky": False for side in SIDES},
    **{f"{side}_quality": None for side in SIDES},
    **{f"{side}_morale": None for side in SIDES},
}
RECKONED_OF_UNITS = {
    "pe": 0,
    "strength": 0,
    "quality": 0,
    "morale": 0,
    "combat": True,
    "tank": False,
    "armoured_car": False,
    "cavalry": False,
    "out_of_ammunition": False,
}


def plain(fight: WhiteOctoberFight) -> WhiteOctoberFight:
    """Before the dice: of the morale its row is left, of all else what it adds to the dice."""
    setup = fight.case.setup
    attackers, defenders = (
        tuple(map(_plain_unit, units)) for units in (setup.attackers, setup.defenders)
    )
    stated = replace(setup, **RECKONED, attackers=attackers, defenders=defenders)
    return replace(
        fight, case=fight.case.restated(stated), attackers=attackers, defenders=defenders
    )


def _plain_unit(unit: Counter) -> Counter:
    return replace(unit, **RECKONED_OF_UNITS, steps=steps_at_first(unit))


def moved(fight: WhiteOctoberFight, columns: int, die: int) -> WhiteOctoberFight:  # noqa: ARG001  # as procedures call it
    """Give the attack with more added to the dice: they alone choose the column."""
    return replace(fight, die_modifier=fight.die_modifier + die)


PROCEDURES = (
    Procedure(
        id="attack",
        setup=Attack,
        start=start,
        steps=(
            strengths,
            dominants,
            dice_modifiers,
            dice,
            loser_results,
            winner_results,
            advance,
        ),
        outcome=outcome,
        check=check,
        plain=Plain(before=dice, of=plain, moved=moved),
    ),
)
