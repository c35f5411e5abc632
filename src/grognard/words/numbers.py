"""Numbers in the notation of the hobby and of the reader: `16½`, `+1`, `− 2`, `1,5`, `33 %`."""

import re
from fractions import Fraction

from grognard.words.text import Lang
from grognard.words.typography import NARROW, with_minus

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


def decimal(value: float, places: int, lang: Lang) -> str:
    """Write a decimal number; French has a comma."""
    written = f"{value:.{places}f}"
    return written.replace(".", ",") if lang == "fr" else written


def label(printed: str, lang: Lang) -> str:
    """Write the label of a column with a true minus; French has a decimal comma, `1/1,5`."""
    written = with_minus(printed)
    return re.sub(r"(?<=\d)\.(?=\d)", ",", written) if lang == "fr" else written


def percentage(number: int | str, lang: Lang) -> str:
    """Write a number with its percent sign."""
    return f"{number}{NARROW if lang == 'fr' else ' '}%"


class Counted(int):
    """A number in a text: it chooses its noun, `{n} {n:step|steps}`, and has a true minus."""

    singular: bool

    def __new__(cls, value: int | str, lang: Lang) -> "Counted":
        self = super().__new__(cls, value)
        self.singular = abs(self) < 2 if lang == "fr" else self == 1
        return self

    def __format__(self, forms: str) -> str:
        if "|" not in forms:
            return super().__format__(forms).replace("-", "−")
        one, several = forms.split("|")
        return one if self.singular else several
