"""Normandy '44 worked out a second time, by plain loops, from the printed card.

Covered: the procedures `attack`, `strafing`, `attrition` and `reinforcements`, all the options of
the card that bear on them (`OPTIONS`).

- strengths: halving (once at most), BDC, at most 18 factors; ratio, rounding, the refusals;
- shifts: quality, armour, Tiger, aircraft, ships, strategic movement, HQs, water, hilltop, Jabos;
- the table; who loses which step; retreat or Determined Defence (12.4) and its Lead Unit; stops
  on the way (13.3); no way to retreat; advance or Reserve;
- one strafing roll, a roll for each isolated unit, the bill of reinforcements.

After the roll of combat both sides decide in turn, and a second roll may follow. It is worked back
from the last decision: each side takes what is best by its own doctrine, and the first among
equals. Where a result costs both sides a step, the attacker's is settled first, as it is printed
first; for Determined Defence the Lead Unit's is. Options of a choice come in the order in which
units are stated; a retreat comes before a stand, a long one before a short one, and an advance
before Reserve before staying.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor
from pathlib import Path
from typing import NamedTuple

from grognard.card.rows import Side
from grognard.fights.doctrine import Doctrine
from grognard.games.normandy.air_and_supply import Attrition, Isolated, Purchase, Strafing
from grognard.games.normandy.stated import Attack, Attacker, Defender
from grognard.rules.fight import Outcome

PRINTED = Path(__file__).parent.parent / "printed" / "normandy"
DIE = range(1, 7)

OPTIONS = (
    "low_odds",
    "low_column",
    "ratio_clamp",
    "odds_rounding",
    "half_rounding",
    "loss_choice",
    "disorganised_two_hexes",
    "dd_column",
    "dd_row_five",
    "dd_star",
    "bdc_scope",
    "bdc_several",
    "armour_shift",
    "tiger_shift",
    "jabo_side",
    "flak",
    "flooded_shift",
    "flooded_halving",
    "causeway_shift",
    "support_camp",
    "hilltop_and_water",
    "retreat_stop",
    "cannot_retreat",
)

# Printed column headers. Columns are counted 0, 1, 2 ... from 1-3; n-1 is column n + 1, and the
# scale goes on beyond both ends.
COLUMNS = ("1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1+")
LAST = len(COLUMNS) - 1

MOST_FACTORS = 18

# The terrain chart.
BDC = {"mixed": 2, "bocage": 3, "wood": 2, "village": 4, "town": 5}
NO_ARMOUR_HEX = {"wood", "town", "flooded"}
NO_ARMOUR_SIDE = {"major-river", "flooded-hexside", "causeway", "cherbourg-perimeter"}
HALVING_SIDE = {"minor-river", "major-river", "flooded-hexside", "runway", "causeway"}
WATER_SIDE = {"major-river", "flooded-hexside"}
RETREAT_STOP = {"bocage", "wood", "village", "town", "strongpoint-or-entrenchment"}
CLOSED_TO_MECHANISED = {"flooded", "flooded-hexside"}

# Columns of Determined Defence, from the worst for the defender to the best.
OPEN, OTHER, ENTRENCHED, STRONG = range(4)
STAND_COLUMN = {
    "clear": OPEN,
    "flooded": OPEN,
    "mixed": OTHER,
    "bocage": OTHER,
    "wood": OTHER,
    "village": OTHER,
    "hilltop": OTHER,
    "town": STRONG,
}
STAND_FORTIFIED = {"entrenchment": ENTRENCHED, "strongpoint": STRONG}

Options = Mapping[str, str]
Doctrines = tuple[Doctrine, Doctrine]
Chances = dict[Outcome, Fraction]


def _printed(name: str) -> list[list[str]]:
    """The rows of a printed table, without its head."""
    lines = (PRINTED / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")][1:]


COMBAT = {int(row[0]): row[1:] for row in _printed("combat")}
STAND = {int(row[0].strip("<=+")): row[1:] for row in _printed("determined-defence")}
JABO = {int(row[0]): int(row[1].replace("-", "0")) for row in _printed("jabo")}
PRICES = {row[3]: int(row[0]) for row in _printed("reinforcements")}


class Refused(Exception):
    """The card has no such attack or purchase."""


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def within(least: int, number: int, most: int) -> int:
    return max(least, min(number, most))


# ------------------------------------------------------------------ strengths


def is_halved(unit: Attacker, setup: Attack, options: Options) -> bool:
    """Tell whether anything halves the unit: it happens once at most.

    The parentheses around the flooded hex free a unit that comes from a flooded hex and across a
    flooded hexside, which the hexside halves all the same.
    """
    crossed = set(unit.crosses)
    into_flooded = "flooded" in setup.terrain
    from_flooded = unit.from_flooded and options["flooded_halving"] == "from_or_into"
    freed = unit.from_flooded and "flooded-hexside" in crossed
    return (
        not unit.main_force
        or bool(crossed & HALVING_SIDE)
        or ("cherbourg-perimeter" in crossed and setup.attacker_camp == "allied")
        or ((into_flooded or from_flooded) and not freed)
        or unit.unsupplied
        or unit.landing
    )


def attack_factor(unit: Attacker, setup: Attack, options: Options) -> Fraction:
    if not is_halved(unit, setup, options):
        return Fraction(unit.factor)
    half = Fraction(unit.factor, 2)
    return half if options["half_rounding"] == "fractions" else Fraction(floor(half))


def attack_total(setup: Attack, options: Options) -> Fraction:
    total = sum(
        (attack_factor(unit, setup, options) for unit in setup.attackers), start=Fraction(0)
    )
    return min(total, Fraction(MOST_FACTORS))


def defence_total(setup: Attack, options: Options) -> int:
    bonuses = [BDC.get(word, 0) for word in set(setup.terrain)]
    bonus = max(bonuses) if options["bdc_several"] == "best" else sum(bonuses)
    if options["bdc_scope"] == "unit":
        bonus *= len(setup.defenders)
    return min(sum(unit.factor for unit in setup.defenders) + bonus, MOST_FACTORS)


# ------------------------------------------------------------------ columns


def column_of(ratio: Fraction, rounding: str) -> int:
    """Give the column of a ratio on the open scale; -1 for everything below 1-3."""
    if ratio >= 1:
        return 1 + (floor(ratio) if rounding == "defender" else ceil(ratio))
    to_one = 1 / ratio  # 1-n; towards the defender the n grows
    return 3 - min(4, ceil(to_one) if rounding == "defender" else floor(to_one))


def basic_column(setup: Attack, options: Options) -> int:
    attack, defence = attack_total(setup, options), defence_total(setup, options)
    if attack == 0 or defence == 0:
        raise Refused("no ratio can be made")
    column = column_of(attack / defence, options["odds_rounding"])
    if column < 0:
        if options["low_odds"] == "refused":
            raise Refused("less than 1-3")
        column = 0
    return min(column, LAST) if options["ratio_clamp"] == "before" else column


def armour_shift(setup: Attack, options: Options) -> int:
    """11.4: for the side with the better armour, where the terrain chart does not say no."""
    shift = sign(setup.armour_advantage)
    denied = (
        bool(NO_ARMOUR_HEX & set(setup.terrain))
        or setup.fortification != "none"
        or setup.armour_across
        or all(
            unit.from_flooded or bool(NO_ARMOUR_SIDE & set(unit.crosses))
            for unit in setup.attackers
        )
    )
    if denied and (shift > 0 or options["armour_shift"] == "both_need_terrain"):
        return 0
    return shift


def tiger_shift(setup: Attack, options: Options) -> int:
    """11.9: for the side with the Tiger, if it has the armour advantage."""
    shift = sign(setup.tiger_advantage)
    if options["tiger_shift"] == "with_armour" and shift != armour_shift(setup, options):
        return 0
    return shift


def water_shift(setup: Attack, options: Options) -> int:
    """One column for all water together; with the hilltop one or two."""
    force = [unit for unit in setup.attackers if unit.main_force]
    wet = [unit.from_flooded or bool(WATER_SIDE & set(unit.crosses)) for unit in force]
    if options["causeway_shift"] == "shift":
        wet = [w or "causeway" in unit.crosses for w, unit in zip(wet, force, strict=True)]
    into = "flooded" in setup.terrain and options["flooded_shift"] == "from_or_into"
    water = all(wet) or into
    hilltop = "hilltop" in setup.terrain
    both = 2 if options["hilltop_and_water"] == "add" else 1
    return -min(int(water) + int(hilltop), both)


def shifts(setup: Attack, options: Options) -> int:
    """All shifts but the Jabos'."""
    supported = setup.attacker_camp == "allied" or options["support_camp"] == "either"
    return (
        sign(setup.quality_advantage)
        + armour_shift(setup, options)
        + tiger_shift(setup, options)
        + (setup.offensive_air + setup.naval_support) * supported
        + setup.defender_strategic
        + setup.hq_support
        + water_shift(setup, options)
    )


