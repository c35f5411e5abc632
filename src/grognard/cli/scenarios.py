"""The command `grognard scenarios`."""

import click

from grognard.cli.options import lang_option, refusing
from grognard.maps import scenario
from grognard.words.text import Lang


@click.command("scenarios")
@lang_option
@refusing
def command(lang: Lang) -> None:
    """List the scenarios."""
    found = scenario.library()
    left = max(map(len, found.works))
    for name in found.works:
        battle = scenario.own(name)
        click.echo(
            f"{click.style(name.ljust(left), bold=True)}  {battle.name.in_(lang)}  ({battle.game})"
        )
        click.echo(f"{' ' * left}  {battle.about.in_(lang)}")
    for broken in found.broken:
        click.echo(f"{click.style(broken.id.ljust(left), bold=True)}  {broken.problem.in_(lang)}")
