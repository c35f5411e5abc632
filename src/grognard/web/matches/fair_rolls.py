"""The open roll of a match apart: who must reveal for it, and the dice that come of it."""

from grognard.matches.fair_dice import Asked, fair_dice
from grognard.matches.match import Match
from grognard.matches.protocol import side_of
from grognard.matches.storage.dice import DiceRows, DiceState, Revealing
from grognard.matches.storage.rows import Kept
from grognard.matches.storage.store import Store
from grognard.rules.ask import Answer, Roll
from grognard.words.message import say
from grognard.words.refusal import Refusal


class FairRolls:
    """The dice of a match apart, as it stands."""

    def __init__(self, store: Store, kept: Kept, match: Match) -> None:
        self._kept, self._match = kept, match
        self.rows = DiceRows(store)
        self.sides = tuple(side.id for side in match.field.scenario.sides)

    @property
    def ask(self) -> Roll:
        """The roll that is asked for."""
        if not isinstance(self._match.asking, Roll):
            raise Refusal(say("no roll is asked for now"))
        return self._match.asking

    @property
    def roller(self) -> str:
        """The side that rolls."""
        return side_of(self._match.roles, self.ask.side)

    def state(self) -> DiceState:
        """Give the state of the next roll; automatic sides have chains of the server."""
        self.rows.hold(self._kept.id, self._kept.autos)
        return self.rows.state(self._kept.id)

    def awaited(self, state: DiceState) -> list[str]:
        """Name the sides that must act for the open roll: the one that rolls reveals first."""
        missing = [side for side in self.sides if side not in state.links]
        if any(side not in state.chains for side in self.sides):
            return [side for side in missing if not self._served(state, side)]
        if self.roller in missing and self.roller not in self._kept.autos:
            return [self.roller]
        return [side for side in missing if not self._served(state, side)]

    def _served(self, state: DiceState, side: str) -> bool:
        """Tell whether the server reveals for a side by itself; a person asks for his own rolls."""
        chain = state.chains.get(side)
        if chain is None or chain.secret is None:
            return False
        return side != self.roller or side in self._kept.autos

    @property
    def ready(self) -> bool:
        """Whether no side has to reveal any more."""
        return not self.awaited(self.state())

    def reveal(self, given: Revealing) -> None:
        """Keep a side's link for the open roll; that of the side which rolls comes first."""
        if given.side not in self.sides:
            raise Refusal(say("there is no side '{id}'", id=given.side), place="side")
        state = self.state()
        if given.roll < state.roll:
            self.rows.revealed_before(self._kept.id, given)
            return
        if given.side != self.roller and self.awaited(state) == [self.roller]:
            raise Refusal(say("{side} rolls, and reveals first", side=self.roller), place="side")
        self.rows.reveal(self._kept.id, given, self.ask.dice)

    def tap(self) -> None:
        """Roll for a side that has given its secret to the server."""
        chain = self.state().chains.get(self.roller)
        if chain is None or chain.secret is None:
            raise Refusal(say("{side} must reveal for this roll", side=self.roller))
        self.rows.reveal_for(self._kept.id, [self.roller], self.ask.dice)

    def made(self) -> Answer | None:
        """Give the dice of the open roll, if the links of both sides are there."""
        state = self.state()
        if self.awaited(state):
            return None
        self.rows.reveal_for(self._kept.id, self.sides, self.ask.dice)
        state = self.rows.state(self._kept.id)
        asked = Asked(self._kept.id, state.roll, state.kept.head, self.ask.dice)
        return fair_dice(asked, state.links)
