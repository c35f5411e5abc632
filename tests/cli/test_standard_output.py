"""Standard output that is full or closed: one message, no traceback, an exit status."""

import os
import sys
from pathlib import Path

import pytest

from tests.processes import PATIENCE, running

SWEEP = ("sweep", str(Path(__file__).parents[2] / "examples" / "sweeps" / "bautzen.toml"))


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [("card", "bautzen"), ("--help",), (*SWEEP, "--workers", "1")])
@pytest.mark.parametrize(
    ("output", "problem"),
    [(">/dev/full", "No space left"), (">&-", "Bad file"), ("| true", "")],
)
def test_output_that_can_not_be_written(words: tuple[str, ...], output: str, problem: str) -> None:
    if words == ("--help",) and output == "| true":
        pytest.skip("one short text fits into the pipe")
    # The pipe is closed before anything is written.
    wait = "sleep 0.2; " if output == "| true" else ""
    call = f"{{ {wait}{sys.executable} -m grognard {' '.join(words)}; echo $? >&2; }} {output}"
    with running("sh", "-c", call, env={**os.environ, "LC_ALL": "C.UTF-8"}) as process:
        _, said = process.communicate(timeout=PATIENCE)
    *lines, status = said.splitlines()
    assert int(status) == 2
    told = [line for line in lines if "combinations" not in line]
    if problem:
        (message,) = told
        assert message.startswith("grognard: standard output can't be written: ")
        assert problem in message
    else:  # who closes a pipe has seen enough
        assert not told
