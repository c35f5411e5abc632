"""An open server behind nginx and behind Caddy, set up as the document says, with TLS."""

import os
import re
import shutil
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.processes import PATIENCE, running, until
from tests.web.open_server import NAME, Opened, open_server

pytestmark = pytest.mark.process

DOCUMENT = Path(__file__).parents[2] / "docs" / "server.md"
BEHIND = 'behind-proxy = ["127.0.0.1", "::1"]'


class Tls(NamedTuple):
    """Files of a certificate that we have made ourselves."""

    certificate: Path
    key: Path


def certificate(folder: Path) -> Tls:
    """Make a certificate of the server's name."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = Tls(folder / "fullchain.pem", folder / "privkey.pem")
    files.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


# ------------------------------------------------------------------ the proxies


class Setting(NamedTuple):
    """Where a proxy listens and what it passes requests to."""

    folder: Path
    port: int
    server: int
    tls: Tls


def documented(begin: str) -> str:
    """Give the block of the document that begins with a line."""
    (found,) = re.findall(rf"```\w*\n({re.escape(begin)}\n.*?)```", DOCUMENT.read_text(), re.DOTALL)
    return str(found)


def changed(text: str, **replaced: str) -> str:
    """Put this test's ports and files in the place of the document's."""
    for old, new in replaced.items():
        assert old in text
        text = text.replace(old, new)
    return text


def nginx(setting: Setting) -> list[str]:
    host = changed(
        documented("server {"),
        **{
            "listen 443 ssl;": f"listen 127.0.0.1:{setting.port} ssl;",
            "    listen [::]:443 ssl;\n": "",
            "/etc/letsencrypt/live/play.example.org": str(setting.folder),
            "127.0.0.1:8000": f"127.0.0.1:{setting.server}",
        },
    )
    folders = "".join(
        f"{kind}_temp_path {setting.folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = setting.folder / "nginx.conf"
    file.write_text(
        f"daemon off; master_process off; pid {setting.folder}/pid; error_log stderr;\n"
        f"events {{}}\nhttp {{\naccess_log {setting.folder}/access.log;\n{folders}{host}}}\n",
        encoding="utf-8",
    )
    return ["nginx", "-e", "stderr", "-p", str(setting.folder), "-c", str(file)]


def caddy(setting: Setting) -> list[str]:
    host = changed(
        documented("play.example.org {"),
        **{
            "play.example.org {": f"https://{NAME}:{setting.port} {{\n"
            f"    bind 127.0.0.1\n    tls {setting.tls.certificate} {setting.tls.key}",
            "127.0.0.1:8000": f"127.0.0.1:{setting.server}",
        },
    )
    file = setting.folder / "Caddyfile"
    file.write_text(f"{{\nadmin off\nauto_https off\n}}\n{host}", encoding="utf-8")
    return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


class Proxied(NamedTuple):
    """An open server, and the port of the proxy before it."""

    server: Opened
    port: int
    tls: Tls

    @contextmanager
    def browser(self, **headers: str) -> Iterator[httpx.Client]:
        """Come by the proxy under the server's name."""
        trust = ssl.create_default_context(cafile=str(self.tls.certificate))
        with httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            headers={"host": NAME, **headers},
            verify=trust,
            timeout=PATIENCE,
        ) as web:
            web.event_hooks["request"] = [_by_name]
            yield web


def _by_name(request: httpx.Request) -> None:
    request.extensions["sni_hostname"] = NAME


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


PROXIES: dict[str, Callable[[Setting], list[str]]] = {"nginx": nginx, "caddy": caddy}


@pytest.fixture(params=PROXIES)
def proxied(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Proxied]:
    program = str(request.param)
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    tls, port = certificate(tmp_path), free_port()
    with open_server(tmp_path, BEHIND) as server:
        command = PROXIES[program](Setting(tmp_path, port, server.port, tls))
        folders = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}  # of Caddy
        with running(*command, env={**os.environ, **folders}) as process:
            found = Proxied(server, port, tls)
            until(lambda: _answers(found), process)
            yield found


