"""The command `grognard play`."""

from pathlib import Path

import click

from grognard.cli.level_options import seconds_option
from grognard.cli.match_terminal import MatchTerminal
from grognard.cli.options import doctrine_options, lang_option, refusing, rules_option
from grognard.fights.doctrine import doctrine
from grognard.matches import match as matches
from grognard.matches.dice_check import stored_and_checked
from grognard.players.levels import USUAL, Level, players_for
from grognard.players.levels import level as level_named
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Lang

ALL = "all"  # every side


@click.command("play")
@click.argument("scenario", metavar="SCENARIO")
@click.option(
    "--auto",
    "autos",
    multiple=True,
    metavar="SIDE[=LEVEL]",
    help="Let the program play this side; all: every side. SIDE=LEVEL: at another level.",
)
@click.option(
    "--level",
    metavar="LEVEL",
    default=USUAL,
    show_default=True,
    help="Level of the program: sergeant, colonel, general.",
)
@seconds_option
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
def command(  # noqa: PLR0913, PLR0917  # each option of the command is one
    scenario: str,
    autos: tuple[str, ...],
    level: str,
    seconds: float,
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
    orders, map, undo, save FILE, quit. A sergeant looks at one order at a time; a colonel plans all
    attacks of a phase together, and the moves for them; a general plays several plans on in
    thought. Figures behind answers assume the doctrines given.
    """
    doctrines = doctrine(attacker).id, doctrine(defender).id
    found = stored_and_checked(scenario)
    if found is not None and options:
        raise Refusal(say("a match that was begun keeps its options"), source=scenario)
    match = found[0] if found else matches.begin(scenario, options)
    if found and found[1].rolls:
        click.echo(found[1].words.in_(lang))
    sides = [side.id for side in match.field.scenario.sides]
    bots = players_for(_levels(autos, level, sides), seed or 0, seconds)
    terminal = MatchTerminal(match, bots, seed, lang, doctrines)
    terminal.file = Path(save_path) if save_path else None
    terminal.play()


def _levels(autos: tuple[str, ...], usual: str, sides: list[str]) -> dict[str, Level]:
    """Read which sides the program plays, and at which level, in the order of the sides."""
    found: dict[str, Level] = {}
    usual_level = level_named(usual)
    for word in autos:
        side, _, named = word.partition("=")
        if side not in (*sides, ALL):
            known = near(side, [*sides, ALL])
            raise Refusal(say("there is no side '{id}'; {near}", id=side, near=known))
        level = level_named(named) if named else usual_level
        found |= dict.fromkeys(sides if side == ALL else [side], level)
    return {side: found[side] for side in sides if side in found}
