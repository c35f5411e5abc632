"""Lines and doubts as JSON, and the heading of every answer about a fight."""

from collections.abc import Iterable
from typing import Literal

from msgspec import UNSET, UnsetType

from grognard.card.rows import Reading, Side
from grognard.draw.json.structs import Joined, JsonStruct, NumberJson, joined, number
from grognard.rules.fight import Fight
from grognard.rules.line import Line
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
    doubtful = (line for line in lines if line.reading.doubtful)
    doubts = (reading_json(line.reading, line.in_(lang), lang) for line in doubtful)
    return list({(doubt.text, doubt.reason): doubt for doubt in doubts}.values())


def reading_json(reading: Reading, text: str, lang: Lang) -> DoubtJson:
    """Give a reading with its reason, and the words that it is about."""
    reason = "" if reading.reason is None else reading.reason.in_(lang)
    return joined(DoubtJson, reading, text=text, reason=reason)
