"""The automatic player: which values it works out again, and where it wants its pieces."""

import pytest

from grognard.maps import scenario
from grognard.matches.match import Match, begin, new_field
from grognard.matches.protocol import END, Order
from grognard.players.bot import Bot, play_on
from grognard.players.plans import OrderWorth, Plans, approach
from grognard.players.sergeant import Ranking

BATTLE = scenario.load("weissenberg")
FIELD = new_field(BATTLE)
BOARD = BATTLE.board()
ONE, OTHER = BOARD, BATTLE.board()  # two boards


def ranked(
    ranking: Ranking[str], board: object, values: dict[str, int]
) -> tuple[OrderWorth, list[str]]:
    looks: list[str] = []

    def worth(name: str) -> OrderWorth:
        looks.append(name)
        return OrderWorth(values[name], (name,))

    assert board in (ONE, OTHER)
    return ranking.best(ONE if board is ONE else OTHER, list(values), worth), looks


def test_only_the_best_is_looked_at_again_on_a_new_board() -> None:
    ranking = Ranking[str]()
    assert ranked(ranking, ONE, {"a": 1, "b": 3, "c": 2}) == (
        OrderWorth(3, ("b",)),
        ["a", "b", "c"],
    )
    assert ranked(ranking, ONE, {"a": 1, "b": 3, "c": 2}) == (OrderWorth(3, ("b",)), [])
    assert ranked(ranking, OTHER, {"a": 1, "c": 2}) == (OrderWorth(2, ("c",)), ["c"])


def test_a_best_that_has_lost_its_worth_gives_way_to_the_next() -> None:
    ranking = Ranking[str]()
    ranked(ranking, ONE, {"a": 1, "b": 3, "c": 2})
    assert ranked(ranking, OTHER, {"a": 1, "b": 0, "c": 2}) == (OrderWorth(2, ("c",)), ["b", "c"])


def test_everything_is_looked_at_again_before_nothing_is_done() -> None:
    ranking = Ranking[str]()
    assert ranked(ranking, ONE, {"a": 0, "b": -1})[0] == OrderWorth(0, END)
    assert ranked(ranking, OTHER, {"a": 0, "b": 5}) == (OrderWorth(5, ("b",)), ["a", "b"])
    assert ranked(Ranking(), ONE, {}) == (OrderWorth(0, END), [])


def test_the_way_to_a_goal_is_valued_by_its_cost_and_not_across_water() -> None:
    goal, shore = BOARD.map.hex("2209"), BOARD.map.hex("1707")
    values = approach(BOARD.map, "other", frozenset({(goal, 3)}))
    assert values[goal] == 3
    ashore = approach(BOARD.map, "other", frozenset({(shore, 3)}))
    assert ashore[BOARD.map.hex("1607")] > ashore[BOARD.map.hex("1708")]  # across the lake
    beside = [values[hex_] for hex_ in BOARD.map.around[goal] if hex_ in values]
    assert max(beside) < 3


def test_an_objective_is_not_left_by_its_only_guard() -> None:
    objective = BOARD.map.hex(BATTLE.objectives[0].hex)
    guards = [piece for piece in BOARD.stack(objective) if FIELD.fights(piece)]
    assert len(guards) == 1
    plans = Plans(FIELD, BOARD, guards[0].side)
    moves = [
        ("move", guards[0].name, BOARD.map.number(hex_))
        for hex_ in FIELD.reach(BOARD, guards[0])
        if hex_ != objective
    ]
    assert moves
    assert plans.best(guards[0], moves).value <= 0


def test_the_allies_land_what_they_can_pay() -> None:
    match, bot = begin("carrefour"), Bot(1)
    landed = []
    while isinstance(match.asking, Order) and match.asking.phase == "phase-landing":
        landed.append(bot.answer(match))
        match.answer(landed[-1])
    assert [order for order in landed if order != END]
    assert all(isinstance(order, tuple) and order[0] in ("land", "end") for order in landed)


@pytest.mark.slow
def test_the_same_seed_plays_the_same_match() -> None:
    def played() -> list[object]:
        match, bot = Match(FIELD), Bot(7)
        return list(play_on(match, dict.fromkeys(("german", "allied"), bot)))

    assert played() == played()
