"""Refusals, the one answer to bad input: the problem, its place, and near matches."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from grognard.words.message import Message, say
from grognard.words.text import Lang


class Refusal(ValueError):
    """Input that can't be used; `in_` gives the complete message in a language."""

    def __init__(
        self, problem: Message, *, source: str = "", line: int | None = None, place: str = ""
    ) -> None:
        self.problem = problem
        self.place = place
        where = [f"{source}:{line}" if line is not None else source, place]
        self.where = ": ".join(part for part in where if part)
        super().__init__(problem, source, line, place)

    def __reduce__(self) -> tuple[object, ...]:
        # For pickling between processes: its kind tells the receiver what to do.
        return _again, (type(self), self.args), self.__dict__

    def saying(self, problem: Message) -> Refusal:
        """Give the refusal of the same place in other words."""
        _, source, line, place = self.args
        return Refusal(problem, source=source, line=line, place=place)

    def in_(self, lang: Lang) -> str:
        problem = self.problem.in_(lang)
        return _one_line(f"{self.where}: {problem}" if self.where else problem)

    def __str__(self) -> str:
        return self.in_("en")


def shortened(text: str) -> str:
    """Leave out the middle of very long words, which users may have typed.

    The message still ends with what would be right.
    """
    return _LONG_WORD.sub(r"\1…\2", text)


def _one_line(text: str) -> str:
    """Keep a message on one line of a length that can be read, and free of control characters."""
    words = shortened(text)
    cut = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], cut)


_LONGEST = 1_000
_LONG_WORD = re.compile(r"(\S{60})\S{140,}(\S{40})")
# Controls, separators of lines, marks that turn the direction of writing, halves of characters.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def _again(kind: type[Refusal], args: tuple[object, ...]) -> Refusal:
    return kind.__new__(kind, *args)


def near(word: str, known: Iterable[str]) -> Message:
    """Suggest words for an unknown one: near matches, or all known words."""
    words = list(known)
    close = get_close_matches(word.lower(), words, n=3, cutoff=0.5)
    close += [w for w in words if word and word.lower() in w and w not in close]
    if close:
        return say("near matches: {words}", words=", ".join(close))
    return say("known: {words}", words=", ".join(words) or "-")


def shown(value: object) -> str:
    """Show a refused value in a message, shortened."""
    match value:
        case dict():
            return "{…}"
        case list() | tuple():
            return f"[…] ({len(value)})"
        case str() if len(value) > _SHOWN:
            return f"{value[:_SHOWN]!r}…"
        case int() if value.bit_length() > _SHOWN:
            return "…"
        case _:
            return repr(value)


_SHOWN = 80  # characters, or bits
