"""`grognard store`: check, backup while it is used, copy between databases, salvage."""

import json
import os
import re
import stat
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result

from grognard.cli.main import main
from grognard.fights.record import from_plain
from grognard.matches.fair_dice import anchor_of, link_of
from grognard.matches.storage.database import insert_row
from grognard.matches.storage.kept_rows import sealed_dice
from grognard.matches.storage.rows import Kept, New, Standing, StoredMatch
from grognard.matches.storage.seats import Place, SeatTables
from grognard.matches.storage.store import Store
from grognard.matches.storage.tables import BELONGING, columns
from tests.postgresql import PostgreSQL
from tests.processes import PATIENCE
from tests.sqlite_file import change
from tests.web.fair_match import Apart, Begun, Seated, begun
from tests.web.serving import client, server

Json = dict[str, Any]

NEW = New(name="Sunday", scenario="weissenberg", options={"ratio_clamp": "after"})


def store(*words: object) -> Result:
    return CliRunner().invoke(main, ["store", *map(str, words)])


def fill(address: Path | str) -> dict[str, StoredMatch]:
    """Keep matches with everything that may belong to one; the one in the middle changed last."""
    with Store(address) as kept:
        for n in range(5):
            match = kept.keep(NEW)
            match = kept.append(
                match.id, 0, [["move", n], ["«é»", None, 2.5]], Standing(n), "typed"
            )
            match = kept.give_half(match.id, match.version, "german", [n, 0])
            with kept.database.transaction(write=True):
                for table in BESIDE:
                    if table != "chat":
                        insert_row(kept.database, table, row_of(table, match.id))
            SeatTables(kept.database).write(Place(match.id, "german"), f"«{n}»")
        match = kept.matches()[2]
        kept.change(match.id, match.version, name="last")
    return all_of(address)


BESIDE = [table for table in BELONGING if table not in ("answers", "halves")]


def row_of(table: str, id_: str) -> dict[str, str | int | None]:
    """A row of a table that belongs to a match, with links of dice that fit their chain."""
    fitting: dict[str, dict[str, str | int | None]] = {
        "chains": {"side": "german", "first": 1, "anchor": anchor_of("0" * 64)},
        "reveals": {"side": "german", "roll": 1, "value": link_of("0" * 64, 0)},
    }
    row: dict[str, str | int | None] = {
        name: id_ if name == "match" else 0 if int in types else f"{name} of {id_}"
        for name, types in columns()[table].items()
    }
    row |= fitting.get(table, {})
    return dict(sealed_dice(table, row)) if table in fitting else row


def all_of(address: Path | str) -> dict[str, StoredMatch]:
    """The matches in the order of the list."""
    with Store(address) as kept:
        return {match.id: kept.whole(match.id) for match in kept.matches()}


def belonging(address: Path | str) -> dict[str, list[list[object]]]:
    with Store(address) as kept, kept.database.transaction(write=False):
        return {
            table: sorted(
                list(row.values()) for row in kept.database.rows(f"SELECT * FROM {table}")
            )
            for table in BESIDE
        }


# ------------------------------------------------------------------ check


def test_a_sound_store_is_told_so(address: Path | str) -> None:
    fill(address)
    result = store("check", address)
    assert (result.exit_code, result.stdout) == (0, "5 matches are sound\n")
    assert json.loads(store("check", address, "--json").stdout) == {
        "sound": 5,
        "damaged": [],
        "problems": [],
    }


