"""The odds of the games in `examples/games`, worked out again from the words of their cards.

Everything is tried, one roll after the other, with tables written down here once more. Nothing of
the program is used. One unit fights on each side, so that nobody has to pick one; where a card
lets a side choose, it takes what is worth more by the points of the doctrine `best`.
"""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, floor

Odds = dict["End", Fraction]


@dataclass(frozen=True)
class Side:
    """One side of a fight: a unit, and what has become of it."""

    steps: int
    lost: int = 0
    left: bool = False
    shaken: bool = False
    newly: bool = False  # shaken in this fight

    @property
    def alive(self) -> bool:
        return self.lost < self.steps

    @property
    def stands(self) -> bool:
        return self.alive and not self.left

    def loses(self, count: int) -> "Side":
        return replace(self, lost=min(self.steps, self.lost + count))


@dataclass(frozen=True)
class End:
    """What is compared: the result, the steps lost, who stands where."""

    result: str
    ours: int
    theirs: int
    vacated: bool
    taken: bool
    thrown_back: bool
    our_shaken: int
    their_shaken: int


@dataclass(frozen=True)
class Fight:
    """A fight on its way."""

    attacker: Side
    defender: Side
    result: str = ""
    taken: bool = False


def end(fight: Fight) -> End:
    ours, theirs = fight.attacker, fight.defender
    return End(
        fight.result,
        ours.lost,
        theirs.lost,
        not theirs.stands,
        fight.taken,
        ours.alive and ours.left,
        int(ours.newly and ours.alive),
        int(theirs.newly and theirs.alive),
    )


def points(fight: Fight, side: str) -> int:
    """A step 4 points, ground 3, a shaken unit 2."""
    e = end(fight)
    ground = 3 * (e.vacated + e.taken - e.thrown_back)
    value = 4 * (e.theirs - e.ours) + ground + 2 * (e.their_shaken - e.our_shaken)
    return value if side == "attacker" else -value


def advanced(fight: Fight) -> Fight:
    """Whoever may advance does: ground is worth something to the attacker."""
    return replace(fight, taken=not fight.defender.stands and fight.attacker.stands)


def better(side: str, *ways: Fight) -> Fight:
    """The first of the ways that is worth most to a side, the advance included."""
    return max(ways, key=lambda way: points(advanced(way), side))


def spread(fights: list[Fight]) -> Odds:
    counted = Counter(end(fight) for fight in fights)
    return {what: Fraction(count, len(fights)) for what, count in counted.items()}


def at(starts: list[Fraction], value: Fraction) -> int:
    """The last column that begins at or before a value, at least the first."""
    return max([0, *(i for i, start in enumerate(starts) if start <= value)])


def clamp(place: int, count: int) -> int:
    return max(0, min(count - 1, place))


# ------------------------------------------------------------------ River Line

