"""The command `grognard sweep`."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from grognard.cli.options import WholeNumber, answer_options, output_option, pool_options
from grognard.cli.output import json_text, progress_bar
from grognard.files.atomic_file import check
from grognard.files.source import read_source
from grognard.study.sweep import Job, Tally
from grognard.study.sweep_file import ENDINGS, write, write_lines
from grognard.study.sweep_spec import COMBINATIONS, MOST_COMBINATIONS, read_sweep
from grognard.words.message import say
from grognard.words.text import Lang


@click.command("sweep")
@click.argument("spec", metavar="SPEC")
@output_option("Write to this .csv or .parquet file (default: CSV on standard output).")
@click.option(
    "--most",
    type=WholeNumber(1, MOST_COMBINATIONS),
    default=COMBINATIONS,
    show_default=True,
    metavar="N",
    help="Refuse more combinations than this.",
)
@pool_options
@click.option(
    "--refused",
    type=click.Choice(["drop", "keep"]),
    default="drop",
    show_default=True,
    help="Combinations that the rules refuse: drop them, or keep them with empty results.",
)
@answer_options
def command(
    spec: str,
    target: Path | None,
    most: int,
    on: str | None,
    workers: int | None,
    refused: str,
    lang: Lang,
    as_json: bool,
) -> None:
    """Evaluate every combination of some ranges.

    SPEC is a fight file, or - for standard input, in which a value may be a range, such as

    \b
      attack = { from = 4, to = 30, by = 2 }
      terrain = { each = ["wood", "town"] }
      weather = { each = "all" }

    A summary goes to standard error; with -o and --json it goes to standard output, as JSON.
    """
    if target:
        check(target, ENDINGS)
    source = read_source(spec)
    job = Job(source, read_sweep(source, most), refused == "keep", on, workers)
    if not as_json:
        click.echo(say("{n} combinations", n=job.sweep.count).in_(lang), err=True)
    with progress_bar(job.sweep.count) as bar:
        count = write(job, target, bar) if target else write_lines(job, sys.stdout, bar)
    if as_json:
        click.echo(json_text(_summary_json(job, count, target, lang)), nl=False, err=not target)
        return
    for line in _summary(job, count, lang):
        click.echo(line, err=True)


def _summary(job: Job, count: Tally, lang: Lang) -> Iterator[str]:
    yield say("{n} rows written", n=count.rows).in_(lang)
    if count.first_refused is not None:
        yield say(
            "{n} combinations are refused by the rules; the first is number {number}: {problem}",
            n=count.refused,
            number=count.first_refused,
            problem=job.reason(count.first_refused).in_(lang),
        ).in_(lang)


def _summary_json(job: Job, count: Tally, target: Path | None, lang: Lang) -> dict[str, object]:
    first = count.first_refused
    return {
        "file": str(target) if target else None,
        "columns": list(job.column_types()),
        "combinations": count.combinations,
        "rows": count.rows,
        "refused": count.refused,
        "first_refused": first and {"row": first, "reason": job.reason(first).in_(lang)},
    }
