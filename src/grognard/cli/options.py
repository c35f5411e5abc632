"""Options and arguments that several commands share, and the answer to a refusal."""

import sys
from collections.abc import Callable
from functools import reduce, wraps
from pathlib import Path
from typing import ParamSpec, SupportsIndex, SupportsInt

import click

from grognard.cli.language import language_in, language_of_terminal
from grognard.rules import game_places
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import LANGS

P = ParamSpec("P")
Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def refusing(command: Callable[P, None]) -> Callable[P, None]:
    """Print a refusal as one line on standard error, and exit with status 2."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except Refusal as refusal:
            lang = kwargs.get("lang")
            click.echo(f"grognard: {refusal.in_('fr' if lang == 'fr' else 'en')}", err=True)
            sys.exit(2)

    return run


class WholeNumber(click.types.IntParamType):
    """A whole number between limits, refused in our own words."""

    def __init__(self, least: int, most: int | None = None) -> None:
        self.least, self.most = least, most

    def convert(
        self,
        value: SupportsInt | SupportsIndex,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        number = super().convert(value, param, ctx)
        if number < self.least or (self.most is not None and number > self.most):
            lang = "en" if ctx is None else language_in(ctx)
            self.fail(self._problem(number).in_(lang), param, ctx)
        return number

    def _problem(self, number: int) -> Message:
        if self.most is None:
            return say("{number} is less than {least}", number=number, least=self.least)
        return say(
            "{number} is not between {least} and {most}",
            number=number,
            least=self.least,
            most=self.most,
        )


def _options(context: click.Context, _: click.Parameter, words: tuple[str, ...]) -> dict[str, str]:
    for word in words:
        if "=" not in word:
            problem = say("'{word}' is not written id=choice", word=word)
            raise click.BadParameter(problem.in_(language_in(context)))
    return dict(word.split("=", 1) for word in words)


def _together(*decorators: Decorator) -> Decorator:
    """Make one decorator of several; help shows them in this order."""
    return lambda command: reduce(lambda done, more: more(done), reversed(decorators), command)


def output_option(help_: str) -> Decorator:
    """Make the option for an output file, passed as `target`."""
    path = click.Path(path_type=Path)
    return click.option("-o", "--output", "target", metavar="FILE", type=path, help=help_)


fight_argument = click.argument("path", metavar="FIGHT")
rules_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="ID=CHOICE",
    callback=_options,
    help="Play an option of the card this way; may be repeated.",
)
doctrine_options = _together(
    *(
        click.option(side, metavar="DOCTRINE", default="best", show_default=True, help=help_)
        for side, help_ in (
            ("--attacker", "Doctrine of the attacker: best, hold, take, spare."),
            ("--defender", "Doctrine of the defender."),
        )
    )
)


def budget_option(situations: int) -> Decorator:
    """Make the option for the work budget of odds, passed as `budget`."""
    return click.option(
        "--budget",
        metavar="N",
        type=WholeNumber(1),
        default=situations,
        show_default=True,
        help="Give up when more situations than this would have to be examined.",
    )


def allow_budget(budget: int) -> None:
    """Set the work budget of a command."""
    from grognard.fights.work_budget import allow  # noqa: PLC0415  # most commands need no odds

    allow(budget, say("allow more of them with --budget"))


pool_options = _together(
    click.option(
        "--on",
        metavar="CLUSTER",
        help="Ray cluster: local, auto, ray://HOST:PORT or HOST:PORT (default: processes here).",
    ),
    click.option(
        "--workers",
        metavar="N",
        type=WholeNumber(1, 1024),
        help="Worker processes (default: all cores).",
    ),
)


def _every(add: Callable[[str], None]) -> Callable[..., None]:
    def callback(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> None:
        for word in words:
            add(word)

    return callback


_games_options = _together(
    click.option(
        "--games",
        multiple=True,
        metavar="FOLDER",
        is_eager=True,
        expose_value=False,
        callback=_every(game_places.add_folder),
        help="Also find the games of this folder, or a single file; may be repeated.",
    ),
    click.option(
        "--allow-python",
        multiple=True,
        metavar="GAME",
        is_eager=True,
        expose_value=False,
        callback=_every(game_places.allow),
        help="Let the Python of this game run, wherever it is; may be repeated.",
    ),
)
lang_option = _together(
    _games_options,
    click.option(
        "--lang",
        type=click.Choice(LANGS),
        default=language_of_terminal,
        help="Language of the output (default: that of the terminal).",
    ),
)
answer_options = _together(
    lang_option, click.option("--json", "as_json", is_flag=True, help="Print JSON."), refusing
)
