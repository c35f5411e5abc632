"""The command `grognard map`."""

from pathlib import Path

import click

from grognard.cli.options import lang_option, output_option, refusing
from grognard.draw.svg import map as svg_map
from grognard.files import atomic_file
from grognard.maps import scenario
from grognard.matches import match as matches
from grognard.words.text import Lang


@click.command("map")
@click.argument("name", metavar="SCENARIO")
@output_option("Write to this file instead.")
@lang_option
@refusing
def map_(name: str, target: Path | None, lang: Lang) -> None:
    """Draw the map of a scenario with its counters, as SVG.

    SCENARIO is a scenario's name or file, or a file in which a match was saved: that is drawn as it
    stands.
    """
    match = matches.stored(name)
    loaded = match.field.scenario if match else scenario.load(name)
    picture = svg_map.draw(match.board if match else loaded.board(), loaded, lang)
    if target is None:
        click.echo(picture, nl=False)
    else:
        atomic_file.write(target, picture.encode())


COMMANDS = {"map": map_}
