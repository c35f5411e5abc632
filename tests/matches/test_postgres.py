"""The store in PostgreSQL: restarts, locks, refusals, and a password that nobody is told.

What it does like SQLite is tested with it, in test_store.py.
"""

import sys
from pathlib import Path
from threading import Barrier, Thread

import pytest

from grognard import Refusal
from grognard.matches.storage import postgres
from grognard.matches.storage.database import Row
from grognard.matches.storage.formats import FORMAT
from grognard.matches.storage.rows import New, Stale, Standing, Unknown, Unusable
from grognard.matches.storage.seats import Place, SeatTables
from grognard.matches.storage.store import Store
from tests.postgresql import PASSWORD, PostgreSQL, postgresql_running
from tests.processes import PATIENCE

pytestmark = pytest.mark.process

NEW = New(name="Sunday", scenario="weissenberg", options={})


def test_a_restarted_server_is_used_again_and_has_everything() -> None:
    with postgresql_running() as server, Store(server.new_store()) as store:
        kept = store.keep(NEW)
        changes = store.changes()
        assert changes.wait(0) is None
        server.stop()
        with pytest.raises(Unusable, match="can't be used"):
            store.append(kept.id, kept.version, [["end"]], Standing())
        with pytest.raises(Unusable, match="can't be used"):
            changes.wait(PATIENCE)
        changes.close()
        server.start()
        again = store.append(kept.id, kept.version, [["end"]], Standing())
        assert store.whole(kept.id).kept == again


def test_a_restart_between_two_uses_is_not_noticed() -> None:
    with postgresql_running() as server, Store(server.new_store()) as store:
        kept = store.keep(NEW)
        server.stop()
        server.start()
        assert store.get(kept.id) == kept


def test_a_server_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=r"postgresql://me@.*: the matches can't be used"):
        Store(f"postgresql://me:{PASSWORD}@/x?host={tmp_path}")
    with pytest.raises(Unusable, match=r"postgresql://me@127\.0\.0\.1:1/x: .*Connection refused"):
        Store(f"postgresql://me:{PASSWORD}@127.0.0.1:1/x")


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://guarded:{PASSWORD}@/postgres?host={{folder}}",
        f"postgresql://guarded@/postgres?host={{folder}}&password={PASSWORD}",
        f"postgresql://me:{PASSWORD}@127.0.0.1:1/x",
        f"postgresql://me:{PASSWORD}@nowhere.invalid/x",
        f"postgresql://me:{PASSWORD}@host:{PASSWORD}/x",
        f"postgresql://me:{PASSWORD}@[::1/x",
        f"postgresql://me:half@{PASSWORD}@127.0.0.1:1/x",
        f"postgresql://me:1/{PASSWORD}@127.0.0.1:1/x",
        f"postgresql://me:half/{PASSWORD}@127.0.0.1:1/x",
        f"postgresql://me:half?{PASSWORD}@127.0.0.1:1/x",
        f"postgresql://me@host/x?passwort={PASSWORD}",
        f"postgresql://me@host/x?sslmode={PASSWORD}",
    ],
)
def test_no_refusal_tells_the_password(
    postgresql: PostgreSQL, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Unusable) as found:
        Store(address.format(folder=postgresql.folder))
    for told in (found.value.in_("en"), found.value.in_("fr"), repr(found.value), caplog.text):
        assert PASSWORD not in told


def test_the_right_password_opens_the_store(postgresql: PostgreSQL) -> None:
    postgresql.sql(f"CREATE ROLE guarded LOGIN PASSWORD '{PASSWORD}'")
    postgresql.sql("CREATE SCHEMA guarded AUTHORIZATION guarded")
    chosen = {"user": f"guarded:{PASSWORD}", "schema": "guarded"}
    with Store(postgresql.address(**chosen)) as store:
        assert PASSWORD not in store.database.name
        store.keep(NEW)
    with pytest.raises(Unusable, match="password"):
        Store(postgresql.address("guarded:wrong", "guarded"))
    postgresql.sql("CREATE SCHEMA forbidden")
    with pytest.raises(Unusable, match="no schema that its user may use"):
        Store(postgresql.address(f"guarded:{PASSWORD}", "forbidden"))
    postgresql.sql("GRANT USAGE ON SCHEMA forbidden TO guarded")
    with pytest.raises(Unusable, match="its user may not do this"):
        Store(postgresql.address(f"guarded:{PASSWORD}", "forbidden"))


def test_somebody_elses_tables_are_left_alone(postgresql: PostgreSQL) -> None:
    postgresql.sql("CREATE SCHEMA theirs; CREATE TABLE theirs.matches (mine TEXT)")
    with pytest.raises(Unusable, match="not made by Grognard"):
        Store(postgresql.address(schema="theirs"))


def test_a_newer_format_is_refused(postgresql: PostgreSQL) -> None:
    address = postgresql.new_store()
    with Store(address) as store, store.database.transaction(write=True):
        store.database.run("UPDATE grognard SET format = ?", FORMAT + 1)
    with pytest.raises(Unusable, match=f"format {FORMAT + 1}; this program reads {FORMAT}"):
        Store(address)


