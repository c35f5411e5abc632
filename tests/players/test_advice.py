"""Advice: legal orders, exact odds, and nothing that the side may not see."""

import pytest

from grognard.matches.match import Match, begin
from grognard.matches.protocol import END, Order
from grognard.players.advice import advice, dangers
from grognard.players.bot import Bot
from grognard.rules.ask import Choose
from grognard.words.refusal import Refusal

SMALL = ("weissenberg", "carrefour", "steppe", "pulkovo")


def asked(match: Match) -> Order:
    assert isinstance(match.asking, Order)
    return match.asking


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_planned_moves_can_be_ordered_one_after_the_other(name: str) -> None:
    match, bot = begin(name), Bot(1)
    while not (isinstance(match.asking, Order) and any(match.asking.orders.pieces())):
        match.answer(bot.answer(match))
    plan, side = advice(match.field, match.asking), match.asking.side
    assert plan.moves
    for move in plan.moves:
        if not isinstance(match.asking, Order) or match.asking.side != side:
            break  # fire at who moved has asked for something else
        match.answer(move.order)


def test_an_attack_that_can_be_ordered_now_has_the_odds_of_its_order() -> None:
    match = begin("weissenberg")
    match.answer(END)
    plan = advice(match.field, asked(match))
    assert plan.attacks
    for attack in plan.attacks:
        assert attack.now
        asked(match).orders.check(attack.order)
    first = plan.attacks[0]
    match.answer(first.order)
    while match.play is None:
        assert isinstance(match.asking, Choose)
        match.answer(match.asking.options[0])
    assert match.play.start.odds().chance("taken") == first.fight.odds().chance("taken")


def test_dangers_are_attacks_of_units_that_could_come() -> None:
    match = begin("weissenberg")
    found = dangers(match.field, asked(match))
    assert found
    for danger in found:
        assert match.board.side_of(danger.hex) == "german"
        for name, hex_ in danger.placed:
            piece = match.board.piece(name)
            assert piece.side == "allied"
            assert hex_ == piece.at or hex_ in match.field.reach(match.board, piece)
            assert hex_.distance(danger.hex) == 1


@pytest.mark.slow
def test_hidden_units_are_in_no_advice() -> None:
    match, bot = begin("bautzen-1945"), Bot(3)
    while not (isinstance(match.asking, Order) and match.asking.phase == "phase-movement"):
        match.answer(bot.answer(match))
    hidden = match.field.hidden(match.board, match.asking.side)
    assert hidden
    told = dangers(match.field, match.asking)
    assert hidden.isdisjoint(name for danger in told for name in danger.units)


def test_nothing_is_planned_before_the_first_turn() -> None:
    match = begin("bautzen-1945")
    with pytest.raises(Refusal, match="usual set-up"):
        advice(match.field, asked(match))
