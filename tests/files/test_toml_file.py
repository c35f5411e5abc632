"""The line of a refused value in a TOML text."""

import tomllib
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.files.toml_file import explain_error, read
from grognard.files.toml_lines import line_of
from grognard.files.value_path import ValuePath, parsed, written
from grognard.words.refusal import Refusal

TEXT = """\
# a comment with [brackets] and key = "value"
title = "one"  # the title
a.b = 1
a.c.d = 2

[plain]
key = "two"
"quoted key" = 3
'single.dotted' = 4
"es\\u0063aped" = 5
list = [1, 2, 3]
long = [
  "first",  # with a comment, and ] in it

  "second",
  { x = 1, y = [
    10,
    20,
  ] },
  [[1], [
    2]],
]
text = \"\"\"
several = "lines"
[not.a.header]
\"\"\"
literal = '''
[[nor.this]]
'''
after = { inner = { deep = "}" }, other = '[' }
date = 1979-05-27 07:32:00
float = 1.5

[plain.sub]
key = 1

[[rows]]
id = "first"

[rows.part]
key = 1

[[rows]]
id = "second"
[[rows.cells]]
id = "a"
[[rows.cells]]
id = "b"
[rows.cells.deep]
key = 1

[outer."quoted.part"]
key = 1
"""


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("title",), "title ="),
        (("a",), "a.b ="),
        (("a", "b"), "a.b ="),
        (("a", "c", "d"), "a.c.d ="),
        (("plain",), "[plain]"),
        (("plain", "key"), 'key = "two"'),
        (("plain", "quoted key"), '"quoted key"'),
        (("plain", "single.dotted"), "'single.dotted'"),
        (("plain", "escaped"), '"es'),
        (("plain", "list"), "list ="),
        (("plain", "list", 2), "list ="),
        (("plain", "long"), "long ="),
        (("plain", "long", 0), '"first",'),
        (("plain", "long", 1), '"second",'),
        (("plain", "long", 2), "{ x = 1"),
        (("plain", "long", 2, "x"), "{ x = 1"),
        (("plain", "long", 2, "y"), "{ x = 1"),
        (("plain", "long", 2, "y", 1), "    20,"),
        (("plain", "long", 3, 0), "[[1], ["),
        (("plain", "long", 3, 1, 0), "    2]]"),
        (("plain", "text"), "text ="),
        (("plain", "literal"), "literal ="),
        (("plain", "after"), "after ="),
        (("plain", "after", "inner", "deep"), "after ="),
        (("plain", "after", "other"), "after ="),
        (("plain", "date"), "date ="),
        (("plain", "float"), "float ="),
        (("plain", "sub"), "[plain.sub]"),
        (("plain", "sub", "key"), "[plain.sub]\nkey"),
        (("rows",), '[[rows]]\nid = "first"'),
        (("rows", 0), '[[rows]]\nid = "first"'),
        (("rows", 0, "id"), 'id = "first"'),
        (("rows", 0, "part"), "[rows.part]"),
        (("rows", 0, "part", "key"), "[rows.part]\nkey"),
        (("rows", 1), '[[rows]]\nid = "second"'),
        (("rows", 1, "cells"), '[[rows.cells]]\nid = "a"'),
        (("rows", 1, "cells", 0, "id"), 'id = "a"'),
        (("rows", 1, "cells", 1), '[[rows.cells]]\nid = "b"'),
        (("rows", 1, "cells", 1, "deep", "key"), "[rows.cells.deep]\nkey"),
        (("outer", "quoted.part"), '[outer."quoted.part"]'),
        (("outer", "quoted.part", "key"), '[outer."quoted.part"]\nkey'),
    ],
)
def test_the_line_of_a_value(path: ValuePath, words: str) -> None:
    tomllib.loads(TEXT)
    assert TEXT.count(words) == 1
    start = TEXT.index(words)
    if "]\nkey" in words:  # the key after its header
        start += len(words) - 3
    assert line_of(TEXT, path) == TEXT[:start].count("\n") + 1


def test_what_is_not_there_has_the_line_of_the_nearest_thing_around_it() -> None:
    whole = line_of(TEXT, ("rows", 1))
    assert line_of(TEXT, ("rows", 1, "missing", "too")) == whole
    assert line_of(TEXT, ("rows", 1, "cells", 7)) == line_of(TEXT, ("rows", 1, "cells"))
    assert line_of(TEXT, ("nothing",)) is None
    assert line_of(TEXT, ()) is None
    assert line_of("", ("a",)) is None


