"""How a fight runs: the settings of a procedure, as the workshop offers them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grognard.words.message import Message, say


class Setting(NamedTuple):
    """A key of the procedure and its values; the first one is the default and is not written."""

    key: str
    text: Message
    values: tuple[tuple[str, Message], ...]
    codes: bool = False  # a result of the table is a value too


_SETTINGS = (
    Setting(
        "rounding",
        say("Between two columns"),
        (
            ("", say("the lower column, for the defender")),
            ("nearest", say("the nearest column")),
            ("attacker", say("the higher column, for the attacker")),
        ),
    ),
    Setting(
        "below",
        say("Less than the first column"),
        (("", say("the first column")), ("refused", say("no attack is allowed"))),
        codes=True,
    ),
    Setting(
        "zero_defence",
        say("A defence of 0"),
        (
            ("", say("the last column")),
            ("one", say("counts as 1")),
            ("refused", say("no attack is allowed")),
        ),
        codes=True,
    ),
    Setting(
        "fractions",
        say("Fractions of a strength"),
        (
            ("", say("are kept")),
            ("down", say("are dropped")),
            ("up", say("are rounded up")),
            ("nearest", say("are rounded to the nearest")),
        ),
    ),
    Setting(
        "losses",
        say("Who picks the units that are lost"),
        (
            ("", say("their owner")),
            ("opponent", say("the opponent")),
            ("spread", say("nobody: losses are spread evenly")),
        ),
    ),
    Setting(
        "blocked",
        say("A retreat without room"),
        (
            ("", say("the unit is lost")),
            ("step a hex", say("a step for each hex")),
            ("stays", say("the unit stays")),
        ),
    ),
    Setting(
        "stand",
        say("A side that must retreat"),
        (
            ("", say("retreats")),
            ("step", say("may stand and lose a step")),
            ("trade", say("may trade steps for hexes")),
        ),
    ),
    Setting(
        "advance",
        say("After a retreat the winner"),
        (
            ("", say("may advance")),
            ("must", say("must advance")),
            ("no", say("does not advance")),
        ),
    ),
    Setting(
        "rolls",
        say("Who rolls"),
        (("", say("the attacker, once")), ("each", say("both sides, each for the other's losses"))),
    ),
)


def settings(codes: Iterable[str], *, pair: bool) -> Iterator[Setting]:
    """Give the settings of a procedure; both sides roll only where each has its half of a cell."""
    results = tuple((code, say("result {code}", code=code)) for code in codes)
    for setting in _SETTINGS:
        if setting.key == "rolls" and not pair:
            continue
        yield setting._replace(
            values=(*setting.values, *(results if setting.codes and not pair else ()))
        )
