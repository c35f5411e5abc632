"""PostgreSQL below the store: one database, for several threads, processes and machines."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row

from grognard.matches.storage.connections import PATIENCE, Connections
from grognard.matches.storage.database import Row, Value
from grognard.matches.storage.rows import Full, Stale, Unusable, check_known
from grognard.parallel.undisturbed import undisturbed
from grognard.words.foreign import foreign
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

MOST = 16  # connections of a process
CHANNEL = "grognard"
_MAKING = 0x47524F47  # of the lock for whoever makes the tables
_CONNECT = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "application_name": "grognard",
}
_SETTINGS = (
    f"SET statement_timeout = '{PATIENCE * 2}s'; SET lock_timeout = '{PATIENCE}s';"
    f"SET idle_in_transaction_session_timeout = '{PATIENCE * 2}s';"
    # An answer is on disk before it counts, whatever the server is set to.
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') = 'off'"
)
# Beside the tables of the store: the format, and a trigger that tells of changed matches.
_OURS = f"""
CREATE TABLE grognard (format INTEGER NOT NULL);
CREATE FUNCTION grognard_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('{CHANNEL}', OLD.id); RETURN NULL; END $$;
CREATE TRIGGER grognard_tell AFTER UPDATE OR DELETE ON matches
FOR EACH ROW EXECUTE FUNCTION grognard_tell();
"""
# Somebody else was quicker: what was read before is not so any more.
_OVERTAKEN = (errors.SerializationFailure, errors.DeadlockDetected, errors.UniqueViolation)
_BEGIN = {True: "BEGIN", False: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}

_Connection = psycopg.Connection[DictRow]
_Cursor = psycopg.Cursor[DictRow]


class Postgres:
    """A database of PostgreSQL, at an address that begins with `postgresql://`."""

    lock_row = " FOR UPDATE"

    def __init__(
        self, address: str, tables: str, format_: int, steps: Mapping[int, Callable[[], None]]
    ) -> None:
        given = _read(address)
        self._password = str(given.get("password") or "")
        self._address = {**_CONNECT, **{key: str(value) for key, value in given.items()}}
        self.name = _shown(given)
        self._tables, self._format, self._steps = tables, format_, steps
        self._connections = Connections(self._connect, MOST)

    def open(self) -> None:
        """Open the database, or refuse it; an open one stays open."""
        self._connections.open(self._begin, self.name)

    def close(self) -> None:
        """Close the database, until it is opened again."""
        self._connections.close()

    # -------------------------------------------------------------- opening

    def _connect(self) -> _Connection:
        # Transactions begin and end in this class, never by themselves.
        connection = psycopg.connect(**self._address, autocommit=True, row_factory=dict_row)  # type: ignore[arg-type]  # texts
        try:
            connection.execute(_SETTINGS)
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin(self) -> None:
        """Make the tables, or check that they are ours."""
        with self.transaction(write=True):
            self._prepare()

    def _prepare(self) -> None:
        connection = self._connections.taken
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MAKING,))
        ours, theirs = (
            connection.execute(
                "SELECT to_regclass(quote_ident(current_schema()) || %s) IS NOT NULL AS there",
                (f".{table}",),
            ).fetchone()
            for table in ("grognard", "matches")
        )
        if not (ours and ours["there"]):
            if theirs and theirs["there"]:
                raise Unusable(say("this database has tables that were not made by Grognard"))
            self._make()
            return
        (row,) = self.rows("SELECT format FROM grognard")
        found = int(row["format"] or 0)
        check_known(found, self._format)
        for older in range(found, self._format):
            self._steps[older]()
        if found < self._format:
            self.run("UPDATE grognard SET format = ?", self._format)

    def _make(self) -> None:
        connection = self._connections.taken
        connection.execute(self._tables.encode())
        connection.execute(_OURS.encode())
        self.run("INSERT INTO grognard (format) VALUES (?)", self._format)

    # -------------------------------------------------------------- transactions

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[None]:
        """Do all or nothing, or read one consistent state; inside another transaction, join it."""
        if self._connections.own is not None:
            yield
            return
        with undisturbed(), self._naming():
            self._started(_BEGIN[write].encode())
            connection = self._connections.taken
            try:
                yield
                connection.execute("COMMIT")
            except BaseException:
                with suppress(psycopg.Error):  # what ended the transaction is the reason to tell
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._give_back()

    def _started(self, statement: bytes, values: Sequence[Value] = ()) -> _Cursor:
        """Take a connection and run a statement; if the server was restarted, on a new one."""
        try:
            return self._taken_for(statement, values)
        except psycopg.OperationalError:
            self._connections.drop()
            return self._taken_for(statement, values)

    def _taken_for(self, statement: bytes, values: Sequence[Value]) -> _Cursor:
        connection = self._connections.take()
        try:
            return connection.execute(statement, values or None)
        except BaseException:
            self._connections.give_back(sound=False)
            raise

    def _give_back(self) -> None:
        idle = self._connections.taken.info.transaction_status is TransactionStatus.IDLE
        self._connections.give_back(sound=idle)

    def rows(self, statement: str, *values: Value) -> list[Row]:
        """Give the rows that a statement finds: within a transaction, or at this moment. A
        statement alone needs no transaction, which would take two more ways to the server."""
        if any(isinstance(value, str) and "\0" in value for value in values):
            return []  # PostgreSQL keeps no such text
        if self._connections.own is not None:
            found = self._connections.own.execute(_translated(statement), values)
            return list(found.fetchall())
        with undisturbed(), self._naming():
            found = self._started(_translated(statement), values)
            try:
                return list(found.fetchall())
            finally:
                self._give_back()

    def run(self, statement: str, *values: Value) -> int:
        """Change rows, and give their number."""
        return self._connections.taken.execute(_translated(statement), values).rowcount

    def note(self, id_: str) -> None:
        """Leave it to the trigger of the table to tell of changed matches."""

    def changes(self) -> "PostgresChanges":
        """Open a watch on what any process changes from now on."""
        return PostgresChanges(self._connect, self._naming)

    # -------------------------------------------------------------- refusals

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn errors of PostgreSQL into refusals."""
        try:
            yield
        except _OVERTAKEN:
            raise Stale from None
        except psycopg.DataError:
            raise Refusal(say("there is a character that can't be kept")) from None
        except psycopg.Error as error:
            kind = Full if isinstance(error, errors.DiskFull) else Unusable
            problem = _reason(error, self._password)
            raise kind(say("the matches can't be used: {problem}", problem=problem)) from None


