"""The command `grognard play`."""

from pathlib import Path

import click

from grognard.cli.match_terminal import MatchTerminal
from grognard.cli.options import doctrine_options, lang_option, refusing, rules_option
from grognard.fights.doctrine import doctrine
from grognard.matches import match as matches
from grognard.players.bot import bots_for
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Lang


@click.command("play")
@click.argument("scenario", metavar="SCENARIO")
@click.option(
    "--auto",
    "autos",
    multiple=True,
    metavar="SIDE",
    help="Let the program play this side; all: every side.",
)
@click.option("--seed", metavar="N", type=int, help="Seed of the random dice.")
@click.option(
    "--save",
    "save_path",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Save the match in this file.",
)
@doctrine_options
@rules_option
@lang_option
@refusing
def command(  # each option of the command is one
    scenario: str,
    autos: tuple[str, ...],
    seed: int | None,
    save_path: str | None,
    attacker: str,
    defender: str,
    options: dict[str, str],
    lang: Lang,
) -> None:
    """Play a scenario, or continue a saved match.

    SCENARIO is the name or file of a scenario, or the file of a saved match. Orders are verbs with
    names of units and hexes: move 21/20Pz 1811; attack 1910 with 21/20Pz 112/20Pz; end. Also:
    orders, map, undo, save FILE, quit. Figures behind answers assume the doctrines given.
    """
    doctrines = doctrine(attacker).id, doctrine(defender).id
    match = matches.stored(scenario)
    if match is not None and options:
        raise Refusal(say("a match that was begun keeps its options"), source=scenario)
    match = match or matches.begin(scenario, options)
    sides = [side.id for side in match.field.scenario.sides]
    for name in autos:
        if name not in (*sides, "all"):
            known = near(name, [*sides, "all"])
            raise Refusal(say("there is no side '{id}'; {near}", id=name, near=known))
    chosen = sides if "all" in autos else autos
    terminal = MatchTerminal(match, bots_for(chosen, seed or 0), seed, lang, doctrines)
    terminal.file = Path(save_path) if save_path else None
    terminal.play()