def test_a_damaged_match_is_named_and_the_status_is_one(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    first, *_ = fill(file)
    change(file, f"UPDATE answers SET answer = '1' WHERE match = '{first}' AND n = 1")
    result = store("check", file)
    assert result.exit_code == 1
    told = f"the match '{first}' is damaged: the checksum of its answer 1 does not fit"
    assert result.stdout.splitlines() == [told, "4 matches are sound"]
    found = json.loads(store("check", file, "--json", "--lang", "fr").stdout)
    assert (found["sound"], found["damaged"][0]["id"]) == (4, first)
    assert "somme de contrôle" in found["damaged"][0]["problem"]


def test_damage_beside_the_answers_is_named_and_costs_no_match(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    first, second, third, *_ = fill(file)
    change(file, f"UPDATE chat SET text = 'forged' WHERE match = '{first}'")
    change(file, f"UPDATE reveals SET value = '{'1' * 64}' WHERE match = '{second}'")
    change(file, f"UPDATE chains SET first = 'x' WHERE match = '{third}'")
    result = store("check", file)
    dice = "can't be checked: the checksum of its dice does not fit"
    assert (result.exit_code, sorted(result.stdout.splitlines())) == (
        1,
        sorted(
            [
                f"line 1 of the chat of match '{first}' is damaged",
                f"the dice of match '{second}' {dice}",
                f"the dice of match '{third}' {dice}",
                "5 matches are sound",
            ]
        ),
    )


def test_a_store_that_can_not_be_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    fill(file)
    file.write_bytes(file.read_bytes()[:8192])
    result = store("check", file)
    assert result.exit_code == 2
    assert "`grognard store salvage`" in result.stderr
    assert store("check", tmp_path / "none.sqlite").exit_code == 2
    assert not (tmp_path / "none.sqlite").exists()


# ------------------------------------------------------------------ backup


def test_a_backup_has_everything(address: Path | str, tmp_path: Path) -> None:
    before = fill(address)
    saved = tmp_path / "saved.sqlite"
    assert store("backup", address, saved).exit_code == 0
    assert all_of(saved) == before
    assert list(all_of(saved)) == list(before)
    assert belonging(saved) == belonging(address)
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_backup_replaces_a_file_only_if_it_is_told_so(tmp_path: Path) -> None:
    file, saved = tmp_path / "matches.sqlite", tmp_path / "saved.sqlite"
    before = fill(file)
    saved.write_text("mine")
    result = store("backup", file, saved)
    assert (result.exit_code, saved.read_text()) == (2, "mine")
    assert "--replace" in result.stderr
    assert store("backup", file, saved, "--replace").exit_code == 0
    assert all_of(saved) == before


def test_a_backup_names_damaged_matches(tmp_path: Path) -> None:
    file, saved = tmp_path / "matches.sqlite", tmp_path / "saved.sqlite"
    first, *_ = fill(file)
    change(file, f"UPDATE answers SET answer = '1' WHERE match = '{first}' AND n = 1")
    result = store("backup", file, saved)
    assert result.exit_code == 1
    assert f"'{first}' is damaged" in result.stderr
    assert store("check", saved).exit_code == 1


def test_nothing_is_left_of_a_backup_that_fails(tmp_path: Path) -> None:
    assert store("backup", tmp_path / "none.sqlite", tmp_path / "saved.sqlite").exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_a_backup_while_the_server_writes_is_one_moment_of_it(
    address: Path | str, tmp_path: Path
) -> None:
    """Every backup is sound, and has all that was answered before it began."""
    with server(address) as running, running.client() as web:
        begun = web.post("/api/matches", json={"scenario": "weissenberg"}).json()
        path, stop, told = f"/api/matches/{begun['id']}", Event(), [begun["version"]]

        def play() -> None:
            with running.client() as other:
                while not stop.is_set():
                    move = {"version": told[-1], "answer": ["move", "21/20Pz", "1811"]}
                    told.append(other.post(f"{path}/answers", json=move).json()["version"])
                    undo = {"version": told[-1]}
                    told.append(other.post(f"{path}/undo", json=undo).json()["version"])

        player = Thread(target=play)
        player.start()
        try:
            for n in range(4):
                saved, before = tmp_path / f"{n}.sqlite", told[-1]
                assert store("backup", address, saved).exit_code == 0
                assert store("check", saved).exit_code == 0
                assert all_of(saved)[begun["id"]].kept.version >= before
        finally:
            stop.set()
            player.join(PATIENCE)


# ------------------------------------------------------------------ copy


@pytest.mark.process
def test_matches_move_to_postgresql_and_back(postgresql: PostgreSQL, tmp_path: Path) -> None:
    file, there, back = tmp_path / "matches.sqlite", postgresql.new_store(), tmp_path / "b.sqlite"
    before = fill(file)
    result = store("copy", file, there)
    assert (result.exit_code, result.stdout) == (0, "5 matches copied\n")
    assert store("copy", there, back).exit_code == 0
    for address in (there, back):
        assert all_of(address) == before
        assert list(all_of(address)) == list(before)  # the list keeps its order
        assert belonging(address) == belonging(file)
    with client(there) as web:  # and they are played on
        assert [match["id"] for match in web.get("/api/matches").json()] == list(before)


def test_a_target_that_is_not_empty_is_refused(address: Path | str, tmp_path: Path) -> None:
    file = tmp_path / "from.sqlite"
    fill(file)
    before = fill(address)
    result = store("copy", file, address)
    assert result.exit_code == 2
    assert "choose an empty store" in result.stderr
    assert all_of(address) == before


def test_a_damaged_match_is_not_copied_but_named(tmp_path: Path, address: Path | str) -> None:
    file = tmp_path / "from.sqlite"
    first, *others = fill(file)
    change(file, f"UPDATE matches SET turn = 'two' WHERE id = '{first}'")
    result = store("copy", file, address)
    assert (result.exit_code, result.stdout) == (1, "4 matches copied\n")
    assert f"'{first}' is damaged" in result.stderr
    assert list(all_of(address)) == others


def test_a_store_that_is_not_there_is_not_copied(tmp_path: Path) -> None:
    assert store("copy", tmp_path / "none.sqlite", tmp_path / "to.sqlite").exit_code == 2
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ salvage


def played(file: Path) -> tuple[Kept, list[object]]:
    """A real match, of two turns."""
    with client(file) as web:
        view = web.post("/api/matches", json={"scenario": "weissenberg"}).json()
        path = f"/api/matches/{view['id']}"
        for answer in (["move", "21/20Pz", "1811"], ["end"], ["end"]):
            answered = web.post(
                f"{path}/answers", json={"version": view["version"], "answer": answer}
            )
            view = _of(answered)
    with Store(file) as kept:
        whole = kept.whole(view["id"])
        return whole.kept, list(whole.answers)


def _of(answered: httpx.Response) -> dict[str, int | str]:
    assert answered.status_code == 200, answered.text
    view: dict[str, int | str] = answered.json()
    return view


def test_a_salvaged_match_is_named_so_and_can_be_played_on(tmp_path: Path) -> None:
    file, new = tmp_path / "matches.sqlite", tmp_path / "new.sqlite"
    match, answers = played(file)
    change(file, "UPDATE answers SET answer = '[]' WHERE n = 2")
    result = store("salvage", file, new)
    assert result.exit_code == 1
    name = f"{match.name} (salvaged: 2 answers)"
    assert result.stdout.splitlines() == [
        f"the match '{match.id}' is kept up to its answer 2: {name}",
        "0 matches are whole, 1 cut short, 0 lost",
    ]
    with client(new) as web:
        view = web.get(f"/api/matches/{match.id}").json()
        assert view["name"] == name
        answered = web.post(
            f"/api/matches/{match.id}/answers", json={"version": view["version"], "answer": ["end"]}
        )
        assert answered.status_code == 200
    with Store(new) as kept:
        assert list(kept.whole(match.id).answers) == [*answers[:2], ["end"]]
    assert store("check", new).exit_code == 0


def rolled_apart(file: Path, rolls: int) -> Apart:
    """A match apart in which both sides have made dice."""
    with client(file) as web:
        while True:  # until the dice allow so many rolls
            apart = Apart(web, begun(web))
            apart.play(rolls)
            if apart.rolls == rolls:
                return apart


def roll_on(file: Path, apart: Apart, renewed: str) -> Json:
    """Roll once more in the match under its new id, by the secret links; give its file."""
    with client(file) as web:
        web.auth = Seated(apart.secrets, lambda: "german")
        assert web.get(apart.path).status_code == 404
        again = Apart(web, Begun(renewed, apart.secrets))
        for answer in web.get(f"{again.path}/file").json()["answers"]:
            again.match.answer(from_plain(answer))
        again.play(1)
        assert again.rolls == 1
        return again.file()


def new_id(output: str, former: str) -> str:
    found = re.search(rf"the dice of the match '{former}' begin anew: it is now '(\S+)'", output)
    assert found is not None, output
    return found[1]


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE answers SET answer = '[7]' WHERE source = 'fair' "
        "AND n > (SELECT min(n) FROM answers WHERE source = 'fair')",
        "UPDATE reveals SET value = 'z' || substr(value, 2) WHERE side = 'german' AND roll = 2",
        "DELETE FROM reveals WHERE side = 'german' AND roll = 1",
        "UPDATE chains SET first = first + 1 WHERE side = 'allied'",
    ],
)
def test_a_salvaged_match_whose_dice_are_lost_begins_them_anew_under_another_id(
    tmp_path: Path, harm: str
) -> None:
    file, new = tmp_path / "matches.sqlite", tmp_path / "new.sqlite"
    apart = rolled_apart(file, 2)
    change(file, harm)
    with Store(file) as damaged:
        before = SeatTables(damaged.database).linked(apart.id)
    result = store("salvage", file, new)
    assert result.exit_code == 1
    id_ = new_id(result.stdout, apart.id)
    with Store(new) as kept:
        assert SeatTables(kept.database).linked(id_) == before
        assert "fair" not in kept.whole(id_).sources
    assert store("check", new).exit_code == 0
    proof = roll_on(new, apart, id_)["proof"]
    assert (proof["id"], len(proof["rolls"])) == (id_, 1)


