"""The store: nothing is lost whatever happens, and no foreign file is overwritten."""

import hashlib
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from msgspec.structs import replace

from grognard import Refusal
from grognard.matches.fair_dice import anchor_of
from grognard.matches.storage.dice import DiceRows
from grognard.matches.storage.formats import FORMAT
from grognard.matches.storage.rows import (
    Damaged,
    Full,
    Kept,
    New,
    NotYours,
    Source,
    Stale,
    Standing,
    Unknown,
    Unusable,
)
from grognard.matches.storage.store import Store
from grognard.matches.storage.tables import BELONGING
from grognard.words.message import say
from tests.processes import PATIENCE, line, running
from tests.sqlite_file import change, opened

NEW = New(name="Sunday", scenario="weissenberg", options={"ratio_clamp": "after"})
TURN_2 = Standing(2, over=False, winner=None)


@pytest.fixture
def store(address: Path | str) -> Iterator[Store]:
    store = Store(address)
    yield store
    store.close()


def content(address: Path | str) -> list[str]:
    """Everything that a store holds."""
    with Store(address) as store, store.database.transaction(write=False):
        return [
            f"{table} {sorted(row.items())}"
            for table in ("matches", *BELONGING)
            for row in sorted(store.database.rows(f"SELECT * FROM {table}"), key=str)
        ]


# ------------------------------------------------------------------ keeping


def test_a_new_match_is_kept_with_all_that_was_said_of_it(store: Store) -> None:
    kept = store.keep(NEW)
    assert (kept.name, kept.scenario, kept.options) == ("Sunday", "weissenberg", NEW.options)
    assert (kept.autos, kept.level) == ((), "sergeant")
    assert kept.created == kept.changed
    whole = store.whole(kept.id)
    assert whole.kept == kept
    assert (whole.answers, whole.halves) == ((), {})


def test_ids_are_short_and_not_in_a_row(store: Store) -> None:
    ids = {store.keep(NEW).id for _ in range(50)}
    assert len(ids) == 50
    assert {len(id_) for id_ in ids} == {8}


def test_answers_come_back_in_order_as_they_were_given(address: Path | str, store: Store) -> None:
    kept = store.keep(NEW)
    answers: list[object] = [["move", "21/20Pz", "1811"], ["end"], [[0, 1], [2, 0]], [6], "1909", 3]
    for answer in answers:
        kept = store.append(kept.id, kept.version, [answer], TURN_2)
    assert store.get(kept.id).standing == TURN_2
    assert store.whole(kept.id, 4).answers == ("1909", 3)
    again = Store(address)
    assert list(again.whole(kept.id).answers) == answers
    again.close()


