"""Damaged files: no flipped byte is served as an answer; salvage keeps what checksums confirm."""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from grognard.matches.fair_dice import anchor_of, link_of, new_secret
from grognard.matches.storage.checking import check, damaged_matches
from grognard.matches.storage.dice import (
    KeptChain,
    Reveal,
    chains_of,
    reveals_of,
    write_chain,
    write_reveal,
)
from grognard.matches.storage.rows import Damaged, New, Standing, StoredMatch, Unknown, Unusable
from grognard.matches.storage.salvage import Faces, Salvaged, salvage
from grognard.matches.storage.seats import Holder, Place, SeatTables, hashed
from grognard.matches.storage.store import Store
from tests.sqlite_file import change, opened
from tests.tiers import sized

FLIPS = sized(300, quick=15)
FLIPS_BESIDE = sized(100, quick=10, soak=1000)
BROKEN_PAGES = sized(24)
MATCHES, ANSWERS = 24, 30
PAGE = 4096


def filled(file: Path, random: Random) -> dict[str, StoredMatch]:
    """Fill a file with matches; give them as they were."""
    with Store(file) as store:
        ids = []
        for n in range(MATCHES):
            kept = store.keep(
                New(name=f"match {n}", scenario="weissenberg", options={}, apart=n % 3 == 0)
            )
            ids.append(kept.id)
            answers = [
                ["move", f"unit {random.random()}", str(random.randint(1000, 2000))]
                for _ in range(random.randint(0, 2 * ANSWERS))
            ]
            kept = store.append(kept.id, kept.version, answers, Standing(n))
            if n % 4 == 0:
                store.give_half(kept.id, kept.version, "german", [n, 0])
        return {id_: store.whole(id_) for id_ in ids}


def faces() -> Faces:
    return Faces(lambda name, n: f"{name} ({n})", lambda _: Standing(99))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, dict[str, StoredMatch]]:
    file = tmp_path_factory.mktemp("sound") / "matches.sqlite"
    matches = filled(file, Random(16))
    return file.read_bytes(), matches


def served(store: Store, before: dict[str, StoredMatch]) -> set[str]:
    """The matches that the store serves; each as it was."""
    found = set()
    for id_, match in before.items():
        try:
            assert store.whole(id_) == match
            found.add(id_)
        except (Damaged, Unknown):
            continue
    return found


def test_no_flipped_byte_is_served_as_a_changed_answer(
    sound: tuple[bytes, dict[str, StoredMatch]], tmp_path: Path
) -> None:
    """Each file is sound as it was, or refused, or names the matches that it does not serve."""
    whole, before = sound
    random = Random(300)
    ends = {"sound": 0, "refused": 0, "named": 0}
    for n in range(FLIPS):
        harmed = bytearray(whole)
        harmed[random.randrange(len(harmed))] ^= random.randint(1, 255)
        file = tmp_path / f"{n}.sqlite"
        file.write_bytes(harmed)
        try:
            store = Store(file)
        except Unusable:
            ends["refused"] += 1
            continue
        with store:
            there = served(store, before)
            listed = {kept.id: kept for kept in store.matches()}
            assert all(listed[id_] == before[id_].kept for id_ in there)
            named = list(damaged_matches(store))
            ends["named" if named else "sound"] += 1
            assert bool(named) == (there != set(before))
            assert {damage.id for damage in named} >= set(before) & set(listed) - there
            for id_ in sorted(there)[: n % 10 == 0]:  # the rest can be played on
                kept = before[id_].kept
                store.append(id_, kept.version, [["end"]], kept.standing)
        file.unlink()
    if FLIPS >= 300:
        assert all(ends.values()), ends


def test_an_index_that_does_not_fit_is_made_again(tmp_path: Path) -> None:
    """A match that an index hides would be missed by nobody."""
    file = tmp_path / "matches.sqlite"
    before = filled(file, Random(1))
    with opened(file) as connection:  # the rows of an index vanish
        connection.execute("PRAGMA writable_schema = ON")
        root = "SELECT rootpage FROM sqlite_master WHERE name = 'matches_latest'"
        (page,) = connection.execute(root).fetchone()
    data = bytearray(file.read_bytes())
    at = (page - 1) * PAGE
    data[at : at + PAGE] = b"\x0a\x00\x00\x00\x00\x10\x00\x00" + bytes(PAGE - 8)  # an empty leaf
    file.write_bytes(data)
    found = check(file)
    assert any("index matches_latest" in str(problem) for problem in found.problems)
    assert (found.matches, found.damaged) == (MATCHES, [])
    with Store(file) as store:
        assert len(store.matches()) == MATCHES
        assert served(store, before) == set(before)
    assert check(file).problems == []