RIVER = """AE AE AE AR AR NE EX DR
AE AE AR AR NE EX DR DR
AE AR AR NE EX DR DR DE
AR AR NE EX DR DR DE DE
AR NE EX DR DR DE DE DE
NE EX DR DR DE DE DE DE"""
RIVER_STARTS = [
    Fraction(n, d) for n, d in ((1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (6, 1))
]


def river_line(
    attack: int, defence: int, steps: tuple[int, int], *, cut_off: bool, river: bool, rough: bool
) -> Odds | None:
    """None where the attack is refused: less than 1 to 3."""
    ratio = (Fraction(attack, 2) if cut_off else Fraction(attack)) / defence
    if ratio < Fraction(1, 3):
        return None
    column = clamp(at(RIVER_STARTS, ratio) - river, 8)
    table = [line.split() for line in RIVER.splitlines()]
    ends = []
    for die in range(1, 7):
        code = table[clamp(die - rough - 1, 6)][column]
        ours, theirs = Side(steps[0]), Side(steps[1])
        match code:
            case "AE":
                ours = ours.loses(ours.steps)
            case "AR":
                ours = replace(ours, left=True)
            case "DR":
                theirs = replace(theirs, left=True)
            case "DE":
                theirs = theirs.loses(theirs.steps)
            case "EX":  # by printed strength: the smaller is lost, the other loses as much
                if attack < defence:
                    worth = Fraction(defence, theirs.steps)
                    ours, theirs = ours.loses(ours.steps), theirs.loses(ceil(attack / worth))
                else:
                    worth = Fraction(attack, ours.steps)
                    ours, theirs = ours.loses(ceil(defence / worth)), theirs.loses(theirs.steps)
        ends.append(advanced(Fight(ours, theirs, code)))
    return spread(ends)


# ------------------------------------------------------------------ Dust and Iron

DUST = {
    range(1, 2): "A2 A1 Ad Ad Ar - -",
    range(2, 4): "A1 Ad Ad Ar - - Dd",
    range(4, 6): "Ad Ad Ar - - Dd Dd",
    range(6, 8): "Ad Ar - D1 Dd Dr Dr",
    range(8, 10): "Ar - Dd Dd Dr D1r D2",
    range(10, 11): "- Dd Dr Dr D1r D2 DX",
}
DUST_STARTS = [Fraction(n) for n in (-6, -4, 0, 1, 3, 6, 9)]


def _disrupted(side: Side) -> Side:
    """A unit that is disrupted already loses a step."""
    if not side.alive:
        return side
    return side.loses(1) if side.shaken else replace(side, shaken=True, newly=True)


def _retreats(side: Side, hexes: int, room: int | None) -> Side:
    """A step is lost for each hex that is barred."""
    if not side.stands:
        return side
    missing = 0 if room is None else max(0, hexes - room)
    side = side.loses(missing)
    return replace(side, left=True) if side.alive and hexes > missing else side


def dust_and_iron(
    attack: int,
    defence: int,
    steps: tuple[int, int],
    *,
    disrupted: tuple[bool, bool],
    entrenchment: int,
    engineers: bool,
    terrain: str,
    room: int | None,
) -> Odds:
    ours = ceil(Fraction(attack, 2 if disrupted[0] else 1))
    theirs = ceil(Fraction(defence, 2 if disrupted[1] else 1) + 2 * (terrain == "wadi"))
    column = at(DUST_STARTS, Fraction(ours - theirs)) - (0 if engineers else entrenchment)
    ends = []
    for die in range(1, 11):
        row = clamp(die - (terrain == "dunes") - 1, 10) + 1
        code = next(line for rows, line in DUST.items() if row in rows).split()[clamp(column, 7)]
        fight = Fight(
            Side(steps[0], shaken=disrupted[0]), Side(steps[1], shaken=disrupted[1]), code
        )
        ends.append(_dust_result(fight, code, room))
    return spread(ends)


def _dust_result(fight: Fight, code: str, room: int | None) -> Fight:
    a, d = fight.attacker, fight.defender
    match code:
        case "A2":
            fight = replace(fight, attacker=_disrupted(a.loses(2)))
        case "A1":
            fight = replace(fight, attacker=a.loses(1))
        case "Ad":
            fight = replace(fight, attacker=_disrupted(a))
        case "Ar":
            fight = replace(fight, attacker=replace(a, left=True))
        case "D1" | "Dd":
            fight = replace(fight, defender=_disrupted(d))
        case "Dr":
            fight = replace(fight, defender=_retreats(_disrupted(d), 1, room))
        case "D1r":
            fight = replace(fight, defender=_retreats(d.loses(1), 2, room))
        case "D2":
            lost = replace(fight, defender=d.loses(2))
            fight = better("attacker", lost, replace(fight, defender=_retreats(d, 3, room)))
        case "DX":
            half = -(-d.steps // 2)
            fight = replace(fight, defender=_retreats(d.loses(half), 2, room))
    return advanced(fight)


# ------------------------------------------------------------------ Two Roads

ASSAULT = """A3 A2 A2 A1 B1 D1
A2 A2 A1 B1 B1 D1
A2 A1 B1 B1 D1 D2
A1 A1 B1 D1 D2 D2
A1 B1 D1 D1 D2 DE
B1 D1 D1 D2 DE DE"""
MOBILE = """AR AR AR - - DR
AR AR - - DR DR
AR - - DR DR DR2
- - DR DR DR2 DX
- DR DR DR2 DX DX
DR DR DR2 DX DX DE"""
ROADS = {
    "assault": (ASSAULT, [Fraction(1, 3), Fraction(1, 2), *map(Fraction, (1, 2, 3, 5))]),
    "mobile": (MOBILE, [Fraction(1, 2), Fraction(1), Fraction(3, 2), *map(Fraction, (2, 3, 4))]),
}


def _nearest(starts: list[Fraction], ratio: Fraction) -> int:
    """The nearer of two columns, the lower one in the middle; below 1 by the second number."""
    low = at(starts, ratio)
    if ratio <= starts[low] or low == len(starts) - 1:
        return low
    below, above = starts[low], starts[low + 1]
    if above <= 1:
        return low + (1 / ratio - 1 / above < 1 / below - 1 / ratio)
    return low + (above - ratio < ratio - below)


def two_roads(
    manner: str,
    kind: str,
    attack: int,
    defence: int,
    steps: tuple[int, int],
    *,
    terrain: str,
    room: int | None,
) -> Odds:
    text, starts = ROADS[manner]
    ratio = Fraction(attack * (2 if (manner, kind) == ("assault", "artillery") else 1), defence)
    start = Fight(Side(steps[0]), Side(steps[1]))
    if ratio >= 8:
        gone = replace(start.defender, lost=start.defender.steps)
        return spread([advanced(replace(start, defender=gone, result="DE"))])
    shift = {("mobile", "woods"): -2, ("assault", "works"): -1}.get((manner, terrain), 0)
    column = clamp(_nearest(starts, ratio) + shift, 6)
    added = int(manner == "mobile" and kind == "armour")
    table = [line.split() for line in text.splitlines()]
    ends: list[Fight] = []
    for die, again in product(range(1, 7), repeat=2):  # the second die is that of the pursuit
        code = table[clamp(die + added - 1, 6)][column]
        ends.append(_road_result(replace(start, result=code), code, room, again))
    return spread(ends)


def _road_result(fight: Fight, code: str, room: int | None, again: int) -> Fight:
    a, d = fight.attacker, fight.defender
    lost = {"A3": (3, 0), "A2": (2, 0), "A1": (1, 0), "B1": (1, 1), "D1": (0, 1), "D2": (0, 2)}
    if code in lost:
        ours, theirs = lost[code]
        fight = replace(fight, attacker=a.loses(ours), defender=d.loses(theirs))
    elif code == "DE":
        fight = replace(fight, defender=d.loses(d.steps))
    elif code == "AR":  # retreat, or lose a step at once; who must retreat may stand for a step
        fight = better(
            "attacker",
            replace(fight, attacker=replace(a, left=True)),
            replace(fight, attacker=a.loses(1)),
        )
    elif code.startswith("D"):
        hexes = {"DR": 1, "DR2": 2, "DX": 3}[code]
        pursued = {4: 1, 5: 1, 6: d.steps}.get(again, 0) if code == "DX" else 0
        gone = replace(d, left=room is None or room >= hexes)
        retreat = replace(fight, defender=gone.loses(pursued))
        stand = replace(fight, defender=d.loses(1).loses(pursued))
        fight = _stands(fight, retreat, stand, code, room, hexes)
    return advanced(fight)


def _stands(
    fight: Fight, retreat: Fight, stand: Fight, code: str, room: int | None, hexes: int
) -> Fight:
    """The defender decides before the die of the pursuit is rolled."""
    d = fight.defender
    worth = []
    for decided in (replace(d, left=room is None or room >= hexes), d.loses(1)):
        rolls = [0, 0, 0, 1, 1, d.steps] if code == "DX" else [0]
        ways = [advanced(replace(fight, defender=decided.loses(n))) for n in rolls]
        worth.append(Fraction(sum(points(way, "defender") for way in ways), len(ways)))
    return retreat if worth[0] >= worth[1] else stand


# ------------------------------------------------------------------ Fire Lane

FIRE = {
    range(2, 3): "- - M M M1 M1",
    range(3, 5): "- M M M1 M1 1",
    range(5, 7): "- - M M M1 1",
    range(7, 8): "- - - M M M1",
    range(8, 10): "- M M M1 1 1",
    range(10, 11): "M M M1 1 1 2",
    range(11, 12): "M M1 1 1 2 2",
    range(12, 13): "M1 1 2 2 2 X",
}
FIRE_STARTS = [Fraction(n) for n in (1, 3, 6, 10, 15, 21)]
CODES = {"M": (0, 0), "M1": (0, 1), "1": (1, 1), "2": (2, 2)}


def fire_lane(
    fire: int, range_: int, steps: int, morale: int, *, cover: bool, leader: bool, pinned: bool
) -> Odds | None:
    """None where the fire is too weak."""
    strength = floor(Fraction(fire, 2 if range_ >= 5 else 1))
    if strength < 1:
        return None
    column = clamp(at(FIRE_STARTS, Fraction(strength)) - cover, 6)
    ends = []
    for dice in product(range(1, 7), repeat=4):  # two for the fire, two for the check
        row = min(12, dice[0] + dice[1] + (range_ <= 1))
        code = next(line for rows, line in FIRE.items() if row in rows).split()[column]
        target = Side(steps, shaken=pinned)
        if code == "X":
            target = target.loses(steps)
        elif code != "-":
            lost, added = CODES[code]
            target = target.loses(lost)
            over = dice[2] + dice[3] + added - (morale + leader)
            target = _fire_check(target, over)
        ends.append(Fight(Side(1), target, code))
    return spread(ends)


def _fire_check(target: Side, over: int) -> Side:
    """Over by 1: pinned; by 3: pinned and gone a hex; by 6: eliminated."""
    if not target.alive or over < 1:
        return target
    if over >= 6:
        return target.loses(target.steps)
    target = _disrupted(target)
    return replace(target, left=True) if over >= 3 and target.alive else target


# ------------------------------------------------------------------ Dawn Raid

RAID = """0/0 0/0 0/1 0/1
1/0 1/0 0/1 0/1
1/0 1/1 1/1 0/2
2/0 1/1 1/2 1/2
2/1 2/1 1/2 1/3
3/1 2/2 2/3 1/E"""
RAID_STARTS = [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(3)]


def dawn_raid(
    attack: int,
    defence: int,
    steps: tuple[int, int],
    *,
    surprise: bool,
    veterans: tuple[bool, bool],
) -> Odds:
    """The attacker's die gives the defender's half of its row, the defender's the attacker's."""
    if not defence:
        gone = Side(steps[1]).loses(steps[1])
        return spread([advanced(Fight(Side(steps[0]), gone, "0/E"))])
    strength = attack * (Fraction(3, 2) if veterans[0] else 1)
    column = at(RAID_STARTS, Fraction(strength) / defence)
    table = [[cell.split("/") for cell in line.split()] for line in RAID.splitlines()]
    ends = []
    for mine, his in product(range(1, 7), repeat=2):
        theirs = table[clamp(mine + surprise - 1, 6)][column][1]
        ours = table[clamp(his + veterans[1] - 1, 6)][column][0]
        fight = Fight(
            _raid_losses(Side(steps[0]), ours),
            _raid_losses(Side(steps[1]), theirs),
            f"{ours}/{theirs}",
        )
        ends.append(advanced(fight))
    return spread(ends)


def _raid_losses(side: Side, code: str) -> Side:
    if code == "E":
        return side.loses(side.steps)
    side = side.loses(min(2, int(code)))
    return replace(side, left=True) if code == "3" and side.alive else side
