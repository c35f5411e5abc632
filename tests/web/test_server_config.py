"""The configuration file of a server."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from grognard.cli.main import main
from grognard.web.server_config import (
    LOCAL_SERVER,
    OPEN_LIMITS,
    OPEN_SERVER,
    Limits,
    ServerConfig,
    read_config,
)
from grognard.words.refusal import Refusal

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "server.md"


def written(folder: Path, text: str) -> str:
    file = folder / "server.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_an_empty_file_is_a_local_server(tmp_path: Path) -> None:
    assert read_config(written(tmp_path, "")) == LOCAL_SERVER


def test_what_a_file_does_not_say_is_as_on_an_open_server(tmp_path: Path) -> None:
    text = 'open = true\nnames = ["play.example.org"]\n[limits]\nvisitor-work = 2\n'
    found = read_config(written(tmp_path, text))
    assert found.names == ("play.example.org",)
    assert found.limits.visitor_work == 2
    assert found.limits.visitor_requests_a_second == OPEN_LIMITS.visitor_requests_a_second
    assert found.keep_days == OPEN_SERVER.keep_days == 90


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("opne = true", "opne"),
        ("open = 1", "open"),
        ("[limits]\nworkers = 0", "workers"),
        ("[limits]\nconnections = -1", "connections"),
        ("port = 70000", "port"),
        ("open", "1"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(Refusal, match=f"server.toml.*{says}"):
        read_config(written(tmp_path, text))


def test_an_open_server_needs_a_name(tmp_path: Path) -> None:
    for words in (["--open"], ["--config", written(tmp_path, "open = true")]):
        result = CliRunner().invoke(main, ["serve", "--lang", "en", "--port", "0", *words])
        assert result.exit_code == 2
        assert "--name" in result.stderr


def test_every_key_is_in_the_document_with_its_defaults() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for type_, local, opened in (
        (ServerConfig, LOCAL_SERVER, OPEN_SERVER),
        (Limits, LOCAL_SERVER.limits, OPEN_LIMITS),
    ):
        for field in type_.__struct_fields__:
            if field == "limits":
                continue
            key = field.replace("_", "-")
            row = re.search(rf"^\| `{key}` \| ([^|]*) \| ([^|]*) \|", text, re.MULTILINE)
            assert row, f"docs/server.md does not tell of {key}"
            for found, config in zip(row.groups(), (local, opened), strict=True):
                value = getattr(config, field)
                if isinstance(value, int) and not isinstance(value, bool):
                    shown = found.strip().replace(",", "")
                    assert shown == ("–" if value == 0 else str(value)), key
