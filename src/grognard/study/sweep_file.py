"""Sweeps in files: CSV or Parquet, written as a whole or not at all."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO

from grognard.files.atomic_file import check, whole_file
from grognard.study.sweep import Count, Job, reckon_lines, reckon_rows

PARQUET = ".parquet"
ENDINGS = (".csv", PARQUET)
Done = Callable[[Count], None]  # is told how far the sweep has come


def write(job: Job, target: Path, done: Done) -> Count:
    """Run a sweep into a file of the kind that its name says."""
    check(target, ENDINGS)
    if target.suffix.lower() == PARQUET:
        return _write_parquet(job, target, done)
    return _write_csv(job, target, done)


def write_lines(job: Job, file: IO[str], done: Done) -> Count:
    """Run a sweep into an open file, as CSV."""
    count = Count()
    with closing(job.parts(reckon_lines)) as parts:
        for text, more in parts:
            if more.rows and not count.rows:
                file.write(job.header())
            file.write(text)
            count = count.plus(more)
            done(count)
    job.check(count)
    return count


def _write_csv(job: Job, target: Path, done: Done) -> Count:
    with whole_file(target) as beside, beside.open("w", encoding="utf-8", newline="") as file:
        return write_lines(job, file, done)


def _write_parquet(job: Job, target: Path, done: Done) -> Count:
    from grognard.arrays.arrow import RowsFile  # noqa: PLC0415  # pyarrow is an extra

    count = Count()
    with (
        whole_file(target) as beside,
        RowsFile(beside, job.holds()) as file,
        closing(job.parts(reckon_rows)) as parts,
    ):
        for columns, more in parts:
            file.write(columns)
            count = count.plus(more)
            done(count)
        job.check(count)
    return count
