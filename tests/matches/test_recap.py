"""The recap of an automatic side's turn: when it is due, and what it tells."""

import pytest
from msgspec.structs import replace

from grognard.cli.match_story import recap_lines
from grognard.draw.json.steps import LossJson, recap_json
from grognard.matches.match import Match, begin
from grognard.matches.protocol import END, Order
from grognard.matches.recap import Reader, recap_due
from grognard.players.bot import Bot
from grognard.rules.ask import Choose, Roll
from tests.command import run

AUTOS = ("allied",)


@pytest.fixture
def played() -> Match:
    """Turn 1 of the Germans without any order, then the automatic Allies to the end of theirs."""
    match, bot = begin("weissenberg"), Bot(1)
    match.answer(END)
    match.answer(END)
    while match.roles.attacker == "allied":
        assert not recap_due(match, AUTOS)
        match.answer(bot.answer(match))
    return match


def test_it_is_due_when_a_persons_turn_begins(played: Match) -> None:
    assert recap_due(played, AUTOS)
    assert not recap_due(played, ())
    told = recap_json(played, Reader(AUTOS), "en")
    assert (told.due, told.side, told.turn) == (True, "allied", 1)
    assert told.steps[0].kind == "between"  # the columns arrive
    moves = [move for step in told.steps for move in step.moves]
    for move in moves:
        assert move.side == "allied"
        assert played.board.map.number(played.board.piece(move.unit).place) in {
            one.path[-1] for one in moves if one.unit == move.unit
        }
    # Questions before the first order are part of the person's turn; with the order it is past.
    while not isinstance(played.asking, Order):
        assert isinstance(played.asking, Choose)
        played.answer(played.asking.options[0])
        assert recap_due(played, AUTOS)
    played.answer(END)
    assert not recap_due(played, AUTOS)
    again = recap_json(played, Reader(AUTOS), "en")
    assert not again.due
    assert again.steps == told.steps


def test_a_fight_in_it_names_hexes_outcome_and_losses() -> None:
    match = begin("weissenberg")
    match.answer(END)
    match.answer(("attack", "1910", "112/20Pz", "59/20Pz", "21/20Pz"))
    while not isinstance(match.asking, Order):
        ask = match.asking
        if isinstance(ask, Roll):
            match.answer((1,))
        elif isinstance(ask, Choose):
            match.answer(ask.options[0])
        else:
            match.answer(((0, 0), (0, 0)))
    told = recap_json(match, Reader(("german",)), "en")
    step = told.steps[-1]
    assert step.kind == "fight"
    (fight,) = step.fights
    assert fight.target == "1910"
    assert set(fight.hexes) == {"1911", "1810"}
    assert fight.outcome.startswith("▶ 2 steps lost")
    assert {loss.side for loss in told.losses} == {"german"}
    assert sum(loss.steps for loss in told.losses) == 2
    assert {loss.hex for loss in told.losses} <= {"1911", "1810"}


@pytest.mark.slow
def test_the_terminal_sums_the_turn_up_once() -> None:
    result = run(
        "play",
        "weissenberg",
        "--auto",
        "allied",
        "--level",
        "sergeant",
        "--seed",
        "1",
        stdin="end\nend\n" + 30 * "1\n" + "quit\n",
    )
    assert result.exit_code == 0, result.output
    assert result.output.count("Recap: Soviets and Poles, turn 1") == 1


def test_steps_that_were_regained_are_no_losses(played: Match) -> None:
    told = recap_json(played, Reader(AUTOS), "en")
    lost = LossJson(unit="6L", side="allied", steps=1, eliminated=True, hex=None, text="6L: gone")
    back = LossJson(unit="CL A2", side="allied", steps=-1, eliminated=False, hex=None, text="")
    lines = list(recap_lines(replace(told, losses=[lost, back]), played.field.scenario, "en"))
    assert lines[-2:] == ["  Losses: ○ 6L: gone", "  Regained: ○ CL A2"]
    lines = list(recap_lines(replace(told, losses=[back]), played.field.scenario, "en"))
    assert lines[-2:] == ["  No losses.", "  Regained: ○ CL A2"]
