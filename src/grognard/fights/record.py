"""Records: a fight and its answers, from which the whole play can be rebuilt."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from grognard.card.card import encode_hook
from grognard.fights.opening import Told
from grognard.fights.play import Play
from grognard.files.struct_types import prepare
from grognard.files.toml_file import converted
from grognard.rules import game
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.words.message import say
from grognard.words.refusal import Refusal

AskKind = Literal["roll", "choose", "commit"]
_KINDS: Mapping[type[Ask], AskKind] = {Roll: "roll", Choose: "choose", Commit: "commit"}
VERSION = 1
DEEPEST = 8  # lists within lists; no rules ask for more


class Answered(Struct, frozen=True, forbid_unknown_fields=True):
    """A question in short form, and its answer."""

    ask: AskKind
    what: str
    answer: Any  # as JSON; checked against what is asked


class Happened(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event in short form, to verify a replay."""

    kind: str
    id: str
    unit: str = ""
    value: str | None = None


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """A fight and its answers; the events verify a replay."""

    record: int
    game: str
    procedure: str
    options: Mapping[str, str]
    fight: dict[str, Any]  # the set-up as JSON; the game's own type reads it
    answers: tuple[Answered, ...]
    events: tuple[Happened, ...]


prepare(Record)


def record(play: Play) -> Record:
    """Make the record of a play, finished or not."""
    case = play.start.case
    return Record(
        VERSION,
        case.card.id,
        case.procedure.id,
        dict(case.options),
        msgspec.to_builtins(case.setup, enc_hook=encode_hook),
        tuple(Answered(_KINDS[type(g.ask)], g.ask.what, plain(g.answer)) for g in play.given),
        tuple(map(_happened, play.events)),
    )


def _happened(told: Told) -> Happened:
    line = told.line
    value = None if line.value is None else str(line.value)
    return Happened(line.kind, line.id, line.unit, value)


def read_record(data: dict[str, object]) -> Record:
    """Read a record; refuse other versions."""
    if data.get("record") != VERSION:
        problem = say(
            "a record of version {found} can't be read here; expected {known}",
            found=data.get("record", "-"),
            known=VERSION,
        )
        raise Refusal(problem, place="record")
    return converted(data, Record)


def replay(kept: Record) -> Play:
    """Play a record again; refuse it at the first mismatch."""
    rules = game.load(kept.game)
    play = Play(rules.fight(kept.fight, procedure=kept.procedure, options=kept.options))
    for number, answered in enumerate(kept.answers):
        _answer(play, answered, f"answers[{number}]")
    for number, (told, was) in enumerate(zip(play.events, kept.events, strict=False)):
        now = _happened(told)
        if now != was:
            problem = say(
                "the record tells '{was}', but its answers lead to '{now}'",
                was=_short(was),
                now=_short(now),
            )
            raise Refusal(problem, place=f"events[{number}]")
    if len(play.events) != len(kept.events):
        problem = say(
            "the record tells {was} events, but its answers lead to {now}",
            was=len(kept.events),
            now=len(play.events),
        )
        raise Refusal(problem, place="events")
    return play


def _answer(play: Play, answered: Answered, place: str) -> None:
    if play.asking is None:
        raise Refusal(say("the fight is over before this answer"), place=place)
    asked = (_KINDS[type(play.asking)], play.asking.what)
    if (answered.ask, answered.what) not in (asked, _formerly(play.asking)):
        problem = say(
            "the record answers '{was}', but '{now}' is asked here",
            was=f"{answered.ask} {answered.what}",
            now=" ".join(asked),
        )
        raise Refusal(problem, place=place)
    try:
        play.answer(from_plain(answered.answer))
    except Refusal as refusal:
        raise Refusal(refusal.problem, place=place) from None


def _formerly(ask: Ask) -> tuple[AskKind, str] | None:
    """Give a question in short form by its former name."""
    former = ask.former if isinstance(ask, Choose) else None
    return None if former is None else ("choose", former.what)


def _short(event: Happened) -> str:
    return " ".join(part for part in (event.id, event.unit, event.value) if part)


def plain(answer: Answer) -> object:
    """Convert an answer to JSON values."""
    return [plain(part) for part in answer] if isinstance(answer, tuple) else answer


def from_plain(value: object, depth: int = 0) -> Answer:
    """Convert JSON values to an answer."""
    if isinstance(value, list | tuple) and depth < DEEPEST:
        return tuple(from_plain(part, depth + 1) for part in value)
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise Refusal(say("{value} is not an answer", value=repr(value)))
    return value
