"""A match that goes on from one of its orders asks what the match itself asks."""

from random import Random

import pytest

from grognard.maps import scenario
from grognard.matches.match import Match, begin, new_field, run_on
from grognard.matches.protocol import Order
from grognard.testing.random_matches import any_answer
from tests.tiers import sized

BATTLES = [name for name in sorted(scenario.ids()) if name != "bautzen-1945"]


def first_order(match: Match, ask: Order) -> Order:
    """Go on from an order on its own board, up to the first order that is asked for."""
    playing = new_field(match.field.scenario).sequence(ask.board, ask)
    said = run_on(playing, None, list[object]().append)
    playing.close()
    assert isinstance(said, Order)
    return said


@pytest.mark.parametrize("name", BATTLES)
def test_every_order_is_asked_for_again(name: str) -> None:
    for seed in range(sized(2, quick=1)):
        match, random = begin(name), Random(seed)
        while match.asking is not None:
            ask = match.asking
            if isinstance(ask, Order) and random.random() < 0.3:
                again = first_order(match, ask)
                assert (again.side, again.phase, again.turn) == (ask.side, ask.phase, ask.turn)
                assert {piece.name: piece.at for piece in again.board.pieces} == {
                    piece.name: piece.at for piece in ask.board.pieces
                }
                assert [*again.orders.pieces()] == [*ask.orders.pieces()]
                assert [*again.orders.deeds()] == [*ask.orders.deeds()]
            match.answer(any_answer(ask, random, 0.1))
