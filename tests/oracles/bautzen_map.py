"""The map of Bautzen 1945 read and searched a second time, by plain loops, by default options.

Covered, on the whole printed map:

- 3: zones of control; 4 and the terrain chart: what a step costs, and where a unit gets to;
- 7.1: supply lines, hexes that lines may not pass (10.4), hexes that would cut a unit off (7.1.2);
- 10.2: where a HQ's support gains 2; 10.3: stacks that the enemy may inspect.

Nothing of the program is used: the scenario file is read here, hexes are counted here by the
parity of their columns, and every search is a loop that goes on until nothing changes any more.
"""

import tomllib
from collections.abc import Collection, Iterable, Mapping, Set
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

SCENARIO = Path(__file__).parents[2] / "src/grognard/games/bautzen/scenarios/bautzen-1945.toml"
SIDES = ("german", "allied")
POINT = 2  # movement is counted in half points


class Piece(NamedTuple):
    """A counter, as far as it moves, has a zone of control and needs supply."""

    name: str
    side: str
    kind: str
    infantry: bool
    move: int
    nation: str  # none of a logistic column
    formation: str  # none of an independent unit
    for_all: bool  # HQ of a German corps or of the Polish army


class Position(NamedTuple):
    """Which counter stands where, who was last in a hex, and who may not go south yet."""

    at: Mapping[Piece, str]
    holders: Mapping[str, str] = {}
    held_back: Collection[str] = ()

    def hexes(self, side: str) -> set[str]:
        """Hexes with a counter of a side in them, a logistic column included (D 19)."""
        return {place for piece, place in self.at.items() if piece.side == side}

    def stack(self, place: str) -> list[Piece]:
        """The counters in a hex."""
        return [piece for piece, there in self.at.items() if there == place]

    def moved(self, piece: Piece, place: str) -> "Position":
        """The position after one counter has gone elsewhere."""
        return self._replace(at={**self.at, piece: place})


# ---------------------------------------------------------------- the print


@cache
def printed() -> dict:  # type: ignore[type-arg]  # the file as it is
    """The scenario file."""
    return tomllib.loads(SCENARIO.read_text(encoding="utf-8"))


@cache
def terrain() -> dict[str, tuple[str, ...]]:
    """The terrain of every hex by its number."""
    the_map = printed()["map"]
    found = {}
    for row, line in enumerate(the_map["grid"].strip().splitlines(), start=1):
        for column, sign in enumerate(line.split(), start=1):
            if sign != "_":
                found[f"{column:02}{row:02}"] = tuple(the_map["legend"][sign])
    return found


@cache
def hexsides(kind: str) -> frozenset[frozenset[str]]:
    """The pairs of hexes with a river or a lake between them."""
    return frozenset(
        frozenset(pair.split())
        for entry in printed()["map"]["hexsides"]
        if entry["kind"] == kind
        for pair in entry["between"]
    )


@cache
def ways() -> frozenset[frozenset[str]]:
    """The pairs of hexes that a road or a railway joins."""
    return frozenset(
        frozenset(pair) for entry in printed()["map"]["ways"] for pair in pairwise(entry["through"])
    )


@cache
def dominant() -> frozenset[str]:
    """The hexes with a triangle."""
    return frozenset(place for place, kinds in terrain().items() if "dominant-position" in kinds)


def pieces() -> list[Piece]:
    """Every counter of the file."""
    return [
        Piece(
            unit["name"],
            unit["side"],
            unit["kind"],
            unit["unit_class"] == "infantry",
            unit["move"],
            unit.get("nation", ""),
            unit.get("formation", ""),
            unit["size"] == "army-hq",
        )
        for unit in printed()["units"]
    ]


# ---------------------------------------------------------------- hexes


@cache
def neighbours(place: str) -> frozenset[str]:
    """The hexes around one: even columns stand half a hex lower."""
    column, row = int(place[:2]), int(place[2:])
    beside = (row, row + 1) if column % 2 == 0 else (row - 1, row)
    around = [(column, row - 1), (column, row + 1)]
    around += [(column + step, other) for step in (-1, 1) for other in beside]
    return frozenset(f"{c:02}{r:02}" for c, r in around) & terrain().keys()


@cache
def within_two(place: str) -> frozenset[str]:
    """A hex, its neighbours and theirs."""
    near = {place} | neighbours(place)
    return frozenset(near.union(*(neighbours(other) for other in near)))


def enemy(side: str) -> str:
    """The other side."""
    return SIDES[1 - SIDES.index(side)]


# ---------------------------------------------------------------- 3, 7.1, 10


def zone(position: Position, side: str) -> set[str]:
    """3: the neighbours of every combat unit, HQ and gun of a side; logistic columns have none."""
    return {
        near
        for piece, place in position.at.items()
        if piece.side == side and piece.kind != "cl"
        for near in neighbours(place)
    }


def shut(position: Position, side: str) -> set[str]:
    """10.4: hexes within two of a dominant position that the enemy of a side occupies."""
    occupied = position.hexes(enemy(side)) & dominant()
    return {near for place in occupied for near in within_two(place)}


def supplied(position: Position, side: str) -> set[str]:
    """7.1: hexes that a supply line of a side can reach from a source that serves."""
    own, others = position.hexes(side), position.hexes(enemy(side))
    closed = others | ((zone(position, enemy(side)) | shut(position, side)) - own)
    return flood(set(printed()["map"]["sources"][side]) - closed, closed)