@pytest.mark.parametrize("format_", [5, 6])
def test_a_salvaged_match_whose_dice_are_whole_keeps_them(tmp_path: Path, format_: int) -> None:
    file, new = tmp_path / "matches.sqlite", tmp_path / "new.sqlite"
    apart = rolled_apart(file, 2)
    if format_ == 5:  # without checksums of dice
        change(file, "ALTER TABLE chains DROP COLUMN withdrawn")
        change(file, "ALTER TABLE chains DROP COLUMN seal")
        change(file, "ALTER TABLE reveals DROP COLUMN seal")
    result = store("salvage", file, new)
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    with client(new) as web:
        apart.sit(web)
        apart.play(3)
        assert apart.state()["roll"] == 1 + apart.rolls


def test_matches_of_a_backup_begin_their_dice_anew_when_the_owner_says_so(
    address: Path | str,
) -> None:
    """The clients know a roll that the backup does not have: they would never make it again."""
    with client(address) as web:
        apart = Apart(web, begun(web))
        apart.play(1)
        web.post(f"{apart.path}/chat", json={"text": "«hello»"})
        with Store(address) as kept:
            sources = kept.whole(apart.id).sources
    with Store(address) as kept:
        kept.keep(NEW)
    result = store("renew", address)
    assert (result.exit_code, result.stdout.count("\n")) == (0, 1)
    id_ = new_id(result.stdout, apart.id)
    with Store(address) as kept:
        assert kept.get(id_).origin == "imported"
        renewed = kept.whole(id_).sources
        assert renewed == tuple("imported" if one == "fair" else one for one in sources)
        assert [line.text for line in SeatTables(kept.database).chat(id_)] == ["«hello»"]
    assert store("check", address).exit_code == 0
    if isinstance(address, Path):
        roll_on(address, apart, id_)
    assert store("renew", address, "nobody").exit_code == 2
    table = next(match.id for match in all_matches(address) if not match.apart)
    assert "one table" in store("renew", address, table).stderr


