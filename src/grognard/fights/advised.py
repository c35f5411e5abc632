"""What is known of the answers to the open question of a fight: odds, columns, units eliminated."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from grognard.card.rows import SIDES, Side
from grognard.fights.play import Play
from grognard.fights.prospects import Prospect, Prospects, advice
from grognard.fights.question_count import QuestionNumber, question_number
from grognard.fights.table_place import places_behind
from grognard.fights.unit_fates import unit_fates
from grognard.fights.work_budget import within_budget
from grognard.rules.ask import Answer, Ask, Choose
from grognard.rules.line import Line
from grognard.words.refusal import Refusal


class Advised(NamedTuple):
    """What is known of the answers to a question before one is given."""

    ahead: Prospects | Refusal | None = None  # None: no fight follows from the question
    eliminates: Mapping[Answer, tuple[str, ...]] = MappingProxyType({})  # units, by the answer
    number: QuestionNumber | None = None  # of the question among the decisions

    def options(self, side: Side) -> tuple[Prospect, ...]:
        """Give a side's answers with the odds behind them, if they are known."""
        return self.ahead.options.get(side, ()) if isinstance(self.ahead, Prospects) else ()


def advised(play: Play, attacker: str = "best", defender: str = "best") -> Advised:
    """Find out what the answers to the open question of a play lead to."""
    ahead = with_places(play, advice(play, attacker, defender))
    return Advised(
        with_risks(play, ahead, (attacker, defender)),
        eliminations(play.asking, play.told_by),
        question_number(play),
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


def with_risks(
    play: Play, ahead: Prospects | Refusal, doctrines: tuple[str, str]
) -> Prospects | Refusal:
    """Give, behind each answer that names a unit with one step left, the chance that it dies."""
    if isinstance(ahead, Refusal) or not play.fight.result:
        return ahead
    last = {unit.name for side in SIDES for unit in play.units(side) if unit.steps == 1}

    def risk(answer: Answer) -> Fraction:
        if answer not in last:
            return Fraction(0)
        given = [given.answer for given in play.given]
        fates = unit_fates(Play(play.start, [*given, answer]), *doctrines)
        return next((fate.eliminated for fate in fates if fate.unit == answer), Fraction(0))

    def weighed() -> Prospects:
        options = {
            side: tuple(option._replace(risk=risk(option.answer)) for option in options)
            for side, options in ahead.options.items()
        }
        return ahead._replace(options=options)

    return within_budget(weighed)
