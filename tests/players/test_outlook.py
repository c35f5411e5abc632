"""What a planning player sees: points for steps, fire of the next turn, leaders, the best sweep."""

import pytest
from msgspec.structs import replace

from grognard.matches.match import begin
from grognard.matches.protocol import Order
from grognard.players import move_plan
from grognard.players.colonel import Colonel, moves_or_attacks, outlook_of
from grognard.players.general import General, _imagined
from grognard.players.known_attacks import KnownAttacks
from grognard.players.move_plan import MovePlan
from grognard.players.outlook import Outlook
from grognard.players.plans import Plans
from grognard.players.stakes import USUAL_STYLE, Style, points_of_a_step


def asked(name: str) -> tuple[Order, Outlook]:
    match = begin(name)
    ask = match.asking
    assert isinstance(ask, Order)
    return ask, outlook_of(match.field, ask, ask.board)


@pytest.mark.parametrize(
    ("name", "hundredths"),
    [("steppe", 50), ("weissenberg", 0), ("pulkovo", 0)],  # a point for each two steps
)
def test_steps_are_worth_what_the_scenario_pays_for_them(name: str, hundredths: int) -> None:
    match = begin(name)
    first = match.field.scenario.sides[0].id
    assert points_of_a_step(match.field, match.board, first) == pytest.approx(hundredths, abs=3)


def test_moves_and_fire_share_a_phase_only_where_the_game_says_so() -> None:
    for name, either in (("steppe", True), ("weissenberg", False), ("pulkovo", False)):
        match = begin(name)
        assert isinstance(match.asking, Order)
        assert moves_or_attacks(match.field, match.asking) is either


def test_enemies_who_have_acted_are_dangerous_in_the_next_turn_and_after_the_last_no_more() -> None:
    match = begin("steppe")
    ask = match.asking
    assert isinstance(ask, Order)
    enemy = match.field.enemy(ask.side)
    acted = ask.board.changed(*(piece.marked("acted") for piece in ask.board.of(enemy)))
    acted = acted.moved(["Gren 1"], acted.map.hex("0505"))  # into the open, before the village
    shot = {one.hex for one in outlook_of(match.field, ask, acted).threats(acted)}
    assert acted.map.hex("0505") in shot
    last = replace(ask, turn=match.field.scenario.turns)
    assert not outlook_of(match.field, last, acted).threats(acted)


def test_no_enemy_fires_twice_in_a_threat() -> None:
    ask, outlook = asked("steppe")
    names = [name for one in outlook.threats(ask.board) for name in one.order[2:]]
    assert names
    assert len(names) == len(set(names))


def test_leaders_stand_among_the_troops_and_guns_behind_them() -> None:
    match = begin("steppe")
    board = match.board
    plans = Plans(match.field, board, "german")
    troops, behind = board.map.hex("0305"), board.map.hex("0205")
    leader, gun = board.piece("Krause"), board.piece("GrW 34")
    assert plans.behind(leader, troops) > plans.behind(leader, behind)
    assert plans.behind(gun, behind) > plans.behind(gun, troops)


def test_a_plan_of_moves_is_worth_at_least_as_much_as_no_move() -> None:
    ask, outlook = asked("weissenberg")
    field = begin("weissenberg").field
    stays = outlook.value(ask.board)
    made = MovePlan(field, ask.board, ask.side, ask.orders, outlook, 400).run()
    assert made.value >= stays
    again = outlook_of(field, ask, ask.board)
    again.rebased(made.board)
    assert again.value(made.board, [order[1] for order in made.orders]) == made.value


@pytest.mark.parametrize("name", ["weissenberg", "steppe", "pulkovo"])
def test_a_board_is_given_up_only_if_it_is_not_worth_more(name: str) -> None:
    """The value with a least one is the whole value, or not above the least one, as it is."""
    ask, outlook = asked(name)
    whole = outlook.value(ask.board)
    fresh = asked(name)[1]  # knows no threat yet
    for least in (whole - 1, whole, whole + 1, whole + 5000, whole - 5000):
        for one in (outlook, fresh):
            found = one.value(ask.board, least=least)
            assert found == whole if whole > least else found <= least


def test_plans_that_share_what_is_known_of_attacks_are_the_same_with_less_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(move_plan, "PLAN", 10**6)  # no search ends early
    match = begin("weissenberg")
    ask, field = match.asking, match.field
    assert isinstance(ask, Order)
    known = KnownAttacks(field, ask.board, ask.side)
    bold = Style(threat=20, losses=70)
    alone = Colonel().moves(field, ask, bold)
    Colonel().moves(field, ask, USUAL_STYLE, known=known)
    shared = Colonel().moves(field, ask, bold, known=known)
    assert (shared.orders, shared.value) == (alone.orders, alone.value)
    assert shared.work < alone.work


@pytest.mark.slow
def test_the_same_attack_has_the_same_dice_in_every_plan() -> None:
    """Two plans that differ in a gun far behind the line end alike elsewhere."""
    match = begin("weissenberg")
    ask, field = match.asking, match.field
    assert isinstance(ask, Order)
    ends = [_imagined(field, ask, plan, 3).board for plan in ((), (), (("move", "777", "1912"),))]
    assert ends[0] == ends[1]
    steps = [{piece.name: piece.steps for piece in end.pieces} for end in ends]
    assert steps[0] == steps[2]


@pytest.mark.slow
def test_a_general_counts_his_work_and_stops() -> None:
    ask, _ = asked("weissenberg")
    field, general = begin("weissenberg").field, General(1, 0.5)
    general.plan_moves(field, ask)
    # The first board of each search and the last game in thought may go beyond it.
    assert general._left > -general._work  # the account is his own
