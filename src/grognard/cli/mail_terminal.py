"""A match by mail on the terminal: a player's part, until the other one must move."""

import click

from grognard.card.rows import SIDES, Side
from grognard.cli.fight_terminal import Stopped, read_line
from grognard.cli.match_terminal import HELP, MatchTerminal
from grognard.fights.record import plain
from grognard.matches.mail.keys import Identity
from grognard.matches.mail.letters import Answered
from grognard.matches.mail.mail_match import MailMatch
from grognard.matches.protocol import Order, side_of
from grognard.players.bot import Player
from grognard.rules.ask import Ask, Commit, Roll
from grognard.rules.wording import question
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


class MailTerminal(MatchTerminal):
    """A player's part of a match by mail."""

    def __init__(self, mail: MailMatch, me: Identity, side: str, lang: Lang) -> None:
        super().__init__(mail.match, {}, None, lang)
        self._mail, self._me, self._side = mail, me, side

    def play(self) -> None:
        """Play until the other player must move, or until this one leaves."""
        click.echo(HELP.in_(self.lang))
        try:
            while self._mail.turn == self._side and self.match.asking is not None:
                self._tell()
                self._step(self.match.asking)
        except Stopped:
            click.echo()
        self._tell()
        if self.match.asking is None:
            self._result()

    def _step(self, ask: Order | Ask) -> None:
        mail, me, side = self._mail, self._me, self._side
        try:
            if isinstance(ask, Roll):
                self._reveal(ask)
            elif mail.opens:
                mail.open(me, side)
            elif isinstance(ask, Commit):
                mail.seal(me, side, self._person(ask).half(ask, _role(mail, side)))
            elif (given := self._answer(ask)) is None:
                mail.undo(side)
                self.match = mail.match  # replayed
                self._shown = len(self.match.log)
                click.echo(say("taken back").in_(self.lang))
            else:
                mail.move(side, Answered(answer=plain(given[0])))
        except Refusal as refusal:
            click.echo(f"  {refusal.in_(self.lang)}")

    def _reveal(self, ask: Roll) -> None:
        """Reveal for a roll; the player's own waits for Enter."""
        if side_of(self.match.roles, ask.side) == self._side:
            words = question(self.match.field.card, ask, self.lang)
            hint = say("Enter rolls; the dice need the other player's answer")
            read_line(f"{words} ({hint.in_(self.lang)})", self.lang)
        self._mail.reveal(self._me, self._side)


def play_by_itself(mail: MailMatch, me: Identity, side: str, bot: Player) -> None:
    """Let an automatic player play a side's part until the other player must move."""
    while mail.turn == side:
        match mail.match.asking:
            case Roll():
                mail.reveal(me, side)
            case Commit() if mail.opens:
                mail.open(me, side)
            case Commit():
                both = bot.answer(mail.match)
                place = SIDES.index(_role(mail, side))
                mail.seal(me, side, both[place] if isinstance(both, tuple) else both)
            case _:
                mail.move(side, Answered(answer=plain(bot.answer(mail.match))))


def _role(mail: MailMatch, side: str) -> Side:
    return "attacker" if mail.match.roles.attacker == side else "defender"