def all_matches(address: Path | str) -> list[Kept]:
    with Store(address) as kept:
        return kept.matches()


def test_what_is_lost_is_named_in_french_too(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    match, _ = played(file)
    change(file, "UPDATE matches SET scenario = 'x'")
    result = store("salvage", file, tmp_path / "new.sqlite", "--lang", "fr")
    assert result.exit_code == 1
    assert match.id in result.stdout
    assert "perdue" in result.stdout
    assert store("salvage", file, file).exit_code == 2


# ------------------------------------------------------------------ who may read the files


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


@pytest.mark.skipif(os.name != "posix", reason="rights of files are those of POSIX")
def test_only_the_owner_reads_a_store_its_log_its_backup_and_what_was_saved(tmp_path: Path) -> None:
    """They hold halves, hidden stacks, and secrets of dice."""
    file, folder = tmp_path / "matches.sqlite", tmp_path
    with Store(file) as kept:
        kept.keep(NEW)
        assert modes(folder) == dict.fromkeys(
            ("matches.sqlite", "matches.sqlite-wal", "matches.sqlite-shm"), 0o600
        )
    for verb in ("backup", "salvage", "copy"):
        assert store(verb, file, folder / verb).exit_code == 0
    (folder / "backup").chmod(0o644)
    assert store("backup", "--replace", file, folder / "backup").exit_code == 0
    assert set(modes(folder).values()) == {0o600}


def test_a_store_that_others_may_read_stays_so(tmp_path: Path) -> None:
    """Its owner wanted it."""
    file = tmp_path / "matches.sqlite"
    with Store(file):
        pass
    file.chmod(0o640)
    with Store(file) as kept:
        kept.keep(NEW)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
