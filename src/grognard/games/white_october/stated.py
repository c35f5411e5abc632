"""White October: the set-up of an attack, the fight between two steps, what trimming leaves."""

from collections.abc import Iterable
from typing import Annotated, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from grognard.card.rows import SIDES, Side
from grognard.card.tables import Half
from grognard.rules.fight import Case, Count, Fight, Setup, Unit, alive, units_of
from grognard.rules.kept import kept
from grognard.rules.procedure import trimmed


class Counter(Unit, frozen=True, kw_only=True):
    """A counter of White October. Of `pe` and `steps` one is enough: they are the same number,
    unless losses are taken in steps."""

    pe: Annotated[int, Meta(ge=0, le=100)] = 0
    steps: Annotated[int, Meta(ge=0, le=100)] = 0
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
    """The set-up of an attack."""

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
    """One side of the set-up: its units, and what is stated of it by the same names."""

    units: tuple[Counter, ...]
    quality: int | None
    morale: int | None
    encircled: bool
    trotsky: bool


def stack_of(setup: Attack, side: Side) -> Stack:
    """Give one side of the set-up; PE and steps are the same where only one is given."""
    units = tuple(map(_at_first, units_of(setup, side)))
    return Stack(units, *(getattr(setup, f"{side}_{field}") for field in Stack._fields[1:]))


def _at_first(unit: Counter) -> Counter:
    if unit.pe and unit.steps:
        return unit
    return replace(unit, pe=unit.pe or unit.steps, steps=steps_at_first(unit))


def steps_at_first(unit: Counter) -> int:
    """Give the steps that a unit is stated with: by itself, or as its PE."""
    return unit.steps or unit.pe


class WhiteOctoberPreparation(Fight, frozen=True, kw_only=True):
    """An attack until its rows and dice modifiers are known."""

    case: Case[Attack]
    attackers: tuple[Counter, ...] = ()
    defenders: tuple[Counter, ...] = ()
    ratio: int = 0  # as a dice modifier
    quality: int = 0  # dominant Quality, the attacker's less the defender's
    rows: tuple[str, str] = ("", "")  # by the dominant morale of attacker and defender
    die_modifier: int = 0
    mandatory: int = 0  # losses of each side beside its result


# ------------------------------------------------------------------ before the dice


class TrimmedCounter(Unit, frozen=True, kw_only=True):
    """A counter without its strength, Quality and morale."""

    routed: bool
    disorganised: bool


class TrimmedAttack(Setup, frozen=True, kw_only=True):
    """What still counts of what was stated."""

    attackers: tuple[TrimmedCounter, ...]
    defenders: tuple[TrimmedCounter, ...]
    second_hex_allowed: bool
    attacker_can_retreat: bool
    defender_can_retreat: bool


def can_retreat(setup: TrimmedAttack, side: Side) -> bool:
    """Tell whether a side's way back is open."""
    return setup.attacker_can_retreat if side == "attacker" else setup.defender_can_retreat


class Settled(tuple[TrimmedCounter, ...]):
    """A side's units once its result is applied, and the fight has counted what it did to them.

    From then on only who is left is asked, not who took which loss. Units settled alike are equal,
    and so their fights merge in the odds.
    """

    def __init__(self, units: Iterable[TrimmedCounter]) -> None:  # noqa: ARG002  # the tuple has them
        self.left = tuple([unit.name for unit in self if unit.steps])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settled) and self.left == other.left

    def __hash__(self) -> int:
        return hash(self.left)


class Toll(NamedTuple):
    """The cost of a result to a side."""

    lost: int  # steps, captured ones too
    shaken: int  # units newly disorganised, and routed ones twice


NOTHING = Half(((),))


class WhiteOctoberFight(Fight, frozen=True, kw_only=True):
    """An attack whose rows and dice modifiers are known."""

    case: Case[TrimmedAttack]
    attackers: tuple[TrimmedCounter, ...] = ()
    defenders: tuple[TrimmedCounter, ...] = ()
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


def gone(fight: WhiteOctoberFight, side: Side) -> bool:
    """Tell whether a side has left its ground: retreated, routed, captured or destroyed."""
    return side in fight.left or not alive(units_of(fight, side))


# ------------------------------------------------------------------ trimming


def trim(fight: WhiteOctoberPreparation) -> WhiteOctoberFight:
    """Keep the rows of the morale, and what all else adds to the dice."""
    setup = fight.case.setup
    ours, theirs = (
        tuple([_trimmed(fight.case, unit) for unit in units_of(setup, side)]) for side in SIDES
    )
    stated = trimmed(TrimmedAttack, setup, attackers=ours, defenders=theirs)
    case = fight.case.restated(stated)
    return trimmed(WhiteOctoberFight, fight, case=case, attackers=ours, defenders=theirs)


@kept
def _trimmed(case: Case[Attack], unit: Counter) -> TrimmedCounter:  # noqa: ARG001  # as it is kept
    return trimmed(TrimmedCounter, unit, steps=steps_at_first(unit))
