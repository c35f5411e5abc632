"""White October worked out a second time, by plain loops, from the printed card (in French).

Covered: the whole of the procedure `attack` with every option of the card.

- the combat strength: three halvings, cumulative, rounded once on the total;
- the dominant Quality and morale, by PE or as stated; encirclement and Trotsky; the row;
- the eleven dice modifiers, the two dice, columns "1-" to 15, who wins;
- the table with its 13 damaged cells, the doubtful ones, and those that are not read at all;
- the results: "/" and D, losses, the mandatory loss, retreat, rout, no way back, surrender,
  disorganisation; the loser first; the advance of the winner;
- what the sides care for: steps lost, ground left and taken, units shaken.

Of an advance only whether it is made shows in an outcome: neither the unit that is named nor its
one or two hexes are decided here.

After the roll nothing is left to chance, so what follows from a column is one outcome, found by
working back from the last decision: each side takes what is best by its own doctrine, and the
first among equals in the order of the print.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor
from pathlib import Path
from typing import Literal, NamedTuple

from grognard.fights.doctrine import Doctrine
from grognard.games.white_october.stated import Attack, Counter
from grognard.rules.fight import Outcome

PRINTED = Path(__file__).parent.parent / "printed" / "white-october"

Side = Literal["attacker", "defender"]
Options = Mapping[str, str]
Doctrines = Mapping[Side, Doctrine]
Chances = dict[Outcome, Fraction]

LETTER: dict[Side, str] = {"attacker": "A", "defender": "D"}
ENEMY: dict[Side, Side] = {"attacker": "defender", "defender": "attacker"}

LOWEST_MORALE, HIGHEST_MORALE = 1, 6
ENCIRCLED_MORALE = -1
TROTSKY_MORALE = +2
FIRST_COLUMN, LAST_COLUMN = 1, 15  # "1-" and 15
EMPTY_COLUMN = 7
FIRST_COLUMN_OF_THE_ATTACKER = 8
LARGE_COMBAT = 4  # PE of combat units on both sides
GOOD_CAVALRY = 5  # Q5+

# The ratios named in any reading, each with what it gives when the scale goes on as 3/1, 4/1, 5/1,
# and when it goes on by halves. From 1/4 to 1/3 nothing is printed.
RATIOS: tuple[tuple[str, Fraction, int, int], ...] = (
    ("5/1", Fraction(5), +5, +5),
    ("4/1", Fraction(4), +4, +5),
    ("3.5/1", Fraction(7, 2), +3, +5),
    ("3/1", Fraction(3), +3, +4),
    ("2.5/1", Fraction(5, 2), +2, +3),
    ("2/1", Fraction(2), +2, +2),
    ("1.5/1", Fraction(3, 2), +1, +1),
    ("1/1", Fraction(1), 0, 0),
    ("1/1.5", Fraction(2, 3), -1, -1),
    ("1/2", Fraction(1, 2), -2, -2),
    ("1/3", Fraction(1, 3), -3, -3),
    ("1/4", Fraction(1, 4), -4, -4),
    ("<1/4", Fraction(0), -4, -4),
)


class NotRead(Exception):
    """The options leave it to the players."""


# ---------------------------------------------------------------- the card


class Place(NamedTuple):
    """A half of a cell."""

    row: int
    column: int
    side: Side


class Result(NamedTuple):
    """One of the results between which a half lets choose."""

    losses: int
    codes: tuple[str, ...]

    @property
    def hexes(self) -> int:
        """How far to go back."""
        return sum({"r": 1, "r2": 2, "dr": 2}.get(code, 0) for code in self.codes)

    @property
    def advances(self) -> bool:
        return "a" in self.codes or "a1" in self.codes


def _lines(name: str) -> list[list[str]]:
    text = (PRINTED / f"{name}.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def _side(name: str) -> Side:
    return "attacker" if name == "attacker" else "defender"


def _table() -> dict[Place, str]:
    head, *rows = _lines("combat")
    table: dict[Place, str] = {}
    for morale, *cells in rows:
        for label, cell in zip(head[1:], cells, strict=True):
            row, column = int(morale[1:]), int(label.rstrip("-"))
            attacker, defender = cell.split("|")
            table[Place(row, column, "attacker")] = attacker
            table[Place(row, column, "defender")] = defender
    return table


def _marked(name: str) -> dict[Place, str]:
    """The halves listed in a file, each with its last field."""
    return {
        Place(int(line[0][1:]), int(line[1]), _side(line[2])): line[-1] for line in _lines(name)[1:]
    }


TABLE = _table()
LEGIBLE = {place: "-" if left == "(none)" else left for place, left in _marked("damaged").items()}
_DAMAGED_CELLS = {(place.row, place.column) for place in LEGIBLE}
# Of a damaged cell the halves that are not certain; so the other half of such a cell may be read.
UNREAD = {place for place in _marked("doubts") if (place.row, place.column) in _DAMAGED_CELLS}


def half_of(place: Place, options: Options) -> str:
    """The half as the options read it."""
    damaged = options["damaged_cells"]
    if damaged == "refuse" and place in UNREAD:
        raise NotRead(place)
    if damaged == "legible" and place in LEGIBLE:
        return LEGIBLE[place]
    return _read_otherwise(options).get(place, TABLE[place])


def _read_otherwise(options: Options) -> dict[Place, str]:
    """The halves that the options read otherwise than the table does."""
    cells: dict[tuple[int, int], str] = {}
    if options["damaged_cells"] == "fill_1d":
        cells |= {(4, 4): "D:1r/1d|-"}
        cells |= {(row, 4): "D:1r/1d|r/d" for row in (3, 2, 1)}
    if options["damaged_cells"] == "fill_1d_rd":
        cells |= {(1, 4): "D:1r/1d/rd|r/d"}
    if options["c4_m6_chooser"] == "owner":
        cells |= {(6, 4): "2/1r/1d|-/a1"}
    if options["c8_slash_one"] == "defender":
        cells |= {(row, 8): "1da|r/d/1" for row in (6, 5, 4)}
    if options["c11_m6"] == "attacker":
        cells |= {(6, 11): "1da|r2/1r/1d"}
    return {
        Place(row, column, side): half
        for (row, column), cell in cells.items()
        for side, half in zip(LETTER, cell.split("|"), strict=True)
    }


def results_of(half: str) -> list[Result]:
    """Part a half into its results."""
    found = []
    for text in half.removeprefix("D:").split("/"):
        whole = re.fullmatch(r"(\d?)((?:r2|dr|a1|R|r|d|a)*)|-", text)
        if whole is None:
            raise ValueError(half)
        codes = re.findall(r"r2|dr|a1|R|r|d|a", whole[2] or "")
        found.append(Result(int(whole[1] or 0), tuple(codes)))
    return found


# ---------------------------------------------------------------- strengths, ratio, dominants


def units_of(setup: Attack, side: Side) -> tuple[Counter, ...]:
    return setup.attackers if side == "attacker" else setup.defenders


def pe_of(unit: Counter) -> int:
    return unit.pe or unit.steps


def steps_of(unit: Counter) -> int:
    return unit.steps or unit.pe


def strength(setup: Attack, side: Side, options: Options) -> Fraction:
    total = Fraction(0)
    for unit in units_of(setup, side):
        halvings = unit.out_of_ammunition + unit.routed + unit.disorganised
        total += Fraction(unit.strength, 2**halvings)
    match options["rounding"]:
        case "floor":
            return Fraction(floor(total))
        case "ceil":
            return Fraction(ceil(total))
        case "nearest":
            return Fraction(floor(total + Fraction(1, 2)))
        case _:
            return total


def ratio_of(setup: Attack, options: Options) -> tuple[str, int]:
    """The ratio and its dice modifier."""
    attack, defence = (strength(setup, side, options) for side in LETTER)
    if defence == 0:
        if options["zero_defence"] == "best_ratio":
            return "5/1", +5
        defence = Fraction(1)
    for label, least, mirror, half_steps in RATIOS:
        if attack >= least * defence:
            if label == "1/4" and options["ratio_gap"] == "literal":
                return label, -3
            return label, half_steps if options["ratio_steps"] == "half_steps" else mirror
    raise AssertionError(attack, defence)


def dominant(values: Iterable[tuple[int, int]], options: Options) -> int:
    """The value that most PE hold, of pairs of a value and PE."""
    held: dict[int, int] = {}
    for value, pe in values:
        held[value] = held.get(value, 0) + pe
    most = max(held.values())
    tied = [value for value, pe in held.items() if pe == most]
    return max(tied) if options["dominant_tie"] == "higher" else min(tied)


def quality(setup: Attack, side: Side, options: Options) -> int:
    stated = setup.attacker_quality if side == "attacker" else setup.defender_quality
    if stated is not None:
        return stated
    return dominant(((unit.quality, pe_of(unit)) for unit in units_of(setup, side)), options)


def morale(setup: Attack, side: Side, options: Options) -> int:
    """The row of a side."""
    if side == "attacker":
        stated, encircled = setup.attacker_morale, setup.attacker_encircled
        trotsky = setup.attacker_trotsky
    else:
        stated, encircled = setup.defender_morale, setup.defender_encircled
        trotsky = setup.defender_trotsky
    found = stated
    if found is None:
        found = dominant(((unit.morale, pe_of(unit)) for unit in units_of(setup, side)), options)
    if encircled:
        found += ENCIRCLED_MORALE
    if trotsky:
        found += TROTSKY_MORALE
    within = max(LOWEST_MORALE, min(HIGHEST_MORALE, found))
    if within != found and options["morale_clamp"] == "refuse":
        raise NotRead(found)
    return within


# ---------------------------------------------------------------- the dice


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _vehicles(units: Iterable[Counter]) -> int:
    return sum(unit.tank or unit.armoured_car for unit in units)


def _good_cavalry(units: Iterable[Counter]) -> bool:
    return any(unit.cavalry and unit.quality >= GOOD_CAVALRY for unit in units)


def dice_modifier(setup: Attack, options: Options) -> int:
    ours, theirs = setup.attackers, setup.defenders
    by_night = setup.night and (setup.attacker_is_ano or options["night_attack"] == "any")
    charge = setup.clear_terrain and _good_cavalry(ours) and not _good_cavalry(theirs)
    return (
        ratio_of(setup, options)[1]
        + quality(setup, "attacker", options)
        - quality(setup, "defender", options)
        + _sign(setup.attacker_support - setup.defender_support)
        + _sign(_vehicles(ours) - _vehicles(theirs))
        + (1 if any(unit.tank for unit in ours) else 0)
        + (1 if setup.attacker_air else 0)
        + (1 if by_night else 0)
        + setup.hq_bonus
        + (2 if setup.defender_encircled else 0)
        + (1 if charge else 0)
        - setup.terrain_value
    )


def winner_of(column: int, options: Options) -> Side | None:
    if column >= FIRST_COLUMN_OF_THE_ATTACKER:
        return "attacker"
    if column == EMPTY_COLUMN and options["column_7"] == "nobody":
        return None
    return "defender"


def rows_of(setup: Attack, winner: Side | None, options: Options) -> dict[Side, int]:
    """The row on which each side reads its half."""
    own = {side: morale(setup, side, options) for side in LETTER}
    match options["morale_row"], winner:
        case ("attacker", _) | ("winner", "attacker") | ("loser", "defender"):
            return dict.fromkeys(LETTER, own["attacker"])
        case ("defender", _) | ("winner", "defender") | ("loser", "attacker"):
            return dict.fromkeys(LETTER, own["defender"])
        case _:  # without a winner all rows are the same: empty
            return own


def mandatory_loss(setup: Attack, column: int, options: Options) -> int:
    if column == EMPTY_COLUMN and options["mandatory_loss"] == "only_with_effect":
        return 0
    engaged = [sum(pe_of(unit) for unit in units_of(setup, side) if unit.combat) for side in LETTER]
    return 1 if min(engaged) >= LARGE_COMBAT else 0


# ---------------------------------------------------------------- what a result does to a side


class Fate(NamedTuple):
    """What became of a side."""

    lost: int = 0
    eliminated: bool = False
    left: bool = False  # its hex, on foot or dead
    shaken: int = 0
    details: tuple[str, ...] = ()


class Blow(NamedTuple):
    """A result for a side, with what is lost besides."""

    side: Side
    result: Result
    mandatory: int


def can_retreat(setup: Attack, side: Side) -> bool:
    return setup.attacker_can_retreat if side == "attacker" else setup.defender_can_retreat


def owed(setup: Attack, blow: Blow, options: Options) -> int:
    """The losses that a side has to take."""
    total = blow.result.losses + blow.mandatory
    if not can_retreat(setup, blow.side) and options["no_retreat"] == "loss":
        total += blow.result.hexes
    return total


def spreads(units: Sequence[Counter], losses: int) -> Iterator[tuple[int, ...]]:
    """All ways to take losses, as the steps that each unit has left."""
    steps = [steps_of(unit) for unit in units]
    left = max(sum(steps) - losses, 0)
    for spread in product(*(range(most + 1) for most in steps)):
        if sum(spread) == left:
            yield spread


def shock(*, routed: bool, disorganised: bool) -> int:
    return 2 if routed else int(disorganised)


def fate_of(setup: Attack, blow: Blow, left: Sequence[int], options: Options) -> Fate:
    """Carry a result out on what the losses have left of each unit."""
    side, result = blow.side, blow.result
    units, left = units_of(setup, side), list(left)
    gone = False
    told = []
    if "R" in result.codes and any(left):
        gone = True
        if options["surrender"] == "rest_captured":
            left = [0] * len(left)
            told.append("captured")
        else:
            told.append("surrenders")
    rout = "dr" in result.codes
    if result.hexes and any(left):
        if can_retreat(setup, side):
            gone = True
            told.append(f"{'rout' if rout else 'retreat'} {result.hexes}")
        elif options["no_retreat"] == "eliminated":
            left = [0] * len(left)
    if "d" in result.codes and any(left):
        told.append("disorganised")
    shaken = 0
    broken = "d" in result.codes
    for place, unit in enumerate(units):
        # The legend gives a state once. By option one more makes it worse: disorganised units
        # are routed, routed ones are lost.
        again = (rout and unit.routed) or (broken and unit.disorganised)
        if again and left[place] and options["shaken_again"] == "worse" and unit.routed:
            left[place] = 0
        if left[place]:
            now = shock(
                routed=unit.routed or rout or (again and options["shaken_again"] == "worse"),
                disorganised=unit.disorganised or broken,
            )
            shaken += now - shock(routed=unit.routed, disorganised=unit.disorganised)
    return Fate(
        lost=sum(steps_of(unit) for unit in units) - sum(left),
        eliminated=not any(left),
        left=gone or not any(left),
        shaken=shaken,
        details=tuple(f"{LETTER[side]} {word}" for word in told),
    )


def outcome_of(
    text: str, first: Side, fates: Mapping[Side, Fate], advancing: Side | None
) -> Outcome:
    attacker, defender = fates["attacker"], fates["defender"]
    return Outcome(
        result=text,
        attacker_steps_lost=attacker.lost,
        defender_steps_lost=defender.lost,
        attacker_eliminated=attacker.eliminated,
        defender_eliminated=defender.eliminated,
        vacated=defender.left,
        taken=advancing == "attacker",
        attacker_left=attacker.left,
        defender_advanced=advancing == "defender",
        attacker_shaken=attacker.shaken,
        defender_shaken=defender.shaken,
        details=fates[first].details + fates[ENEMY[first]].details,
    )


# ---------------------------------------------------------------- the decisions, from the last back


def best(outcomes: Iterable[Outcome], side: Side, doctrines: Doctrines) -> Outcome:
    """What a side takes: the first of the best."""
    return max(outcomes, key=lambda outcome: doctrines[side].value(outcome, side))


class Combat(NamedTuple):
    """An attack once the dice are known."""

    setup: Attack
    options: Options
    doctrines: Doctrines
    halves: Mapping[Side, str]
    winner: Side | None
    mandatory: int

    def after(self, side: Side, fates: Mapping[Side, Fate]) -> Outcome:
        """What follows when a side is to apply its results, the fates of those before known."""
        half = self.halves[side]
        chooser = "defender" if half.startswith("D:") else side
        return best(
            (
                self.suffered(Blow(side, result, self.mandatory), fates)
                for result in results_of(half)
            ),
            chooser,
            self.doctrines,
        )

    def suffered(self, blow: Blow, fates: Mapping[Side, Fate]) -> Outcome:
        """What follows from a result: the owner spreads the losses."""
        units = units_of(self.setup, blow.side)
        found = []
        for left in spreads(units, owed(self.setup, blow, self.options)):
            fate = fate_of(self.setup, blow, left, self.options)
            after = {**fates, blow.side: fate}
            if not fates:
                found.append(self.after(ENEMY[blow.side], after))
            else:
                found.append(self.ended(blow, after))
        return best(found, blow.side, self.doctrines)

    def ended(self, last: Blow, fates: Mapping[Side, Fate]) -> Outcome:
        """The outcome. The advance is mandatory for the winner, who applied his result last."""
        advancing = None
        if (
            last.result.advances
            and last.side == self.winner
            and fates[ENEMY[last.side]].left
            and not fates[last.side].eliminated
        ):
            advancing = last.side
        text = f"{self.halves['attacker']}|{self.halves['defender']}"
        return outcome_of(text, ENEMY[last.side], fates, advancing)


def outcome_on(column: int, setup: Attack, options: Options, doctrines: Doctrines) -> Outcome:
    """What happens on a column of the table."""
    winner = winner_of(column, options)
    rows = rows_of(setup, winner, options)
    halves = {side: half_of(Place(rows[side], column, side), options) for side in LETTER}
    combat = Combat(
        setup=setup,
        options=options,
        doctrines=doctrines,
        halves=halves,
        winner=winner,
        mandatory=mandatory_loss(setup, column, options),
    )
    loser = ENEMY[winner] if winner else "attacker"
    return combat.after(loser, {})


def column_of(dice: int) -> int:
    return max(FIRST_COLUMN, min(LAST_COLUMN, dice))


def chances(setup: Attack, options: Options, doctrines: Doctrines) -> Chances:
    """The exact chances of all outcomes."""
    modifier = dice_modifier(setup, options)
    found: Chances = {}
    for one, other in product(range(1, 7), repeat=2):
        column = column_of(one + other + modifier)
        outcome = outcome_on(column, setup, options, doctrines)
        found[outcome] = found.get(outcome, Fraction(0)) + Fraction(1, 36)
    return found
