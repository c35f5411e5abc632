"""A fight on the terminal: one question at a time, with the legal answers, and undo."""

import re
import sys
from random import Random

import click

from grognard.card.card import Card
from grognard.card.rows import SIDES
from grognard.card.wording import MARKS
from grognard.cli.output import print_json, print_lines
from grognard.draw.json import fight as fight_json
from grognard.draw.text import fight as fight_text
from grognard.fights.play import Play, checked_answer, written_answer
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.wording import named, question
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

_NUMERAL = re.compile(r"[0-9]{1,9}")


class Stopped(Exception):
    """The person stopped before the end."""

    problem = say("stopped before the end; nothing was written")


def lead(play: Play, dice: list[int], random: Random, lang: Lang) -> None:
    """Lead a person through a fight to its end; dice given beforehand are used first."""
    shown = 0
    while play.asking is not None:
        shown = _tell(play, shown, lang)
        before = len(play.given)
        _step(play, dice, random, lang)
        if len(play.given) < before:
            shown = len(play.told)
    _tell(play, shown, lang)


def _tell(play: Play, shown: int, lang: Lang) -> int:
    for line in play.told[shown:]:
        click.echo(fight_text.line_text(line.line, lang))
    return len(play.told)


def _step(play: Play, dice: list[int], random: Random, lang: Lang) -> None:
    ask, card = play.asking, play.start.case.card
    if isinstance(ask, Roll) and dice:
        faces = tuple(dice[: ask.dice.count])
        del dice[: ask.dice.count]
        play.answer(faces)
    elif ask is not None:
        answer = ask_person(card, ask, random, lang, undo=play.can_undo())
        if answer is None:
            play.undo()
            click.echo(say("taken back").in_(lang))
        else:
            play.answer(answer)


def ask_person(card: Card, ask: Ask, random: Random, lang: Lang, *, undo: bool) -> Answer | None:
    """Ask one question; None if the person takes the last answer back."""
    words = question(card, ask, lang)
    match ask:
        case Roll():
            return _dice(words, ask, random, lang)
        case Choose():
            click.echo(click.style(f"{MARKS[ask.side]} {words}", bold=True))
            return _pick(card, ask, ask.options, lang, undo=undo)
        case Commit():
            return ask_half(card, ask, 0, lang), ask_half(card, ask, 1, lang)


def _dice(words: str, ask: Roll, random: Random, lang: Lang) -> Answer:
    example = ",".join(map(str, ask.dice.middling()))
    hint = say(
        "Enter rolls; or type {n} dice, such as {example}", n=ask.dice.count, example=example
    )
    while True:
        line = read_line(f"{words} ({hint.in_(lang)})")
        if not line:
            rolled = ask.dice.draw(random)
            click.echo(f"  ⚄ {written_answer(rolled)}")
            return rolled
        try:
            return checked_answer(ask, typed_dice(line))
        except Refusal as refusal:
            click.echo(f"  {refusal.in_(lang)}")


def typed_dice(words: str) -> tuple[int, ...]:
    """Parse typed dice: `5,3` or `5 3`."""
    parts = words.replace(",", " ").split()
    if not all(map(_NUMERAL.fullmatch, parts)):
        raise Refusal(say("'{words}' are not dice; expected numbers such as 5,3", words=words))
    return tuple(int(part) for part in parts)


def _pick(
    card: Card, ask: Choose | Commit, options: tuple[Answer, ...], lang: Lang, *, undo: bool
) -> Answer | None:
    words: dict[str, Answer] = {}
    if all(isinstance(option, int) for option in options):
        hint = say("{first} to {last}", first=min(map(str, options)), last=max(map(str, options)))
    else:
        for place, option in enumerate(options, start=1):
            click.echo(f"  {place}) {named(card, ask, option, lang)}")
            words[str(place)] = option
        hint = say("{first} to {last}", first=1, last=len(options))
    for option in options:  # its name may be typed too, unless that is another option's number
        words.setdefault(written_answer(option), option)
    if undo:
        hint = say("{hint}, or u to take the last answer back", hint=hint)
    while True:
        line = read_line(hint.in_(lang), hidden=isinstance(ask, Commit) and sys.stdin.isatty())
        if undo and line in ("u", "undo"):
            return None
        if line in words:
            return words[line]
        problem = say("'{line}' is not legal here; expected {hint}", line=line, hint=hint)
        click.echo(f"  {problem.in_(lang)}")


def ask_half(card: Card, ask: Commit, place: int, lang: Lang) -> Answer:
    """Ask one side for its half of a secret commitment; the typed answer is hidden."""
    options = (ask.attacker, ask.defender)[place]
    if len(options) == 1:
        return options[0]
    click.echo(click.style(f"{MARKS[SIDES[place]]} {question(card, ask, lang)}", bold=True))
    answer = _pick(card, ask, options, lang, undo=False)
    return options[0] if answer is None else answer


def read_line(words: str, *, hidden: bool = False) -> str:
    """Read a line that the person types; `quit` stops."""
    try:
        line: str = click.prompt(words, default="", show_default=False, hide_input=hidden)
    except click.Abort:
        raise Stopped from None
    if line.strip() in ("quit", "q"):
        raise Stopped
    return line.strip()


def print_play(play: Play, lang: Lang, as_json: bool, *, log: bool) -> None:
    """Print the outcome of a play, as JSON or as text with or without its log."""
    if as_json:
        print_json(fight_json.play_answer(play, lang))
        return
    if log:
        print_lines(fight_text.log(play, lang))
    if play.asking is None:
        click.echo(fight_text.outcome_words(play.outcome, play.start.case.card, lang))
