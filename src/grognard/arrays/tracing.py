"""Numbers that remember how they came about, so that rules are run once for many fights.

A traced number has the value that it has in one fight, and a term that says how it is reckoned from
what was stated. Rules reckon with it as with any number. Whatever depends on its value, such as a
comparison or a place in a table, is settled on the path: fights that settle alike go the same way.
Nothing else reveals the value, so what holds for the traced fight holds for all that go its way.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import gcd
from numbers import Rational
from typing import NoReturn

Reckon = Callable[[int, int], int]


def _floor(top: int, bottom: int) -> int:
    return top // bottom


OPERATIONS: Mapping[str, Reckon] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": _floor,
    "gcd": gcd,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}


class Term:
    """How a whole number is reckoned: a column of what is stated, or an operation on two others."""

    __slots__ = ("column", "left", "operation", "right")

    def __init__(
        self, column: str = "", operation: str = "", left: Part = 0, right: Part = 0
    ) -> None:
        self.column = column
        self.operation = operation
        self.left = left
        self.right = right


Part = Term | int


class Terms:
    """All terms of one way to reckon; terms that say the same are the very same."""

    def __init__(self) -> None:
        self._columns: dict[str, Term] = {}
        self._made: dict[tuple[str, Part, Part], Term] = {}

    def column(self, name: str) -> Term:
        if (term := self._columns.get(name)) is None:
            term = self._columns[name] = Term(column=name)
        return term

    def make(self, operation: str, left: Part, right: Part) -> Part:
        """Give the term of an operation; what is known beforehand is reckoned at once."""
        if isinstance(left, int) and isinstance(right, int):
            return int(OPERATIONS[operation](left, right))
        if (operation == "*" and left == 1) or (operation == "+" and left == 0):
            return right
        if (operation in ("*", "//") and right == 1) or (operation in "+-" and right == 0):
            return left
        key = (operation, left, right)
        if (term := self._made.get(key)) is None:
            term = self._made[key] = Term("", operation, left, right)
        return term


class Path:
    """What one traced fight settles on its way; `settle` is told each term once, with its value."""

    def __init__(self, terms: Terms, settle: Callable[[Term, int], None]) -> None:
        self.terms = terms
        self._settle = settle
        self._settled: dict[Term, int] = {}
        self._open = True

    def column(self, name: str, value: int) -> Traced:
        """Give the number of a column in the traced fight."""
        return Traced(self, self.terms.column(name), 1, value, 1)

    def settle(self, part: Part, value: int) -> int:
        """Reveal a value: only fights that have it go on this way."""
        if self._open and isinstance(part, Term) and part not in self._settled:
            self._settled[part] = value
            self._settle(part, value)
        return value

    def make(self, operation: str, left: Part, right: Part) -> Part:
        """Give the term of an operation on terms, those that are settled by their value."""
        return self.terms.make(operation, self._known(left), self._known(right))

    def _known(self, part: Part) -> Part:
        return self._settled.get(part, part) if isinstance(part, Term) else part

    def close(self) -> None:
        """The fight is at its end: its numbers are what they are."""
        self._open = False


class Traced:
    """A rational number of a traced fight: a term over a term that is greater than 0."""

    __slots__ = ("_below", "_path", "_value", "bottom", "top")

    def __init__(self, path: Path, top: Part, bottom: Part, value: int, below: int) -> None:
        self._path = path
        self.top = top
        self.bottom = bottom
        self._value = value  # of the term above in the traced fight
        self._below = below  # of the term below

    # ------------------------------------------------------------------ reckoning

    def _whole(self, operation: str, left: Traced, right: Traced) -> Traced:
        """Apply an operation to two whole numbers."""
        term = self._path.make(operation, left.top, right.top)
        value = int(OPERATIONS[operation](left._value, right._value))
        return Traced(self._path, term, 1, value, 1)

    def _above(self) -> Traced:
        return Traced(self._path, self.top, 1, self._value, 1)

    def _beneath(self) -> Traced:
        return Traced(self._path, self.bottom, 1, self._below, 1)

    def _over(self, top: Traced, bottom: Traced) -> Traced:
        return Traced(self._path, top.top, bottom.top, top._value, bottom._value)

    def _other(self, other: object) -> Traced | None:
        if isinstance(other, Traced):
            return other
        if isinstance(other, int | Fraction):
            top, bottom = int(other.numerator), int(other.denominator)  # it may hold a traced one
            return Traced(self._path, top, bottom, top, bottom)
        return None

    def _sum(self, operation: str, left: Traced, right: Traced) -> Traced:
        one, other = left._beneath(), right._beneath()
        if one.top == other.top:
            return self._over(self._whole(operation, left._above(), right._above()), one)
        top = self._whole(
            operation,
            self._whole("*", left._above(), other),
            self._whole("*", right._above(), one),
        )
        return self._over(top, self._whole("*", one, other))

    def _product(self, left: Traced, right: Traced) -> Traced:
        top = self._whole("*", left._above(), right._above())
        return self._over(top, self._whole("*", left._beneath(), right._beneath()))

    def _inverse(self) -> Traced:
        if self == 0:
            raise ZeroDivisionError
        if self < 0:
            return -((-self)._inverse())
        return self._over(self._beneath(), self._above())

    def _floored(self) -> Traced:
        return self._whole("//", self._above(), self._beneath())

    def _compared(self, operation: str, left: Traced, right: Traced) -> Traced:
        return self._whole(
            operation,
            self._whole("*", left._above(), right._beneath()),
            self._whole("*", right._above(), left._beneath()),
        )

    # ------------------------------------------------------------------ Python's names for it

    def __add__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else self._sum("+", self, right)

    __radd__ = __add__

    def __sub__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else self._sum("-", self, right)

    def __rsub__(self, other: object) -> Traced:
        left = self._other(other)
        return NotImplemented if left is None else self._sum("-", left, self)

    def __mul__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else self._product(self, right)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else self._product(self, right._inverse())

    def __rtruediv__(self, other: object) -> Traced:
        left = self._other(other)
        return NotImplemented if left is None else self._product(left, self._inverse())

    def __floordiv__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else (self / right)._floored()

    def __rfloordiv__(self, other: object) -> Traced:
        left = self._other(other)
        return NotImplemented if left is None else (left / self)._floored()

    def __mod__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else self - right * (self // right)

    def __rmod__(self, other: object) -> Traced:
        left = self._other(other)
        return NotImplemented if left is None else left - self * (left // self)

    def __neg__(self) -> Traced:
        return 0 - self

    def __pos__(self) -> Traced:
        return self

    def __abs__(self) -> Traced:
        return -self if self < 0 else self

    def __floor__(self) -> Traced:
        return self._floored()

    def __ceil__(self) -> Traced:
        return -((-self)._floored())

    def __trunc__(self) -> Traced:
        return -((-self)._floored()) if self < 0 else self._floored()

    def __lt__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else self._compared("<", self, right)

    def __le__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else self._compared("<=", self, right)

    def __gt__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else self._compared("<", right, self)

    def __ge__(self, other: object) -> Traced:
        right = self._other(other)
        return NotImplemented if right is None else self._compared("<=", right, self)

    def __eq__(self, other: object) -> Traced:  # type: ignore[override]  # settled by bool()
        right = self._other(other)
        return NotImplemented if right is None else self._compared("==", self, right)

    def __ne__(self, other: object) -> Traced:  # type: ignore[override]  # settled by bool()
        right = self._other(other)
        return NotImplemented if right is None else self._compared("!=", self, right)

    @property
    def numerator(self) -> Traced:
        return self._whole("//", self._above(), self._divisor())

    @property
    def denominator(self) -> Traced:
        return self._whole("//", self._beneath(), self._divisor())

    def _divisor(self) -> Traced:
        return self._whole("gcd", self._above(), self._beneath())

    # ------------------------------------------------------------------ what reveals the value

    def settled(self) -> int | Fraction:
        """Give the value in the traced fight, and let only fights with it go on this way."""
        settle = self._path.settle
        value = Fraction(settle(self.top, self._value), settle(self.bottom, self._below))
        return value.numerator if value.denominator == 1 else value

    def __bool__(self) -> bool:
        apart = self._path.make("!=", self.top, 0)
        return bool(self._path.settle(apart, int(self._value != 0)))

    def __int__(self) -> int:
        return int(self.settled())

    def __index__(self) -> int:
        value = self.settled()
        if not isinstance(value, int):
            raise TypeError(f"{value} is no whole number")
        return value

    def __hash__(self) -> int:
        return hash(self.settled())

    def __str__(self) -> str:
        return str(self.settled())

    def __format__(self, spec: str) -> str:
        return format(self.settled(), spec)

    def __round__(self, digits: int | None = None) -> int | Fraction:
        return round(Fraction(self.settled()), digits)

    def __float__(self) -> NoReturn:
        raise TypeError("rules reckon with exact numbers")


Rational.register(Traced)
