"""A fight on the terminal: one question at a time, with the legal answers, and undo."""

import re
import sys
from random import Random
from typing import NamedTuple

import click

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.card.wording import MARKS
from grognard.cli.output import print_json, print_lines
from grognard.draw.json import fight as fight_json
from grognard.draw.text import fight as fight_text
from grognard.draw.text.answer_figures import numbered
from grognard.draw.text.answers import offered_answers
from grognard.draw.text.outcome import play_words, with_code
from grognard.fights.advised import Advised, advised
from grognard.fights.play import Play, checked_answer, written_answer
from grognard.fights.prospects import menu
from grognard.fights.table_place import told_so_far
from grognard.maps.labels import Labels, labelled
from grognard.matches.storage.rows import Source
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.wording import question
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, colon

_NUMERAL = re.compile(r"[0-9]{1,9}")


class Stopped(Exception):
    """The person stopped before the end."""

    problem = say("stopped before the end; nothing was written")


def lead(
    play: Play, dice: list[int], random: Random, lang: Lang, doctrines: tuple[str, str]
) -> None:
    """Lead a person through a fight to its end; dice given beforehand are used first."""
    shown = 0
    while play.asking is not None:
        shown = _tell(play, shown, lang)
        before = len(play.given)
        _step(play, dice, random, lang, doctrines)
        if len(play.given) < before:
            shown = len(play.told)
    _tell(play, shown, lang)


def _tell(play: Play, shown: int, lang: Lang) -> int:
    for line in told_so_far(play, [told.line for told in play.told[shown:]]):
        click.echo(fight_text.line_text(line, play.start.case.card, lang))
    return len(play.told)


def _step(
    play: Play, dice: list[int], random: Random, lang: Lang, doctrines: tuple[str, str]
) -> None:
    ask, card = play.asking, play.start.case.card
    if isinstance(ask, Roll) and dice:
        faces = tuple(dice[: ask.dice.count])
        del dice[: ask.dice.count]
        play.answer(faces)
    elif ask is not None:
        known = Advised() if isinstance(ask, Roll) else advised(play, *doctrines)
        person = Person(card, random, lang, known)
        answer = person.asked(ask, undo=play.can_undo())
        if answer is None:
            play.undo()
            click.echo(say("taken back").in_(lang))
        else:
            play.answer(answer)


class Person(NamedTuple):
    """A person at the terminal, with advice on the open question of a fight."""

    card: Card
    random: Random
    lang: Lang
    advised: Advised = Advised()
    labels: Labels = ()  # of counters, in the reader's language

    def asked(self, ask: Ask, *, undo: bool) -> Answer | None:
        """Ask one question; None if the person takes the last answer back."""
        match ask:
            case Roll():
                return self.dice(ask).answer
            case Choose():
                return self._pick(ask, ask.side, undo=undo)
            case Commit():
                return self.half(ask, "attacker"), self.half(ask, "defender")

    def dice(self, ask: Roll) -> "Dice":
        """Ask for dice: typed ones, or Enter to roll."""
        words = labelled(question(self.card, ask, self.lang), self.labels)
        return _dice(words, ask, self.random, self.lang)

    def half(self, ask: Commit, side: Side) -> Answer:
        """Ask one side for its half of a secret commitment; the typed answer is hidden."""
        options = menu(ask, side)
        answer = self._pick(ask, side, undo=False) if len(options) > 1 else None
        return options[0] if answer is None else answer

    def _pick(self, ask: Choose | Commit, side: Side, *, undo: bool) -> Answer | None:
        """Show the answers with what they lead to, and read one."""
        words = labelled(question(self.card, ask, self.lang), self.labels)
        if number := numbered(ask, side, self.advised, self.lang):
            words = f"{words} ({number})"
        click.echo(click.style(f"{MARKS[side]} {words}", bold=True))
        offered = offered_answers(self.card, ask, side, self.advised, self.lang)
        print_lines(labelled(line, self.labels) for line in offered.lines)
        hint = offered.hint
        if undo:
            hint = say("{hint}, or u to take the last answer back", hint=hint)
        while True:
            hidden = isinstance(ask, Commit) and sys.stdin.isatty()
            line = read_line(hint.in_(self.lang), self.lang, hidden=hidden)
            if undo and line in ("u", "undo"):
                return None
            if (answer := offered.answer(line)) is not None:
                return answer
            problem = say("'{line}' is not legal here; expected {hint}", line=line, hint=hint)
            click.echo(f"  {problem.in_(self.lang)}")


class Dice(NamedTuple):
    """Dice, and whether a person typed them."""

    answer: Answer
    source: Source


def _dice(words: str, ask: Roll, random: Random, lang: Lang) -> Dice:
    example = ",".join(map(str, ask.dice.middling()))
    hint = say(
        "Enter rolls; or type {n} {n:die|dice}, such as {example}",
        n=ask.dice.count,
        example=example,
    )
    while True:
        line = read_line(f"{words} ({hint.in_(lang)})", lang)
        if not line:
            rolled = ask.dice.draw(random)
            click.echo(f"  {fight_text.rolled_faces(ask.dice, rolled)}{written_answer(rolled)}")
            return Dice(rolled, "rolled")
        try:
            return Dice(checked_answer(ask, typed_dice(line)), "typed")
        except Refusal as refusal:
            click.echo(f"  {refusal.in_(lang)}")


def typed_dice(words: str) -> tuple[int, ...]:
    """Parse typed dice: `5,3` or `5 3`."""
    parts = words.replace(",", " ").split()
    if not all(map(_NUMERAL.fullmatch, parts)):
        raise Refusal(say("'{words}' are not dice; expected numbers such as 5,3", words=words))
    return tuple(int(part) for part in parts)


def read_line(words: str, lang: Lang, *, hidden: bool = False) -> str:
    """Read a line that the person types; `quit` stops."""
    try:
        line: str = click.prompt(
            words,
            default="",
            show_default=False,
            hide_input=hidden,
            prompt_suffix=colon(lang),
        )
    except click.Abort:
        raise Stopped from None
    if line.strip() in ("quit", "q"):
        raise Stopped
    return line.strip()


def print_play(
    play: Play,
    lang: Lang,
    as_json: bool,
    *,
    log: bool,
    doctrines: tuple[str, str] = ("best", "best"),
) -> None:
    """Print the outcome of a play, as JSON or as text with or without its log."""
    if as_json:
        print_json(fight_json.play_answer(play, lang, *doctrines))
        return
    if log:
        print_lines(fight_text.log(play, lang))
    print_lines(fight_text.footnotes(play, lang))
    if play.asking is None:
        card = play.start.case.card
        click.echo(with_code(play_words(play, lang), play.outcome, card, lang))
        print_lines(fight_text.luck(play, doctrines, lang))
