"""`grognard serve --open` as a process, and raw connections to it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.processes import PATIENCE, line, running

NAME = "play.example.org"


class Opened:
    """A running open server."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port
        self.url = f"http://127.0.0.1:{port}"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def raw(self, data: bytes) -> bytes:
        """Send bytes, and read until the server closes the connection."""
        with self.connect() as client:
            client.sendall(data)
            return everything(client)

    def logged(self) -> list[dict[str, Any]]:
        """Stop the server, and read what it has logged."""
        self.process.terminate()
        _, err = self.process.communicate(timeout=PATIENCE)
        return [json.loads(one) for one in err.splitlines()]


def everything(client: socket.socket) -> bytes:
    found = b""
    try:
        while part := client.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found


@contextmanager
def open_server(folder: Path, config: str = "") -> Iterator[Opened]:
    file = folder / "server.toml"
    file.write_text(f'open = true\nnames = ["{NAME}"]\n{config}', encoding="utf-8")
    words = ["--port", "0", "--store", str(folder / "matches.sqlite"), "--config", str(file)]
    command = [sys.executable, "-m", "grognard", "serve", *words]
    with running(*command, env={**os.environ, "PYTHONWARNINGS": "default"}) as process:
        port = int(line(process).rstrip("/").rpartition(":")[2])
        yield Opened(process, port)
