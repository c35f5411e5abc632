"""The report of each game in each language, written once for all tests of a run."""

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import run

Reports = Callable[[str, str], Path]


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Reports:
    """Give where the report of a game stands; whoever asks first writes it, in any process."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "reports"
    folder.mkdir(exist_ok=True)

    def written(id_: str, lang: str) -> Path:
        file = folder / f"{id_}-{lang}.html"
        with (folder / f"{file.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                result = run("report", id_, "--lang", lang, "-o", str(file))
                assert result.exit_code == 0, result.output
                assert result.stderr == ""
        return file

    return written
