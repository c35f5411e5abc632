"""The open question of a fight as JSON, with its legal answers and what they lead to."""

from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, UnsetType

from grognard.card.card import Card
from grognard.card.rows import SIDES, Side
from grognard.draw.json.odds import (
    DoctrinesJson,
    FightSummaryJson,
    TablePlaceJson,
    columns_json,
    summary_json,
)
from grognard.draw.json.structs import AnswerJson, Exact, Joined, JsonStruct, joined, one_of
from grognard.fights.advised import Advised
from grognard.fights.prospects import Prospect, Prospects, menu
from grognard.rules.ask import Ask, Choose, Commit, Roll
from grognard.rules.wording import members, named, offered, question
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


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


class OptionOddsJson(FightSummaryJson, metaclass=Joined):
    """What an answer leads to, with both sides deciding by their doctrines from then on."""

    share: Exact  # how often the doctrine gives this answer
    best: bool  # whether the doctrine values no other answer more
    columns: list[TablePlaceJson]  # where the table will be read; empty once it has been
    risk: Exact  # that the unit which it names loses its last step
    then: list[str]  # answers to later questions before the fight that this assumes


class OptionJson(JsonStruct):
    """A legal answer, its words, and what it leads to."""

    answer: AnswerJson
    text: str
    odds: OptionOddsJson | UnsetType = UNSET  # not where too much can happen or no fight follows
    eliminates: tuple[str, ...] | UnsetType = UNSET  # the units that it eliminates at once


class AdviceJson(JsonStruct):
    """By which doctrines the odds of the answers are worked out, or why there are none."""

    doctrines: DoctrinesJson | UnsetType = UNSET
    problem: str | UnsetType = UNSET


class ChooseJson(QuestionJson):
    """A question for a choice of one side."""

    ask: Literal["choose"]
    side: Side
    options: list[OptionJson]
    members: tuple[str, ...]  # of whom any group among the options may be chosen
    advice: AdviceJson | None


class MenusJson(JsonStruct):
    """What each side may commit."""

    attacker: tuple[AnswerJson, ...]
    defender: tuple[AnswerJson, ...]


class ChoicesJson(JsonStruct):
    """What each side may commit, in words, and what it leads to."""

    attacker: list[OptionJson]
    defender: list[OptionJson]


class CommitJson(QuestionJson):
    """A question for a secret commitment of both sides."""

    ask: Literal["commit"]
    options: MenusJson
    choices: ChoicesJson
    advice: AdviceJson | None


QUESTIONS = (RollJson, ChooseJson, CommitJson)
if TYPE_CHECKING:
    AskJson = RollJson | ChooseJson | CommitJson | None
else:
    AskJson = one_of(*QUESTIONS, None)


def ask_json(card: Card, ask: Ask | None, advised: Advised, lang: Lang) -> AskJson:
    """Give the open question of a fight and its legal answers, with what they lead to."""
    if ask is None:
        return None
    text, advice = question(card, ask, lang), advice_json(advised, lang)
    match ask:
        case Roll():
            dice, faces, first = ask.dice.count, ask.dice.faces, ask.dice.first
            return joined(RollJson, ask, text=text, ask="roll", dice=dice, faces=faces, first=first)
        case Choose():
            return joined(
                ChooseJson,
                ask,
                text=text,
                ask="choose",
                options=options_json(card, ask, ask.side, advised, lang),
                members=members(ask.options),
                advice=advice,
            )
        case Commit():
            ours, theirs = (options_json(card, ask, side, advised, lang) for side in SIDES)
            return joined(
                CommitJson,
                ask,
                text=text,
                ask="commit",
                options=joined(MenusJson, ask),
                choices=ChoicesJson(attacker=ours, defender=theirs),
                advice=advice,
            )


def options_json(
    card: Card, ask: Choose | Commit, side: Side, advised: Advised, lang: Lang
) -> list[OptionJson]:
    """Give the options of a side with their words and what they lead to."""
    found = {prospect.answer: prospect for prospect in advised.options(side)}
    return [
        OptionJson(
            answer=option,
            text=offered(card, ask, option, lang, side, gone),
            odds=option_odds_json(found[option], card, lang) if option in found else UNSET,
            eliminates=gone or UNSET,
        )
        for option in menu(ask, side)
        for gone in (advised.eliminates.get(option, ()),)
    ]


def option_odds_json(prospect: Prospect, card: Card, lang: Lang) -> OptionOddsJson:
    """Give what an answer leads to."""
    return joined(
        OptionOddsJson,
        summary_json(prospect.odds),
        share=str(prospect.share),
        best=prospect.best,
        columns=columns_json(prospect.places),
        risk=str(prospect.risk),
        then=[named(card, ask, answer, lang) for ask, answer in prospect.then],
    )


def advice_json(advised: Advised, lang: Lang) -> AdviceJson | None:
    """Name the doctrines of the odds, or the reason why there are none."""
    match advised.ahead:
        case Prospects() as ahead:
            attacker, defender = ahead.odds.doctrines
            doctrines = DoctrinesJson(attacker=attacker.id, defender=defender.id)
            return AdviceJson(doctrines=doctrines)
        case Refusal() as refusal:
            return AdviceJson(problem=refusal.in_(lang))
    return None
