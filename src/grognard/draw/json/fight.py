"""A fight as JSON: explanation, odds, and how it was resolved."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import UNSET, UnsetType

from grognard.card.card import Card, encode_hook
from grognard.card.rows import SIDES, Side
from grognard.draw.json.structs import (
    AnswerJson,
    Exact,
    FightJson,
    Joined,
    JsonStruct,
    NumberJson,
    joined,
    number,
    one_of,
)
from grognard.fights.chances import Mixed, Odds
from grognard.fights.explain import Explanation, explain
from grognard.fights.opening import Told
from grognard.fights.play import Given, Play
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.fight import Fight, Outcome, units_of
from grognard.rules.line import Line
from grognard.rules.wording import named, question
from grognard.words.text import Lang


class OfFightJson(JsonStruct):
    """The game and the procedure of a fight."""

    game: str
    procedure: str


def heading(fight: Fight) -> OfFightJson:
    """Name the game and the procedure of a fight."""
    return OfFightJson(game=fight.case.card.id, procedure=fight.case.procedure.id)


# ------------------------------------------------------------------ lines and doubts


class AnyLineJson(JsonStruct):
    """The words, rule and value of a line, and whom and what it concerns."""

    kind: str
    id: str
    text: str
    rule: str | None
    value: NumberJson
    side: str | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    changes: str | UnsetType = UNSET  # the number that it changes
    of: str | UnsetType = UNSET  # the number or table that it is about


class LineJson(AnyLineJson, metaclass=Joined):
    """One line: how a number came about, or what happened to whom."""

    side: Side | UnsetType = UNSET


class EventJson(LineJson, metaclass=Joined):
    """A line about what happened, with its step of the rules."""

    step: str


class DoubtJson(JsonStruct):
    """A doubtful reading of the card that counts here, with the option that changes it."""

    text: str
    status: Literal["certain", "reconstructed", "assumed"]
    confidence: int | None
    reason: str
    option: str | None


def line_json(line: Line, lang: Lang, kind: str | None = None) -> LineJson:
    """Give a line with its value and whom it concerns."""
    return LineJson(
        kind=kind or line.kind,
        id=line.id,
        text=line.in_(lang),
        rule=line.rule,
        value=number(line.value),
        side=line.side or UNSET,
        unit=line.unit or UNSET,
        changes=line.changes or UNSET,
        of=line.of or UNSET,
    )


def doubts_json(lines: Iterable[Line], lang: Lang) -> list[DoubtJson]:
    """Give each doubtful reading once, with its reason and the option that changes it."""
    doubts: dict[tuple[str, str], DoubtJson] = {}
    for line in lines:
        reading = line.reading
        if reading.reason is not None:
            text, reason = line.in_(lang), reading.reason.in_(lang)
            doubts[text, reason] = joined(DoubtJson, reading, text=text, reason=reason)
    return list(doubts.values())


# ------------------------------------------------------------------ explanation


class TotalsJson(JsonStruct):
    """The strengths that are compared."""

    attack: NumberJson
    defence: NumberJson


class ColumnJson(JsonStruct):
    """The column before and after the shifts."""

    basic: NumberJson
    final: NumberJson


class ExplanationJson(JsonStruct):
    """Totals, column and modifiers of a fight, and every line behind them."""

    totals: TotalsJson
    column: ColumnJson
    die_modifier: int
    modifiers: list[LineJson]  # the kind of each is the number that it changes
    lines: list[LineJson]
    doubts: list[DoubtJson]


class ExplainAnswer(OfFightJson, ExplanationJson, metaclass=Joined):
    """A fight before the dice."""


def explanation_json(explanation: Explanation, lang: Lang) -> ExplanationJson:
    """Give totals, column, modifiers and every line behind them."""
    totals, column = explanation.totals(), explanation.column()
    return ExplanationJson(
        totals=TotalsJson(attack=number(totals["attack"]), defence=number(totals["defence"])),
        column=ColumnJson(basic=number(column["basic"]), final=number(column["final"])),
        die_modifier=explanation.die_modifier,
        modifiers=[line_json(line, lang, line.changes) for line in explanation.modifiers],
        lines=[line_json(line, lang) for line in explanation.lines],
        doubts=doubts_json(explanation.lines, lang),
    )


def explain_answer(fight: Fight, lang: Lang) -> ExplainAnswer:
    """Explain a fight."""
    return joined(ExplainAnswer, heading(fight), explanation_json(fight.explain(), lang))


class StatedFightJson(JsonStruct):
    """A fight as a file would state it, and its explanation."""

    stated: FightJson
    explanation: ExplanationJson


def stated_fight_json(fight: Fight, lang: Lang) -> StatedFightJson:
    """State a fight and explain it."""
    explanation = explanation_json(explain(fight), lang)
    return StatedFightJson(stated=stated_json(fight), explanation=explanation)


def stated_json(fight: Fight) -> FightJson:
    """Give what a file would state to set up a fight."""
    case = fight.case
    setup: dict[str, object] = msgspec.to_builtins(case.setup, enc_hook=encode_hook)
    stated = {"game": case.card.id, "procedure": case.procedure.id, "options": dict(case.options)}
    return {**stated, **setup}


# ------------------------------------------------------------------ odds


class SideOddsJson(JsonStruct):
    """The expected and possible losses of a side."""

    expected_steps_lost: Exact
    no_loss: Exact
    eliminated: Exact


class FightSummaryJson(JsonStruct):
    """The chances that matter."""

    attacker: SideOddsJson
    defender: SideOddsJson
    vacated: Exact
    taken: Exact


class ResultChanceJson(JsonStruct):
    """A result of the table and its chance."""

    result: str
    p: Exact


class ResultOddsJson(ResultChanceJson, FightSummaryJson, metaclass=Joined):
    """A result of the table, its chance, and what follows from it."""


class ChanceJson(JsonStruct):
    """A chance."""

    p: Exact


class OutcomeJson(JsonStruct, Outcome, metaclass=Joined):
    """What has happened in a fight."""


class LikelyOutcomeJson(ChanceJson, Outcome, metaclass=Joined):
    """A possible outcome and its chance."""


class DoctrinesJson(JsonStruct):
    """The doctrines by which the sides decide."""

    attacker: str
    defender: str


class SecretOptionJson(JsonStruct):
    """What a side may commit in secret, and how often it should."""

    option: AnswerJson
    p: Exact


class CommitmentJson(JsonStruct):
    """How often each side commits what in secret."""

    what: str
    attacker: list[SecretOptionJson]
    defender: list[SecretOptionJson]
    value: Exact | None  # what the secret game is worth to the attacker


class OddsJson(JsonStruct):
    """The exact odds of a fight."""

    exact: bool
    doctrines: DoctrinesJson
    outcomes: list[LikelyOutcomeJson]
    results: list[ResultOddsJson]
    summary: FightSummaryJson
    commitments: list[CommitmentJson]
    doubts: list[DoubtJson]


class OddsAnswer(OfFightJson, OddsJson, metaclass=Joined):
    """A fight and its exact odds."""


def odds_json(odds: Odds, lang: Lang) -> OddsJson:
    """Give the exact distribution; chances are fractions."""
    attacker, defender = odds.doctrines
    return OddsJson(
        exact=True,
        doctrines=DoctrinesJson(attacker=attacker.id, defender=defender.id),
        outcomes=[joined(LikelyOutcomeJson, o, p=str(p)) for o, p in odds.outcomes()],
        results=[
            joined(
                ResultOddsJson,
                _summary(part),
                result=result,
                p=str(Fraction(part.total, odds.total)),
            )
            for result, part in odds.by_result().items()
        ],
        summary=_summary(odds),
        commitments=[_commitment(mixed) for mixed in odds.commitments],
        doubts=doubts_json(odds.doubts, lang),
    )


def odds_answer(fight: Fight, odds: Odds, lang: Lang) -> OddsAnswer:
    """Give a fight and its odds."""
    return joined(OddsAnswer, heading(fight), odds_json(odds, lang))


def _summary(odds: Odds) -> FightSummaryJson:
    return FightSummaryJson(
        attacker=_side_odds(odds, "attacker"),
        defender=_side_odds(odds, "defender"),
        vacated=str(odds.chance("vacated")),
        taken=str(odds.chance("taken")),
    )


def _side_odds(odds: Odds, side: Side) -> SideOddsJson:
    return SideOddsJson(
        expected_steps_lost=str(odds.expected(f"{side}_steps_lost")),
        no_loss=str(odds.spread(f"{side}_steps_lost").get(0, Fraction(0))),
        eliminated=str(odds.chance(f"{side}_eliminated")),
    )


def _commitment(mixed: Mixed) -> CommitmentJson:
    return CommitmentJson(
        what=mixed.ask.what,
        attacker=_strategy(mixed.ask.attacker, mixed.attacker),
        defender=_strategy(mixed.ask.defender, mixed.defender),
        value=str(mixed.solution.value) if mixed.solution else None,
    )


def _strategy(options: tuple[Answer, ...], chances: tuple[Fraction, ...]) -> list[SecretOptionJson]:
    pairs = zip(options, chances, strict=True)
    return [SecretOptionJson(option=option, p=str(p)) for option, p in pairs if p]


# ------------------------------------------------------------------ questions


class QuestionJson(JsonStruct):
    """The words and the rule of a question."""

    what: str
    text: str
    rule: str | None


class RollJson(QuestionJson):
    """A question for a roll of dice."""

    ask: Literal["roll"]
    dice: int
    faces: int
    first: int  # the lowest face


class OptionJson(JsonStruct):
    """A legal answer and its words."""

    answer: AnswerJson
    text: str


class ChooseJson(QuestionJson):
    """A question for a choice of one side."""

    ask: Literal["choose"]
    side: Side
    options: list[OptionJson]


class MenusJson(JsonStruct):
    """What each side may commit."""

    attacker: tuple[AnswerJson, ...]
    defender: tuple[AnswerJson, ...]


class CommitJson(QuestionJson):
    """A question for a secret commitment of both sides."""

    ask: Literal["commit"]
    options: MenusJson


QUESTIONS = (RollJson, ChooseJson, CommitJson)
if TYPE_CHECKING:
    AskJson = RollJson | ChooseJson | CommitJson | None
else:
    AskJson = one_of(*QUESTIONS, None)


def ask_json(card: Card, ask: Ask | None, lang: Lang) -> AskJson:
    """Give the open question of a fight and its legal answers."""
    if ask is None:
        return None
    text = question(card, ask, lang)
    match ask:
        case Roll():
            dice, faces, first = ask.dice.count, ask.dice.faces, ask.dice.first
            return joined(RollJson, ask, text=text, ask="roll", dice=dice, faces=faces, first=first)
        case Choose():
            options = options_json(card, ask, ask.options, lang)
            return joined(ChooseJson, ask, text=text, ask="choose", options=options)
        case Commit():
            return joined(CommitJson, ask, text=text, ask="commit", options=joined(MenusJson, ask))


def options_json(
    card: Card, ask: Choose | Commit, options: Iterable[Answer], lang: Lang
) -> list[OptionJson]:
    """Give options with their words."""
    return [OptionJson(answer=option, text=named(card, ask, option, lang)) for option in options]


# ------------------------------------------------------------------ a fight being resolved


class RolledJson(JsonStruct, rename={"what": "for"}):  # `for` is a keyword of Python
    """A roll: the dice, what they are read as, and that after the modifiers."""

    what: str
    dice: list[int]
    shown: int
    modified: NumberJson


class UnitStepsJson(JsonStruct):
    """A unit and its steps, now and before the fight."""

    name: str
    side: Side
    steps: int
    before: int


class ResolvedJson(JsonStruct):
    """A fight as far as it is resolved."""

    rolls: list[RolledJson]
    result: str
    events: list[EventJson]
    units: tuple[UnitStepsJson, ...]
    outcome: OutcomeJson | None  # None while a question is open


class PlayAnswer(OfFightJson, ResolvedJson, metaclass=Joined):
    """A fight as far as it is resolved, and its open question."""

    asking: AskJson


def resolved_json(play: Play, lang: Lang) -> ResolvedJson:
    """Give the rolls, what happened, and how the units stand."""
    return ResolvedJson(
        rolls=_rolls(play, lang),
        result=play.fight.result,
        events=[joined(EventJson, line_json(t.line, lang), step=t.step) for t in play.events],
        units=units_json(play),
        outcome=None if play.asking else joined(OutcomeJson, play.outcome),
    )


def play_answer(play: Play, lang: Lang) -> PlayAnswer:
    """Give a fight as far as it is resolved, and its open question."""
    asking = ask_json(play.start.case.card, play.asking, lang)
    return joined(PlayAnswer, heading(play.start), resolved_json(play, lang), asking=asking)


def _rolls(play: Play, lang: Lang) -> list[RolledJson]:
    rolls: list[RolledJson] = []
    for entry in play.log:
        if isinstance(entry, Given) and isinstance(entry.ask, Roll):
            words = question(play.start.case.card, entry.ask, lang)
            dice = dice_of(entry.answer)
            shown = entry.ask.dice.value(entry.answer)
            rolls.append(RolledJson(what=words, dice=dice, shown=shown, modified=shown))
        elif isinstance(entry, Told) and entry.line.id == "modified-roll" and rolls:
            modified = number(entry.line.value)
            rolls[-1] = msgspec.structs.replace(rolls[-1], modified=modified)
    return rolls


def dice_of(answer: Answer) -> list[int]:
    """Give the dice of an answer to a roll."""
    faces = answer if isinstance(answer, tuple) else ()
    return [die for die in faces if isinstance(die, int)]


def units_json(play: Play) -> tuple[UnitStepsJson, ...]:
    """Give the units of both sides with their steps, now and before the fight."""
    before = {unit.name: unit.steps for side in SIDES for unit in units_of(play.start, side)}
    return tuple(
        joined(UnitStepsJson, unit, side=side, before=before[unit.name])
        for side in SIDES
        for unit in play.units(side)
    )
