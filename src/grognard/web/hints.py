"""What a little more would bring: a column, a point on the die, some factors."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from grognard.aid import Sheet
from grognard.fight import Fight
from grognard.line import signed
from grognard.message import Message, say
from grognard.odds import Odds
from grognard.refusal import Refusal
from grognard.shift import shifted
from grognard.show_fight import decimal, percent
from grognard.text import Lang
from grognard.web.limits import limited_fight
from grognard.web.units import Stated

_MOST = 64  # factors beyond which nobody looks
_NAME = "+"  # of the unit that would bring them

_STEPS: tuple[tuple[int, int, Message], ...] = (
    (1, 0, say("one more column")),
    (-1, 0, say("one column less")),
    (0, 1, say("one more on the die")),
    (0, -1, say("one less on the die")),
)


def worths(fight: Fight, doctrines: tuple[str, str], lang: Lang) -> Iterator[str]:
    """Say what a column or a point on the die is worth here."""
    now = fight.odds(*doctrines)
    for columns, die, what in _STEPS:
        there = shifted(fight, columns, die, *doctrines)
        if there is not None:
            parts = ", ".join(_changes(now, there.odds, lang))
            yield f"{what.in_(lang)}{' : ' if lang == 'fr' else ': '}{parts}"


def _changes(now: Odds, then: Odds, lang: Lang) -> Iterator[str]:
    """Tell what becomes of the chances that matter; what stays the same is left out."""
    changed = False
    before, after = now.chance("taken"), then.chance("taken")
    if before != after:
        changed = True
        yield say(
            "hex taken {before} → {after}",
            before=percent(before, lang),
            after=percent(after, lang),
        ).in_(lang)
    for mark, number in (("▶", "attacker_steps_lost"), ("◆", "defender_steps_lost")):
        more = then.expected(number) - now.expected(number)
        if more:
            changed = True
            yield say("{side} loses {more}", side=mark, more=_signed(more, lang)).in_(lang)
    if not changed:
        yield say("nothing changes").in_(lang)


def _signed(value: Fraction, lang: Lang) -> str:
    return ("+" if value > 0 else "−") + decimal(abs(float(value)), 2, lang)


class _Standing(NamedTuple):
    """Where a fight stands on its table."""

    column: str | None
    die: int


def factors_needed(game_id: str, sheet: Sheet, stated: Stated, lang: Lang) -> str | None:
    """Say how many more factors bring the attacker to a better column or die."""
    units = next((u for u in sheet.units if u.side == "attacker" and u.factor), None)
    entries = stated.get(units.list) if units else None
    if units is None or not isinstance(entries, list):
        return None

    def standing(more: int) -> _Standing:
        added = {**units.new, "name": _NAME, units.factor: more}
        fuller = {**stated, units.list: [*entries, added]} if more else stated
        fight = limited_fight({**fuller, "game": game_id, "procedure": sheet.procedure})
        explained = fight.explain()
        column = explained.column()["final"] or explained.column()["basic"]
        return _Standing(None if column is None else str(column), explained.die_modifier)

    try:
        now = standing(0)
        most = _least(lambda more: standing(more) != now)
    except Refusal:
        return None
    if most is None:
        return None
    then = standing(most)
    if then.column != now.column and then.column is not None:
        return say("{n} more factors for {column}", n=most, column=then.column).in_(lang)
    return say(
        "{n} more factors for {more} on the die", n=most, more=signed(then.die - now.die)
    ).in_(lang)


def _least(better: Callable[[int], bool]) -> int | None:
    """Find the least number that is better, by halving: more factors are never worse."""
    if not better(_MOST):
        return None
    low, high = 0, _MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if better(middle) else (middle, high)
    return high
