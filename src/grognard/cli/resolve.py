"""The command `grognard resolve`."""

import sys
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from random import Random

import click

from grognard.cli import fight_terminal
from grognard.cli.options import (
    allow_budget,
    answer_options,
    budget_option,
    doctrine_options,
    fight_argument,
)
from grognard.cli.output import json_text
from grognard.fights.automatic import resolve
from grognard.fights.fight_file import read_fight
from grognard.fights.record import record
from grognard.fights.work_budget import SITUATIONS
from grognard.files import atomic_file
from grognard.files.source import read_source
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


@click.command("resolve")
@fight_argument
@click.option(
    "--dice", metavar="N,N", default="", help="Dice that you have rolled, in order, such as 5,3."
)
@click.option("--seed", metavar="N", type=int, help="Seed of the random dice.")
@click.option("--auto", is_flag=True, help="Let the doctrines decide, and roll all other dice.")
@click.option(
    "--record",
    "record_path",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write a record.",
)
@doctrine_options
@budget_option(SITUATIONS)
@answer_options
def command(  # noqa: PLR0913, PLR0917  # each option of the command is one
    path: str,
    dice: str,
    seed: int | None,
    auto: bool,
    record_path: str | None,
    attacker: str,
    defender: str,
    budget: int,
    lang: Lang,
    as_json: bool,
) -> None:
    """Resolve a fight.

    Asks one question at a time, or lets the doctrines decide (--auto). FIGHT is a TOML or JSON
    file, or - for standard input.
    """
    fight = read_fight(read_source(path))
    typed = list(fight_terminal.typed_dice(dice))
    if auto:
        allow_budget(budget)
        dice_left = iter(typed)
        play = resolve(fight, dice_left, seed, attacker, defender)
        typed = list(dice_left)
    else:
        play = fight.play()
        try:
            with redirect_stdout(sys.stderr) if as_json else nullcontext():
                fight_terminal.lead(play, typed, Random(seed), lang, (attacker, defender))
        except fight_terminal.Stopped as stopped:
            raise Refusal(stopped.problem) from None
    if typed:
        unused = say("dice that were not needed: {dice}", dice=", ".join(map(str, typed)))
        click.echo(unused.in_(lang), err=True)
    if record_path:
        atomic_file.write(Path(record_path), json_text(record(play)).encode())
    fight_terminal.print_play(play, lang, as_json, log=auto, doctrines=(attacker, defender))
