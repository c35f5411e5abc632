"""Lines: how rules explain a number and report what happened.

`changes` names the number that a line adds to; `of` names the number that it sums up or the table
that it reads. docs/games.md has the whole vocabulary; `testing.proof` checks the arithmetic.
"""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import CERTAIN, Reading, Row, Side
from grognard.words.blanks import filled
from grognard.words.numbers import Counted, label, mixed, signed
from grognard.words.text import Lang, Text

Blank = int | str | Fraction | Text
Blanks = tuple[tuple[str, Blank], ...]

Explains = Literal[
    "total",
    "dominant",
    "modifier",
    "limit",
    "clamp",
    "column",
    "row",
    "die",
    "lookup",
    "note",
]
Happens = Literal[
    "loss", "eliminated", "retreat", "advance", "state", "spent", "captured", "result", "remark"
]
EXPLAINS: frozenset[str] = frozenset(get_args(Explains))


class Line(Struct, frozen=True, cache_hash=True, gc=False):
    """One line of an explanation or of a fight's log, in every language at once."""

    kind: Explains | Happens
    text: Text
    blanks: Blanks = ()
    rule: str | None = None
    value: int | Fraction | str | None = None
    id: str = ""  # of the card's row, or of what is counted
    changes: str = ""  # the number to which it counts: column, die, attack, …
    side: Side | None = None
    unit: str = ""
    reading: Reading = CERTAIN
    of: str = ""  # the number that it sums up, or the table on which it is read

    def in_(self, lang: Lang) -> str:
        blanks = {
            key: value.in_(lang) if isinstance(value, Text) else _written(value, lang)
            for key, value in self.blanks
        }
        if self.kind == "die" and isinstance(self.value, int):
            blanks["value"] = signed(self.value)
        return filled(self.text.in_(lang), **blanks)

    @property
    def added(self) -> str:
        """What a modifier adds, with its sign; `2 × −1` if it counts several times."""
        value, times = int(self.value or 0), dict(self.blanks).get("times", 1)
        if not isinstance(times, int) or abs(times) < 2:
            return signed(value)
        return f"{times} × {signed(value // times)}"


def _written(value: int | str | Fraction, lang: Lang) -> int | str:
    if isinstance(value, str):
        return label(value, lang) if _NUMBERS.fullmatch(value) else value
    whole = mixed(value)
    return Counted(whole, lang) if isinstance(whole, int) else whole


_NUMBERS = re.compile(r"<?-?[\d.]+/-?[\d.]+|-\d+")  # columns, and results such as -1


def doubtful(lines: Iterable[Line]) -> list[Line]:
    """Give the lines that carry a doubtful reading."""
    return [line for line in lines if line.reading.reason is not None]


def about_anybody(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Keep the first of lines that differ only in the unit; of losses, also in what is left: that
    which leaves most comes before the others.

    They are put in an order of their own: explanations before events, by rule. That in which odds
    meet them depends on what was worked out before.
    """
    first: dict[Line, Line] = {}
    for line in sorted(lines, key=_by_rule):
        blanks = tuple([blank for blank in line.blanks if blank[0] != "unit"])
        alike = replace(line, unit="", blanks=blanks)
        if line.kind in ("loss", "retreat"):
            alike = replace(alike, value=None, blanks=(), text=line.reading.reason or line.text)
        first.setdefault(alike, line)
    return tuple(first.values())


def _by_rule(line: Line) -> tuple[bool, str, str, int, str, str]:
    lost = -line.value if line.kind == "loss" and isinstance(line.value, int) else 0
    happens, rule = line.kind not in EXPLAINS, line.rule or ""
    return happens, rule, line.id, lost, str(line.value), line.side or ""


def row_line(
    kind: Explains,
    row: Row,
    value: int | Fraction | str | None,
    *,
    changes: str = "",
    side: Side | None = None,
    unit: str = "",
    blanks: Blanks = (),
) -> Line:
    """Make a line from a row of the card and the amount that it counts."""
    return Line(
        kind,
        row.text,
        blanks,
        rule=row.rule,
        value=value,
        id=row.id,
        changes=changes,
        side=side,
        unit=unit,
        reading=row.reading,
    )


class Teller:
    """Base of everything that makes lines from the phrases of its card."""

    card: Card

    def doubt(self, option: str) -> Reading:
        """Give an option's reading, for a line that another choice of it would change."""
        return self.card.doubt(option)

    def tell(  # noqa: PLR0913  # a line has that many parts
        self,
        kind: Explains | Happens,
        phrase: str,
        rule: str | None = None,
        *,
        unit: str = "",
        side: Side | None = None,
        value: int | Fraction | str | None = None,
        changes: str = "",
        of: str = "",
        reading: Reading = CERTAIN,
        blanks: Mapping[str, Blank] = MappingProxyType({}),
        **more: Blank,
    ) -> Line:
        """Make a line from one of the card's phrases; unit and value are blanks of it too."""
        if blanks:
            more = {**blanks, **more}
        if unit:
            more["unit"] = unit
        if value is not None:
            more["value"] = value
        text, filled_in = self.card.phrase(phrase), tuple(more.items())
        return Line(kind, text, filled_in, rule, value, phrase, changes, side, unit, reading, of)
