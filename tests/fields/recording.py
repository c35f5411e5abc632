"""What the generators of recorded matches share: to play, to choose few matches, to cut them."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

from grognard.matches.match import Match, begin, load, read_match, replay
from grognard.matches.orders import typed
from grognard.matches.protocol import END, Order, Words
from grognard.rules.ask import Answer, Choose, Commit, Roll

Use = tuple[str, str]  # what kind of thing of the card is used, and which
Uses = Callable[[Match], Iterator[tuple[int, Use]]]  # each with the number of answers until then


def played(
    match: Match,
    order: Callable[[Order], Words],
    dice: Callable[[Roll], Answer],
    choose: Callable[[Choose], Answer],
    commit: Callable[[Commit], Answer] = lambda ask: (ask.attacker[0], ask.defender[0]),
) -> Match:
    """Play a match to its end with these answers."""
    while (ask := match.asking) is not None:
        match ask:
            case Order():
                match.answer(order(ask))
            case Roll():
                match.answer(dice(ask))
            case Choose():
                match.answer(choose(ask))
            case Commit():
                match.answer(commit(ask))
    return match


def any_dice(match: Match, ask: Roll, random: Random) -> Answer:  # noqa: ARG001  # others look at it
    """Roll the dice."""
    return ask.dice.draw(random)


def any_commitment(ask: Commit, random: Random) -> Answer:
    """Draw what both sides commit."""
    return random.choice(ask.attacker), random.choice(ask.defender)


def at_random(
    name: str,
    seed: int,
    order: Callable[[Match, Order, Random], Words],
    dice: Callable[[Match, Roll, Random], Answer] = any_dice,
    commit: Callable[[Commit, Random], Answer] = any_commitment,
) -> Match:
    """Play a random match whose orders seek contact."""
    random, match = Random(seed), begin(name)
    return played(
        match,
        lambda ask: order(match, ask, random),
        lambda ask: dice(match, ask, random),
        lambda ask: random.choice(ask.options),
        lambda ask: commit(ask, random),
    )


def scripted(name: str, script: str, **options: str) -> Match:
    """Play typed orders, with sixes, the last of every choice, and nothing after them."""
    orders = iter(script.split(";"))
    return played(
        begin(name, options),
        lambda _: typed(next(orders, "end")),
        lambda ask: (6,) * ask.dice.count,
        lambda ask: ask.options[-1],
    )


def recorded(
    folder: Path, used: Callable[[Match], set[Use]], name: str = ""
) -> Mapping[str, set[str]]:
    """Replay the recorded matches of a scenario, or of a scenario file; give what they use, by its
    kind."""
    found = defaultdict[str, set[str]](set)
    for file in sorted(folder.glob("*.json")):
        match = again(file, name)
        assert match.asking is None
        for kind, id_ in used(match):
            found[kind].add(id_)
    return found


def again(file: Path, name: str = "") -> Match:
    """Replay a recorded match of a scenario, or of the scenario file that is named."""
    if not name:
        return load(file.read_text(encoding="utf-8"), file.name)
    kept = read_match(json.loads(file.read_bytes()))
    match = begin(name, kept.options)
    replay(match, kept.answers)
    return match


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
    return played(
        short, lambda _: END, lambda ask: (1,) * ask.dice.count, lambda ask: ask.options[-1]
    )
