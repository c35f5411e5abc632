"""`grognard serve`, as a process of its own."""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from grognard.cli.main import main
from tests.processes import PATIENCE, line, running

pytestmark = pytest.mark.process

ROOT = Path(__file__).parent.parent.parent


@contextmanager
def serving(*words: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Run the command."""
    command = [sys.executable, "-m", "grognard", "serve", *words]
    with running(*command, env={**os.environ, **environment}) as process:
        yield process


def test_it_tells_its_address_answers_and_leaves_on_ctrl_c(tmp_path: Path) -> None:
    store = tmp_path / "kept.sqlite"
    with serving("--port", "0", "--store", str(store)) as process:
        address = line(process)
        assert address.startswith("http://127.0.0.1:")
        assert address.endswith("/")
        assert httpx.get(address, timeout=PATIENCE).status_code == 200
        games = httpx.get(f"{address}api/games", timeout=PATIENCE)
        assert "server" not in games.headers
        assert {"bautzen", "normandy"} <= {game["id"] for game in games.json()}
        assert store.is_file()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, err) == (0, "", "")


def test_it_leaves_although_a_page_follows_a_match(tmp_path: Path) -> None:
    with serving("--port", "0", "--store", str(tmp_path / "kept.sqlite")) as process:
        address = line(process)
        begun = httpx.post(
            f"{address}api/matches", json={"scenario": "weissenberg"}, timeout=PATIENCE
        )
        path = f"api/matches/{begun.json()['id']}/events"
        with httpx.stream("GET", f"{address}{path}", timeout=PATIENCE) as events:
            assert next(events.iter_lines()).startswith("event:")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=PATIENCE)
        assert process.returncode == 0


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children are listed in /proc")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_the_process_that_works_hints_out_leaves_too(tmp_path: Path, end: signal.Signals) -> None:
    fight = {
        "attackers": [{"name": "A", "attack": 8}],
        "defenders": [{"name": "D", "defence": 4}],
    }
    with serving("--port", "0", "--store", str(tmp_path / "kept.sqlite")) as process:
        hints = f"{line(process)}games/bautzen/attack/hints"
        assert httpx.post(hints, json={"fight": fight}, timeout=PATIENCE).json()["hints"]
        tasks = Path(f"/proc/{process.pid}/task").iterdir()
        children = [int(n) for task in tasks for n in (task / "children").read_text().split()]
        assert children
        pipes = [os.pidfd_open(child) for child in children]
        process.send_signal(end)
        process.communicate(timeout=PATIENCE)
        for pipe in pipes:
            assert select.select([pipe], [], [], PATIENCE)[0]  # it has ended
            os.close(pipe)


def test_matches_are_kept_in_the_users_data_folder(tmp_path: Path) -> None:
    with serving("--port", "0", XDG_DATA_HOME=str(tmp_path), HOME=str(tmp_path)) as process:
        assert line(process)
        assert list(tmp_path.rglob("grognard/matches.sqlite"))


def test_a_port_in_use_is_refused_with_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with serving("--port", port, "--lang", "en") as process:
            out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert port in err
    assert "--port" in err


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1", "a" * 70])
def test_an_address_that_is_not_ours_is_refused(host: str, tmp_path: Path) -> None:
    words = ["serve", "--host", host, "--port", "0", "--store", str(tmp_path / "kept.sqlite")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert host in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "kept.sqlite").exists()


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_can_not_be_is_refused(port: str) -> None:
    assert CliRunner().invoke(main, ["serve", "--port", port]).exit_code == 2


def test_a_file_that_is_not_of_matches_is_refused_and_left_alone(tmp_path: Path) -> None:
    store = tmp_path / "letter.txt"
    store.write_text("Dear General, " * 100, encoding="utf-8")
    result = CliRunner().invoke(main, ["serve", "--port", "0", "--store", str(store)])
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert store.read_text(encoding="utf-8").startswith("Dear General")


def test_told_another_host_it_answers_for_it_and_says_who_can_reach_it(tmp_path: Path) -> None:
    words = ["--host", "0.0.0.0", "--port", "0", "--store", str(tmp_path / "kept.sqlite")]
    with serving(*words, "--lang", "en") as process:
        address, warning = line(process), line(process)
        own = socket.gethostname().lower()
        assert address.lower().startswith(f"http://{own}:")
        assert "network" in warning
        port = address.rstrip("/").rpartition(":")[2]
        for host, status in ((own, 200), ("10.0.0.7", 200), ("evil.example", 421)):
            url = f"http://127.0.0.1:{port}/api/games"
            asked = httpx.get(url, headers={"host": host}, timeout=PATIENCE)
            assert asked.status_code == status, host


def test_make_run_serves() -> None:
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    assert lines[lines.index("run: $(RUN)") + 1].strip() == "@$(BIN)/grognard serve"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--host", "127.0.0.1"], 200),
        (["--host", "0.0.0.0"], 403),
        (["--host", "0.0.0.0", "--workshop"], 200),
    ],
    ids=["alone", "reached", "switched-on"],
)
def test_the_workshop_is_off_where_others_reach_it(
    tmp_path: Path, words: list[str], status: int
) -> None:
    store = str(tmp_path / "matches.sqlite")
    with serving("--port", "0", "--store", store, *words) as process:
        port = line(process).strip().rstrip("/").rpartition(":")[2]
        answer = httpx.get(f"http://127.0.0.1:{port}/workshop", timeout=PATIENCE)
    assert answer.status_code == status
