"""The command `grognard replay`."""

import click

from grognard.cli.fight_terminal import print_play
from grognard.cli.options import answer_options
from grognard.fights import record
from grognard.files.source import read_source
from grognard.words.message import say
from grognard.words.text import Lang


@click.command("replay")
@click.argument("path", metavar="RECORD")
@answer_options
def command(path: str, lang: Lang, as_json: bool) -> None:
    """Verify a record and report the first mismatch.

    RECORD is a file that grognard resolve --record has written, or - for standard input.
    """
    source = read_source(path)
    data = source.data()
    with source.placing():
        play = record.replay(record.read_record(data))
    print_play(play, lang, as_json, log=True)
    if not as_json:
        click.echo(say("the record holds: {n} answers", n=len(play.given)).in_(lang))