def columns_named(setup: Attack, options: Options) -> tuple[str, str]:
    """Name the basic column and the one after all shifts but the Jabos'."""
    basic = basic_column(setup, options)
    final = basic + shifts(setup, options)
    if final < 0 and options["low_column"] == "automatic_a1":
        return COLUMNS[min(basic, LAST)], f"1-{3 - final}"
    return COLUMNS[min(basic, LAST)], COLUMNS[within(0, final, LAST)]


def jabos_fly(setup: Attack, options: Options) -> bool:
    met = setup.attacker_camp == "german" or options["jabo_side"] == "any_attack"
    return met and setup.weather == "clear"


def jabo_modifier(setup: Attack, options: Options) -> int:
    return -1 if setup.flak_present and options["flak"] == "also_jabos" else 0


def jabo_shifts(setup: Attack, options: Options) -> list[int]:
    """The columns for each face of the Jabo die; a single 0 where they do not fly."""
    if not jabos_fly(setup, options):
        return [0]
    modifier = jabo_modifier(setup, options)
    return [-JABO[within(1, die + modifier, 6)] for die in DIE]


def results(setup: Attack, options: Options) -> dict[str, Fraction]:
    """The chances of the results of the combat table."""
    start = basic_column(setup, options) + shifts(setup, options)
    chances: dict[str, Fraction] = {}
    jabos = jabo_shifts(setup, options)
    for jabo in jabos:
        column = start + jabo
        for die in DIE:
            code = COMBAT[die][within(0, column, LAST)]
            if column < 0 and options["low_column"] == "automatic_a1":
                code = "A1"
            share = Fraction(1, len(jabos) * len(DIE))
            chances[code] = chances.get(code, Fraction(0)) + share
    return chances


