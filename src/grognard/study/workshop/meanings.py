"""Meanings of result codes: what the codes that the hobby prints usually do."""

import re
from collections.abc import Callable

_SIDES = {"a": "attacker", "d": "defender", "b": "both"}
_NOTHING = re.compile(r"-|0|\.|•|·|ne|n|nil|no effect|sans effet|se|rien", re.IGNORECASE)


def guessed_meaning(code: str) -> str:
    """Guess what a code does, in the vocabulary of results; empty where nothing is usual."""
    return _found(code, _WHOLE)


def guessed_half(code: str) -> str:
    """Guess what a code of one side's half of a cell does."""
    return _found(code, _HALF)


def _found(code: str, usual: "tuple[tuple[str, Meaning], ...]") -> str:
    if _NOTHING.fullmatch(code):
        return "nothing"
    for pattern, meaning in usual:
        if found := re.fullmatch(pattern, code, re.IGNORECASE):
            return meaning(found)
    return ""


def _who(found: re.Match[str]) -> str:
    return _SIDES[found["side"].lower()]


def _number(found: re.Match[str], name: str) -> int:
    return int(found[name] or 1)


def _lost(found: re.Match[str]) -> str:
    return f"{_s(found, 'lose')} {_steps(_number(found, 'steps'))}"


def _steps(count: int) -> str:
    return f"{count} step{'s' if count > 1 else ''}"


def _s(found: re.Match[str], verb: str) -> str:
    who = _who(found)
    return f"{who} {verb}{'' if who == 'both' else 's'}"


def _gone(found: re.Match[str]) -> str:
    who = _who(found)
    return f"{who} {'are' if who == 'both' else 'is'} eliminated"


Meaning = Callable[[re.Match[str]], str]
_SIDE = "(?P<side>[adb])"
_WHOLE: tuple[tuple[str, Meaning], ...] = (
    (rf"{_SIDE}[ -]?(?:e|é|elim|x)", _gone),
    (rf"{_SIDE}[ -]?r(?P<hexes>\d)?", lambda m: f"{_s(m, 'retreat')} {_number(m, 'hexes')}"),
    (rf"{_SIDE}[ -]?l?(?P<steps>\d)", _lost),
    (rf"{_SIDE}[ -]?l", lambda m: f"{_s(m, 'lose')} 1 step"),
    (
        rf"{_SIDE}[ -]?l?(?P<steps>\d)[ -]?r(?P<hexes>\d)?",
        lambda m: (
            f"{_lost(m)} and {'retreat' if _who(m) == 'both' else 'retreats'} {_number(m, 'hexes')}"
        ),
    ),
    (r"ex|e[xc]h?\.?|x", lambda _: "exchange"),
    (r"(?P<steps>\d)", lambda m: f"defender loses {_steps(_number(m, 'steps'))}"),
)
_HALF: tuple[tuple[str, Meaning], ...] = (
    (r"(?P<steps>\d)", lambda m: f"loses {_steps(_number(m, 'steps'))}"),
    (r"e|é|x|elim", lambda _: "is eliminated"),
    (r"r(?P<hexes>\d)?", lambda m: f"retreats {_number(m, 'hexes')}"),
    (
        r"(?P<steps>\d)[ -]?r(?P<hexes>\d)?",
        lambda m: f"loses {_steps(_number(m, 'steps'))} and retreats {_number(m, 'hexes')}",
    ),
)
