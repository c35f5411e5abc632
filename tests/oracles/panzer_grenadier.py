"""Panzer Grenadier worked out a second time, by plain loops, from the printed card and its reading.

Covered: the whole of the procedures `direct-fire` and `anti-tank` with every option of the card.

- fire values: halves of disrupted units and their rounding, values between two columns or below
  the first;
- 10.3, 7.51: the sixteen column modifiers, their limit, the edges of the table, units on separate
  columns with one roll or a roll for each column;
- 7.61: who may lose the steps of X, 2X and 3X, and every way in which the owner may place them;
- 14.1: who checks morale, with what added, leaders and their bonus, the states that follow;
- section 11: anti-tank fire with its eight modifiers.

Only the owner of the target ever decides, and only where steps are lost. So for each result of
the dice all ways to place the steps are tried, and those are kept that are worth most to him when
all morale checks to come are weighed. There may be several: the card does not order them.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor
from pathlib import Path
from typing import NamedTuple

from grognard.fights.doctrine import Doctrine
from grognard.games.panzer_grenadier.stated import AntiTankFire, DirectFire, Fire, Firer, Target
from grognard.rules.fight import Outcome

PRINTED = Path(__file__).parent.parent / "printed" / "panzer-grenadier"

# Section 1: the printed headings of the columns and the fire values at which they begin.
HEADINGS = ("1", "2", "4", "7", "11", "16", "22", "30", "45+")
BEGIN = (1, 2, 4, 7, 11, 16, 22, 30, 45)
LAST = len(BEGIN) - 1

# Section 3. Entrenchment, range, aircraft and stacking need more than one word: see `shift`.
MOST_LEFT, MOST_RIGHT = -2, +3  # 10.3
COVER_SHIFT = -2  # town or woods, once
KIND_SHIFT = {"mortar": +1, "anti-aircraft": +1, "anti-tank": +1, "cavalry": +1, "artillery": +2}

TRANSPORT = ("truck", "wagon", "sledge")
CLOSED_TOP, OPEN_TOP = "afv-closed", "afv-open"
OVER_TO_DEMORALISE = {"three_over": 3, "four_over": 4, "two_over": 2}  # 14.1

Options = Mapping[str, str]
Chances = dict[Outcome, Fraction]
Placing = dict[str, int]  # steps lost, by name
States = dict[str, Fraction]  # chances of the states of one unit
Codes = tuple[str, ...]  # a result for each column fired on


class Party(NamedTuple):
    """Units in the target hex that are fired at on one column; None is left of the table."""

    column: int | None
    units: tuple[Target, ...]


class Branch(NamedTuple):
    """A result of the dice, and what may follow: one entry for each best way to take it."""

    result: str
    chance: Fraction
    best: list[Chances]


def _two_dice() -> dict[int, Fraction]:
    chances = dict.fromkeys(range(2, 13), Fraction(0))
    for first, second in product(range(1, 7), repeat=2):
        chances[first + second] += Fraction(1, 36)
    return chances


def _printed_table() -> dict[int, list[str]]:
    lines = (PRINTED / "direct-fire.tsv").read_text(encoding="utf-8").splitlines()
    head, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    if tuple(head[1:]) != HEADINGS:
        raise ValueError(f"unexpected columns {head}")
    return {int(row[0]): row[1:] for row in rows}


TWO_DICE = _two_dice()
TABLE = _printed_table()


# ------------------------------------------------------------------ fire values and columns


def value_of(unit: Firer, printed: int, options: Options) -> Fraction:
    """Give the fire or anti-tank value that counts: a disrupted unit has half of it."""
    if unit.state != "disrupted":
        return Fraction(printed)
    half = Fraction(printed, 2)
    match options["half_fire"]:
        case "down":
            return Fraction(floor(half))
        case "up":
            return Fraction(ceil(half))
        case _:
            return half


def fire_total(setup: DirectFire, options: Options) -> Fraction:
    return sum((value_of(unit, unit.fire, options) for unit in setup.attackers), Fraction(0))


def may_fire(setup: DirectFire, options: Options) -> bool:
    return fire_total(setup, options) >= 1 or options["fire_below_one"] == "column_1"


def basic_column(setup: DirectFire, options: Options) -> int:
    total = fire_total(setup, options)
    if total < 1:
        return 0
    if options["fire_between"] == "higher":
        reached = [place for place, begin in enumerate(BEGIN) if begin >= total]
        return reached[0] if reached else LAST
    return max(place for place, begin in enumerate(BEGIN) if begin <= total)


def is_combat_unit(unit: Target) -> bool:
    return unit.kind != "leader" and unit.kind not in TRANSPORT


def in_hex(setup: Fire) -> list[Target]:
    """All who are fired at: leaders may be in the next hex, everyone else is in this one."""
    return [unit for unit in setup.defenders if unit.distance == 0]


def place_shift(setup: DirectFire) -> int:
    """Add the modifiers for where and when the fire falls."""
    covered = "town" in setup.terrain or "wood" in setup.terrain
    shift = 0
    if setup.entrenched:
        shift += -1 if covered else -2
    if covered:
        shift += COVER_SHIFT
    if setup.night:
        shift -= 1
    if "hill" in setup.terrain:
        shift -= 1
    if "marsh" in setup.terrain:
        shift += 1
    if setup.minefield_of_firer:
        shift += 1
    return shift


def firer_shift(setup: DirectFire, options: Options) -> int:
    """Add the modifiers for those who fire."""
    shift = 0
    if setup.range >= 3:
        shift -= 1
    if setup.opportunity_fire:  # 13.0
        shift += 1
    if setup.adjacent_to_all or (len(setup.attackers) == 1 and setup.range == 1):
        shift += 2
    if setup.air_attack and setup.aa_unit and setup.aa_distance is not None:
        reach = 3 if options["aa_range"] == "within_three" else 2
        if setup.aa_distance <= reach:
            shift -= 1
    return shift


def stack_shift(setup: DirectFire, options: Options) -> int:
    """4.4, and 5.7 where it concerns the whole hex."""
    here = in_hex(setup)
    count = sum(is_combat_unit(unit) for unit in here)
    shift = 0
    if count == 3 or (count > 3 and options["three_stacked"] == "at_least"):
        shift += 1
    if options["crossing_scope"] == "whole_hex" and any(unit.engineers_crossing for unit in here):
        shift += 1
    return shift


def unit_shift(unit: Target, options: Options) -> int:
    """7.51: the modifiers that concern this unit only."""
    shift = KIND_SHIFT.get(unit.kind, 0)
    if unit.dug_in:  # 16.2
        shift -= 1
    if options["crossing_scope"] == "those_units" and unit.engineers_crossing:
        shift += 1
    return shift


def final_column(setup: DirectFire, unit: Target, options: Options) -> int | None:
    shift = place_shift(setup) + firer_shift(setup, options) + stack_shift(setup, options)
    shift += unit_shift(unit, options)
    column = basic_column(setup, options) + max(MOST_LEFT, min(shift, MOST_RIGHT))
    if column < 0:
        return None if options["off_table"] == "left_no_effect" else 0
    return min(column, LAST)


def parties(setup: DirectFire, options: Options) -> list[Party]:
    """7.51: those who are fired at on the same column, in the order in which they stand."""
    found: dict[int | None, tuple[Target, ...]] = {}
    for unit in in_hex(setup):
        column = final_column(setup, unit, options)
        found[column] = (*found.get(column, ()), unit)
    return [Party(column, units) for column, units in found.items()]


# ------------------------------------------------------------------ results of the table


def results(setup: DirectFire, options: Options) -> dict[Codes, Fraction]:
    """Roll the dice: the chances of what the columns say, each for its own units."""
    hit = parties(setup, options)
    chances: dict[Codes, Fraction] = {}
    if options["separate_columns"] == "one_roll":
        rolls = [((roll,) * len(hit), chance) for roll, chance in TWO_DICE.items()]
        for dice, chance in rolls:
            codes = tuple(read(roll, party) for roll, party in zip(dice, hit, strict=True))
            chances[codes] = chances.get(codes, Fraction(0)) + chance
        return chances
    columns = []
    for party in hit:
        column: dict[str, Fraction] = {}
        for roll, chance in TWO_DICE.items():
            code = read(roll, party)
            column[code] = column.get(code, Fraction(0)) + chance
        columns.append(column)
    for codes in product(*columns):
        chance = Fraction(1)
        for code, column in zip(codes, columns, strict=True):
            chance *= column[code]
        chances[codes] = chance
    return chances


def read(roll: int, party: Party) -> str:
    return "-" if party.column is None else TABLE[roll][party.column]


def steps_of(code: str) -> int:
    """X is one step for each category, 2X two, 3X three."""
    if not code.endswith("X"):
        return 0
    return int(code[:-1] or "1")


def placings(takers: Sequence[Target], count: int, options: Options) -> Iterator[Placing]:
    """7.61: all ways to take this many steps within a category."""
    if not takers:
        yield {}
        return
    way = options["step_losses"]
    for lost in product(*(range(unit.steps + 1) for unit in takers)):
        placing = {unit.name: steps for unit, steps in zip(takers, lost, strict=True)}
        hurt = [unit for unit in takers if placing[unit.name]]
        if way == "free":
            allowed = sum(lost) == min(count, sum(unit.steps for unit in takers))
        elif way == "one_each":
            allowed = max(lost) <= 1 and sum(lost) == min(count, len(takers))
        else:
            allowed = len(hurt) == 1 and sum(lost) == min(count, hurt[0].steps)
        if count > 1 and any(unit.kind == OPEN_TOP for unit in takers):
            allowed = allowed and any(unit.kind == OPEN_TOP for unit in hurt)
        if allowed:
            yield placing


def losses(hit: Sequence[Party], codes: Codes, options: Options) -> Iterator[Placing]:
    """All ways in which the owner may take what all columns say together."""
    categories = []
    for party, code in zip(hit, codes, strict=True):
        count = steps_of(code)
        if count:
            fighting = [u for u in party.units if is_combat_unit(u) and u.kind != CLOSED_TOP]
            moving = [u for u in party.units if u.kind in TRANSPORT]
            categories.append(list(placings(fighting, count, options)))
            categories.append(list(placings(moving, count, options)))
    for chosen in product(*categories):
        whole: Placing = {}
        for placing in chosen:
            whole.update(placing)
        yield whole


# ------------------------------------------------------------------ morale


def leaders_bonus(setup: Fire, options: Options) -> int:
    """6.5: what leaders in the hex or next to it, not demoralised, add to the morale."""
    given = [
        unit.bonus
        for unit in setup.defenders
        if unit.kind == "leader" and unit.state != "demoralised" and unit.distance <= 1
    ]
    if options["leader_bonus"] == "sum":
        return sum(given)
    return max(given, default=0)


def added_to_check(unit: Target, code: str, options: Options) -> int | None:
    """Give what a result adds to the dice of a unit's check; None if the unit need not check."""
    if code == "-":
        return None
    if unit.kind == "leader" and options["leaders_check"] == "exempt":
        return None
    if steps_of(code):
        return 0 if unit.kind == CLOSED_TOP else 2
    if unit.kind in (CLOSED_TOP, OPEN_TOP) or unit.armour is not None:
        return None
    if unit.kind == "truck" and options["trucks_check"] == "exempt":
        return None
    return int(code[1:] or "0")


