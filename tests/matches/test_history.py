"""The history of a match: each entry in one event, boards of a replay, losses that add up."""

from collections import Counter
from itertools import zip_longest
from random import Random

import pytest

from grognard.maps import scenario
from grognard.matches.history import (
    Event,
    history,
    losses_between,
    side_turns,
    turn_ends,
    ways,
)
from grognard.matches.match import Match, Reply, begin
from grognard.matches.protocol import END, Order, Roles
from grognard.testing.random_matches import random_match
from tests.tiers import sized

LARGE = "bautzen-1945"
SCENARIOS = [
    pytest.param(name, marks=pytest.mark.slow if name == LARGE else ())
    for name in sorted(scenario.ids())
]
MATCHES = sized(3, quick=1, soak=100)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_entry_is_in_one_event_and_losses_add_up(name: str) -> None:
    for seed in range(MATCHES if name != LARGE else 1):
        match = random_match(name, seed)
        events = history(match)
        covered = Counter(n for event in events for n in range(event.first, event.until))
        assert covered == Counter(range(len(match.log)))
        assert [event.number for event in events] == list(range(len(events)))
        assert sum(len(event.fights) for event in events) == len(match.fights)
        before, after = match.field.scenario.board(), match.board
        lost = Counter[str]()
        for event in events:
            lost.update({loss.unit: loss.steps for loss in event.losses})
        assert {unit: steps for unit, steps in lost.items() if steps} == {
            loss.unit: loss.steps for loss in losses_between(before, after)
        }
        ends = turn_ends(events)
        assert ends[0] == (0, events[0].before)
        assert ends[-1] == (match.field.scenario.turns, match.board)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_events_that_a_match_keeps_are_those_of_its_whole_log(name: str) -> None:
    """Whenever they were asked for before, and after answers that were taken back."""

    def facts(match: Match) -> list[tuple[object, ...]]:
        return [
            (
                *(event.number, event.first, event.until, event.turn, event.side, event.phase),
                *(event.order, event.before, event.after),
                *((one.first, one.roles) for one in event.fights),
            )
            for event in history(match)
        ]

    random, played = Random(11), random_match(name, 7)
    kept = Match(played.field)
    for number, reply in enumerate(played.replies):
        kept.answer(reply.answer)
        if number % 12 == 5 and kept.undo_problem() is None:
            assert history(kept)
            kept.undo()
            kept.answer(reply.answer)
        if random.random() < 0.5:
            assert history(kept)
        if number % 10 == 9:
            assert facts(kept) == facts(Match(played.field, kept.answers))
    assert facts(kept) == facts(played)


def test_the_history_of_a_long_match_costs_no_more_than_that_of_a_short_one() -> None:
    played = random_match("weissenberg", 7)
    kept, fresh = Match(played.field), []
    for reply in played.replies:
        kept.answer(reply.answer)
        known = set(map(id, kept.events))
        fresh.append(sum(id(event) not in known for event in history(kept)))
    assert len(history(kept)) > 30
    assert max(fresh) <= 5


@pytest.mark.parametrize("name", SCENARIOS)
def test_boards_are_those_of_a_replay(name: str) -> None:
    match = random_match(name, 7)
    again, events = Match(match.field), history(match)
    for event, after in zip_longest(events, events[1:]):
        entries = match.log[event.first : event.until]
        answers = [entry.answer for entry in entries if isinstance(entry, Reply)]
        if event.order is not None:
            assert isinstance(again.asking, Order)
            assert (again.asking.side, again.asking.turn) == (event.side, event.turn)
            assert again.board == event.before
            assert answers[0] == event.order
        for answer in answers:
            again.answer(answer)
        if after is None or after.order is not None:
            assert again.board == event.after
        assert after is None or after.before is event.after
    assert again.asking is None


def test_events_of_a_turn_in_the_order_of_play() -> None:
    match = begin("weissenberg")
    match.answer(("move", "687/615", "1812", "1913"))
    match.answer(END)
    match.answer(END)
    assert [(turn.turn, turn.side) for turn in side_turns(history(match))][:2] == [
        (1, "german"),
        (1, "allied"),
    ]
    move, *_ = history(match)
    assert (move.turn, move.side, move.phase) == (1, "german", "phase-movement")
    assert _numbers(match, move) == [("687/615", ["1712", "1812", "1913"])]


def test_a_move_to_one_hex_has_every_hex_of_its_way() -> None:
    match = begin("weissenberg")
    match.answer(("move", "687/615", "1811"))
    (move,) = history(match)
    # 4.2: the road through 1812 and 1912 is cheaper than the hill of 1711.
    assert _numbers(match, move) == [("687/615", ["1712", "1812", "1912", "1811"])]


def _numbers(match: Match, event: Event) -> list[tuple[str, list[str]]]:
    return [
        (shift.unit, [match.board.map.number(hex_) for hex_ in shift.path if hex_])
        for shift in ways(match.field, event)
    ]


def test_arrivals_belong_to_the_side_that_they_come_to() -> None:
    match = random_match("weissenberg", 1)
    between = [event for event in history(match) if event.order is None]
    assert between
    for event in between:
        assert event.phase == ""
        assert all(shift.side == event.side for shift in event.shifts)
        assert not isinstance(match.log[event.until - 1], Roles)


def test_undo_takes_its_event_back() -> None:
    match = begin("weissenberg")
    boards = list(match.boards)
    match.answer(("move", "687/615", "1811"))
    assert len(match.boards) == len(boards) + 1
    match.undo()
    assert match.boards == boards
    assert not [event for event in history(match) if event.order]
