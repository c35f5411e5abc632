"""Written TOML says what the data says, whatever is in it."""

import tomllib

import hypothesis.strategies as st
from hypothesis import given

from grognard.files.toml_text import toml_text
from tests.tiers import examples

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SCALARS = st.booleans() | st.integers(-(10**6), 10**6) | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=15,
)


@examples(200)
@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_what_is_written_reads_as_it_was(data: dict[str, object]) -> None:
    assert tomllib.loads(toml_text(data)) == data


def test_it_is_laid_out_for_people() -> None:
    data = {
        "name": {"en": "Ford", "fr": "Gué"},
        "rows": [{"id": "a", "grid": 'x  "y"\nz  \\\n', "many": dict.fromkeys("abc", "long " * 8)}],
    }
    assert toml_text(data) == (
        'name = { en = "Ford", fr = "Gué" }\n\n[[rows]]\nid = "a"\n'
        'grid = """\nx  "y"\nz  \\\\\n"""\n\n[rows.many]\n'
        + "".join(f'{key} = "{"long " * 8}"\n' for key in "abc")
    )
