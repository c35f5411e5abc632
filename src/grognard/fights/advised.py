"""What is known of the answers to the open question of a fight: odds, columns, units eliminated."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from grognard.card.rows import Side
from grognard.fights.play import Play
from grognard.fights.prospects import Prospect, Prospects, advice
from grognard.fights.table_place import places_behind
from grognard.fights.work_budget import within_budget
from grognard.rules.ask import Answer, Ask, Choose
from grognard.rules.line import Line
from grognard.words.refusal import Refusal


class Advised(NamedTuple):
    """What is known of the answers to a question before one is given."""

    ahead: Prospects | Refusal | None = None  # None: no fight follows from the question
    eliminates: Mapping[Answer, tuple[str, ...]] = MappingProxyType({})  # units, by the answer

    def options(self, side: Side) -> tuple[Prospect, ...]:
        """Give a side's answers with the odds behind them, if they are known."""
        return self.ahead.options.get(side, ()) if isinstance(self.ahead, Prospects) else ()


def advised(play: Play, attacker: str = "best", defender: str = "best") -> Advised:
    """Find out what the answers to the open question of a play lead to."""
    return Advised(
        with_places(play, advice(play, attacker, defender)),
        eliminations(play.asking, play.told_by),
    )


def eliminations(
    ask: Ask | None, told_by: Callable[[Answer], Iterable[Line]]
) -> Mapping[Answer, tuple[str, ...]]:
    """Name the units that each answer of a side eliminates before anything else is asked."""
    found: dict[Answer, tuple[str, ...]] = {}
    for option in ask.options if isinstance(ask, Choose) else ():
        try:
            lines = [*told_by(option)]
        except Refusal:  # by later rules, such as a damaged cell; whoever chooses it is told
            continue
        found[option] = tuple(line.unit for line in lines if line.kind == "eliminated")
    return found


def with_places(play: Play, ahead: Prospects | Refusal) -> Prospects | Refusal:
    """Name behind each answer where the table will be read; the reason where that is too much."""
    if isinstance(ahead, Refusal) or play.fight.result:
        return ahead

    def placed() -> Prospects:
        options = {
            side: tuple(
                option._replace(places=places_behind(play, ahead, side, option.answer))
                for option in options
            )
            for side, options in ahead.options.items()
        }
        return ahead._replace(options=options)

    return within_budget(placed)