# ------------------------------------------------------------------ after the roll


class Effect(NamedTuple):
    """What the legend says of a result; a chooser of None is somebody whom it does not name."""

    attacker_loses: int = 0
    attacker_step_by: Side | None = None
    defender_loses: int = 0
    first_step_by: Side | None = None
    half: bool = False
    retreat: int = 0
    stand: bool = False
    advance: bool = True
    reserve: bool = False


EFFECTS = {
    "A1": Effect(attacker_loses=1, advance=False),
    "A1/DR": Effect(attacker_loses=1, retreat=2, stand=True),
    "EX": Effect(
        attacker_loses=1, attacker_step_by="defender", defender_loses=1, first_step_by="attacker"
    ),
    "DR": Effect(retreat=2, stand=True),
    "A1/D1": Effect(attacker_loses=1, defender_loses=1, retreat=2, stand=True),
    "D1": Effect(defender_loses=1, retreat=2, stand=True),
    "A1/D2": Effect(
        attacker_loses=1,
        attacker_step_by="defender",
        defender_loses=2,
        first_step_by="attacker",
        retreat=4,
        reserve=True,
    ),
    "DH": Effect(half=True, retreat=4, reserve=True),
}


class State(NamedTuple):
    """Steps left, unit by unit, and what has happened."""

    attackers: tuple[int, ...]
    defenders: tuple[int, ...]
    held: bool = False
    fortification_removed: bool = False
    retreated: int = 0


