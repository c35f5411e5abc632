"""Resolving a fight on the terminal: one question at a time, legal answers shown, undo."""

import sys
from random import Random

import click

from grognard.ask import Answer, Choose, Commit, Roll
from grognard.fight_json import named, question
from grognard.message import say
from grognard.play import Play, checked_answer, written_answer
from grognard.refusal import Refusal
from grognard.show_card import SIDES
from grognard.show_fight import told
from grognard.text import Lang


class Stopped(Exception):
    """The person left before the end."""

    problem = say("stopped before the end; nothing was written")


def lead(play: Play, dice: list[int], random: Random, lang: Lang) -> None:
    """Lead a person through a fight to its end. Typed dice are used first."""
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
        click.echo(told(line, lang))
    return len(play.told)


def _step(play: Play, dice: list[int], random: Random, lang: Lang) -> None:
    match play.asking:
        case Roll():
            play.answer(_dice(play, play.asking, dice, random, lang))
        case Choose():
            answer = _choice(play, play.asking, lang)
            if answer is None:
                play.undo()
                click.echo(say("taken back").in_(lang))
            else:
                play.answer(answer)
        case Commit():
            play.answer(_commitment(play, play.asking, lang))


def _dice(play: Play, ask: Roll, dice: list[int], random: Random, lang: Lang) -> Answer:
    words = question(play.start, ask, lang)
    if dice:
        faces = tuple(dice[: ask.dice])
        del dice[: ask.dice]
        return checked_answer(ask, faces)
    while True:
        hint = say(
            "Enter rolls; or type {n} dice, such as {example}", n=ask.dice, example=_example(ask)
        )
        line = _read(f"{words} ({hint.in_(lang)})")
        if not line:
            rolled = tuple(random.randint(1, 6) for _ in range(ask.dice))
            click.echo(f"  ⚄ {written_answer(rolled)}")
            return rolled
        try:
            return checked_answer(ask, typed_dice(line))
        except Refusal as refusal:
            click.echo(f"  {refusal.in_(lang)}")


def _example(ask: Roll) -> str:
    return ",".join(("5", "3", "4")[: ask.dice])


def typed_dice(words: str) -> tuple[int, ...]:
    """Read dice as people type them: `5,3` or `5 3`."""
    parts = words.replace(",", " ").split()
    if not all(part.isdigit() for part in parts):
        raise Refusal(say("'{words}' are not dice; expected numbers such as 5,3", words=words))
    return tuple(int(part) for part in parts)


def _choice(play: Play, ask: Choose, lang: Lang) -> Answer | None:
    """Ask for a choice; None where the last answer is taken back."""
    side = SIDES[0 if ask.side == "attacker" else 1]
    click.echo(click.style(f"{side} {question(play.start, ask, lang)}", bold=True))
    return _pick(play, ask, ask.options, lang, undo=play.can_undo())


def _pick(
    play: Play, ask: Choose | Commit, options: tuple[Answer, ...], lang: Lang, *, undo: bool
) -> Answer | None:
    words = {written_answer(option): option for option in options}
    if not all(isinstance(option, int) for option in options):
        for place, option in enumerate(options, start=1):
            click.echo(f"  {place}) {named(play.start, ask, option, lang)}")
            words[str(place)] = option
    numbers = sorted(int(word) for word in words if word.isdigit())
    hint = say("{first} to {last}", first=numbers[0], last=numbers[-1])
    if undo:
        hint = say("{hint}, or u to take the last answer back", hint=hint)
    while True:
        line = _read(hint.in_(lang), hidden=isinstance(ask, Commit) and sys.stdin.isatty())
        if undo and line == "u":
            return None
        if line in words:
            return words[line]
        problem = say("'{line}' is not legal here; expected {hint}", line=line, hint=hint)
        click.echo(f"  {problem.in_(lang)}")


def _commitment(play: Play, ask: Commit, lang: Lang) -> Answer:
    """Ask each side for itself; what is typed is not shown."""
    click.echo(click.style(question(play.start, ask, lang), bold=True))
    answers: list[Answer] = []
    for side, options in zip(SIDES, (ask.attacker, ask.defender), strict=True):
        click.echo(f"  {side}")
        answer = _pick(play, ask, options, lang, undo=False)
        if answer is not None:
            answers.append(answer)
    return tuple(answers)


def _read(words: str, *, hidden: bool = False) -> str:
    try:
        line: str = click.prompt(words, default="", show_default=False, hide_input=hidden)
    except click.Abort:
        raise Stopped from None
    return line.strip()
