"""Traced numbers, with which one run of the rules holds for many fights.

A traced number has its value in one fight, and a term: the formula that computes it from the input
columns. Rules calculate with it as with any number. Where a rule needs the value, as in a
comparison or a table look-up, the value is settled: recorded on the path. Nothing else reveals the
value, so the result of the traced fight holds for every fight that settles the same values.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import gcd
from numbers import Rational
from typing import NoReturn

from msgspec import Struct

Operation = Callable[[int, int], int]


OPERATIONS: Mapping[str, Operation] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "gcd": gcd,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}


class Term(Struct, frozen=True, eq=False):
    """The formula of a whole number: an input column, or an operation on two operands."""

    column: str = ""
    operation: str = ""
    left: Operand = 0
    right: Operand = 0


Operand = Term | int


class Terms:
    """All terms of a decision tree; equal terms are the same object."""

    def __init__(self) -> None:
        self._columns: dict[str, Term] = {}
        self._made: dict[tuple[str, Operand, Operand], Term] = {}

    def column(self, name: str) -> Term:
        if (term := self._columns.get(name)) is None:
            term = self._columns[name] = Term(column=name)
        return term

    def make(self, operation: str, left: Operand, right: Operand) -> Operand:
        """Give the term of an operation; operations on constants are computed at once."""
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


class TracePath:
    """The terms that one traced fight settles; `settle` is called once per term, with its value."""

    def __init__(self, terms: Terms, settle: Callable[[Term, int], None]) -> None:
        self.terms = terms
        self._settle = settle
        self._settled: dict[Term, int] = {}
        self._open = True

    def column(self, name: str, value: int) -> Traced:
        return Traced(self, self.terms.column(name), 1, value, 1)

    def settle(self, operand: Operand, value: int) -> int:
        """Reveal a value: only fights with the same value stay on this path."""
        if self._open and isinstance(operand, Term) and operand not in self._settled:
            self._settled[operand] = value
            self._settle(operand, value)
        return value

    def make(self, operation: str, left: Operand, right: Operand) -> Operand:
        """Give the term of an operation; settled terms count as constants."""
        return self.terms.make(operation, self._known(left), self._known(right))

    def _known(self, operand: Operand) -> Operand:
        return self._settled.get(operand, operand) if isinstance(operand, Term) else operand

    def close(self) -> None:
        """End the path: later look-ups of values settle nothing."""
        self._open = False


def _operator(compute: Callable[[Traced, Traced], Traced]) -> Callable[[Traced, object], Traced]:
    """Make an operator whose other operand may be a plain number."""

    def apply(self: Traced, other: object) -> Traced:
        number = self._other(other)
        return NotImplemented if number is None else compute(self, number)

    return apply


class Traced:
    """A rational number of a traced fight: a term divided by a term greater than 0."""

    __slots__ = ("_below", "_path", "_value", "bottom", "top")

    def __init__(
        self, path: TracePath, top: Operand, bottom: Operand, value: int, below: int
    ) -> None:
        self._path = path
        self.top = top
        self.bottom = bottom
        self._value = value  # of the numerator's term, in the traced fight
        self._below = below  # of the denominator's term

    # ------------------------------------------------------------------ arithmetic

    def _whole(self, operation: str, right: Traced) -> Traced:
        """Apply an operation to two whole numbers."""
        term = self._path.make(operation, self.top, right.top)
        value = int(OPERATIONS[operation](self._value, right._value))
        return Traced(self._path, term, 1, value, 1)

    def _above(self) -> Traced:
        return self if self.bottom == 1 else Traced(self._path, self.top, 1, self._value, 1)

    def _beneath(self) -> Traced:
        return Traced(self._path, self.bottom, 1, self._below, 1)

    def _over(self, bottom: Traced) -> Traced:
        return Traced(self._path, self.top, bottom.top, self._value, bottom._value)

    def _other(self, other: object) -> Traced | None:
        if isinstance(other, Traced):
            return other
        if isinstance(other, int | Fraction):
            top, bottom = int(other.numerator), int(other.denominator)  # it may hold a traced one
            return Traced(self._path, top, bottom, top, bottom)
        return None

    def _sum(self, operation: str, right: Traced) -> Traced:
        one, other = self._beneath(), right._beneath()
        if one.top == other.top:
            return self._above()._whole(operation, right._above())._over(one)
        top = self._crossed(operation, right)
        return top._over(one._whole("*", other))

    def _crossed(self, operation: str, right: Traced) -> Traced:
        """Apply an operation to the numerators over a common denominator."""
        ours = self._above()._whole("*", right._beneath())
        return ours._whole(operation, right._above()._whole("*", self._beneath()))

    def _product(self, right: Traced) -> Traced:
        top = self._above()._whole("*", right._above())
        return top._over(self._beneath()._whole("*", right._beneath()))

    def _inverse(self) -> Traced:
        if self == 0:
            raise ZeroDivisionError
        if self < 0:
            return -((-self)._inverse())
        return self._beneath()._over(self._above())

    def _floored(self) -> Traced:
        return self._above()._whole("//", self._beneath())

    # ------------------------------------------------------------------ operators

    __add__ = __radd__ = _operator(lambda left, right: left._sum("+", right))
    __sub__ = _operator(lambda left, right: left._sum("-", right))
    __rsub__ = _operator(lambda left, right: right._sum("-", left))
    __mul__ = __rmul__ = _operator(lambda left, right: left._product(right))
    __truediv__ = _operator(lambda left, right: left._product(right._inverse()))
    __rtruediv__ = _operator(lambda left, right: right._product(left._inverse()))
    __floordiv__ = _operator(lambda left, right: (left / right)._floored())
    __rfloordiv__ = _operator(lambda left, right: (right / left)._floored())
    __mod__ = _operator(lambda left, right: left - right * (left // right))
    __rmod__ = _operator(lambda left, right: right - left * (right // left))
    __lt__ = _operator(lambda left, right: left._crossed("<", right))
    __le__ = _operator(lambda left, right: left._crossed("<=", right))
    __gt__ = _operator(lambda left, right: right._crossed("<", left))
    __ge__ = _operator(lambda left, right: right._crossed("<=", left))
    __eq__ = _operator(lambda left, right: left._crossed("==", right))  # type: ignore[assignment]  # settled by bool()
    __ne__ = _operator(lambda left, right: left._crossed("!=", right))  # type: ignore[assignment]  # settled by bool()

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

    @property
    def numerator(self) -> Traced:
        return self._above()._whole("//", self._divisor())

    @property
    def denominator(self) -> Traced:
        return self._beneath()._whole("//", self._divisor())

    def _divisor(self) -> Traced:
        return self._above()._whole("gcd", self._beneath())

    # ------------------------------------------------------------------ revealing the value

    def settled(self) -> int | Fraction:
        """Give the value in the traced fight, and settle it."""
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
        raise TypeError("rules calculate with exact numbers")


Rational.register(Traced)
