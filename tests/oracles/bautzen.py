"""Bautzen 1945 worked out a second time, by plain loops, from the printed card and rules.

Covered: the whole of the procedure `attack` with every option of the card.

- 1.2, 5.3, 7.3, 8.6.1, 8.6.2: factors of units that are over-stacked, unsupplied, or alone;
- 9.1, 9.2, 10.2: support of HQs and artillery, its limit, the dominant position;
- 8.2: ratio, column shifts with the limits of CLs and air markers, die modifiers, the table;
- 8.2 (1): the secret commitment, as a game of two sides that is solved by trying all sub-games;
- 8.3: the spreading of losses; 8.5: trade, no retreat, no supply, attacked again; 8.4: advance;
- 8.6.3: logistic columns alone in the hex.

After the roll nothing is left to chance, so what follows from a result is one outcome, found by
working back from the last decision: each side takes what is best by its own doctrine, and the
first among equals.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.fights.doctrine import Doctrine
from grognard.games.bautzen.stated import Attack, Counter
from grognard.rules.fight import Outcome

PRINTED = Path(__file__).parent.parent / "printed" / "bautzen"
DIE = range(1, 7)

# Printed column headers; the place of a header is its whole-number ratio.
COLUMNS = ("1/2-", "1/1", "2/1", "3/1", "4/1", "5/1", "6/1", "7/1+")

# The players' card: modifiers, all from the attacker's side of the table.
TERRAIN_COLUMN = {"dominant-position": -1, "town": -1}
TERRAIN_DIE = {"difficult": -1, "village": -1, "wood": -1}
RIVER_DIE = -1
FORMATION_DIE = +1
UNSUPPLIED_DIE = +1
CONCENTRIC_COLUMN = +1
MOST_CL_COLUMNS = 3
MOST_AIR_COLUMNS = 2
MOST_CL = 4  # 7.2: of a side on the map

# The terrain chart and 5.2: 4 points in woods or difficult ground, else 6.
NARROW = ("difficult", "wood")
# 5.1
POINTS = {
    "cl": 1,
    "regiment": 2,
    "brigade": 3,
    "first-corps": 3,
    "division-hq": 3,
    "army-hq": 4,
}
# 7.3: those whose defence is halved, too.
ON_WHEELS = ("armour", "motorised", "mechanised", "engineers", "hq")

Options = Mapping[str, str]
Doctrines = tuple[Doctrine, Doctrine]
Chances = dict[Outcome, Fraction]
Commitment = tuple[int, int]  # CLs, air markers
Matrix = list[list[Fraction]]


def _printed_table() -> dict[int, list[tuple[int, int]]]:
    lines = (PRINTED / "combat.tsv").read_text(encoding="utf-8").splitlines()
    head, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    if tuple(head[1:]) != COLUMNS:
        raise ValueError(f"unexpected columns {head}")
    table: dict[int, list[tuple[int, int]]] = {}
    for row in rows:
        cells = [cell.split("/") for cell in row[1:]]
        table[int(row[0].rstrip("+"))] = [(int(a), int(d)) for a, d in cells]
    return table


TABLE = _printed_table()


# ------------------------------------------------------------------ strengths


def half_up(number: int) -> int:
    return (number + 1) // 2


def half_down(number: int) -> int:
    return number // 2


def is_combat_unit(unit: Counter) -> bool:
    return unit.kind not in ("hq", "artillery", "cl")


def attack_factor(unit: Counter, options: Options) -> int:
    factor = unit.attack
    if unit.overstacked:  # 5.3
        factor = half_down(factor)
    named = unit.kind != "anti-tank" or options["unsupplied_guns"] == "as_infantry"
    if unit.unsupplied and named:  # 7.3, which does not name anti-tank units
        factor = half_down(factor)
    return factor


def defence_factor(unit: Counter) -> int:
    factor = unit.defence
    if unit.overstacked:  # 5.3
        factor = half_down(factor)
    if unit.unsupplied and unit.kind in ON_WHEELS:  # 7.3
        factor = half_up(factor)
    return factor


def support_of(unit: Counter) -> int:
    if unit.kind == "hq":
        if unit.unsupplied:  # 7.3: an unsupplied HQ gives no support
            return 0
        return unit.support + (2 if unit.near_dominant else 0)  # 10.2
    if unit.kind == "artillery":
        return unit.support
    return 0


def defence_alone(here: Sequence[Counter]) -> int | None:
    """The defence of an HQ, guns or anti-tank guns with nothing else in the hex; else None.

    Support and anti-tank factors are added to other units; two batteries without any other unit
    are as alone as one, and defend with 1 each. Two HQs are stacked with each other.
    """
    kinds = {unit.kind for unit in here}
    if kinds == {"hq"} and len(here) == 1:  # 8.6.1, and 7.3 where it is unsupplied
        value = half_up(here[0].support)
        return half_up(value) if here[0].unsupplied else value
    if kinds in ({"artillery"}, {"anti-tank"}):  # 8.6.2, 1.2
        return len(here)
    return None


def attack_total(setup: Attack, options: Options) -> int:
    factors = sum(attack_factor(unit, options) for unit in setup.attackers if is_combat_unit(unit))
    support = sum(support_of(unit) for unit in setup.attackers)
    return factors + min(support, factors)  # 9.2


def defence_total(setup: Attack, options: Options) -> int:
    here = [unit for unit in setup.defenders if not unit.at_distance and unit.kind != "cl"]
    far = [unit for unit in setup.defenders if unit.at_distance]
    alone = defence_alone(here)
    if options["support_cap"] == "both" and all(u.kind in ("hq", "artillery") for u in here):
        # Nobody is there whom they could support: each has what it would have by itself.
        alone = sum(defence_alone([unit]) or 0 for unit in here)
    if alone is None:
        factors = sum(defence_factor(unit) for unit in here if is_combat_unit(unit))
        support = sum(support_of(unit) for unit in [*here, *far])
    else:
        factors = alone
        support = sum(support_of(unit) for unit in far)
    if options["support_cap"] != "attacker":
        support = min(support, factors)
    return factors + support


# ------------------------------------------------------------------ column and die


def basic_ratio(setup: Attack, options: Options) -> int:
    attack, defence = attack_total(setup, options), defence_total(setup, options)
    if defence == 0:
        return 7 if options["zero_defence"] == "last_column" else attack
    return attack // defence


def within(least: int, number: int, most: int) -> int:
    return max(least, min(number, most))


def shift(setup: Attack, options: Options, mine: Commitment, his: Commitment) -> int:
    columns = setup.attacker_cl + mine[0] - setup.defender_cl - his[0]
    air = setup.attacker_air + mine[1] - setup.defender_air - his[1]
    air = within(-MOST_AIR_COLUMNS, air, MOST_AIR_COLUMNS)
    rest = sum(TERRAIN_COLUMN.get(word, 0) for word in set(setup.terrain))
    rest += CONCENTRIC_COLUMN if setup.concentric else 0
    columns = within(-MOST_CL_COLUMNS, columns, MOST_CL_COLUMNS)  # 7.2 says it, too
    whole = columns + air + rest
    if options["column_cap"] == "all_shifts":
        return within(-MOST_CL_COLUMNS, whole, MOST_CL_COLUMNS)
    return whole


def columns_of(
    setup: Attack, options: Options, mine: Commitment = (0, 0), his: Commitment = (0, 0)
) -> tuple[int, int]:
    """Give the places of the basic and of the final column."""
    ratio = basic_ratio(setup, options)
    basic = min(ratio, 7)
    start = basic if options["ratio_clamp"] == "before" else ratio
    return basic, within(0, start + shift(setup, options, mine, his), 7)


def die_modifier(setup: Attack) -> int:
    modifier = sum(TERRAIN_DIE.get(word, 0) for word in set(setup.terrain))
    if setup.formation_complete:
        modifier += FORMATION_DIE
    if any(unit.unsupplied for unit in setup.defenders if not unit.at_distance):
        modifier += UNSUPPLIED_DIE
    if any(unit.across_river for unit in setup.attackers if not unit.at_distance):
        modifier += RIVER_DIE
    return modifier


def table_result(options: Options, die: int, column: int) -> tuple[int, int]:
    if die < 1 and options["low_die"] == "no_effect":
        return 0, 0
    return TABLE[within(1, die, 8)][column]


# ------------------------------------------------------------------ after the roll


class State(NamedTuple):
    """The steps that are left, in the order in which the counters are stated."""

    attackers: tuple[int, ...]
    defenders: tuple[int, ...]
    retreat: int = 0


class End(NamedTuple):
    """How it ended: what the sides care for, whose steps are left, who advanced."""

    outcome: Outcome
    state: State
    advanced: tuple[str, ...]


Then = Callable[[State], list[End]]


class Aftermath:
    """What a result of the table leads to: the one end of sides that decide by their doctrines,
    or, without doctrines, every end that legal decisions lead to."""

    def __init__(self, setup: Attack, options: Options, doctrines: Doctrines | None) -> None:
        self.setup = setup
        self.options = options
        self.doctrines = doctrines
        self.known: dict[tuple[int, int], Outcome] = {}
        self.supports_too = options["support_losses"] == "supports_too"
        self.units: dict[Side, tuple[Counter, ...]] = {
            "attacker": setup.attackers,
            "defender": setup.defenders,
        }
        self.start = State(
            tuple(unit.steps for unit in setup.attackers),
            tuple(unit.steps for unit in setup.defenders),
        )
        self.stack = [
            place
            for place, unit in enumerate(setup.defenders)
            if not unit.at_distance and unit.kind != "cl"
        ]

    def of(self, result: tuple[int, int]) -> list[End]:
        hurt, owed = result
        return self.loses(
            "attacker", self.start, hurt, lambda state: self.defender_answers(state, owed)
        )

    def only(self, result: tuple[int, int]) -> Outcome:
        """The one outcome of sides with doctrines; the same result is worked out once."""
        if result not in self.known:
            (end,) = self.of(result)
            self.known[result] = end.outcome
        return self.known[result]

    def decides(self, side: Side, ways: Iterable[list[End]]) -> list[End]:
        """Keep all ways, or the first of those that are best by the side's doctrine."""
        if self.doctrines is None:
            return [end for ends in ways for end in ends]
        doctrine = self.doctrines[0 if side == "attacker" else 1]
        return max(ways, key=lambda ends: doctrine.value(ends[0].outcome, side))

    def takers(self, side: Side) -> list[int]:
        """8.3: who took part. All units of the attacked hex; of the attacker's, those that add
        factors of their own. Those that only support, by option."""
        return [
            place
            for place, unit in enumerate(self.units[side])
            if (place in self.stack if side == "defender" else is_combat_unit(unit))
            or (self.supports_too and unit.kind != "cl")
        ]

    def next_losers(self, side: Side, left: Sequence[int]) -> list[int]:
        """8.3: evenly, but none dies while another could take the step and live."""
        alive = [place for place in self.takers(side) if left[place] > 0]
        pool = [place for place in alive if left[place] > 1] or alive
        lost = {place: self.units[side][place].steps - left[place] for place in pool}
        return [place for place in pool if lost[place] == min(lost.values())]

    def loses(self, side: Side, state: State, count: int, then: Then) -> list[End]:
        left = state.attackers if side == "attacker" else state.defenders
        losers = self.next_losers(side, left)
        if count == 0 or not losers:
            return then(state)
        ways = []
        for place in losers:
            less = one_less(left, [place])
            if side == "attacker":
                after = state._replace(attackers=less)
            else:
                after = state._replace(defenders=less)
            ways.append(self.loses(side, after, count - 1, then))
        return self.decides(side, ways)

    def each_loses_one(self, state: State) -> State:
        return state._replace(defenders=one_less(state.defenders, self.stack))

    def die(self, state: State, doomed: Sequence[int]) -> State:
        left = tuple(0 if i in doomed else n for i, n in enumerate(state.defenders))
        gone = all(left[place] == 0 for place in self.stack)
        return state._replace(defenders=left, retreat=0 if gone else state.retreat)

    def stack_steps(self, state: State) -> int:
        return sum(state.defenders[place] for place in self.stack)

    def doomed(self) -> list[int]:
        """8.5.2b: "note the units that have retreated"; these, or by option whoever is with
        them, are eliminated when they are attacked again and suffer a step."""
        marked = [
            place
            for place in self.stack
            if self.setup.retreated_before or self.setup.defenders[place].retreated
        ]
        if marked and self.options["reattacked_units"] == "whole_stack":
            return self.stack
        return marked

    def defender_answers(self, state: State, owed: int) -> list[End]:
        if owed == 0:
            return self.advance(state)
        doomed = self.doomed()
        if doomed and self.options["reattacked"] == "inflicted":
            paid = sum(state.defenders[place] for place in doomed)
            state, owed = self.die(state, doomed), owed - paid
            if owed <= 0 or self.stack_steps(state) == 0:
                return self.advance(state)
        return self.decides(
            "defender",
            [self.after_trade(state, owed - n, n) for n in self.trades(owed)],
        )

    def can_go(self, owed: int) -> int:
        """8.5: how many of the hexes that steps could be traded for the stack can go."""
        if not self.setup.can_retreat:
            return 0
        if self.options["retreat_short"] == "stays" and self.setup.retreat_room is not None:
            return min(owed, self.setup.retreat_room)
        return owed

    def trades(self, owed: int) -> range:
        """8.5.1: how many steps may be traded. Nothing is got for a hex that can't be gone: by
        the first reading of 8.5.2a no such trade is offered."""
        strict = self.options["no_retreat_loss"] == "nothing_traded"
        return range((self.can_go(owed) if strict else owed) + 1)

    def after_trade(self, state: State, kept: int, traded: int) -> list[End]:
        def stays(later: State) -> list[End]:
            return self.ends(self.each_loses_one(later))

        def retreats(later: State) -> list[End]:
            if self.stack_steps(later) == 0:
                return self.ends(later)
            later = later._replace(retreat=traded)
            if self.setup.retreat_unsupplied:  # 8.5.2a, its second sentence
                later = self.each_loses_one(later)
            return self.ends(later)

        way = self.options["no_retreat_loss"]
        if way == "nothing_traded" and self.can_go(kept + traded) == 0:
            # "Unable to retreat, it must stay; each unit then loses an additional step": additional
            # to all steps of the result, since none could be exchanged.
            return self.loses("defender", state, kept, stays)
        if traded == 0:
            return self.loses("defender", state, kept, self.ends)
        if traded <= self.can_go(kept + traded):
            return self.loses("defender", state, kept, retreats)
        return self.loses("defender", state, 0 if way == "only" else kept, stays)

    def ends(self, state: State) -> list[End]:
        """8.5.2b by its other reading: dead only if a step was really lost."""
        doomed = self.doomed()
        if any(state.defenders[place] < self.start.defenders[place] for place in doomed):
            state = self.die(state, doomed)
        return self.advance(state)

    def advance(self, state: State) -> list[End]:
        vacated = state.retreat > 0 or self.stack_steps(state) == 0
        groups = advancing(self.setup, state.attackers) if vacated else [()]
        return self.decides(
            "attacker",
            [[End(self.outcome(state, vacated, bool(group)), state, group)] for group in groups],
        )

    def outcome(self, state: State, vacated: bool, taken: bool) -> Outcome:
        gone = self.stack_steps(state) == 0
        return Outcome(
            attacker_steps_lost=sum(self.start.attackers) - sum(state.attackers),
            defender_steps_lost=sum(self.start.defenders) - sum(state.defenders),
            attacker_eliminated=not any(state.attackers[i] for i in self.takers("attacker")),
            defender_eliminated=gone,
            vacated=vacated,
            taken=taken,
            details=(f"retreat {state.retreat}",) if state.retreat and not gone else (),
        )


