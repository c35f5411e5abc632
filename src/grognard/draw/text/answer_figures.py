"""Figures behind the answers to a question, in words and in one measure for all answers."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import SIDES, Side
from grognard.card.wording import MARKS
from grognard.draw.text.chances import (
    column_words,
    count_words,
    loss_words,
    mean_words,
    plain_percent,
)
from grognard.fights.advised import Advised
from grognard.fights.chances import Odds
from grognard.fights.prospects import Prospect, menu
from grognard.fights.question_count import QuestionNumber
from grognard.rules.ask import Choose, Commit
from grognard.rules.fight import enemy_of
from grognard.rules.wording import named
from grognard.words.message import Message, say
from grognard.words.text import Lang, Text, semicolon

MOST_FIGURES = 3


class Figure(NamedTuple):
    """A figure behind an answer; a chance can be drawn as a bar."""

    text: str
    chance: Fraction | None = None


def figures(
    options: Sequence[Prospect], side: Side, card: Card, lang: Lang
) -> list[tuple[Figure, ...]]:
    """Give for each answer the figures in which the answers differ; none if they do not."""
    side = _role(options, side)
    told = _Told([option.odds for option in options], side, card, lang)
    losses, shaken = told.losses(side), told.shaken()
    rows = (told.ground(), losses, told.enemy_losses(), told.gone(), shaken, told.enemy_shaken())
    differing = [row for row in (told.risks(options), *rows) if len(set(row)) > 1]
    for row, means in ((losses, told.mean_losses(side)), (shaken, told.mean_shaken())):
        if len(set(row)) == 1 < len(set(means)):
            differing.append(means)
    del differing[MOST_FIGURES:]
    read = [_column(option, card, lang) for option in options]
    if any(figure.text for figure in read) and (differing or len(set(read)) > 1):
        differing.insert(0, read)
    later = [_later(option, card, lang) for option in options]
    if len(set(later)) > 1:
        differing = [later, *(differing or (read, told.ground(), losses))]
    return [
        tuple(row[place] for row in differing if row[place].text) for place in range(len(options))
    ]


def numbered(ask: Choose | Commit, side: Side, advised: Advised, lang: Lang) -> str:
    """Say which question this is, of how many if that is known; a commitment has one a side."""
    number = advised.number
    if isinstance(ask, Commit):
        both = [side for side in SIDES if len(menu(ask, side)) > 1]
        number = QuestionNumber(both.index(side) + 1, len(both)) if len(both) > 1 else None
    if number is None:
        return ""
    if number.all is None:
        return say("question {n}", n=number.n).in_(lang)
    return say("question {n} of {all}", n=number.n, all=number.all).in_(lang)


def in_common(
    options: Sequence[Prospect], side: Side, card: Card, lang: Lang
) -> tuple[Figure, ...]:
    """Give the figures that all answers share."""
    side = _role(options, side)
    told, read = _Told([options[0].odds], side, card, lang), _column(options[0], card, lang)
    return (*([read] if read.text else ()), *told.ground(), *told.losses(side))


def _role(options: Sequence[Prospect], side: Side) -> Side:
    """Give the role that the side which answers has in the fight that follows."""
    return next((option.role for option in options if option.role), side)


def _column(option: Prospect, card: Card, lang: Lang) -> Figure:
    """Name the column to which the figures of an answer belong; empty once the table is read."""
    return Figure(column_words(option.places, card, lang) if option.places else "")


def _later(option: Prospect, card: Card, lang: Lang) -> Figure:
    """Name the later answers that the figures of an answer assume; empty if there are none."""
    words = semicolon(lang).join(named(card, ask, answer, lang) for ask, answer in option.then)
    return Figure(say("then: {answers}", answers=words).in_(lang) if words else "")


class _Told(NamedTuple):
    """The odds behind the answers of a side; each method gives a figure for every answer."""

    every: Sequence[Odds]
    side: Side
    card: Card
    lang: Lang

    def risks(self, options: Sequence[Prospect]) -> list[Figure]:
        """Give the chance that the unit which an answer names dies, unless it is certain."""
        return [
            self._chance(say("{unit} eliminated", unit=str(option.answer)), option.risk)
            if 0 < option.risk < 1
            else Figure("")
            for option in options
        ]

    def ground(self) -> list[Figure]:
        if self.side == "attacker":
            return [self._chance(say("hex taken"), odds.chance("taken")) for odds in self.every]
        return [self._chance(say("hex held"), 1 - odds.chance("vacated")) for odds in self.every]

    def losses(self, side: Side) -> list[Figure]:
        """Give the losses after all answers in one measure, so that they can be compared."""
        spreads = [odds.spread(f"{side}_steps_lost") for odds in self.every]
        if not all(len(spread) == 1 or 0 in spread for spread in spreads):
            return self.mean_losses(side)
        return [
            Figure(loss_words(min(spread), self.card, self.lang))
            if len(spread) == 1
            else self._chance(self.card.phrase("a-loss"), 1 - spread[0])
            for spread in spreads
        ]

    def mean_losses(self, side: Side) -> list[Figure]:
        return [Figure(mean_words(odds, side, self.card, self.lang)) for odds in self.every]

    def enemy_losses(self) -> list[Figure]:
        enemy = enemy_of(self.side)
        return [
            figure._replace(text=f"{MARKS[enemy]} {figure.text}") for figure in self.losses(enemy)
        ]

    def gone(self) -> list[Figure]:
        chances = [odds.chance(f"{self.side}_eliminated") for odds in self.every]
        return [self._chance(say("all eliminated"), chance) for chance in chances]

    def shaken(self) -> list[Figure]:
        calm = [odds.spread(f"{self.side}_shaken").get(0, Fraction(0)) for odds in self.every]
        return [self._chance(say("units shaken"), 1 - chance) for chance in calm]

    def enemy_shaken(self) -> list[Figure]:
        enemy = enemy_of(self.side)
        told = self._replace(side=enemy).shaken()
        return [figure._replace(text=f"{MARKS[enemy]} {figure.text}") for figure in told]

    def mean_shaken(self) -> list[Figure]:
        """Give how many units are shaken on average."""
        what = say("units shaken, one demoralised or routed counting twice")
        means = [odds.expected(f"{self.side}_shaken") for odds in self.every]
        return [Figure(count_words(what, mean, self.lang)) for mean in means]

    def _chance(self, text: Message | Text, chance: Fraction) -> Figure:
        return Figure(f"{text.in_(self.lang)} {plain_percent(chance, self.lang)}", chance)
