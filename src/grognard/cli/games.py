"""The command `grognard games`."""

import click

from grognard.cli.options import answer_options
from grognard.cli.output import print_json
from grognard.rules import game
from grognard.words.message import say
from grognard.words.text import Lang


@click.command("games")
@answer_options
def command(lang: Lang, as_json: bool) -> None:
    """List the games."""
    headings, broken = [game.heading(id_) for id_ in game.ids()], game.library().broken
    if as_json:
        problems = [{"id": one.id, "problem": one.problem.in_(lang)} for one in broken]
        print_json([*headings, *problems])
        return
    left = max(len(heading.id) for heading in headings)
    for heading in headings:
        name = click.style(heading.id.ljust(left), bold=True)
        click.echo(f"{name}  {heading.name.in_(lang)}")
        click.echo(f"{' ' * left}  {heading.about.in_(lang)}")
    for one in broken:
        name = click.style(one.id.ljust(left), bold=True)
        problem = say("can't be used: {problem}", problem=one.problem.in_(lang))
        click.echo(f"{name}  {problem.in_(lang)}")
    click.echo()
    click.echo(say("Show a card: grognard card GAME").in_(lang))