def test_lines_may_end_as_on_windows() -> None:
    text = 'a = 1\r\n[b]\r\nc = """\r\n\r\n"""\r\nd = 2\r\n'
    assert line_of(text, ("b", "c")) == 3
    assert line_of(text, ("b", "d")) == 6


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_quotes_at_the_end_of_a_long_string_belong_to_it(quotes: str) -> None:
    text = f"a = {quotes}\nx{quotes[0]}{quotes}\nb = 1\n"
    assert line_of(text, ("b",)) == 3


# ------------------------------------------------------------------ any text


@dataclass
class Writer:
    """Writes TOML, and records the line of every value."""

    text: str = ""
    lines: dict[ValuePath, int] = field(default_factory=dict)

    def mark(self, path: ValuePath) -> None:
        self.lines.setdefault(path, self.text.count("\n") + 1)

    def value(self, path: ValuePath, node: "Node") -> None:
        match node.kind:
            case "scalar":
                self.text += node.text
            case "array":
                self._items(path, node)
            case _:
                self._pairs(path, node)

    def _items(self, path: ValuePath, node: "Node") -> None:
        gap = "\n" + node.text if node.text else ""  # between the items of a long array
        self.text += "["
        for index, item in enumerate(node.items):
            self.text += gap
            self.mark((*path, index))
            self.value((*path, index), item)
            self.text += ", "
        self.text += gap + "]"

    def _pairs(self, path: ValuePath, node: "Node") -> None:
        self.text += "{ "
        for number, (key, item) in enumerate(node.named.items()):
            self.text += ", " if number else ""
            self.mark((*path, key))
            self.text += f"{_quoted(key)} = "
            self.value((*path, key), item)
        self.text += " }"

    def table(self, path: ValuePath, node: "Node", header: str) -> None:
        """Write a table: plain pairs first, then the tables within it."""
        for key, item in node.named.items():
            if item.kind in ("scalar", "array", "inline"):
                self.mark((*path, key))
                self.text += f"{_quoted(key)} = "
                self.value((*path, key), item)
                self.text += f"{node.text}\n"
            elif item.kind == "dotted":
                self._dotted((*path, key), item, _quoted(key))
        for key, item in node.named.items():
            name = f"{header}.{_quoted(key)}" if header else _quoted(key)
            if item.kind == "table":
                self.mark((*path, key))
                self.text += f"[{name}]\n"
                self.table((*path, key), item, name)
            elif item.kind == "tables":
                for index, part in enumerate(item.items):
                    self.mark((*path, key))
                    self.mark((*path, key, index))
                    self.text += f"[[{name}]]\n"
                    self.table((*path, key, index), part, name)

    def _dotted(self, path: ValuePath, node: "Node", name: str) -> None:
        for key, item in node.named.items():
            self.mark(path)
            self.mark((*path, key))
            self.text += f"{name}.{_quoted(key)} = "
            self.value((*path, key), item)
            self.text += "\n"


class Node(NamedTuple):
    """A value and how it is written."""

    kind: Literal["scalar", "array", "inline", "dotted", "table", "tables"]
    text: str = ""
    items: tuple["Node", ...] = ()
    named: dict[str, "Node"] = {}  # noqa: RUF012  # never changed


