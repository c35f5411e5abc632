"""What the commands share: the language, JSON, and how a refusal is answered."""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import click

from grognard.refusal import Refusal
from grognard.text import LANGS, Lang

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


def _options(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> dict[str, str]:
    """Read the options of the rules, each written id=choice."""
    for word in words:
        if "=" not in word:
            raise click.BadParameter(f"'{word}' is not written id=choice")
    return dict(word.split("=", 1) for word in words)


rules_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="ID=CHOICE",
    callback=_options,
    help="Play with this option of the rules.",
)
lang_option = click.option(
    "--lang",
    type=click.Choice(LANGS),
    default=_own_language,
    help="Language of the answer; by default that of the terminal.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
