"""The fight panel of the map: a fight before it is ordered, being resolved, or just over.

The conditions come from the board; the panel is that of quick combat.
"""

from collections.abc import Iterator
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import SIDES
from grognard.draw.json.match_preview import asked_order, order_leaves_out, preview
from grognard.draw.json.match_question import BEST, Doctrines
from grognard.draw.text.answer_figures import figures
from grognard.fights.play import Play, written_answer
from grognard.fights.prospects import Prospects
from grognard.matches.before_fight import order_advice
from grognard.matches.match import Ahead, Match, Reply, look_ahead
from grognard.matches.protocol import END, Order, Roles, Words
from grognard.matches.sight import as_seen
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight, units_of
from grognard.rules.line import EXPLAINS, Line
from grognard.rules.wording import named, question
from grognard.study import player_sheet
from grognard.web.matches.order_menu import is_aimed, place
from grognard.web.quick.panel import Headline, Panel, ShownLine, panel, shown_lines
from grognard.web.quick.resolution import PastStep, Resolution, resolution
from grognard.web.quick.shown_rolls import ShownRoll, shown_rolls
from grognard.words.message import Message, say
from grognard.words.text import Lang, colon, semicolon


class Way(NamedTuple):
    """An answer to a question before the fight, and what it leads to."""

    text: str
    figures: tuple[str, ...]
    best: bool
    assumed: bool  # whether the fight that is shown takes it


class OpenQuestion(NamedTuple):
    """A question before the fight, and what its answers lead to."""

    text: str
    ways: tuple[Way, ...]


class Looked(NamedTuple):
    """The fight to which an order would lead."""

    roles: Roles
    panel: Panel
    derived: tuple[ShownLine, ...]  # conditions that the board gives
    assumed: tuple[str, ...]  # questions before the fight, with the answers that it takes
    questions: tuple[OpenQuestion, ...]  # those of them whose answers' odds are known

    @property
    def label(self) -> str:
        return _label(self.panel.headline)


def _label(head: Headline) -> str:
    """Name the column, for the head of an arrow."""
    if head.columns:
        return ", ".join(dict.fromkeys(column.value for column in head.columns))
    return head.basic or (f"{head.attack} : {head.defence}" if head.defence else "")


def looked(match: Match, order: Words, doctrines: Doctrines, lang: Lang) -> Looked:
    """Preview the fight of an order; refuse an order that is not legal or leads to no fight."""
    ahead, fight = preview(match, order)
    seen = as_seen(match.field, asked_order(match))
    open_ = _Open(match, seen, order, (), doctrines, order_leaves_out(match, order))
    return _ahead(open_, ahead, fight, lang)


def coming(match: Match, lang: Lang, doctrines: Doctrines = BEST) -> Looked | None:
    """Show the fight to which the order that is being carried out leads, as far as it is answered;
    None if it leads to none, or if the fight has begun."""
    if match.ordered is None or match.play is not None or match.fought is not None:
        return None
    ask, order, given = match.ordered
    if order == END or not is_aimed(ask, order):
        return None
    ahead = look_ahead(match.field.carry_out(ask.board, ask.side, order), ask.side, given)
    if ahead.fight is None:
        return None
    return _ahead(_Open(match, ask, order, given, doctrines), ahead, ahead.fight, lang)


class Arrows(NamedTuple):
    """The arrows of an attack that is being carried out."""

    units: list[str]  # the hexes from which they come
    target: str
    label: str


def arrows(match: Match, shown: "Looked | Fought | None") -> Arrows | None:
    """Give the arrows of the order that is being carried out; None if it is aimed at nothing."""
    if match.ordered is None or shown is None:
        return None
    ask, order, _ = match.ordered
    if order == END or not is_aimed(ask, order):
        return None
    where = dict.fromkeys(place(ask.board, name) for name in order[2:])
    return Arrows([hex_ for hex_ in where if hex_], place(ask.board, order[1]), shown.label)


class _Open(NamedTuple):
    """An order that leads to a fight, as far as it is answered."""

    match: Match
    ask: Order
    order: Words
    given: tuple[Answer, ...]
    doctrines: Doctrines
    left_out: Message | None = None  # what who orders does not see


