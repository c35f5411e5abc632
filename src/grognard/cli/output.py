"""Output of the commands: lines, JSON, files, and a progress bar."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click
import msgspec

from grognard.card.card import encode_hook
from grognard.files import atomic_file


def print_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output."""
    for line in lines:
        click.echo(line)


def json_text(data: object) -> str:
    """Write data as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(data, enc_hook=encode_hook)).decode() + "\n"


def print_json(data: object) -> None:
    """Print data as JSON on standard output."""
    click.echo(json_text(data), nl=False)


def write_text(target: Path | None, text: str) -> None:
    """Write text to a file, or to standard output if there is none."""
    if target is None:
        click.echo(text, nl=False)
    else:
        atomic_file.write(target, text.encode())


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[int], None]]:
    """Show progress, speed and remaining time of a long job, on a terminal only.

    The caller calls the given function with the amount done so far.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    begun = monotonic()

    def rate(done: int | None) -> str:
        seconds = monotonic() - begun
        return f"{done / seconds:,.0f}/s" if done and seconds else ""

    with click.progressbar(
        length=total, show_pos=True, show_eta=True, item_show_func=rate, file=sys.stderr
    ) as bar:
        yield lambda done: bar.update(done - bar.pos, done)
