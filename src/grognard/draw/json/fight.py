"""A fight as JSON: explanation, statement, and how it was resolved."""

import msgspec

from grognard.card.card import encode_hook
from grognard.card.rows import SIDES, Side
from grognard.draw.json.fight_question import AskJson, ask_json
from grognard.draw.json.lines import (
    DoubtJson,
    EventJson,
    LineJson,
    OfFightJson,
    doubts_json,
    heading,
    line_json,
)
from grognard.draw.json.odds import (
    FightSummaryJson,
    OutcomeJson,
    TablePlaceJson,
    columns_json,
    summary_json,
)
from grognard.draw.json.structs import (
    Exact,
    FightJson,
    Joined,
    JsonStruct,
    NumberJson,
    joined,
    number,
)
from grognard.fights.advised import advised
from grognard.fights.hindsight import hindsight
from grognard.fights.opening import Told
from grognard.fights.play import Given, Play
from grognard.fights.prospects import Prospects
from grognard.fights.table_place import table_places, told_so_far
from grognard.fights.work_budget import within_budget
from grognard.rules.ask import Answer, Roll
from grognard.rules.fight import Fight, units_of
from grognard.rules.wording import question
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

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

    columns: list[TablePlaceJson] | None  # where the table may be read; None: too much can happen


def explanation_json(fight: Fight, lang: Lang) -> ExplanationJson:
    """Give totals, column, modifiers and every line behind them."""
    explanation = fight.explain()
    totals, column = explanation.totals(), explanation.column()
    return ExplanationJson(
        totals=TotalsJson(attack=number(totals["attack"]), defence=number(totals["defence"])),
        column=ColumnJson(basic=number(column["basic"]), final=number(column["final"])),
        die_modifier=explanation.die_modifier,
        modifiers=[line_json(line, lang, line.changes) for line in explanation.modifiers],
        lines=[line_json(line, lang) for line in told_so_far(fight.play(), explanation.lines)],
        doubts=doubts_json(explanation.lines, lang),
    )


def explain_answer(fight: Fight, lang: Lang) -> ExplainAnswer:
    """Explain a fight."""
    places = within_budget(lambda: table_places(fight.play()))
    return joined(
        ExplainAnswer,
        heading(fight),
        explanation_json(fight, lang),
        columns=None if isinstance(places, Refusal) else columns_json(places),
    )


class StatedFightJson(JsonStruct):
    """A fight as a file would state it, and its explanation."""

    stated: FightJson
    explanation: ExplanationJson


def stated_fight_json(fight: Fight, lang: Lang) -> StatedFightJson:
    """State a fight and explain it."""
    explanation = explanation_json(fight, lang)
    return StatedFightJson(stated=stated_json(fight), explanation=explanation)


def stated_json(fight: Fight) -> FightJson:
    """Give what a file would state to set up a fight."""
    case = fight.case
    setup: dict[str, object] = msgspec.to_builtins(case.setup, enc_hook=encode_hook)
    stated = {"game": case.card.id, "procedure": case.procedure.id, "options": dict(case.options)}
    return {**stated, **setup}


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
    has_steps: bool  # whether the counter prints steps, which leaders do not


class HindsightJson(JsonStruct):
    """How likely the result was, just before the roll that gave it."""

    result: str
    p: Exact
    before: FightSummaryJson


class ResolvedJson(JsonStruct):
    """A fight as far as it is resolved."""

    rolls: list[RolledJson]
    result: str
    events: list[EventJson]
    units: tuple[UnitStepsJson, ...]
    outcome: OutcomeJson | None  # None while a question is open


class PlayAnswer(OfFightJson, ResolvedJson, metaclass=Joined):
    """A fight as far as it is resolved, its open question, what remains, and how likely it was."""

    asking: AskJson
    doubts: list[DoubtJson]  # of everything told so far
    remaining: FightSummaryJson | None  # None where too much can happen
    hindsight: HindsightJson | None  # None while a question is open, or if nothing was rolled


def resolved_json(play: Play, lang: Lang) -> ResolvedJson:
    """Give the rolls, what happened, and how the units stand."""
    return ResolvedJson(
        rolls=_rolls(play, lang),
        result=play.fight.result,
        events=[joined(EventJson, line_json(t.line, lang), step=t.step) for t in play.events],
        units=units_json(play),
        outcome=None if play.asking else joined(OutcomeJson, play.outcome),
    )


def play_answer(
    play: Play, lang: Lang, attacker: str = "best", defender: str = "best"
) -> PlayAnswer:
    """Give a fight as far as it is resolved, its open question, and the odds of what remains."""
    found = advised(play, attacker, defender)
    return joined(
        PlayAnswer,
        heading(play.start),
        resolved_json(play, lang),
        asking=ask_json(play.start.case.card, play.asking, found, lang),
        doubts=doubts_json(play.doubts, lang),
        remaining=summary_json(found.ahead.odds) if isinstance(found.ahead, Prospects) else None,
        hindsight=None if play.asking else _hindsight(play, attacker, defender),
    )


def _hindsight(play: Play, attacker: str, defender: str) -> HindsightJson | None:
    back = within_budget(lambda: hindsight(play, attacker, defender))
    if back is None or isinstance(back, Refusal):
        return None
    before = summary_json(back.before)
    return HindsightJson(result=back.result, p=str(back.chance), before=before)


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
        joined(UnitStepsJson, unit, side=side, before=before[unit.name], has_steps=unit.has_steps)
        for side in SIDES
        for unit in play.units(side)
    )
