"""What the commands share: options, JSON, a bar, and how a refusal is answered."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from time import monotonic
from typing import ParamSpec

import click
import msgspec

from grognard.card.card import encode_hook
from grognard.words.refusal import Refusal
from grognard.words.text import LANGS, Lang

P = ParamSpec("P")


def _own_language() -> Lang:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "fr" if value.lower().startswith("fr") else "en"
    return "en"


def refusing(command: Callable[P, None]) -> Callable[P, None]:
    """Answer a refusal with its one message and exit status 2."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except Refusal as refusal:
            lang = kwargs.get("lang")
            click.echo(f"grognard: {refusal.in_('fr' if lang == 'fr' else 'en')}", err=True)
            sys.exit(2)

    return run


def json_text(data: object) -> str:
    """Write data as JSON that a person can read."""
    return msgspec.json.format(msgspec.json.encode(data, enc_hook=encode_hook)).decode() + "\n"


def print_json(data: object) -> None:
    """Answer in JSON."""
    click.echo(json_text(data), nl=False)


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how much of a long work is done, how fast, and how long it will yet take.

    What it gives is called with how much is done by now.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    begun = monotonic()

    def rate(done: int | None) -> str:
        seconds = monotonic() - begun
        return f"{done / seconds:,.0f}/s" if done and seconds else ""

    with click.progressbar(
        length=total, show_pos=True, show_eta=True, item_show_func=rate, file=sys.stderr
    ) as bar:
        yield lambda done: bar.update(done - bar.pos, done)


def _options(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> dict[str, str]:
    """Read the options of the rules, each written id=choice."""
    for word in words:
        if "=" not in word:
            raise click.BadParameter(f"'{word}' is not written id=choice")
    return dict(word.split("=", 1) for word in words)


def output_option(help_: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Take the name of a file to write to, as `target`."""
    path = click.Path(path_type=Path)
    return click.option("-o", "--output", "target", metavar="FILE", type=path, help=help_)


rules_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="ID=CHOICE",
    callback=_options,
    help="Play with this option of the rules.",
)
attacker_option = click.option(
    "--attacker",
    metavar="DOCTRINE",
    default="best",
    show_default=True,
    help="How the attacker decides: best, hold, take, spare.",
)
defender_option = click.option(
    "--defender",
    metavar="DOCTRINE",
    default="best",
    show_default=True,
    help="How the defender decides.",
)
on_option = click.option(
    "--on",
    metavar="CLUSTER",
    help="Work on Ray: local, auto, ray://HOST:PORT or HOST:PORT; else in processes here.",
)
workers_option = click.option(
    "--workers", type=click.IntRange(1), help="How many work at once; by default every core."
)
lang_option = click.option(
    "--lang",
    type=click.Choice(LANGS),
    default=_own_language,
    help="Language of the answer; by default that of the terminal.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