def after_check(unit: Target, added: int, bonus: int, options: Options) -> States:
    """14.1: two dice and what is added, against the morale."""
    morale = unit.morale
    if unit.kind != "leader" or options["leaders_helped"] == "yes":
        morale += bonus
    if unit.state == "demoralised":
        morale -= 1
    states: States = {}
    for roll, chance in TWO_DICE.items():
        over = roll + added - morale
        if over <= 0:
            state = str(unit.state)
        elif unit.state == "good-order" and over < OVER_TO_DEMORALISE[options["morale_thresholds"]]:
            state = "disrupted"
        else:
            state = "demoralised"
        states[state] = states.get(state, Fraction(0)) + chance
    return states


def ends(setup: Fire, result: str, lost: Placing, checks: Mapping[str, States]) -> Chances:
    """Give the chances of all outcomes once the steps are lost, through the checks to come."""
    units = setup.defenders
    chances: Chances = {}
    for states in product(*(checks.get(unit.name, {unit.state: Fraction(1)}) for unit in units)):
        chance = Fraction(1)
        for unit, state in zip(units, states, strict=True):
            if unit.name in checks:
                chance *= checks[unit.name][state]
        end = outcome(setup, result, lost, states)
        chances[end] = chances.get(end, Fraction(0)) + chance
    return chances


