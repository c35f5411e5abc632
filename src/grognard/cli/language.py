"""The language of the command line: help and click's own messages, as asked for or as set."""

import gettext
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from inspect import cleandoc
from itertools import pairwise
from typing import TypeVar

import click

from grognard.words.message import LOCALE, translated
from grognard.words.text import LANGS, Lang

C = TypeVar("C", bound=click.Command)
_CATALOGUE = "click"  # click's own messages: click takes them from the current domain of gettext


def language_of_terminal() -> Lang:
    """Give the language that the environment names."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "fr" if value.lower().startswith("fr") else "en"
    return "en"


def language_of(words: Sequence[str]) -> Lang:
    """Find `--lang` in a command line that is not parsed yet; otherwise the terminal's language."""
    asked = [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    asked += [value for name, value in pairwise(words) if name == "--lang"]
    return next((lang for lang in LANGS if lang in asked), language_of_terminal())


def language_in(context: click.Context) -> Lang:
    """Give the language with which the command was called."""
    return "fr" if context.find_root().obj == "fr" else "en"


@contextmanager
def click_speaking(lang: Lang) -> Iterator[None]:
    """Let click find its own messages in our catalogue, in this language."""
    gettext.bindtextdomain(_CATALOGUE, LOCALE)
    domain, before = gettext.textdomain(), os.environ.get("LANGUAGE")
    gettext.textdomain(_CATALOGUE)
    os.environ["LANGUAGE"] = lang
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before


def in_language(command: C, lang: Lang) -> C:
    """Give a copy of a command whose help is in the language."""
    spoken = copy(command)
    spoken.help = translated(cleandoc(command.help or ""), lang)
    spoken._help_option = None  # click keeps it in the language of its first use
    spoken.params = [_parameter(parameter, lang) for parameter in command.params]
    if isinstance(spoken, click.Group) and isinstance(command, click.Group):
        spoken.subcommand_metavar = translated(spoken.subcommand_metavar, lang)
        spoken.commands = {name: in_language(one, lang) for name, one in command.commands.items()}
    return spoken


def _parameter(parameter: click.Parameter, lang: Lang) -> click.Parameter:
    spoken = copy(parameter)
    if spoken.metavar:
        spoken.metavar = translated(spoken.metavar, lang)
    if isinstance(spoken, click.Option) and spoken.help:
        spoken.help = translated(spoken.help, lang)
    return spoken


def help_texts(command: click.Command) -> Iterator[str]:
    """Give the texts of a command that `in_language` translates."""
    yield cleandoc(command.help or "")
    if isinstance(command, click.Group):
        yield command.subcommand_metavar
        for one in command.commands.values():
            yield from help_texts(one)
    for parameter in command.params:
        yield parameter.metavar or ""
        if isinstance(parameter, click.Option):
            yield parameter.help or ""
