"""The files for servers: what they run exists, and what they promise is so."""

import configparser
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from grognard.cli.main import main
from grognard.cli.serve import command
from grognard.web.server_config import OPEN_SERVER, read_config

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "deploy"
DOCUMENT = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
OPTIONS = {name for option in command.params for name in option.opts}


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, with their continued lines."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    lines = [one for one in text.splitlines() if not one.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(one.split()[0], one.split(None, 1)[1].strip()) for one in joined.splitlines() if one]


def test_the_dockerfile_copies_what_is_there_and_starts_an_open_server() -> None:
    found = instructions()
    known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL"}
    assert {verb for verb, _ in found} <= known | {"HEALTHCHECK", "ENTRYPOINT", "CMD"}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    for verb, words in found:
        if verb == "COPY" and not words.startswith("--from"):
            for source in words.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert source not in ignored
    (entry,) = (json.loads(words) for verb, words in found if verb == "ENTRYPOINT")
    assert entry[1:3] == ["serve", "--open"]
    assert {word for word in entry if word.startswith("--")} <= OPTIONS
    (check,) = (words for verb, words in found if verb == "HEALTHCHECK")
    program = json.loads(check[check.index("CMD") + 3 :])[2]
    compile(program, "HEALTHCHECK", "exec")
    assert "/health" in program
    last_user = [words for verb, words in found if verb == "USER"][-1]
    assert last_user not in ("root", "0")


def pinned(name: str) -> dict[str, str]:
    """The packages of a locked list with their versions."""
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)(?:\[\w+\])?==([^ ]+)", text, re.MULTILINE))


def test_the_container_has_what_postgresql_needs() -> None:
    """In the versions that are tested."""
    (copied,) = (words for verb, words in instructions() if words.startswith("requirements/"))
    server, run = pinned(Path(copied.split()[0]).name), pinned("run.txt")
    assert any("-r requirements/server.txt" in words for _, words in instructions())
    assert {"psycopg", "psycopg-binary"} <= server.keys() <= {*pinned("dev.txt"), *run}
    assert {name: server[name] for name in run} == run
    tested = pinned("dev.txt")
    assert all(tested.get(name, version) == version for name, version in server.items())


def test_the_container_believes_the_proxy_outside_of_it() -> None:
    """There nobody comes from 127.0.0.1, the only one that --behind-proxy believes."""
    header = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").partition("\nFROM")[0]
    told = [header.replace("#", "").replace("\\\n", ""), DOCUMENT.replace("\\\n", "")]
    for text in told:
        (run,) = re.findall(r"docker run .*", text)
        words = shlex.split(run)
        assert "--behind-proxy" not in words
        (mounted,) = (word for word in words if word.endswith(".toml:ro"))
        file, inside, _ = mounted.split(":")
        assert words[-2:] == ["--config", inside]
        config = read_config(str(ROOT / file))
        assert config.open
        assert config.names == ("play.example.org",)
        assert config.behind_proxy == ("172.17.0.1",)


def unit() -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys have capitals
    parser.read(DEPLOY / "grognard.service", encoding="utf-8")
    return dict(parser["Service"])


def test_the_unit_starts_an_open_server_that_can_write_only_its_store() -> None:
    service = unit()
    program, verb, *words = shlex.split(service["ExecStart"])
    assert (Path(program).name, verb) == ("grognard", "serve")
    assert {word for word in words if word.startswith("--")} <= OPTIONS
    assert service["DynamicUser"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["NoNewPrivileges"] == "yes"
    assert not service["CapabilityBoundingSet"]
    store = read_config(str(DEPLOY / "server.toml")).store
    assert store == f"/var/lib/{service['StateDirectory']}/matches.sqlite"
    assert int(service["TimeoutStopSec"]) > OPEN_SERVER.stop_seconds


def complaints(folder: Path, text: str) -> str:
    """Let systemd read a unit whose program is there; give what it says of it."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here: apt-get install systemd")
    file = folder / "grognard.service"
    file.write_text(text.replace("/opt/grognard/bin/grognard", sys.executable), encoding="utf-8")
    command: list[str | Path] = [
        "systemd-analyze",
        "verify",
        "--man=no",
        "--recursive-errors=no",
        file,
    ]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    said = [line for line in ran.stderr.splitlines() if "grognard" in line]
    return "\n".join(said) or ("" if ran.returncode == 0 else ran.stderr)


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    text = (DEPLOY / "grognard.service").read_text(encoding="utf-8")
    assert complaints(tmp_path, text) == ""
    # And it would say what is wrong.
    for right, wrong in (
        ("KillMode=mixed", "KillMood=mixed"),
        ("TimeoutStopSec=30", "TimeoutStopSec=soon"),
        ("ProtectSystem=strict", "ProtectSystem=perhaps"),
        ("SystemCallFilter=@system-service", "SystemCallFilter=@no-such-group"),
        ("ExecStart=", "ExecStart=/no/such/program "),
    ):
        assert right in text
        assert complaints(tmp_path, text.replace(right, wrong)), wrong


def test_the_configuration_is_that_of_an_open_server() -> None:
    config = read_config(str(DEPLOY / "server.toml"))
    assert config.open
    assert config.names == ("play.example.org",)
    assert config.limits == OPEN_SERVER.limits


def test_the_document_names_options_and_files_that_exist() -> None:
    for option in re.findall(r"`(--[a-z-]+)", DOCUMENT):
        assert option in OPTIONS, option
    for file in re.findall(r"deploy/[\w.]+", DOCUMENT):
        assert (ROOT / file).is_file(), file
    assert "--open" in CliRunner().invoke(main, ["serve", "--help"]).output
    port = re.search(r"port = (\d+)", (DEPLOY / "server.toml").read_text(encoding="utf-8"))
    assert port is not None
    assert DOCUMENT.count(f"127.0.0.1:{port[1]}") >= 2  # of both proxies
    assert "proxy_set_header Host $host;" in DOCUMENT
