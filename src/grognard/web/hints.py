"""What a little more would bring: a column, a point on the die, some factors."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from grognard import aid, game
from grognard.aid import Sheet, UnitList
from grognard.card import SIDES
from grognard.explain import explain_once
from grognard.fight import Fight, Setup
from grognard.line import signed
from grognard.message import Message, say
from grognard.odds import Found, Odds
from grognard.refusal import Refusal
from grognard.shift import shifted
from grognard.show_fight import decimal, percent
from grognard.text import Lang
from grognard.web.limits import limited_fight
from grognard.web.units import Stated, fight_on

_MOST = 64  # factors beyond which nobody looks
_NAME = "+"  # of the unit that would bring them

_STEPS: tuple[tuple[int, int, Message], ...] = (
    (1, 0, say("one more column")),
    (-1, 0, say("one column less")),
    (0, 1, say("one more on the die")),
    (0, -1, say("one less on the die")),
)


def hints(
    game_id: str, procedure: str, stated: Stated, doctrines: tuple[str, str], lang: Lang
) -> list[str]:
    """Say all that would help or hurt in what is stated on a sheet."""
    sheet = aid.load(game_id).sheet(procedure)
    told = list(worths(fight_on(game_id, sheet, stated), doctrines, lang))
    needed = factors_needed(game_id, sheet, stated, lang)
    return [needed, *told] if needed else told


def worths(fight: Fight, doctrines: tuple[str, str], lang: Lang) -> Iterator[str]:
    """Say what a column or a point on the die is worth here."""
    now = _figures(fight.odds(*doctrines).found)
    for columns, die, what in _STEPS:
        there = shifted(fight, columns, die, *doctrines)
        if there is not None:
            parts = ", ".join(_changes(now, _figures(there.odds.found), lang))
            yield f"{what.in_(lang)}{' : ' if lang == 'fr' else ': '}{parts}"


class _Figures(NamedTuple):
    """The figures that matter."""

    taken: Fraction
    attacker_lost: Fraction
    defender_lost: Fraction


@lru_cache(maxsize=4096)
def _figures(found: Found) -> _Figures:
    odds = Odds(found)
    lost = [odds.expected(f"{side}_steps_lost") for side in SIDES]
    return _Figures(odds.chance("taken"), *lost)


def _changes(now: _Figures, then: _Figures, lang: Lang) -> Iterator[str]:
    """Tell what becomes of the figures; what stays the same is left out."""
    changed = False
    before, after = now.taken, then.taken
    if before != after:
        changed = True
        yield say(
            "hex taken {before} → {after}",
            before=percent(before, lang),
            after=percent(after, lang),
        ).in_(lang)
    for mark, more in (
        ("▶", then.attacker_lost - now.attacker_lost),
        ("◆", then.defender_lost - now.defender_lost),
    ):
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
    named = {**stated, "game": game_id, "procedure": sheet.procedure}
    added = {**units.new, "name": _NAME, units.factor: 1}
    try:
        now = _standing(limited_fight(named))
        fuller = _Fuller(limited_fight({**named, units.list: [*entries, added]}), units)
        most = _least(lambda more: fuller.standing(more) != now)
    except Refusal:
        return None
    if most is None:
        return None
    then = fuller.standing(most)
    if then.column != now.column and then.column is not None:
        return say("{n} more factors for {column}", n=most, column=then.column).in_(lang)
    return say(
        "{n} more factors for {more} on the die", n=most, more=signed(then.die - now.die)
    ).in_(lang)


def _standing(fight: Fight) -> _Standing:
    explained = explain_once(fight)
    column = explained.column()["final"] or explained.column()["basic"]
    return _Standing(None if column is None else str(column), explained.die_modifier)


class _Fuller:
    """A fight with one more unit, of so many factors."""

    def __init__(self, fight: Fight, units: UnitList) -> None:
        self.case, self.units = fight.case, units
        self.known: dict[int, _Standing] = {}

    def standing(self, more: int) -> _Standing:
        """Tell where the fight stands with so many factors more."""
        if more not in self.known:
            case = self.case
            rules = game.load(case.card.id)
            fight = rules.fight(
                self._setup(more), procedure=case.procedure.id, options=case.options
            )
            self.known[more] = _standing(fight)
        return self.known[more]

    def _setup(self, more: int) -> Setup:
        setup: Setup = self.case.setup
        *others, added = getattr(setup, self.units.list)
        changed = replace(added, **{self.units.factor: more})
        return replace(setup, **{self.units.list: (*others, changed)})


def _least(better: Callable[[int], bool]) -> int | None:
    """Find the least number that is better, by halving: more factors are never worse."""
    if not better(_MOST):
        return None
    low, high = 0, _MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if better(middle) else (middle, high)
    return high
