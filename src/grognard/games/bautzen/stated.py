"""Bautzen 1945: the set-up of an attack, the fight between two steps, what is left when trimmed."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from msgspec import Meta

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.rules.fight import Case, Count, Fight, Setup, Unit, alive, units_of
from grognard.rules.kept import kept
from grognard.rules.line import Line
from grognard.rules.procedure import trimmed

Kind = Literal[
    "infantry",
    "motorised",
    "mechanised",
    "armour",
    "engineers",
    "anti-tank",
    "hq",
    "artillery",
    "cl",
]
Role = Literal["fighting", "hq", "artillery", "cl"]
SUPPORTS = ("hq", "artillery")
# 7.3: their defence is halved when unsupplied; the others defend as usual.
MECHANICAL = ("armour", "motorised", "mechanised", "engineers", "hq")


class Counter(Unit, frozen=True, kw_only=True):
    """A counter of Bautzen. HQs and artillery have a support factor, the others the two others."""

    kind: Kind = "infantry"
    size: Literal["regiment", "brigade", "first-corps", "division-hq", "army-hq", "cl"] = "regiment"
    attack: Count = 0
    defence: Count = 0
    support: Count = 0
    steps: Annotated[int, Meta(ge=1, le=2)] = 2
    unsupplied: bool = False
    overstacked: bool = False
    across_river: bool = False
    near_dominant: bool = False  # 10.2: an HQ that supports on or near a dominant position
    at_distance: bool = False  # it only lends its support, and is in none of the hexes
    retreated: bool = False  # 8.5.2b: this defender, in this combat segment


class Attack(Setup, frozen=True, kw_only=True):
    """The set-up of an attack."""

    attackers: tuple[Counter, ...]
    defenders: tuple[Counter, ...]
    terrain: tuple[str, ...] = ("clear",)
    allied: Side = "defender"
    formation_complete: bool = False
    concentric: bool = False
    attacker_cl: Count = 0
    defender_cl: Count = 0
    attacker_air: Count = 0
    defender_air: Count = 0
    # What each side may still commit in secret, beyond what is stated above.
    attacker_cl_at_hand: Count = 0
    defender_cl_at_hand: Count = 0
    attacker_air_at_hand: Count = 0
    defender_air_at_hand: Count = 0
    attacker_cl_on_map: Count = 0  # 8.6.3: no more than four
    can_retreat: bool = True
    retreat_room: Count | None = None  # 8.5.2a: how far it can go, where a short retreat stays
    retreat_unsupplied: bool = False
    retreated_before: bool = False  # 8.5.2b: every unit of the hex, in this combat segment


class BautzenPreparation(Fight, frozen=True, kw_only=True):
    """An attack until its column is known."""

    case: Case[Attack]
    attackers: tuple[Counter, ...] = ()
    defenders: tuple[Counter, ...] = ()
    committed: tuple[int, int, int, int] = (0, 0, 0, 0)  # CL and air, attacker's then defender's
    attack: int = 0
    defence: int = 0
    column: int = 0
    die_modifier: int = 0


# ------------------------------------------------------------------ once the column is known

FITS = 1  # the room of a hex, and the points of a unit that can advance into it
TOO_LARGE = 2


class TrimmedCounter(Unit, frozen=True, kw_only=True):
    """A counter without its factors."""

    kind: Role
    points: int  # 5.1: the room that it takes in a hex
    at_distance: bool
    retreated: bool  # 8.5.2b: in this combat segment


class TrimmedAttack(Setup, frozen=True, kw_only=True):
    """What still counts of what was stated."""

    attackers: tuple[TrimmedCounter, ...]
    defenders: tuple[TrimmedCounter, ...]
    room: int  # 5.2: the stacking limit of the hex
    cl_room: int  # 7.2: how many columns the attacker can capture; 0 where he attacks units
    can_retreat: bool
    retreat_room: int | None
    retreat_unsupplied: bool


class BautzenFight(Fight, frozen=True, kw_only=True):
    """An attack whose column is known."""

    case: Case[TrimmedAttack]
    attackers: tuple[TrimmedCounter, ...] = ()
    defenders: tuple[TrimmedCounter, ...] = ()
    spent: tuple[int, int] = (0, 0)  # columns and air markers together, attacker's and defender's
    column: int = 0
    die_modifier: int = 0
    owed: tuple[int, int] = (0, 0)  # steps, attacker and defender
    retreat: int = 0
    advanced: tuple[str, ...] = ()
    columns_alone: bool = False  # 8.6.3: they are attacked without other units
    fates: tuple[str, ...] = ()  # of logistic columns alone in the hex


# ------------------------------------------------------------------ once the totals are known


Committed = tuple[int, int, int, int]  # CL and air, attacker's then defender's


class Place(NamedTuple):
    """The column and the die modifier that follow from what is committed, with their doubts."""

    committed: Committed
    column: int
    die_modifier: int
    doubts: tuple[Line, ...]


class Totalled(Setup, frozen=True, kw_only=True):
    """What the commitments and all that follows them depend on, of what was stated."""

    attackers: tuple[TrimmedCounter, ...]
    defenders: tuple[TrimmedCounter, ...]
    places: tuple[Place, ...]  # of everything that can be committed
    attacker_cl: int
    defender_cl: int
    attacker_air: int
    defender_air: int
    attacker_cl_at_hand: int
    defender_cl_at_hand: int
    attacker_air_at_hand: int
    defender_air_at_hand: int
    can_retreat: bool
    retreat_room: int | None
    retreat_unsupplied: bool


class BautzenTotals(Fight, frozen=True, kw_only=True):
    """An attack on units of which it is known where each commitment leads. Only odds use it."""

    case: Case[Totalled]
    attackers: tuple[TrimmedCounter, ...] = ()
    defenders: tuple[TrimmedCounter, ...] = ()
    committed: Committed = (0, 0, 0, 0)
    column: int = 0
    die_modifier: int = 0


Preparation = BautzenPreparation | BautzenTotals

# ------------------------------------------------------------------ who takes part

C = TypeVar("C", Counter, TrimmedCounter)


def in_hex(units: Iterable[C]) -> list[C]:
    """Give the attacked units among the defenders: all of the hex but its logistic columns."""
    return [u for u in units if u.kind != "cl" and not u.at_distance]


def only_columns(units: Iterable[C]) -> bool:
    """8.6.3: no defender but logistic columns stands in the hex, so there is no combat."""
    for unit in units:  # noqa: SIM110  # every step asks
        if unit.kind != "cl" and not unit.at_distance:
            return False
    return True


def columns_only(fight: Preparation) -> bool:
    """8.6.3: only logistic columns are attacked."""
    return isinstance(fight, BautzenPreparation) and only_columns(fight.defenders)


def loss_takers(fight: BautzenFight, side: Side) -> list[TrimmedCounter]:
    """8.3: the units that took part and can lose steps."""
    return takers(fight.case, side, units_of(fight, side))


def takers(case: Case[Any], side: Side, units: Iterable[TrimmedCounter]) -> list[TrimmedCounter]:
    """8.3: those of a side's units that took part and can lose steps."""
    able = [u for u in alive(units) if u.kind != "cl"]
    if case.options["support_losses"] == "supports_too":
        return able
    lending = only_support(side, able)
    return [u for u in able if u not in lending] if lending else able


