"""The application for tests: in this process, or as a server that can be killed."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from threading import enumerate as threads

import httpx
import uvicorn
from starlette.applications import Starlette

from grognard.web.app import create
from tests.processes import PATIENCE, until
from tests.sqlite_file import opened

TICK = 0.005
_SERVER = """
import socket, sys
import uvicorn
from grognard.web.app import create
config = uvicorn.Config(create(sys.argv[1]), log_level="warning", lifespan="on")
uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(sys.argv[2]))])
"""
# Loads all that a server needs, then starts one for each line that it reads: a copy of itself.
_TEMPLATE = """
import os, signal, socket, sys
import uvicorn
from grognard.matches.match import begin
from grognard.web.app import create
from grognard.web.quick import quick_page
quick_page.prepare()
begin("weissenberg", {})
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # a copy that ended leaves nothing behind
for _ in sys.stdin:
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    config = uvicorn.Config(create(sys.argv[1]), log_level="warning", lifespan="on")
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(sys.argv[2]))])
    os._exit(0)
"""


class QuickToStop(uvicorn.Server):
    """A server that stops within milliseconds; uvicorn's own takes two tenths of a second."""

    async def main_loop(self) -> None:
        while not await self.on_tick(0):
            await asyncio.sleep(TICK)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in (*self.servers, *(sockets or ())):
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        while self.server_state.connections or self.server_state.tasks:
            await asyncio.sleep(TICK)
        await self.lifespan.shutdown()


@contextmanager
def client(file: Path | str) -> Iterator[httpx.Client]:
    """Open the application on a file of matches."""
    with served(create(file)) as opened:
        yield opened


@contextmanager
def served(app: Starlette) -> Iterator[httpx.Client]:
    """Run an application in a thread of this process."""
    listening = socket.create_server(("localhost", 0))
    running = QuickToStop(uvicorn.Config(app, log_level="warning", lifespan="on"))
    thread = Thread(target=running.run, args=([listening],))
    thread.start()
    try:
        with httpx.Client(base_url=address(listening), timeout=PATIENCE) as opened:
            yield opened
    finally:
        running.should_exit = True
        thread.join(PATIENCE)
        listening.close()


def address(listening: socket.socket) -> str:
    return f"http://localhost:{listening.getsockname()[1]}"


def settled() -> None:
    """Wait until no automatic player has anything to answer."""
    for thread in threads():
        if thread.name == "automatic players":
            thread.join(PATIENCE)


def content(file: Path) -> list[str]:
    """Everything that a file of matches holds, as SQL."""
    with opened(file) as connection:
        return list(connection.iterdump())


class Server:
    """A server process. The listening socket is ours, so that a client which connects while no
    server runs is answered by the next one."""

    def __init__(self, file: Path | str, *before: str) -> None:
        self.file = file
        self._before = before  # a command that starts the server
        self._socket = socket.create_server(("localhost", 0))
        self.url = address(self._socket)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        number = self._socket.fileno()
        os.set_inheritable(number, True)
        command = [*self._before, sys.executable, "-c", _SERVER, str(self.file), str(number)]
        self._process = subprocess.Popen(command, pass_fds=[number])

    def kill(self) -> None:
        """End the server in the middle of whatever it is doing."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait(PATIENCE)
            self._process = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def close(self) -> None:
        self.kill()
        self._socket.close()

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=PATIENCE)


class ForkedServer(Server):
    """A server process that starts in a tenth of the time: a process that has loaded everything
    makes a copy of itself. Once it runs it is a process like any other."""

    def __init__(self, file: Path | str) -> None:
        super().__init__(file)
        number = self._socket.fileno()
        os.set_inheritable(number, True)
        self._template = subprocess.Popen(
            [sys.executable, "-c", _TEMPLATE, str(file), str(number)],
            pass_fds=[number],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._child = 0

    def start(self) -> None:
        assert self._template.stdin is not None
        assert self._template.stdout is not None
        self._template.stdin.write("start\n")
        self._template.stdin.flush()
        self._child = int(self._template.stdout.readline())

    def kill(self) -> None:
        if self._child:
            with suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGKILL)
            until(lambda: self.ended)
            self._child = 0

    @property
    def pid(self) -> int:
        return self._child

    @property
    def ended(self) -> bool:
        try:
            os.kill(self._child, 0)
        except ProcessLookupError:
            return True
        return False

    def close(self) -> None:
        super().close()
        self._template.kill()
        self._template.communicate(timeout=PATIENCE)


@contextmanager
def forked_server(file: Path | str) -> Iterator[ForkedServer]:
    """Run a server process that can be killed and started again many times."""
    running = ForkedServer(file)
    try:
        running.start()
        yield running
    finally:
        running.close()


@contextmanager
def server(file: Path | str, *before: str) -> Iterator[Server]:
    """Run a server process on a file of matches, or on PostgreSQL."""
    running = Server(file, *before)
    running.start()
    try:
        yield running
    finally:
        running.close()
