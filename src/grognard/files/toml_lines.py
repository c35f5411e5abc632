"""The lines of values in a TOML text: tomllib gives no line numbers."""

import re
import tomllib

from grognard.files.value_path import ValuePath


def line_of(text: str, path: ValuePath) -> int | None:
    """Give the line of the value at a path, or of the nearest value around it."""
    lines = _Scanner(text).lines()
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None


def long_number_line(text: str) -> int | None:
    """Give the line of the first number that has too many digits for Python, in TOML or JSON."""
    digits = _LONG_NUMBER.search(text)
    return text.count("\n", 0, digits.start()) + 1 if digits else None


_LONG_NUMBER = re.compile(r"[0-9_]{4000,}")  # Python reads no more than 4,300 digits


_DEEPEST = 100  # keys joined by dots
_KEY = r"""(?:[A-Za-z0-9_-]++|"[^"\n]{0,40}"|'[^'\n]{0,40}')"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_KEY}[ \t]*+\.[ \t]*+){{{_DEEPEST}}}")


def long_key_line(text: str) -> int | None:
    """Give the line of the first key with very many dots, for which tomllib takes minutes."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") >= _DEEPEST and _LONG_KEY.search(line):
            return number
    return None


def deep_line(text: str, depth: int) -> int | None:
    """Give the line on which TOML or JSON is first nested deeper than so many levels."""
    level = 0
    for kind, word, line in _Scanner(text).tokens:
        if kind == "mark":
            level += (word in "[{") - (word in "]}")
        if level > depth:
            return line
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
        self.tokens: list[tuple[str, str, int]] = []
        line = 1
        for match in self._TOKEN.finditer(text):
            kind = match.lastgroup or ""
            if kind == "double":  # `[[` opens a header only at the start of a line
                self.tokens += [("mark", match[0][0], line)] * 2
            elif kind != "skip":
                self.tokens.append((kind, match[0], line))
            line += match[0].count("\n")
        self._at = 0

    def lines(self) -> dict[ValuePath, int]:
        table: ValuePath = ()
        counts: dict[ValuePath, int] = {}
        while self._at < len(self.tokens):
            kind, word, _ = self.tokens[self._at]
            if kind == "newline":
                self._at += 1
            elif word == "[":
                table = self._header(counts)
            else:
                self._pair(table)
        return self._found

    def _header(self, counts: dict[ValuePath, int]) -> ValuePath:
        line = self.tokens[self._at][2]
        double = self.tokens[self._at + 1][1] == "["
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
        while (token := self.tokens[self._at])[1] != end or token[0] != "mark":
            if token[0] in ("bare", "string"):
                keys.append(next(iter(tomllib.loads(f"{token[1]} = 0"))))
            self._at += 1
        self._at += 1
        return keys

    def _pair(self, table: ValuePath) -> None:
        line = self.tokens[self._at][2]
        for key in self._keys("="):
            table += (key,)
            self._found.setdefault(table, line)
        self._value(table)

    def _value(self, path: ValuePath) -> None:
        _, word, _ = self.tokens[self._at]
        if word in ("[", "{"):
            self._at += 1
            self._members(path, "]" if word == "[" else "}")
            return
        while self._at < len(self.tokens) and not self._ends_value():
            self._at += 1

    def _ends_value(self) -> bool:
        kind, word, _ = self.tokens[self._at]
        return kind == "newline" or (kind == "mark" and word in ",]}")

    def _members(self, path: ValuePath, end: str) -> None:
        index = 0
        while True:
            kind, word, line = self.tokens[self._at]
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
