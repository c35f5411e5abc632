"""Typography: true minus signs before numbers, hyphens elsewhere."""

import pytest

from grognard.words.text import Text
from grognard.words.typography import with_minus


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("it counts as -1", "it counts as −1"),
        ("-2 (-1 in town)", "−2 (−1 in town)"),
        ("more (+) or fewer (-)", "more (+) or fewer (−)"),
        ("rows 1-4, T-34, 2-1", "rows 1-4, T-34, 2-1"),
        ("1/-1", "1/−1"),
    ],
)
def test_a_minus_is_no_hyphen(typed: str, written: str) -> None:
    assert with_minus(typed) == written
    assert Text(typed, typed).en == written
