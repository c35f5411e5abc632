"""Texts that users write: read from files or standard input, as TOML or JSON."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from grognard.files import toml_file
from grognard.files.plain_data import DEPTH, TOO_DEEP, check_plain, too_large
from grognard.files.toml_lines import deep_line, line_of, long_number_line
from grognard.files.value_path import parsed
from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal


class Source(Struct, frozen=True):
    """A text and where it came from."""

    name: str
    text: str

    def data(self) -> dict[str, object]:
        """Read the text as TOML, or as JSON where it begins like JSON."""
        if self.is_json:
            return read_json(self.text, self.name)
        return toml_file.parse(self.text, self.name)

    @property
    def is_json(self) -> bool:
        return self.text.lstrip().startswith("{")

    @contextmanager
    def placing(self) -> Iterator[None]:
        """Add file and line to refusals."""
        try:
            yield
        except Refusal as refusal:
            line = None if self.is_json else line_of(self.text, parsed(refusal.place))
            problem, place = refusal.problem, refusal.place
            raise Refusal(problem, source=self.name, line=line, place=place) from None


def read_json(text: str, source: str) -> dict[str, object]:
    """Read a text that begins like a JSON object, within the limits of `plain_data`."""
    try:
        data: dict[str, object] = json.loads(text)
    except json.JSONDecodeError as error:
        problem = say("this is not JSON: {problem}", problem=foreign(error.msg))
        raise Refusal(problem, source=source, line=error.lineno) from None
    except RecursionError:
        raise Refusal(TOO_DEEP, source=source, line=deep_line(text, DEPTH)) from None
    except ValueError:  # the one that is no JSONDecodeError: a number of too many digits
        raise Refusal(too_large(), source=source, line=long_number_line(text)) from None
    try:
        check_plain(data)
    except Refusal as refusal:
        raise Refusal(refusal.problem, source=source, place=refusal.place) from None
    return data


_LONGEST = 1 << 24  # bytes of a text


def is_file(name: str) -> bool:
    """Tell whether a name that a user has typed is that of a file."""
    try:
        return Path(name).is_file()
    except OSError:  # no file can have this name
        return False


def read_source(path: str) -> Source:
    """Read a file, or standard input for `-`; refuse what is not there or not text.

    The mark that editors on Windows put before UTF-8 (BOM) is left out.
    """
    name = "standard input" if path == "-" else path
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(_LONGEST + 1)
        else:
            with Path(path).open("rb") as file:
                raw = file.read(_LONGEST + 1)
    except OSError as error:
        problem = say("can't be read: {problem}", problem=foreign(error))
        raise Refusal(problem, source=name) from None
    if len(raw) > _LONGEST:
        raise Refusal(say("this is too long; at most {n} bytes", n=_LONGEST), source=name)
    try:
        return Source(name, raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        problem = say("this is not a text file: byte {n} is not UTF-8", n=error.start + 1)
        raise Refusal(problem, source=name) from None
