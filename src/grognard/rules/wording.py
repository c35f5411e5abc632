"""Words for questions, for the options of an answer, and for answers.

An option has the card's phrase `question.option`. Numbers and groups share a phrase: `.n` and, for
the highest number, `.last`; `.none` and `.some` for a group; `.part` for each unit of a group, or
`[0]`, `[1]` … for each number of several, perhaps followed by the side, and by `.most` for a number
of which not all counts; `.eliminates` where the
answer takes a unit's last step. docs/cards.md has the list.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.effect_wording import effect_names, wording
from grognard.card.effects import parse_does
from grognard.card.rows import SIDES, Side
from grognard.card.wording import MARKS
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.words.blanks import filled
from grognard.words.numbers import Counted
from grognard.words.text import Lang, Text

WAY = "which-way"  # a choice between the ways of a result, in the words of its vocabulary


def question(card: Card, ask: Ask, lang: Lang) -> str:
    """Put a question into words."""
    return filled(card.phrase(ask.what).in_(lang), **_blanks(ask, lang))


def named(
    card: Card, ask: Choose | Commit, option: Answer, lang: Lang, side: Side = "attacker"
) -> str:
    """Put an option into words. The side matters for a commitment."""
    if isinstance(ask, Choose):
        if ask.former is not None and option in ask.former.options:
            ask = replace(ask, what=ask.former.what, options=ask.former.options)
        options, side = ask.options, ask.side
    else:
        options = ask.defender if side == "defender" else ask.attacker
    return _Options(card, ask, options, side, lang).words(option)


def offered(
    card: Card,
    ask: Choose | Commit,
    option: Answer,
    lang: Lang,
    side: Side,
    eliminates: Sequence[str],
) -> str:
    """Put an option into words, with the units that it eliminates."""
    words = named(card, ask, option, lang, side)
    if not eliminates:
        return words
    units = ", ".join(eliminates)
    phrase = card.find_phrase(f"{ask.what}.eliminates")
    if phrase is None:
        phrase = card.phrase("option-eliminated" if words == units else "option-eliminates")
    count = Counted(len(eliminates), lang)
    return phrase.in_(lang).format(option=words, units=units, n=count)


def answered(card: Card, ask: Choose | Commit, answer: Answer, lang: Lang) -> str:
    """Put an answer into words; that to a commitment has two halves."""
    if isinstance(ask, Choose) or not isinstance(answer, tuple):
        return named(card, ask, answer, lang)
    halves = zip(SIDES, (ask.attacker, ask.defender), answer, strict=True)
    return ", ".join(
        f"{MARKS[side]} {named(card, ask, half, lang, side)}"
        for side, options, half in halves
        if len(options) > 1
    )


def members(options: tuple[Answer, ...]) -> tuple[str, ...]:
    """Name those of whom any legal group may be chosen; nobody if the options are no groups."""
    if () not in options:
        return ()
    groups = [option for option in options if isinstance(option, tuple)]
    names = [name for group in groups for name in group]
    distinct = all(len(set(group)) == len(group) for group in groups)
    if len(groups) < len(options) or not distinct:
        return ()
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str)))


def _blanks(ask: Ask, lang: Lang) -> dict[str, object]:
    given = {} if isinstance(ask, Commit) else dict(ask.blanks)
    return {key: _blank(value, lang) for key, value in given.items()}


def _blank(value: object, lang: Lang) -> object:
    if isinstance(value, Text):
        return value.in_(lang)
    return Counted(value, lang) if isinstance(value, str) and value.isdecimal() else value


class _Options(NamedTuple):
    """The options of a question, to be put into words."""

    card: Card
    ask: Choose | Commit | Roll
    options: tuple[Answer, ...]
    side: Side
    lang: Lang

    def words(self, option: Answer) -> str:
        match option:
            case tuple():
                return self._group(option)
            case str():
                if self.ask.what == WAY:
                    return wording(parse_does(option), effect_names(self.card)).in_(self.lang)
                exact = self._phrase(f".{option}") or self._phrase(".unit", unit=option)
                return exact or self._word(option) or option
        most = max(n for n in self.options if isinstance(n, int))
        blanks = {"n": self._count(option), "rest": self._count(most - option)}
        keys = (f".{option}", *((".last",) if option == most else ()), ".n")
        return next(filter(None, (self._phrase(key, **blanks) for key in keys)), str(option))

    def _group(self, group: tuple[Answer, ...]) -> str:
        if not any(group):
            return self._phrase(".none") or self.card.phrase("option-none").in_(self.lang)
        if all(isinstance(part, int) for part in group):
            parts = [self._number(*part) for part in enumerate(group) if part[1]]
            return self._phrase(".some", parts=self._listed(parts)) or self._listed(parts)
        first, *rest = map(str, group)
        if any(f"{{{blank}}}" in self._text(f".{first}") for blank in ("rest", "1")):
            return self._phrase(f".{first}", *group, rest=", ".join(rest)) or first
        return self._names(Counter(map(self._one, group)))

    def _one(self, part: Answer) -> str:
        return self._phrase(f".{part}") or str(part)

    def _names(self, counts: Counter[str]) -> str:
        if self._text(".part") or max(counts.values()) > 1:
            each = self._text(".part") or self.card.phrase("option-part").in_(self.lang)
            blanks = _blanks(self.ask, self.lang)
            parts = (
                filled(each, **{**blanks, "unit": name, "n": self._count(n)})
                for name, n in counts.items()
            )
            return ", ".join(parts)
        names = self._listed(list(counts))
        return self._phrase(".some", names=names, n=self._count(len(counts))) or names

    def _number(self, place: int, part: Answer) -> str:
        key, n = f"[{place}]", self._count(int(str(part)))
        keys, blanks = [f"{key}.{self.side}", key], {"n": n}
        limits = self.ask.most if isinstance(self.ask, Commit) else ()
        most = limits[place] if limits else None
        if most is not None and n > most:
            keys = [f"{key}.{self.side}.most", f"{key}.most", *keys]
            blanks["most"] = self._count(most)
        return next(filter(None, (self._phrase(key, **blanks) for key in keys)), str(part))

    def _listed(self, parts: list[str]) -> str:
        if len(parts) == 1:
            return parts[0]
        both = self.card.phrase("option-and").in_(self.lang)
        return both.format(first=", ".join(parts[:-1]), last=parts[-1])

    def _word(self, word: str) -> str:
        text = self.card.wording(word)
        return text.in_(self.lang) if text else ""

    def _count(self, n: int) -> Counted:
        return Counted(n, self.lang)

    def _text(self, key: str) -> str:
        text = self.card.find_phrase(self.ask.what + key)
        return text.in_(self.lang) if text else ""

    def _phrase(self, key: str, *parts: object, **blanks: object) -> str | None:
        text = self._text(key)
        return filled(text, *parts, **{**_blanks(self.ask, self.lang), **blanks}) if text else None
