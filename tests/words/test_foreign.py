"""Messages of the system and of libraries in French."""

import errno
import json
import os
import tomllib

import msgspec
import pytest

from grognard.words.foreign import foreign
from grognard.words.typography import spaced


@pytest.mark.parametrize(
    "number",
    [errno.ENOENT, errno.EACCES, errno.ENOSPC, errno.ENOTDIR, errno.EISDIR, errno.EADDRINUSE],
)
def test_what_the_system_says_is_translated(number: int) -> None:
    message = foreign(OSError(number, os.strerror(number)))
    assert message.in_("en") == os.strerror(number)
    assert message.in_("fr") != os.strerror(number)
    assert "«" not in message.in_("fr")


@pytest.mark.parametrize(
    "text", ["a", "a = ", "a = [1", "a = 1 b", "[a", "[[a]", "a = 'b", "a = 1\na = 2", "= 1"]
)
def test_what_is_wrong_with_toml_is_translated(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    said = str(caught.value).split(" (at ", maxsplit=1)[0]
    message = foreign(said)
    assert message.in_("en") == said
    assert message.template != "{words}"


@pytest.mark.parametrize("text", ["{", "[1", "[1 2]", '{"a" 1}', "nope", '{"a": }', '"a', "1 2"])
def test_what_is_wrong_with_json_is_translated(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)
    assert foreign(caught.value.msg).template != "{words}"
    with pytest.raises(msgspec.DecodeError) as other:
        msgspec.json.decode(text)
    assert foreign(other.value).template != "{words}"


def test_an_unknown_message_is_quoted_in_french() -> None:
    message = foreign("flux capacitor missing")
    assert message.in_("en") == "flux capacitor missing"
    assert message.in_("fr") == spaced("« flux capacitor missing »")


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [
        (1, "a list of at least 1 entry", "une liste d'au moins 1 élément"),
        (2, "a list of at least 2 entries", "une liste d'au moins 2 éléments"),
    ],
)
def test_a_number_chooses_its_noun(number: int, english: str, french: str) -> None:
    message = foreign(f"`array` of length >= {number}")
    assert (message.in_("en"), message.in_("fr")) == (english, french)
