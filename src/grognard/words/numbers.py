"""Numbers in the notation of the hobby: `16½`, `+1`, `− 2`."""

from fractions import Fraction

_PARTS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 6): "⅙",
}


def mixed(value: int | str | Fraction) -> int | str:
    """Write a fraction as a mixed number, `16½`; other values stay as they are."""
    if not isinstance(value, Fraction):
        return value
    whole, part = divmod(value, 1)
    if not part:
        return whole
    return f"{whole or ''}{_PARTS.get(part) or f' {part}'}".strip()


def signed(value: int | Fraction) -> str:
    """Write a number with its sign, as on cards: `+1`."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


def plus(value: int | Fraction) -> str:
    """Write a number as a term of a sum: `− 2`."""
    return f"− {-value}" if value < 0 else f"+ {value}"
