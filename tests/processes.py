"""Child processes of tests: none outlives its test, and no wait is without a limit."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

PATIENCE: Final = 120.0  # seconds for one wait; a busy machine is no failure


@contextmanager
def running(
    *command: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Run a command in a session of its own, and kill it at the end with all its children."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=env, cwd=cwd, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def line(process: subprocess.Popen[str]) -> str:
    """Read the next line that a process prints; pytest-timeout limits this wait."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def until(condition: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    """Wait for something that a running process, or a thread of this one, brings about."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert process is None or process.poll() is None, "the process has ended"
        assert time.monotonic() < end, f"nothing happened in {PATIENCE} seconds"
        time.sleep(0.01)


def let_children_be_interrupted() -> None:
    """Start children with the default SIGINT where this process was told to ignore it.

    A shell starts a job in the background with SIGINT ignored, and a child inherits that. A
    handler is not inherited, so this process gets one that does nothing.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, _ignore)


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Stay deaf to SIGINT, as the shell asked for."""
