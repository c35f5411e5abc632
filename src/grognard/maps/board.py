"""The map and the pieces on it, immutable: a change gives a new board.

Cached properties are safe between threads: a value is complete before it is stored, and a value
that two threads work out at once is the same.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.card import Terrain
from grognard.card.rows import Value
from grognard.maps.flood import Flood
from grognard.maps.hexes import Hex, Hexside, Numbering, hexside
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Text


class Place(Struct, frozen=True):
    """A hex of the map: its terrain features, its name if it has one, its height."""

    terrain: frozenset[str]
    name: Text | None = None
    height: int = 0


class Map(Struct, frozen=True, eq=False, dict=True):
    """The printed map. Compared by identity, as it never changes."""

    numbering: Numbering
    places: Mapping[Hex, Place]
    hexsides: Mapping[Hexside, frozenset[str]]
    ways: Mapping[Hexside, frozenset[str]]  # roads and railways from hex to neighbour
    names: Mapping[Hexside, Text]  # of rivers
    terrain: Mapping[str, Terrain]
    sources: Mapping[Hex, str]  # supply sources, and whose they are
    around: Mapping[Hex, tuple[Hex, ...]]  # the neighbours of each hex that are on the map

    def hex(self, number: str) -> Hex:
        """Find a hex by its printed number; refuse one that is not on the map."""
        found = self._hexes.get(number) or self.numbering.hex(number)
        if found not in self.places:
            raise Refusal(say("there is no hex {number} on this map", number=number))
        return found

    def has(self, number: str) -> bool:
        """Tell whether a word is the number of a hex on the map."""
        return number in self._hexes

    @cached_property
    def _hexes(self) -> Mapping[str, Hex]:
        return {number: hex_ for hex_, number in self._numbers.items()}

    @cached_property
    def flood(self) -> Flood:
        """Search over all hexes, from neighbour to neighbour."""
        return Flood(self.around)

    @cached_property
    def _numbers(self) -> Mapping[Hex, str]:
        return {hex_: self.numbering.number(hex_) for hex_ in self.places}

    def number(self, hex_: Hex) -> str:
        """Give the printed number of a hex."""
        return self._numbers.get(hex_) or self.numbering.number(hex_)

    def between(self, one: Hex, other: Hex) -> frozenset[str]:
        """Give the features of the side between two neighbours."""
        return self._features.get((one, other), _NOTHING)

    @cached_property
    def _features(self) -> Mapping[tuple[Hex, Hex], frozenset[str]]:
        return _from_both_sides(self.hexsides)

    def barrier(self, one: Hex, other: Hex, feature: str) -> Text:
        """Name a feature of the side between two neighbours: a river by its own name."""
        return self.names.get(hexside(one, other)) or self.terrain[feature].text

    def ways_between(self, one: Hex, other: Hex) -> frozenset[str]:
        return self._ways.get((one, other), _NOTHING)

    @cached_property
    def _ways(self) -> Mapping[tuple[Hex, Hex], frozenset[str]]:
        return _from_both_sides(self.ways)

    def sources_of(self, side: str) -> list[Hex]:
        """Give the supply sources that belong to a side."""
        return [hex_ for hex_, owner in self.sources.items() if owner == side]

    def hexes_with(self, feature: str) -> tuple[Hex, ...]:
        """Give the hexes that have a feature."""
        return self._featured.get(feature, ())

    @cached_property
    def _featured(self) -> Mapping[str, tuple[Hex, ...]]:
        found: dict[str, list[Hex]] = {}
        for hex_, place in self.places.items():
            for feature in place.terrain:
                found.setdefault(feature, []).append(hex_)
        return {feature: tuple(hexes) for feature, hexes in found.items()}

    def rows(self, hex_: Hex) -> Iterator[Terrain]:
        """Give the terrain rows of a hex's features."""
        return (self.terrain[id_] for id_ in sorted(self.places[hex_].terrain))


FACE_DOWN = "face-down"  # the kind of a counter of which only its side is seen


_NOTHING = frozenset[str]()


def _from_both_sides(
    found: Mapping[Hexside, frozenset[str]],
) -> dict[tuple[Hex, Hex], frozenset[str]]:
    """Give what lies on hexsides by their two hexes, in either order."""
    return {pair: ids for side, ids in found.items() for pair in (side[:], side[::-1])}


