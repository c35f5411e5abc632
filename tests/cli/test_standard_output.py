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
    [(">/dev/full", "No space left"), (">&-", "Bad file"), ("| true", "Broken pipe")],
)
def test_output_that_can_not_be_written(words: tuple[str, ...], output: str, problem: str) -> None:
    if words == ("--help",) and output == "| true":
        pytest.skip("one short text fits into the pipe")
    # The pipe is closed before anything is written.
    wait = "sleep 0.2; " if output == "| true" else ""
    call = f"{{ {wait}{sys.executable} -m grognard {' '.join(words)}; echo $? >&2; }} {output}"
    with running("sh", "-c", call, env={**os.environ, "LC_ALL": "C.UTF-8"}) as process:
        _, said = process.communicate(timeout=PATIENCE)
    *before, message, status = said.splitlines()
    assert message.startswith("grognard: standard output can't be written: ")
    assert problem in message
    assert int(status) == 2
    assert not [line for line in before if "combinations" not in line]
