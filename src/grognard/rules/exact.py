"""Exact numbers in rules, whether of one fight or of many at once."""

from fractions import Fraction


def exact(value: int | Fraction) -> Fraction:
    """Give a whole number as a fraction; a number that is being traced stays what it is."""
    return Fraction(value) if isinstance(value, int | Fraction) else value
