"""What an answer costs, counted in lines of the program that run: exact on any machine.

The time of an answer must not tell a secret, nor grow with the match.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from types import FrameType
from typing import Any

import pytest

from grognard.fights.record import from_plain, plain
from grognard.matches.match import Match, begin
from grognard.matches.seats import WATCH
from grognard.matches.storage.rows import New
from grognard.matches.storage.store import Store
from grognard.players.levels import automatic_player
from grognard.rules.ask import Commit, Roll
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_answer import match_answer
from tests.web.fair_match import ATTACK

GROWTH = 1.5  # of the lines of a late answer, compared with those of an early one


def lines_of(do: Callable[[], object]) -> int:
    """Count the lines that run."""
    lines = 0

    def trace(_frame: FrameType, event: str, _given: Any) -> Any:  # noqa: ANN401  # of any kind
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        do()
    finally:
        sys.settrace(before)
    return lines


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Store(tmp_path / "matches.sqlite") as store:
        yield Live(store)


def to_commitment(live: Live) -> str:
    """Play a match apart to its first secret commitment."""
    options = dict(begin("weissenberg", {}).field.options)
    new = New(name="x", scenario="weissenberg", options=options, apart=True)
    kept, _ = live.keep(new, None)
    for answer in ATTACK[:-1]:
        with live.opened(kept.id, None) as seen:
            side = seen.match.asked
        with live.opened(kept.id, side) as seen:
            seen.answer(seen.kept.version, answer)
    return kept.id


@pytest.mark.parametrize("seat", ["allied", WATCH])
def test_what_the_other_side_committed_takes_no_line_more_or_less(live: Live, seat: str) -> None:
    matches = [(to_commitment(live), place) for place in (0, -1)]
    for id_, place in matches:
        with live.opened(id_, "german") as seen:
            ask = seen.match.asking
            assert isinstance(ask, Commit)
            option = (ask.attacker, ask.defender)[seen.match.roles.index("german")][place]
            seen.commit(seen.kept.version, "german", option)

    def look(id_: str) -> None:
        with live.opened(id_, seat) as seen:
            match_answer(seen, "en")

    # In turns, and the least of several: some lines run once for a match, or to tidy up.
    rounds = [[lines_of(partial(look, id_)) for id_, _ in matches] for _ in range(5)]
    first, second = map(min, zip(*rounds, strict=True))
    assert first == second > 1000


def whole_match() -> Match:
    random, bot = Random(1945), automatic_player(1945, "sergeant")
    match = begin("weissenberg", {})
    while match.asking is not None:
        roll = isinstance(match.asking, Roll)
        match.answer(match.asking.dice.draw(random) if roll else bot.answer(match))  # type: ignore[union-attr]
    return match


@pytest.mark.slow
def test_the_cost_of_an_answer_does_not_grow_with_the_match(live: Live) -> None:
    played = whole_match()
    answers, options = played.answers, dict(played.field.options)
    kept, _ = live.keep(New(name="x", scenario="weissenberg", options=options), None)
    marks, counts = [""], []
    for number, answer in enumerate(answers):

        def step(answer: object = answer) -> None:
            with live.opened(kept.id, None) as seen:
                seen.answer(seen.kept.version, from_plain(plain(answer)))  # type: ignore[arg-type]
                marks.append(match_answer(seen, "en", marks[-1]).log.mark)

        traced = 10 <= number < 30 or number >= len(answers) - 20
        counts += [lines_of(step)] if traced else []
        if not traced:
            step()
    early, late = median(counts[:20]), median(counts[20:])
    assert len(answers) > 90
    assert late < GROWTH * early, (early, late)
