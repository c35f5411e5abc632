"""Numbers and words in a picture, fitted into the available room."""

from collections.abc import Iterable
from html import escape

_NARROW = "Iijlftr.,-()1 /'’:·"
_BROAD = "ABCDEFGHKLMNOPQRSTUVWXYZmwΣ"


def short(number: float) -> str:
    """Write a number with no more digits than a picture needs."""
    return f"{round(number, 2) + 0.0:g}"


def wide(words: str, height: float) -> float:
    """Estimate the width of words in an upright sans; generous, as fonts differ."""
    return height * sum(0.34 if c in _NARROW else 0.72 if c in _BROAD else 0.58 for c in words)


def layer(name: str, parts: Iterable[str]) -> str:
    """Put the parts of a layer into a group."""
    body = "\n".join(part for part in parts if part)
    return f'<g class="layer {name}">\n{body}\n</g>\n'


def words(kind: str, x: float, y: float, text: str) -> str:
    """Write words in the style of a class."""
    return f'<text class="{kind}" x="{short(x)}" y="{short(y)}">{escape(text)}</text>'


def fitted(text: str, x: float, y: float, height: float, room: float, how: str) -> str:
    """Write words centred on x, smaller if they would not fit."""
    if not text:
        return ""
    height = min(height, room / max(wide(text, 1), 0.1))
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{height:.3g}" text-anchor="middle" {how}>'
        f"{escape(text)}</text>"
    )
