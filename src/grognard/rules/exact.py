"""Exact numbers in rules, for one fight or for arrays of fights."""

from fractions import Fraction


def exact(value: int | Fraction) -> Fraction:
    """Convert a whole number to a fraction; a traced number (see arrays) stays as it is."""
    return Fraction(value) if isinstance(value, int | Fraction) else value
