"""Limits of what the server accepts. docs/web.md lists them.

The command line has none: there a user waits only for his own answer.
"""

import re
from typing import Any

from grognard.card.rows import SIDES
from grognard.fights.fight_file import stated_fight
from grognard.fights.work_budget import SITUATIONS, allow, only_light
from grognard.files.plain_data import Limits, check_plain
from grognard.rules.fight import Fight, steps, units_of
from grognard.words.message import say
from grognard.words.refusal import Refusal

BODY = 256 * 1024  # bytes
LINK = 64 * 1024  # bytes of a link, unpacked
WORD = 1_000  # characters
UNITS = 16  # entries of any list of a fight, such as the units of a side
STEPS = 32  # of a side
LIGHT = 1_500  # situations that a request may examine in the threads that answer taps: some 20 ms

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
# What Unicode lets a program leave out where it writes (Default_Ignorable_Code_Point): marks that
# turn the direction of writing, joiners, fillers; and the empty cell of braille.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


def one_line(text: str) -> str:
    """Give what a person writes to others as one line without controls and what can't be seen."""
    return " ".join(_UNSEEN.sub("", _CONTROLS.sub(" ", text)).split())


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
