"""Limits of all data that users write, in files and in requests: numbers, nesting, characters."""

import re
from typing import NamedTuple

from grognard.files.value_path import Problem, ValuePath, short, written
from grognard.words.foreign import HALF_CHARACTER
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

NUMBER = 1_000_000  # either side of 0
DEPTH = 16  # nested lists and tables


class Limits(NamedTuple):
    """What plain data may hold at most; None for no limit."""

    number: int = NUMBER
    entries: int | None = None  # of a list
    word: int | None = None  # characters of a text
    printed: bool = False  # whether a terminal shows its texts as they are


FOR_ALL = Limits()
TOO_DEEP = say("this is nested too deeply; at most {n} levels", n=DEPTH)
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
# What Unicode lets a program leave out where it writes (Default_Ignorable_Code_Point): marks that
# turn the direction of writing, joiners, fillers; and the empty cell of braille.
UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def too_large(number: int = NUMBER) -> Message:
    """Make the message for a number beyond its limit."""
    return say("the number is too large; at most {n} either side of 0", n=number)


def plain_problem(data: object, limits: Limits = FOR_ALL) -> Problem | None:
    """Find the first value beyond a limit, and half characters, which nothing can print."""
    return None if _fits(data, limits) else _first_problem(data, limits, ())


def _fits(data: object, limits: Limits) -> bool:
    """Tell whether there is no problem, level by level: quicker than to find one."""
    level = [data]
    for _ in range(DEPTH + 1):
        inner: list[object] = []
        for value in level:
            if isinstance(value, dict):
                inner += value
                inner += value.values()
            elif _problem(value, limits) is not None:
                return False
            elif isinstance(value, list | tuple):
                inner += value
        level = inner
    return not level


def _first_problem(value: object, limits: Limits, path: ValuePath) -> Problem | None:
    if len(path) > DEPTH:
        return TOO_DEEP, path
    problem = _problem(value, limits)
    if problem is not None:
        return problem, path
    inside: list[tuple[ValuePath, object]] = []
    match value:
        case dict():
            for key, inner in value.items():
                inside += [(path, key), ((*path, key), inner)]
        case list() | tuple():
            inside = [((*path, place), inner) for place, inner in enumerate(value)]
    found = (_first_problem(inner, limits, there) for there, inner in inside)
    return next((problem for problem in found if problem is not None), None)


def _problem(value: object, limits: Limits) -> Message | None:
    if isinstance(value, str):
        if not value.isascii() and _SURROGATE.search(value):
            return HALF_CHARACTER
        if limits.printed and (CONTROLS.search(value) or UNSEEN.search(value)):
            return say("there is a control character, which nothing here needs")
        if limits.word is not None and len(value) > limits.word:
            return say("the text is too long; at most {n} characters", n=limits.word)
    elif isinstance(value, int):
        if abs(value) > limits.number:
            return too_large(limits.number)
    elif isinstance(value, list | tuple) and len(value) > (limits.entries or len(value)):
        n, most = len(value), limits.entries
        return say("{n} entries are too many; at most {most}", n=n, most=most)
    return None


def check_plain(data: object, limits: Limits = FOR_ALL) -> None:
    """Refuse plain data beyond the limits."""
    if (found := plain_problem(data, limits)) is not None:
        raise Refusal(found[0], place=written(short(found[1])))