def _quoted(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


keys = st.sampled_from(["a", "b-1", "c_2", "3", "d e", "f.g", "h[0]", "i = j", "#k", 'l"m', "n'o"])
scalars = st.sampled_from(
    [
        "1",
        "-2.5",
        "true",
        "1979-05-27 07:32:00",
        '""',
        '"]"',
        '"# { [[x]]"',
        '"a\\"b, \\\\"',
        "'c:\\d'",
        '"""\n[a]\nb = 1\n"""',
        '"""x"y""z\\""""',
        "'''\n\n[[e]]'''",
        "'''it''s'''",
    ]
).map(lambda text: Node("scalar", text))
gaps = st.sampled_from(["", " ", "# a comment, with ]\n", "\n\n  "])
comments = st.sampled_from(["", "  # why = because", "\n# [no.header]", "\n\n"])


def _arrays(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    items = st.lists(inner, max_size=3).map(tuple)
    return st.builds(Node, st.just("array"), gaps, items)


def _named(
    kind: str, inner: st.SearchStrategy[Node], text: st.SearchStrategy[str], least: int = 0
) -> st.SearchStrategy[Node]:
    named = st.dictionaries(keys, inner, min_size=least, max_size=3)
    return st.builds(Node, st.just(kind), text, st.just(()), named)


# A little of everything, three deep; drawn without recursion, which would be slow
flat = _arrays(scalars) | _named("inline", scalars, st.just(""))
values = scalars | flat | _arrays(scalars | flat) | _named("inline", scalars | flat, st.just(""))
pairs = values | _named("dotted", values, st.just(""), least=1)


def _tables(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return inner | st.builds(Node, st.just("tables"), st.just(""), several)


leaves = _named("table", pairs, comments)
branches = _named("table", pairs | _tables(leaves), comments)
roots = _named("table", pairs | _tables(branches), comments)


def _at(data: object, path: ValuePath) -> object:
    for step in path:
        data = data[step]  # type: ignore[index]
    return data


@given(roots)
def test_the_line_found_is_the_line_written(root: Node) -> None:
    writer = Writer()
    writer.table((), root, "")
    data = tomllib.loads(writer.text)
    for path, line in writer.lines.items():
        _at(data, path)  # what was written is there
        assert line_of(writer.text, path) == line, (path, writer.text)


# ------------------------------------------------------------------ reading


class Unit(msgspec.Struct, forbid_unknown_fields=True):
    """A value for these tests."""

    name: str
    kind: Literal["foot", "horse"] = "foot"
    costs: dict[str, int] = {}
    parts: tuple["Unit", ...] = ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 1", "u.toml:1: name: expected a text, found 1"),
        (
            "\nname = 'a'\nkind = 'hors'",
            "u.toml:3: kind: 'hors' is not possible here; near matches: horse",
        ),
        ("name = 'a'\nkid = 1", "u.toml:2: kid: unknown key 'kid'; near matches: kind"),
        (
            "name = 'a'\n[costs]\na = 1\nb = 'x'",
            "u.toml:4: costs.b: expected a whole number, found 'x'",
        ),
        (
            "name = 'a'\n[[parts]]\n[[parts]]\nname = 'c'",
            "u.toml:2: parts[0]: the key 'name' is missing",
        ),
        ("kind = 'foot'", "u.toml: the key 'name' is missing"),
        ("name = ", "u.toml:1: this is not TOML: "),
        ("name = [\n\n", "u.toml:2: this is not TOML: "),
        ("name = “a”", "u.toml:1: this is not TOML: Invalid value; write straight quotation marks"),
        (
            "name = 'a'\n[[parts]]\nname = 'b'\n[parts.costs]\ngood = 1\nbad = true",
            "u.toml:6: parts[0].costs.bad: expected a whole number, found True",
        ),
    ],
)
def test_a_wrong_text_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        read(text, Unit, "u.toml")
    assert str(caught.value).startswith(message)


LEVELS = f"{'[' * 400}{']' * 400}"
MILLION = "at most 1000000 either side of 0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"name = 'a'\n[costs]\nx = {'9' * 5000}", f"u.toml:3: the number is too large; {MILLION}"),
        ("name = 'a'\ncosts.x = 9007199254740992", "u.toml:2: costs.x: the number is too large"),
        (f"name = 'a'\nparts = {LEVELS}", "u.toml:2: parts[0][0][0][0][0][0][0][0][0][0][0][0]"),
        (f"name = 'a'\n\n{'a.' * 30}b = 1", "u.toml:3: a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a: this is"),
        (f"name = 'a'\n\n{'a.' * 50_000}b = 1", "u.toml:3: this is nested too deeply; at most"),
        (f"name = 'a\\n\\u001b{'b' * 5000}'\nkid = 1", "u.toml:2: kid: unknown key"),
        ("[costs]\n'a.b' = true", 'u.toml:2: costs."a.b": expected a whole number, found True'),
    ],
)
def test_what_no_reader_could_bear_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        read(text, Unit, "u.toml")
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 1_100


def test_a_refusal_is_one_line_without_control_characters() -> None:
    with pytest.raises(Refusal) as caught:
        read("name = 'a'\nkind = \"a\\n\\u001b[31m\\u2028b\"", Unit, "u.toml")
    assert "\\n\\x1b[31m\\u2028b" in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_good_text_is_read() -> None:
    unit = read("name = 'a'\n[costs]\nx = 1", Unit, "u.toml")
    assert unit == Unit("a", costs={"x": 1})


def test_paths_are_written_as_in_the_file_and_read_again() -> None:
    path: ValuePath = ("tables", 0, "grid", 3, 2)
    assert written(path) == "tables[0].grid[3][2]"
    assert parsed(written(path)) == path
    odd: ValuePath = ("a.b", 'say "x"', "[0]", "", 3, "é")
    assert parsed(written(odd)) == odd
    assert written(()) == ""
    assert parsed("") == ()


def test_an_error_without_a_type_still_tells_what_was_found() -> None:
    data = {"name": "a", "costs": {"x": "y"}}
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(data, Unit)
    problem, path = explain_error(caught.value, data)
    assert str(problem).startswith("expected a whole number")
    assert path[0] == "costs"
