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
MOST_WAITING = 200  # statements that are sent together
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
_BEGIN = {True: b"BEGIN", False: b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}

_Connection = psycopg.Connection[DictRow]


class Postgres:
    """A database of PostgreSQL, at an address that begins with `postgresql://`."""

    lock_row = " FOR UPDATE"

    def __init__(
        self, address: str, tables: str, format_: int, steps: Mapping[int, Callable[[], int]]
    ) -> None:
        given = _read(address)
        self._password = str(given.get("password") or "")
        self._address = {**_CONNECT, **{key: str(value) for key, value in given.items()}}
        self.name = _shown(given)
        self._tables, self._format, self._steps = tables, format_, steps
        self._sessions = Connections(lambda: _Session(self._connect()), MOST)

    def open(self) -> None:
        """Open the database, or refuse it; an open one stays open."""
        self._sessions.open(self._begin, self.name)

    def close(self) -> None:
        """Close the database, until it is opened again."""
        self._sessions.close()

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
        self.rows("SELECT pg_advisory_xact_lock(?)", _MAKING)
        ours, theirs = (
            self.rows(
                "SELECT to_regclass(quote_ident(current_schema()) || ?) IS NOT NULL AS there",
                f".{table}",
            )[0]["there"]
            for table in ("grognard", "matches")
        )
        if not ours:
            if theirs:
                raise Unusable(say("this database has tables that were not made by Grognard"))
            self._make()
            return
        (row,) = self.rows("SELECT format FROM grognard")
        found = int(row["format"] or 0)
        check_known(found, self._format)
        if found < self._format:
            while found < self._format:
                found = self._steps[found]()
            self.run("UPDATE grognard SET format = ?", self._format)

    def _make(self) -> None:
        for statements in (self._tables, _OURS):
            self._sessions.taken.connection.execute(statements.encode())
        self.run("INSERT INTO grognard (format) VALUES (?)", self._format)

    # -------------------------------------------------------------- transactions

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[None]:
        """Do all or nothing, or read one consistent state; inside another transaction, join it."""
        if self._sessions.own is not None:
            yield
            return
        with undisturbed(), self._naming(), self._session() as session:
            session.wait(_BEGIN[write])
            yield
            if not self._sessions.taken.used:
                # What is sent together with COMMIT can't be sent again on a new connection.
                self._send()
            self._send(b"COMMIT")

    @contextmanager
    def _session(self) -> Iterator["_Session"]:
        """Take a session; what it did not commit is undone."""
        try:
            yield self._sessions.take()
        finally:
            if self._sessions.own is not None:
                self._sessions.give_back(sound=self._sessions.own.tidied())

    def _send(self, statement: bytes | None = None, values: Sequence[Value] = ()) -> list[Row]:
        """Send what waits and a statement, and give what it finds; on a new connection, if the
        server was restarted since the last use of this one."""
        session = self._sessions.taken
        if statement is not None:
            session.wait(statement, values)
        try:
            return session.send()
        except psycopg.OperationalError as error:
            if session.used or not _is_cut_off(error):
                raise
        self._sessions.give_back(sound=False)
        self._sessions.drop()
        again = self._sessions.take()
        again.waiting = session.waiting
        return again.send()

    def rows(self, statement: str, *values: Value) -> list[Row]:
        """Give the rows that a statement finds: within a transaction, or at this moment. A
        statement alone needs no transaction, which would take one more way to the server."""
        if any(isinstance(value, str) and "\0" in value for value in values):
            return []  # PostgreSQL keeps no such text
        if self._sessions.own is not None:
            return self._send(_translated(statement), values)
        with undisturbed(), self._naming(), self._session():
            return self._send(_translated(statement), values)

    def run(self, statement: str, *values: Value) -> None:
        """Change rows, when the next rows are asked for or the transaction ends."""
        if self._sessions.taken.wait(_translated(statement), values) >= MOST_WAITING:
            self._send()

    def changed(self, statement: str, *values: Value) -> int:
        """Change rows at once, and give their number."""
        (row,) = self.rows(
            f"WITH changed AS ({statement} RETURNING 1) SELECT count(*) AS n FROM changed", *values
        )
        return int(row["n"] or 0)

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


class _Session:
    """A connection whose statements wait until the server has to answer one: then all of them go
    to it together. Each way to the server and back is a wait, in which other threads run."""

    def __init__(self, connection: _Connection) -> None:
        self.connection = connection
        self.waiting: list[tuple[bytes, Sequence[Value]]] = []
        self.used = False  # whether the server has answered since the session was taken

    def wait(self, statement: bytes, values: Sequence[Value] = ()) -> int:
        """Let a statement wait, and give the number of those that do."""
        self.waiting.append((statement, values))
        return len(self.waiting)

    def send(self) -> list[Row]:
        """Send what waits, and give the rows that the last statement finds."""
        if len(self.waiting) > 1:
            with self.connection.pipeline():
                cursors = [self.connection.execute(*one) for one in self.waiting]
        else:
            cursors = [self.connection.execute(*one) for one in self.waiting]
        self.waiting, self.used = [], True
        return list(cursors[-1].fetchall()) if cursors and cursors[-1].description else []

    def tidied(self) -> bool:
        """Undo what was not committed, and tell whether the connection can be used again."""
        self.waiting, self.used = [], False
        status = self.connection.info.transaction_status
        if status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
            with suppress(psycopg.Error):  # what ended the transaction is the reason to tell
                self.connection.execute("ROLLBACK")
                status = self.connection.info.transaction_status
        return status is TransactionStatus.IDLE

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def _is_cut_off(error: psycopg.Error) -> bool:
    """Tell whether the server ended the connection, or is not there."""
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P"))


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
