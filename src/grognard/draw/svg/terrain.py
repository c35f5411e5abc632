"""Looks of terrain: a fill and a pattern each, so that a print without colours is readable.

Terrain is known by the words of its id (`wood`, `woods`, `minor-river`). What is not known gets a
neutral pattern and a letter. Lengths are in the units of a hex whose side is 50 long.
"""

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from msgspec import Struct

from grognard.draw.svg.elements import short
from grognard.files import toml_file

INK = "#2a2620"
PAPER = "#fbf7ec"
CLEAR = "#f5efdf"
WATER = "#b3d1de"
WATER_INK = "#2c617d"
HEIGHTS = ("#ead8b3", "#dcc292", "#caa974", "#b8925c")
HACHURE = "#7d5127"


class Stroke(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the lines that are drawn along a side or a way, the lowest first."""

    colour: str
    width: float
    dash: str = ""


class Style(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The look of terrain, which is known by the words of its id."""

    words: frozenset[str] = frozenset()


class GroundStyle(Style, frozen=True, kw_only=True):
    """A feature of a hex: its fill (that of the highest rank shows), its pattern, its figure."""

    rank: int = 0
    fill: str = CLEAR
    tile: tuple[int, int] = (0, 0)  # the size of the pattern's tile; none without one
    pattern: str = ""
    turned: int = 0  # the pattern, in degrees
    figure: str = ""  # drawn around the middle, so that a counter does not hide all of it
    corner: str = ""  # a small figure beside the counters
    edge: str = ""  # "hill" or "coast": drawn along sides towards other ground
    terminal: str = ""  # its colour there


class SideStyle(Style, frozen=True, kw_only=True):
    """A feature of a hexside."""

    strokes: tuple[Stroke, ...]
    sign: str = "?"  # on a terminal, and its colour there
    terminal: str = "blue"


class WayStyle(Style, frozen=True, kw_only=True):
    """A road or a railway."""

    strokes: tuple[Stroke, ...]
    signs: tuple[str, str] = ("┊", "┄")  # on a terminal, over a level and over a slanting side


class _Looks(Struct, frozen=True, forbid_unknown_fields=True):
    """All looks, as in `terrain.toml`; the telling ones first: a flooded hexside is no river."""

    ground: dict[str, GroundStyle]
    sides: dict[str, SideStyle]
    ways: dict[str, WayStyle]
    unknown_ground: GroundStyle
    unknown_side: SideStyle
    unknown_way: WayStyle
    edges: dict[str, str]  # in the legend, as is:
    dam: str  # of a causeway


_FILE = Path(__file__).with_suffix(".toml")
_LOOKS = toml_file.read(_FILE.read_text(encoding="utf-8"), _Looks, _FILE.name)
GROUND, SIDES, WAYS, UNKNOWN = _LOOKS.ground, _LOOKS.sides, _LOOKS.ways, _LOOKS.unknown_ground
EDGES, DAM = _LOOKS.edges, _LOOKS.dam


def _known(styles: Mapping[str, Style], id_: str) -> str:
    words = set(id_.lower().replace("_", "-").split("-"))
    return next((name for name, style in styles.items() if style.words & words), "")


def look(id_: str) -> str:
    """Give the name of a feature's look; an unknown feature's own id."""
    return _known(GROUND, id_) or id_


def ground(id_: str) -> GroundStyle:
    """Give the look of a hex feature."""
    return GROUND.get(look(id_), UNKNOWN)


def is_known(id_: str) -> bool:
    """Tell whether a feature of a hex has a look of its own."""
    return look(id_) in GROUND


def side_look(id_: str) -> str:
    """Give the name of the look of a hexside's feature; none if it is unknown."""
    return _known(SIDES, id_)


def side(id_: str) -> SideStyle:
    """Give the look of a hexside's feature."""
    return SIDES.get(side_look(id_), _LOOKS.unknown_side)


def way_look(id_: str) -> str:
    """Give the name of the look of a road or railway; none if it is unknown."""
    return _known(WAYS, id_)


def way(id_: str) -> WayStyle:
    """Give the look of a road or railway."""
    return WAYS.get(way_look(id_), _LOOKS.unknown_way)


def is_rail(id_: str) -> bool:
    """Tell a railway from a road."""
    return way_look(id_) == "rail"


def pattern_id(id_: str) -> str:
    """Give the id of a feature's pattern in the picture."""
    return f"ground-{look(id_) if is_known(id_) else 'unknown'}"


def pattern(id_: str) -> str:
    """Define the pattern of a feature; nothing where it has none."""
    made = ground(id_)
    if not made.pattern:
        return ""
    turned = f' patternTransform="rotate({made.turned})"' if made.turned else ""
    return (
        f'<pattern id="{pattern_id(id_)}" width="{made.tile[0]}" height="{made.tile[1]}" '
        f'patternUnits="userSpaceOnUse"{turned}>{made.pattern}</pattern>'
    )


def height_fill(level: int) -> str:
    """Give the fill of a height; the higher, the darker."""
    return HEIGHTS[min(max(level, 1), len(HEIGHTS)) - 1]


def ordered(ids: Iterable[str], rows: Iterable[str]) -> list[str]:
    """Put ids in the order of the card's rows."""
    order = {id_: place for place, id_ in enumerate(rows)}
    return sorted(ids, key=lambda id_: (order.get(id_, len(order)), id_))


# ------------------------------------------------------------------ pieces of drawing


def line(path: str, stroke: Stroke) -> str:
    """Give the attributes of one line."""
    dash = f' stroke-dasharray="{stroke.dash}"' if stroke.dash else ""
    return (
        f'd="{path}" stroke="{stroke.colour}" stroke-width="{short(stroke.width)}" '
        f'stroke-linecap="{"butt" if stroke.dash else "round"}"{dash}'
    )


def sample(path: str, strokes: Iterable[Stroke]) -> str:
    """Draw a side or a way for the legend."""
    return "".join(f'<path fill="none" {line(path, stroke)}/>' for stroke in strokes)


def letter(words: str, x: float, y: float) -> str:
    """Draw the letter of something that has no look of its own."""
    return (
        f'<g transform="translate({short(x)} {short(y)})"><circle r="7" fill="{PAPER}" '
        f'stroke="{INK}"/><text class="letter" y="3.2">{escape(words)}</text></g>'
    )


def star(x: float, y: float, points: str) -> str:
    """Draw a star with the points of an objective in it."""
    outer = ((0, -11), (10.5, -3.4), (6.5, 8.9), (-6.5, 8.9), (-10.5, -3.4))
    inner = ((3.7, -5.1), (6, 1.9), (0, 6.3), (-6, 1.9), (-3.7, -5.1))
    shape = " ".join(f"{a},{b} {c},{d}" for (a, b), (c, d) in zip(outer, inner, strict=True))
    return (
        f'<g transform="translate({short(x)} {short(y)})"><polygon points="{shape}" fill="#ffd75e" '
        f'stroke="{INK}" stroke-width="1.1" stroke-linejoin="round"/>'
        f'<text class="letter" y="3.4">{points}</text></g>'
    )
