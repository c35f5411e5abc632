"""A match on the terminal: the map as text, orders, questions, saving."""

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random

import click
from msgspec.structs import replace

from grognard.card.rows import SIDES, Reading, Side, joined_readings
from grognard.card.wording import MARK
from grognard.cli.fight_terminal import Person, Stopped, read_line
from grognard.cli.match_story import briefing_lines, recap_lines, story_lines
from grognard.cli.output import print_lines
from grognard.draw.json.briefing import briefing_json
from grognard.draw.json.steps import recap_json
from grognard.draw.json.story import story_json
from grognard.draw.text import map as text_map
from grognard.draw.text.dice_sources import dice_source
from grognard.draw.text.fight import line_text, rolled_faces
from grognard.draw.text.match import order_heading, order_text, verdict_words
from grognard.draw.text.match_advice import advice_lines, danger_lines
from grognard.fights.advised import Advised
from grognard.fights.play import written_answer
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.maps.labels import labelled, labels_of
from grognard.maps.scenario import MARKS
from grognard.matches import orders
from grognard.matches.advised import match_advised
from grognard.matches.marks import match_marks
from grognard.matches.match import Match, save
from grognard.matches.protocol import Order, Roles, Words, order_words
from grognard.matches.recap import QuietNames, Reader, recap_due
from grognard.matches.sight import (
    hidden_from,
    shown_board,
    viewer,
    visible,
)
from grognard.matches.storage.rows import Source
from grognard.players.advice import advice, dangers
from grognard.players.bot import Bot
from grognard.rules.ask import Answer, Ask, Commit, Roll
from grognard.rules.line import Line
from grognard.rules.wording import question
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang, colon

HELP = say(
    "Orders: move UNIT HEX, attack HEX with UNIT …, end. "
    "Also: orders [WORD], reach UNIT, supply UNIT, map [UNIT or HEX], recap, advice, "
    "dangers, undo, save FILE, quit, help."
)
_OWN: Mapping[Side | None, str] = {"attacker": MARKS[0], "defender": MARKS[1], None: " "}
_SWAPPED: Mapping[Side | None, str] = {"attacker": MARKS[1], "defender": MARKS[0], None: " "}


