"""Short notation of JSON for addresses: letters for known words, plain names, no quotes.

What may stand where an object has a key:
`a`…`Z`, `0a`…`9Z` a known key; `.text.` any other; `~` the end of the object;
`-text.` the end of the object, and the next one of its list, with its name.

What may stand where a value is:
`0`…`9` a digit; `a`…`z`, `A0`…`Wz` a known word; `Xn` the n-th text again; `Yn_` a number;
`.text.` a text; `_` a list, `~` its end; `/n` a list of one digit; `-text.` an object with its
name; `Z` any other object.

In a text `~` is a blank, `_n_` the character with that hexadecimal number, `__` an underscore.
The end of the whole closes what is open. `link_words.txt` has the known keys and words; new
ones are added behind the others, so that older links keep their meaning.
"""

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import zip_longest
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

_FILE = files(__package__) / "link_words.txt"
KEYS, WORDS = (part.split() for part in _FILE.read_text(encoding="utf-8").split("\n\n"))
_SIGNS = digits + ascii_letters
_KEY_CODES = [*ascii_letters, *(first + second for first in digits for second in ascii_letters)]
_WORD_CODES = [
    *ascii_lowercase,
    *(first + second for first in ascii_uppercase[:23] for second in _SIGNS),
]
_CODE_OF_KEY = dict(zip(KEYS, _KEY_CODES, strict=False))
_CODE_OF_WORD = dict(zip(WORDS, _WORD_CODES, strict=False))
_KEY_OF_CODE = {code: key for key, code in _CODE_OF_KEY.items()}
_WORD_OF_CODE = {code: word for word, code in _CODE_OF_WORD.items()}


# ------------------------------------------------------------------ writing


def write(fields: Mapping[str, object]) -> str:
    """Write an object of JSON in the short notation."""
    return "".join(_Writer().pairs(fields)).rstrip("~")


class _Writer:
    """Writes values, and remembers texts so that they can be written as a number again."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}

    def pairs(self, fields: Mapping[str, object]) -> Iterator[str]:
        for key, value in fields.items():
            yield _CODE_OF_KEY.get(key) or f".{_letters(key)}."
            yield from self._value(value)

    def _value(self, value: object) -> Iterator[str]:
        match value:
            case str():
                yield _CODE_OF_WORD.get(json.dumps(value)) or self._text(value)
            case [int(die)] if die in range(10) and not isinstance(die, bool):
                yield f"/{die}"
            case list() | tuple():
                yield "_"
                for entry, follower in zip_longest(value, value[1:]):
                    yield from self._entry(entry, follower)
                yield "~"
            case Mapping():
                yield from self._entry(value, None)
            case _:
                yield _scalar(value)

    def _entry(self, value: object, follower: object) -> Iterator[str]:
        """Write an entry of a list; a named object ends where the next one begins."""
        if not isinstance(value, Mapping):
            yield from self._value(value)
        elif _named(value):
            (_, name), *others = value.items()
            self._texts.setdefault(name, len(self._texts))
            yield f"-{_letters(name)}."
            yield from self.pairs(dict(others))
            yield "" if _named(follower) else "~"
        else:
            yield "Z"
            yield from self.pairs(value)
            yield "~"

    def _text(self, text: str) -> str:
        number = self._texts.get(text, len(_SIGNS))
        if number < len(_SIGNS):
            return f"X{_SIGNS[number]}"
        self._texts.setdefault(text, len(self._texts))
        return f".{_letters(text)}."


def _named(value: object) -> bool:
    """Tell whether a value is an object whose first key is its name."""
    first = next(iter(value.items()), None) if isinstance(value, Mapping) else None
    return first is not None and first[0] == "name" and isinstance(first[1], str)


def _scalar(value: object) -> str:
    """Write a number, a truth value or null."""
    written = json.dumps(value).replace("+", "")
    if written in tuple(digits):
        return written
    return _CODE_OF_WORD.get(written) or f"Y{written}_"


def _letters(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9/-]", _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    return {" ": "~", "_": "__"}.get(character) or f"_{ord(character):x}_"


# ------------------------------------------------------------------ reading

_TEXT = r"(?:[A-Za-z0-9/~-]|_[0-9a-f]{0,6}_)*"
_KEY = re.compile(rf"(?P<end>~)|-(?P<next>{_TEXT})\.|\.(?P<key>{_TEXT})\.|(?P<code>[0-9]?[A-Za-z])")
_VALUE = re.compile(
    r"(?P<end>~)|(?P<list>_)|/(?P<one>[0-9])|(?P<object>Z)|(?P<digit>[0-9])|X(?P<again>[0-9A-Za-z])"
    rf"|Y(?P<number>[-0-9.e]+)_|-(?P<name>{_TEXT})\.|\.(?P<text>{_TEXT})\."
    r"|(?P<word>[a-z]|[A-W][0-9A-Za-z])"
)


def read(notation: str, most: int) -> str:
    """Give the JSON of an object in the short notation; a ValueError where it makes no sense."""
    reader, at = _Reader(most), 0
    while at < len(notation):
        found = reader.expected.match(notation, at)
        if found is None:
            raise ValueError(f"nothing known at {at}")
        reader.take(str(found.lastgroup), found[str(found.lastgroup)])
        at = found.end()
    return reader.json()


class _Reader:
    """Puts JSON together from the marks of the notation."""

    def __init__(self, most: int) -> None:
        self._parts = ["{"]
        self._ends = ["}"]
        self._texts: dict[str, None] = {}
        self._room = most

    @property
    def expected(self) -> re.Pattern[str]:
        """The marks that may come next."""
        return _KEY if self._ends[-1] == "}" and not self._parts[-1].endswith(":") else _VALUE

    def json(self) -> str:
        return "".join((*self._parts, *reversed(self._ends)))

    def take(self, kind: str, mark: str) -> None:
        """Add what a mark stands for."""
        match kind:
            case "end":
                self._end()
            case "next":
                self._end()
                self._open_named(mark)
            case "name":
                self._open_named(mark)
            case "list":
                self._open("[", "]")
            case "object":
                self._open("{", "}")
            case "key" | "code":
                key = _KEY_OF_CODE[mark] if kind == "code" else _plain(mark)
                self._add(f"{json.dumps(key)}:")
            case _:
                self._add(self._value(kind, mark))

    def _value(self, kind: str, mark: str) -> str:
        match kind:
            case "word":
                return _WORD_OF_CODE[mark]
            case "again":
                return json.dumps(list(self._texts)[_SIGNS.index(mark)])
            case "text":
                return self._text(mark)
            case "one":
                return f"[{mark}]"
        return mark

    def _text(self, mark: str) -> str:
        text = _plain(mark)
        self._texts[text] = None
        return json.dumps(text)

    def _open_named(self, mark: str) -> None:
        self._open("{", "}")
        self._add(f'"name":{self._text(mark)}')

    def _open(self, begin: str, end: str) -> None:
        self._add(begin)
        self._ends.append(end)

    def _end(self) -> None:
        self._parts.append(self._ends.pop())
        if not self._ends:
            raise ValueError("more ends than beginnings")

    def _add(self, part: str) -> None:
        comma = "" if self._parts[-1][-1] in "[{:" else ","
        self._parts.append(comma + part)
        self._room -= len(part)
        if self._room < 0:
            raise ValueError("too long")


def _plain(text: str) -> str:
    return re.sub(r"(~)|_([0-9a-f]*)_", _character, text)


def _character(found: re.Match[str]) -> str:
    if found[1]:
        return " "
    return chr(int(found[2], 16)) if found[2] else "_"
