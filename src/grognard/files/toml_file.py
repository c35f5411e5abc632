"""TOML read into typed values; a refusal names the line.

tomllib gives no line numbers. When a value is refused, and only then, the text is scanned a second
time for the line of that value.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import TypeVar

import msgspec
from msgspec import inspect

from grognard.files.plain_data import DEPTH, TOO_DEEP, plain_problem, too_large
from grognard.files.toml_lines import deep_line, line_of, long_key_line, long_number_line
from grognard.files.value_path import PathStep, ValuePath, short, written
from grognard.words.foreign import foreign
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near, shown
from grognard.words.text import LANGS, Text

T = TypeVar("T")

_PLACE = re.compile(r" - at `(?:key in )?\$?([^`]*)`$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def read(
    text: str, type_: type[T], source: str, dec_hook: Callable[[type, object], object] | None = None
) -> T:
    """Read TOML text as a value of the type, or refuse it with file, line, key and reason."""
    return read_data(parse(text, source), type_, text, source, dec_hook)


def read_data(
    data: object,
    type_: type[T],
    text: str,
    source: str,
    dec_hook: Callable[[type, object], object] | None = None,
) -> T:
    """Read the data of a TOML text as a value of the type, or refuse it like `read`."""

    def convert(data: object) -> T:
        return msgspec.convert(data, type_, dec_hook=dec_hook)

    try:
        return convert(data)
    except msgspec.ValidationError:
        data = in_both_languages(data, inspect.type_info(type_))
    try:
        return convert(data)
    except msgspec.ValidationError as error:
        problem, path = explain_error(error, data, type_, convert)
        raise refuse_at(problem, path, text, source) from None


def parse(text: str, source: str) -> dict[str, object]:
    """Read TOML text as plain data within the limits of `plain_data`."""
    if (line := long_key_line(text)) is not None:
        raise Refusal(TOO_DEEP, source=source, line=line)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _refuse_syntax(error, source, text) from None
    except RecursionError:
        raise Refusal(TOO_DEEP, source=source, line=deep_line(text, DEPTH)) from None
    except ValueError:  # the one that is no TOMLDecodeError: a number of too many digits
        raise Refusal(too_large(), source=source, line=long_number_line(text)) from None
    found = plain_problem(data)
    if found is not None:
        problem, path = found
        deep = deep_line(text, DEPTH) if problem is TOO_DEEP else None
        line = line_of(text, path) if deep is None else deep
        raise Refusal(problem, source=source, line=line, place=written(short(path)))
    return data


def in_both_languages(data: object, info: inspect.Type) -> object:
    """Let a wording that is given once, as a string or in one language, stand for both."""
    match data, info:
        case str(), inspect.StructType(cls=cls) if cls is Text:
            return dict.fromkeys(LANGS, data)
        case {"en": str(words)} | {"fr": str(words)}, inspect.StructType(cls=cls) if cls is Text:
            return {"en": words, "fr": words} | (data if isinstance(data, dict) else {})
        case dict(), inspect.StructType(fields=fields):
            types = {field.encode_name: field.type for field in fields}
            return {
                key: in_both_languages(value, types[key]) if key in types else value
                for key, value in data.items()
            }
        case dict(), inspect.DictType(value_type=item):
            return {key: in_both_languages(value, item) for key, value in data.items()}
        case _, inspect.UnionType(types=types):
            for one in types:
                data = in_both_languages(data, one)
        case list(), _:
            items = _item_types(info, len(data))
            return [in_both_languages(*each) for each in zip(data, items, strict=True)]
    return data


def _item_types(info: inspect.Type, count: int) -> Sequence[inspect.Type]:
    """Give the type of each item of a list that is read as a type."""
    match info:
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return [item] * count
        case inspect.TupleType(item_types=items) if len(items) == count:
            return items
    return [inspect.AnyType()] * count


def converted(data: object, type_: type[T]) -> T:
    """Read plain data as a value of the type, or refuse it with the place and the reason."""
    try:
        return msgspec.convert(data, type_)
    except msgspec.ValidationError as error:
        problem, path = explain_error(error, data, type_)
        raise Refusal(problem, place=written(path)) from None


def _refuse_syntax(error: tomllib.TOMLDecodeError, source: str, text: str) -> Refusal:
    """Make the refusal of a text that is not TOML; without a line number it is the last line."""
    line = re.search(r"\(at line (\d+), column \d+\)", str(error))
    reason = foreign(re.sub(r" \(at .*\)$", "", str(error)))
    problem = say("this is not TOML: {problem}", problem=reason)
    if "after a key" in str(error):
        hint = say('a name with other signs than letters, digits, - and _ stands in quotes: "D+"')
        problem = say("{problem}; {near}", problem=problem, near=hint)
    lines = text.splitlines()
    number = int(line[1]) if line else len(lines) or None
    if number and re.search("[\u201c\u201d\u00ab\u00bb\u2018\u2019]", lines[number - 1]):
        problem = say('{problem}; write straight quotation marks: "', problem=problem)
    return Refusal(problem, source=source, line=number)


def refuse_at(problem: Message, path: ValuePath, text: str, source: str) -> Refusal:
    """Make the refusal of a value, by its path in a TOML text."""
    return Refusal(problem, source=source, line=line_of(text, path), place=written(short(path)))


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
                blanks["found"] = shown(found)
            expected = foreign(blanks.pop("expected", "").replace(" | null", ""))
            problem = say(template, expected=expected, **blanks)
            if template in _ONE_OF_SEVERAL:
                problem = _with_known(problem, type_, path, blanks.get("key", str(found)))
            if template == _UNKNOWN_KEY:
                path.append(blanks["key"])
            return problem, tuple(path)
    return foreign(text), tuple(path)


def unknown_key(key: str, known: Iterable[str]) -> Message:
    """Make the message for an unknown key, with near matches or all known keys."""
    unknown = say("unknown key '{key}'", key=key)
    return say("{problem}; {near}", problem=unknown, near=near(key, known))


def _with_known(problem: Message, type_: object, path: list[PathStep], word: str) -> Message:
    """Add the known words, and where a key of the whole file belongs: TOML gives a key to the part
    above it."""
    if known := _known(type_, path):
        problem = say("{problem}; {near}", problem=problem, near=near(word, known))
    if path and word in _known(type_, []):
        above = say("to say '{key}' of the whole file, write it above the first [part]", key=word)
        return say("{problem}; {near}", problem=problem, near=above)
    return problem


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
