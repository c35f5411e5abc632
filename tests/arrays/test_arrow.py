"""Fights in Arrow tables and Parquet files: the same results as in arrays, and no partial files."""

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grognard import Refusal
from grognard.arrays import arrow
from grognard.arrays.arrow import fights_table, fights_tables, stream
from grognard.arrays.batch import COMPUTED, EXPECTED
from grognard.batch import Batch, Fights, Words
from grognard.rules import game
from tests.processes import line, running

ATTACK, DEFENCE = "attackers[0].attack", "defenders[0].defence"
STATED = {
    "attackers": [{"name": "21/20Pz", "attack": 1}],
    "defenders": [{"name": "861/294", "defence": 1}],
}
WORDS = ("clear", "wood", "lake", "village+wood")


def batch() -> Batch:
    columns = [ATTACK, DEFENCE, "terrain", "concentric"]
    return Batch(game.load("bautzen"), STATED, columns, folder=None)


def columns(count: int) -> dict[str, Any]:
    random = np.random.default_rng(5)
    return {
        ATTACK: random.integers(1, 20, count),
        DEFENCE: random.integers(1, 9, count),
        "terrain": random.integers(0, len(WORDS), count),
        "concentric": random.random(count) < 0.5,
    }


def table(count: int = 300) -> pa.Table:
    found = columns(count)
    words = pa.DictionaryArray.from_arrays(pa.array(found["terrain"]), pa.array(WORDS))
    return pa.table(
        {
            "id": pa.array([f"fight {n}" for n in range(count)]),
            ATTACK: pa.array(found[ATTACK], pa.int16()),
            "terrain": words,
            DEFENCE: pa.array(found[DEFENCE], pa.uint8()),
            "concentric": pa.array(found["concentric"]),
            "weight": pa.array([None, 0.5] * (count // 2), pa.float64()),
        }
    )


def in_arrays(of: Batch, count: int = 300) -> Fights:
    found = columns(count)
    return of.fights({**found, "terrain": Words(WORDS, found["terrain"])}, refused="mark")


def changed(name: str, values: Any) -> pa.Table:  # noqa: ANN401  # anything that Arrow takes
    whole = table()
    return whole.set_column(whole.column_names.index(name), name, values)


def test_results_are_those_of_the_arrays_and_all_columns_are_carried() -> None:
    of = batch()
    found, fights = fights_table(of, table()), in_arrays(of)
    assert found.column_names == [*table().column_names, *COMPUTED, "refused", *EXPECTED]
    assert found.select(table().column_names).equals(table())
    assert found["refused"].to_pylist() == fights.refused.tolist()
    assert 0 < fights.refused.sum() < 300
    labels = [of.labels[place] if place >= 0 else None for place in fights.final]
    assert found["final"].to_pylist() == labels
    assert pa.types.is_dictionary(found["final"].type)
    for name, values in (("attack", fights.attack), ("taken", fights.expected("taken"))):
        told = [None if np.isnan(value) else value for value in values.tolist()]
        assert found[name].to_pylist() == told
    assert found["taken"].null_count == fights.refused.sum()


def test_values_beyond_their_bounds_are_marked_with_what_else_the_rules_refuse() -> None:
    kinds = Batch(game.load("bautzen"), STATED, [ATTACK, "attackers[0].kind"], folder=None)
    rows = {ATTACK: [3, -1, 3], "attackers[0].kind": ["armour", "armour", "tank"]}
    told = fights_table(kinds, pa.table(rows))
    assert told["refused"].to_pylist() == [False, True, True]
    assert told["taken"].null_count == 2


def test_words_may_be_plain_and_a_table_in_pieces() -> None:
    plain = changed("terrain", table()["terrain"].cast(pa.string()))
    pieces = pa.concat_tables([plain.slice(0, 7), plain.slice(7, 100), plain.slice(107)])
    large = changed("terrain", table()["terrain"].cast(pa.large_string()))
    wanted = fights_table(batch(), table())
    for other in (plain, pieces, large):
        found = fights_table(batch(), other)
        assert (
            found.drop_columns("terrain").to_pylist() == wanted.drop_columns("terrain").to_pylist()
        )


def test_dictionaries_of_pieces_may_differ() -> None:
    plain = table()["terrain"].cast(pa.string()).combine_chunks()
    pieces = pa.chunked_array([plain[:4].dictionary_encode(), plain[4:].dictionary_encode()])
    found = fights_table(batch(), changed("terrain", pieces))
    assert found["taken"].equals(fights_table(batch(), table())["taken"])


def test_a_record_batch_is_a_table() -> None:
    whole = table()
    (piece,) = whole.to_batches()
    assert fights_table(batch(), piece).equals(fights_table(batch(), whole))


def test_outcomes_are_drawn_as_in_arrays_whatever_the_pieces() -> None:
    of = batch()
    fights = in_arrays(of)
    drawn = fights.sample(7)
    found = fights_table(of, table(), seed=7)
    for name in ("result", "defender_steps_lost", "taken", "details"):
        wanted = [None if n < 0 else getattr(of.outcomes[n], name) for n in drawn]
        told = found[name].to_pylist()
        assert [tuple(t) if isinstance(t, list) else t for t in told] == wanted
    pieces = [table().slice(0, 1), table().slice(1, 120), table().slice(121)]
    again = pa.concat_tables(fights_tables(batch(), pieces, seed=7))
    assert again.to_pylist() == found.to_pylist()
    assert fights_table(batch(), table(), seed=8)["result"] != found["result"]


@pytest.mark.parametrize(
    ("name", "values", "problem"),
    [
        (ATTACK, [None, *range(299)], "row 0 has no value"),
        (DEFENCE, [*range(299), None], "row 299 has no value"),
        ("terrain", ["wood"] * 299 + [None], "row 299 has no value"),
        (
            "terrain",
            pa.DictionaryArray.from_arrays([0] * 299 + [1], ["wood", None]),
            "row 299 has no value",
        ),
        (ATTACK, [1.0] * 300, "expected whole numbers in one row, found double"),
        (ATTACK, ["1"] * 300, "expected whole numbers in one row, found string"),
        (ATTACK, [True] * 300, "expected whole numbers in one row, found bool"),
        ("concentric", [2] * 300, "expected true or false, 1 or 0"),
        ("terrain", [3] * 300, "expected words in one row, found int64"),
    ],
)
def test_a_column_that_can_not_be_used_is_named(
    name: str,
    values: Any,  # noqa: ANN401  # anything that Arrow takes
    problem: str,
) -> None:
    array = values if isinstance(values, pa.Array) else pa.array(values)
    with pytest.raises(Refusal) as refused:
        fights_table(batch(), changed(name, array))
    assert str(refused.value) == f"{name}: {problem}"


def test_a_column_that_is_missing_or_taken_is_named() -> None:
    with pytest.raises(
        Refusal, match=r"^terrain: the table must have this column, once; it has id"
    ):
        fights_table(batch(), table().drop_columns("terrain"))
    with pytest.raises(Refusal, match=r"^terrain: the table must have this column, once"):
        fights_table(batch(), table().append_column("terrain", table()["terrain"]))
    taken = table().rename_columns(["taken", *table().column_names[1:]])
    with pytest.raises(Refusal, match=r"^taken: the results have a column of this name too"):
        fights_table(batch(), taken)


def test_without_pyarrow_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "grognard.arrays.arrow")
    with pytest.raises(Refusal, match=r"pip install grognard\[arrow\]"):
        importlib.import_module("grognard.arrays.arrow")


# ------------------------------------------------------------------ files


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "fights.parquet"
    pq.write_table(table(), path, row_group_size=300)
    return path


@pytest.mark.parametrize("seed", [None, 3])
def test_a_file_is_streamed_in_pieces_to_the_same_results(
    seed: int | None, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def noted(of: Batch, part: pa.Table, **named: Any) -> pa.Table:  # noqa: ANN401  # passed on
        sizes.append(part.num_rows)
        return fights_table(of, part, **named)

    monkeypatch.setattr(arrow, "fights_table", noted)
    target = source.with_name("told.parquet")
    assert stream(batch(), source, target, seed=seed, rows=70) == 300
    assert sizes == [0, 70, 70, 70, 70, 20]
    told = pq.read_table(target)
    assert told.to_pylist() == fights_table(batch(), table(), seed=seed).to_pylist()
    assert {file.name for file in source.parent.iterdir()} == {"fights.parquet", "told.parquet"}


def test_a_file_without_rows_has_the_columns_all_the_same(tmp_path: Path) -> None:
    pq.write_table(table().slice(0, 0), tmp_path / "none.parquet")
    assert stream(batch(), tmp_path / "none.parquet", tmp_path / "told.parquet") == 0
    told = pq.read_table(tmp_path / "told.parquet")
    assert told.column_names == fights_table(batch(), table()).column_names


def test_a_file_may_be_told_into_itself(source: Path) -> None:
    stream(batch(), source, source, rows=100)
    assert "taken" in pq.read_table(source).column_names


def test_a_bad_row_far_down_leaves_the_target_as_it_was(source: Path) -> None:
    pq.write_table(changed(ATTACK, pa.array([1] * 250 + [None] * 50)), source)
    target = source.with_name("told.parquet")
    target.write_bytes(b"old")
    with pytest.raises(Refusal) as refused:
        stream(batch(), source, target, rows=100)
    assert str(refused.value) == f"{ATTACK}: row 250 has no value"
    assert target.read_bytes() == b"old"
    assert {file.name for file in source.parent.iterdir()} == {"fights.parquet", "told.parquet"}


def test_what_is_no_parquet_file_is_refused(tmp_path: Path, source: Path) -> None:
    with pytest.raises(Refusal, match=r"missing\.parquet: can't be read: No such file"):
        stream(batch(), tmp_path / "missing.parquet", tmp_path / "told.parquet")
    text = tmp_path / "text.parquet"
    text.write_text("attack,defence\n")
    with pytest.raises(Refusal, match=r"text\.parquet: this is not a sound Parquet file"):
        stream(batch(), text, tmp_path / "told.parquet")
    raw = bytearray(source.read_bytes())
    raw[4:400] = bytes(396)
    source.write_bytes(raw)
    with pytest.raises(Refusal, match=r"fights\.parquet: this is not a sound Parquet file"):
        stream(batch(), source, tmp_path / "told.parquet")
    assert not (tmp_path / "told.parquet").exists()


def test_a_target_that_can_not_be_written_is_refused(source: Path) -> None:
    with pytest.raises(Refusal, match="can't be written: there is no such folder"):
        stream(batch(), source, source.parent / "nowhere" / "told.parquet")
    with pytest.raises(Refusal, match="can't be written: this is not a file"):
        stream(batch(), source, source.parent)


KILLED = """
import sys, time
from grognard.arrays import arrow
from tests.arrays.test_arrow import batch
real_fights_table = arrow.fights_table
def slow(*args, **named):
    if named.get("first"):
        print("working", flush=True)
        time.sleep(600)
    return real_fights_table(*args, **named)
arrow.fights_table = slow
arrow.stream(batch(), sys.argv[1], sys.argv[2], rows=50)
"""


@pytest.mark.process
def test_a_killed_stream_leaves_the_target_as_it_was(source: Path) -> None:
    target = source.with_name("told.parquet")
    target.write_bytes(b"old")
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    command = (sys.executable, "-c", KILLED, source, target)
    with running(*command, cwd=root, env=environment) as process:
        assert line(process) == "working"
        process.kill()
    assert target.read_bytes() == b"old"
