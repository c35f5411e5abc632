"""Hints: what one more column, one more on the die or some more factors would bring."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import SIDES
from grognard.draw.text.chances import die_words, percent
from grognard.fights.chances import Found, Odds
from grognard.fights.explain import explain_once
from grognard.fights.odds import CACHES
from grognard.fights.table_place import open_asks
from grognard.fights.table_shift import shifted, unshifted
from grognard.rules import game
from grognard.rules.fight import Fight, Setup
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet, UnitList
from grognard.web.quick.shown_units import StatedJson, fight_on
from grognard.words.message import Message, say
from grognard.words.numbers import decimal, label
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, colon

_MOST = 64  # factors that are tried

_COLUMNS: tuple[tuple[int, int, Message], ...] = (
    (1, 0, say("one more column")),
    (-1, 0, say("one column less")),
)
_ONE_DIE = (0, 1, say("one more on the die")), (0, -1, say("one less on the die"))
_DICE = (0, 1, say("one more on the dice")), (0, -1, say("one less on the dice"))


def hints(
    game_id: str, procedure: str, stated: StatedJson, doctrines: tuple[str, str], lang: Lang
) -> list[str]:
    """Give all hints for the fight on a sheet."""
    sheet = player_sheet.load(game_id).sheet(procedure)
    fight = fight_on(game_id, sheet, stated)
    told = list(worths(fight, doctrines, lang))
    needed = factors_needed(fight, sheet, lang)
    return [needed, *told] if needed else told


def worths(fight: Fight, doctrines: tuple[str, str], lang: Lang) -> Iterator[str]:
    """Say what a column or a point on the die is worth in a fight as it stands."""
    here = unshifted(fight, *doctrines)
    if here is None:
        return
    now, commits = _figures(here.found), bool(open_asks(fight.play()))
    several = "unit-die" in fight.case.card.phrases  # the card speaks of dice
    for columns, die, what in (*_COLUMNS, *(_DICE if several else _ONE_DIE)):
        there = shifted(fight, columns, die, *doctrines)
        if there is not None:
            changes = _changes(now, _figures(there.odds.found), fight.case.card, lang)
            step = say("as it stands, {what}", what=what) if commits else what
            yield f"{step.in_(lang)}{colon(lang)}{changes}"


class _Figures(NamedTuple):
    """The numbers that hints compare."""

    taken: Fraction
    attacker_lost: Fraction
    defender_lost: Fraction


@lru_cache(maxsize=4096)
def _figures(found: Found) -> _Figures:
    odds = Odds(found)
    lost = [odds.expected(f"{side}_steps_lost") for side in SIDES]
    return _Figures(odds.chance("taken"), *lost)


CACHES.append(_figures)


def _changes(now: _Figures, then: _Figures, card: Card, lang: Lang) -> str:
    changes: list[str] = []
    if now.taken != then.taken:
        before, after = percent(now.taken, lang), percent(then.taken, lang)
        changes.append(say("hex taken {before} → {after}", before=before, after=after).in_(lang))
    for mark, more in (
        ("▶", then.attacker_lost - now.attacker_lost),
        ("◆", then.defender_lost - now.defender_lost),
    ):
        if more:
            changes.append(f"{mark} {_signed(more, lang)} {card.phrase('losses').in_(lang)}")
    return ", ".join(changes) or say("nothing changes").in_(lang)


def _signed(value: Fraction, lang: Lang) -> str:
    return ("+" if value > 0 else "−") + decimal(abs(float(value)), 2, lang)


class _TablePosition(NamedTuple):
    """The column and die modifier of a fight."""

    column: str | None
    die: int


def factors_needed(fight: Fight, sheet: PlayerSheet, lang: Lang) -> str | None:
    """Say how many more factors give the attacker a better column or die."""
    units = next((u for u in sheet.units if u.side == "attacker" and u.factor), None)
    if units is None:
        return None
    now = _standing(fight)
    for place in range(len(getattr(fight.case.setup, units.list))):
        fuller = _Fuller(fight, units, place)
        if (more := fuller.least_beyond(now)) is not None:
            return _told(more, now, fuller.standing(more), fight.case.card, lang)
    return None


def _told(more: int, now: _TablePosition, then: _TablePosition, card: Card, lang: Lang) -> str:
    what = say("one more factor") if more == 1 else say("{n} more factors", n=more)
    if then.column != now.column and then.column is not None:
        column = label(then.column, lang)
        return say("{what} for {column}", what=what, column=column).in_(lang)
    die = die_words(then.die - now.die, card, lang)
    return say("{what} for {column}", what=what, column=die).in_(lang)


def _standing(fight: Fight) -> _TablePosition:
    explained = explain_once(fight)
    column = explained.column()["final"] or explained.column()["basic"]
    return _TablePosition(None if column is None else str(column), explained.die_modifier)


class _Fuller:
    """A fight in which one unit has more factors."""

    def __init__(self, fight: Fight, units: UnitList, place: int) -> None:
        self.case, self.units, self.place = fight.case, units, place
        self.known: dict[int, _TablePosition] = {}

    def standing(self, more: int) -> _TablePosition:
        """Give the position with so many more factors."""
        if more not in self.known:
            case, rules = self.case, game.load(self.case.card.id)
            setup = self._setup(more)
            fight = rules.fight(setup, procedure=case.procedure.id, options=case.options)
            self.known[more] = _standing(fight)
        return self.known[more]

    def _setup(self, more: int) -> Setup:
        setup: Setup = self.case.setup
        listed = list(getattr(setup, self.units.list))
        unit, factor = listed[self.place], self.units.factor
        listed[self.place] = replace(unit, **{factor: getattr(unit, factor) + more})
        return replace(setup, **{self.units.list: tuple(listed)})

    def least_beyond(self, now: _TablePosition) -> int | None:
        """Find the least number of factors that changes the position, by bisection.

        None if even the most change nothing, or the rules do not allow so many.
        """
        try:
            if self.standing(_MOST) == now:
                return None
        except Refusal:
            return None
        low, high = 0, _MOST
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.standing(middle) == now else (low, middle)
        return high
