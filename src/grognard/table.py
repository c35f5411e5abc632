"""Playing a match on the terminal: the map in text, orders, questions, saving."""

from pathlib import Path
from random import Random

import click

from grognard import orders, text_map
from grognard.ask import Answer, Ask, Roll
from grognard.bot import Bot, asked_side
from grognard.field import Order
from grognard.fight_json import question
from grognard.line import Line
from grognard.match import Given, Match, save
from grognard.message import say
from grognard.play import written_answer
from grognard.refusal import Refusal
from grognard.show_fight import line_text
from grognard.terminal import Stopped, ask_person, read_line
from grognard.text import Lang


class Table:
    """A match on the terminal: people for some sides, bots for the others."""

    def __init__(self, match: Match, bots: dict[str, Bot], seed: int | None, lang: Lang) -> None:
        self.match, self.bots, self.lang = match, bots, lang
        self._random = Random(seed)
        self._shown = 0
        self._drawn: object = None
        self.file: Path | None = None

    def play(self) -> None:
        """Play to the end, or until the person leaves; then it is saved where a file is named."""
        try:
            while self.match.asking is not None:
                self._tell()
                self._step(self.match.asking)
        except Stopped:
            click.echo()
        finally:
            self._tell()
            self._save()
        if self.match.asking is None:
            self._result()

    def _step(self, ask: Order | Ask) -> None:
        side = asked_side(self.match)
        bot = self.bots.get(side or "") or (self._any_bot() if side is None else None)
        if bot is not None:
            self.match.answer(bot.answer(self.match))
            return
        try:
            answer = self._ask(ask)
            if answer is None:
                self.match.undo()
                self._shown = len(self.match.log)
            else:
                self.match.answer(answer)
        except Refusal as refusal:
            click.echo(f"  {refusal.in_(self.lang)}")

    def _any_bot(self) -> Bot | None:
        """Dice and reveals are the bots' where no person plays."""
        sides = [side.id for side in self.match.field.scenario.sides]
        return self.bots[sides[0]] if all(side in self.bots for side in sides) else None

    def _ask(self, ask: Order | Ask) -> Answer | None:
        if isinstance(ask, Order):
            return self._order(ask)
        card, undo = self.match.field.card, self.match.can_undo()
        return ask_person(card, ask, self._random, self.lang, undo=undo)

    def _order(self, ask: Order) -> Answer | None:
        """Read an order; `map`, `orders`, `undo`, `save FILE` and `quit` are for the person."""
        if self._drawn is not ask.board:
            self._map()
            self._drawn = ask.board
        player = next(s for s in self.match.field.scenario.sides if s.id == ask.side)
        phase = self.match.field.card.phrase(ask.phase).in_(self.lang)
        heading = say("Turn {turn}, {side}, {phase}", turn=ask.turn, side=player.name, phase=phase)
        while True:
            line = read_line(heading.in_(self.lang))
            match line.split():
                case []:
                    click.echo(
                        say("orders, map, undo, save FILE, quit; or an order").in_(self.lang)
                    )
                case ["map"]:
                    self._map()
                case ["orders", *rest]:
                    self._orders(ask, rest)
                case ["undo" | "u"]:
                    return None
                case ["save", name]:
                    save(self.match, Path(name))
                    click.echo(say("saved: {file}", file=name).in_(self.lang))
                case ["quit" | "q"]:
                    raise Stopped
                case _:
                    return orders.typed(line)

    def _orders(self, ask: Order, words: list[str]) -> None:
        """List legal orders, those with all the given words."""
        found = [order for order in ask.orders.all() if set(words) <= set(order)]
        for order in found[:60]:
            click.echo(f"  {orders.written(order)}")
        if len(found) > 60:
            more = say("… and {n} more; name a unit or a hex", n=len(found) - 60)
            click.echo(f"  {more.in_(self.lang)}")

    def _map(self) -> None:
        for line in text_map.draw(self.match.board, self.match.field.scenario, self.lang):
            click.echo(line)

    def _tell(self) -> None:
        for entry in self.match.log[self._shown :]:
            if isinstance(entry, Line):
                click.echo(line_text(entry, self.lang))
            elif isinstance(entry, Given) and isinstance(entry.ask, Order):
                click.echo(
                    click.style(f"> {orders.written(_order_words(entry.answer))}", bold=True)
                )
            elif isinstance(entry, Given) and isinstance(entry.ask, Roll):
                words = question(self.match.field.card, entry.ask, self.lang)
                click.echo(f"  ⚄ {words}: {written_answer(entry.answer)}")
        self._shown = len(self.match.log)

    def _save(self) -> None:
        if self.file is not None:
            save(self.match, self.file)
            click.echo(say("saved: {file}", file=self.file).in_(self.lang))

    def _result(self) -> None:
        verdict = self.match.verdict()
        names = {side.id: side.name.in_(self.lang) for side in self.match.field.scenario.sides}
        points = ", ".join(f"{names[id_]} {n}" for id_, n in verdict.points.items())
        winner = verdict.winner
        won = say("victory: {side}", side=names[winner]) if winner else say("a draw")
        click.echo(f"{points}: {won.in_(self.lang)}")


def _order_words(answer: Answer) -> tuple[str, ...]:
    return tuple(map(str, answer)) if isinstance(answer, tuple) else (str(answer),)
