"""The command `grognard sweep`."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click
import msgspec

from grognard.cli_options import json_option, lang_option, refusing
from grognard.fight_file import read_source
from grognard.message import say
from grognard.sweep import Count, Job
from grognard.sweep_file import write, write_lines
from grognard.sweep_spec import read_sweep
from grognard.text import Lang


@click.command()
@click.argument("spec", metavar="SPEC")
@click.option(
    "-o", "--output", "target", type=click.Path(path_type=Path), help="FILE.csv or FILE.parquet."
)
@click.option("--on", help="Run on Ray: local, auto, or an address such as ray://host:10001.")
@click.option("--workers", type=click.IntRange(min=1), help="How many; by default every core.")
@click.option(
    "--refused",
    type=click.Choice(["drop", "keep"]),
    default="drop",
    help="What the rules do not allow: leave it out, or keep it with empty results.",
)
@lang_option
@json_option
@refusing
def sweep(
    spec: str,
    target: Path | None,
    on: str | None,
    workers: int | None,
    refused: str,
    lang: Lang,
    as_json: bool,
) -> None:
    """Reckon every combination of a designer's ranges; CSV to standard output without -o.

    SPEC is a fight file, - for standard input, in which a value may be a range: { from = 4, to = 30
    }, perhaps with by = 2, { each = ["wood", "town"] } or { each = "all" }. What was done is told
    on standard error; with --json and -o it is told in JSON, on standard output.
    """
    source = read_source(spec, sys.stdin.buffer.read() if spec == "-" else None)
    job = Job(source, read_sweep(source), refused == "keep", on, workers)
    if not as_json:
        click.echo(say("{n} combinations", n=job.sweep.count).in_(lang), err=True)
    with bar(job.sweep.count) as done:
        count = write(job, target, done) if target else write_lines(job, sys.stdout, done)
    if as_json:
        click.echo(_summary_json(job, count, target, lang), err=target is None)
        return
    for line in _summary(job, count, lang):
        click.echo(line, err=True)


@contextmanager
def bar(total: int) -> Iterator[Callable[[Count], None]]:
    """Show on a terminal how far a sweep has come, how fast, and how long it will yet take."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    begun = monotonic()

    def rate(count: Count | None) -> str:
        seconds = monotonic() - begun
        return f"{count.combinations / seconds:,.0f}/s" if count and seconds else ""

    with click.progressbar(
        length=total, show_pos=True, show_eta=True, item_show_func=rate, file=sys.stderr
    ) as bar:

        def done(count: Count) -> None:
            bar.update(count.combinations - bar.pos, count)

        yield done


def _summary(job: Job, count: Count, lang: Lang) -> Iterator[str]:
    yield say("{n} rows written", n=count.rows).in_(lang)
    if count.first_refused is not None:
        refused = say("{n} combinations are refused by the rules", n=count.refused)
        first = say(
            "the first is number {number}: {problem}",
            number=count.first_refused,
            problem=job.reason(count.first_refused).in_(lang),
        )
        yield f"{refused.in_(lang)}; {first.in_(lang)}"


def _summary_json(job: Job, count: Count, target: Path | None, lang: Lang) -> str:
    first = count.first_refused
    return msgspec.json.format(
        msgspec.json.encode(
            {
                "file": str(target) if target else None,
                "columns": list(job.holds()),
                "combinations": count.combinations,
                "rows": count.rows,
                "refused": count.refused,
                "first_refused": first and {"row": first, "reason": job.reason(first).in_(lang)},
            }
        )
    ).decode()


COMMANDS = {"sweep": sweep}
