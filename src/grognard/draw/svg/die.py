"""A die: a rounded square with its face."""

from grognard.draw.svg.elements import fitted, short
from grognard.draw.svg.terrain import INK

SIDE = 24  # of a die, its middle at the origin
_FAR = 6.5  # from the middle to the outer pips
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def die(face: int, faces: int = 6, at: tuple[float, float] = (0, 0), scale: float = 1) -> str:
    """Draw a die with a face up: pips on a six-sided one, else a number."""
    half = SIDE / 2
    where = f"translate({short(at[0])} {short(at[1])}) scale({short(scale)})"
    return (
        f'<g class="die" transform="{where}"><rect x="{-half:g}" y="{-half:g}" width="{SIDE}" '
        f'height="{SIDE}" rx="4.5" fill="#fffdf6" stroke="{INK}" stroke-width="1.4"/>'
        f'<g fill="{INK}">{_pips(face) if faces == 6 else _number(face)}</g></g>'
    )


def _pips(face: int) -> str:
    return "".join(
        f'<circle cx="{short(_FAR * x)}" cy="{short(_FAR * y)}" r="2.4"/>' for x, y in _PIPS[face]
    )


def _number(face: int) -> str:
    return fitted(str(face), 0, 5, 14, SIDE - 4, 'font-weight="700"')
