"""Public name of the arrays: `from grognard.batch import Batch`."""

from grognard.arrays.batch import Batch, Fights, Words

__all__ = ["Batch", "Fights", "Words"]
