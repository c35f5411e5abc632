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
    left = max(map(len, scenario.ids()))
    for name in scenario.ids():
        found = scenario.load(name)
        click.echo(
            f"{click.style(name.ljust(left), bold=True)}  {found.name.in_(lang)}  ({found.game})"
        )
        click.echo(f"{' ' * left}  {found.about.in_(lang)}")
