"""The command `grognard new`."""

import re
import tomllib
from pathlib import Path

import click

from grognard.cli.options import lang_option, refusing
from grognard.files import atomic_file
from grognard.study.workshop.draft import slug
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

STARTERS = Path(__file__).parent / "starters"
FAMILIES = tuple(sorted(file.stem for file in STARTERS.glob("*.toml")))
FRENCH = STARTERS.with_name("starter_words.fr.toml")
# The words of a line: its last comment, unless that is a key which is left out; or a text.
COMMENT = re.compile(r"(?<=# )(?!\w+ = )[^#\n]+$", re.MULTILINE)
TEXT = re.compile(r'(?<=^text = ")[^"]+|(?<=^about = ")[^"]+', re.MULTILINE)


@click.command("new")
@click.argument("name", metavar="NAME")
@click.option(
    "--like",
    type=click.Choice(FAMILIES),
    default="odds",
    show_default=True,
    help="The family of the table.",
)
@lang_option
@refusing
def command(name: str, like: str, lang: Lang) -> None:
    """Begin a game of your own: write NAME.toml, a card with comments that works at once.

    A title such as "My Game" is kept as the name of the game; its file is my-game.toml.
    """
    id_ = _id(name)
    file = Path(f"{id_}.toml")
    if file.exists():
        raise Refusal(say("{file} is there already; choose another name", file=file))
    text = starter(like, lang)
    title = name.replace("-", " ").capitalize() if name == id_ else name.strip()
    filled = text.replace("{name}", id_).replace("{title}", title)
    atomic_file.write(file, filled.encode())
    click.echo(say("{file} is written. Try:", file=file).in_(lang))
    for words in ("check {name}.toml", "card {name} --games .", "serve --games ."):
        click.echo(f"  grognard {words.format(name=id_)}")


def _id(name: str) -> str:
    """Make the id of a game from its name, which is no path."""
    id_ = slug(name)
    if not re.fullmatch(r"[a-z][a-z0-9-]*", id_) or re.search(r'[./\\"]', name):
        problem = say(
            "'{name}' can't be the name of a game; expected letters, digits, blanks and -, a "
            "letter first",
            name=name,
        )
        raise Refusal(problem)
    return id_


def starter(family: str, lang: Lang) -> str:
    """Give the starter of a family, with its comments and texts in a language."""
    text = (STARTERS / f"{family}.toml").read_text(encoding="utf-8")
    if lang == "en":
        return text
    words = tomllib.loads(FRENCH.read_text(encoding="utf-8"))
    for part in (COMMENT, TEXT):
        text = part.sub(lambda found: words[found[0]], text)
    return text.replace("\ndie  ", "\ndé   ")  # the corner of a table
