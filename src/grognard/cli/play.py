"""The commands `grognard scenarios` and `grognard play`."""

from pathlib import Path

import click

from grognard.cli.match_terminal import MatchTerminal
from grognard.cli.options import lang_option, refusing, rules_option
from grognard.maps import scenario as scenarios
from grognard.matches import match as matches
from grognard.players.bot import bots_for
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Lang


@click.command(name="scenarios")
@lang_option
@refusing
def scenarios_(lang: Lang) -> None:
    """List the scenarios."""
    left = max(map(len, scenarios.ids()))
    for name in scenarios.ids():
        found = scenarios.load(name)
        click.echo(
            f"{click.style(name.ljust(left), bold=True)}  {found.name.in_(lang)}  ({found.game})"
        )
        click.echo(f"{' ' * left}  {found.about.in_(lang)}")


@click.command()
@click.argument("scenario", metavar="SCENARIO")
@click.option(
    "--auto", "autos", multiple=True, metavar="SIDE", help="Let this side, or all, play itself."
)
@click.option("--seed", type=int, help="Roll with this seed.")
@click.option(
    "--save", "save_path", type=click.Path(dir_okay=False), help="Keep the match in this file."
)
@rules_option
@lang_option
@refusing
def play(
    scenario: str,
    autos: tuple[str, ...],
    seed: int | None,
    save_path: str | None,
    options: dict[str, str],
    lang: Lang,
) -> None:
    """Play a scenario, or a saved match.

    SCENARIO is a scenario's name or file, or a file in which a match was saved: it goes on there.
    Orders are verbs with names of units and hexes: move 21/20 1811; attack 1910 with 21/20 112/20;
    end. Also: orders, map, undo, save FILE, quit.
    """
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
    bots = bots_for(chosen, seed or 0)
    table = MatchTerminal(match, bots, seed, lang)
    table.file = Path(save_path) if save_path else None
    table.play()


COMMANDS = {"play": play, "scenarios": scenarios_}
