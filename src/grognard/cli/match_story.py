"""What happened in a match, as lines for the terminal."""

import textwrap
from collections.abc import Iterator

import click

from grognard.draw.json.briefing import BriefingAnswer
from grognard.draw.json.steps import RecapAnswer
from grognard.maps.scenario import MARKS, Scenario
from grognard.words.message import say
from grognard.words.text import Lang, colon

WIDTH = 96


def briefing_lines(told: BriefingAnswer, lang: Lang) -> Iterator[str]:
    """Say what both sides should know before the first turn."""
    yield from _wrapped(told.about)
    yield from _wrapped(told.text)
    marks = {side.id: side.mark for side in told.sides}
    for side in told.sides:
        units = [say("{n} {n:unit|units}", n=side.units)]
        units += [say("{n} more on turn {turn}", n=a.units, turn=a.turn) for a in side.arrivals]
        forces = ", ".join(words.in_(lang) for words in units)
        yield f"  {side.mark} {side.name}{colon(lang)}{forces}"
    turns = say("{n} {n:turn|turns}.", n=told.turns).in_(lang)
    yield f"  {turns} {told.victory}"
    for goal in told.goals:
        place = [
            goal.hex or "",
            goal.text,
            str(goal.points or ""),
            marks.get(goal.holder or "", ""),
        ]
        yield f"    {'  '.join(part for part in place if part)}"
    if told.special:
        yield f"  {say('Special here:').in_(lang)}"
    for option in told.special:
        rule = f"  [{option.rule}]" if option.rule else ""
        yield f"    {option.text}{colon(lang)}{option.choice}{rule}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")


def recap_lines(told: RecapAnswer, scenario: Scenario, lang: Lang) -> Iterator[str]:
    """Sum up the turn of the automatic side: what it did, and all losses."""
    if not told.steps or told.side is None:
        return
    marks = {side.id: mark for side, mark in zip(scenario.sides, MARKS, strict=True)}
    names = {side.id: side.name for side in scenario.sides}
    head = say("Recap: {side}, turn {turn}", side=names[told.side], turn=told.turn or 0)
    yield click.style(f"{marks[told.side]} {head.in_(lang)}", underline=True)
    wide = len(str(len(told.steps)))
    for number, step in enumerate(told.steps, 1):
        yield f"  {number:>{wide}}  {step.text}"
        yield from (f"  {'':>{wide}}  {fight.outcome}" for fight in step.fights)
    if not told.losses:
        yield f"  {say('No losses.').in_(lang)}"
        return
    lost = ", ".join(f"{marks[loss.side]} {loss.text}" for loss in told.losses)
    yield f"  {say('Losses:').in_(lang)} {lost}"
