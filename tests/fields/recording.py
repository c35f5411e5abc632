"""What the generators of recorded matches share: to choose few matches, and to cut them short."""

from collections.abc import Callable, Iterator

from grognard.matches.match import Match
from grognard.matches.protocol import END, Order
from grognard.rules.ask import Choose, Commit, Roll

Use = tuple[str, str]  # what kind of thing of the card is used, and which
Uses = Callable[[Match], Iterator[tuple[int, Use]]]  # each with the number of answers until then


def needed(found: dict[int, set[Use]]) -> list[int]:
    """Choose few matches that together use all that any of them uses."""
    left, chosen = set[Use]().union(*found.values()), list[int]()
    while left:
        best = max(found, key=lambda seed: len(left & found[seed]))
        chosen.append(best)
        left -= found[best]
    return chosen


def cut(match: Match, wanted: set[Use], uses: Uses) -> Match:
    """Play a match only until it has used what is wanted; then both sides pass to the end."""
    last, left = 0, set(wanted)
    for number, use in uses(match):
        if use in left:
            left.remove(use)
            last = number
    short = Match(match.field, match.answers[:last])
    while (ask := short.asking) is not None:
        match ask:
            case Order():
                short.answer(END)
            case Roll():
                short.answer((1,) * ask.dice.count)
            case Choose():
                short.answer(ask.options[-1])
            case Commit():
                short.answer((ask.attacker[0], ask.defender[0]))
    return short