def flood(begun: Set[str], closed: Set[str]) -> set[str]:
    """All hexes that can be reached over hexes that are not closed."""
    reached, grown = set[str](), set(begun)
    while grown:
        reached |= grown
        grown = {near for place in grown for near in neighbours(place)} - closed - reached
    return reached


def barred(position: Position, piece: Piece, places: Iterable[str]) -> set[str]:
    """7.1.2: hexes that would make a supplied unit unsupplied, once it stood there (D 14-16)."""
    if piece.kind == "cl" or position.at[piece] not in supplied(position, piece.side):
        return set()
    return {
        place for place in places if place not in supplied(position.moved(piece, place), piece.side)
    }


def helped(position: Position, side: str) -> set[str]:
    """10.2: hexes where a HQ's support gains 2: near a position that its side is or was last in."""
    own = {place for place in dominant() if position.holders.get(place) == side}
    own |= position.hexes(side) & dominant()
    own -= position.hexes(enemy(side))
    return {near for place in own for near in within_two(place)}


def seen(position: Position, side: str) -> set[str]:
    """10.3: hexes whose enemy stack a side may inspect: beside a position that it occupies."""
    posts = position.hexes(side) & dominant()
    return {place for place in position.hexes(enemy(side)) if neighbours(place) & posts}


# ---------------------------------------------------------------- 4


def cross_country(piece: Piece, start: str, end: str) -> int | None:
    """The chart without roads: a dominant position costs infantry 2, and lets nobody else in."""
    side = frozenset((start, end))
    if side in hexsides("lake"):
        return None
    kinds = terrain()[end]
    if "dominant-position" in kinds:
        if not piece.infantry:
            return None
        cost = 2
    else:
        cost = ground_cost(piece, kinds)
    return POINT * (cost + (side in hexsides("river")))


def by_road_only(piece: Piece, start: str, end: str) -> int | None:
    """4.2: up to a dominant position in a zone of control, where a road leads without its half
    point: the cost of the hex's other terrain (the game's README, `dominant_in_zoc`)."""
    side = frozenset((start, end))
    if end not in dominant() or side not in ways() or side in hexsides("lake"):
        return None
    others = [kind for kind in terrain()[end] if kind != "dominant-position"]
    return POINT * (ground_cost(piece, others) + (side in hexsides("river")))


def ground_cost(piece: Piece, kinds: Collection[str]) -> int:
    """The chart: a village costs 1 whatever is around it, else the dearest ground (D 29, D 30)."""
    if piece.infantry or "village" in kinds:
        return 1
    return 2 if {"wood", "difficult"} & set(kinds) else 1


def allowance(piece: Piece, cut_off: bool) -> int:
    """7.3: infantry, guns and anti-tank units keep their points; all others go half as far."""
    keeps = piece.infantry or piece.kind in ("artillery", "anti-tank", "cl")
    return piece.move if keeps or not cut_off else piece.move // 2


def reach(position: Position, piece: Piece) -> dict[str, int]:
    """Where a unit gets to in its movement, and for how many half points at least."""
    home = position.at[piece]
    cut_off = piece.kind != "cl" and home not in supplied(position, piece.side)
    points = POINT * allowance(piece, cut_off)
    closed = position.hexes(enemy(piece.side))
    if piece.formation in position.held_back:  # 11.3: row 05 belongs to the south
        closed |= {place for place in terrain() if int(place[2:]) >= 5}
    held = zone(position, enemy(piece.side))
    afar = walk(piece, home, points, closed, held)
    spent = walk(piece, home, points, closed | barred(position, piece, afar), held)
    return {
        place: cost
        for place, cost in spent.items()
        if place != home and company([piece, *position.stack(place)])
    }


def walk(piece: Piece, home: str, points: int, closed: Set[str], held: Set[str]) -> dict[str, int]:
    """The fewest half points to every hex: prices fall, step by step, until none falls any more."""
    spent = {home: 0}
    changed = True
    while changed:
        changed = False
        for place in list(spent):
            if place in held and place != home:  # 3: entering ends the move
                continue
            for near in neighbours(place) - closed - {home}:
                cost = step(piece, place, near, held)
                if cost is None or spent[place] + cost > points:
                    continue
                if near not in spent or spent[place] + cost < spent[near]:
                    spent[near] = spent[place] + cost
                    changed = True
    return spent


def company(together: Collection[Piece]) -> bool:
    """5.4 to 5.6: one formation and a guest; independent units and the HQs above divisions with
    their nation; logistic columns with anybody (D 20, D 22)."""
    units = [piece for piece in together if piece.kind != "cl"]
    loyal = any(piece.for_all or not piece.formation for piece in units)
    if loyal and len({piece.nation for piece in units}) > 1:
        return False
    formations = [piece.formation for piece in units if piece.formation and not piece.for_all]
    return any(
        sum(formation != host for formation in formations) <= 1 for host in {*formations, ""}
    )


def step(piece: Piece, start: str, end: str, held: Set[str]) -> int | None:
    """3, 4.2: one step beside the enemy or far from him; 1 more to leave his zone of control."""
    if start in held and end in held:
        return None
    if frozenset((start, end)) in ways() and not {start, end} & held:
        return POINT // 2
    cost = cross_country(piece, start, end)
    if cost is None:
        cost = by_road_only(piece, start, end)
    return None if cost is None else cost + POINT * (start in held)
