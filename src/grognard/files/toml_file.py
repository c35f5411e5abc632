"""TOML read into typed values; a refusal names the line.

tomllib gives no line numbers. When a value is refused, and only then, the text is scanned a second
time for the line of that value.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import TypeVar

import msgspec
from msgspec import inspect

from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near

T = TypeVar("T")
PathStep = str | int
ValuePath = tuple[PathStep, ...]
Problem = tuple[Message, ValuePath]

_PLACE = re.compile(r" - at `(?:key in )?\$?([^`]*)`$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def read(
    text: str, type_: type[T], source: str, dec_hook: Callable[[type, object], object] | None = None
) -> T:
    """Read TOML text as a value of the type, or refuse it with file, line, key and reason."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise refuse_syntax(error, source, text) from None

    def convert(data: object) -> T:
        return msgspec.convert(data, type_, dec_hook=dec_hook)

    try:
        return convert(data)
    except msgspec.ValidationError as error:
        problem, path = explain_error(error, data, type_, convert)
        raise refuse_at(problem, path, text, source) from None


def converted(data: object, type_: type[T]) -> T:
    """Read plain data as a value of the type, or refuse it with the place and the reason."""
    try:
        return msgspec.convert(data, type_)
    except msgspec.ValidationError as error:
        problem, path = explain_error(error, data, type_)
        raise Refusal(problem, place=written(path)) from None


def refuse_syntax(error: tomllib.TOMLDecodeError, source: str, text: str = "") -> Refusal:
    """Make the refusal of a text that is not TOML; without a line number it is the last line."""
    line = re.search(r"\(at line (\d+), column \d+\)", str(error))
    problem = say("this is not TOML: {problem}", problem=re.sub(r" \(at .*\)$", "", str(error)))
    last = len(text.splitlines()) or None
    return Refusal(problem, source=source, line=int(line[1]) if line else last)


def refuse_at(problem: Message, path: ValuePath, text: str, source: str) -> Refusal:
    """Make the refusal of a value, by its path in a TOML text."""
    return Refusal(problem, source=source, line=line_of(text, path), place=written(path))


def written(path: ValuePath) -> str:
    """Write a path as text: tables[0].grid[3][2]."""
    return "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in path).lstrip(".")


def parsed(place: str) -> ValuePath:
    """Read a path that `written` has written."""
    return tuple(key or int(index) for key, index in _STEP.findall(f".{place}") if key or index)


def explain_error(
    error: msgspec.ValidationError,
    data: object,
    type_: object = object,
    convert: Callable[[object], object] | None = None,
) -> tuple[Message, ValuePath]:
    """Translate a validator's error into a message and the path of the value.

    The type tells which words or keys are allowed; `convert` helps to find the key of a mapping,
    which errors leave out.
    """
    text = str(error)
    path: list[PathStep] = []
    if at := _PLACE.search(text):
        text = text[: at.start()]
        for key, index in _STEP.findall(at[1]):
            path.append(key or (int(index) if index.isdigit() else index))
    if convert and _ANY in path:
        path = _with_keys(path, data, str(error), convert)
    if isinstance(error.__cause__, Refusal):
        return error.__cause__.problem, tuple(path)
    for pattern, template in _PROBLEMS.items():
        if match := re.match(pattern, text):
            blanks = {name: value or "" for name, value in match.groupdict().items()}
            found = _at(data, path)
            if "{found}" in template:
                blanks["found"] = _shown(found)
            problem = say(template, **blanks)
            if template in _ONE_OF_SEVERAL and (known := _known(type_, path)):
                close = near(blanks.get("key", str(found)), known)
                problem = say("{problem}; {near}", problem=problem, near=close)
            if template == _UNKNOWN_KEY:
                path.append(blanks["key"])
            return problem, tuple(path)
    return say("{problem}", problem=text), tuple(path)


def unknown_key(key: str, known: Iterable[str]) -> Message:
    """Make the message for an unknown key, with near matches or all known keys."""
    unknown = say("unknown key '{key}'", key=key)
    return say("{problem}; {near}", problem=unknown, near=near(key, known))


_ANY = "..."  # the validator writes this for any key of a mapping

_UNKNOWN_KEY = say("unknown key '{key}'").template
_UNKNOWN_WORD = say("{found} is not possible here").template
_UNEXPECTED = say("expected {expected}, found {found}").template
_ONE_OF_SEVERAL = (_UNKNOWN_KEY, _UNKNOWN_WORD)

_PROBLEMS = {  # errors of the validator, as patterns, and our templates for them
    r"Object missing required field `(?P<key>[^`]*)`": say("the key '{key}' is missing").template,
    r"Object contains unknown field `(?P<key>[^`]*)`": _UNKNOWN_KEY,
    r"Expected `str` matching regex": say("expected some words, found {found}").template,
    r"Expected (?P<expected>.*?)(?:, got `.*`)?$": _UNEXPECTED,
    r"Invalid enum value": _UNKNOWN_WORD,
}


def _at(data: object, path: list[PathStep]) -> object:
    """Give the value at a path, or the nearest value around it."""
    for step in path:
        try:
            data = data[step]  # type: ignore[index]  # a refused value may have any shape
        except (KeyError, IndexError, TypeError):
            break
    return data