@pytest.mark.parametrize("seconds", [1, 0, -1])
def test_the_match_that_changed_last_comes_first_whatever_the_clock_says(
    store: Store, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    clock = count(30, seconds)
    times = (f"2026-01-01T12:00:{second}.000Z" for second in clock)
    monkeypatch.setattr("grognard.matches.storage.store._now", lambda: next(times))
    ids = [store.keep(NEW).id for _ in range(3)]
    assert [kept.id for kept in store.matches()] == ids[::-1]
    store.change(ids[0], 0, name="again")
    assert [kept.id for kept in store.matches()] == [ids[0], ids[2], ids[1]]
    store.append(ids[1], 0, [["end"]], TURN_2)
    assert [kept.id for kept in store.matches()] == [ids[1], ids[0], ids[2]]


def test_every_change_raises_the_version(store: Store) -> None:
    kept = store.keep(NEW)
    id_ = kept.id
    changes = [
        store.append(id_, kept.version, [["end"]], TURN_2),
        store.undo(id_, kept.version + 1, Standing()),
        store.give_half(id_, kept.version + 2, "german", [1, 0]),
        store.change(id_, kept.version + 3, name="Monday"),
        store.change(id_, kept.version + 4, autos=("allied",)),
        store.change(id_, kept.version + 5, level="general"),
    ]
    assert [change.version for change in changes] == [kept.version + n for n in range(1, 7)]
    last = changes[-1]
    assert (last.name, last.autos, last.level) == ("Monday", ("allied",), "general")


@pytest.mark.parametrize("late", [-1, 1])
def test_a_change_to_another_version_is_refused_and_changes_nothing(
    address: Path | str, store: Store, late: int
) -> None:
    kept = store.keep(NEW)
    kept = store.append(kept.id, kept.version, [["end"]], TURN_2)
    before, version = content(address), kept.version + late
    with pytest.raises(Stale):
        store.append(kept.id, version, [["end"]], TURN_2)
    with pytest.raises(Stale):
        store.undo(kept.id, version, TURN_2)
    with pytest.raises(Stale):
        store.give_half(kept.id, version, "german", 1)
    with pytest.raises(Stale):
        store.change(kept.id, version, name="Monday")
    assert content(address) == before


def test_an_answer_taken_back_is_gone_and_counted(store: Store) -> None:
    kept = store.keep(NEW)
    kept = store.append(kept.id, kept.version, ["first", "second"], TURN_2)
    kept = store.undo(kept.id, kept.version, Standing())
    whole = store.whole(kept.id)
    assert (whole.answers, whole.halves, kept.undone) == (("first",), {}, 1)
    assert kept.standing == Standing()


def test_nothing_is_taken_back_while_a_secret_half_is_given(
    address: Path | str, store: Store
) -> None:
    kept = store.keep(NEW)
    kept = store.append(kept.id, kept.version, ["first", "second"], TURN_2)
    kept = store.give_half(kept.id, kept.version, "german", [1, 0])
    before = content(address)
    with pytest.raises(Refusal, match="its half stands"):
        store.undo(kept.id, kept.version, Standing())
    assert content(address) == before


def test_every_answer_keeps_its_source(store: Store) -> None:
    kept = store.keep(replace(NEW, answers=[["end"]], origin="imported"))
    sources: tuple[Source, ...] = ("person", "typed", "rolled", "fair", "automatic")
    for source in sources:
        kept = store.append(kept.id, kept.version, [[5]], TURN_2, source)
    assert store.whole(kept.id).sources == ("imported", *sources)
    assert kept.origin == "imported"


def test_the_chain_of_answers_is_the_documented_one(store: Store) -> None:
    kept = store.keep(NEW)
    for answer in (["end"], [6]):
        kept = store.append(kept.id, kept.version, [answer], TURN_2)

    def sha(*lines: str) -> str:
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    with store.database.transaction(write=False):
        found = store.database.rows("SELECT nonce, source, answer FROM answers ORDER BY n")
    rows = [(str(row["nonce"]), str(row["source"]), str(row["answer"])) for row in found]
    link = sha("match", kept.id, "weissenberg", '{"ratio_clamp":"after"}', kept.created)
    for row in rows:
        link = sha(link, *row)
    assert kept.head == link
    assert len({nonce for nonce, _, _ in rows}) == 2
    assert [json.loads(answer) for _, _, answer in rows] == [["end"], [6]]


def test_news_come_without_a_change_of_the_version(store: Store) -> None:
    kept = store.keep(NEW)
    told = store.tell(kept.id)
    assert (told.version, told.news) == (kept.version, kept.news + 1)
    assert store.get(kept.id) == told


def test_nothing_is_taken_back_where_nothing_was_answered(
    address: Path | str, store: Store
) -> None:
    kept = store.keep(NEW)
    before = content(address)
    with pytest.raises(Refusal, match="nothing has been answered"):
        store.undo(kept.id, kept.version, Standing())
    assert content(address) == before


def test_a_secret_half_is_kept_until_the_answer_is_given(store: Store) -> None:
    kept = store.keep(NEW)
    kept = store.give_half(kept.id, kept.version, "german", [1, 0])
    assert store.whole(kept.id).halves == {"german": [1, 0]}
    store.append(kept.id, kept.version, [[[1, 0], [0, 0]]], TURN_2)
    assert store.whole(kept.id).halves == {}


def test_a_deleted_match_leaves_nothing_behind(address: Path | str, store: Store) -> None:
    empty = content(address)
    kept = store.keep(NEW)
    kept = store.append(kept.id, kept.version, [["end"]], TURN_2)
    store.give_half(kept.id, kept.version, "german", 1)
    store.delete(kept.id)
    assert content(address) == empty
    with pytest.raises(Unknown):
        store.get(kept.id)


def test_a_match_that_is_not_there_is_refused(address: Path | str, store: Store) -> None:
    before = content(address)
    for use in (
        lambda: store.get("nothere"),
        lambda: store.whole("nothere"),
        lambda: store.append("nothere", 0, [["end"]], TURN_2),
        lambda: store.undo("nothere", 0, TURN_2),
        lambda: store.give_half("nothere", 0, "german", 1),
        lambda: store.change("nothere", 0, name="x"),
        lambda: store.delete("nothere"),
    ):
        with pytest.raises(Unknown, match="no match 'nothere'"):
            use()
    assert content(address) == before


# ------------------------------------------------------------------ several at once


def test_two_stores_on_one_file_see_each_other(address: Path | str, store: Store) -> None:
    kept = store.keep(NEW)
    other = Store(address)
    other.append(kept.id, kept.version, [["end"]], TURN_2)
    assert store.get(kept.id).version == kept.version + 1
    with pytest.raises(Stale):
        store.append(kept.id, kept.version, [["end"]], TURN_2)
    other.close()


def test_threads_that_all_answer_lose_and_double_nothing(address: Path | str, store: Store) -> None:
    id_ = store.keep(NEW).id

    def answer(name: str, use: Store) -> None:
        for n in range(10):
            while True:
                try:
                    use.append(id_, use.get(id_).version, [[name, n]], TURN_2)
                    break
                except Stale:
                    continue

    other = Store(address)
    threads = [Thread(target=answer, args=(str(i), (store, other)[i % 2])) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    answers = [tuple(answer) for answer in store.whole(id_).answers if isinstance(answer, list)]
    assert sorted(answers) == sorted((str(i), n) for i in range(4) for n in range(10))
    other.close()


_KEEPER = """
import sys
from grognard.matches.storage.rows import New
from grognard.matches.storage.store import Store
Store(sys.argv[1]).keep(New(name=sys.argv[2], scenario="weissenberg", options={}))
"""


@pytest.mark.process
def test_processes_may_make_the_file_at_the_same_time(address: Path | str) -> None:
    names = [str(n) for n in range(6)]
    keepers = [
        subprocess.Popen([sys.executable, "-c", _KEEPER, str(address), name]) for name in names
    ]
    assert [keeper.wait(PATIENCE) for keeper in keepers] == [0] * len(keepers)
    store = Store(address)
    assert sorted(kept.name for kept in store.matches()) == names
    store.close()


# ------------------------------------------------------------------ killed

_WRITER = """
import sys
from grognard.matches.storage.rows import Standing
from grognard.matches.storage.store import Store
store, id_ = Store(sys.argv[1]), sys.argv[2]
while True:
    kept = store.get(id_)
    n = len(store.whole(id_).answers)
    store.append(id_, kept.version, [["answer", n]], Standing(n, False, None))
    print(n, flush=True)
"""


@pytest.mark.process
def test_a_writer_killed_at_any_moment_loses_nothing_that_it_told(address: Path | str) -> None:
    store, random = Store(address), Random(1945)
    kept = store.keep(NEW)
    store.close()
    told = 0
    for _ in range(20):
        with running(sys.executable, "-c", _WRITER, str(address), kept.id) as writer:
            for _ in range(random.randint(1, 20)):
                told = int(line(writer)) + 1
            writer.kill()
            assert writer.stdout is not None
            for number in writer.stdout:  # what it told before it was killed
                told = int(number) + 1
        store = Store(address)
        whole = store.whole(kept.id)
        store.close()
        assert told <= len(whole.answers) <= told + 1
        assert list(whole.answers) == [["answer", n] for n in range(len(whole.answers))]
        assert whole.kept.version == kept.version + len(whole.answers)
        assert whole.kept.standing.turn == len(whole.answers) - 1


# ------------------------------------------------------------------ files of older formats


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


FORMAT_1 = """
CREATE TABLE matches (id TEXT PRIMARY KEY, name TEXT NOT NULL, scenario TEXT NOT NULL,
    options TEXT NOT NULL, autos TEXT NOT NULL, created TEXT NOT NULL, changed TEXT NOT NULL,
    version INTEGER NOT NULL, undone INTEGER NOT NULL, turn INTEGER NOT NULL,
    over INTEGER NOT NULL, winner TEXT);
CREATE TABLE answers (match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    n INTEGER NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (match, n)) WITHOUT ROWID;
CREATE TABLE halves (match TEXT NOT NULL REFERENCES matches ON DELETE CASCADE,
    side TEXT NOT NULL, option TEXT NOT NULL, PRIMARY KEY (match, side)) WITHOUT ROWID;
PRAGMA application_id = 1196576583;
PRAGMA user_version = 1;
"""


def test_a_file_of_the_first_format_is_read_and_keeps_its_order(file: Path) -> None:
    times = {"a": "10", "b": "30", "c": "20", "d": "20"}  # c and d in one moment, d kept later
    with opened(file) as connection:
        connection.executescript(FORMAT_1)
        for id_, seconds in times.items():
            row = (id_, "Sunday", "weissenberg", "{}", "[]", "", seconds, 3, 0, 1, 0, None)
            connection.execute(f"INSERT INTO matches VALUES ({'?, ' * 11}?)", row)
        connection.execute("""INSERT INTO answers VALUES ('a', 0, '["end"]')""")

    store, beside = Store(file), Store(file)
    assert [kept.id for kept in store.matches()] == ["b", "d", "c", "a"]
    assert store.whole("a").answers == (["end"],)
    assert {kept.level for kept in store.matches()} == {"sergeant"}  # who played at that time
    beside.append("a", 3, [["end"]], TURN_2)
    assert [kept.id for kept in store.matches()] == ["a", "b", "d", "c"]
    store.close()
    beside.close()
    again = Store(file)
    assert again.keep(NEW).id == again.matches()[0].id
    again.close()


def test_a_store_of_the_fourth_format_is_brought_up_to_date(address: Path | str) -> None:
    """Its answers have no times; all else stays, and new answers have one."""
    with Store(address) as store:
        kept = store.keep(NEW)
        kept = store.append(kept.id, kept.version, [["end"]], TURN_2)
        assert [moment.at for moment in store.moments(kept.id)] == [kept.created, kept.changed]
        before = store.whole(kept.id)
        if not isinstance(address, Path):
            with store.database.transaction(write=True):
                store.database.run("ALTER TABLE answers DROP COLUMN at")
                store.database.run("UPDATE grognard SET format = 4")
    if isinstance(address, Path):
        change(address, "ALTER TABLE answers DROP COLUMN at")
        change(address, "PRAGMA user_version = 4")
    with Store(address) as store, Store(address) as beside:
        assert store.whole(kept.id) == before
        assert [moment.at for moment in store.moments(kept.id)] == [kept.created, ""]
        kept = beside.append(kept.id, kept.version, [["end"]], TURN_2)
        last = store.moments(kept.id)[-1]
        assert (last.head, last.at) == (kept.head, kept.changed)


def test_a_store_of_the_fifth_format_keeps_its_dice(address: Path | str) -> None:
    """Their rows get checksums, and chains can be withdrawn."""
    with Store(address) as store:
        kept, rows = store.keep(replace(NEW, apart=True)), DiceRows(store)
        secret = "a" * 64
        rows.begin(kept.id, "german", anchor_of(secret), None, secret)
        before = rows.state(kept.id)
    older = ["ALTER TABLE chains DROP COLUMN withdrawn"]
    older += [f"ALTER TABLE {table} DROP COLUMN seal" for table in ("chains", "reveals")]
    if isinstance(address, Path):
        for statement in [*older, "PRAGMA user_version = 5"]:
            change(address, statement)
    else:
        with Store(address) as store, store.database.transaction(write=True):
            for statement in [*older, "UPDATE grognard SET format = 5"]:
                store.database.run(statement)
    with Store(address) as store:
        assert DiceRows(store).state(kept.id) == before
        DiceRows(store).begin(kept.id, "german", anchor_of("b" * 64), anchor_of(secret))
        assert len(DiceRows(store).everything(kept.id)[0]) == 2


def test_an_imported_answer_has_no_time_of_its_own(store: Store) -> None:
    kept = store.keep(replace(NEW, answers=[["end"]]))
    assert [moment.at for moment in store.moments(kept.id)] == [kept.created, ""]


# ------------------------------------------------------------------ files that can't be used


def filled(file: Path) -> Kept:
    store = Store(file)
    kept = store.keep(NEW)
    for n in range(300):
        kept = store.append(kept.id, kept.version, [["move", "a unit", str(n)] * 5], TURN_2)
    store.close()
    return kept


def test_a_file_that_is_not_sqlite_is_refused_and_left_alone(file: Path) -> None:
    file.write_text("these are the notes of a player\n" * 100)
    before = file.read_bytes()
    with pytest.raises(Unusable, match=r"matches\.sqlite: .*not a database"):
        Store(file)
    assert file.read_bytes() == before


def test_somebody_elses_sqlite_file_is_refused_and_left_alone(file: Path) -> None:
    with opened(file) as connection:
        connection.execute("CREATE TABLE matches (mine TEXT)")
        connection.execute("PRAGMA user_version = 1")
    before = file.read_bytes()
    with pytest.raises(Unusable, match="not made by Grognard"):
        Store(file)
    assert file.read_bytes() == before


def test_a_newer_file_is_refused_and_left_alone(file: Path) -> None:
    filled(file)
    change(file, f"PRAGMA user_version = {FORMAT + 1}")
    before = file.read_bytes()
    with pytest.raises(Unusable, match=f"format {FORMAT + 1}; this program reads {FORMAT}"):
        Store(file)
    assert file.read_bytes() == before


def test_a_damaged_file_is_refused_and_left_alone(file: Path) -> None:
    filled(file)
    whole = file.read_bytes()
    size = len(whole)
    for damaged in (
        whole[: size // 2],
        whole[:4096] + b"\xff" * (size - 4096),
        whole[: size // 2] + bytes(4096) + whole[size // 2 + 4096 :],
    ):
        file.write_bytes(damaged)
        with pytest.raises(Unusable, match=r"malformed|damaged"):
            Store(file)
        assert file.read_bytes() == damaged


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE answers SET answer = '{' WHERE n = 7",
        "UPDATE answers SET answer = '[5]' WHERE n = 7",
        "UPDATE answers SET source = 'fair' WHERE n = 7",
        "UPDATE answers SET n = 1000 WHERE n = 7",
        "DELETE FROM answers WHERE n = 299",
        "UPDATE matches SET autos = '['",
        "UPDATE matches SET winner = 'german'",
        "UPDATE matches SET turn = 'two'",
        "UPDATE halves SET option = '1'",
    ],
)
def test_a_damaged_row_costs_one_match(file: Path, harm: str) -> None:
    kept = filled(file)
    with Store(file) as store:
        kept = store.give_half(kept.id, kept.version, "german", 0)
    change(file, harm)
    with Store(file) as store:
        sound = store.keep(NEW)
        with pytest.raises(Damaged, match=f"'{kept.id}' is damaged"):
            store.whole(kept.id)
        assert store.whole(sound.id).kept == sound
        listed = {one.id for one in store.matches()}
        assert listed | {kept.id} == {sound.id, kept.id}
        assert len(listed) + len(store.damaged()) == 2
        store.delete(kept.id)
        assert store.matches() == [sound]


def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "matches.sqlite", tmp_path):
        with pytest.raises(Unusable, match="unable to open"):
            Store(path)


def test_the_refusals_speak_french(tmp_path: Path) -> None:
    with pytest.raises(Unusable) as found:
        Store(tmp_path)
    assert "parties" in found.value.in_("fr")
    assert "partie" in Unknown("x").in_("fr")
    assert "partie" in Stale().in_("fr")


@pytest.mark.parametrize(
    "refusal",
    [Unknown("x"), Stale(), NotYours(), Unusable(say("x")), Full(say("x")), Damaged("x", say("y"))],
    ids=lambda one: type(one).__name__,
)
def test_a_refusal_keeps_its_kind_between_processes(refusal: Refusal) -> None:
    again = pickle.loads(pickle.dumps(refusal))
    assert type(again) is type(refusal)
    assert again.in_("fr") == refusal.in_("fr")
    assert vars(again).keys() == vars(refusal).keys()
