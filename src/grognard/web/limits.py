"""Limits of what the server accepts. docs/web.md lists them.

The command line has none: there a user waits only for his own answer.
"""

from collections.abc import Iterator
from typing import Any

from grognard.card.rows import SIDES
from grognard.fights.fight_file import stated_fight
from grognard.fights.work_budget import SITUATIONS, allow
from grognard.files.toml_file import ValuePath, written
from grognard.rules.fight import Fight, steps, units_of
from grognard.words.message import say
from grognard.words.refusal import Refusal

BODY = 256 * 1024  # bytes
LINK = 64 * 1024  # bytes of a link, unpacked
DEPTH = 16  # nested lists and objects
NUMBER = 1_000_000  # either side of 0
WORD = 1_000  # characters
UNITS = 16  # entries of any list of a fight, such as the units of a side
STEPS = 32  # of a side

TOO_DEEP = say("this is nested too deeply; at most {n} levels", n=DEPTH)


def check_body(data: object) -> None:
    """Refuse numbers, texts and nesting beyond the limits."""
    for path, value in _inside(data):
        match value:
            case int() if abs(value) > NUMBER:
                problem = say("the number is too large; at most {n} either side of 0", n=NUMBER)
            case str() if len(value) > WORD:
                problem = say("the text is too long; at most {n} characters", n=WORD)
            case _ if len(path) > DEPTH:
                problem = TOO_DEEP
            case _:
                continue
        raise Refusal(problem, place=_short(path))


def check_fight(stated: dict[str, Any]) -> None:
    """Refuse lists that are too long for a fight."""
    for path, value in _inside(stated):
        if isinstance(value, list) and len(value) > UNITS:
            problem = say("{n} entries are too many; at most {most}", n=len(value), most=UNITS)
            raise Refusal(problem, place=_short(path))


def _inside(data: object) -> Iterator[tuple[ValuePath, object]]:
    """Give all values and keys with their paths; not recursive, as the depth is unchecked."""
    open_: list[tuple[ValuePath, object]] = [((), data)]
    while open_:
        path, value = open_.pop()
        yield path, value
        match value:
            case dict():
                for key in value:
                    yield path, key
                open_ += [((*path, key), inner) for key, inner in reversed(value.items())]
            case list():
                open_ += [((*path, n), value[n]) for n in reversed(range(len(value)))]


def _short(path: ValuePath) -> str:
    return written(tuple(step if isinstance(step, int) else step[:40] for step in path))


def limited_fight(stated: dict[str, Any]) -> Fight:
    """Set up a fight within the limits, and set the work budget of this request."""
    check_fight(stated)
    fight = stated_fight(stated)
    for side in SIDES:
        if (found := steps(units_of(fight, side))) > STEPS:
            problem = say("{n} steps are too many; at most {most} a side", n=found, most=STEPS)
            raise Refusal(problem, place=f"{side}s")
    allow(SITUATIONS)
    return fight