def test_a_format_number_that_is_damaged_does_not_renew_the_file(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    filled(file, Random(1))
    for number in (1, 2, 3):
        change(file, f"PRAGMA user_version = {number}")
        before = file.read_bytes()
        with pytest.raises(Unusable, match="damaged"):
            Store(file)
        assert file.read_bytes() == before


def test_a_refused_file_names_the_command_that_helps(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    filled(file, Random(1))
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    with pytest.raises(Unusable, match=r"damaged: .*`grognard store salvage`"):
        Store(file)


# ------------------------------------------------------------------ check


def test_check_names_every_damaged_match_with_what_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    one, two, three, four, *_ = filled(file, Random(16))
    with opened(file) as connection:
        connection.execute("UPDATE answers SET answer = '[6]' WHERE match = ? AND n = 3", (one,))
        connection.execute("UPDATE matches SET name = 'other' WHERE id = ?", (two,))
        connection.execute("UPDATE matches SET id = 'nobody' WHERE id = ?", (three,))
        connection.execute("DELETE FROM answers WHERE match = ? AND n > 0", (four,))
    found = check(file)
    told = {damage.id: str(damage.reason) for damage in found.damaged}
    assert told.keys() == {one, two, three, four, "nobody"}
    assert "checksum of its answer 3" in told[one]
    assert "checksum" in told[two]
    assert "its row is missing" in told[three]
    assert "last answers are missing" in told[four]
    assert found.matches == MATCHES - 4


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="no such file"):
        check(tmp_path / "none.sqlite")
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ salvage


def salvaged(harmed: bytes, folder: Path) -> tuple[Salvaged, dict[str, StoredMatch]]:
    """Salvage a damaged file; what it gives is sound, and the damaged file as it was."""
    file, new = folder / "damaged.sqlite", folder / "new.sqlite"
    file.write_bytes(harmed)
    new.unlink(missing_ok=True)
    found = salvage(file, new, faces())
    assert file.read_bytes() == harmed
    assert sorted(path.name for path in folder.iterdir()) == ["damaged.sqlite", "new.sqlite"]
    with Store(new) as store:
        assert list(damaged_matches(store)) == []
        return found, {kept.id: store.whole(kept.id) for kept in store.matches()}


def confirm(found: Salvaged, after: dict[str, StoredMatch], before: dict[str, StoredMatch]) -> None:
    """Every match is as it was, or shorter and named so, or named as lost."""
    cut = {one.kept.id: one for one in found.cut}
    assert found.whole == len(after) - len(cut)
    for id_, match in after.items():
        if id_ not in cut:
            known = match.halves if "halves" in found.unread else before[id_].halves
            assert match == replace(before[id_], halves=known)
            continue
        first = before[id_]
        number = cut[id_].answers
        assert match.answers == first.answers[:number]
        assert match.sources == first.sources[:number]
        assert match.kept.name.endswith(f" ({number})")
        assert match.kept.standing == Standing(99)
        assert match.kept.apart >= first.kept.apart
        assert match.kept.version != first.kept.version
    told = {damage.id for damage in found.lost}
    missing = set(before) - set(after)
    assert missing <= told or found.unread  # of a page nobody knows which matches were on it


def harms(whole: bytes, random: Random) -> Iterator[bytes]:
    """Files with pages that are broken in several ways, also many at once."""
    pages = len(whole) // PAGE
    for n in range(BROKEN_PAGES):
        harmed = bytearray(whole)
        for page in random.sample(range(1, pages), random.choice((1, 1, 2, 5))):
            at = page * PAGE
            if n % 3 == 0:
                harmed[at : at + PAGE] = bytes(PAGE)
            elif n % 3 == 1:
                harmed[at : at + PAGE] = random.randbytes(PAGE)
            else:
                harmed[at + random.randrange(12)] ^= 255
        yield bytes(harmed)
    yield whole[: len(whole) // 2]
    yield whole[: len(whole) // 2] + bytes(PAGE) + whole[len(whole) // 2 + PAGE :]


def test_salvage_of_a_file_with_broken_pages_keeps_what_can_be_read(
    sound: tuple[bytes, dict[str, StoredMatch]], tmp_path: Path
) -> None:
    whole, before = sound
    kept = 0
    for harmed in harms(whole, Random(4096)):
        try:
            found, after = salvaged(harmed, tmp_path)
        except Unusable:  # the first page of the tables themselves
            continue
        confirm(found, after, before)
        kept += len(after)
    assert kept > MATCHES * BROKEN_PAGES / 3


def test_salvage_of_a_sound_file_loses_nothing(
    sound: tuple[bytes, dict[str, StoredMatch]], tmp_path: Path
) -> None:
    whole, before = sound
    found, after = salvaged(whole, tmp_path)
    assert found == Salvaged(MATCHES, [], [], [])
    assert after == before


def test_salvage_of_a_file_of_the_fourth_format_loses_nothing(
    sound: tuple[bytes, dict[str, StoredMatch]], tmp_path: Path
) -> None:
    """It has no times of answers."""
    whole, before = sound
    older = tmp_path / "older.sqlite"
    older.write_bytes(whole)
    change(older, "ALTER TABLE answers DROP COLUMN at")
    change(older, "PRAGMA user_version = 4")
    folder = tmp_path / "salvaged"
    folder.mkdir()
    found, after = salvaged(older.read_bytes(), folder)
    assert found == Salvaged(MATCHES, [], [], [])
    assert after == before


def test_salvage_reads_what_a_killed_server_left_in_its_log(tmp_path: Path) -> None:
    file, copied = tmp_path / "matches.sqlite", tmp_path / "killed.sqlite"
    with Store(file) as store:
        kept = store.keep(New(name="x", scenario="weissenberg", options={}))
        for path in (file, file.with_name("matches.sqlite-wal")):
            new = path.name.replace("matches", "killed")
            (tmp_path / new).write_bytes(path.read_bytes())
    assert salvage(copied, tmp_path / "new.sqlite", faces()).whole == 1
    with Store(tmp_path / "new.sqlite") as store:
        assert store.matches() == [kept]


@pytest.mark.parametrize(
    ("harm", "left"),
    [
        ("UPDATE answers SET answer = '[6]' WHERE n = 7", 7),
        ("UPDATE answers SET seal = '' WHERE n = 0", 0),
        ("DELETE FROM answers WHERE n = 9", 9),
        ("UPDATE matches SET name = 'other'", 10),
        ("UPDATE matches SET autos = '['", 10),
        ("UPDATE matches SET turn = 'two', news = -5, version = 1.5", 10),
        ("UPDATE matches SET apart = 0", 10),
    ],
)
def test_a_match_is_salvaged_up_to_its_last_good_answer(
    tmp_path: Path, harm: str, left: int
) -> None:
    file = tmp_path / "matches.sqlite"
    with Store(file) as store:
        kept = store.keep(New(name="x", scenario="weissenberg", options={}, apart=True))
        kept = store.append(kept.id, kept.version, [[n] for n in range(10)], Standing())
        with store.database.transaction(write=True):
            store.database.run(
                "INSERT INTO links (hash, match, seat, kind) VALUES ('a', ?, 'german', 'seat')",
                kept.id,
            )
    change(file, harm)
    found, after = salvaged(file.read_bytes(), _folder(tmp_path))
    assert (found.whole, [cut.answers for cut in found.cut], found.lost) == (0, [left], [])
    match = after[kept.id]
    assert match.answers == tuple([n] for n in range(left))
    assert match.kept.apart


@pytest.mark.parametrize("column", ["scenario", "options", "created"])
def test_a_match_that_nothing_confirms_is_lost_and_named(tmp_path: Path, column: str) -> None:
    file = tmp_path / "matches.sqlite"
    with Store(file) as store:
        kept = store.keep(New(name="x", scenario="weissenberg", options={}))
        store.append(kept.id, kept.version, [["end"]], Standing())
    change(file, f"UPDATE matches SET {column} = '{{}}' || {column}")
    found, after = salvaged(file.read_bytes(), _folder(tmp_path))
    assert (found.whole, found.cut, [one.id for one in found.lost]) == (0, [], [kept.id])
    assert after == {}


def _folder(inside: Path) -> Path:
    folder = inside / "salvage"
    folder.mkdir()
    return folder


def test_salvage_writes_over_no_file(tmp_path: Path) -> None:
    file, other = tmp_path / "matches.sqlite", tmp_path / "other.sqlite"
    filled(file, Random(1))
    other.write_text("mine")
    with pytest.raises(Unusable, match="choose another name"):
        salvage(file, other, faces())
    assert other.read_text() == "mine"


def test_salvage_of_no_store_makes_no_file(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("these are notes\n" * 500)
    with pytest.raises(Unusable, match="nothing of the file can be read"):
        salvage(file, tmp_path / "new.sqlite", faces())
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


# ------------------------------------------------------------------ what is kept beside the answers


class Beside(NamedTuple):
    """What the store has of a match beside its answers."""

    chat: list[str]
    secrets: dict[str, str]  # by seat
    look: int
    revealed: list[str]


def all_kept(file: Path) -> dict[str, Beside]:
    """Fill a file with matches apart and all that belongs to them."""
    kept: dict[str, Beside] = {}
    with Store(file) as store:
        links = SeatTables(store.database)
        for n in range(8):
            new = New(name=f"match {n}", scenario="weissenberg", options={}, apart=True)
            match = store.append(store.keep(new).id, 0, [["end"]] * n, Standing(n))
            store.give_half(match.id, match.version, "german", [n, 0])
            secrets = {}
            for seat in ("german", "allied", "watch"):
                place = Place(match.id, seat)
                secrets[seat] = links.new_link(place)
                links.hold(hashed(f"{seat} {match.id}"), place)
            for word in ("one", "two"):
                links.write(Place(match.id, "german"), f"{word} {match.id}")
            links.looked(Place(match.id, "german"), n)
            chain = new_secret()
            with store.database.transaction(write=True):
                write_chain(store.database, match.id, KeptChain("german", 1, anchor_of(chain)))
                reveal = Reveal(1, "german", link_of(chain, 0), "x", "[1,6,1]")
                write_reveal(store.database, match.id, reveal)
            chat = [f"{word} {match.id}" for word in ("one", "two")]
            kept[match.id] = Beside(chat, secrets, n, [link_of(chain, 0)])
    return kept


def beside(store: Store, id_: str, before: Beside) -> bool:
    """Tell whether everything beside a match is as it was; it is read or refused, never raised,
    and no link leads into another match."""
    links = SeatTables(store.database)
    places = {seat: links.place_of(secret) for seat, secret in before.secrets.items()}
    assert all(
        place is None or place.match == id_ or not store.news([place.match])
        for place in places.values()
    )
    chat = [line.text for line in links.chat(id_)]
    assert all(text in (*before.chat, "") for text in chat)
    with store.database.transaction(write=False):
        try:
            revealed = [one.value for one in reveals_of(store.database, id_)]
            chains_of(store.database, id_)
        except Damaged:
            revealed = []
    held = {links.held_by(Holder(hashed(f"{seat} {id_}")), id_) for seat in before.secrets}
    return (
        chat == before.chat
        and all(place == Place(id_, seat) for seat, place in places.items())
        and links.last_look(Place(id_, "german")) == before.look
        and held == links.held(id_) == links.linked(id_) == set(before.secrets)
        and revealed == before.revealed
    )


def test_a_flipped_byte_beside_the_answers_costs_one_match_at_most(tmp_path: Path) -> None:
    """Of links, holders, chat, looks and dice: what is damaged is refused, named or gone; all
    others are as they were."""
    before = all_kept(tmp_path / "matches.sqlite")
    whole, random = (tmp_path / "matches.sqlite").read_bytes(), Random(41)
    hurt = 0
    for n in range(FLIPS_BESIDE):
        harmed = bytearray(whole)
        harmed[random.randrange(len(harmed))] ^= random.randint(1, 255)
        file = tmp_path / f"{n}.sqlite"
        file.write_bytes(harmed)
        try:
            store = Store(file)
        except Unusable:
            continue
        with store:
            as_before = {id_ for id_, known in before.items() if beside(store, id_, known)}
            hurt += len(as_before) < len(before)
            assert len(as_before) >= len(before) - 1
            for id_ in sorted(as_before)[:1]:
                SeatTables(store.database).write(Place(id_, "allied"), "three")
        file.unlink()
    if FLIPS_BESIDE >= 100:
        assert hurt


@pytest.mark.parametrize(
    ("table", "column"),
    [("looks", "answers"), ("chat", "n"), ("chat", "at"), ("chains", "first"), ("reveals", "roll")],
)
@pytest.mark.parametrize("value", ["'x'", "NULL", "x'ff'", "-1", "1.5"])
def test_a_damaged_row_beside_the_answers_costs_no_other_match(
    tmp_path: Path, table: str, column: str, value: str
) -> None:
    file = tmp_path / "matches.sqlite"
    before = all_kept(file)
    id_ = min(before)
    with opened(file) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        found = connection.execute(f"SELECT {column} FROM {table} WHERE match = ? LIMIT 1", (id_,))
        (was,) = found.fetchone()
        with suppress(sqlite3.IntegrityError):
            connection.execute(
                f"UPDATE {table} SET {column} = {value} WHERE match = ? AND {column} = ?",
                (id_, was),
            )
    with Store(file) as store:
        beside(store, id_, before[id_])
        assert all(beside(store, one, known) for one, known in before.items() if one != id_)
    check(file)
