"""Limits of what the server accepts. docs/web.md lists them.

The command line has none: there a user waits only for his own answer.
"""

from typing import Any

from grognard.card.rows import SIDES
from grognard.fights.fight_file import stated_fight
from grognard.fights.work_budget import SITUATIONS, allow, only_light
from grognard.files.plain_data import CONTROLS, UNSEEN, Limits, check_plain
from grognard.rules.fight import Fight, steps, units_of
from grognard.words.message import say
from grognard.words.refusal import Refusal

BODY = 256 * 1024  # bytes
LINK = 64 * 1024  # bytes of a link, unpacked
WORD = 1_000  # characters
UNITS = 16  # entries of any list of a fight, such as the units of a side
STEPS = 32  # of a side
LIGHT = 1_500  # situations that a request may examine in the threads that answer taps: some 20 ms


def one_line(text: str) -> str:
    """Give what a person writes to others as one line without controls and what can't be seen."""
    return " ".join(UNSEEN.sub("", CONTROLS.sub(" ", text)).split())


def check_body(data: object, word: int = WORD) -> None:
    """Refuse numbers, texts and nesting beyond the limits."""
    check_plain(data, Limits(word=word))


def check_fight(stated: dict[str, Any]) -> None:
    """Refuse lists that are too long for a fight."""
    check_plain(stated, Limits(entries=UNITS))


def allow_request() -> None:
    """Set the work budget of a request; light work has its own already."""
    if not only_light():
        allow(SITUATIONS)


def limited_fight(stated: dict[str, Any]) -> Fight:
    """Set up a fight within the limits, and set the work budget of this request."""
    check_fight(stated)
    fight = stated_fight(stated)
    for side in SIDES:
        if (found := steps(units_of(fight, side))) > STEPS:
            problem = say("{n} steps are too many; at most {most} a side", n=found, most=STEPS)
            raise Refusal(problem, place=f"{side}s")
    allow_request()
    return fight
