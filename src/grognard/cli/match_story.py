"""What happened in a match, as lines for the terminal."""

import textwrap
from collections.abc import Iterator, Mapping
from fractions import Fraction

import click

from grognard.draw.json.briefing import BriefingAnswer
from grognard.draw.json.steps import RecapAnswer
from grognard.draw.json.story import StoryAnswer
from grognard.draw.text.dice import ABOUT
from grognard.draw.text.dice_sources import dice_words
from grognard.draw.text.story import COSTLY, LUCK, points_text
from grognard.maps.scenario import MARKS, Scenario
from grognard.words.message import Message, say
from grognard.words.text import Lang, colon, semicolon

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


MOST_COSTLY = 3  # decisions of a side
FEW = 10  # faces of which also those are shown that never came


def story_lines(told: StoryAnswer, lang: Lang) -> Iterator[str]:
    """Tell how a match went."""
    marks = {side.id: side.mark for side in told.sides}
    over = told.verdict.text if told.verdict else say("The match is not over.").in_(lang)
    yield click.style(f"{told.scenario.name}{colon(lang)}{over}", bold=True)
    yield from (f"  {'✓' if one.holds else '✗'} {one.text}" for one in told.conditions)
    yield _head(say("Points by turn"), lang)
    for turn in told.turns:
        name = str(turn.turn) if turn.turn else say("start").in_(lang)
        stand = "   ".join(f"{marks[id_]} {points}" for id_, points in turn.points.items())
        yield f"  {name:>6}   {stand}"
    yield _head(say("Losses"), lang)
    for lost in told.losses:
        words = say(
            "{n} {n:step|steps}, {units} {units:unit|units} eliminated",
            n=lost.steps,
            units=lost.eliminated,
        ).in_(lang)
        yield f"  {marks[lost.side]} {words}"
        yield from _wrapped(", ".join(one.text for one in lost.units), "    ")
    yield from _luck_lines(told, marks, lang)
    yield from _dice_lines(told, marks, lang)


def _luck_lines(told: StoryAnswer, marks: Mapping[str, str], lang: Lang) -> Iterator[str]:
    yield _head(say("Luck"), lang)
    yield from _wrapped(LUCK.in_(lang))
    if told.dice:
        yield from _wrapped(say("Rolls: {counts}", counts=dice_words(told.dice, lang)).in_(lang))
    for side, points in told.luck.items():
        yield f"  {marks[side]} {points_text(Fraction(points), lang):>6}"
    yield _head(say("Costly decisions"), lang)
    yield from _wrapped(COSTLY.in_(lang))
    for seat in told.sides:
        for one in [one for one in told.costly if one.side == seat.id][:MOST_COSTLY]:
            cost = points_text(-Fraction(one.cost), lang)
            turn = say("Turn {turn}", turn=one.turn).in_(lang)
            better = say("better: {answer}", answer=one.better).in_(lang)
            done = f"{turn}{colon(lang)}{one.asked} {one.answer}{semicolon(lang)}{better}"
            yield f"  {seat.mark} {cost:>6}  {done}"


def _dice_lines(told: StoryAnswer, marks: Mapping[str, str], lang: Lang) -> Iterator[str]:
    if not told.tallies:
        return
    yield _head(say("Dice"), lang)
    yield from _wrapped(ABOUT.in_(lang))
    for one in told.tallies:
        faces = zip(one.faces, one.counts, strict=True)
        counts = "  ".join(f"{face}: {n}" for face, n in faces if n or len(one.faces) <= FEW)
        mark = marks.get(one.side or "", " ")
        yield f"  {mark} {one.die}, {one.source_text}{colon(lang)}{counts}"
        yield from _wrapped(one.text, "      ")


def _head(words: Message, lang: Lang) -> str:
    return click.style(words.in_(lang), underline=True)


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


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
    lost = ", ".join(f"{marks[one.side]} {one.text}" for one in told.losses if one.steps > 0)
    yield f"  {say('Losses:').in_(lang)} {lost}" if lost else f"  {say('No losses.').in_(lang)}"
    if back := ", ".join(f"{marks[one.side]} {one.unit}" for one in told.losses if one.steps < 0):
        yield f"  {say('Regained:').in_(lang)} {back}"
