"""The map as text for the terminal: staggered columns of hexes, their pieces, a legend.

    ______
   /1910 v\\          number, and the letter of the scenario's own map
  /○861/294\\______   the side's mark, the first unit of the stack, how many more
  \\★3 ◎   /1911   \\  what the hex is worth, supply source, height, name
   \\≈≈║≈≈≈/         rivers in the sides, roads across them

A column is 8 characters wide, so that 12 columns fit into 100. A wider map is drawn in strips, one
below the other, each of which repeats the last column of the one before; or as a window, the hexes
around one of them.
"""

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_letters

import click

from grognard.card.card import Terrain
from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg import terrain as svg_terrain
from grognard.draw.svg.legend import HEIGHT, SOURCE
from grognard.draw.svg.map import BESIDE
from grognard.draw.svg.pieces import TURN
from grognard.maps.board import FACE_DOWN, Board, Map, Piece
from grognard.maps.hexes import Hex, Hexside
from grognard.maps.labels import labels_of
from grognard.maps.scenario import MARKS, Scenario
from grognard.words.text import Lang, Text

WIDE, HIGH = 8, 4
WIDTH = 100  # characters of a terminal whose width is not known
ROWS = 3  # of hexes above and below the middle of a window

LEGEND = Text("Legend", "Légende")
PLACES = Text("Places", "Lieux")
STACKS = Text("Units on the map", "Unités sur la carte")
OBJECTIVE = Text("objective, points", "objectif, points")

_COLOURS = {"red": "red", "blue": "blue", "grey": "white", "brown": "yellow", "green": "green"}


def draw(board: Board, scenario: Scenario, lang: Lang, width: int = WIDTH) -> Iterator[str]:
    """Give the lines of the map, in strips of this width, and of its legend."""
    sheet = _TextMap(board, scenario, lang)
    for strip in strips(board.map, width):
        yield from sheet.lines(hex_ for hex_ in board.map.places if hex_.q in strip)
        yield ""
    yield from sheet.legend()


def window(
    board: Board, scenario: Scenario, lang: Lang, around: Hex, width: int = WIDTH
) -> Iterator[str]:
    """Give the lines of the map around a hex, and the units there."""
    sheet = _TextMap(board, scenario, lang)
    columns = (_columns(width) - 1) // 2
    near = [
        hex_
        for hex_ in board.map.places
        if abs(hex_.q - around.q) <= columns and abs(_height(hex_) - _height(around)) <= 2 * ROWS
    ]
    yield from sheet.lines(near)
    yield ""
    yield from sheet.stacks(near)


