"""Refusals that hang on a doubtful reading: they name the option, the reason, and the choice that
would allow what is refused."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce

from grognard.card.card import Card, Option
from grognard.card.wording import MARK
from grognard.words.message import LateMessage, Message, say
from grognard.words.refusal import Refusal

# Tries what is refused under another choice of an option, and refuses it again or does not.
Try = Callable[[str, str], object]


def with_readings(
    refusal: Refusal,
    card: Card,
    chosen: Mapping[str, str],
    again: Try,
    deciding: Callable[[], Iterable[Option]] | None = None,
) -> Refusal:
    """Let a refusal name the readings that decide it, among all options or those given. They are
    looked for when somebody reads the message: most refusals only rule something out."""

    def message() -> Message:
        options = card.options if deciding is None else deciding()
        return reduce(_marked, _allowing(options, chosen, again), refusal.problem)

    return refusal.saying(LateMessage(message)) if card.options else refusal


def _allowing(
    options: Iterable[Option], chosen: Mapping[str, str], again: Try
) -> Iterator[tuple[Option, list[str]]]:
    """Give each option under another choice of which nothing is refused, and these choices."""
    for option in options:
        others = [choice.id for choice in option.choices if choice.id != chosen[option.id]]
        if allowed := [choice for choice in others if _allowed(again, option.id, choice)]:
            yield option, allowed


def _allowed(again: Try, option: str, choice: str) -> bool:
    try:
        again(option, choice)
    except Refusal:
        return False
    return True


def _marked(problem: Message, reading: tuple[Option, list[str]]) -> Message:
    option, allowed = reading
    return say(
        "{problem} {mark} {reason} [option {option}; it is allowed with: {choices}]",
        problem=problem,
        mark=MARK,
        reason=option.reading.reason,
        option=option.id,
        choices=", ".join(allowed),
    )
