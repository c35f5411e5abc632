"""How a piece may move on a board at the moment, and why it can't go somewhere."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Literal, NamedTuple

from grognard.maps.hexes import Hex
from grognard.maps.movement import Enter, Entry, Reached, reach

ENDLESS = 1 << 40  # an allowance that no way uses up
FORBIDDEN = 1 << 30  # what a forbidden step costs in a search that has to get there


class Obstacle(NamedTuple):
    """The step at which a way is closed, or after which the move ends."""

    kind: Literal["apart", "enemy", "barred", "zoc", "closed", "stop"]
    here: Hex
    there: Hex


class Walk(NamedTuple):
    """A way as far as it may be walked, its cost, and what is in the way of the rest."""

    reached: Reached
    obstacle: Obstacle | None


class Unreached(NamedTuple):
    """Why a hex is not reached: the cheapest way of all if there is one, and what is in the way of
    the step into a neighbour, or of the way that the ground alone would make the cheapest."""

    cheapest: Reached | None
    obstacle: Obstacle | None


class Mobility(NamedTuple):
    """How a piece may move: its allowance, the ground, enemies and their zones of control."""

    start: Hex
    allowance: int  # in sixths of a movement point
    neighbours: Mapping[Hex, tuple[Hex, ...]]
    ground: Enter  # the cost of a step by the terrain alone
    closed: frozenset[Hex]  # by enemies in them
    zone: frozenset[Hex]  # of enemy control
    zoc: Literal["stops", "free", "closed"] = "stops"  # what entering the zone does
    zoc_to_zoc: bool = False  # whether a step may lead from the zone into the zone
    zoc_exit: int = 0  # sixths to leave the zone
    in_hexes: bool = False  # whether hexes are counted instead of movement points
    barred: frozenset[Hex] = frozenset()  # by a rule, whoever is in them

    def enter(self) -> Enter:
        """Make the function that gives the cost of a step, with enemies and their zones."""
        _, _, _, ground, enemies, zone, zoc, infiltrates, leaving, _, barred = self
        closed = enemies | barred
        stops, shut = zoc == "stops", zoc == "closed"

        def enter(here: Hex, there: Hex, first: bool) -> Entry | None:
            if there in closed:
                return None
            leaves, enters = here in zone, there in zone
            if enters and (shut or (leaves and not infiltrates)):
                return None
            step = ground(here, there, first)
            if step is None or not (leaves or enters):
                return step
            return Entry(step.sixths + (leaving if leaves else 0), step.stop or (stops and enters))

        return enter

    def reach(self) -> dict[Hex, Reached]:
        """Find every hex that can be reached, by its cheapest way."""
        return reach(self.start, self.allowance, self.neighbours, self.enter())

    def way_to(self, hex_: Hex) -> Reached | None:
        """Find the cheapest way to one hex: that of `reach`, without the search for the others."""
        found = reach(self.start, self.allowance, self.neighbours, self.enter(), hex_)
        return found.get(hex_)

    def walk(self, path: tuple[Hex, ...]) -> Walk:
        """Walk a path from the start, hex by hex, as far as the rules let a piece go."""
        enter, done = self.enter(), Reached(0, path[:1], stop=False)
        for here, there in pairwise(path):
            if done.stop:
                return Walk(done, Obstacle(self._stop(done.path), *done.path[-2:]))
            beside = there in self.neighbours[here]
            entry = enter(here, there, here == self.start) if beside else None
            if entry is None:
                return Walk(done, Obstacle(self._bar(here, there), here, there))
            done = Reached(done.sixths + entry.sixths, (*done.path, there), entry.stop)
        return Walk(done, None)

    def _bar(self, here: Hex, there: Hex) -> Literal["apart", "enemy", "barred", "zoc", "closed"]:
        """Tell what forbids a step."""
        if there not in self.neighbours[here]:
            return "apart"
        if there in self.closed:
            return "enemy"
        if there in self.barred:
            return "barred"
        return "closed" if self.ground(here, there, here == self.start) is None else "zoc"

    def _stop(self, path: tuple[Hex, ...]) -> Literal["zoc", "stop"]:
        """Tell what ends a move in the last hex of a path."""
        here, there = path[-2:]
        step = self.ground(here, there, here == self.start)
        return "stop" if step is not None and step.stop else "zoc"

    def unreached(self, hex_: Hex) -> Unreached:
        """Find out why a hex is not reached."""
        cheapest = reach(self.start, ENDLESS, self.neighbours, self.enter()).get(hex_)
        if hex_ in self.neighbours[self.start]:
            return Unreached(cheapest, self.walk((self.start, hex_)).obstacle)
        straight = reach(self.start, ENDLESS, self.neighbours, self._bare).get(hex_)
        if straight and self._forbidden(hex_):
            return Unreached(None, Obstacle("closed", *straight.path[-2:]))
        if straight is None or (cheapest and straight.sixths > self.allowance):
            return Unreached(cheapest, None)
        return Unreached(cheapest, self.walk(straight.path).obstacle)

    def _forbidden(self, hex_: Hex) -> bool:
        """Tell whether the ground of a hex closes it from every side."""
        around = self.neighbours[hex_]
        return all(self.ground(here, hex_, here == self.start) is None for here in around)

    def _bare(self, here: Hex, there: Hex, first: bool) -> Entry:
        """Give the cost of a step where nothing is in the way but the ground."""
        step = self.ground(here, there, first)
        return Entry(FORBIDDEN if step is None else step.sixths)
