"""The command `grognard serve`: the web server."""

import socket
import sys
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

import click
import uvicorn

from grognard.cli.options import WholeNumber, lang_option, refusing
from grognard.files.atomic_file import make_folder
from grognard.files.folders import data_folder
from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

if TYPE_CHECKING:
    from starlette.types import ASGIApp

STORE = "matches.sqlite"


@click.command("serve")
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on.",
)
@click.option(
    "--port",
    metavar="N",
    type=WholeNumber(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 chooses a free one.",
)
@click.option(
    "--store",
    metavar="FILE",
    help="File of the stored matches, or postgresql://… (default: a file in your data folder).",
)
@click.option(
    "--workshop",
    is_flag=True,
    help="Let whoever reaches the server write games into your folder (always on if only this "
    "machine reaches it).",
)
@click.option(
    "--webhook",
    metavar="URL",
    help="Address that is told, without any secret, whose turn it is in matches apart.",
)
@lang_option
@refusing
def command(
    host: str,
    port: int,
    store: str | None,
    *,
    workshop: bool,
    webhook: str | None,
    lang: Lang,
) -> None:
    """Serve the web application until Ctrl-C.

    It needs no network, and is reachable from this machine only, unless you set --host.
    """
    from grognard.web import app, process_settings  # noqa: PLC0415  # help stays quick

    listening = _listen(host, port)
    process_settings.settle()
    with listening:
        name, port = listening.getsockname()[:2]
        shown = socket.gethostname() if ip_address(name).is_unspecified else host
        hosts = {*app.LOCAL, host.lower(), shown.lower(), f"{shown.lower()}.local"}
        address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
        told = [address]
        alone = ip_address(name).is_loopback
        if not alone:
            told.append(say("Everybody in your network can reach it.").in_(lang))
        if store is None:
            make_folder(data_folder())
            store = str(data_folder() / STORE)
        made = app.create(store, hosts, workshop=workshop or alone, webhook=webhook)
        _Server(made, told).serve_on(listening)


class _Server(uvicorn.Server):
    """A server that prints its address once it answers, and stops quietly on Ctrl-C."""

    def __init__(self, app: "ASGIApp", told: list[str]) -> None:
        # Pages that follow a match keep their connection open, so the wait for them is short.
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)
        self.told = told

    def serve_on(self, listening: socket.socket) -> None:
        with suppress(KeyboardInterrupt):  # uvicorn raises it again after the shutdown
            self.run([listening])
        if not self.started:
            sys.exit(1)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            for line in self.told:
                click.echo(line)
            sys.stdout.flush()


def _listen(host: str, port: int) -> socket.socket:
    """Open the socket; refuse a port that is in use, or an address of another machine."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        return socket.create_server(address[:2], family=family)
    except (OSError, UnicodeError) as error:
        problem = say(
            "can't listen on {host}, port {port}: {problem}; choose others with --host and --port",
            host=host,
            port=port,
            problem=foreign(error),
        )
        raise Refusal(problem) from None
