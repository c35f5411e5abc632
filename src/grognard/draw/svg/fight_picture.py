"""The picture of a fight, to keep and send: counters, column, dice, outcome, and its chance."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from grognard.card.rows import Side
from grognard.card.wording import MARKS
from grognard.draw.svg.counter import SIDE
from grognard.draw.svg.die import SIDE as DIE
from grognard.draw.svg.die import die
from grognard.draw.svg.elements import fitted, short, wide
from grognard.draw.svg.terrain import INK, PAPER

WIDTH, HEIGHT = 720, 450
_MARGIN, _SPLIT = 24, 400  # counters on the left of the split, the column on its right
_LIT, _SOFT, _RULE = "#ffe08a", "#5c5346", "#cfc4ab"
_ACCENT: dict[Side | None, str] = {"attacker": "#9c2f1f", "defender": "#1f4e79", None: INK}
_FONT = "Arial, 'Liberation Sans', sans-serif"
_SERIF = "Palatino, 'Palatino Linotype', 'URW Palladio L', Georgia, serif"


class PicturedCounter(NamedTuple):
    """A counter, drawn around the origin, and whether it is lost."""

    drawing: str
    lost: bool


class PicturedSide(NamedTuple):
    """The counters of a side and their total."""

    side: Side | None
    name: str
    total: str
    counters: tuple[PicturedCounter, ...]


class PicturedRow(NamedTuple):
    """A cell of the column that was rolled on."""

    name: str
    result: str
    chance: str
    hit: bool


class PicturedDie(NamedTuple):
    """A die that has fallen."""

    face: int
    faces: int


class FightPicture(NamedTuple):
    """Everything that the picture shows; symbols are the definitions that counters use."""

    title: str
    sides: tuple[PicturedSide, ...]
    column: str
    rows: tuple[PicturedRow, ...]
    dice: tuple[PicturedDie, ...]
    outcome: str
    had: str
    symbols: str


def draw(picture: FightPicture) -> str:
    """Draw the picture as a self-contained SVG."""
    return "".join(_parts(picture))


def _parts(picture: FightPicture) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" fill="{INK}" font-family="{_FONT}">'
        f"<title>{escape(picture.title)}: {escape(picture.outcome)}</title>"
        f"<defs>{picture.symbols}</defs>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>'
        f'<rect x="8" y="8" width="{WIDTH - 16}" height="{HEIGHT - 16}" fill="none" '
        f'stroke="{_RULE}"/>'
    )
    yield _words(picture.title, _MARGIN, 42, 22, f'font-family="{_SERIF}" font-weight="600"')
    for number, side in enumerate(picture.sides):
        yield from _side(side, 62 + 138 * number)
    yield from _column(picture)
    yield f'<path d="M{_MARGIN} 350H{WIDTH - _MARGIN}" stroke="{_RULE}"/>'
    yield _words(picture.outcome, _MARGIN, 388, 25, f'font-family="{_SERIF}" font-weight="600"')
    yield _words(picture.had, _MARGIN, 418, 17, f'fill="{_SOFT}"')
    yield _words("Grognard", WIDTH - _MARGIN - 62, 432, 12, f'fill="{_SOFT}"')
    yield "</svg>\n"


def _words(text: str, x: float, y: float, height: float, how: str) -> str:
    """Write words from x on, smaller if they would not fit."""
    height = min(height, (WIDTH - _MARGIN - x) / max(wide(text, 1), 0.1))
    return (
        f'<text x="{short(x)}" y="{short(y)}" font-size="{height:.3g}" {how}>{escape(text)}</text>'
    )


def _side(side: PicturedSide, top: float) -> Iterator[str]:
    """Draw a side: its name and total, and its counters in one row below."""
    ink = f'fill="{_ACCENT[side.side]}" font-weight="700"'
    yield _words(f"{MARKS[side.side]} {side.name}", _MARGIN, top + 18, 15, ink)
    yield fitted(side.total, _SPLIT - 54, top + 20, 24, 60, ink)
    room = _SPLIT - 2 * _MARGIN
    pitch = min(76.0, room / max(len(side.counters), 1))
    scale = pitch / (SIDE + 6)
    for number, counter in enumerate(side.counters):
        x, y = _MARGIN + pitch * (number + 0.5), top + 32 + SIDE * 0.8
        at = f"translate({short(x)} {short(y)}) scale({short(scale)})"
        faded = ' opacity=".45"' if counter.lost else ""
        yield f'<g transform="{at}"><g{faded}>{counter.drawing}</g>{_cross(lost=counter.lost)}</g>'


def _cross(*, lost: bool) -> str:
    if not lost:
        return ""
    return f'<path d="M-20-20L20 20M-20 20L20-20" stroke="{_ACCENT["attacker"]}" stroke-width="3"/>'


def _column(picture: FightPicture) -> Iterator[str]:
    """Draw the column with the chance of each row; the dice lie beside the row that was hit."""
    if not picture.rows:
        return
    left, top, width = _SPLIT + 80, 66, WIDTH - _MARGIN - _SPLIT - 80
    pitch = min(26.0, 250 / max(len(picture.rows), 1))
    size = pitch * 0.58
    yield (
        f'<rect x="{left}" y="{top - 30}" width="{width}" height="30" fill="{_LIT}" '
        f'stroke="{INK}" stroke-width="1.5"/>'
    )
    bold = 'font-weight="700"'
    yield fitted(picture.column, left + width / 2, top - 8, 20, width - 10, bold)
    for number, row in enumerate(picture.rows):
        y = top + pitch * number
        fill = _LIT if row.hit else "none"
        weight = bold if row.hit else ""
        yield (
            f'<rect x="{left}" y="{short(y)}" width="{width}" height="{short(pitch)}" '
            f'fill="{fill}" stroke="{INK if row.hit else _RULE}"/>'
        )
        base = y + pitch / 2 + size * 0.36
        yield fitted(row.name, left + 26, base, size, 48, f'fill="{_SOFT}"')
        yield fitted(row.result, left + width / 2, base, size, width - 130, weight)
        yield fitted(row.chance, left + width - 34, base, size, 62, weight)
        if row.hit:
            yield from _dice(picture.dice, left - 10, y + pitch / 2)


def _dice(dice: Sequence[PicturedDie], right: float, middle: float) -> Iterator[str]:
    scale = min(1.3, 2.6 / max(len(dice), 1))
    for number, one in enumerate(dice):
        x = right - (len(dice) - number - 0.5) * (DIE + 4) * scale
        yield die(one.face, one.faces, (x, middle), scale)
