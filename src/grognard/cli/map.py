"""The command `grognard map`."""

from pathlib import Path

import click

from grognard.cli.options import lang_option, output_option, refusing
from grognard.cli.output import write_text
from grognard.draw.svg import map as svg_map
from grognard.maps import scenario
from grognard.maps.labels import labelled_html, labels_of
from grognard.matches import match as matches
from grognard.matches.recap import step_boards, step_number
from grognard.words.text import Lang


@click.command("map")
@click.argument("name", metavar="SCENARIO")
@output_option("Write to this file (default: standard output).")
@click.option("--step", metavar="N", help="Draw a saved match after this step of it.")
@lang_option
@refusing
def command(name: str, target: Path | None, step: str | None, lang: Lang) -> None:
    """Draw the map of a scenario with its counters, as SVG.

    SCENARIO is the name or file of a scenario, or the file of a saved match, which is drawn in its
    present state.
    """
    match = matches.stored(name)
    loaded = match.field.scenario if match else scenario.load(name)
    board = match.board if match else loaded.board()
    if step is not None:
        boards = step_boards(match, None) if match else [board]
        board = boards[step_number(step, len(boards) - 1)]
    picture = svg_map.draw(board, loaded, lang)
    write_text(target, labelled_html(picture, labels_of([loaded], lang)))