class PostgresChanges:
    """A watch on a database: one connection that listens."""

    def __init__(
        self,
        connect: Callable[[], _Connection],
        naming: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._naming = naming
        with naming():
            self._connection = connect()
            self._connection.execute(f"LISTEN {CHANNEL}".encode())
        self._first = True  # what changed before is not told

    def wait(self, seconds: float) -> Collection[str] | None:
        """Wait for changed matches: their ids, none in that time, or None if any may be one."""
        if self._first:
            self._first = False
            return None
        with self._naming():
            told = self._connection.notifies(timeout=seconds, stop_after=1)
            return {one.payload for one in told}

    def close(self) -> None:
        """End the watch."""
        self._connection.close()


def _translated(statement: str) -> bytes:
    return statement.replace("%", "%%").replace("?", "%s").encode()


def _read(address: str) -> dict[str, object]:
    """Read an address; refuse a wrong one without a word of it, which may be of the password."""
    problem = say(
        "this address can't be read; write postgresql://USER@HOST:PORT/DATABASE, and in a "
        "password %40 for @, %2F for /, %3A for :"
    )
    try:
        given: dict[str, object] = dict(conninfo_to_dict(address))
    except psycopg.Error:
        raise Unusable(problem) from None
    misread = any("@" in str(given.get(part) or "") for part in ("host", "dbname"))
    if misread or not str(given.get("port") or "1").replace(",", "").isdigit():
        raise Unusable(problem)
    return given


def _shown(given: Mapping[str, object]) -> str:
    """Show where a database is, without its password."""
    user, host, port = given.get("user"), given.get("host"), given.get("port")
    place = f"{f'{user}@' if user else ''}{host or ''}{f':{port}' if port else ''}"
    return f"postgresql://{place}/{given.get('dbname') or ''}"


def _reason(error: psycopg.Error, password: str) -> Message:
    """Say why PostgreSQL refuses, without the password."""
    if error.sqlstate in _REASONS:
        return _REASONS[error.sqlstate]
    text = error.diag.message_primary or str(error)
    line = text.splitlines()[0].rsplit("failed: ", 1)[-1].removeprefix("FATAL:").strip()
    return foreign(line.replace(password, "…") if password else line)


_AWAY = say("PostgreSQL is not there, or is just starting or stopping")
_REASONS = {
    "25006": say("PostgreSQL is read-only"),
    "28000": say("PostgreSQL does not accept this user or password"),
    "28P01": say("PostgreSQL does not accept this user or password"),
    "3D000": say("there is no such database"),
    "3F000": say("there is no schema that its user may use"),
    "42501": say("its user may not do this"),
    "53100": say("No space left on device"),
    "53300": say("PostgreSQL takes no more connections"),
    "55P03": say("database is locked"),
    "57014": say("this took too long"),
    "57P01": _AWAY,
    "57P02": _AWAY,
    "57P03": _AWAY,
}
