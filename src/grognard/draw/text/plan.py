"""A plan as text, and its words for every face."""

from collections.abc import Iterator
from fractions import Fraction

import click

from grognard.card.card import Card
from grognard.card.rows import SIDES, Side
from grognard.card.wording import MARKS
from grognard.draw.text.chances import plain_percent
from grognard.study.planner.plan_file import Goal, Success
from grognard.study.planner.planner import PlanAnswer, Planned, PlannedAttack, PlannedTarget
from grognard.words.message import Message, say
from grognard.words.numbers import decimal, label, mixed, signed
from grognard.words.text import Lang, colon

GOAL_WORDS: dict[Goal, Message] = {
    "each": say("as many targets as possible, by their value"),
    "all": say("the best chance of all targets"),
    "one": say("the best chance of at least one target"),
    "losses": say("the best exchange of losses"),
}
SUCCESS_WORDS: dict[Success, Message] = {
    "cleared": say("the defender is gone"),
    "taken": say("the hex is taken"),
    "eliminated": say("the defender is eliminated"),
}


def plan_text(answer: PlanAnswer, lang: Lang) -> Iterator[str]:
    """Show the best division, then what others trade for it."""
    plan, card = answer.plan, answer.plan.game.card
    yield click.style(card.name.in_(lang), bold=True)
    wanted, success = GOAL_WORDS[plan.goal], SUCCESS_WORDS[plan.success]
    yield say("Goal: {goal}. Success: {success}.", goal=wanted, success=success).in_(lang)
    yield ""
    yield from _division(answer.best, card, lang)
    yield ""
    yield from _summary(answer.best, card, lang)
    for number, other in enumerate(answer.alternatives, 1):
        yield ""
        heading = say("Alternative {n}: {trade}", n=number, trade=trade(answer.best, other, lang))
        yield click.style(heading.in_(lang), bold=True)
        if other.best_for:
            yield f"  {best_for_words(other, lang)}"
        yield from _division(other, card, lang)
    if not answer.complete:
        yield ""
        yield CUT_OFF.in_(lang)


CUT_OFF = say(
    "The search was cut off by its work budget: a better division may exist. Fewer units that "
    "reach a target make it shorter."
)


def best_for_words(planned: Planned, lang: Lang) -> str:
    """Say by which goals no division is better."""
    goals = ", ".join(GOAL_WORDS[goal].in_(lang) for goal in planned.best_for)
    return say("no division is better for: {goals}", goals=goals).in_(lang)


def _division(planned: Planned, card: Card, lang: Lang) -> Iterator[str]:
    width = max(len(one.target.name) for one in planned.targets)
    for one in planned.targets:
        chance = plain_percent(one.chance, lang)
        yield f"  {click.style(one.target.name.ljust(width), bold=True)}  {chance.rjust(8)}"
        yield from (f"    {line}" for line in attack_lines(one, card, lang))
    if planned.unused:
        yield f"  {reserve_words(planned, lang)}"


def reserve_words(planned: Planned, lang: Lang) -> str:
    """Name the units that attack nobody."""
    return say("in reserve: {names}", names=", ".join(planned.unused)).in_(lang)


def attack_lines(planned: PlannedTarget, card: Card, lang: Lang) -> Iterator[str]:
    """Give a line for each attack on a target: who, on which column, with what chance."""
    if not planned.attacks:
        yield say("no attack").in_(lang)
    for number, attack in enumerate(planned.attacks):
        words = f"{MARKS['attacker']} {', '.join(attack.units)}"
        if number:
            needed = plain_percent(attack.figures.needed, lang)
            told = say("then, if it still holds ({chance}): {words}", chance=needed, words=words)
            words = told.in_(lang)
        yield f"{words}{colon(lang)}{figures_words(attack, card, lang)}"


def figures_words(attack: PlannedAttack, card: Card, lang: Lang) -> str:
    """Give the column of an attack, its chance, and the expected losses of both sides."""
    figures = attack.figures
    parts = [place_words(attack, lang), plain_percent(figures.chance, lang)]
    parts += [losses_words(figures.own, figures.enemy, card, lang)]
    return " · ".join(part for part in parts if part)


def place_words(attack: PlannedAttack, lang: Lang) -> str:
    """Give the totals, the column and the die modifier of an attack, as far as they are told."""
    explained = attack.figures.fight.explain()
    totals = [mixed(value) for value in explained.totals().values() if value is not None]
    column, die = explained.column()["final"], explained.die_modifier
    place = [" : ".join(map(str, totals)), "" if column is None else label(str(column), lang)]
    parts = [" → ".join(part for part in place if part)]
    if die:
        parts.append(say("die {value}", value=signed(die)).in_(lang))
    return ", ".join(part for part in parts if part)


def losses_words(own: Fraction, enemy: Fraction, card: Card, lang: Lang) -> str:
    """Give the expected losses of both sides, in the word of the game."""
    lost: dict[Side, Fraction] = dict(zip(SIDES, (own, enemy), strict=True))
    means = (f"{MARKS[side]} {_mean(mean, lang)}" for side, mean in lost.items())
    return f"{card.phrase('losses').in_(lang)} {' '.join(means)}"


def summary_rows(planned: Planned, card: Card, lang: Lang) -> Iterator[tuple[str, str]]:
    """Give the chance of all, of at least one, the expected number, and the losses."""
    yield say("all targets").in_(lang), plain_percent(planned.all, lang)
    yield say("at least one").in_(lang), plain_percent(planned.one, lang)
    expected = _mean(planned.expected, lang)
    yield say("targets on average").in_(lang), expected
    if planned.value != planned.expected:
        yield say("value on average").in_(lang), _mean(planned.value, lang)
    losses = losses_words(planned.own, planned.enemy, card, lang)
    yield say("on average").in_(lang), losses


def _summary(planned: Planned, card: Card, lang: Lang) -> Iterator[str]:
    rows = list(summary_rows(planned, card, lang))
    width = max(len(name) for name, _ in rows)
    for name, figure in rows:
        yield f"  {name.ljust(width)}  {figure}"


def trade(best: Planned, other: Planned, lang: Lang) -> str:
    """Say what an alternative changes: chances, targets, losses."""
    chances = [
        (say("all targets"), best.all, other.all),
        (say("at least one"), best.one, other.one),
    ]
    numbers = [
        (say("targets on average"), best.expected, other.expected),
        (say("own losses"), best.own, other.own),
        (say("enemy losses"), best.enemy, other.enemy),
    ]
    parts = [(what, plain_percent(a, lang), plain_percent(b, lang)) for what, a, b in chances]
    parts += [(what, _mean(a, lang), _mean(b, lang)) for what, a, b in numbers]
    return ", ".join(f"{what.in_(lang)} {a} → {b}" for what, a, b in parts if a != b)


def _mean(number: Fraction, lang: Lang) -> str:
    return decimal(float(number), 2, lang)
