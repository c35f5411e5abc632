"""An outcome in words: the hex, the losses, the retreat; the code of the table stands behind."""

import re
from collections.abc import Iterator

from grognard.card.card import Card
from grognard.card.rows import SIDES, Side
from grognard.card.wording import MARKS, in_words
from grognard.fights.play import Play
from grognard.rules.fight import Outcome
from grognard.words.message import say
from grognard.words.numbers import Counted
from grognard.words.text import Lang

_GROUND = (
    ("attacker_eliminated", say("attacker eliminated")),
    ("defender_eliminated", say("defender eliminated")),
    ("attacker_left", say("attacker thrown back")),
)
_PATH = re.compile(r"(?:([AD]) |(attacker)-)?(retreat|rout|advance) (\d+)")
_OF_SIDE = re.compile(r"([AD]) (surrenders|captured|disorganised)")
_SIDES: dict[str | None, Side] = {"A": "attacker", "attacker": "attacker", "D": "defender"}


def outcome_words(outcome: Outcome, card: Card, lang: Lang) -> str:
    """Describe an outcome; the code of its result stands behind."""
    return with_code(happened_words(outcome, card, lang), outcome, card, lang)


def with_code(words: str, outcome: Outcome, card: Card, lang: Lang) -> str:
    """Put the code of the result behind words, if it says more."""
    code = outcome_code(outcome, card, lang)
    return f"{words} ({code})" if code else words


def play_words(play: Play, lang: Lang) -> str:
    """Describe what has happened in a fight that is over, with the units that are eliminated while
    others of their side are left; without a code of the table."""
    outcome = play.outcome
    whole = [side for side in SIDES if getattr(outcome, f"{side}_eliminated")]
    lines = (told.line for told in play.told if told.line.kind == "eliminated")
    gone = [line.in_(lang) for line in lines if line.side not in whole]
    return ", ".join([happened_words(outcome, play.start.case.card, lang), *gone])


def happened_words(outcome: Outcome, card: Card, lang: Lang) -> str:
    """Describe what has happened, without a code of the table."""
    return ", ".join(_happened(outcome, card, lang)) or say("no effect").in_(lang)


def outcome_code(outcome: Outcome, card: Card, lang: Lang) -> str:
    """Give the code of the result as printed; empty if it says no more than the words."""
    code = in_words(outcome.result, card, lang)
    said = _is_nothing(outcome.result) or code == say("no effect").in_(lang)
    return "" if said else code


def result_words(result: str, card: Card, lang: Lang) -> str:
    """Put a result of the table into words; a dash, or nothing, is no effect."""
    nothing = say("no effect").in_(lang)
    if _is_nothing(result):
        return nothing
    parts = re.split(r"([|/])", in_words(result, card, lang))
    return "".join(nothing if part in ("-", "") else part for part in parts)


def _is_nothing(result: str) -> bool:
    return not result.strip("-|/")


def _happened(outcome: Outcome, card: Card, lang: Lang) -> Iterator[str]:
    yield from (message.in_(lang) for key, message in _GROUND if getattr(outcome, key))
    if outcome.taken:
        yield say("hex taken").in_(lang)
    elif outcome.vacated:
        yield say("hex vacated").in_(lang)
    for side in SIDES:
        if lost := getattr(outcome, f"{side}_steps_lost"):
            yield f"{MARKS[side]} {lost_words(lost, card, lang)}"
    yield from (_detail(detail, card, lang) for detail in outcome.details)


def lost_words(lost: int, card: Card, lang: Lang) -> str:
    """Write a number of losses in what the game counts them in."""
    return card.phrase("steps-lost").in_(lang).format(n=Counted(lost, lang))


def _detail(detail: str, card: Card, lang: Lang) -> str:
    if path := _PATH.fullmatch(detail):
        letter, whole, kind, hexes = path.groups()
        words = card.phrase("path-of").in_(lang)
        told = words.format(what=in_words(kind, card, lang), n=Counted(hexes, lang))
        side = _SIDES.get(letter or whole)
    elif state := _OF_SIDE.fullmatch(detail):
        side, told = _SIDES[state[1]], in_words(state[2], card, lang)
    else:
        return in_words(detail, card, lang)
    return f"{MARKS[side]} {told}".strip()
