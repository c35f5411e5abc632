"""Any legal order can be drawn, and none that is not."""

from itertools import chain, combinations
from random import Random

import pytest

from grognard.games.bautzen.field import FIELD
from grognard.maps import scenario
from grognard.matches.match import Match, begin
from grognard.matches.orders import AttackOrders
from grognard.matches.protocol import END, Order, Words
from tests.tiers import soaked

SCENARIOS = sorted(scenario.ids())


def asked(match: Match) -> Order:
    assert isinstance(match.asking, Order)
    return match.asking


def meant(order: Words) -> tuple[str, str, frozenset[str]]:
    """Give what an order says, in whatever order it names units."""
    return order[0], order[1], frozenset(order[2:])


@pytest.mark.parametrize("name", soaked(SCENARIOS, "bautzen-1945"))
def test_drawn_orders_are_legal_and_give_every_move_and_deed_that_is_listed(name: str) -> None:
    match, random = begin(name), Random(1)
    while not isinstance(match.asking, Order):
        match.answer((1,))  # who begins
    for _ in match.field.scenario.deploys:
        match.answer(END)  # the usual set-up
    orders = asked(match).orders
    unit = next((piece for piece in orders.pieces() if any(orders.moves(piece))), None)
    missing = {meant(order) for order in orders.deeds()}
    missing |= {meant(order) for order in (orders.moves(unit) if unit else ())}
    assert missing
    for _ in range(20_000):
        order = orders.draw(random)
        orders.check(order)
        assert order != END
        missing.discard(meant(order))
        if not missing:
            return
    raise AssertionError(missing)


def test_a_drawn_attack_can_be_of_any_units_with_any_support() -> None:
    match, random = begin("weissenberg"), Random(2)
    match.answer(END)
    orders = asked(match).orders
    assert isinstance(orders, AttackOrders)
    target = match.board.map.hex("1910")
    able = [piece.name for piece in orders.able(target)]
    helpers = frozenset(p.name for p in orders.supports(target, orders.able(target)))
    drawn = [orders.draw(random) for _ in range(3000)]
    attacks = {frozenset(order[2:]) & set(able) for order in drawn if order[1] == "1910"}
    sizes = range(1, len(able) + 1)
    assert len(able) > 2
    assert attacks == set(map(frozenset, chain(*(combinations(able, n) for n in sizes))))
    supported = {frozenset(order[2:]) & helpers for order in drawn}
    assert {frozenset(), helpers} <= supported


def test_a_drawn_move_can_name_its_way() -> None:
    match, random = begin("weissenberg"), Random(3)
    orders = asked(match).orders
    drawn = [orders.draw(random) for _ in range(300)]
    assert any(order[0] == "move" and len(order) > 3 for order in drawn)


def test_the_end_is_drawn_where_nothing_else_is_legal() -> None:
    battle = scenario.load("weissenberg")
    field, board = FIELD(battle), battle.board()
    alone = board.removed(*(piece.name for piece in board.of("allied")))
    assert AttackOrders(field, alone, "german").draw(Random(4)) == END
