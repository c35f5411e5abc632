"""Writing TOML: plain data as text that a person can read and edit.

Short tables stand in one line, long ones under a heading; a list of tables has a heading each.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from json import dumps

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDTH = 100  # of a table or a list that stands in one line
_ESCAPED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

Data = Mapping[str, object]


def toml_text(data: Data) -> str:
    """Write plain data as TOML: what `tomllib` reads back is equal to it."""
    return "\n".join(_table(data, ())).strip("\n") + "\n"


def _table(data: Data, name: tuple[str, ...]) -> Iterator[str]:
    """Write the values of a table, then the tables in it."""
    below = {key: value for key, value in data.items() if _has_heading(value, name)}
    for key, value in data.items():
        if key not in below:
            yield f"{_key(key)} = {_value(value)}"
    for key, value in below.items():
        full = (*name, key)
        heading = ".".join(map(_key, full))
        if isinstance(value, Mapping):
            yield from ("", f"[{heading}]", *_table(value, full))
            continue
        for row in value if isinstance(value, Sequence) else ():
            yield from ("", f"[[{heading}]]", *_table(row, full))


def _has_heading(value: object, inside: tuple[str, ...]) -> bool:
    if isinstance(value, Mapping):
        plain = not any(isinstance(item, Mapping | list) for item in value.values())
        return not (plain and (len(value) <= 2 or len(_value(value)) <= _WIDTH))  # a pair
    rows = (
        isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)
    )
    return rows and not inside


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _block(value) if "\n" in value else _string(value)
        case Mapping():
            inner = ", ".join(f"{_key(key)} = {_in_line(item)}" for key, item in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list() | tuple():
            return _list(value)
        case int() | float():
            return str(value)
    raise TypeError(f"TOML has no {type(value).__name__}")


def _in_line(value: object) -> str:
    """Write a value of an inline table, which has no line breaks."""
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_in_line, value))}]"
    return _value(value)


def _list(values: Sequence[object]) -> str:
    one_line = f"[{', '.join(map(_in_line, values))}]"
    nested = any(isinstance(value, Mapping | list | tuple) for value in values)
    if not nested and len(one_line) <= _WIDTH:
        return one_line
    return "\n".join(("[", *(f"  {_in_line(value)}," for value in values), "]"))


def _string(text: str) -> str:
    return dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _block(text: str) -> str:
    """Write a text of several lines as it stands."""
    safe = text.replace("\\", "\\\\").replace('"""', '""\\"')
    safe = re.sub(r'"$', '\\"', safe)
    safe = _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", safe)
    return f'"""\n{safe}"""'
