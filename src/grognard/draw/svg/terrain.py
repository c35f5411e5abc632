"""Looks of terrain: a fill and a pattern each, so that a print without colours is readable.

Terrain is known by the words of its id (`wood`, `woods`, `minor-river`). What is not known gets a
neutral pattern and a letter. Lengths are in the units of a hex whose side is 50 long.
"""

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from grognard.draw.svg.elements import short

INK = "#2a2620"
PAPER = "#fbf7ec"
CLEAR = "#f5efdf"
WATER = "#b3d1de"
WATER_INK = "#2c617d"
HEIGHTS = ("#ead8b3", "#dcc292", "#caa974", "#b8925c")
HACHURE = "#7d5127"


class GroundStyle(NamedTuple):
    """A feature of a hex: its fill (that of the highest rank shows), its pattern, its figure."""

    rank: int = 0
    fill: str = CLEAR
    tile: tuple[int, int] = (0, 0)  # the size of the pattern's tile; none without one
    pattern: str = ""
    turned: int = 0  # the pattern, in degrees
    figure: str = ""  # drawn around the middle, so that a counter does not hide all of it
    corner: str = ""  # a small figure beside the counters
    edge: str = ""  # "hill" or "coast": drawn along sides towards other ground


def _blocks(*places: tuple[int, int, int, int]) -> str:
    return "".join(f'<rect x="{x}" y="{y}" width="{w}" height="{h}"/>' for x, y, w, h in places)


VILLAGE = (
    '<g fill="#4a3b33" stroke="#fbf7ec" stroke-width=".7">'
    + _blocks(
        *((-32, -19, 8, 6), (-36, 8, 6, 8), (-27, 14, 8, 6), (24, -20, 6, 8), (33, -12, 7, 5)),
        *((26, 12, 8, 6), (-12, 25, 7, 5), (6, 26, 8, 5), (-16, -30, 7, 5), (10, -29, 6, 5)),
        *((-9, -9, 7, 7), (3, -7, 8, 6), (-6, 4, 6, 8), (5, 5, 7, 6), (-21, -4, 6, 7)),
    )
    + "</g>"
)
AIRFIELD = (
    '<g fill="none"><path d="M-32 21L32-21M-33-16L31 22" stroke="#4d4a45" stroke-width="8"/>'
    '<path d="M-32 21L32-21M-33-16L31 22" stroke="#f3efe4" stroke-width="5.6"/>'
    '<path d="M-32 21L32-21M-33-16L31 22" stroke="#4d4a45" stroke-width="1.1" '
    'stroke-dasharray="5 4"/></g>'
)
PEAK = (
    '<g><path d="M-8 5L0-8L8 5Z" fill="#7d5127" stroke="#2a2620"/>'
    '<path d="M0-8L8 5H1Z" fill="#fbf7ec" stroke="#2a2620" stroke-width=".8"/></g>'
)
DOMINANT = (
    '<g><path d="M-8 6L0-6L8 6Z" fill="#2a2620"/>'
    '<path d="M0-9V-13M5-6.5L9-9.5M-5-6.5L-9-9.5" stroke="#2a2620" stroke-width="1.6"/>'
    '<circle cy="1.5" r="2" fill="#fbf7ec"/></g>'
)
STRONGPOINT = (
    '<g><path d="M-9 6V-2L-5-6H5L9-2V6Z" fill="#5b5650" '
    'stroke="#2a2620"/><path d="M-5 0H5" stroke="#fbf7ec" stroke-width="2.2"/></g>'
)


def _trench() -> str:
    """Draw a trench as a ring with teeth, inside the hex and outside its counters."""
    ring = (34, 0, 17, 29.4, -17, 29.4, -34, 0, -17, -29.4, 17, -29.4)
    points = " ".join(f"{x},{y}" for x, y in zip(ring[::2], ring[1::2], strict=True))
    return (
        f'<g fill="none" stroke="#3b2f26"><polygon points="{points}" stroke-width="5" '
        f'stroke-dasharray="3.2 4"/><polygon points="{points}" stroke-width="1.5" '
        'transform="scale(.93)"/></g>'
    )


_WAVE = "M0 {y}q4-4 8 0t8 0"

