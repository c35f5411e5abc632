"""Texts that users write: encodings, and data beyond the limits."""

import json
from pathlib import Path

import pytest

from grognard.files.source import Source, is_file, read_source
from grognard.words.refusal import Refusal

DEEP = f'{{"a":\n {"[" * 100_000}{"]" * 100_000}}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'{{"a": 1,\n"b": {"9" * 5000}}}', "f:2: the number is too large; at most 1000000"),
        ('{"a": {"b": [1, -9007199254740992]}}', "f: a.b[1]: the number is too large"),
        (DEEP, "f:2: this is nested too deeply; at most 16 levels"),
        (f'{{"a": {"[" * 20}{"]" * 20}}}', "f: a" + "[0]" * 16 + ": this is nested too deeply"),
        (r'{"a": ["\ud800"]}', "f: a[0]: the text has half of a character (a lone surrogate)"),
        (r'{"a": {"x\udc00": 1}}', "f: a: the text has half of a character"),
        ("{", "f:1: this is not JSON: "),
    ],
)
def test_json_beyond_the_limits_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        Source("f", text).data()
    assert str(caught.value).startswith(message)
    assert "demi-codet" in caught.value.in_("fr") or "half" not in message


@pytest.mark.parametrize("text", ["a = 'é'\n", '{"a": "é"}'])
def test_the_mark_of_windows_editors_is_left_out(text: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read_source(str(file)).data() == {"a": "é"}


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless file")
def test_a_file_without_end_is_refused() -> None:
    with pytest.raises(Refusal, match="/dev/zero: this is too long; at most 16777216 bytes"):
        read_source("/dev/zero")


def test_whole_characters_beyond_the_first_plane_are_read() -> None:
    assert Source("f", json.dumps({"a": "🎲"})).data() == {"a": "🎲"}


def test_a_name_that_no_file_can_have_is_no_file() -> None:
    assert not is_file("a" * 5000)
    assert not is_file("a\0b")