def one_less(left: tuple[int, ...], places: Sequence[int]) -> tuple[int, ...]:
    return tuple(max(0, n - 1) if i in places else n for i, n in enumerate(left))


def advancing(setup: Attack, left: Sequence[int]) -> list[tuple[str, ...]]:
    """8.4: any units that took part and live, within stacking; never HQs and CLs."""
    able = [
        unit
        for unit, steps in zip(setup.attackers, left, strict=True)
        if steps > 0 and not unit.at_distance and unit.kind not in ("hq", "cl")
    ]
    limit = 4 if any(word in NARROW for word in setup.terrain) else 6
    return [
        tuple(unit.name for unit in group)
        for size in range(len(able) + 1)
        for group in combinations(able, size)
        if sum(POINTS[unit.size] for unit in group) <= limit
    ]


# ------------------------------------------------------------------ the whole attack


def only_columns(setup: Attack) -> bool:
    return all(unit.kind == "cl" for unit in setup.defenders if not unit.at_distance)


def columns_alone(setup: Attack, doctrines: Doctrines) -> Chances:
    """8.6.3: no combat; a die for each column, captured ones within the limit of four."""
    count = sum(unit.kind == "cl" and not unit.at_distance for unit in setup.defenders)
    groups = advancing(setup, [unit.steps for unit in setup.attackers])
    chances: Chances = {}
    for dice in product(DIE, repeat=count):
        room = MOST_CL - setup.attacker_cl_on_map
        fates = []
        for die in dice:
            captured = die >= 4 and room > 0
            room -= captured
            fates.append("C" if captured else "D")
        ends = [Outcome(result="+".join(fates), vacated=True, taken=bool(g)) for g in groups]
        end = max(ends, key=lambda outcome: doctrines[0].value(outcome, "attacker"))
        chances[end] = chances.get(end, Fraction(0)) + Fraction(1, 6**count)
    return chances