GROUND = {
    "clear": GroundStyle(),
    "wood": GroundStyle(
        50,
        "#d3dfb2",
        (16, 14),
        '<g fill="#66854a"><circle cx="4" cy="3.5" r="2.5"/>'
        '<circle cx="12" cy="10.5" r="2.5"/></g>',
    ),
    "difficult": GroundStyle(
        20,
        "#eadfc2",
        (14, 14),
        '<path d="M2 6l3-5M9 13l3-5M9.5 4.5l1.5-2.5M2.5 11.5l1.5-2.5" '
        'stroke="#7a5a34" stroke-width="1.2" fill="none"/>',
    ),
    "bocage": GroundStyle(
        40,
        "#dde6bd",
        (18, 18),
        '<g fill="none" stroke="#6a8450" stroke-width="1.1"><ellipse cx="4.5" cy="5" rx="5.6" '
        'ry="2.6"/><ellipse cx="13.5" cy="5" rx="5.6" ry="2.6"/><ellipse cx="0" cy="14" '
        'rx="5.6" ry="2.6"/><ellipse cx="9" cy="14" rx="5.6" ry="2.6"/><ellipse cx="18" '
        'cy="14" rx="5.6" ry="2.6"/></g>',
    ),
    "mixed": GroundStyle(
        30,
        "#ecedd0",
        (26, 22),
        '<g fill="none" stroke="#66793f" stroke-width="1.2"><ellipse cx="6" cy="5" rx="4.2" '
        'ry="2.2"/><ellipse cx="19" cy="16" rx="4.2" ry="2.2"/></g>'
        '<g fill="#66793f"><circle cx="19" cy="5" r="1.5"/><circle cx="6" cy="16" r="1.5"/></g>',
    ),
    "town": GroundStyle(
        70, "#e3d3c4", (6, 6), '<path d="M0 3H6" stroke="#86695a" stroke-width="1.4"/>', turned=45
    ),
    "flooded": GroundStyle(
        60,
        "#d9e9ea",
        (30, 16),
        '<path d="M2 5q3-3.5 6 0t6 0M17 13q3-3.5 6 0t6 0" fill="none" stroke="#3d7590" '
        'stroke-width="1.4"/>',
    ),
    "marsh": GroundStyle(
        55,
        "#e1eadb",
        (26, 20),
        '<path d="M2 7H12M15 17H25" stroke="#2f6b7c" stroke-width="1.3"/><path d="M7 6V1.5M5 '
        '6L3 2.5M9 6L11 2.5M20 16V11.5M18 16L16 12.5M22 16L24 12.5" stroke="#4c6f45" '
        'stroke-width="1.1"/>',
    ),
    "lake": GroundStyle(
        80,
        WATER,
        (16, 8),
        f'<path d="{_WAVE.format(y=4)}" fill="none" stroke="{WATER_INK}" stroke-width="1.1"/>',
    ),
    "sea": GroundStyle(
        80,
        "#a8c9da",
        (16, 12),
        f'<path d="{_WAVE.format(y=6)}" fill="none" stroke="{WATER_INK}" stroke-width=".9" '
        'opacity=".8"/>',
    ),
    "hill": GroundStyle(25, HEIGHTS[0], edge="hill"),
    "coast": GroundStyle(10, "#f6e8c2", edge="coast"),
    "village": GroundStyle(15, figure=VILLAGE),
    "airfield": GroundStyle(15, figure=AIRFIELD),
    "hilltop": GroundStyle(25, HEIGHTS[0], corner=PEAK),
    "dominant": GroundStyle(25, HEIGHTS[0], corner=DOMINANT),
    "strongpoint": GroundStyle(5, corner=STRONGPOINT),
    "entrenchment": GroundStyle(5, figure=_trench()),
    "minefield": GroundStyle(
        5,
        CLEAR,
        (26, 22),
        '<g stroke="#6b5d50" stroke-width=".9"><path d="M3.5 3.5l5 5M8.5 3.5l-5 5M16.5 '
        '14.5l5 5M21.5 14.5l-5 5"/><circle cx="6" cy="6" r="1.6" fill="#6b5d50"/>'
        '<circle cx="19" cy="17" r="1.6" fill="#6b5d50"/></g>',
    ),
}
UNKNOWN = GroundStyle(
    12, "#ece9e2", (12, 12), '<path d="M6 4V8M4 6H8" stroke="#8b857a" stroke-width="1"/>'
)


class Stroke(NamedTuple):
    """One of the lines that are drawn along a side or a way, the lowest first."""

    colour: str
    width: float
    dash: str = ""


SIDES: dict[str, tuple[Stroke, ...]] = {
    "river": (Stroke("#1d4f6b", 6.5), Stroke("#7db4d3", 4.2)),
    "major-river": (Stroke("#1d4f6b", 9.5), Stroke("#7db4d3", 7), Stroke("#1d4f6b", 0.9, "9 7")),
    "minor-river": (Stroke("#1d4f6b", 3.4), Stroke("#7db4d3", 1.5)),
    "flooded": (Stroke("#9fc6d4", 12), Stroke("#2c617d", 12, "1.2 5"), Stroke("#d9e9ea", 3)),
    "causeway": (Stroke("#9fc6d4", 12), Stroke("#2c617d", 12, "1.2 5"), Stroke("#d9e9ea", 3)),
    "impassable": (Stroke("#2a2620", 4.5), Stroke("#2a2620", 12, "2 5.1")),
    "runway": (Stroke("#4d4a45", 9), Stroke("#f3efe4", 6.6), Stroke("#4d4a45", 1.2, "5 4")),
    "perimeter": (Stroke("#4b3a2c", 3), Stroke("#4b3a2c", 10, "5 5")),
}
UNKNOWN_SIDE = (Stroke("#6b2f5e", 4, "1 6"),)

