"""CSV text, the same bytes on every system."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Write rows as lines of CSV."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