Then = Callable[[State], Chances]


def without_step(steps: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*steps[:place], steps[place] - 1, *steps[place + 1 :])


def worth(chances: Chances, side: Side, doctrines: Doctrines) -> Fraction:
    doctrine = doctrines[0] if side == "attacker" else doctrines[1]
    parts = (chance * doctrine.value(outcome, side) for outcome, chance in chances.items())
    return sum(parts, start=Fraction(0))


def mixed(parts: Iterable[tuple[Fraction, Chances]]) -> Chances:
    chances: Chances = {}
    for share, part in parts:
        for outcome, chance in part.items():
            chances[outcome] = chances.get(outcome, Fraction(0)) + share * chance
    return chances


class Aftermath:
    """All that follows from a result of the combat table."""

    def __init__(self, setup: Attack, options: Options, doctrines: Doctrines) -> None:
        self.setup = setup
        self.options = options
        self.doctrines = doctrines
        self.before = State(
            tuple(unit.steps for unit in setup.attackers),
            tuple(unit.steps for unit in setup.defenders),
        )
        self.code = ""

    @property
    def effect(self) -> Effect:
        return EFFECTS[self.code]

    def of(self, code: str) -> Chances:
        self.code = code
        return self.attacker_losses(self.before)

    def decided(self, side: Side, branches: Sequence[Chances]) -> Chances:
        """The branch that is best for the side; the first among equals."""
        return max(branches, key=lambda chances: worth(chances, side, self.doctrines))

    def by(self, named: Side | None, owner: Side) -> Side:
        """Who picks: the one whom the card names, or as option loss_choice says."""
        if named is not None:
            return named
        if self.options["loss_choice"] == "owner":
            return owner
        return "defender" if owner == "attacker" else "attacker"

    # -------------------------------------------------------------- steps lost

    def attacker_step(
        self, state: State, chooser: Side, *, main_force_only: bool, then: Then
    ) -> Chances:
        """One attacking unit loses a step; none, if there is none that could."""
        places = [
            place
            for place, unit in enumerate(self.setup.attackers)
            if state.attackers[place] > 0 and (unit.main_force or not main_force_only)
        ]
        if not places:
            return then(state)
        branches = [
            then(state._replace(attackers=without_step(state.attackers, place))) for place in places
        ]
        return self.decided(chooser, branches)

    def defender_step(self, state: State, chooser: Side, then: Then) -> Chances:
        places = [place for place, steps in enumerate(state.defenders) if steps > 0]
        if not places:
            return then(state)
        branches = [
            then(state._replace(defenders=without_step(state.defenders, place))) for place in places
        ]
        return self.decided(chooser, branches)

    def attacker_losses(self, state: State) -> Chances:
        spared = self.code == "A1/D2" and sum(state.defenders) == 1
        if self.effect.attacker_loses == 0 or spared:
            return self.defender_losses(state)
        chooser = self.by(self.effect.attacker_step_by, "attacker")
        return self.attacker_step(state, chooser, main_force_only=True, then=self.defender_losses)

    def defender_losses(self, state: State) -> Chances:
        count = self.effect.defender_loses
        if self.effect.half:
            count = (sum(state.defenders) + 1) // 2
        choosers = [self.by(None, "defender") for _ in range(count)]
        if self.effect.first_step_by is not None:
            choosers[0] = self.effect.first_step_by
        return self.defender_steps(state, choosers)

    def defender_steps(self, state: State, choosers: Sequence[Side]) -> Chances:
        if not choosers:
            return self.answer(state)
        return self.defender_step(
            state, choosers[0], lambda after: self.defender_steps(after, choosers[1:])
        )

    # -------------------------------------------------------------- retreat or stand

    def answer(self, state: State) -> Chances:
        """Survivors who must retreat two hexes may try a Determined Defence instead."""
        if self.effect.retreat == 0 or not any(state.defenders):
            return self.after_combat(state)
        branches = [self.retreat(state)]
        if self.effect.stand:
            leads = [place for place, steps in enumerate(state.defenders) if steps > 0]
            branches.append(self.decided("defender", [self.stand(state, lead) for lead in leads]))
        return self.decided("defender", branches)

    def stand_column(self) -> int:
        fitting = [STAND_COLUMN[word] for word in self.setup.terrain if word in STAND_COLUMN]
        if set(self.setup.terrain) <= {"hilltop", "airfield"}:  # "as the other terrain": clear
            fitting.append(STAND_COLUMN["clear"])
        if self.setup.fortification != "none":
            fitting.append(STAND_FORTIFIED[self.setup.fortification])
        return max(fitting) if self.options["dd_column"] == "best" else min(fitting)

    def stand_modifier(self, lead: Defender) -> int:
        own = lead.armour if lead.lead_uses_armour else lead.quality
        return own + min(1, self.setup.defensive_support)

    def stand(self, state: State, lead: int) -> Chances:
        """12.4: one roll of Determined Defence."""
        column = self.stand_column()
        modifier = self.stand_modifier(self.setup.defenders[lead])
        parts = []
        for die in DIE:
            row = within(1, die + modifier, 7)
            codes = STAND[row][column].split()
            if (row, column) == (5, OPEN) and self.options["dd_row_five"] == "cancelled":
                codes = ["●", "-1"]
            parts.append((Fraction(1, 6), self.stood(state, lead, codes)))
        return mixed(parts)

    def stood(self, state: State, lead: int, codes: Sequence[str]) -> Chances:
        held = "●" in codes
        # The star stands in the column of entrenched positions only: no strongpoint is there.
        removed = "*" in codes and self.options["dd_star"] == "column_fortification"
        state = state._replace(held=held, fortification_removed=removed)
        then = self.after_combat if held else self.retreat
        if "-1" in codes or "EX" in codes:
            state = state._replace(defenders=without_step(state.defenders, lead))
        if "EX" in codes:
            return self.attacker_step(state, "defender", main_force_only=True, then=then)
        if "PA" in codes:
            return self.attacker_step(state, "attacker", main_force_only=False, then=then)
        return then(state)

    def retreat(self, state: State) -> Chances:
        if not any(state.defenders):
            return self.after_combat(state)
        if not self.setup.can_retreat:
            lost = 1 if self.options["cannot_retreat"] == "step_lost" else max(state.defenders)
            left = tuple(max(0, steps - lost) for steps in state.defenders)
            return self.after_combat(state._replace(defenders=left))
        whole = self.effect.retreat
        stops = [
            hexes
            for hexes, word in enumerate(self.setup.retreat_path, start=1)
            if hexes < whole and word in RETREAT_STOP
        ]
        lengths = stops[:1] or [whole]
        if self.options["retreat_stop"] == "may":
            lengths = [whole, *reversed(stops)]
        branches = [self.after_combat(state._replace(retreated=hexes)) for hexes in lengths]
        return self.decided("defender", branches)

    # -------------------------------------------------------------- advance or Reserve

    def after_combat(self, state: State) -> Chances:
        """Each attacker left advances, goes into Reserve or stays, in turn."""
        vacated = state.retreated > 0 or not any(state.defenders)
        open_hex = vacated and self.effect.advance
        if self.code == "EX":  # limited: only if a single step was engaged
            open_hex = vacated and sum(self.before.defenders) == 1
        ways: list[list[str]] = []
        for unit, steps in zip(self.setup.attackers, state.attackers, strict=True):
            if steps == 0:
                continue
            ground = CLOSED_TO_MECHANISED & {*self.setup.terrain, *unit.crosses}
            closed = unit.mechanised and bool(ground) and not unit.by_road
            way = ["advance"] if open_hex and not closed else []
            ways.append([*way, *(["reserve"] if self.effect.reserve else []), "stay"])
        # All choices are the attacker's and nothing lies between them: the best of all ways
        # together; the first among equals is also first in the order of asking.
        branches = [
            {self.outcome(state, vacated=vacated, moves=moves): Fraction(1)}
            for moves in product(*ways)
        ]
        return self.decided("attacker", branches)

    def outcome(self, state: State, *, vacated: bool, moves: Sequence[str]) -> Outcome:
        alive = sum(steps > 0 for steps in state.defenders)
        disorganised = state.retreated > 0 and (
            self.effect.retreat == 4 or self.options["disorganised_two_hexes"] == "yes"
        )
        details = [
            *(["held"] if state.held and alive else []),
            *(["fortification removed"] if state.fortification_removed else []),
            *([f"retreat {state.retreated}"] if state.retreated else []),
            *(["disorganised"] if disorganised else []),
            *(["reserve"] if "reserve" in moves else []),
        ]
        return Outcome(
            result=self.code,
            attacker_steps_lost=sum(self.before.attackers) - sum(state.attackers),
            defender_steps_lost=sum(self.before.defenders) - sum(state.defenders),
            attacker_eliminated=not any(state.attackers),
            defender_eliminated=not any(state.defenders),
            vacated=vacated,
            taken="advance" in moves,
            defender_shaken=alive if disorganised else 0,
            details=tuple(details),
        )


