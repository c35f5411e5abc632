"""Public name of fights in arrays: `from grognard.batch import Batch`."""

from grognard.arrays.batch import Batch, Fights
from grognard.arrays.batch import WordColumn as Words

__all__ = ["Batch", "Fights", "Words"]
