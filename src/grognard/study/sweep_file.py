"""Output files of sweeps: CSV or Parquet, written as a whole or not at all."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO

from grognard.files.atomic_file import check, whole_file
from grognard.study.sweep import Job, Tally, compute_lines, compute_rows

PARQUET = ".parquet"
ENDINGS = (".csv", PARQUET)
OnProgress = Callable[[int], None]  # called after each chunk, with the combinations done


def write(job: Job, target: Path, on_progress: OnProgress) -> Tally:
    """Run a sweep into a file; the ending of its name tells the format."""
    check(target, ENDINGS)
    if target.suffix.lower() == PARQUET:
        return _write_parquet(job, target, on_progress)
    with whole_file(target) as beside, beside.open("w", encoding="utf-8", newline="") as file:
        return write_lines(job, file, on_progress)


def write_lines(job: Job, file: IO[str], on_progress: OnProgress) -> Tally:
    """Run a sweep into an open file, as CSV."""
    count = Tally()
    with closing(job.parts(compute_lines)) as parts:
        for text, more in parts:
            if more.rows and not count.rows:
                file.write(job.header())
            file.write(text)
            count = count.plus(more)
            on_progress(count.combinations)
    job.check(count)
    return count


def _write_parquet(job: Job, target: Path, on_progress: OnProgress) -> Tally:
    from grognard.arrays.arrow import RowsFile  # noqa: PLC0415  # pyarrow is an extra

    count = Tally()
    with (
        whole_file(target) as beside,
        RowsFile(beside, job.column_types()) as file,
        closing(job.parts(compute_rows)) as parts,
    ):
        for columns, more in parts:
            file.write(columns)
            count = count.plus(more)
            on_progress(count.combinations)
        job.check(count)
    return count
