"""A fight being resolved, step by step as in the rulebook."""

from json import dumps
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.dice import Dice
from grognard.card.rows import CERTAIN, Side
from grognard.draw.json.fight import UnitStepsJson, units_json
from grognard.draw.text.fight import outcome_words
from grognard.fights.opening import Told
from grognard.fights.play import Given, Play
from grognard.fights.record import plain
from grognard.fights.table_cells import Lit, look_ups
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.line import Line
from grognard.rules.wording import answered, named, question
from grognard.study.aid import Aid
from grognard.web.quick.panel import ShownLine, shown_lines
from grognard.words.text import Lang, Text


class PastStep(NamedTuple):
    """A step of the rulebook with its lines and answers so far."""

    name: Text
    lines: tuple[ShownLine, ...]


class Offer(NamedTuple):
    """A legal answer."""

    text: str
    value: str  # as JSON


class Question(NamedTuple):
    """The open question."""

    text: str
    rule: str | None
    side: Side | None = None
    dice: Dice | None = None  # of a roll
    offers: tuple[Offer, ...] = ()
    halves: tuple[tuple[Offer, ...], ...] = ()  # the offers of each side, for a secret commitment


class Resolution(NamedTuple):
    """The fight as far as it is resolved."""

    steps: tuple[PastStep, ...]
    question: Question | None
    outcome: str | None
    units: tuple[UnitStepsJson, ...]  # when it is over
    can_undo: bool
    started: bool


def resolution(play: Play, words: Aid, lang: Lang) -> Resolution:
    """Lay out a play: its steps so far, the open question, or the end."""
    over = play.asking is None
    return Resolution(
        _past(play, words, lang),
        _question(play, lang),
        outcome_words(play.outcome, play.start.case.card, lang) if over else None,
        units_json(play) if over else (),
        play.can_undo(),
        bool(play.given),
    )


def _past(play: Play, words: Aid, lang: Lang) -> tuple[PastStep, ...]:
    """Give the steps from the first answer on."""
    first = next((n for n, entry in enumerate(play.log) if isinstance(entry, Given)), None)
    if first is None:
        return ()
    steps: dict[str, list[Line | Given]] = {}
    for entry in play.log[first:]:
        steps.setdefault(entry.step, []).append(entry.line if isinstance(entry, Told) else entry)
    card = play.start.case.card
    return tuple(
        PastStep(
            words.steps[step],
            tuple(line for entry in entries for line in _entry(entry, card, lang)),
        )
        for step, entries in steps.items()
    )


def _entry(entry: Line | Given, card: Card, lang: Lang) -> tuple[ShownLine, ...]:
    if isinstance(entry, Line):
        return shown_lines([entry], lang)
    ask, answer = entry.ask, entry.answer
    text = question(card, ask, lang)
    if isinstance(ask, Roll):
        faces = answer if isinstance(answer, tuple) else ()
        given = " ".join(chr(0x267F + int(str(die))) for die in faces)
    else:
        given = answered(card, ask, answer, lang)
    side = ask.side if isinstance(ask, Choose) else None
    kind = "rolled" if isinstance(ask, Roll) else "chosen"
    told = ShownLine(kind, side, text, given, ask.rule, CERTAIN)
    return (told,)


def _question(play: Play, lang: Lang) -> Question | None:
    ask, card = play.asking, play.start.case.card
    if ask is None:
        return None
    text = question(card, ask, lang)
    match ask:
        case Roll():
            return Question(text, ask.rule, dice=ask.dice)
        case Choose():
            offers = tuple(_offer(card, ask, option, lang) for option in ask.options)
            return Question(text, ask.rule, ask.side, offers=offers)
        case Commit():
            halves = tuple(
                tuple(_offer(card, ask, option, lang) for option in menu)
                for menu in (ask.attacker, ask.defender)
            )
            return Question(text, ask.rule, halves=halves)


def _offer(card: Card, ask: Choose | Commit, option: Answer, lang: Lang) -> Offer:
    return Offer(named(card, ask, option, lang), dumps(plain(option)))


def struck(play: Play, table: str) -> tuple[Lit, ...]:
    """Give the cells of a table that the dice have hit."""
    return tuple(look_ups([told.line for told in play.told], table))