def outcome(setup: Fire, result: str, lost: Placing, states: Sequence[str]) -> Outcome:
    """Say what has happened to whom: a leader left alone still stands in the hex."""
    shaken = 0
    details = []
    for unit, state in zip(setup.defenders, states, strict=True):
        if lost.get(unit.name, 0) == unit.steps:
            details.append(f"{unit.name} eliminated")
        elif state != unit.state:
            details.append(f"{unit.name} {state}")
            shaken += 2 if state == "demoralised" else 1
    here = in_hex(setup)
    alive = [unit for unit in here if lost.get(unit.name, 0) < unit.steps]
    fighting = [unit for unit in here if unit.kind != "leader"]
    return Outcome(
        result=result,
        defender_steps_lost=sum(lost.values()),
        defender_eliminated=bool(fighting) and not any(unit in alive for unit in fighting),
        vacated=not alive,
        defender_shaken=shaken,
        details=tuple(details),
    )


# ------------------------------------------------------------------ the two procedures


def worth(chances: Chances, owner: Doctrine) -> Fraction:
    return sum(
        (chance * owner.value(end, "defender") for end, chance in chances.items()), Fraction(0)
    )


def direct_fire(setup: DirectFire, options: Options, owner: Doctrine) -> list[Branch]:
    """Give the results of the dice and what follows when the owner decides by his doctrine."""
    hit = parties(setup, options)
    bonus = leaders_bonus(setup, options)
    branches = []
    for codes, chance in results(setup, options).items():
        result = "/".join(codes)
        ways = []
        for lost in losses(hit, codes, options):
            checks = {}
            for party, code in zip(hit, codes, strict=True):
                for unit in party.units:
                    added = added_to_check(unit, code, options)
                    if added is not None and lost.get(unit.name, 0) < unit.steps:
                        checks[unit.name] = after_check(unit, added, bonus, options)
            ways.append(ends(setup, result, lost, checks))
        values = [worth(way, owner) for way in ways]
        best = [way for way, value in zip(ways, values, strict=True) if value == max(values)]
        branches.append(Branch(result, chance, best))
    return branches


