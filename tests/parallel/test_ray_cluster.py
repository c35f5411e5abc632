"""The same tasks on a real Ray cluster, and refused addresses."""

import subprocess
import sys
from itertools import count, islice
from pathlib import Path

import pytest

from grognard.parallel import workers
from grognard.players import series
from grognard.words.refusal import Refusal
from grognard.words.typography import spaced
from tests.parallel.test_workers import (
    Tasks,
    deadly,
    descendants,
    mined,
    refusing,
    slow_first,
    square,
    step_on,
)
from tests.processes import PATIENCE
from tests.study.test_sweep import NORMANDY, deadly_sweeps, job, written  # noqa: F401  # a fixture

pytestmark = pytest.mark.process
ray = pytest.importorskip("ray", reason="Ray has no wheel for this Python")


def test_without_ray_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Refusal, match=r"pip install grognard\[cluster\]"):
        workers.run(square, [1], on="local")


@pytest.mark.parametrize("on", ["", "nonsense", "ray://", "ray://host", "host:99999", "http://a:1"])
def test_what_is_no_cluster_is_refused(on: str) -> None:
    with pytest.raises(Refusal, match=r"expected local, auto, ray://HOST:PORT or HOST:PORT"):
        workers.run(square, [1], on=on)


def test_an_address_where_nobody_listens_is_refused() -> None:
    with pytest.raises(Refusal, match=r"no Ray cluster at 127\.0\.0\.1:1: Connection refused"):
        list(workers.run(square, [1], on="127.0.0.1:1"))


@pytest.mark.usefixtures("deadly_sweeps")
def test_a_real_cluster_gives_the_same_and_loses_nothing(tmp_path: Path) -> None:
    # One test with one cluster: a cluster takes seconds to start, and much memory.
    before = descendants()
    keeping = workers.run(square, count(), on="local", workers=2)
    try:
        assert list(islice(keeping, 5)) == [0, 1, 4, 9, 16]
        assert len(descendants() - before) >= 3
        order_is_kept_and_tasks_are_read_a_few_ahead()
        killed_workers_cost_no_result(tmp_path / "tasks")
        a_killed_worker_does_not_change_a_sweep(tmp_path)
        exceptions_come_in_their_turn()
        a_series_is_that_of_one_core()
        assert next(keeping) == 25
    finally:
        keeping.close()  # type: ignore[attr-defined]  # a generator, which the type does not say
    assert not ray.is_initialized()
    assert descendants() == before


def order_is_kept_and_tasks_are_read_a_few_ahead() -> None:
    assert list(workers.run(slow_first, range(9), on="local")) == list(range(9))
    tasks = Tasks()
    results = workers.run(square, tasks, on="local")
    assert list(islice(results, 10)) == [n * n for n in range(10)]
    assert tasks.read <= 10 + workers.AHEAD * 2
    results.close()  # type: ignore[attr-defined]  # a generator, which the type does not say


def killed_workers_cost_no_result(folder: Path) -> None:
    folder.mkdir()
    assert list(workers.run(step_on, mined(folder), on="local")) == [n * 10 for n in range(12)]
    assert {file.name for file in folder.iterdir()} == {"mark2", "mark3", "mark7"}
    with pytest.raises(Refusal, match=r"task 3 \(2\) ended its worker 4 times and is given up"):
        list(workers.run(deadly, range(6), on="local"))


def a_killed_worker_does_not_change_a_sweep(folder: Path) -> None:
    text, mark = NORMANDY.swept(), folder / "mark"
    on_ray = job(text, str(mark), chunk=5, workers=2, on="local")
    fallen = written(on_ray, folder / "fallen.parquet")
    assert mark.exists()
    assert fallen == written(job(text), folder / "alone.parquet")


def exceptions_come_in_their_turn() -> None:
    got = list[int]()
    with pytest.raises(Refusal) as raised:
        got.extend(workers.run(refusing, count(), on="local"))
    assert got == [0, 1, 2]
    assert type(raised.value) is Refusal
    assert raised.value.in_("fr") == spaced("a.toml:4: x: deux lignes pour « 4 »")


def a_series_is_that_of_one_core() -> None:
    """Run it on the cluster from this process, and by its address from another program."""
    battle = series.battle("steppe", {})
    alone = list(series.run(battle, 2, 7, keep=True, workers=1))
    assert list(series.run(battle, 2, 7, keep=True, on="local")) == alone
    words = ["series", "steppe", "--matches", "2", "--seed", "7", "--json"]
    address = ray.get_runtime_context().gcs_address
    there = command(*words, "--on", address)
    assert there == command(*words, "--workers", "1")
    assert there.count(b'"seed"') == 3


def command(*words: str) -> bytes:
    run = subprocess.run(
        [sys.executable, "-m", "grognard", *words],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    assert run.stderr == b""
    return run.stdout