def after_commitment(aftermath: Aftermath, mine: Commitment, his: Commitment) -> Chances:
    """Give the chances of all outcomes once both sides have announced what they commit."""
    setup, options = aftermath.setup, aftermath.options
    _, column = columns_of(setup, options, mine, his)
    chances: Chances = {}
    for die in DIE:
        result = table_result(options, die + die_modifier(setup), column)
        end = replace(
            aftermath.only(result),
            result=f"{result[0]}/{result[1]}",
            attacker_spent=setup.attacker_cl + setup.attacker_air + sum(mine),
            defender_spent=setup.defender_cl + setup.defender_air + sum(his),
        )
        chances[end] = chances.get(end, Fraction(0)) + Fraction(1, 6)
    return chances


def all_ends(setup: Attack, options: Options, die: int) -> list[End]:
    """Give every end that legal decisions lead to, with the die that was rolled."""
    _, column = columns_of(setup, options)
    result = table_result(options, die + die_modifier(setup), column)
    return Aftermath(setup, options, None).of(result)


def offers(columns: int, aircraft: int) -> list[Commitment]:
    return list(product(range(columns + 1), range(aircraft + 1)))


def offers_of(setup: Attack) -> tuple[list[Commitment], list[Commitment]]:
    return (
        offers(setup.attacker_cl_at_hand, setup.attacker_air_at_hand),
        offers(setup.defender_cl_at_hand, setup.defender_air_at_hand),
    )


