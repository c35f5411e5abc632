"""Looks of terrain: a fill and a pattern each, so that a print without colours is readable.

Terrain is known by the look that its card names, or by the words of its id (`wood`, `minor-river`).
What is not known gets a neutral pattern and a letter. Lengths are in the units of a hex whose side
is 50 long.
"""

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.card import Terrain
from grognard.draw.svg.elements import short
from grognard.files import toml_file
from grognard.words.text import Lang

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


def _named(styles: Mapping[str, Style], row: Terrain) -> str:
    """Give the look that the card names, or that the words of the id tell."""
    like = row.look.like if row.look and row.look.like else ""
    return like if like in styles else _known(styles, row.id)


def look(row: Terrain) -> str:
    """Give the name of a feature's look; an unknown feature's own id."""
    return _named(GROUND, row) or row.id


def ground(row: Terrain) -> GroundStyle:
    """Give the look of a hex feature, with what its card changes."""
    made, own = GROUND.get(look(row), UNKNOWN), row.look
    if own and own.pattern:
        other = GROUND[own.pattern]
        made = replace(made, tile=other.tile, pattern=other.pattern, turned=other.turned)
    if own and own.colour:
        made = replace(made, fill=own.colour, rank=max(made.rank, UNKNOWN.rank))
    return made


def is_known(row: Terrain) -> bool:
    """Tell whether a feature of a hex has a look of its own."""
    return look(row) in GROUND


def side_look(row: Terrain) -> str:
    """Give the name of the look of a hexside's feature; none if it is unknown."""
    return _named(SIDES, row)


def side(row: Terrain) -> SideStyle:
    """Give the look of a hexside's feature."""
    made = SIDES.get(side_look(row), _LOOKS.unknown_side)
    return replace(made, strokes=_coloured(made.strokes, row))


def way_look(row: Terrain) -> str:
    """Give the name of the look of a road or railway; none if it is unknown."""
    return _named(WAYS, row)


def way(row: Terrain) -> WayStyle:
    """Give the look of a road or railway."""
    made = WAYS.get(way_look(row), _LOOKS.unknown_way)
    return replace(made, strokes=_coloured(made.strokes, row))


def _coloured(strokes: tuple[Stroke, ...], row: Terrain) -> tuple[Stroke, ...]:
    """Give the lines of a look, the last unbroken one in the colour of the card."""
    colour = row.look.colour if row.look else None
    if colour is None:
        return strokes
    whole = [place for place, stroke in enumerate(strokes) if not stroke.dash]
    main = whole[-1] if whole else 0
    return (*strokes[:main], replace(strokes[main], colour=colour), *strokes[main + 1 :])


def is_rail(row: Terrain) -> bool:
    """Tell a railway from a road."""
    return way_look(row) == "rail"


def initial(row: Terrain, lang: Lang, *, known: bool) -> str:
    """Draw the letter that the card gives a feature, or the first one of an unknown feature."""
    own = row.look.letter if row.look else None
    words = own or ("" if known else row.text.in_(lang)[:1].upper())
    return letter(words, 0, 0) if words else ""


def pattern_id(row: Terrain) -> str:
    """Give the id of a feature's pattern in the picture."""
    own = row.look.pattern if row.look else None
    return f"ground-{own or (look(row) if is_known(row) else 'unknown')}"


def pattern(row: Terrain) -> str:
    """Define the pattern of a feature; nothing where it has none."""
    made = ground(row)
    if not made.pattern:
        return ""
    turned = f' patternTransform="rotate({made.turned})"' if made.turned else ""
    return (
        f'<pattern id="{pattern_id(row)}" width="{made.tile[0]}" height="{made.tile[1]}" '
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
