"""The configuration of a server: names, proxies, limits. docs/server.md lists the keys."""

from typing import Annotated

from msgspec import Meta, Struct, convert, to_builtins

from grognard.files.source import read_source
from grognard.files.toml_file import parse, read_data
from grognard.web.lanes.lane import LaneLimits

Count = Annotated[int, Meta(ge=0)]  # 0: no limit
Some = Annotated[int, Meta(ge=1)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename="kebab"):
    """What one visitor may do (`visitor-…`), and all together. 0 means no limit.

    The defaults are those of a server that only its owner and his network reach.
    """

    requests_at_once: Count = 0
    visitor_requests_a_second: Count = 0
    visitor_burst: Some = 200  # requests that may come at once after a rest
    visitor_requests_at_once: Count = 0
    connections: Count = 1_000
    visitor_connections: Count = 500
    streams: Count = 0  # pages that follow a match
    visitor_streams: Count = 0
    matches: Count = 0  # in the store
    visitor_matches: Count = 0
    visitor_matches_an_hour: Count = 0
    automatic: Count = 0  # unfinished matches with an automatic side
    visitor_automatic: Count = 0
    request_seconds: Some = 20  # until the whole request has come
    answer_seconds: Some = 60  # in which some of an answer has to be taken
    head_bytes: Some = 128 * 1024  # of a request without its body
    workers: Some = 2  # processes for expensive work
    work_seconds: Some = 10  # of processor time for one request
    waiting_work: Some = 64  # requests that wait for a worker
    visitor_work: Some = 64  # of them, of one visitor, with those that are worked on
    players: Some = 2  # processes for automatic players

    @property
    def lane(self) -> LaneLimits:
        """The limits of expensive work."""
        return LaneLimits(self.workers, self.work_seconds, self.waiting_work, self.visitor_work)


# A link may have 64 KiB unpacked; a head holds one, beside a dozen headers.
OPEN_LIMITS = Limits(
    requests_at_once=256,
    visitor_requests_a_second=20,
    visitor_requests_at_once=16,
    visitor_connections=40,
    streams=400,
    visitor_streams=16,
    matches=20_000,
    visitor_matches=100,
    visitor_matches_an_hour=30,
    automatic=1_000,
    visitor_automatic=10,
    visitor_work=4,
)


class ServerConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename="kebab"):
    """A server: where it listens, how it is called, whom it believes, what it allows."""

    webhook: str | None = None  # address that is told whose turn it is in matches apart
    open: bool = False  # reached from the internet: all limits, logs as JSON, old matches go
    names: tuple[str, ...] = ()  # host names that it answers for
    behind_proxy: tuple[str, ...] = ()  # addresses of proxies whose forwarded headers are believed
    host: str | None = None
    port: Annotated[int, Meta(ge=0, le=65535)] | None = None
    store: str | None = None
    keep_days: Count = 0  # idle matches are thrown away after so many days; 0: never
    unplayed_days: Count = 0  # the same, for those that nobody has begun to play
    metrics_token: str = ""  # for /metrics from elsewhere than this machine
    stop_seconds: Count = 1  # for requests to finish when the server stops
    limits: Limits = Limits()


THIS_MACHINE = ("127.0.0.1", "::1")
LOCAL_SERVER = ServerConfig()
OPEN_SERVER = ServerConfig(
    open=True, keep_days=90, unplayed_days=2, stop_seconds=20, limits=OPEN_LIMITS
)


def read_config(name: str) -> ServerConfig:
    """Read a configuration file; what it does not say is as on an open server, if it is one."""
    source = read_source(name)
    data = parse(source.text, source.name)
    stated = read_data(data, ServerConfig, source.text, source.name)
    usual = to_builtins(OPEN_SERVER if stated.open else LOCAL_SERVER)
    limits = {**usual["limits"], **to_builtins(data.get("limits", {}))}
    return convert({**usual, **data, "limits": limits}, ServerConfig)
