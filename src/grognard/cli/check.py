"""The command `grognard check`."""

import sys
from pathlib import Path

import click

from grognard.cli.options import lang_option, refusing
from grognard.files.source import is_file, read_source
from grognard.rules import game_places
from grognard.testing.game_check import check_place
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


@click.command("check")
@click.argument("path", metavar="PATH")
@lang_option
@refusing
def command(path: str, lang: Lang) -> None:
    """Check a game that you write: a card's file, or a folder with games.

    It is read, proved on random fights, and advised on; the scenarios beside it are read and
    played to their end with random orders. A problem ends with status 2.
    """
    if not Path(path).exists():
        raise Refusal(
            say("can't be read: {problem}", problem=say("there is no such file")), source=path
        )
    game_places.add_folder(path)
    places = game_places.inside(Path(path))
    if not places:
        if is_file(path):
            read_source(path).data()  # what can't be read at all is the first problem
        problem = say("no game is here; expected a card with [[tables]] and [[procedures]]")
        raise Refusal(problem, source=path)
    refused = 0
    for place in places:
        refused += _check(place, lang)
    if refused:
        sys.exit(2)


def _check(place: game_places.GamePlace, lang: Lang) -> bool:
    """Print what is found of one game; tell whether there is a problem."""
    try:
        findings = [*check_place(place)]
    except Refusal as refusal:
        click.echo(f"grognard: {refusal.in_(lang)}", err=True)
        return True
    problems = [finding for finding in findings if finding.kind == "problem"]
    for finding in findings:
        where, told = finding.where, finding.text.in_(lang)
        if finding.kind == "problem":
            click.echo(f"grognard: {where}: {told}", err=True)
        else:
            click.echo(say("{where}: advice: {told}", where=where, told=told).in_(lang))
    if not problems:
        proved = say("{game}: read, proved on random fights, ready to play", game=place.id)
        click.echo(proved.in_(lang))
        for file in place.scenarios:
            played = say("{scenario}: read, played to its end, ready to play", scenario=file.stem)
            click.echo(played.in_(lang))
    return bool(problems)
