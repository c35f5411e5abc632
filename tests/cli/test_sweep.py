"""`grognard sweep` on the terminal."""

import csv
import json
import re
import signal
import sys
from io import StringIO
from pathlib import Path

import psutil
import pyarrow.parquet as pq
import pytest
from click.testing import Result

from tests.command import refused, run
from tests.processes import PATIENCE, running, until

ROOT = Path(__file__).parents[2]

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "sweeps" / "bautzen.toml")
SPEC = """game = "bautzen"
terrain = { each = ["clear", "lake"] }
[[attackers]]
name = "21/20Pz"
attack = { from = 4, to = 6 }
[[defenders]]
name = "861/294"
defence = 2
[sweep]
give = ["final"]
"""
ENORMOUS = SPEC.replace("to = 6", "to = 10000").replace("= 2", "= { from = 1, to = 10000 }")

MORE = ("--most", "1000000000")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "spec.toml"
    path.write_text(SPEC)
    return path


def sweep(*words: str | Path, stdin: str = "") -> Result:
    return run("sweep", *words, stdin=stdin)


@pytest.mark.slow
def test_the_example_of_the_document_runs() -> None:
    page = (ROOT / "docs" / "sweeps.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    result = run("sweep", "-", "--workers", "1", stdin=example)
    assert result.exit_code == 0, result.output
    header, *rows = csv.reader(StringIO(result.stdout))
    assert header[-3:] == ["final", "defender_steps_lost", "taken"]
    assert len(rows) > 1000


def test_without_a_file_the_rows_go_to_standard_output(spec: Path) -> None:
    result = sweep(spec, "--lang", "en")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "row,terrain,attackers[0].attack,final",
        "1,clear,4,2/1",
        "2,clear,5,2/1",
        "3,clear,6,3/1",
    ]
    assert result.stderr.splitlines() == [
        "6 combinations",
        "3 rows written",
        "3 combinations are refused by the rules; the first is number 4: terrain: there is "
        "no terrain 'lake'; near matches: village",
    ]


def test_a_sweep_comes_from_standard_input_and_speaks_french() -> None:
    result = sweep("-", "--lang", "fr", stdin=SPEC)
    assert result.exit_code == 0
    assert result.stderr.startswith("6 combinaisons\n3 lignes écrites\n3 combinaisons")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_hold_all_rows_and_json_sums_up(ending: str, tmp_path: Path) -> None:
    target = tmp_path / f"told.{ending}"
    result = sweep(EXAMPLE, "-o", target, "--json", "--lang", "en")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    told = json.loads(result.stdout)
    assert told["rows"] == told["combinations"] == 6 * 3 * 27 * 10 * 2  # lakes are hexsides
    assert told["refused"] == 0
    assert told["file"] == str(target)
    if ending == "csv":
        rows = list(csv.DictReader(StringIO(target.read_text())))
        assert (len(rows), list(rows[0])) == (told["rows"], told["columns"])
    else:
        table = pq.read_table(target)
        assert (table.num_rows, table.column_names) == (told["rows"], told["columns"])
    assert [file.name for file in tmp_path.iterdir()] == [target.name]


def test_json_without_a_file_leaves_standard_output_to_the_rows(spec: Path) -> None:
    result = sweep(spec, "--json", "--refused", "keep")
    assert result.stdout.splitlines()[0] == "row,terrain,attackers[0].attack,refused,final"
    assert result.stdout.splitlines()[-1] == "6,lake,6,true,"
    assert json.loads(result.stderr)["rows"] == 6


@pytest.mark.process
def test_two_workers_write_what_one_writes(spec: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    spec.write_text(SPEC.replace("to = 6", "to = 10000"))
    assert sweep(spec, "-o", one, "--workers", "1").exit_code == 0
    assert sweep(spec, "-o", two, "--workers", "2").exit_code == 0
    assert one.read_bytes() == two.read_bytes()
    assert one.read_text().count("\n") == 9998


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["-o", "told.txt"], "told.txt: expected a name that ends in .csv, .parquet"),
        (["-o", "nowhere/told.csv"], "nowhere/told.csv: can't be written: there is no such folder"),
        (["-o", "folder.csv"], "folder.csv: can't be written: this is not a file"),
        (["--on", "nonsense"], "expected local, auto, ray://HOST:PORT or HOST:PORT"),
    ],
)
def test_a_wrong_call_is_one_message_and_nothing_is_written(
    words: list[str], problem: str, spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(spec.parent)
    (spec.parent / "folder.csv").mkdir()
    assert problem in refused("sweep", spec, *words, "--json", "--lang", "en")
    assert {file.name for file in spec.parent.iterdir()} == {"spec.toml", "folder.csv"}


def test_a_wrong_spec_names_file_line_and_key_and_leaves_the_old_file(spec: Path) -> None:
    spec.write_text(SPEC.replace("to = 6", "to = 3"))
    old = spec.with_name("told.csv")
    old.write_text("old")
    result = sweep(spec, "-o", old, "--lang", "fr")
    assert result.exit_code == 2
    assert result.stderr == f"grognard: {spec}:5: attackers[0].attack: de 4 à 3, il n'y a rien\n"
    assert old.read_text() == "old"
    assert sweep(spec.with_name("missing.toml")).exit_code == 2


def test_more_combinations_than_allowed_are_counted_and_refused(spec: Path) -> None:
    spec.write_text(ENORMOUS)
    problem = refused("sweep", spec, "--lang", "en")
    count = 2 * 9997 * 10000
    assert f"these are {count} combinations, more than 10000000" in problem
    assert f"allow them with --most {count}" in problem
    spec.write_text(SPEC)
    assert "these are 6 combinations, more than 5" in refused("sweep", spec, "--most", "5")
    assert sweep(spec, "--most", "6").exit_code == 0


def test_a_symbolic_link_stays_one(spec: Path) -> None:
    real, link = spec.with_name("real.csv"), spec.with_name("link.csv")
    real.write_text("old")
    link.symlink_to(real)
    assert sweep(spec, "-o", link).exit_code == 0
    assert link.is_symlink()
    assert real.read_text().startswith("row,")


@pytest.mark.process
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_interrupted_sweep_leaves_the_old_file(
    sign: signal.Signals, ending: str, spec: Path
) -> None:
    spec.write_text(ENORMOUS)
    target = spec.with_name(f"told.{ending}")
    target.write_text("old")
    words = ("-m", "grognard", "sweep", spec, "-o", target, "--workers", "2", *MORE)
    with running(sys.executable, *words) as process:
        until(
            lambda: any(f.stat().st_size > 1000 for f in spec.parent.glob(".told*.part")), process
        )
        workers = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(sign)
        _, said = process.communicate(timeout=PATIENCE)
        gone, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    assert gone
    assert not alive
    assert target.read_text() == "old"
    if sign == signal.SIGINT:
        assert "Traceback" not in said
        assert process.returncode == 1
        assert {file.name for file in spec.parent.iterdir()} == {"spec.toml", target.name}
