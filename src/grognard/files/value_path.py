"""Paths of values in plain data, such as tables[0].grid[3][2]."""

import json
import re

from grognard.words.message import Message

PathStep = str | int
ValuePath = tuple[PathStep, ...]
Problem = tuple[Message, ValuePath]

_BARE = re.compile(r'[^.\[\]"]+')
_STEP = re.compile(r'\.([^.\[\]"]+|"(?:\\.|[^"\\])*")|\[(\d+|\.\.\.)\]')


def written(path: ValuePath) -> str:
    """Write a path as text: tables[0].grid[3][2]; keys with dots and the like are quoted."""
    return "".join(map(_written_step, path)).removeprefix(".")


def _written_step(step: PathStep) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step if _BARE.fullmatch(step) else json.dumps(step, ensure_ascii=False)}"


def parsed(place: str) -> ValuePath:
    """Read a path that `written` has written."""
    text = place if place.startswith("[") else f".{place}"
    return tuple(_parsed_step(key, index) for key, index in _STEP.findall(text))


def _parsed_step(key: str, index: str) -> PathStep:
    if not key:
        return int(index) if index.isdigit() else index
    return str(json.loads(key)) if key.startswith('"') else key


def short(path: ValuePath) -> ValuePath:
    """Cut the long keys of a path, for a message."""
    return tuple(step if isinstance(step, int) else step[:40] for step in path)
