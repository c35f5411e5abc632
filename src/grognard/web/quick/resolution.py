"""A fight being resolved, step by step as in the rulebook."""

from json import dumps
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.dice import Dice
from grognard.card.rows import CERTAIN, SIDES, Side
from grognard.draw.json.fight import UnitStepsJson, units_json
from grognard.draw.text.fight import luck, suffering
from grognard.draw.text.outcome import outcome_code, play_words
from grognard.fights.advised import Advised, advised
from grognard.fights.opening import Told
from grognard.fights.play import Given, Play
from grognard.fights.prospects import menu
from grognard.fights.record import plain
from grognard.fights.table_cells import Lit, look_ups
from grognard.rules.ask import Choose, Commit, Roll
from grognard.rules.line import Line
from grognard.rules.wording import answered, question
from grognard.study.aid import Aid
from grognard.web.quick.decision import Decision, decision
from grognard.web.quick.panel import ShownLine, shown_lines
from grognard.words.text import Lang, Text


class PastStep(NamedTuple):
    """A step of the rulebook with its lines and answers so far."""

    name: Text
    lines: tuple[ShownLine, ...]


class Question(NamedTuple):
    """The open question."""

    text: str
    rule: str | None
    side: Side | None = None
    dice: Dice | None = None  # of a roll
    decisions: tuple[Decision, ...] = ()  # of the side that is asked, or of both
    nothing: tuple[str, ...] = ()  # what each side commits without a choice, as JSON


class Resolution(NamedTuple):
    """The fight as far as it is resolved."""

    steps: tuple[PastStep, ...]
    question: Question | None
    outcome: str | None  # in words
    code: str  # of the table, behind the words
    luck: tuple[str, ...]  # how likely that was
    units: tuple[UnitStepsJson, ...]  # when it is over
    can_undo: bool
    started: bool


def resolution(play: Play, words: Aid, doctrines: tuple[str, str], lang: Lang) -> Resolution:
    """Lay out a play: its steps so far, the open question, or the end."""
    over, card = play.asking is None, play.start.case.card
    return Resolution(
        _past(play, words, lang),
        _question(play, doctrines, lang),
        play_words(play, lang) if over else None,
        outcome_code(play.outcome, card, lang) if over else "",
        tuple(words_.strip() for words_ in luck(play, doctrines, lang)) if over else (),
        _standing(play) if over else (),
        play.can_undo(),
        bool(play.given),
    )


def _standing(play: Play) -> tuple[UnitStepsJson, ...]:
    """Give the steps of all units to whom something could happen."""
    sides = suffering(play.start)
    return tuple(unit for unit in units_json(play) if unit.side in sides)


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
            words.step(step),
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


def _question(play: Play, doctrines: tuple[str, str], lang: Lang) -> Question | None:
    ask, card = play.asking, play.start.case.card
    if ask is None:
        return None
    text = question(card, ask, lang)
    if isinstance(ask, Roll):
        return Question(text, ask.rule, dice=ask.dice)
    return Question(
        text,
        ask.rule,
        ask.side if isinstance(ask, Choose) else None,
        decisions=decisions(card, ask, advised(play, *doctrines), lang),
        nothing=tuple(dumps(plain(menu(ask, side)[0])) for side in SIDES if menu(ask, side)),
    )


def decisions(card: Card, ask: Choose | Commit, known: Advised, lang: Lang) -> tuple[Decision, ...]:
    """Lay out the answers of each side that has a choice."""
    asked = [side for side in SIDES if len(menu(ask, side)) > 1]
    return tuple(decision(card, ask, side, known, lang) for side in asked)


def struck(play: Play, table: str) -> tuple[Lit, ...]:
    """Give the cells of a table that the dice have hit."""
    return tuple(look_ups([told.line for told in play.told], table))
