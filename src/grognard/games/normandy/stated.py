"""Normandy '44: the set-up of an attack, and the fight between two steps."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta

from grognard.card.card import Card
from grognard.card.rows import Value
from grognard.rules.fight import Case, Count, Fight, Setup, Unit, alive, steps

Steps = Annotated[int, Meta(ge=1, le=9)]
Fortification = Literal["none", "strongpoint", "entrenchment"]
Camp = Literal["allied", "german"]
Army = Literal["us", "british"]


class Attacker(Unit, frozen=True, kw_only=True, cache_hash=True):
    """An attacking counter, and what the card asks of it."""

    factor: Count
    steps: Steps = 1
    main_force: bool = False  # 10.3
    crosses: tuple[str, ...] = ()  # hexsides across which it attacks
    from_flooded: bool = False
    unsupplied: bool = False
    landing: bool = False  # 6.5.2
    nationality: Army | None = None  # of an Allied unit
    mechanised: bool = False
    by_road: bool = False  # 14.4: it would advance along a road


class Defender(Unit, frozen=True, kw_only=True, cache_hash=True):
    """A defending counter; quality and armour count when it is the Lead Unit (12.4)."""

    factor: Count
    steps: Steps = 1
    quality: int = 0
    armour: int = 0  # compared with the attacker's: above 0 if this one is better
    lead_uses_armour: bool = False


class Attack(Setup, frozen=True, kw_only=True):
    """The set-up of an attack; the names are those of the card's facts."""

    attackers: tuple[Attacker, ...]
    defenders: tuple[Defender, ...]
    terrain: tuple[str, ...] = ("clear",)
    fortification: Fortification = "none"
    attacker_camp: Camp = "allied"
    weather: Literal["clear", "overcast", "other"] = "overcast"
    quality_advantage: int = 0
    armour_advantage: int = 0
    armour_across: bool = False
    tiger_advantage: int = 0
    offensive_air: int = 0
    naval_support: bool = False
    hq_support: int = 0
    defender_strategic: bool = False
    flak_present: bool = False
    defensive_support: int = 0
    can_retreat: bool = True
    retreat_path: tuple[str, ...] = ()  # terrain of the hexes on the way, as far as known


class NormandyPreparation(Fight, frozen=True, kw_only=True, cache_hash=True):
    """An attack until its column is known, but for the Jabos."""

    case: Case[Attack]
    attackers: tuple[Attacker, ...] = ()
    defenders: tuple[Defender, ...] = ()
    column: int = 0  # on a scale that goes on beyond both ends of the table


def is_bare(setup: Attack, card: Card) -> bool:
    """Tell whether the hex has only terrain that is read as the other terrain of its hex."""
    costs = {cost for id_ in setup.terrain for cost in card.terrain_row(id_).cost.values()}
    return costs == {"other"}


# ------------------------------------------------------------------ once the column is known


class TrimmedAttacker(Unit, frozen=True, kw_only=True, cache_hash=True):
    """An attacking counter without its factor and the way by which it comes."""

    main_force: bool
    advance: Literal["open", "first-hex", "barred"]  # 14.4


class TrimmedDefender(Unit, frozen=True, kw_only=True, cache_hash=True):
    """A defending counter without its factor."""

    quality: int
    armour: int
    lead_uses_armour: bool


class TrimmedAttack(Setup, frozen=True, kw_only=True):
    """What still counts of what was stated."""

    attackers: tuple[TrimmedAttacker, ...]
    defenders: tuple[TrimmedDefender, ...]
    terrain: tuple[str, ...]
    fortification: Fortification
    attacker_camp: Camp
    weather: Literal["clear", "overcast", "other"]
    flak_present: bool  # where Jabos fly
    defensive_support: int
    can_retreat: bool
    retreat_path: tuple[str, ...]


class NormandyFight(Fight, frozen=True, kw_only=True, cache_hash=True):
    """An attack whose column is known."""

    case: Case[TrimmedAttack]
    attackers: tuple[TrimmedAttacker, ...] = ()
    defenders: tuple[TrimmedDefender, ...] = ()
    column: int = 0  # on a scale that goes on beyond both ends of the table
    lead: str = ""
    die_modifier: int = 0  # of the Determined Defence
    stand_column: int = 0  # of its table
    stand: tuple[str, ...] = ()  # codes that the Determined Defence has given
    held: bool = False
    fortification_removed: bool = False
    retreated: int = 0
    disorganised: bool = False
    taken: bool = False
    reserve: bool = False


def effect(fight: NormandyFight) -> Mapping[str, Value]:
    """Give what the legend of the combat table says of the result."""
    return fight.case.card.table("combat").legend[fight.result].values


def surviving(fight: NormandyFight) -> list[str]:
    """Name the defenders that are left."""
    return [unit.name for unit in alive(fight.defenders)]


def vacated(fight: NormandyFight) -> bool:
    """Tell whether the defender has left his hex, on foot or dead."""
    return fight.retreated > 0 or not alive(fight.defenders)


def one_step_engaged(fight: NormandyFight) -> bool:
    """Tell whether the defender had a single step when the attack began."""
    return steps(fight.case.setup.defenders) == 1
