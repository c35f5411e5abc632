"""The story of a match as JSON: figures of the match itself, and nothing of what is hidden."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from grognard.draw.json.frames import frames_json
from grognard.draw.json.match import position_json
from grognard.draw.json.story import story_json
from grognard.draw.svg.pieces import Pieces
from grognard.draw.text.dice import fairness_text
from grognard.matches.dice_statistics import Fairness
from grognard.matches.match import Match, Reply, begin, save
from grognard.matches.protocol import END
from grognard.matches.recap import shown_events, step_boards
from grognard.matches.sight import hidden_from
from grognard.rules.ask import Roll
from grognard.testing.random_matches import random_match
from tests.command import run


def test_points_losses_and_luck_are_those_of_the_match() -> None:
    match = random_match("pulkovo", 2)
    told = story_json(match, (), "en")
    assert told.verdict is not None
    assert told.turns[-1].points == dict(match.verdict().points)
    start = match.field.scenario.board()
    for lost in told.losses:
        by_turn = sum(turn.steps_lost[lost.side] for turn in told.turns)
        gone = sum(piece.steps for piece in start.pieces if piece.side == lost.side) - sum(
            piece.steps for piece in match.board.pieces if piece.side == lost.side
        )
        assert lost.steps == by_turn == gone
    for side in told.luck:
        fights = sum((Fraction(fight.luck[side]) for fight in told.fights), Fraction(0))
        assert Fraction(told.luck[side]) == fights
    numbers = {step.n for step in told.steps}
    assert {fight.step for fight in told.fights} <= numbers
    assert {one.step for one in told.costly} <= numbers


def test_frames_put_together_are_the_boards() -> None:
    match = random_match("weissenberg", 4)
    events = shown_events(match)
    boards = [events[0].before, *(event.after for event in events)]
    found = frames_json(boards, match.field.scenario, "en")
    assert len(found.frames) == len(boards)
    stacks: dict[str, list[str]] = {}
    for frame, board in zip(found.frames, boards, strict=True):
        for number, stack in frame.stacks.items():
            stacks[number] = [found.drawings[place].unit for place, _, _ in stack.counters]
        shown = {number: units for number, units in stacks.items() if units}
        pieces = Pieces(board, match.field.scenario, "en")
        assert shown == {
            board.map.number(hex_): [piece.name for piece, _ in pieces.placed(hex_)]
            for hex_ in board.stacks()
        }


def hidden_match() -> Match:
    match = begin("bautzen-1945")
    for name in ("861/294", "QG 294 RD"):
        match.answer(("place", name, "1910"))
    match.answer(END)
    match.answer(END)
    return match


def test_the_story_of_a_match_that_goes_on_hides_what_is_hidden() -> None:
    match = hidden_match()
    hidden = hidden_from(match, "german")
    assert "QG 294 RD" in hidden
    told = str(story_json(match, ("allied",), "en"))
    assert not [name for name in hidden if re.search(rf"(?<!\w){re.escape(name)}['<:, ]", told)]
    assert "QG 294 RD" in str(story_json(match, ("german", "allied"), "en"))


def test_a_position_is_the_board_after_so_many_steps(tmp_path: Path) -> None:
    match = random_match("weissenberg", 4)
    events = shown_events(match)
    boards = step_boards(match, None)
    told = position_json(match.field, boards[3], 3, len(events), "en")
    assert {piece.name: piece.hex for piece in told.pieces} == {
        piece.name: match.board.map.number(piece.at) if piece.at else None
        for piece in events[2].after.pieces
    }
    file = tmp_path / "match.json"
    save(match, file)
    drawn = run("map", str(file), "--step", str(len(events))).output
    assert drawn == run("map", str(file)).output
    assert drawn != run("map", str(file), "--step", "0").output
    refused = run("map", str(file), "--step", "9999")
    assert refused.exit_code == 2
    assert "there is no step 9999; expected 0 to" in refused.output


def test_the_dice_of_a_match_are_counted_and_tested() -> None:
    played = random_match("weissenberg", 4)
    whole, *parts = story_json(played, (), "en").tallies
    rolls = [
        entry for entry in played.log if isinstance(entry, Reply) if isinstance(entry.ask, Roll)
    ]
    assert (whole.die, whole.side, whole.source, whole.dice) == ("d6", None, None, len(rolls))
    assert (whole.faces, sum(whole.counts), whole.exact) == ([1, 2, 3, 4, 5, 6], len(rolls), True)
    assert 0 < whole.chance <= 1
    assert {part.source_text for part in parts} == {"dice of unknown source"}


@pytest.mark.parametrize(
    ("chance", "exact", "words"),
    [
        (1.0, True, "more than half of all sets of fair dice are as uneven"),
        (0.34, True, "so uneven a set of fair dice comes in 1 of 3 matches"),
        (0.01, False, "in about 1 of 100 matches (chi-square distribution)"),
        (0.0001, True, "less than once in 1000 matches"),
    ],
)
def test_fairness_is_said_in_words(chance: float, exact: bool, words: str) -> None:
    assert words in str(fairness_text(Fairness(chance, exact)))