WAYS: dict[str, tuple[Stroke, ...]] = {
    "road": (Stroke("#4d3b2c", 4.8), Stroke("#f6ead0", 2.8)),
    "main": (Stroke("#3c2a20", 6.6), Stroke("#d9823f", 4.2)),
    "secondary": (Stroke("#4d3b2c", 4), Stroke("#fffaf0", 2.2)),
    "track": (Stroke("#4d3b2c", 1.8, "5 3"),),
    "rail": (Stroke("#fbf7ec", 5), Stroke("#2a2620", 1.6), Stroke("#2a2620", 6.5, "1.3 5.2")),
}
UNKNOWN_WAY = (Stroke("#6b2f5e", 2.4, "2 3"),)

# Looks with the words of ids, the telling ones first: a flooded hexside is no river.
_WORDS = {
    "ground": {
        "wood": {"wood", "woods", "forest"},
        "difficult": {"difficult", "rough", "broken", "steep"},
        "bocage": {"bocage", "hedgerow"},
        "mixed": {"mixed"},
        "town": {"city", "town"},
        "flooded": {"flooded"},
        "marsh": {"marsh", "swamp"},
        "lake": {"lake"},
        "sea": {"sea"},
        "hilltop": {"hilltop"},
        "dominant": {"dominant"},
        "hill": {"hill", "hills", "heights", "ridge"},
        "coast": {"coast", "beach"},
        "village": {"village", "suburb"},
        "airfield": {"airfield"},
        "strongpoint": {"strongpoint", "fort"},
        "entrenchment": {"entrenchment", "entrenchments", "trench"},
        "minefield": {"minefield", "mines"},
        "clear": {"clear"},
    },
    "side": {
        "causeway": {"causeway"},
        "flooded": {"flooded"},
        "impassable": {"impassable", "cliff"},
        "runway": {"runway"},
        "perimeter": {"perimeter"},
        "major-river": {"major"},
        "minor-river": {"minor", "stream", "brook"},
        "river": {"river"},
    },
    "way": {
        "rail": {"railway", "railroad", "rail"},
        "main": {"main", "highway"},
        "secondary": {"secondary"},
        "track": {"track", "path"},
        "road": {"road"},
    },
}


def _known(kind: str, id_: str) -> str | None:
    words = set(id_.lower().replace("_", "-").split("-"))
    return next((look for look, named in _WORDS[kind].items() if named & words), None)


def look(id_: str) -> str:
    """Give the name of a feature's look; an unknown feature's own id."""
    return _known("ground", id_) or id_


def ground(id_: str) -> GroundStyle:
    """Give the look of a hex feature."""
    return GROUND.get(look(id_), UNKNOWN)


def is_known(id_: str) -> bool:
    """Tell whether a feature of a hex has a look of its own."""
    return look(id_) in GROUND


def side_look(id_: str) -> str | None:
    """Give the name of the look of a hexside's feature."""
    return _known("side", id_)


def side(id_: str) -> tuple[Stroke, ...]:
    """Give the lines of a hexside's feature."""
    return SIDES.get(side_look(id_) or "", UNKNOWN_SIDE)


def way(id_: str) -> tuple[Stroke, ...]:
    """Give the lines of a road or railway."""
    return WAYS.get(way_look(id_) or "", UNKNOWN_WAY)


def way_look(id_: str) -> str | None:
    """Give the name of the look of a road or railway."""
    return _known("way", id_)


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

EDGES = {
    "hill": f'<g fill="none" stroke="{HACHURE}" stroke-width="3"><path d="M-41 0L-20.5-35.5H20.5'
    'L41 0L20.5 35.5H-20.5Z"/><path d="M-48-9L-40-5M-36-29L-29-24M-12-42V-35M12-42V-35M36-29'
    'L29-24M48-9L40-5M48 9L40 5M36 29L29 24M12 42V35M-12 42V35M-36 29L-29 24M-48 9L-40 5"/></g>',
    "coast": f'<path d="M-25-43.3H25L37-22H-37Z" fill="{WATER}"/><path d="M-37-22H37" '
    f'stroke="{WATER_INK}" stroke-width="3"/><path d="M-32-33H32" stroke="{WATER_INK}" '
    'stroke-width="2" stroke-dasharray="9 6"/>',
}


DAM = (  # of a causeway, in the legend
    '<path d="M0-11V11" stroke="#2a2620" stroke-width="11"/>'
    '<path d="M0-11V11" stroke="#e9d9b4" stroke-width="8"/>'
)


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