class Committing(NamedTuple):
    """Each pair of commitments: what follows, and what it is worth to either side."""

    chances: list[list[Chances]]
    attacker: Matrix
    defender: Matrix

    def difference(self) -> Matrix:
        return [
            [ours - theirs for ours, theirs in zip(row, other, strict=True)]
            for row, other in zip(self.attacker, self.defender, strict=True)
        ]


def committing(setup: Attack, options: Options, doctrines: Doctrines) -> Committing:
    mine, his = offers_of(setup)
    aftermath = Aftermath(setup, options, doctrines)
    chances = [[after_commitment(aftermath, ours, theirs) for theirs in his] for ours in mine]
    attacker, defender = doctrines
    return Committing(
        chances,
        [[worth(cell, lambda o: attacker.value(o, "attacker")) for cell in r] for r in chances],
        [[worth(cell, lambda o: defender.value(o, "defender")) for cell in r] for r in chances],
    )


def worth(chances: Chances, value: Callable[[Outcome], int]) -> Fraction:
    return sum((chance * value(outcome) for outcome, chance in chances.items()), Fraction(0))


def pure_commitments(game: Committing, doctrines: Doctrines) -> tuple[int, int] | None:
    """Give the options taken where a doctrine fixes at least one side; None where both think.

    All is the last option, nothing the first. The side that thinks knows the other's doctrine.
    """
    rows, columns = len(game.attacker), len(game.attacker[0])
    fixed = {"all": -1, "none": 0}
    row = fixed.get(doctrines[0].commits)
    column = fixed.get(doctrines[1].commits)
    if row is not None and column is not None:
        return row % rows, column % columns
    if row is not None:
        row %= rows
        return row, max(range(columns), key=lambda j: game.defender[row][j])
    if column is not None:
        column %= columns
        return max(range(rows), key=lambda i: game.attacker[i][column]), column
    return None


