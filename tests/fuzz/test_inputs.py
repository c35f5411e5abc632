"""Mutated inputs of every kind: each is answered or refused, soon, and with little memory."""

import asyncio
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Final
from urllib.parse import unquote

import pytest
from starlette.applications import Starlette
from starlette.types import Message

from grognard.fights.odds import forget
from grognard.fights.work_budget import allow
from grognard.web.app import create
from tests.fuzz import inputs
from tests.processes import PATIENCE
from tests.tiers import sized

SECONDS: Final = 10  # of processor time for one case
MEMORY: Final = 1 << 30  # bytes, beyond what the process has at the beginning
SIZES: Final = {  # cases in `make test`
    "fight": 200,
    "record": 200,
    "dice": 100,
    "sweep": 70,
    "plan": 60,
    "card": 30,
    "scenario": 80,
    "match": 150,
    "mail": 60,
    "proof": 200,
    "http": 250,
}

pytestmark = [
    pytest.mark.no_cover,  # pytest-cov: tracing doubles the time
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read in /proc"),
]


@contextmanager
def limited_memory() -> Iterator[None]:
    """Let the process grow by so much, and no more."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def limited_time() -> Iterator[None]:
    """Interrupt what takes too long; a busy machine does not count."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"still running after {SECONDS} seconds")

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def guarded(kind: str, number: int, broken: list[str]) -> Iterator[Random]:
    """Try one case, which depends on its kind and number alone; note what it raises."""
    allow(None)
    if number % 500 == 0:
        forget()  # what the caches keep of so many cards is not what one input costs
    try:
        yield Random(f"{kind} {number}")
    except Exception as error:  # any is a failure, and the other cases go on
        broken.append(f"{kind} {number}: {type(error).__name__}: {str(error)[:300]}")


def cases(kind: str) -> int:
    """Give the number of cases of a kind in this tier."""
    return sized(SIZES[kind], quick=SIZES[kind] // 6, soak=100_000)


def report(broken: list[str], count: int) -> None:
    """Fail if any case is broken."""
    assert not broken, "\n".join([f"{len(broken)} of {count} are broken:", *broken[:20]])


@pytest.mark.parametrize("kind", inputs.KINDS)
def test_a_mutated_input_is_answered_or_refused(
    kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, broken = tmp_path_factory.mktemp(kind), list[str]()
    count = cases(kind)
    with limited_memory():
        for number in range(count):
            with guarded(kind, number, broken) as random, limited_time():
                inputs.KINDS[kind](random, folder)
    report(broken, count)


@pytest.mark.slow
def test_a_mutated_request_is_answered_or_refused(tmp_path: Path) -> None:
    app = create(tmp_path / "matches.db")
    app.state.lanes = None  # all in this process, whose time and memory are limited
    asyncio.run(_requests(app, cases("http")))


async def _requests(app: Starlette, count: int) -> None:
    broken: list[str] = []
    async with app.router.lifespan_context(app):
        with limited_memory():
            for number in range(count):
                with guarded("http", number, broken) as random:
                    # The work is done in threads, so this counts the seconds of the clock.
                    async with asyncio.timeout(PATIENCE):
                        request = inputs.request(random)
                        status = await answered(app, *request)
                    assert 200 <= status < 500, (status, request)
    report(broken, count)


async def answered(app: Starlette, method: str, address: str, body: bytes) -> int:
    """Give the status with which the application answers; what it raises comes through."""
    path, _, query = address.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        "server": ("localhost", 80),
        "client": ("localhost", 1),
    }
    statuses: list[int] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    await app(scope, receive, send)
    return statuses[0]
