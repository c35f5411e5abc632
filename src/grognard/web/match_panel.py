"""The fight panel of the map: a fight before it is ordered, being resolved, or just over.

The conditions come from the board; what the panel shows of them is what quick combat shows.
"""

from typing import NamedTuple

from grognard import aid
from grognard.field import Order, Roles, Words
from grognard.fight import Fight
from grognard.line import Line
from grognard.look import look_ahead
from grognard.match import Match
from grognard.message import say
from grognard.play import Play
from grognard.preview import cells
from grognard.refusal import Refusal
from grognard.text import Lang
from grognard.web.panel import (
    Headline,
    Panel,
    ShownLine,
    ShownTable,
    headline,
    panel,
    shown_lines,
    shown_table,
)
from grognard.web.resolution import Resolution, resolution, struck


class Looked(NamedTuple):
    """A fight as it would be."""

    roles: Roles
    panel: Panel
    derived: tuple[ShownLine, ...]  # what the board says, on the way to the fight
    assumed: bool  # whether somebody has to choose or roll before

    @property
    def label(self) -> str:
        """Name the column, for the head of an arrow."""
        head = self.panel.headline
        if head.columns:
            return ", ".join(dict.fromkeys(str(line.value) for line in head.columns))
        return head.basic or (f"{head.attack} : {head.defence}" if head.defence else "")


def looked(match: Match, order: Words, doctrines: tuple[str, str], lang: Lang) -> Looked:
    """Look at an order that leads to a fight; refuse one that is not legal or leads to none."""
    ask, field = match.asking, match.field
    if not isinstance(ask, Order):
        raise Refusal(say("no order is asked for now"))
    ask.orders.check(order)
    ahead = look_ahead(field.carry_out(ask.board, ask.side, order), ask.side)
    if ahead.fight is None:
        raise Refusal(say("this leads to no fight"))
    lines = [entry for entry in ahead.log if isinstance(entry, Line)]
    asked = any(not isinstance(entry, Line | Roles) for entry in ahead.log)
    roles = Roles(ahead.attacker, field.enemy(ahead.attacker))
    shown = panel(ahead.fight, _table(ahead.fight), lang, doctrines)
    return Looked(roles, shown, shown_lines(lines, lang), asked)


def _table(fight: Fight) -> str:
    return aid.load(fight.case.card.id).sheet(fight.case.procedure.id).table


class Top(NamedTuple):
    """What stays of the panel when the dice are rolled: the deciding numbers and the table."""

    headline: Headline
    table: ShownTable


class Fought(NamedTuple):
    """A fight under way or over."""

    roles: Roles
    panel: Top
    resolution: Resolution
    lines: tuple[ShownLine, ...]


def fought(match: Match, play: Play, lang: Lang) -> Fought:
    """Show a fight as far as it is resolved."""
    table, card = _table(play.start), play.start.case.card
    explanation = play.start.explain()
    hit = struck(play, table)
    lit = shown_table(card.table(table), cells(play.start, table), hit, lang)
    steps = resolution(play, aid.load(card.id), lang)
    return Fought(
        match.roles,
        Top(headline(explanation), lit),
        steps._replace(question=None, started=False),
        shown_lines(explanation.lines, lang),
    )