def mixed(game: Committing, rows: Sequence[Fraction], columns: Sequence[Fraction]) -> Chances:
    """Give the chances when both sides take their options as often as said."""
    chances: Chances = {}
    for often, row in zip(rows, game.chances, strict=True):
        for seldom, cell in zip(columns, row, strict=True):
            for outcome, chance in cell.items():
                if often * seldom:
                    part = often * seldom * chance
                    chances[outcome] = chances.get(outcome, Fraction(0)) + part
    return chances


# ------------------------------------------------------------------ zero-sum games


def solved(system: list[list[Fraction]]) -> list[Fraction] | None:
    """Solve linear equations, each a row of coefficients and the right side; None if singular."""
    size = len(system)
    rows = [list(row) for row in system]
    for place in range(size):
        pivot = next((i for i in range(place, size) if rows[i][place] != 0), None)
        if pivot is None:
            return None
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [number / rows[place][place] for number in rows[place]]
        for i in range(size):
            if i != place:
                factor = rows[i][place]
                rows[i] = [n - factor * p for n, p in zip(rows[i], rows[place], strict=True)]
    return [row[-1] for row in rows]


def secured(matrix: Matrix, rows: Sequence[Fraction]) -> Fraction:
    """What a mixture of rows is worth against the best answer to it."""
    return min(
        sum((x * row[j] for x, row in zip(rows, matrix, strict=True)), Fraction(0))
        for j in range(len(matrix[0]))
    )


