"""Watches on a store: what they tell, and reading outside a transaction."""

from pathlib import Path

import pytest

from grognard.matches.storage.rows import New
from grognard.matches.storage.store import Store
from tests.processes import PATIENCE, until

NEW = New(name="Sunday", scenario="weissenberg", options={})


def test_one_statement_is_read_outside_a_transaction(address: Path | str) -> None:
    with Store(address) as store, Store(address) as other:
        assert store.database.rows("SELECT count(*) AS n FROM matches") == [{"n": 0}]
        kept = other.keep(NEW)
        assert store.database.rows("SELECT id FROM matches") == [{"id": kept.id}]
        assert store.get(kept.id) == kept


def test_a_statement_that_changes_rows_needs_a_transaction(address: Path | str) -> None:
    with Store(address) as store, pytest.raises(RuntimeError):
        store.database.run("DELETE FROM matches")


def test_a_watch_of_sqlite_names_what_its_own_process_changes(tmp_path: Path) -> None:
    with Store(tmp_path / "matches.sqlite") as store:
        one, other = store.keep(NEW), store.keep(NEW)
        watch = store.changes()
        assert watch.wait(PATIENCE) is None  # what changed before is not known
        store.tell(one.id)
        assert watch.wait(PATIENCE) == {one.id}
        store.delete(other.id)
        assert watch.wait(PATIENCE) == {other.id}
        watch.close()


def tell_and_fail(store: Store, id_: str) -> None:
    with store.database.transaction(write=True):
        store.tell(id_)
        raise ZeroDivisionError


def test_a_change_that_is_taken_back_is_not_told(tmp_path: Path) -> None:
    with Store(tmp_path / "matches.sqlite") as store:
        kept, after = store.keep(NEW), store.keep(NEW)
        watch = store.changes()
        watch.wait(PATIENCE)
        with pytest.raises(ZeroDivisionError):
            tell_and_fail(store, kept.id)
        store.tell(after.id)
        assert watch.wait(PATIENCE) == {after.id}
        watch.close()


def test_a_watch_of_sqlite_notices_what_others_change(tmp_path: Path) -> None:
    with Store(tmp_path / "matches.sqlite") as store, Store(tmp_path / "matches.sqlite") as other:
        kept = store.keep(NEW)
        watch = store.changes()
        watch.wait(PATIENCE)
        other.tell(kept.id)
        until(lambda: watch.wait(0.1) is None)
        watch.close()
