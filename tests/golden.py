"""Golden playthroughs: every example explained, its odds, and one fight played, as text.

`make playthroughs` writes them again; read the difference before you commit it.
"""

from collections.abc import Iterator
from pathlib import Path

import click

from grognard.draw.text import fight as fight_text
from grognard.draw.text.outcome import outcome_words
from grognard.fights.fight_file import read_fight
from grognard.files.source import read_source
from grognard.words.text import LANGS, Lang

ROOT = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "playthroughs"
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))


def name(example: Path, lang: Lang) -> str:
    return f"{example.stem}.{lang}.txt"


def text(example: Path, lang: Lang) -> str:
    return click.unstyle("\n".join(_lines(example, lang))) + "\n"


def _lines(example: Path, lang: Lang) -> Iterator[str]:
    fight = read_fight(read_source(str(example)))
    yield from fight_text.calculation(fight.explain(), fight, lang)
    yield from fight_text.chances(fight.odds(), fight, lang)
    yield ""
    play = fight.resolve(seed=1, attacker="take", defender="hold")
    yield from fight_text.log(play, lang)
    yield outcome_words(play.outcome, play.start.case.card, lang)


def main() -> None:
    for example in EXAMPLES:
        for lang in LANGS:
            (FOLDER / name(example, lang)).write_text(text(example, lang), encoding="utf-8")


if __name__ == "__main__":
    main()
