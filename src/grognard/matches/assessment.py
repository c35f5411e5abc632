"""What the fights of a match were worth: the expectation at their start, dice, and decisions.

Points are those of the doctrine `best`. The value of a fight to a side is the exact expectation of
its outcome if both sides go on as well as they can. Each answer changes it; the changes add up to
what the fight brought, less what was expected at its start. What dice and the reveal of secret
commitments change is luck. What a choice changes is its cost: the best answer changes nothing.
Secret commitments are chosen for the lead over the other side, so half of that lead is their cost.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple
from weakref import WeakKeyDictionary

from grognard.card.rows import SIDES, Side
from grognard.fights.chances import Worth
from grognard.fights.doctrine import BEST
from grognard.fights.play import Given, Play
from grognard.fights.prospects import Prospect, Prospects, advice
from grognard.matches.before_fight import order_advice
from grognard.matches.history import Event
from grognard.matches.match import Fighting, Match, Reply
from grognard.matches.protocol import Order, side_of
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.fight import enemy_of
from grognard.words.refusal import Refusal

Points = Mapping[Side, Fraction]  # of both sides of a fight


class Decision(NamedTuple):
    """An answer of a side in a fight, what it cost, and an answer that would have cost nothing."""

    place: int  # among the answers of the fight; before it: less than 0
    side: Side
    ask: Choose | Commit
    answer: Answer
    better: Answer
    cost: Fraction  # in points, 0 or more
    points: Points  # what it changed for both sides


class FightAssessment(NamedTuple):
    """What a fight was expected to bring, what it brought, and what made the difference."""

    expected: Points
    actual: Points
    luck: Points  # by dice and reveals
    decisions: tuple[Decision, ...]  # with a real choice


_KNOWN: WeakKeyDictionary[Play, FightAssessment | Refusal] = WeakKeyDictionary()


def assessed(play: Play) -> FightAssessment | Refusal:
    """Assess a fight that is over; give the reason where its odds are too much work."""
    if play not in _KNOWN:
        _KNOWN[play] = _assessed(play)
    return _KNOWN[play]


def _assessed(play: Play) -> FightAssessment | Refusal:
    answers = [given.answer for given in play.given]
    moments: list[Prospects] = []
    for count in range(len(answers) + 1):
        found = advice(Play(play.start, answers[:count]))
        if isinstance(found, Refusal):
            return found
        moments.append(found)
    worths = [_points(moment.odds.found.worth) for moment in moments]
    luck = dict.fromkeys(SIDES, Fraction(0))
    decisions: list[Decision] = []
    for place, given in enumerate(play.given):
        change = _less(worths[place + 1], worths[place])
        made = list(_decisions(place, given, moments[place], worths[place]))
        decisions += made
        for side in SIDES:
            luck[side] += change[side] - sum(one.points[side] for one in made)
    actual = {side: Fraction(BEST.value(play.outcome, side)) for side in SIDES}
    return FightAssessment(worths[0], actual, luck, tuple(decisions))


def _points(worth: Worth) -> Points:
    return {side: worth.of(side) for side in SIDES}


def _less(these: Points, those: Points) -> Points:
    return {side: these[side] - those[side] for side in SIDES}


def _decisions(place: int, given: Given, moment: Prospects, before: Points) -> Iterator[Decision]:
    """Give the decisions in an answer: one in a choice, one of each side in a commitment."""
    match given.ask, given.answer:
        case Choose() as ask, answer:
            answers: Iterable[tuple[Side, Answer]] = [(ask.side, answer)]
        case Commit(), (ours, theirs):
            answers = [("attacker", ours), ("defender", theirs)]
        case _:
            return
    for side, answer in answers:
        options = moment.options.get(side, ())
        chosen = next((option for option in options if option.answer == answer), None)
        if chosen is None or isinstance(given.ask, Roll):
            continue  # no choice, or an answer that only older records give
        points = _less(_points(chosen.odds.found.worth), before)
        cost = -points[side]
        if isinstance(given.ask, Commit):
            cost = (points[enemy_of(side)] - points[side]) / 2
        better = _best(options) if cost else answer
        yield Decision(place, side, given.ask, answer, better, cost, points)


def _best(options: Sequence[Prospect]) -> Answer:
    """Give the answer that the doctrine gives most often."""
    return max(options, key=lambda option: option.share).answer


# ------------------------------------------------------------------ a whole match


class FightLuck(NamedTuple):
    """A fight of a match with its assessment, by the sides of the match."""

    event: Event
    fighting: Fighting
    found: FightAssessment | Refusal

    def of(self, points: Points) -> dict[str, Fraction]:
        """Give points by the sides of the match."""
        return {side_of(self.fighting.roles, side): points[side] for side in SIDES}


class CostlyDecision(NamedTuple):
    """A decision of a side of the match that cost points by the odds at the time."""

    fight: FightLuck
    side: str
    cost: Fraction
    decision: Decision | None  # None: the order to attack, with a loss to be expected


class MatchAssessment(NamedTuple):
    """The luck of both sides fight by fight, and the decisions that cost most."""

    fights: tuple[FightLuck, ...]
    luck: Mapping[str, Fraction]  # of all fights that are known
    costly: tuple[CostlyDecision, ...]  # the costliest first
    unknown: int  # fights whose odds were too much work


def assess(match: Match, events: Sequence[Event]) -> MatchAssessment:
    """Assess the finished fights of a match, and the answers that led to them."""
    sides = [side.id for side in match.field.scenario.sides]
    fights = tuple(
        FightLuck(event, fighting, assessed(fighting.play))
        for event in events
        for fighting in event.fights
        if fighting.play.asking is None
    )
    luck = dict.fromkeys(sides, Fraction(0))
    for fight in fights:
        if isinstance(fight.found, FightAssessment):
            for side, points in fight.of(fight.found.luck).items():
                luck[side] += points
    costly = sorted(
        (one for fight in fights for one in _costly(match, fight)), key=lambda one: -one.cost
    )
    unknown = sum(isinstance(fight.found, Refusal) for fight in fights)
    return MatchAssessment(fights, luck, tuple(costly), unknown)


def _costly(match: Match, fight: FightLuck) -> Iterator[CostlyDecision]:
    """Give the decisions before a fight and in it that cost something."""
    found, roles, event = fight.found, fight.fighting.roles, fight.event
    if isinstance(found, Refusal):
        return
    ordered = event.order is not None and event.side == roles.attacker
    if ordered and found.expected["attacker"] < 0:
        yield CostlyDecision(fight, event.side, -found.expected["attacker"], None)
    if fight.fighting is event.fights[0]:
        for side, made in _led_to(match, event):
            if made.cost > 0:
                yield CostlyDecision(fight, side, made.cost, made)
    for made in found.decisions:
        if made.cost > 0:
            yield CostlyDecision(fight, side_of(roles, made.side), made.cost, made)


_LED_TO: WeakKeyDictionary[Play, tuple[tuple[str, Decision], ...]] = WeakKeyDictionary()


def _led_to(match: Match, event: Event) -> tuple[tuple[str, Decision], ...]:
    """Give the choices on the map that led to the first fight of an event, with their sides."""
    play = event.fights[0].play
    if play not in _LED_TO:
        _LED_TO[play] = tuple(_before(match, event))
    return _LED_TO[play]


def _before(match: Match, event: Event) -> Iterator[tuple[str, Decision]]:
    entries = match.log[event.first : event.fights[0].first]
    replies = [entry for entry in entries if isinstance(entry, Reply)]
    if event.order is None or not replies or not isinstance(replies[0].ask, Order):
        return
    given: tuple[Answer, ...] = ()
    for place, reply in enumerate(replies[1:], 1 - len(replies)):
        if isinstance(reply.ask, Choose) and reply.side is not None:
            found = order_advice(match, replies[0].ask, event.order, given)
            if isinstance(found, Prospects):
                (options,) = found.options.values()
                yield reply.side, _choice(place, reply.ask, reply.answer, options)
        given = (*given, reply.answer)


def _choice(place: int, ask: Choose, answer: Answer, options: Sequence[Prospect]) -> Decision:
    """Compare an answer before a fight with the best one."""
    side = options[0].role or ask.side
    best = max(options, key=lambda option: option.odds.found.worth.of(side))
    chosen = next((option for option in options if option.answer == answer), best)
    points = _less(_points(chosen.odds.found.worth), _points(best.odds.found.worth))
    return Decision(place, side, ask, answer, best.answer, -points[side], points)
