"""The story of a match as JSON: how it went, what was lost, luck, and costly decisions."""

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from grognard.draw.json.dice import DiceTallyJson, dice_json
from grognard.draw.json.match import ConditionJson, VerdictJson, conditions_json, verdict_json
from grognard.draw.json.scenario import (
    NamedScenarioJson,
    ScoredSeatJson,
    named_scenario,
    seats_json,
)
from grognard.draw.json.steps import LossJson, StepJson, loss_json, steps_json
from grognard.draw.json.structs import Exact, JsonStruct, joined
from grognard.draw.json.unnamed import without_names
from grognard.draw.text.dice_sources import counted_sources
from grognard.draw.text.story import event_text, fight_text
from grognard.maps.labels import labelled
from grognard.matches.assessment import (
    CostlyDecision,
    FightAssessment,
    FightLuck,
    MatchAssessment,
    assess,
)
from grognard.matches.history import Event, history, losses_between, turn_ends
from grognard.matches.match import Match
from grognard.matches.recap import Reader, shown_events
from grognard.matches.sight import hidden_from, unnamed, viewer
from grognard.rules.wording import named, question
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


class TurnJson(JsonStruct):
    """How the sides stood at the end of a turn; turn 0 is the beginning."""

    turn: int
    points: dict[str, int]
    steps_lost: dict[str, int]  # in this turn


class SideLossesJson(JsonStruct):
    """What a side has lost since the beginning."""

    side: str
    steps: int
    eliminated: int  # units
    units: list[LossJson]


class FightLuckJson(JsonStruct):
    """What a fight was expected to bring each side, what it brought, and what luck did to it."""

    step: int
    turn: int
    side: str  # that attacked
    text: str
    expected: dict[str, Exact]
    actual: dict[str, Exact]
    luck: dict[str, Exact]
    unknown: str | None  # why nothing of this is known


class CostlyJson(JsonStruct):
    """A decision that cost points by the odds at the time, and what would have cost none."""

    step: int
    turn: int
    side: str
    cost: Exact
    asked: str
    answer: str
    better: str


class StoryAnswer(JsonStruct):
    """How a match went. Points of luck and cost are those of the doctrine `best`."""

    scenario: NamedScenarioJson
    sides: list[ScoredSeatJson]
    verdict: VerdictJson | None  # None: the match is not over
    conditions: list[ConditionJson]
    turns: list[TurnJson]
    losses: list[SideLossesJson]
    kept_back: bool  # whether luck, fights and decisions are told only when the match is over
    luck: dict[str, Exact]  # of all fights
    fights: list[FightLuckJson]
    costly: list[CostlyJson]  # the costliest first
    dice: dict[str, int]  # rolls by their source: typed, rolled, fair, imported, unknown
    tallies: list[DiceTallyJson]  # of each kind all dice, then those of each side and source
    steps: list[StepJson]


def story_json(
    match: Match, autos: Collection[str], lang: Lang, seat: str | None = None
) -> StoryAnswer:
    """Tell how a match went, as far as the reader may know. In a match apart luck and decisions are
    told when it is over: what was worth how much depends on what is hidden."""
    field, events = match.field, history(match)
    standing, sides = match.verdict(), [side.id for side in field.scenario.sides]
    hidden = hidden_from(match, viewer(match, autos, seat))
    kept_back = seat is not None and match.asking is not None
    found = assess(match, () if kept_back else events)
    told = _Told(match, found, hidden, lang)
    return StoryAnswer(
        scenario=named_scenario(field.scenario, field.card, lang),
        sides=[
            joined(ScoredSeatJson, seat, points=standing.points[seat.id])
            for seat in seats_json(field.scenario, autos, lang)
        ],
        verdict=None if match.asking else verdict_json(field, standing, lang),
        conditions=without_names(conditions_json(standing, lang), unnamed(hidden)),
        turns=_turns(match, events),
        losses=[_losses(match, side, hidden, lang) for side in sides],
        kept_back=kept_back,
        luck=_exact(found.luck),
        fights=[told.fight(fight) for fight in found.fights],
        costly=[told.decision(one) for one in found.costly],
        dice=counted_sources(match.log),
        tallies=dice_json(match, lang),
        steps=steps_json(match, shown_events(match), Reader(autos, seat), lang),
    )


def _turns(match: Match, events: tuple[Event, ...]) -> list[TurnJson]:
    ends = turn_ends(events)
    before = [ends[0], *ends] if ends else []
    return [
        TurnJson(
            turn=turn,
            points=dict(match.field.verdict(board).points),
            steps_lost={
                side.id: sum(
                    loss.steps for loss in losses_between(since, board) if loss.side == side.id
                )
                for side in match.field.scenario.sides
            },
        )
        for (_, since), (turn, board) in zip(before, ends, strict=False)
    ]


def _losses(match: Match, side: str, hidden: frozenset[str], lang: Lang) -> SideLossesJson:
    start = match.boards[0][1]
    lost = [loss for loss in losses_between(start, match.board) if loss.side == side]
    return SideLossesJson(
        side=side,
        steps=sum(loss.steps for loss in lost),
        eliminated=sum(loss.eliminated for loss in lost),
        units=[loss_json(match, start, loss, hidden, lang) for loss in lost],
    )


def _exact(points: Mapping[str, Fraction]) -> dict[str, Exact]:
    return {side: str(value) for side, value in points.items()}


class _Told:
    """Fights and decisions in words."""

    def __init__(
        self, match: Match, found: MatchAssessment, hidden: frozenset[str], lang: Lang
    ) -> None:
        self._match, self._lang, self._hidden = match, lang, unnamed(hidden)
        self._costly = found.costly

    def _words(self, text: str) -> str:
        return labelled(text, self._hidden)

    def fight(self, fight: FightLuck) -> FightLuckJson:
        found, fighting = fight.found, fight.fighting
        known = found if isinstance(found, FightAssessment) else None
        return FightLuckJson(
            step=fight.event.number,
            turn=fight.event.turn,
            side=fighting.roles.attacker,
            text=self._words(fight_text(fighting.play, self._lang)),
            expected=_exact(fight.of(known.expected)) if known else {},
            actual=_exact(fight.of(known.actual)) if known else {},
            luck=_exact(fight.of(known.luck)) if known else {},
            unknown=found.in_(self._lang) if isinstance(found, Refusal) else None,
        )

    def decision(self, one: CostlyDecision) -> CostlyJson:
        asked, answer, better = self._answers(one)
        return CostlyJson(
            step=one.fight.event.number,
            turn=one.fight.event.turn,
            side=one.side,
            cost=str(one.cost),
            asked=self._words(asked),
            answer=self._words(answer),
            better=self._words(better),
        )

    def _answers(self, one: CostlyDecision) -> Iterator[str]:
        card, lang, made = self._match.field.card, self._lang, one.decision
        if made is None:
            yield say("Attack with a loss to be expected").in_(lang)
            yield event_text(self._match, one.fight.event, lang)
            yield say("no attack").in_(lang)
            return
        yield question(card, made.ask, lang)
        yield named(card, made.ask, made.answer, lang, made.side)
        yield named(card, made.ask, made.better, lang, made.side)