def _ahead(open_: _Open, ahead: Ahead, fight: Fight, lang: Lang) -> Looked:
    lines = [entry for entry in ahead.log if isinstance(entry, Line)]
    assumed = [entry for entry in ahead.log if isinstance(entry, Reply)]
    field = open_.match.field
    taken = tuple(_assumed(field.card, assumed, lang))
    if open_.left_out:
        taken = (*taken, open_.left_out.in_(lang))
    shown = panel(fight.play(), _table(fight), lang, open_.doctrines)
    return Looked(
        Roles(ahead.attacker, field.enemy(ahead.attacker)),
        _with_assumed(shown, taken, lang),
        shown_lines(lines, lang),
        taken,
        tuple(_questions(open_, assumed, lang)),
    )


def _questions(open_: _Open, assumed: list[Reply], lang: Lang) -> Iterator[OpenQuestion]:
    """Give the questions before a fight, each after the answers that are assumed to those before
    it, as far as the odds behind its answers are known."""
    match, ask, order, given, doctrines, _ = open_
    card = match.field.card
    for reply in assumed:
        advised = order_advice(match, ask, order, given, doctrines)
        if isinstance(reply.ask, Choose) and isinstance(advised, Prospects):
            ways = tuple(_ways(card, reply.ask, reply.answer, advised, lang))
            yield OpenQuestion(question(card, reply.ask, lang), ways)
        given = (*given, reply.answer)


def _with_assumed(shown: Panel, taken: tuple[str, ...], lang: Lang) -> Panel:
    """Name the answers that are taken for granted beside the column that they give."""
    if shown.places is None or not taken:
        return shown
    lit = say(
        "{column}; assumed: {answers}", column=shown.places.lit, answers=semicolon(lang).join(taken)
    )
    return shown._replace(places=shown.places._replace(lit=lit.in_(lang)))


def _assumed(card: Card, replies: list[Reply], lang: Lang) -> Iterator[str]:
    """Put questions before the fight into words, with the answers that are taken for them."""
    for reply in replies:
        answer = reply.answer
        match reply.ask:
            case Choose() as ask:
                yield f"{question(card, ask, lang)} {named(card, ask, answer, lang)}"
            case Roll() as ask:
                yield f"{question(card, ask, lang)}{colon(lang)}{written_answer(answer)}"


def _ways(
    card: Card, ask: Choose, assumed: Answer, advised: Prospects, lang: Lang
) -> Iterator[Way]:
    """Give the answers to a question, with what they lead to from the attacker's point of view."""
    (options,) = advised.options.values()
    several = not all(option.best for option in options)
    for option, found in zip(options, figures(options, "attacker", card, lang), strict=True):
        text = named(card, ask, option.answer, lang)
        told = tuple(figure.text for figure in found)
        yield Way(text, told, option.best and several, option.answer == assumed)


def _table(fight: Fight) -> str:
    sheet = player_sheet.load(fight.case.card.id).sheet(fight.case.procedure.id)
    return sheet.read_by(fight.explain()).table


def _roles(match: Match, fight: Fight) -> Roles:
    """Find out from the units of a fight which side attacks."""
    owners, field = {piece.name: piece.side for piece in match.board.pieces}, match.field
    for side in SIDES:
        for owner in (owners[unit.name] for unit in units_of(fight, side) if unit.name in owners):
            enemy = field.enemy(owner)
            return Roles(owner, enemy) if side == "attacker" else Roles(enemy, owner)
    return match.roles


class Fought(NamedTuple):
    """A fight under way or over."""

    roles: Roles
    panel: Panel
    rolls: tuple[ShownRoll, ...]
    resolution: Resolution

    @property
    def label(self) -> str:
        return _label(self.panel.headline)


def fought(match: Match, play: Play, lang: Lang, doctrines: Doctrines = BEST) -> Fought:
    """Show a fight as far as it is resolved."""
    steps = resolution(play, player_sheet.load(play.start.case.card.id), doctrines, lang)
    return Fought(
        _roles(match, play.start),
        panel(play, _table(play.start), lang, doctrines),
        shown_rolls(play, None, lang),
        steps._replace(steps=tuple(_happenings(steps)), question=None, started=False),
    )


def _happenings(shown: Resolution) -> Iterator[PastStep]:
    """Leave lines out of the steps that the explanation shows."""
    for step in shown.steps:
        lines = tuple(line for line in step.lines if line.kind not in EXPLAINS)
        if lines:
            yield step._replace(lines=lines)
