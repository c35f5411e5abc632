"""The command `grognard story`."""

from pathlib import Path

import click

from grognard.cli.match_story import story_lines
from grognard.cli.options import answer_options, output_option
from grognard.cli.output import json_text, print_lines, write_text
from grognard.draw.json.story import story_json
from grognard.files import atomic_file
from grognard.files.source import read_source
from grognard.maps import scenario as scenarios
from grognard.maps.labels import labelled, labels_of
from grognard.matches.dice_check import stored_and_checked
from grognard.matches.seats import Seats
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


@click.command("story")
@click.argument("path", metavar="MATCH")
@output_option("Write the match as one HTML page to this file, to look at or to send.")
@answer_options
def command(path: str, target: Path | None, lang: Lang, as_json: bool) -> None:
    """Tell how a match went: points by turn, losses, luck, costly decisions.

    MATCH is a file that grognard play --save or the web application has written. The page also
    replays the match step by step; it needs no server and no network.
    """
    if target:
        atomic_file.check(target)
    found = stored_and_checked(path)
    if found is None:
        if path not in scenarios.ids():
            read_source(path)  # says if there is no such file
        raise Refusal(say("this is not the file of a match"), source=path)
    match, dice = found
    if as_json:
        write_text(target, json_text(story_json(match, (), lang)))
    elif target:
        from grognard.web.matches.story_page import (  # noqa: PLC0415  # text needs no page
            story_file,
        )

        name = match.field.scenario.name.in_(lang)
        write_text(target, story_file(match, Seats(), name, lang))
    else:
        labels = labels_of([match.field.scenario], lang)
        lines = story_lines(story_json(match, (), lang), lang)
        print_lines(labelled(line, labels) for line in lines)
        if dice.rolls:
            print_lines([f"  {dice.words.in_(lang)}"])