def turned(matrix: Matrix) -> Matrix:
    """The same game seen by the other side."""
    return [[-row[j] for row in matrix] for j in range(len(matrix[0]))]


def most_secured(matrix: Matrix) -> Fraction:
    """The most that the side of the rows can make sure of.

    An optimal mixture is among those that make some square sub-game even (Shapley and Snow).
    """
    count, width = len(matrix), len(matrix[0])
    best: list[Fraction] = []
    for size in range(1, min(count, width) + 1):
        for used in combinations(range(count), size):
            for against in combinations(range(width), size):
                system = [
                    [*(matrix[i][j] for i in used), Fraction(-1), Fraction(0)] for j in against
                ]
                system.append([*(Fraction(1) for _ in used), Fraction(0), Fraction(1)])
                answer = solved(system)
                if answer is None or min(answer[:-1]) < 0:
                    continue
                share = dict(zip(used, answer, strict=False))
                best.append(secured(matrix, [share.get(i, Fraction(0)) for i in range(count)]))
    return max(best)


def game_value(matrix: Matrix) -> Fraction:
    """The value of a zero-sum game; both sides' searches must meet in it."""
    value = most_secured(matrix)
    if -most_secured(turned(matrix)) != value:
        raise AssertionError("the two searches for the value do not meet")
    return value