def strips(map_: Map, width: int = WIDTH) -> list[range]:
    """Give the columns of each strip: as few strips as fit the width, about equally wide."""
    columns = [hex_.q for hex_ in map_.places] or [0]
    first, steps = min(columns), max(columns) - min(columns)
    number = max(-(-steps // (_columns(width) - 1)), 1)
    each = max(-(-steps // number), 1)
    return [
        range(first + n * each, min(first + (n + 1) * each, first + steps) + 1)
        for n in range(number)
    ]


def _columns(width: int) -> int:
    """Give the number of columns that fit: at least two, so that strips can overlap."""
    return max((width - 2) // WIDE, 2)


def _height(hex_: Hex) -> int:
    """Give how far down a hex stands, in halves of a hex."""
    return 2 * hex_.r + hex_.q


class _TextMap:
    """A page of characters, each with its colour."""

    def __init__(self, board: Board, scenario: Scenario, lang: Lang) -> None:
        self.board, self.scenario, self.lang = board, scenario, lang
        self.map: Map = board.map
        self.left = self.top = 0
        self.sides = [player.id for player in scenario.sides]
        self.labels = dict(labels_of([scenario], lang))
        self.colours = {player.id: _COLOURS[player.colour] for player in scenario.sides}
        self.objectives = {self.map.numbering.hex(o.hex): o for o in scenario.objectives}
        self.letters = _letters(board.map, scenario)
        self.page: dict[tuple[int, int], tuple[str, Mapping[str, object]]] = {}

    # -------------------------------------------------------------- the page

    def put(self, row: int, column: int, words: str, **style: object) -> None:
        for place, character in enumerate(words):
            self.page[row, column + place] = (character, style)

    def corner(self, hex_: Hex) -> tuple[int, int]:
        """Give the row and column of the upper left end of a hex."""
        return (_height(hex_) - self.top) * HIGH // 2, (hex_.q - self.left) * WIDE

    def lines(self, hexes: Iterable[Hex]) -> Iterator[str]:
        """Draw these hexes on an empty page."""
        drawn = sorted(hexes)
        self.left = min((hex_.q for hex_ in drawn), default=0)
        self.top = min(map(_height, drawn), default=0)
        self.page.clear()
        for hex_ in drawn:
            self.outline(hex_)
            self.content(hex_)
        for row in range(max((row for row, _ in self.page), default=-1) + 1):
            yield self.line(row)

    def line(self, row: int) -> str:
        """Write a row, characters of one style together."""
        last = max((column for at, column in self.page if at == row), default=-1)
        made, run = "", ""
        before: Mapping[str, object] = {}
        for column in range(last + 1):
            character, style = self.page.get((row, column), (" ", {}))
            if style != before:
                made += _styled(run, before)
                run, before = "", style
            run += character
        return made + _styled(run, before)

    # -------------------------------------------------------------- a hex

    def outline(self, hex_: Hex) -> None:
        row, left = self.corner(hex_)
        slants = {
            1: ("\\", ((row + 1, left + 8), (row + 2, left + 9))),
            2: ("/", ((row + 4, left + 8), (row + 3, left + 9))),
            4: ("\\", ((row + 4, left + 1), (row + 3, left))),
            5: ("/", ((row + 1, left + 1), (row + 2, left))),
        }
        for direction in range(6):
            side = hex_.side(direction)
            feature, colour = self.feature(side)
            ways = self.ways(side)
            style = {"fg": colour, "bold": True} if colour else {"dim": True}
            if direction in slants:
                plain, places = slants[direction]
                for at, column in places:
                    self.put(at, column, feature or plain, **style)
                if ways:
                    self.put(*places[1], ways[0][1], fg="yellow")
            else:
                at = row if direction == 0 else row + HIGH
                self.put(at, left + 2, (feature or "_") * 6, **style)
                for place, way in enumerate(ways):
                    self.put(at, left + 4 + place, way[0], fg="yellow")

    def feature(self, side: Hexside) -> tuple[str, str]:
        """Give the character of a side's feature and its colour."""
        for id_ in sorted(self.map.hexsides.get(side, ())):
            look = svg_terrain.side(self.map.terrain[id_])
            return look.sign, look.terminal
        return "", ""

    def ways(self, side: Hexside) -> list[tuple[str, str]]:
        """Give the characters of the ways over a side, railways first."""
        ids = self.map.ways.get(side, ())
        found = [svg_terrain.way(self.map.terrain[id_]).signs for id_ in ids]
        known = dict.fromkeys(look.signs for look in svg_terrain.WAYS.values())
        return [signs for signs in known if signs in found]

    def content(self, hex_: Hex) -> None:
        row, left = self.corner(hex_)
        place = self.map.places[hex_]
        letter = self.letters[place.terrain, place.height]
        self.put(row + 1, left + 2, self.map.number(hex_), dim=True)
        self.put(row + 1, left + 7, letter, bold=True, **_ground_style(self.map.rows(hex_)))
        stack = self.board.stack(hex_)
        if stack:
            words = self.short(stack)
            self.put(row + 2, left + 1, words, fg=self.colours[stack[0].side], bold=True)
        column = left + 1
        objective = self.objectives.get(hex_)
        for words, style in (
            (f"★{objective.points}" if objective else "", {"fg": "yellow", "bold": True}),
            ("◎" if hex_ in self.map.sources else "", {"bold": True}),
            (f"▲{place.height}" if place.height else "", {}),
        ):
            self.put(row + 3, column, words, **style)
            column += len(words) + bool(words)
        if place.name:
            self.put(row + 3, column, place.name.in_(self.lang)[: left + 9 - column], italic=True)

    def label(self, piece: Piece) -> str:
        """Name a unit in the reader's language."""
        return "?" if piece.kind == FACE_DOWN else self.labels.get(piece.name, piece.name)

    def mark(self, side: str) -> str:
        return MARKS[self.sides.index(side)]

    def short(self, stack: tuple[Piece, ...]) -> str:
        """Name a stack in eight characters: its side, its first unit, how many more."""
        more = f"+{len(stack) - 1}" if len(stack) > 1 else ""
        return f"{self.mark(stack[0].side)}{self.label(stack[0])[: 7 - len(more)]}{more}"

    # -------------------------------------------------------------- the legend

    def legend(self) -> Iterator[str]:
        lang = self.lang
        yield click.style(LEGEND.in_(lang), bold=True)
        entries = [
            *(
                f"{MARKS[n]} {player.name.in_(lang)}"
                for n, player in enumerate(self.scenario.sides)
            ),
            *self.terrain_entries(),
            *self.line_entries(),
            *self.mark_entries(),
        ]
        yield from _flowed(entries)
        yield from self.places()
        yield from self.stacks(self.map.places)
        beside = [piece for piece in self.board.pieces if piece.at is None and piece.alive]
        if beside:
            yield click.style(BESIDE.in_(lang), bold=True)
            yield from _flowed([self.waiting(piece) for piece in beside])

    def stacks(self, hexes: Iterable[Hex]) -> Iterator[str]:
        """List the units in these hexes."""
        stacks = self.board.stacks()
        found = [self.stacked(at, stacks[at]) for at in sorted(hexes) if at in stacks]
        if found:
            yield click.style(STACKS.in_(self.lang), bold=True)
            yield from _flowed(found, 2)

    def terrain_entries(self) -> Iterator[str]:
        for (terrain, height), letter in self.letters.items():
            words = " + ".join(
                row.text.in_(self.lang) for id_, row in self.map.terrain.items() if id_ in terrain
            )
            yield f"{letter} {words}" + (f" ▲{height}" if height else "")

    def line_entries(self) -> Iterator[str]:
        sides = {id_ for ids in self.map.hexsides.values() for id_ in ids}
        ways = {id_ for ids in self.map.ways.values() for id_ in ids}
        for id_, row in self.map.terrain.items():
            if id_ in sides:
                yield f"{svg_terrain.side(row).sign * 2} {row.text.in_(self.lang)}"
            if id_ in ways:
                yield f"{''.join(svg_terrain.way(row).signs)} {row.text.in_(self.lang)}"

    def mark_entries(self) -> Iterator[str]:
        if self.objectives:
            yield f"★3 {OBJECTIVE.in_(self.lang)}"
        if self.map.sources:
            yield f"◎ {SOURCE.in_(self.lang)}"
        if any(place.height for place in self.map.places.values()):
            yield f"▲1 {HEIGHT.in_(self.lang)}"

    def places(self) -> Iterator[str]:
        """List names, objectives with their holders, and sources with their owners."""
        entries = []
        for hex_ in sorted(self.map.places):
            name, objective = self.map.places[hex_].name, self.objectives.get(hex_)
            words = [name.in_(self.lang)] if name else []
            if objective:
                holder = self.board.holders.get(hex_)
                mark = self.mark(holder) if holder in self.sides else ""
                words.append(f"★{objective.points}{mark}")
            if hex_ in self.map.sources:
                words.append(f"◎{self.mark(self.map.sources[hex_])}")
            if words:
                entries.append(f"{self.map.number(hex_)} {' '.join(words)}")
        if entries:
            yield click.style(PLACES.in_(self.lang), bold=True)
            yield from _flowed(entries)

    def stacked(self, at: Hex, stack: tuple[Piece, ...]) -> str:
        mark = self.mark(stack[0].side)
        return f"{self.map.number(at)} {mark} {', '.join(map(self.unit, stack))}"

    def unit(self, piece: Piece) -> str:
        """Name a unit with its factors and the letters of its states."""
        states = "".join(svg_symbols.letter(s, self.lang) for s in svg_symbols.states(piece))
        words = (self.label(piece), svg_symbols.factors(piece), f"[{states}]" if states else "")
        return " ".join(word for word in words if word)

    def waiting(self, piece: Piece) -> str:
        turn = f", {TURN.in_(self.lang)} {piece.arrives}" if piece.arrives else ""
        return f"{self.mark(piece.side)} {self.unit(piece)}{turn}"


def _letters(map_: Map, scenario: Scenario) -> dict[tuple[frozenset[str], int], str]:
    """Give each terrain that occurs its letter from the scenario file, or a free one."""
    sheet = scenario.map
    stated = {
        (frozenset(features), sheet.heights.get(letter, 0)): letter
        for letter, features in sheet.legend.items()
    }
    used = {(place.terrain, place.height) for place in map_.places.values()}
    free = iter([letter for letter in ascii_letters if letter not in sheet.legend])
    letters = {ground: letter for ground, letter in stated.items() if ground in used}
    for ground in sorted(used - set(stated), key=lambda g: (sorted(g[0]), g[1])):
        letters[ground] = next(free, "?")
    return letters


def _ground_style(rows: Iterable[Terrain]) -> dict[str, object]:
    colours = (svg_terrain.ground(row).terminal for row in rows)
    return next(({"fg": colour} for colour in colours if colour), {})


def _styled(words: str, style: Mapping[str, object]) -> str:
    return click.style(words, **style) if style and words else words  # type: ignore[arg-type]  # styles are click's


def _flowed(entries: list[str], most: int = 6, width: int = 98) -> Iterator[str]:
    """Put entries into as many columns as fit."""
    widest = max((len(entry) for entry in entries), default=0) + 3
    columns = min(max(width // widest, 1), most)
    rows = -(-len(entries) // columns)
    for row in range(rows):
        yield "  " + "".join(entry.ljust(widest) for entry in entries[row::rows]).rstrip()
