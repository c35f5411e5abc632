"""The boards of a match as frames from which a page draws the counters at any moment.

Each look of a counter is drawn once. A frame has the stacks that differ from the frame before it.
"""

from collections.abc import Iterable

from grognard.draw.json.structs import JsonStruct
from grognard.draw.svg.pieces import Pieces
from grognard.maps.board import Board, Piece
from grognard.maps.labels import labelled_html, labels_of
from grognard.maps.scenario import Scenario
from grognard.words.text import Lang


class DrawingJson(JsonStruct):
    """A counter as it looks in some frames: what is in its group, as SVG."""

    unit: str
    side: str
    svg: str


class StackJson(JsonStruct):
    """The counters of a hex, the lowest first; a hex that was left has none."""

    counters: list[tuple[int, float, float]]  # the number of the drawing, and where it stands
    sum: str  # the line below a stack, as SVG


class FrameJson(JsonStruct):
    """What has changed since the frame before."""

    stacks: dict[str, StackJson]  # by the number of the hex
    holders: str | None  # the marks of objectives, as SVG; None: as before


class FramesJson(JsonStruct):
    """The counters at several moments, one after the other."""

    drawings: list[DrawingJson]
    frames: list[FrameJson]


def frames_json(boards: Iterable[Board], scenario: Scenario, lang: Lang) -> FramesJson:
    """Draw the counters of several boards of a match."""
    sheet = _Drawings(scenario, lang)
    frames: list[FrameJson] = []
    shown: dict[str, StackJson] = {}
    held = ""
    for board in boards:
        pieces = Pieces(board, scenario, lang)
        now, holders = sheet.stacks(pieces), "".join(pieces.holders())
        left = {number: StackJson(counters=[], sum="") for number in shown if number not in now}
        changed = {number: stack for number, stack in now.items() if stack != shown.get(number)}
        frames.append(
            FrameJson(stacks=left | changed, holders=holders if holders != held else None)
        )
        shown, held = now, holders
    return FramesJson(drawings=sheet.drawn(), frames=frames)


class _Drawings:
    """The looks of counters, each drawn once."""

    def __init__(self, scenario: Scenario, lang: Lang) -> None:
        self._labels = labels_of([scenario], lang)
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._known: dict[int, tuple[Piece, int]] = {}  # boards share the pieces that stay as is

    def stacks(self, pieces: Pieces) -> dict[str, StackJson]:
        """Draw the stacks of a board, by the numbers of their hexes."""
        return {
            pieces.board.map.number(hex_): StackJson(
                counters=[
                    (self._number(pieces, piece), round(at.x, 1), round(at.y, 1))
                    for piece, at in pieces.placed(hex_)
                ],
                sum=pieces.sum(hex_),
            )
            for hex_ in pieces.board.stacks()
        }

    def _number(self, pieces: Pieces, piece: Piece) -> int:
        if id(piece) not in self._known:
            look = piece.name, piece.side, pieces.inside(piece)
            self._known[id(piece)] = piece, self._numbers.setdefault(look, len(self._numbers))
        return self._known[id(piece)][1]

    def drawn(self) -> list[DrawingJson]:
        """Give all drawings in the order of their numbers."""
        return [
            DrawingJson(unit=unit, side=side, svg=labelled_html(svg, self._labels))
            for unit, side, svg in self._numbers
        ]
