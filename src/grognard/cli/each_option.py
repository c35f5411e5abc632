"""The part of `grognard series` that compares the readings of a card."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import click

from grognard.cli.output import json_text, print_lines, progress_bar
from grognard.draw.json.balance import balance_json
from grognard.draw.text.balance import balance_lines
from grognard.draw.text.series import heading, players_line
from grognard.files import atomic_file
from grognard.players import option_balance, series
from grognard.players.option_balance import Balance
from grognard.players.series import Battle, Contest, Played
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

SUFFIXES = (".html", ".json")


class Comparison(NamedTuple):
    """A series under each reading."""

    battle: Battle
    players: Contest
    matches: int
    seed: int


def compare(of: Comparison, on: str | None, workers: int | None) -> Balance:
    """Play the series of every reading."""
    rules = series.field(of.battle)
    total = (1 + len(option_balance.readings(rules))) * of.matches
    results = option_balance.running(
        of.battle, of.matches, of.seed, of.players, on=on, workers=workers
    )
    with progress_bar(total) as bar:
        return option_balance.balance(of.battle, of.matches, _counted(results, bar))


def _counted(
    results: Iterable[Played | Refusal], bar: Callable[[int], None]
) -> Iterator[Played | Refusal]:
    """Show how many matches were played."""
    for number, result in enumerate(results, 1):
        yield result
        bar(number)


def show(of: Comparison, found: Balance, target: Path | None, lang: Lang, *, as_json: bool) -> None:
    """Write the page or the JSON to the file, and print the JSON or a summary."""
    data = {"seed": of.seed, "levels": of.players.levels, **balance_json(found, lang)}
    text = json_text(data)
    if target and target.suffix.lower() == ".html":
        from grognard.web.report.balance_page import draw  # noqa: PLC0415  # JSON needs no page

        atomic_file.write(target, draw(found, of.players, of.seed, lang).encode())
    elif target:
        atomic_file.write(target, text.encode())
    if as_json:
        click.echo(text, nl=False)
        return
    scenario = found.field.scenario.name
    click.secho(heading(scenario, found.usual.matches, of.seed).in_(lang), bold=True)
    click.echo(players_line(of.players).in_(lang))
    print_lines(balance_lines(found, lang))
