from pathlib import Path

import pytest

from grognard.words.text import LANGS, Lang
from tests import golden


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("example", golden.EXAMPLES, ids=lambda path: str(path.stem))
def test_a_playthrough_is_as_it_was_read(example: Path, lang: Lang) -> None:
    kept = golden.FOLDER / golden.name(example, lang)
    assert kept.is_file(), "a new example: run `make playthroughs` and read what it wrote"
    assert golden.text(example, lang) == kept.read_text(encoding="utf-8"), (
        "run `make playthroughs` and read the difference"
    )


def test_no_playthrough_is_left_over() -> None:
    names = {golden.name(example, lang) for example in golden.EXAMPLES for lang in LANGS}
    assert {path.name for path in golden.FOLDER.iterdir()} == names
