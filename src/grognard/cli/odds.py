"""The command `grognard odds`."""

import click

from grognard.cli.options import (
    allow_budget,
    answer_options,
    budget_option,
    doctrine_options,
    fight_argument,
)
from grognard.cli.output import print_json, print_lines
from grognard.draw.json.odds import odds_answer
from grognard.draw.text import fight as fight_text
from grognard.fights.fight_file import read_fight
from grognard.fights.work_budget import SITUATIONS
from grognard.files.source import read_source
from grognard.words.text import Lang


@click.command("odds")
@fight_argument
@doctrine_options
@budget_option(SITUATIONS)
@answer_options
def command(
    path: str, attacker: str, defender: str, budget: int, lang: Lang, as_json: bool
) -> None:
    """Calculate the exact odds of a fight.

    Shows the probability of every outcome, per result and in total. FIGHT is a TOML or JSON file,
    or - for standard input.
    """
    allow_budget(budget)
    fight = read_fight(read_source(path))
    odds = fight.odds(attacker, defender)
    if as_json:
        print_json(odds_answer(fight, odds, lang))
        return
    print_lines(fight_text.calculation(fight.explain(), fight, lang))
    print_lines(fight_text.chances(odds, fight, lang))
