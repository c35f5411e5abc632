"""The time that an automatic player takes for a phase."""

from time import process_time

from msgspec import Struct

from grognard.matches.match import Match
from grognard.matches.protocol import Order
from grognard.players.bot import Player
from grognard.rules.ask import Answer


class Pace(Struct, frozen=True):
    """The processor time of a player in one match."""

    phases: int
    seconds: float  # in all phases
    longest: float  # seconds of the phase that took longest


class Timed:
    """A player whose answers are timed; an answer counts to its side's last phase of orders."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._phases: list[float] = []
        self._phase: tuple[int, str] | None = None

    def answer(self, match: Match) -> Answer:
        if isinstance(ask := match.asking, Order) and self._phase != (ask.turn, ask.phase):
            self._phase = ask.turn, ask.phase
            self._phases.append(0.0)
        begun = process_time()
        answer = self._player.answer(match)
        if self._phases:
            self._phases[-1] += process_time() - begun
        return answer

    def pace(self) -> Pace:
        return Pace(len(self._phases), sum(self._phases), max(self._phases, default=0.0))
