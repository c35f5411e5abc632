"""The automatic player: an officer gives the orders, a doctrine decides in fights."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Protocol

from grognard.fights.automatic import decide as decide_in_fight
from grognard.fights.doctrine import BEST
from grognard.fights.fight_analysis import Analysis
from grognard.matches.before_fight import match_advice
from grognard.matches.field import Field
from grognard.matches.match import Match
from grognard.matches.protocol import Order, Words
from grognard.players.plans import safest
from grognard.players.sergeant import Sergeant
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.words.refusal import Refusal


class Officer(Protocol):
    """Gives the orders of a side, from what that side may see."""

    def order(self, field: Field, ask: Order) -> Words: ...

    def choice(self, match: Match, ask: Choose) -> Answer | None:
        """Choose for the side that is asked, or leave it to its doctrine."""


class Player(Protocol):
    """Answers the questions of a match to its sides."""

    def answer(self, match: Match) -> Answer: ...


class Bot:
    """An automatic player for one side or both. The same seed gives the same answers."""

    def __init__(self, seed: int = 0, officer: Officer | None = None) -> None:
        self._random = Random(seed)
        self._officer: Officer = Sergeant() if officer is None else officer
        self._analysis: Analysis | None = None

    def answer(self, match: Match) -> Answer:
        ask = match.asking
        match ask:
            case Order():
                return self._officer.order(match.field, ask)
            case Roll():
                return ask.dice.draw(self._random)
            case Choose():
                chosen = self._officer.choice(match, ask)
                return self._usual_choice(match, ask) if chosen is None else chosen
            case Commit():
                return self._in_fight(match)
        raise TypeError(f"nobody can answer {ask!r}")

    def _in_fight(self, match: Match) -> Answer:
        play = match.play
        if play is None:
            raise TypeError("no fight is being resolved")
        if self._analysis is None or self._analysis.start is not play.start:
            self._analysis = Analysis(play.start, BEST, BEST)
        return decide_in_fight(play, self._analysis, self._random)

    def _usual_choice(self, match: Match, ask: Choose) -> Answer:
        """In a fight follow the doctrine; before it take the answer that is worth most, where the
        field says so."""
        if match.play is not None:
            return self._in_fight(match)
        if match.field.weighs(ask) and (behind := match_advice(match)) is not None:
            options = () if isinstance(behind, Refusal) else behind.options[ask.side]
            return next((option.answer for option in options if option.share), ask.options[0])
        return safest(match.field, match.board, match.asked or "", ask)


def bots_for(sides: Iterable[str], seed: int) -> dict[str, Bot]:
    """Make a sergeant for each side; the same seed gives the same match."""
    return {side: Bot(seed + place) for place, side in enumerate(sides)}


def play_on(match: Match, bots: Mapping[str, Player]) -> Iterator[Answer]:
    """Let bots answer as long as a question is theirs; yield each answer after it is made."""
    while match.asking is not None:
        side = match.asked
        bot = bots.get(side) if side else next(iter(bots.values()), None)
        if bot is None:
            return
        answer = bot.answer(match)
        match.answer(answer, "rolled" if isinstance(match.asking, Roll) else "automatic")
        yield answer
