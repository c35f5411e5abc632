"""The command `grognard serve`: the web server."""

import signal
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING

import click
import uvicorn
from msgspec.structs import replace

from grognard.cli.options import WholeNumber, lang_option, refusing
from grognard.files.atomic_file import make_folder
from grognard.files.folders import data_folder
from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from grognard.web.server_config import ServerConfig

STORE = "matches.sqlite"


@click.command("serve")
@click.option(
    "--host",
    metavar="ADDRESS",
    help="Address to listen on (default: 127.0.0.1, reachable from this machine only).",
)
@click.option(
    "--port",
    metavar="N",
    type=WholeNumber(0, 65535),
    help="Port to listen on; 0 chooses a free one (default: 8000).",
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
    "--open",
    "opened",
    is_flag=True,
    help="Serve the internet: limits for each visitor, old idle matches are thrown away, logs as "
    "JSON. Needs --name.",
)
@click.option(
    "--name",
    "names",
    metavar="HOST",
    multiple=True,
    help="Name under which the server is reached, such as play.example.org; may be repeated.",
)
@click.option(
    "--behind-proxy",
    is_flag=True,
    help="Believe the forwarded headers of a reverse proxy on this machine.",
)
@click.option(
    "--config",
    metavar="FILE",
    help="Take the settings from a TOML file; options of the command come first.",
)
@click.option(
    "--webhook",
    metavar="URL",
    help="Address that is told, without any secret, whose turn it is in matches apart.",
)
@lang_option
@refusing
def command(  # noqa: PLR0913  # an option each
    host: str | None,
    port: int | None,
    store: str | None,
    *,
    workshop: bool,
    opened: bool,
    names: tuple[str, ...],
    behind_proxy: bool,
    config: str | None,
    webhook: str | None,
    lang: Lang,
) -> None:
    """Serve the web application until Ctrl-C.

    It needs no network, and is reachable from this machine only, unless you set --host.
    """
    from grognard.web import app, process_settings, server_config  # noqa: PLC0415  # help stays quick

    if config is not None:
        known = server_config.read_config(config)
    else:
        known = server_config.OPEN_SERVER if opened else server_config.LOCAL_SERVER
    if opened and not known.open:
        raise Refusal(say("--open needs a configuration with open = true"), source=config or "")
    known = replace(
        known,
        names=names or known.names,
        behind_proxy=server_config.THIS_MACHINE if behind_proxy else known.behind_proxy,
        webhook=webhook or known.webhook,
    )
    if known.open and not known.names:
        problem = say("an open server needs a name; --name play.example.org")
        raise Refusal(problem, source=config or "")
    host, port = host or known.host or "127.0.0.1", known.port if port is None else port
    listening = _listen(host, 8000 if port is None else port)
    process_settings.settle()
    with listening:
        address, port = listening.getsockname()[:2]
        shown = socket.gethostname() if ip_address(address).is_unspecified else host
        hosts = {*app.LOCAL, *(name.lower() for name in known.names)}
        if not known.open:
            hosts |= {host.lower(), shown.lower(), f"{shown.lower()}.local"}
        told = [f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"]
        alone = ip_address(address).is_loopback and not known.open
        if not alone and not known.open:
            told.append(say("Everybody in your network can reach it.").in_(lang))
        made = app.create(_store(store, known), hosts, workshop=workshop or alone, config=known)
        _Server(made, told, known).serve_on(listening)


def _store(named: str | None, config: "ServerConfig") -> str:
    """Give the file or the address of the matches; make the folder of the usual one."""
    if named is not None or config.store is not None:
        return named or config.store or ""
    make_folder(data_folder())
    return str(data_folder() / STORE)


class _Server(uvicorn.Server):
    """A server that prints its address once it answers, and stops quietly on Ctrl-C and SIGTERM.

    A stop lets requests finish for a while; pages that follow a match are let go at once.
    """

    def __init__(self, app: "Starlette", told: list[str], known: "ServerConfig") -> None:
        from grognard.web import connections, structured_log  # noqa: PLC0415  # help stays quick

        config = uvicorn.Config(
            app,
            http=connections.guarded(known.limits, known.behind_proxy),
            ws="none",
            log_level="warning",
            log_config=None if known.open else uvicorn.config.LOGGING_CONFIG,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # visitors are told apart in the application
            timeout_graceful_shutdown=known.stop_seconds,
        )
        if known.open:
            structured_log.log_as_json()
        super().__init__(config)
        self.told, self.app = told, app
        self.close_overdue = connections.close_overdue

    def serve_on(self, listening: socket.socket) -> None:
        # uvicorn raises the signal again after the shutdown.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        with suppress(KeyboardInterrupt):
            self.run([listening])
        if not self.started:
            sys.exit(1)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            for line in self.told:
                click.echo(line)
            sys.stdout.flush()

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:  # once a second
            self.close_overdue(self.server_state.connections)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.app.state.visitors.end_streams()
        await super().shutdown(sockets)


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