class MatchTerminal:
    """A match on the terminal: persons play some sides, bots the others."""

    def __init__(
        self,
        match: Match,
        bots: dict[str, Bot],
        seed: int | None,
        lang: Lang,
        doctrines: tuple[str, str] = ("best", "best"),
    ) -> None:
        self.match, self.bots, self.lang, self.doctrines = match, bots, lang, doctrines
        self._random = Random(seed)
        self._phase: tuple[int, str, str] | None = None
        self._shown = 0
        self._recapped = 0  # entries of the log up to the last recap
        self._drawn: Board | None = None  # board of the last map
        self._marks = _OWN
        self._labels = labels_of([match.field.scenario], lang)
        self._names = tuple((label, name) for name, label in self._labels)  # typed by their labels
        self._units = frozenset(unit.name for unit in match.field.scenario.forces)
        self._told: set[Reading] = set()  # readings whose reasons were told
        self.file: Path | None = None

    def play(self) -> None:
        """Play to the end, or until the person leaves; save in the file, if there is one."""
        self._save()
        if len(self.bots) < 2 and not self.match.answers:
            told = briefing_json(self.match.field, self.bots, self.lang)
            print_lines(briefing_lines(told, self.lang))
        click.echo(HELP.in_(self.lang))
        try:
            while self.match.asking is not None:
                self._tell()
                self._step(self.match.asking)
        except Stopped:
            click.echo()
            if self.file is None:
                left = say("left; nothing was saved (save FILE, or --save FILE, keeps a match)")
                click.echo(left.in_(self.lang))
        finally:
            self._tell()
            self._save()
        if self.file is not None:
            click.echo(say("saved: {file}", file=self.file).in_(self.lang))
        if self.match.asking is None:
            self._result()

    def _step(self, ask: Order | Ask) -> None:
        try:
            answer = self._answer(ask)
            if answer is None:
                self.match.undo(self.bots)  # decisions of bots stay
                self._shown = len(self.match.log)
                click.echo(say("taken back").in_(self.lang))
            else:
                self.match.answer(*answer)
        except Refusal as refusal:
            click.echo(f"  {refusal.in_(self.lang)}")

    def _answer(self, ask: Order | Ask) -> tuple[Answer, Source] | None:
        """Get the answer from the bot of the side that is asked, or from the person."""
        bot = self.bots.get(self.match.asked or "")
        if bot is None and isinstance(ask, Roll | Commit) and len(self.bots) == 2:
            bot = next(iter(self.bots.values()))
        if bot is not None:
            return bot.answer(self.match), "rolled" if isinstance(ask, Roll) else "automatic"
        if isinstance(ask, Roll):
            return self._person(ask).dice(ask)
        if isinstance(ask, Commit) and self.bots:
            return self._commit(ask), "person"
        if isinstance(ask, Order):
            given = self._order(ask)
        else:
            given = self._person(ask).asked(ask, undo=self.match.undo_problem() is None)
        return None if given is None else (given, "person")

    def _person(self, ask: Ask) -> Person:
        advised = Advised() if isinstance(ask, Roll) else match_advised(self.match, *self.doctrines)
        return Person(self.match.field.card, self._random, self.lang, advised, self._labels)

    def _commit(self, ask: Commit) -> Answer:
        roles, halves = self.match.roles, list[Answer]()
        for place, (role, side) in enumerate(zip(SIDES, roles, strict=True)):
            if bot := self.bots.get(side):
                both = bot.answer(self.match)
                halves.append(both[place] if isinstance(both, tuple) else both)
            else:
                halves.append(self._person(ask).half(ask, role))
        return tuple(halves)

    def _order(self, ask: Order) -> Answer | None:
        """Read an order; `map`, `recap`, `orders`, `undo`, `save FILE` and `quit` are none."""
        self._recap()
        self._redraw(ask.board)
        heading = order_heading(self.match.field, ask)
        while True:
            line = labelled(read_line(heading.in_(self.lang), self.lang), self._names)
            words = orders.typed(line, self._units)
            match words:
                case () | ("help",):
                    click.echo(HELP.in_(self.lang))
                case ("map", *place):
                    self._map(" ".join(place))
                case ("recap",):
                    self._recap(again=True)
                case ("reach" | "supply" as what, *name) if name:
                    self._look(ask, what, " ".join(name))
                case ("advice" | "dangers" as what,):
                    self._advise(ask, what)
                case ("orders", *named):
                    self._orders(ask, tuple(named))
                case ("undo" | "u",):
                    return None
                case ("save", *file):
                    self.file = Path(*file[:1] or ("match.json",))
                    self._save()
                    click.echo(say("saved: {file}", file=self.file).in_(self.lang))
                case _:
                    return words

    def _recap(self, *, again: bool = False) -> None:
        """Sum up the turn of the automatic side, once before a person goes on."""
        if not again and not recap_due(self.match, self.bots):
            return
        told = recap_json(self.match, Reader(self.bots), self.lang)
        last = told.steps[-1].until if told.steps else 0
        if again and not told.steps:
            nothing = say("The other side has done nothing since your last order.")
            print_lines([f"  {nothing.in_(self.lang)}"])
        elif again or last != self._recapped:
            self._recapped = last
            lines = recap_lines(told, self.match.field.scenario, self.lang)
            print_lines(labelled(line, self._labels) for line in lines)

    def _advise(self, ask: Order, what: str) -> None:
        """Show a plan of the phase, or what the enemy could do."""
        field, sheet = self.match.field, ask.board.map
        if what == "advice":
            lines = advice_lines(advice(field, ask), field, ask, self.lang)
        else:
            lines = danger_lines(dangers(field, ask), sheet, self.lang)
        print_lines(f"  {labelled(line, self._labels)}" for line in lines)

    def _orders(self, ask: Order, words: Words) -> None:
        """List the legal orders that contain all the given words."""
        found = [order for order in ask.orders.all() if set(words) <= set(order)]
        if not found:
            click.echo(say("no legal order with these words").in_(self.lang))
        for order in found[:60]:
            shown = order_text(self.match.field.card, order, self.lang)
            click.echo(f"  {labelled(shown, self._labels)}")
        if len(found) > 60:
            more = say("… and {n} more; name a unit or a hex", n=len(found) - 60)
            click.echo(f"  {more.in_(self.lang)}")

    def _look(self, ask: Order, what: str, name: str) -> None:
        """Show the hexes that a unit can reach, with their cost, or its supply line."""
        field, board = self.match.field, ask.board
        piece = visible(self.match, viewer(self.match, self.bots), name)
        if what == "reach":
            ways = sorted(field.reach(board, piece).items(), key=lambda way: way[1].sixths)
            words = [f"{board.map.number(hex_)} ({way.cost})" for hex_, way in ways]
        else:
            line = field.supply(board, piece)
            hexes = [board.map.number(hex_) for hex_ in line.path or line.cut_by]
            found = say("supplied by") if line.traced else say("cut at")
            words = [found.in_(self.lang), *hexes]
        click.echo(textwrap.fill("  ".join(words), 96, initial_indent="  ", subsequent_indent="  "))

    def _redraw(self, board: Board) -> None:
        """Draw the map when it has changed; of a map in several strips, the part that changed."""
        before, self._drawn = self._drawn, board
        if before is board:
            return
        if before is None or len(text_map.strips(board.map, _width())) == 1:
            self._map()
        elif moved := [
            hex_
            for old, new in zip(before.pieces, board.pieces, strict=True)
            if old.at != new.at and (hex_ := new.at or old.at)
        ]:
            self._window(moved[-1])

    def _map(self, place: str = "") -> None:
        """Draw the whole map, or what lies around a unit or a hex."""
        watching = viewer(self.match, self.bots)
        if not place:
            board = shown_board(self.match, watching)
            print_lines(text_map.draw(board, self.match.field.scenario, self.lang, _width()))
            return
        if place in self._units:
            at = visible(self.match, watching, place).at
        else:
            at = self.match.board.map.hex(place)
        if at is None:
            raise Refusal(say("{unit} is not on the map", unit=place))
        self._window(at)

    def _window(self, at: Hex) -> None:
        board = shown_board(self.match, viewer(self.match, self.bots))
        battle = self.match.field.scenario
        print_lines(text_map.window(board, battle, self.lang, at, _width()))

    def _tell(self) -> None:
        """Print new entries of the log; the marks of the sides are those on the map."""
        first = self.match.field.scenario.sides[0].id
        marked = match_marks(self.match, self._shown)
        watching = viewer(self.match, self.bots)
        quiet = QuietNames(self.match, hidden_from(self.match, watching))
        for n, entry in enumerate(self.match.log[self._shown :], self._shown):
            readings = marked.get(n, ())
            if isinstance(entry, Roles):
                self._marks = _OWN if entry.attacker == first else _SWAPPED
            elif isinstance(entry, Line):
                line = replace(entry, reading=joined_readings(readings))
                words = line_text(line, self.match.field.card, self.lang, self._marks)
                click.echo(labelled(labelled(words, quiet.at(n)), self._labels))
            elif isinstance(entry.ask, Order):
                self._head(entry.ask)
                mark = MARKS[0 if entry.ask.side == first else 1]
                ordered = order_words(entry.answer)
                order = order_text(self.match.field.card, ordered, self.lang)
                order = labelled(order, quiet.at(n))
                doubt = MARK if readings else ""
                words = labelled(f"{mark} > {order}{doubt}", self._labels)
                click.echo(click.style(words, bold=True))
            elif isinstance(entry.ask, Roll):
                words = question(self.match.field.card, entry.ask, self.lang)
                faces = rolled_faces(entry.ask.dice, entry.answer)
                rolled = f"  {faces}{words}{colon(self.lang)}{written_answer(entry.answer)}"
                rolled += f"  {dice_source(entry.source, self.lang)}"
                click.echo(labelled(rolled.rstrip(), self._labels))
            print_lines(self._reasons(readings))
        self._shown = len(self.match.log)

    def _reasons(self, readings: Iterable[Reading]) -> Iterator[str]:
        """Give the reasons of marks, each once in a match."""
        for reading in readings:
            if reading.reason is not None and reading not in self._told:
                self._told.add(reading)
                option = say(" [option {id}]", id=reading.option) if reading.option else ""
                words = say("{reason}{option}", reason=reading.reason, option=option)
                yield f"      {MARK} {words.in_(self.lang)}"

    def _head(self, ask: Order) -> None:
        """Say whose phase begins, where no person is asked and so has read it."""
        phase = ask.turn, ask.side, ask.phase
        if ask.side in self.bots and phase != self._phase:
            first = self.match.field.scenario.sides[0].id
            mark = MARKS[0 if ask.side == first else 1]
            words = order_heading(self.match.field, ask).in_(self.lang)
            click.echo(click.style(f"{mark} {words}", underline=True))
        self._phase = phase

    def _save(self) -> None:
        if self.file is not None:
            save(self.match, self.file)

    def _result(self) -> None:
        if len(self.bots) < 2:
            lines = story_lines(story_json(self.match, self.bots, self.lang), self.lang)
            print_lines(labelled(line, self._labels) for line in lines)
        verdict = self.match.verdict()
        names = {side.id: side.name.in_(self.lang) for side in self.match.field.scenario.sides}
        points = ", ".join(f"{names[id_]} {n}" for id_, n in verdict.points.items())
        for one in verdict.conditions:
            mark = "✓" if one.holds else "✗"
            why = one.why.in_(self.lang)
            click.echo(f"{mark} {one.text.in_(self.lang)}{colon(self.lang)}{why}")
        won = verdict_words(self.match.field, verdict)
        click.echo(f"{points}{colon(self.lang)}{won.in_(self.lang)}")


def _width() -> int:
    """Give the width of the terminal in characters."""
    return shutil.get_terminal_size((text_map.WIDTH, 0)).columns
