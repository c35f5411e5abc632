"""A PostgreSQL of the tests' own: in a temporary folder, reached by a socket there."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from tests.processes import PATIENCE, until

ABSENT = "the programs of PostgreSQL (initdb, postgres) are not here: apt-get install postgresql"
PASSWORD = "tell-nobody"
# PostgreSQL must survive its own kill in one test only, and be quick in all others.
_QUICK = ("fsync=off", "full_page_writes=off", "max_connections=200")


def programs() -> Path | None:
    """Find the folder of PostgreSQL's programs; Debian keeps them out of the path."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


def _version(folder: Path) -> int:
    name = folder.parent.name
    return int(name) if name.isdigit() else 0


class PostgreSQL:
    """A server of PostgreSQL that can be stopped and started again."""

    def __init__(self, folder: Path, bin_: Path, *settings: str) -> None:
        self.folder, self._bin, self._settings = folder, bin_, settings
        self._numbers = count(1)
        # PostgreSQL refuses to be root.
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        self._process: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make the files, with a user for whom a password is asked."""
        command: list[str | Path] = [
            self._bin / "initdb",
            "-D",
            self.folder / "data",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        command += ["--locale=C.UTF-8", "-A", "trust", "-U", "postgres"]
        subprocess.run(command, check=True, capture_output=True, user=self._user, cwd=self.folder)
        rules = self.folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all guarded scram-sha-256\n{rules.read_text()}")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command: list[str | Path] = [self._bin / "postgres", "-D", self.folder / "data"]
        command += ["-k", str(self.folder), "-c", "listen_addresses="]
        command += [part for setting in self._settings for part in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, user=self._user, cwd=self.folder
            )
        until(self._answers)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "log").read_text()
        try:
            psycopg.connect(self.address()).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self) -> None:
        """End it at once; whoever is connected is cut off."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)
            self._process = None

    def address(self, user: str = "postgres", schema: str | None = None, **more: str) -> str:
        """Give the address of a schema."""
        chosen = {"host": str(self.folder), **more}
        if schema is not None:
            chosen["options"] = f"-csearch_path={schema}"
        asked = "&".join(f"{key}={quote(value, safe='')}" for key, value in chosen.items())
        return f"postgresql://{user}@/postgres?{asked}"

    def sql(self, statement: str) -> None:
        """Run a statement as its owner."""
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(statement.encode())

    def new_store(self) -> str:
        """Make a place for a store, and give its address."""
        schema = f"store_{next(self._numbers)}"
        self.sql(f"CREATE SCHEMA {schema}")
        return self.address(schema=schema)


@contextmanager
def postgresql_running(*settings: str) -> Iterator[PostgreSQL]:
    """Run a PostgreSQL of one's own; skip the test where its programs are not there."""
    found = programs()
    if found is None:
        pytest.skip(ABSENT)
    folder = Path(tempfile.mkdtemp(prefix="grognard-pg-"))  # short: the path of a socket is limited
    try:
        server = PostgreSQL(folder, found, *settings)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    """Run one PostgreSQL for all tests of a process."""
    with postgresql_running(*_QUICK) as server:
        yield server


SQLITE, POSTGRESQL = "sqlite", pytest.param("postgresql", marks=pytest.mark.process)


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Give the address of a new store, in each database that is supported."""
    if request.param == SQLITE:
        return tmp_path / "matches.sqlite"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new_store()
