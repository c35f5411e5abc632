"""Options for the levels of automatic players."""

import click

from grognard.cli.language import language_in
from grognard.players.general import SECONDS
from grognard.words.message import say

MOST_SECONDS = 3600


def _seconds(context: click.Context, _: click.Parameter, seconds: float) -> float:
    if not 0 <= seconds <= MOST_SECONDS:
        problem = say(
            "{number} is not between {least} and {most}",
            number=f"{seconds:g}",
            least=0,
            most=MOST_SECONDS,
        )
        raise click.BadParameter(problem.in_(language_in(context)))
    return seconds


seconds_option = click.option(
    "--seconds",
    metavar="N",
    type=float,
    default=SECONDS,
    show_default=True,
    callback=_seconds,
    help="Seconds that a general plans a phase.",
)
