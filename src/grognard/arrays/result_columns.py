"""Result columns of tables: totals and table columns, and the expectation of each outcome field."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from msgspec.structs import fields
from numpy.typing import NDArray

from grognard.arrays.batch import Fights
from grognard.arrays.row_results import Floats
from grognard.arrays.sampling import Indices
from grognard.rules.fight import Outcome

ResultColumn = NDArray[np.int64] | NDArray[np.bool_] | NDArray[np.float64] | NDArray[np.object_]
ResultColumns = Mapping[str, ResultColumn]
ColumnType = Literal["number", "truth", "word", "real"]

LABELS = ("basic", "final")
COMPUTED = ("attack", "defence", "basic", "final", "die_modifier")
# The probability of a yes-or-no field, the expectation of a number.
EXPECTED = tuple(field.name for field in fields(Outcome) if field.type in (bool, int))
RESULT_COLUMNS = (*COMPUTED, *EXPECTED)
REFUSED = "refused"  # the column that marks fights which the rules refuse


def numbers(fights: Fights, column: str) -> Floats:
    """Give a result that is a number; NaN where the fight has none."""
    found: Floats = getattr(fights, column) if column in COMPUTED else fights.expected(column)
    return found


def label_indices(fights: Fights, column: str) -> Indices:
    """Give a result that is a label, as indices into the labels of the batch."""
    return fights.basic if column == "basic" else fights.final
