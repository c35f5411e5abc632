"""The command `grognard map`."""

from pathlib import Path

import click

from grognard import match as matches
from grognard import scenario, svg_map
from grognard.cli_options import lang_option, refusing
from grognard.message import say
from grognard.refusal import Refusal
from grognard.text import Lang


@click.command("map")
@click.argument("name", metavar="SCENARIO")
@click.option("-o", "--output", "path", type=click.Path(), help="Write to this file instead.")
@lang_option
@refusing
def map_(name: str, path: str | None, lang: Lang) -> None:
    """Draw the map of a scenario with its counters, as SVG.

    SCENARIO is a scenario's name or file, or a file in which a match was saved: that is drawn as it
    stands.
    """
    match = matches.stored(name)
    loaded = match.field.scenario if match else scenario.load(name)
    picture = svg_map.draw(match.board if match else loaded.board(), loaded, lang)
    if path is None:
        click.echo(picture, nl=False)
        return
    try:
        Path(path).write_text(picture, encoding="utf-8")
    except OSError as error:
        problem = say("can't be written: {problem}", problem=error.strerror)
        raise Refusal(problem, source=path) from None


COMMANDS = {"map": map_}