def test_a_database_that_is_read_only_refuses_changes_and_shows_all(
    postgresql: PostgreSQL,
) -> None:
    address = postgresql.new_store()
    with Store(address) as store:
        kept = store.keep(NEW)
    schema = address.rsplit("%3D", 1)[1]
    only_read = f"-csearch_path={schema} -cdefault_transaction_read_only=on"
    with Store(postgresql.address(options=only_read)) as store:
        assert store.matches() == [kept]
        with pytest.raises(Unusable, match="read-only"):
            store.append(kept.id, kept.version, [["end"]], Standing())
        assert store.matches() == [kept]


def test_of_two_who_lock_each_other_one_is_refused_as_stale(postgresql: PostgreSQL) -> None:
    with Store(postgresql.new_store()) as store:
        one, other = store.keep(NEW).id, store.keep(NEW).id
        both, ends = Barrier(2), []

        def rename(first: str, second: str) -> None:
            try:
                with store.database.transaction(write=True):
                    store.change(first, 0, name="mine")
                    both.wait(PATIENCE)
                    store.change(second, 0, name="mine")
                ends.append("done")
            except Stale:
                ends.append("stale")

        threads = [Thread(target=rename, args=pair) for pair in ((one, other), (other, one))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert sorted(ends) == ["done", "stale"]
        assert [kept.name for kept in store.matches()] == ["mine", "mine"]


def test_a_lock_that_lasts_is_refused(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_SETTINGS", "SET lock_timeout = '50ms'")
    with Store(postgresql.new_store()) as store:
        kept = store.keep(NEW)
        with store.database.transaction(write=True):
            store.change(kept.id, kept.version, name="mine")
            found: list[Refusal] = []

            def late() -> None:
                try:
                    store.change(kept.id, kept.version, name="theirs")
                except Unusable as refusal:
                    found.append(refusal)

            thread = Thread(target=late)
            thread.start()
            thread.join(PATIENCE)
        assert "database is locked" in str(found[0])
        assert store.get(kept.id).name == "mine"


def test_a_text_that_postgresql_does_not_keep_is_refused(postgresql: PostgreSQL) -> None:
    with Store(postgresql.new_store()) as store:
        kept = store.keep(NEW)
        with pytest.raises(Refusal, match="can't be kept"):
            store.change(kept.id, kept.version, name="Sun\0day")
        with pytest.raises(Unknown):
            store.get("\0")
        assert store.get(kept.id) == kept


def test_without_psycopg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "grognard.matches.storage.postgres")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Unusable, match=r"pip install 'grognard\[server\]'"):
        Store("postgresql://host/x")


# ------------------------------------------------------------------ ways to the server


def test_an_answer_takes_two_ways_to_the_server(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that locks and reads, one that writes and commits: at each the thread has to wait for the
    interpreter again, if others want it."""
    sent: list[int] = []
    send = postgres._Session.send

    def counted(self: postgres._Session) -> list[Row]:
        sent.append(len(self.waiting))
        return send(self)

    with Store(postgresql.new_store()) as store:
        kept = store.keep(NEW)
        monkeypatch.setattr(postgres._Session, "send", counted)
        store.append(kept.id, kept.version, [["end"]], Standing())
        assert sent == [2, 4]
        sent.clear()
        store.get(kept.id)
        store.news([kept.id])
        assert sent == [1, 1]


def test_changes_alone_are_sent_again_after_a_restart_and_done_once() -> None:
    """What goes with COMMIT could have been done already when the connection breaks."""
    with postgresql_running() as server, Store(server.new_store()) as store:
        kept, links = store.keep(NEW), SeatTables(store.database)
        server.stop()
        server.start()
        secret = links.new_link(Place(kept.id, "german"))  # no row is read in this transaction
        assert links.place_of(secret) == Place(kept.id, "german")


def test_a_refused_statement_among_several_leaves_nothing_behind(postgresql: PostgreSQL) -> None:
    with Store(postgresql.new_store()) as store:
        kept = store.keep(NEW)

        def change(*statements: str) -> None:
            with store.database.transaction(write=True):
                for statement in statements:
                    store.database.run(statement, kept.id)

        rename = "UPDATE matches SET name = 'changed' WHERE id = ?"
        twice = "INSERT INTO matches SELECT * FROM matches WHERE id = ?"
        wrong = "UPDATE matches SET version = 'x' || ? WHERE false"
        for statements, refused in (
            ((rename, twice), Stale),
            ((twice, rename), Stale),
            ((rename, wrong, rename), Unusable),
        ):
            with pytest.raises(refused):
                change(*statements)
            assert store.get(kept.id) == kept
        with pytest.raises(Refusal, match="character"):
            store.change(kept.id, kept.version, name="\0")
        assert store.get(kept.id) == kept


def test_many_changes_do_not_wait_for_the_end_of_their_transaction(
    postgresql: PostgreSQL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "MOST_WAITING", 5)
    with Store(postgresql.new_store()) as store:
        kept = store.keep(NEW)
        with store.database.transaction(write=True):
            for n in range(23):
                store.database.run("UPDATE matches SET latest = ? WHERE id = ?", n, kept.id)
                assert len(store.database._sessions.taken.waiting) < 5  # type: ignore[attr-defined]
        assert store.database.rows("SELECT latest FROM matches") == [{"latest": 22}]
