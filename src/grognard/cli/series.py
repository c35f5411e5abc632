"""The command `grognard series`."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import click
from msgspec.structs import replace

from grognard.cli.each_option import SUFFIXES, Comparison, compare, show
from grognard.cli.level_options import seconds_option
from grognard.cli.options import (
    WholeNumber,
    answer_options,
    output_option,
    pool_options,
    rules_option,
)
from grognard.cli.output import json_text, print_lines, progress_bar
from grognard.draw.text.series import (
    Series,
    heading,
    players_line,
    series_lines,
    series_note,
    table_lines,
)
from grognard.files import atomic_file
from grognard.maps import scenario as scenarios
from grognard.players import series, series_statistics
from grognard.players.series import Battle, Contest, Played
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

ALL = "all"  # every scenario


@click.command("series")
@click.argument("names", metavar="SCENARIO...", nargs=-1, required=True)
@click.option(
    "--players",
    metavar="LEVEL[,LEVEL]",
    help="Levels of the players: sergeant, colonel, general; two play each other in both seatings.",
)
@seconds_option
@click.option(
    "--matches",
    metavar="N",
    type=WholeNumber(1),
    default=100,
    show_default=True,
    help="Number of matches, of each scenario.",
)
@click.option(
    "--seed", metavar="N", type=int, default=0, show_default=True, help="Seed of the series."
)
@click.option(
    "--each-option",
    is_flag=True,
    help="Compare every other choice of the card's options with the scenario as it is.",
)
@pool_options
@output_option(
    "Write a row for every match to this .csv or .json file; with --each-option, .html or .json."
)
@click.option(
    "--keep",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Save every match in this folder, as play --save does.",
)
@rules_option
@answer_options
def command(  # noqa: PLR0913, PLR0917  # each option of the command is one
    names: tuple[str, ...],
    players: str | None,
    seconds: float,
    matches: int,
    seed: int,
    each_option: bool,
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
    scenario; several, or all, give a table with a row for each. Each match has its own seed, which
    depends only on the seed of the series and the number of the match: grognard play SCENARIO
    --auto all --level LEVEL --seed SEED plays it again. Two levels change seats: match 1 and 2
    have the same seed, 3 and 4, and so on. --each-option shows which reading of an open question
    favours whom.
    """
    contest = series.contest(players or "sergeant", matches, seconds)
    battles = chosen_battles(names, options)
    if target:
        if target.suffix.lower() == ".html" and not each_option:
            raise Refusal(say("a page compares readings: add --each-option"), source=str(target))
        atomic_file.check(target, SUFFIXES if each_option else (".csv", ".json"))
    if each_option:
        if len(battles) > 1 or keep:
            raise Refusal(say("--each-option takes one scenario, and keeps no matches"))
        of = Comparison(battles[0], contest, matches, seed)
        show(of, compare(of, on, workers), target, lang, as_json=as_json)
        return
    tasks = series.pairings(
        battles, matches, seed, contest, keep=keep is not None, timed=players is not None
    )
    running = series.run_pairings(tasks, on=on, workers=workers)
    found = list[Series]()
    with progress_bar(len(battles) * matches) as bar:
        for number, battle in enumerate(battles):
            field = series.field(battle)
            into = keep and (keep / field.scenario.id if len(battles) > 1 else keep)
            played = list[Played]()
            for match in _kept(islice(running, matches), into, len(str(matches))):
                played.append(match)
                bar(number * matches + len(played))
            found.append(Series(field, played))
    text = json_text(_json(found, contest, seed, lang))
    if target:
        csv = target.suffix.lower() == ".csv"
        rows = {one.field.scenario.id: one.played for one in found}
        atomic_file.write(target, (series_statistics.rows(rows) if csv else text).encode())
    if as_json:
        click.echo(text, nl=False)
        return
    print_lines(_lines(found, contest if players else None, seed, lang))


def chosen_battles(names: Sequence[str], options: dict[str, str]) -> list[Battle]:
    """Choose the scenarios; none may come twice."""
    known = [known for name in names for known in (scenarios.ids() if name == ALL else [name])]
    battles: dict[str, Battle] = {}
    for name in known:
        battle = series.battle(name, options)
        found = series.field(battle).scenario.id
        if found in battles:
            raise Refusal(say("scenario '{id}' is named twice", id=found))
        battles[found] = battle
    return list(battles.values())


def _kept(running: Iterator[Played], folder: Path | None, width: int) -> Iterator[Played]:
    """Write the files of matches into a folder, if there is one, and drop them."""
    for match in running:
        if folder is not None and match.file is not None:
            atomic_file.make_folder(folder)
            atomic_file.write(folder / f"match-{match.number:0{width}}.json", match.file)
        yield replace(match, file=None)


def _json(found: Sequence[Series], players: Contest, seed: int, lang: Lang) -> dict[str, object]:
    if len(found) == 1:
        return _one_json(found[0], players, seed, lang)
    every = [match for one in found for match in one.played]
    return {
        **_players_json(every, players),
        "seed": seed,
        "scenarios": [_one_json(one, players, seed, lang) for one in found],
    }


def _players_json(played: Sequence[Played], players: Contest) -> dict[str, object]:
    return {
        "levels": players.levels,
        "seconds": players.seconds,
        "players": series_statistics.strengths(played),
        "phase_seconds": series_statistics.phase_seconds(played),
    }


def _one_json(of: Series, players: Contest, seed: int, lang: Lang) -> dict[str, object]:
    scenario = of.field.scenario
    return {
        "scenario": {"id": scenario.id, "name": scenario.name.in_(lang), "game": scenario.game},
        "options": of.field.options,
        "seed": seed,
        "sides": [{"id": side.id, "name": side.name.in_(lang)} for side in scenario.sides],
        "summary": of.summary,
        **_players_json(of.played, players),
        "played": [replace(match, pace={}) for match in of.played],
    }


def _lines(
    found: Sequence[Series], players: Contest | None, seed: int, lang: Lang
) -> Iterator[str]:
    if len(found) == 1:
        yield click.style(
            heading(found[0].field.scenario.name, len(found[0].played), seed).in_(lang), bold=True
        )
    if players is not None:
        yield players_line(players).in_(lang)
    if len(found) == 1:
        yield from series_lines(found[0], lang)
    else:
        yield from table_lines(found, lang)
    yield series_note().in_(lang)
