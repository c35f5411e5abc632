"""What the answers to a question before a fight lead to: the fights that follow, and their odds.

Later questions before the fight are answered by the doctrines, rolls are averaged.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from grognard.fights.chances import Found, Odds
from grognard.fights.doctrine import doctrine
from grognard.fights.odds import averaged
from grognard.fights.play import Play
from grognard.fights.prospects import Prospect, Prospects, advice, prospects
from grognard.fights.table_place import TablePlaces, mixed_places, table_places
from grognard.fights.work_budget import within_budget
from grognard.matches.match import Ahead, Match, Reply, look_ahead
from grognard.matches.protocol import END, Order, Playing, Words
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight, Outcome, enemy_of
from grognard.words.message import say
from grognard.words.refusal import Refusal

MOST_FIGHTS = 96  # that may follow from the answers to one question


def match_advice(
    match: Match, attacker: str = "best", defender: str = "best"
) -> Prospects | Refusal | None:
    """Work out what the answers to the open question lead to, in a fight or before it; give the
    reason where that is too much work, None where no fight follows."""
    if match.play is not None:
        return advice(match.play, attacker, defender)
    if not isinstance(match.asking, Choose) or match.fought is not None or match.ordered is None:
        return None
    ask, order, given = match.ordered
    if order == END:
        return None
    return order_advice(match, ask, order, given, (attacker, defender))


def order_advice(
    match: Match,
    ask: Order,
    order: Words,
    given: tuple[Answer, ...] = (),
    doctrines: tuple[str, str] = ("best", "best"),
) -> Prospects | Refusal | None:
    """Work out what the answers to the next question of an order lead to; None if it is no choice
    or no fight follows."""

    def begin() -> Playing:
        return match.field.carry_out(ask.board, ask.side, order)

    ways = _Ways(begin, ask.side, doctrines)
    ahead = ways.ahead(given)
    question = next_question(ahead)
    if ahead.fight is None or not isinstance(question, Choose):
        return None
    return within_budget(lambda: ways.prospects(question, given))


def next_question(ahead: Ahead) -> Choose | Roll | None:
    """Give the first question whose answer was assumed on the way to a fight."""
    asks = (entry.ask for entry in ahead.log if isinstance(entry, Reply))
    return next((ask for ask in asks if isinstance(ask, Choose | Roll)), None)


class _Behind(NamedTuple):
    """The odds behind an answer, and where the table will be read."""

    odds: Odds
    places: TablePlaces | None = None
    turned: bool = False  # whether the side whose order leads to the fight is attacked in it
    then: tuple[tuple[Choose, Answer], ...] = ()  # later questions on the way, as answered


class _Ways:
    """All ways in which an order can lead to a fight; at most so many are followed."""

    def __init__(self, begin: Callable[[], Playing], side: str, doctrines: tuple[str, str]) -> None:
        self._begin = begin
        self._side = side
        self._doctrines = doctrines
        self._left = MOST_FIGHTS

    def ahead(self, given: tuple[Answer, ...]) -> Ahead:
        return look_ahead(self._begin(), self._side, given)

    def prospects(self, ask: Choose, given: tuple[Answer, ...]) -> Prospects:
        """Give the odds behind each answer."""
        self._expect(len(ask.options))
        found = [self._behind((*given, option)) for option in ask.options]
        turned = any(behind.turned for behind in found)
        side = enemy_of(ask.side) if turned else ask.side
        worths = [behind.odds.found.worth for behind in found]
        picked = 0
        for place, worth in enumerate(worths):
            if worth.above(worths[picked], side):
                picked = place
        options = tuple(
            Prospect(
                option,
                behind.odds,
                Fraction(int(place == picked)),
                not worths[picked].above(worths[place], side),
                behind.places,
                role=side if turned else None,
                then=behind.then,
            )
            for place, (option, behind) in enumerate(zip(ask.options, found, strict=True))
        )
        return Prospects(found[picked].odds, {ask.side: options})

    def _behind(self, given: tuple[Answer, ...]) -> _Behind:
        ahead = self.ahead(given)
        match next_question(ahead):
            case Choose() as ask:
                (menu,) = self.prospects(ask, given).options.values()
                picked = next(option for option in menu if option.share)
                then = ((ask, picked.answer), *picked.then)
                return _Behind(picked.odds, picked.places, picked.role is not None, then)
            case Roll() as ask:
                return self._rolled(ask, given)
        self._expect(1)
        self._left -= 1
        if ahead.fight is None:
            ours, theirs = map(doctrine, self._doctrines)
            return _Behind(Odds(Found((ours, theirs), {Outcome(): 1})))
        return self._fight(ahead.fight)._replace(turned=ahead.attacker != self._side)

    def _rolled(self, ask: Roll, given: tuple[Answer, ...]) -> _Behind:
        ways = ask.dice.ways()
        self._expect(len(ways))
        whole = sum(weight for _, weight in ways)
        parts = [(Fraction(weight, whole), self._behind((*given, faces))) for faces, weight in ways]
        odds = averaged([(chance, behind.odds) for chance, behind in parts])
        places = mixed_places([(chance, behind.places) for chance, behind in parts])
        then = {behind.then for _, behind in parts}
        return _Behind(odds, places, parts[0][1].turned, then.pop() if len(then) == 1 else ())

    def _fight(self, fight: Fight) -> _Behind:
        play = Play(fight)
        return _Behind(prospects(play, *self._doctrines).odds, table_places(play, *self._doctrines))

    def _expect(self, fights: int) -> None:
        """Refuse if more fights follow than are worked out."""
        if fights > self._left:
            raise Refusal(say("more than {n} fights may follow", n=MOST_FIGHTS))