def attack_odds(setup: Attack, options: Options, doctrines: Doctrines) -> Chances:
    aftermath = Aftermath(setup, options, doctrines)
    return mixed((chance, aftermath.of(code)) for code, chance in results(setup, options).items())


# ------------------------------------------------------------------ strafing


def strafing_modifier(setup: Strafing) -> int:
    return int(setup.strafed_strategic) - int(setup.flak_present)


def strafing_odds(setup: Strafing, options: Options, doctrines: Doctrines) -> Chances:
    """19.1.3: on a 6 one armour silhouette loses a step."""
    hit = Fraction(sum(die + strafing_modifier(setup) >= 6 for die in DIE), 6)
    steps = tuple(unit.steps for unit in setup.targets)
    ends: list[Chances] = []
    for place, unit in enumerate(setup.targets):
        if unit.armoured:
            gone = not any(without_step(steps, place))
            end = Outcome(result="1", defender_steps_lost=1, defender_eliminated=gone)
            ends.append({end: Fraction(1)})
    if not ends:
        raise Refused("no armour silhouette")
    side: Side = "defender" if options["loss_choice"] == "owner" else "attacker"
    taken = max(ends, key=lambda chances: worth(chances, side, doctrines))
    chances = mixed([(1 - hit, {Outcome(result="-"): Fraction(1)}), (hit, taken)])
    return {outcome: chance for outcome, chance in chances.items() if chance}


