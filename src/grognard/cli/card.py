"""The command `grognard card`."""

import shutil

import click

from grognard.cli.options import answer_options
from grognard.cli.output import print_json, print_lines
from grognard.draw.json.card import card_json
from grognard.draw.text import card as card_text
from grognard.rules import game
from grognard.words.text import Lang


@click.command("card")
@click.argument("game_id", metavar="GAME")
@click.argument("table_id", metavar="[TABLE]", required=False)
@answer_options
def command(game_id: str, table_id: str | None, lang: Lang, as_json: bool) -> None:
    """Show a game's card as printed.

    Doubtful readings are marked, with the reason below. TABLE is one table of the card, or
    modifiers, terrain, numbers, options.
    """
    card = game.card(game_id)
    if as_json:
        print_json(card_json(card, table_id))
        return
    width = shutil.get_terminal_size((100, 24)).columns
    print_lines(card_text.part(card, table_id, lang, width))