class Piece(Struct, frozen=True, kw_only=True):
    """A counter: the factors printed on its faces, its steps, its hex and its states."""

    name: str
    side: str
    kind: str
    unit_class: str
    size: str = ""
    formation: str = ""
    nation: str = ""
    move: int = 0
    faces: tuple[Mapping[str, Value], ...] = (MappingProxyType({}),)  # full strength first
    steps: int = 1
    at: Hex | None = None
    states: frozenset[str] = frozenset()
    arrives: int = 0  # the turn; 0: on the map from the beginning
    entry: tuple[Hex, ...] = ()

    @property
    def alive(self) -> bool:
        return self.steps > 0

    @property
    def place(self) -> Hex:
        """The hex of a piece that is known to be on the map."""
        if self.at is None:
            raise TypeError(f"{self.name} is not on the map")
        return self.at

    @property
    def face(self) -> Mapping[str, Value]:
        """The factors of its present face; a unit with more steps than faces keeps the first."""
        lost = len(self.faces) - self.steps
        return self.faces[0 if lost <= 0 else min(lost, len(self.faces) - 1)]

    def number(self, factor: str) -> int:
        value = self.face.get(factor, 0)
        return value if isinstance(value, int) else 0

    def reaches(self, hex_: Hex | None) -> bool:
        """Tell whether a hex is within the range that the counter prints."""
        if self.at is None or hex_ is None:
            return False
        return self.at.distance(hex_) <= self.number("range")

    def marked(self, *states: str) -> "Piece":
        return replace(self, states=self.states | set(states))

    def cleared(self, *states: str) -> "Piece":
        if self.states.isdisjoint(states):
            return self
        return replace(self, states=self.states.difference(states))


class Board(Struct, frozen=True, dict=True):
    """A map with its pieces, the holders of its hexes, and what sides have off the map (pools)."""

    map: Map
    pieces: tuple[Piece, ...]
    holders: Mapping[Hex, str] = MappingProxyType({})
    pools: Mapping[str, int] = MappingProxyType({})

    @cached_property
    def _stacks(self) -> Mapping[Hex, tuple[Piece, ...]]:
        stacks: dict[Hex, tuple[Piece, ...]] = {}
        for piece in self.pieces:
            if piece.at is not None:
                stacks[piece.at] = (*stacks.get(piece.at, ()), piece)
        return stacks

    @cached_property
    def _sides(self) -> Mapping[str, tuple[Piece, ...]]:
        sides: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            if piece.at is not None:
                sides.setdefault(piece.side, []).append(piece)
        return {side: tuple(pieces) for side, pieces in sides.items()}

    @cached_property
    def _names(self) -> Mapping[str, Piece]:
        return {piece.name: piece for piece in self.pieces}

    def stack(self, hex_: Hex) -> tuple[Piece, ...]:
        """Give the pieces in a hex."""
        return self._stacks.get(hex_, ())

    def stacks(self) -> Mapping[Hex, tuple[Piece, ...]]:
        return self._stacks

    def has(self, name: str) -> bool:
        """Tell whether a word is the name of a piece."""
        return name in self._names

    def piece(self, name: str) -> Piece:
        """Find a piece by its name; refuse one that is not there."""
        if name not in self._names:
            known = sorted(self._names)  # as they lie in their stacks is hidden from some readers
            raise Refusal(
                say("there is no unit '{name}'; {near}", name=name, near=near(name, known))
            )
        return self._names[name]

    def side_of(self, hex_: Hex) -> str | None:
        """Tell whose pieces stand in a hex."""
        stack = self.stack(hex_)
        return stack[0].side if stack else None

    def of(self, side: str) -> tuple[Piece, ...]:
        """Give a side's pieces on the map."""
        return self._sides.get(side, ())

    def changed(self, *pieces: Piece) -> "Board":
        """Replace the pieces that have the names of the given ones."""
        known = self._names
        new = {piece.name: piece for piece in pieces if piece is not known.get(piece.name)}
        if not new:
            return self
        return replace(self, pieces=tuple([new.get(old.name, old) for old in self.pieces]))

    def on_top(self, name: str) -> "Board":
        """Lay a piece on top of its stack."""
        others = (piece for piece in self.pieces if piece.name != name)
        return replace(self, pieces=(self.piece(name), *others))

    def moved(self, names: Iterable[str], to: Hex, *, held: bool = True) -> "Board":
        """Move pieces into a hex; their side holds it from then on, unless they take no hexes."""
        pieces = [replace(self.piece(name), at=to) for name in names]
        board = self.changed(*pieces)
        return board.held([to], pieces[0].side) if pieces and held else board

    def held(self, hexes: Iterable[Hex], by: str) -> "Board":
        """Let a side hold hexes."""
        return replace(self, holders={**self.holders, **dict.fromkeys(hexes, by)})

    def with_steps(self, name: str, steps: int, *states: str) -> "Board":
        """Leave a piece so many steps, and mark it; a piece without steps is removed."""
        if not steps:
            return self.removed(name)
        return self.changed(replace(self.piece(name), steps=steps).marked(*states))

    def removed(self, *names: str) -> "Board":
        """Take pieces off the map."""
        return self.changed(*(replace(self.piece(name), at=None, steps=0) for name in names))

    def pooled(self, pool: str, change: int) -> "Board":
        return replace(self, pools={**self.pools, pool: self.pools.get(pool, 0) + change})