def _shown(value: object) -> str:
    match value:
        case dict():
            return "{…}"
        case list():
            return f"[…] ({len(value)})"
        case _:
            return repr(value)


def _with_keys(
    path: list[PathStep], data: object, error: str, convert: Callable[[object], object]
) -> list[PathStep]:
    """Find the key that an error leaves out: alone in its mapping it fails in the same way."""
    place = path.index(_ANY)
    copied = deepcopy(data)
    mapping = _at(copied, path[:place])
    if not isinstance(mapping, dict):
        return path
    for key, value in list(mapping.items()):
        mapping.clear()
        mapping[key] = value
        try:
            convert(copied)
        except msgspec.ValidationError as again:
            if str(again) == error:
                return [*path[:place], key, *path[place + 1 :]]
    return path


def _known(type_: object, path: list[PathStep]) -> list[str]:
    """List the words that a type allows at a path, or the keys of a table."""
    found = [inspect.type_info(type_)]
    for step in path:
        found = [inner for info in found for inner in _inside(info, step)]
    return [word for info in found for word in _words(info)]


def _inside(info: inspect.Type, step: PathStep) -> Iterator[inspect.Type]:
    match info:
        case inspect.UnionType(types=types):
            for one in types:
                yield from _inside(one, step)
        case inspect.StructType(fields=fields):
            yield from (field.type for field in fields if field.encode_name == step)
        case inspect.VarTupleType(item_type=item) | inspect.DictType(value_type=item):
            yield item


def _words(info: inspect.Type) -> Iterator[str]:
    match info:
        case inspect.UnionType(types=types):
            for one in types:
                yield from _words(one)
        case inspect.StructType(fields=fields):
            yield from (field.encode_name for field in fields)
        case inspect.LiteralType(values=values):
            yield from map(str, values)


def line_of(text: str, path: ValuePath) -> int | None:
    """Give the line of the value at a path, or of the nearest value around it."""
    lines = _Scanner(text).lines()
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None


class _Scanner:
    """Scans TOML text that tomllib has accepted, and notes the line of every key and item."""

    _TOKEN = re.compile(
        r"""(?P<skip>[ \t\r]+|\#[^\n]*)|(?P<newline>\n)"""
        r'''|(?P<string>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\])*"|'[^']*')'''
        r"""|(?P<double>\[\[|\]\])|(?P<mark>[\[\]{}=,.])|(?P<bare>[^\s\[\]{}=,.\#"']+)""",
        re.DOTALL,
    )

    def __init__(self, text: str) -> None:
        self._found: dict[ValuePath, int] = {}
        self._tokens: list[tuple[str, str, int]] = []
        line = 1
        for match in self._TOKEN.finditer(text):
            kind = match.lastgroup or ""
            if kind == "double":  # `[[` opens a header only at the start of a line
                self._tokens += [("mark", match[0][0], line)] * 2
            elif kind != "skip":
                self._tokens.append((kind, match[0], line))
            line += match[0].count("\n")
        self._at = 0

    def lines(self) -> dict[ValuePath, int]:
        table: ValuePath = ()
        counts: dict[ValuePath, int] = {}
        while self._at < len(self._tokens):
            kind, word, _ = self._tokens[self._at]
            if kind == "newline":
                self._at += 1
            elif word == "[":
                table = self._header(counts)
            else:
                self._pair(table)
        return self._found

    def _header(self, counts: dict[ValuePath, int]) -> ValuePath:
        line = self._tokens[self._at][2]
        double = self._tokens[self._at + 1][1] == "["
        self._at += 2 if double else 1
        table: ValuePath = ()
        keys = self._keys("]")
        for number, key in enumerate(keys):
            table += (key,)
            if double and number == len(keys) - 1:
                counts[table] = counts.get(table, -1) + 1
            if table in counts:
                self._found.setdefault(table, line)
                table += (counts[table],)
            self._found.setdefault(table, line)
        self._at += 1 if double else 0
        return table

    def _keys(self, end: str) -> list[str]:
        keys = []
        while (token := self._tokens[self._at])[1] != end or token[0] != "mark":
            if token[0] in ("bare", "string"):
                keys.append(next(iter(tomllib.loads(f"{token[1]} = 0"))))
            self._at += 1
        self._at += 1
        return keys

    def _pair(self, table: ValuePath) -> None:
        line = self._tokens[self._at][2]
        for key in self._keys("="):
            table += (key,)
            self._found.setdefault(table, line)
        self._value(table)

    def _value(self, path: ValuePath) -> None:
        _, word, _ = self._tokens[self._at]
        if word in ("[", "{"):
            self._at += 1
            self._members(path, "]" if word == "[" else "}")
            return
        while self._at < len(self._tokens) and not self._ends_value():
            self._at += 1

    def _ends_value(self) -> bool:
        kind, word, _ = self._tokens[self._at]
        return kind == "newline" or (kind == "mark" and word in ",]}")

    def _members(self, path: ValuePath, end: str) -> None:
        index = 0
        while True:
            kind, word, line = self._tokens[self._at]
            if kind == "mark" and word == end:
                self._at += 1
                return
            if kind == "newline" or word == ",":
                self._at += 1
            elif end == "}":
                self._pair(path)
            else:
                self._found.setdefault((*path, index), line)
                self._value((*path, index))
                index += 1
