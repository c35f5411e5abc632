"""Refusals, the one answer to bad input: the problem, its place, and near matches."""

from __future__ import annotations

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
        return _again, self.args, self.__dict__  # for pickling between processes

    def in_(self, lang: Lang) -> str:
        problem = self.problem.in_(lang)
        return f"{self.where}: {problem}" if self.where else problem

    def __str__(self) -> str:
        return self.in_("en")


def _again(problem: Message, source: str, line: int | None, place: str) -> Refusal:
    return Refusal(problem, source=source, line=line, place=place)


def near(word: str, known: Iterable[str]) -> Message:
    """Suggest words for an unknown one: near matches, or all known words."""
    words = list(known)
    close = get_close_matches(word.lower(), words, n=3, cutoff=0.5)
    close += [w for w in words if word and word.lower() in w and w not in close]
    if close:
        return say("near matches: {words}", words=", ".join(close))
    return say("known: {words}", words=", ".join(words) or "-")
