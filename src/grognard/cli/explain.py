"""The command `grognard explain`."""

import click

from grognard.cli.options import answer_options, fight_argument
from grognard.cli.output import print_json, print_lines
from grognard.draw.json import fight as fight_json
from grognard.draw.text import fight as fight_text
from grognard.fights.fight_file import read_fight
from grognard.files.source import read_source
from grognard.words.text import Lang


@click.command("explain")
@fight_argument
@answer_options
def command(path: str, lang: Lang, as_json: bool) -> None:
    """Explain how a fight is calculated.

    Shows totals, modifiers, column and die modifier, each with its rule. FIGHT is a TOML or JSON
    file, or - for standard input.
    """
    fight = read_fight(read_source(path))
    if as_json:
        print_json(fight_json.explain_answer(fight, lang))
        return
    print_lines(fight_text.explanation(fight.explain(), fight, lang))
