"""The legal answers of a question as text, with what they lead to, and typed answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import SIDES, Side
from grognard.card.wording import MARKS
from grognard.draw.text.answer_figures import figures, in_common
from grognard.draw.text.chances import plain_percent
from grognard.fights.advised import Advised
from grognard.fights.play import written_answer
from grognard.fights.prospects import Prospect, menu, stands_out
from grognard.rules.ask import Answer, Choose, Commit
from grognard.rules.wording import members, offered
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

BEST = "*"
NOBODY = "-"


class Offered(NamedTuple):
    """The answers of a question as they are shown and may be typed."""

    lines: tuple[str, ...]
    typed: Mapping[str, Answer]
    hint: Message
    groups: Mapping[frozenset[str], Answer]  # if a group is chosen: by its members
    members: tuple[str, ...]

    def answer(self, line: str) -> Answer | None:
        """Understand a typed answer; None if it is not legal."""
        if line in self.typed:
            return self.typed[line]
        words = [word.strip() for word in line.split(",")]
        numbered = dict(enumerate(self.members, start=1))
        names = [numbered[int(w)] if w.isdecimal() and int(w) in numbered else w for w in words]
        return self.groups.get(frozenset(names)) if self.groups else None


def offered_answers(
    card: Card, ask: Choose | Commit, side: Side, advised: Advised, lang: Lang
) -> Offered:
    """Lay out the answers of a side."""
    options = menu(ask, side)
    shown = _Shown(card, ask, side, advised, lang)
    lines = (*_assumes(advised, lang), *shown.common())
    typed = {written_answer(option): option for option in options}
    if names := members(options):
        groups = {frozenset(map(str, o)): o for o in options if isinstance(o, tuple)}
        hint = say("numbers or names with commas between them, or - for nobody")
        return Offered((*lines, *shown.group(names)), typed | {NOBODY: ()}, hint, groups, names)
    keys = _keys(options)
    rows = (shown.row(key, place) for key, place in zip(keys, range(len(options)), strict=True))
    first, last = (keys[0], keys[-1])
    if keys != [str(n) for n in range(1, len(keys) + 1)]:
        first, last = min(keys, key=int), max(keys, key=int)
    hint = say("{first} to {last}", first=first, last=last)
    numbered = dict(zip(keys, options, strict=True))
    return Offered((*lines, *rows), typed | numbered, hint, {}, ())


def _keys(options: Sequence[Answer]) -> list[str]:
    """Numbers stand for themselves, other answers have their place."""
    if all(isinstance(option, int) for option in options):
        return [str(option) for option in options]
    return [str(place) for place in range(1, len(options) + 1)]


def _assumes(advised: Advised, lang: Lang) -> Iterator[str]:
    """Say by which doctrines the figures are worked out, or why there are none."""
    if isinstance(advised.ahead, Refusal):
        reason = say("no odds here: {why}", why=advised.ahead.problem)
        yield f"  {reason.in_(lang)}"
    elif advised.ahead is not None and advised.ahead.options:
        ways = zip(SIDES, advised.ahead.odds.doctrines, strict=True)
        doctrines = ", ".join(f"{MARKS[side]} {way.name.in_(lang)}" for side, way in ways)
        words = say("what follows by doctrine: {doctrines}; * is best", doctrines=doctrines)
        yield f"  {words.in_(lang)}"


class _Shown(NamedTuple):
    card: Card
    ask: Choose | Commit
    side: Side
    advised: Advised
    lang: Lang

    @property
    def prospects(self) -> tuple[Prospect, ...]:
        return self.advised.options(self.side)

    def common(self) -> Iterator[str]:
        """Say that it makes no difference, if so, and what follows in any case."""
        if self.prospects and not any(self._figures()):
            shared = ", ".join(
                f.text for f in in_common(self.prospects, self.side, self.card, self.lang)
            )
            words = say("whatever is chosen: {figures}", figures=shared)
            yield f"  {words.in_(self.lang)}"

    def row(self, key: str, place: int) -> str:
        return f"  {key}) {self._words(place)}"

    def _words(self, place: int) -> str:
        option = menu(self.ask, self.side)[place]
        gone = self.advised.eliminates.get(option, ())
        words = offered(self.card, self.ask, option, self.lang, self.side, gone)
        return f"{words}{self._behind(place)}"

    def group(self, names: Sequence[str]) -> Iterator[str]:
        """List the members, and what follows from nobody, from anybody, or from the best group."""
        for number, name in enumerate(names, start=1):
            yield f"  {number}) {name}"
        options = menu(self.ask, self.side)
        nobody = options.index(())
        yield self.row(NOBODY, nobody)
        others = [place for place in range(len(options)) if place != nobody]
        behind = {self._behind(place) for place in others}
        if len(others) == 1:
            yield f"  {self._words(others[0])}"
        elif len(behind) == 1 and (same := behind.pop()):
            anybody = say("anybody")
            yield f"  {anybody.in_(self.lang)}{same}"
        elif best := [place for place in others if stands_out(self.prospects, place)]:
            yield f"  {self._words(best[0])}"

    def _figures(self) -> list[tuple[str, ...]]:
        found = figures(self.prospects, self.side, self.card, self.lang) if self.prospects else []
        return [tuple(figure.text for figure in figures_) for figures_ in found]

    def _behind(self, place: int) -> str:
        found = self._figures()
        if not any(found):
            return ""
        prospect = self.prospects[place]
        mark = ""
        if stands_out(self.prospects, place):
            mixed = 0 < prospect.share < 1
            mark = f" {BEST}" + (f" ({plain_percent(prospect.share, self.lang)})" if mixed else "")
        return f"{mark}   {', '.join(found[place])}"
