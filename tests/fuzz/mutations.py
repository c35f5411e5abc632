"""Mutations of good inputs: of the data that TOML or JSON states, and of the bytes of a text."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any, Final, Literal

Format = Literal["toml", "json"]


class Raw(str):
    """A value that is written as it stands, such as a number that Python can't print."""

    __slots__ = ()


NUMBERS: Final = (
    *(-1, 0, 1, 2, 3, 7, 99, 100, 101, 9999, 10_000, 10_001, 10**6, -(10**6)),
    *(2**31, -(2**31) - 1, 2**53, 2**63, -(2**63), 10**20, 10**30),
    *(0.5, -1.0, 1e300, Raw("1e999"), Raw("-0"), Raw("9" * 5000), Raw("-" + "1" * 4300)),
)
WORDS: Final = (
    *("", " ", "\n", "\t", "\0", "\x1b[31m", "é", "e\u0301", "ß", "İ", "²", "١", "½", "０"),
    *("\u202e", "\u2028", "\ufeff", "\uffff", "🎲", "𐀀", "<script>", "&amp;", "'", '"', "\\"),
    *("a.b", "[0]", "{0}", "{", "}", "{unit}", "%s", "%(x)s", "../../x", "/dev/null", "-", "--"),
    *("=", "+", ",", "1/0", "1/2", "-1", "1e5", "nan", "None", "true", "?", "x" * 300, "x " * 999),
)
SURROGATES: Final = ("\ud800", "a\udc00b", "\udfff\ud800")
LEVELS: Final = (3, 15, 16, 17, 30, 120, 2000)
BYTES: Final = (b"\xef\xbb\xbf", b"\xff", b"\0", b"\xed\xa0\x80", b"\xc3", b"\r\n", b"[[", b"\\u")


def mutated(data: Any, random: Random, format_: Format) -> bytes:  # noqa: ANN401  # plain data
    """Write data with one to three mutations; now and then the bytes are mutated as well."""
    data = deepcopy(data)
    for _ in range(random.choice((0, 1, 1, 1, 1, 2, 2, 3))):
        data = _mutate(data, random, format_)
    text = written(data, format_).encode("utf-8", "surrogatepass")
    return mutated_bytes(text, random) if random.random() < 0.15 else text


def _mutate(data: Any, random: Random, format_: Format) -> Any:  # noqa: ANN401  # plain data
    """Mutate one place of the data."""
    places = _places(data)
    if not places:
        return data
    holder, key = random.choice(places)
    match random.randrange(8):
        case 0:
            del holder[key]
        case 1:  # twice
            if isinstance(holder, list):
                holder.insert(key, deepcopy(holder[key]))
            else:
                holder[random.choice((*holder, *WORDS))] = deepcopy(holder[key])
        case 2:  # swapped with another place
            other, there = random.choice(places)
            holder[key], other[there] = deepcopy(other[there]), deepcopy(holder[key])
        case 3 if isinstance(holder, dict):  # under another name
            holder[_word(key, random, format_)] = holder.pop(key)
        case 4 if isinstance(holder, list):
            random.shuffle(holder)
        case 5:
            holder[key] = _other_type(holder[key], random)
        case _:
            holder[key] = _other_value(holder[key], random, format_)
    return data


def _places(data: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401  # plain data
    """List every place with the mapping or list that holds it."""
    found: list[tuple[Any, Any]] = []
    for holder in _holders(data):
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        found += [(holder, key) for key in keys]
    return found


def _holders(data: Any) -> list[Any]:  # noqa: ANN401  # plain data
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else None
    return [] if inner is None else [data, *(h for value in inner for h in _holders(value))]


def _other_value(value: Any, random: Random, format_: Format) -> Any:  # noqa: ANN401  # plain data
    match value:
        case bool():
            return not value
        case int() | float():
            return random.choice((*NUMBERS, value + 1, value - 1, -value))
        case str():
            return _word(value, random, format_)
        case list():
            return random.choice(([], value * 2, value[::-1], value * 40))
        case dict():
            return random.choice(({}, {**value, "x": 1}, [value]))
    return value


def _word(word: str, random: Random, format_: Format) -> str:
    """Change a letter of a word, or take another word."""
    if word and random.random() < 0.5:
        place = random.randrange(len(word))
        return f"{word[:place]}{random.choice('aQ 0.é')}{word[place + random.randrange(2) :]}"
    words: tuple[str, ...] = (*WORDS, *(SURROGATES if format_ == "json" else ()))
    return random.choice(words)


def _other_type(value: Any, random: Random) -> Any:  # noqa: ANN401  # plain data
    levels = random.choice(LEVELS)
    deep_list, deep_table = "[" * levels + "]" * levels, '{"a"=' * levels + "1" + "}" * levels
    others: tuple[Any, ...] = (
        "1",
        1,
        1.5,
        True,
        [],
        {},
        [value],
        {"a": value},
        str(value)[:50],
        None,
    )
    return random.choice((*others, Raw(deep_list), Raw(deep_table)))


# ------------------------------------------------------------------ writing


def written(data: Any, format_: Format) -> str:  # noqa: ANN401  # plain data
    """Write plain data; a top-level table of TOML has a line for each key."""
    if format_ == "toml" and isinstance(data, dict):
        return "".join(f"{_key(key)} = {_value(value, 'toml')}\n" for key, value in data.items())
    return _value(data, format_)


def _value(value: Any, format_: Format) -> str:  # noqa: ANN401  # plain data
    sign = " = " if format_ == "toml" else ": "
    match value:
        case Raw():
            return value if format_ == "toml" else value.replace("=", ":")
        case dict():
            inner = (f"{_key(key)}{sign}{_value(part, format_)}" for key, part in value.items())
            return "{" + ", ".join(inner) + "}"
        case list():
            return "[" + ", ".join(_value(part, format_) for part in value) + "]"
        case None:
            return "null"
    return json.dumps(value)


def _key(key: str) -> str:
    return json.dumps(key)


# ------------------------------------------------------------------ bytes


def mutated_bytes(text: bytes, random: Random) -> bytes:
    """Mutate the bytes of a text: cut, repeat, replace, insert."""
    for _ in range(random.randint(1, 3)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((1, 1, 2, 8, 60, 3000)))
        part = random.choice((b"", text[start:end] * 2, random.randbytes(1), random.choice(BYTES)))
        text = text[:start] + part + text[end if random.random() < 0.7 else start :]
    return random.choice((text, text, text, BYTES[0] + text, text[: len(text) // 2]))