def _answers(proxied: Proxied) -> bool:
    try:
        with proxied.browser() as web:
            return web.get("/health").status_code == 200
    except httpx.TransportError:
        return False


# ------------------------------------------------------------------ what comes through


def test_a_match_apart_is_played_through_the_proxy(proxied: Proxied) -> None:
    """Cookies are for TLS only, events come as they happen, addresses are those of the name."""
    with proxied.browser(origin=f"https://{NAME}") as web, proxied.browser() as other:
        begun = web.post("/api/matches", json={"scenario": "weissenberg", "apart": True})
        assert begun.status_code == 201
        path, links = f"/api/matches/{begun.json()['id']}", begun.json()["links"]
        taken = web.get(links["german"])
        assert (taken.status_code, taken.headers["location"]) == (303, path.removeprefix("/api"))
        cookie = taken.headers["set-cookie"].lower()
        assert cookie.startswith("__host-visitor=")
        assert all(word in cookie for word in ("; secure", "; httponly", "; samesite=lax"))
        assert other.get(links["allied"]).status_code == 303
        with other.stream("GET", f"{path}/events") as stream:
            told = stream.iter_lines()
            assert "id: 0" in told
            answered = web.post(f"{path}/answers", json={"version": 0, "answer": ["end"]})
            assert answered.status_code == 200
            assert "id: 1" in told  # while the stream is open: nothing holds it back
        feed = web.post(f"{path}/feed").json()["feed"]
        assert f"https://{NAME}/matches/" in other.get(feed).text


SECRET = ("/seat/Zk3", "/feed/Zk3?lang=en", "/lang/fr?to=/seat/Zk3")


def test_no_log_of_the_proxy_has_a_secret_link(proxied: Proxied, tmp_path: Path) -> None:
    with proxied.browser() as web:
        for path in ("/matches", *SECRET):
            web.get(path)
        web.post("/seat/Zk3", json={})
        proxied.server.process.kill()  # what the proxy then logs as an error
        for path in SECRET:
            assert web.get(path).status_code == 502
    log = tmp_path / "access.log"  # of nginx; Caddy writes none
    if log.exists():
        until(lambda: "/matches" in log.read_text(encoding="utf-8"))
        assert "Zk3" not in log.read_text(encoding="utf-8")


def test_the_documented_nginx_logs_no_secret_link() -> None:
    """The same without nginx: the place of these addresses writes no log."""
    (pattern, place) = re.findall(r"location ~ (\S+) \{(.*?)\}", documented("server {"), re.DOTALL)[
        0
    ]
    assert all(re.match(pattern, path) for path in SECRET)
    assert not re.match(pattern, "/matches/Zk3")
    assert "access_log off;" in place
    assert "error_log /dev/null" in place


def test_the_proxy_hides_nothing_that_protects(proxied: Proxied) -> None:
    """Foreign pages, long bodies, invented addresses: as without a proxy. Answers are packed."""
    with proxied.browser() as web:
        foreign = {"origin": "https://evil.example"}
        refused = web.post("/api/matches", json={"scenario": "weissenberg"}, headers=foreign)
        assert refused.status_code == 403
        assert web.post("/api/odds", json=["x" * 300_000]).status_code == 413
        games = web.get("/api/games/normandy")
        assert games.headers["content-encoding"] == "gzip"
        assert games.headers["x-content-type-options"] == "nosniff"
        for invented in ("192.0.2.1", "127.0.0.1, 192.0.2.2", "::1"):
            assert web.get("/", headers={"x-forwarded-for": invented}).status_code == 200
        assert web.get("/metrics").status_code == 404
    requests = [one for one in proxied.server.logged() if "visitor" in one]
    assert len({one["visitor"] for one in requests}) == 1
    assert {one["status"] for one in requests} >= {200, 403, 404}
