"""Checks that every game must pass; for authors of games too."""

from grognard.testing.array_conformance import check_arrays
from grognard.testing.conformance import NotConforming, check_game
from grognard.testing.random_setups import random_fights

__all__ = ["NotConforming", "check_arrays", "check_game", "random_fights"]
