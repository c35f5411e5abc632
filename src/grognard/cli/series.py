"""The command `grognard series`."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from grognard.cli.options import (
    WholeNumber,
    answer_options,
    output_option,
    pool_options,
    rules_option,
)
from grognard.cli.output import json_text, print_lines, progress_bar
from grognard.files import atomic_file
from grognard.maps.scenario import MARKS
from grognard.matches.field import Field
from grognard.players import series
from grognard.players.series import Average, Played, Share, Summary
from grognard.words.message import say
from grognard.words.numbers import decimal, percentage
from grognard.words.text import Lang


@click.command("series")
@click.argument("name", metavar="SCENARIO")
@click.option(
    "--matches",
    metavar="N",
    type=WholeNumber(1),
    default=100,
    show_default=True,
    help="Number of matches.",
)
@click.option(
    "--seed", metavar="N", type=int, default=0, show_default=True, help="Seed of the series."
)
@pool_options
@output_option("Write a row for every match to this .csv or .json file.")
@click.option(
    "--keep",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Save every match in this folder, as play --save does.",
)
@rules_option
@answer_options
def command(  # noqa: PLR0913, PLR0917  # each option of the command is one
    name: str,
    matches: int,
    seed: int,
    on: str | None,
    workers: int | None,
    target: Path | None,
    keep: Path | None,
    options: dict[str, str],
    as_json: bool,
    lang: Lang,
) -> None:
    """Play a series of automatic matches.

    Prints a summary: wins, points, losses and turns. SCENARIO is the name or file of a
    scenario. Each match has its own seed, which depends only on the seed of the series and the
    number of the match: grognard play SCENARIO --auto all --seed SEED plays it again.
    """
    battle = series.battle(name, options)
    if target:
        atomic_file.check(target, (".csv", ".json"))
    running = series.run(battle, matches, seed, keep=keep is not None, on=on, workers=workers)
    played, width = list[Played](), len(str(matches))
    with progress_bar(matches) as bar:
        for match in running:
            if keep is not None and match.file is not None:
                atomic_file.make_folder(keep)
                atomic_file.write(keep / f"match-{match.number:0{width}}.json", match.file)
            played.append(msgspec.structs.replace(match, file=None))
            bar(match.number)
    field = series.field(battle)
    sides = [side.id for side in field.scenario.sides]
    found = series.summary(sides, played)
    text = json_text(_json(field, seed, found, played, lang))
    if target:
        csv = target.suffix.lower() == ".csv"
        atomic_file.write(target, (series.rows(sides, played) if csv else text).encode())
    if as_json:
        click.echo(text, nl=False)
        return
    print_lines(_lines(field, seed, found, lang))


def _json(
    field: Field, seed: int, found: Summary, played: list[Played], lang: Lang
) -> dict[str, object]:
    scenario = field.scenario
    return {
        "scenario": {"id": scenario.id, "name": scenario.name.in_(lang), "game": scenario.game},
        "options": field.options,
        "seed": seed,
        "sides": [{"id": side.id, "name": side.name.in_(lang)} for side in scenario.sides],
        "summary": found,
        "played": played,  # without their files
    }


def _lines(field: Field, seed: int, found: Summary, lang: Lang) -> Iterator[str]:
    scenario = field.scenario
    heading = say(
        "{scenario}: {n} automatic {n:match|matches}, seed {seed}",
        scenario=scenario.name,
        n=found.matches,
        seed=seed,
    )
    yield click.style(heading.in_(lang), bold=True)
    for side, mark in zip(scenario.sides, MARKS, strict=True):
        won = say("won {share}", share=_share(found.won[side.id], lang)).in_(lang)
        yield f"  {mark} {side.name.in_(lang)}  {won}"
        counted = say(
            "points {points}, {losses} {lost}",
            points=_spread(found.points[side.id], lang),
            losses=field.card.phrase("losses"),
            lost=_spread(found.lost[side.id], lang),
        )
        yield f"    {counted.in_(lang)}"
    draws = say("draws {share}", share=_share(found.draws, lang))
    turns = say("turns {turns}", turns=_spread(found.turns, lang))
    yield f"  {draws.in_(lang)}"
    yield f"  {turns.in_(lang)}"
    yield say(
        "Shares with the interval that holds 95 %; numbers with their standard deviation. "
        "--json or -o FILE gives each match with its seed."
    ).in_(lang)


def _share(share: Share, lang: Lang) -> str:
    low, high = (decimal(100 * limit, 1, lang) for limit in (share.low, share.high))
    most = percentage(decimal(100 * share.share, 1, lang), lang)
    return f"{share.count} = {most} ({low}–{percentage(high, lang)})"


def _spread(spread: Average, lang: Lang) -> str:
    return f"{decimal(spread.mean, 2, lang)} ± {decimal(spread.spread, 2, lang)}"
