"""Panzer Grenadier: the set-up of a fire, the fire between two steps, what trimming leaves."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from grognard.rules.fight import Case, Count, Fight, Setup, Steps, Unit
from grognard.rules.kept import kept
from grognard.rules.procedure import trimmed

State = Literal["good-order", "disrupted", "demoralised"]
Kind = Literal[
    "infantry",
    "engineers",
    "cavalry",
    "mortar",
    "anti-tank",
    "anti-aircraft",
    "artillery",
    "afv-closed",
    "afv-open",
    "other",
    "truck",
    "wagon",
    "sledge",
    "leader",
]
AFVS = ("afv-closed", "afv-open")
TRANSPORT = ("truck", "wagon", "sledge")
STATES: tuple[State, ...] = ("good-order", "disrupted", "demoralised")  # from best to worst


class Firer(Unit, frozen=True, kw_only=True, cache_hash=True):
    """A firing unit, with the value of the kind of fire that it uses."""

    fire: Count = 0
    anti_tank: Count | None = None
    state: State = "good-order"


class Target(Unit, frozen=True, kw_only=True, cache_hash=True):
    """A unit in the target hex, or a leader in it or next to it."""

    kind: Kind = "infantry"
    morale: Count
    steps: Steps = 2
    state: State = "good-order"
    armour: Count | None = None
    dug_in: bool = False
    engineers_crossing: bool = False
    bonus: Count = 0  # of a leader, to the morale of the hex
    distance: Count = 0  # of a leader, in hexes from the target hex

    @property
    def has_steps(self) -> bool:
        """Leaders have none."""
        return self.kind != "leader"


class Fire(Setup, frozen=True, kw_only=True):
    """The set-up of any fire."""

    attackers: tuple[Firer, ...]
    defenders: tuple[Target, ...]
    range: Count
    terrain: tuple[str, ...] = ("clear",)
    opportunity_fire: bool = False


class DirectFire(Fire, frozen=True, kw_only=True):
    """The set-up of direct fire."""

    entrenched: bool = False
    night: bool = False
    adjacent_to_all: bool = False  # goes without saying for a single firer at range 1
    minefield_of_firer: bool = False
    air_attack: bool = False
    aa_unit: bool = False
    aa_distance: Count | None = None


class AntiTankFire(Fire, frozen=True, kw_only=True):
    """The set-up of anti-tank fire: one firer, one target, and leaders who help it."""

    target_moved: bool = False
    target_higher: bool = False
    crossfire: bool = False
    crossfire_hexes_only: bool = False


class Group(NamedTuple):
    """Units that are fired at on one column, by their places; None is left of the table."""

    column: int | None
    places: tuple[int, ...]


class Hit(NamedTuple):
    """A result of the table, and the places of the units that it concerns."""

    code: str
    places: tuple[int, ...]


class Check(NamedTuple):
    """A morale check to come: whose place among the defenders, added to the dice, morale."""

    place: int
    added: int
    morale: int


class FirePreparation(Fight, frozen=True, kw_only=True, cache_hash=True):
    """A fire until its columns, or what is added to the dice, are known."""

    attackers: tuple[Firer, ...] = ()
    defenders: tuple[Target, ...] = ()
    bonus: int = 0  # of leaders, to the morale of the target hex


class DirectPreparation(FirePreparation, frozen=True, kw_only=True, cache_hash=True):
    """Direct fire until its columns are known."""

    case: Case[DirectFire]
    basic: int = 0  # column
    groups: tuple[Group, ...] = ()


class AntiTankPreparation(FirePreparation, frozen=True, kw_only=True, cache_hash=True):
    """Anti-tank fire until it is known what is added to the dice."""

    case: Case[AntiTankFire]
    die_modifier: Fraction = Fraction(0)


# ------------------------------------------------------------------ before the dice


class TrimmedTarget(Unit, frozen=True, kw_only=True, cache_hash=True):
    """A unit that is fired at, without what only the column needs."""

    kind: Kind
    morale: int
    state: State
    beside: bool  # a leader next to the target hex
    armoured: bool = False
    # Units that differ in armour, digging in or crossing have different numbers: the rules treat
    # them alike from here on, but the owner may care which of them he gives up.
    variety: int = 0

    @property
    def has_steps(self) -> bool:
        """Leaders have none."""
        return self.kind != "leader"


class TrimmedFire(Setup, frozen=True, kw_only=True):
    """What still counts of what was stated; the firing units do not."""

    defenders: tuple[TrimmedTarget, ...]


class FireFight(Fight, frozen=True, kw_only=True, cache_hash=True):
    """A fire whose columns, or what is added to the dice, are known."""

    case: Case[TrimmedFire]
    attackers: tuple[()] = ()
    defenders: tuple[TrimmedTarget, ...] = ()
    bonus: int = 0  # of leaders, to the morale of the target hex
    checks: tuple[Check, ...] = ()


class DirectFight(FireFight, frozen=True, kw_only=True, cache_hash=True):
    """Direct fire whose columns are known."""

    groups: tuple[Group, ...] = ()
    hits: tuple[Hit, ...] = ()


class AntiTankFight(FireFight, frozen=True, kw_only=True, cache_hash=True):
    """Anti-tank fire of which it is known what is added to the dice."""

    die_modifier: Fraction = Fraction(0)


P = TypeVar("P", bound=FirePreparation)
F = TypeVar("F", bound=FireFight)

# ------------------------------------------------------------------ who is fired at


def in_hex(units: Iterable[Target]) -> list[Target]:
    """Give the units of the target hex, its leaders included."""
    return [unit for unit in units if not unit.distance]


def still_there(fight: FireFight, places: Collection[int]) -> list[TrimmedTarget]:
    """Give those of the units at some places that are alive."""
    return [unit for p, unit in enumerate(fight.defenders) if p in places and unit.alive]


def is_combat_unit(unit: Target | TrimmedTarget) -> bool:
    """Tell combat units from transport and leaders."""
    return unit.kind != "leader" and unit.kind not in TRANSPORT


def has_armour(unit: Target) -> bool:
    """Tell whether a counter prints an armour value."""
    return unit.kind in AFVS or unit.armour is not None


def joined(units: Sequence[Unit], places: Iterable[int]) -> str:
    """Name the units at some places at once."""
    return ", ".join([units[place].name for place in places])


# ------------------------------------------------------------------ trimming


def trim_direct_fire(fight: DirectPreparation) -> DirectFight:
    """Drop firers, ground and leaders: the columns and a bonus are left of them."""
    return _trimmed_fire(DirectFight, fight, _trimmed_stack(fight.case, fight.defenders))


def trim_anti_tank(fight: AntiTankPreparation) -> AntiTankFight:
    """Keep what is added to the dice, the bonus, and whose morale may be checked."""
    targets = tuple([_trimmed(fight.case, unit, False, 0) for unit in fight.defenders])
    return _trimmed_fire(AntiTankFight, fight, targets)


@kept
def _trimmed_stack(case: Case[Any], units: tuple[Target, ...]) -> tuple[TrimmedTarget, ...]:
    numbers: dict[object, int] = {}
    targets = list[TrimmedTarget]()
    for unit in units:
        differs = unit.armour, unit.dug_in, unit.engineers_crossing
        variety = numbers.setdefault(differs, len(numbers))
        targets.append(_trimmed(case, unit, has_armour(unit), variety))
    return tuple(targets)


@kept
def _trimmed(case: Case[Any], unit: Target, armoured: bool, variety: int) -> TrimmedTarget:  # noqa: ARG001  # as it is kept
    beside = unit.distance > 0
    return trimmed(TrimmedTarget, unit, beside=beside, armoured=armoured, variety=variety)


def _trimmed_fire(
    kind: type[F],
    fight: DirectPreparation | AntiTankPreparation,
    targets: tuple[TrimmedTarget, ...],
) -> F:
    case = fight.case.restated(TrimmedFire(defenders=targets))
    return trimmed(kind, fight, case=case, attackers=(), defenders=targets)


def moved_direct_fire(fight: DirectFight, columns: int, die: int) -> DirectFight:  # noqa: ARG001  # as procedures call it
    """Give the fire on other columns; nothing modifies its dice."""
    table = fight.case.card.table("direct-fire")
    groups = tuple(
        group if group.column is None else Group(table.within(group.column + columns), group.places)
        for group in fight.groups
    )
    return replace(fight, groups=groups)
