"""Work that may wait: in another process, and not for somebody who has left."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import pytest
from starlette.requests import Request
from starlette.types import Message

from grognard.web.background import beside

pytestmark = pytest.mark.process


def asked(*, gone: bool) -> Request:
    """Make a request of somebody who waits, or has left."""

    async def receive() -> Message:
        if not gone:
            await anyio.sleep_forever()
        return {"type": "http.disconnect"}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


def worked(path: Path) -> int:
    path.touch()
    return os.getpid()


def found(path: Path, *, gone: bool) -> int | None:
    """Ask in a thread of its own: a browser test may have left a loop running in this one."""

    async def ask() -> int | None:
        return await beside(asked(gone=gone), worked, path)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, ask).result()


def test_it_is_done_in_another_process(tmp_path: Path) -> None:
    assert found(tmp_path / "done", gone=False) not in (None, os.getpid())
    assert (tmp_path / "done").exists()


def test_nothing_is_done_for_somebody_who_has_left(tmp_path: Path) -> None:
    assert found(tmp_path / "done", gone=True) is None
    assert not (tmp_path / "done").exists()