def only_support(side: Side, units: Iterable[TrimmedCounter]) -> list[TrimmedCounter]:
    """8.3: those of a side's units that lend their support and are not engaged themselves."""
    lending = [u for u in alive(units) if u.kind in SUPPORTS]
    return lending if side == "attacker" else [u for u in lending if u.at_distance]


def vacated(fight: BautzenFight) -> bool:
    """Tell whether the defender has left his hex, on foot or dead."""
    if only_columns(fight.defenders):
        return bool(fight.fates)
    return fight.retreat > 0 or not alive(in_hex(fight.defenders))


def stacking_limit(card: Card, terrain: tuple[str, ...]) -> int:
    """5.2: the tightest limit of the hex; terrain without one leaves that of clear ground."""
    limits = [card.terrain_row(word).stacking for word in terrain]
    clear = card.terrain_row("clear").stacking
    return min(
        (n for n in limits if isinstance(n, int)), default=clear if isinstance(clear, int) else 0
    )


def stacking_points(card: Card, size: str) -> int:
    """5.1: how much room a unit of a size takes."""
    table = card.table("stacking")
    return int(table.cell(size, table.column_labels[0]).codes[0])


# ------------------------------------------------------------------ trimming


def trim(fight: Preparation) -> BautzenFight:
    """Drop the factors and all that shifts the column; keep the room of the hex for its terrain."""
    totalled = isinstance(fight, BautzenTotals)
    case = _trimmed_totals(fight.case) if totalled else trimmed_case(fight.case)
    cl, air, their_cl, their_air = fight.committed
    return BautzenFight(
        case=case,
        attackers=case.setup.attackers,
        defenders=case.setup.defenders,
        spent=(cl + air, their_cl + their_air),
        column=fight.column,
        die_modifier=fight.die_modifier,
        columns_alone=columns_only(fight),
    )


@lru_cache(maxsize=256)  # the same whatever is committed
def _trimmed_totals(case: Case[Totalled]) -> Case[TrimmedAttack]:
    return case.restated(trimmed(TrimmedAttack, case.setup, room=FITS, cl_room=0))


@lru_cache(maxsize=256)  # the same whatever is committed
def trimmed_case(case: Case[Attack]) -> Case[TrimmedAttack]:
    """Give the case without what no step looks at once the column is known."""
    setup, cl_room = case.setup, 0
    if only_columns(setup.defenders):
        cl_room = int(case.card.number("cl_on_map")) - setup.attacker_cl_on_map
    stated = TrimmedAttack(
        attackers=trimmed_attackers(case),
        defenders=trimmed_defenders(case),
        room=room_of(case),
        cl_room=cl_room,
        can_retreat=setup.can_retreat,
        retreat_room=setup.retreat_room,
        retreat_unsupplied=setup.retreat_unsupplied,
    )
    return case.restated(stated)


def trimmed_attackers(case: Case[Attack]) -> tuple[TrimmedCounter, ...]:
    """Give the attackers without their factors."""
    return tuple([_trimmed(case, unit, False) for unit in case.setup.attackers])


def trimmed_defenders(case: Case[Attack]) -> tuple[TrimmedCounter, ...]:
    """Give the defenders without their factors."""
    return _trimmed_stack(case, case.setup.defenders, case.setup.retreated_before)


@kept
def _trimmed_stack(
    case: Case[Attack], units: tuple[Counter, ...], retreated: bool
) -> tuple[TrimmedCounter, ...]:
    return tuple([_trimmed(case, unit, unit.retreated or retreated) for unit in units])


def room_of(case: Case[Attack]) -> int:
    """5.2: the stacking limit of the hex."""
    return _room(case, case.setup.terrain)


@kept
def _room(case: Case[Attack], terrain: tuple[str, ...]) -> int:
    return stacking_limit(case.card, terrain)


@kept
def _trimmed(case: Case[Attack], unit: Counter, retreated: bool) -> TrimmedCounter:
    role = unit.kind if unit.kind in (*SUPPORTS, "cl") else "fighting"
    points = stacking_points(case.card, unit.size)
    return trimmed(TrimmedCounter, unit, kind=role, points=points, retreated=retreated)