# ------------------------------------------------------------------ attrition


def attrition_modifier(unit: Isolated) -> int:
    return unit.quality + (2 if unit.supply_line_to is not None else 0)


def attrition_odds(setup: Attrition) -> Chances:
    """18.5: a modified roll of 4 or less costs the unit a step."""
    elsewhere = "coast" if setup.camp == "german" else "strongpoint"
    if any(unit.supply_line_to == elsewhere for unit in setup.units):
        raise Refused(f"no line to a {elsewhere}")
    chances: Chances = {}
    for dice in product(DIE, repeat=len(setup.units)):
        left = [
            unit.steps - (die + attrition_modifier(unit) <= 4)
            for unit, die in zip(setup.units, dice, strict=True)
        ]
        lost = sum(unit.steps for unit in setup.units) - sum(left)
        end = Outcome(
            result=f"-{lost}" if lost else "-",
            defender_steps_lost=lost,
            defender_eliminated=not any(left),
        )
        chances[end] = chances.get(end, Fraction(0)) + Fraction(1, 6 ** len(dice))
    return chances


# ------------------------------------------------------------------ reinforcements


def purchase(setup: Purchase) -> Outcome:
    """6.5: the bill; supply points need the Mulberry of their army."""
    spent = 0
    for item in setup.wanted:
        if item.what == "supply-point" and item.army not in setup.mulberries:
            raise Refused("no Mulberry")
        spent += PRICES[item.what] * item.count
    if spent > setup.points or not setup.wanted:
        raise Refused("too dear, or nothing wanted")
    return Outcome(
        attacker_spent=spent, details=tuple(f"{item.count} × {item.what}" for item in setup.wanted)
    )