def heading(column: int | None) -> str | None:
    return None if column is None else HEADINGS[column]


def anti_tank_value(setup: AntiTankFire, options: Options) -> Fraction:
    """Anti-tank value less armour; a truck counts as -1."""
    (firer,) = setup.attackers
    target = target_of(setup)
    armour = -1 if target.kind == "truck" else target.armour
    if firer.anti_tank is None or armour is None:
        raise ValueError("no anti-tank value or no armour")
    return value_of(firer, firer.anti_tank, options) - armour


def target_of(setup: AntiTankFire) -> Target:
    (target,) = [unit for unit in setup.defenders if unit.kind != "leader"]
    return target


def anti_tank_modifier(setup: AntiTankFire, options: Options) -> int:
    """Section 4: cumulative, no maximum."""
    target = target_of(setup)
    modifier = 0
    if setup.target_moved:
        modifier -= 1
    if setup.opportunity_fire:  # 13.0
        modifier -= 1
    if target.dug_in or "town" in setup.terrain or "wood" in setup.terrain:  # 16.2
        modifier -= 1
    if setup.target_higher:
        modifier -= 1
    if setup.range > 5:
        modifier -= 1
    if setup.range == 1:
        modifier += 1
    if target.engineers_crossing:  # 5.73
        modifier += 1
    if setup.crossfire:  # 1.11
        counts = options["crossfire_lines"] == "hexes" or not setup.crossfire_hexes_only
        modifier += 2 if counts else 0
    return modifier


def anti_tank(setup: AntiTankFire, options: Options) -> Chances:
    """Give the chances of all outcomes; nobody decides anything."""
    target = target_of(setup)
    added = anti_tank_value(setup, options) + anti_tank_modifier(setup, options)
    bonus = leaders_bonus(setup, options)
    chances: Chances = {}
    for roll, chance in TWO_DICE.items():
        lost: Placing = {}
        checks: dict[str, States] = {}
        if roll + added < 10:  # the half of a disrupted unit does not reach the next line
            result = "none"
        elif roll + added < 13:
            result = "step"
            lost = {target.name: 1}
            if target.steps > 1:
                checks = {target.name: after_check(target, 2, bonus, options)}
        else:
            result = "eliminated"
            lost = {target.name: target.steps}
        for end, part in ends(setup, result, lost, checks).items():
            chances[end] = chances.get(end, Fraction(0)) + chance * part
    return chances
