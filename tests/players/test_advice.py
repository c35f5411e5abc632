"""Advice: legal orders, exact odds, and nothing that the side may not see."""

import pytest

from grognard.draw.text.match_advice import reason_words
from grognard.matches.match import Match, begin
from grognard.matches.protocol import END, Order
from grognard.players.advice import (
    MOST_DANGERS,
    AdvisedAttack,
    advice,
    dangers,
    kept_advice,
)
from grognard.players.bot import Bot
from grognard.rules.ask import Choose
from grognard.words.refusal import Refusal
from grognard.words.typography import NARROW

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


@pytest.mark.slow
def test_an_attack_names_the_best_reply_to_the_hexes_of_its_units() -> None:
    """Those that they hold, and those that they have left for it; the worst reply of all that the
    enemy has there."""
    match = begin("carrefour")
    bot = Bot(1)
    while not (isinstance(match.asking, Order) and any(match.asking.orders.pieces())):
        match.answer(bot.answer(match))
    plan = advice(match.field, match.asking)
    told = {danger.hex: danger for danger in plan.dangers}
    assert len(told) < MOST_DANGERS  # so all are told
    starts = {move.unit: move.start for move in plan.moves}
    exposed = []
    for attack in plan.attacks:
        hexes = {*attack.starts, *(starts[name] for name in attack.units if name in starts)}
        replies = [danger for danger in plan.dangers if danger.hex in hexes]
        reply = attack.leaves_open
        assert [(one.hex, one.units) for one in replies[:1]] == (
            [(reply.hex, reply.units)] if reply else []
        )
        said = reason_words(attack, match.board.map, "en")
        french = reason_words(attack, match.board.map, "fr")
        assert french.count(";") == french.count(f"{NARROW};") == said.count(";")
        if reply is None:
            assert said.endswith("; leaves nothing open to a good attack")
        else:
            column = reply.fight.explain().column()["final"]
            number = match.board.map.number(reply.hex)
            assert said.endswith(f"; leaves {number} open to {column}")
            exposed.append(reply)
    assert exposed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["weissenberg", "carrefour"])
def test_a_plan_that_is_followed_ends_with_its_attacks(name: str) -> None:
    match, bot = begin(name), Bot(1)
    while not (isinstance(match.asking, Order) and any(match.asking.orders.pieces())):
        match.answer(bot.answer(match))
    plan = advice(match.field, match.asking)
    later = [one.order for one in plan.attacks]
    orders = [*(one.order for one in plan.moves), *later]
    assert later
    assert not any(attack.now for attack in plan.attacks)
    left = kept_advice(match.field, match.asking, orders)
    assert [one.order for one in left.moves] == [one.order for one in plan.moves]
    assert [chances(one) for one in left.attacks] == [chances(one) for one in plan.attacks]
    for move in plan.moves:
        match.answer(move.order)
    left = kept_advice(match.field, asked(match), orders)
    assert not left.moves
    assert [(one.order, one.now) for one in left.attacks] == [(order, False) for order in later]
    match.answer(END)
    left = kept_advice(match.field, asked(match), orders)
    assert [(one.order, one.now) for one in left.attacks] == [(order, True) for order in later]
    match.answer(later[0])
    while not isinstance(match.asking, Order):
        match.answer(bot.answer(match))
    left = kept_advice(match.field, match.asking, orders)
    assert later[0] not in [one.order for one in left.attacks]


def chances(attack: AdvisedAttack) -> tuple[object, ...]:
    return attack.order, attack.fight.odds().chance("taken")


def test_orders_that_make_no_sense_are_no_plan() -> None:
    match = begin("weissenberg")
    orders = [(), ("move",), ("move", "nobody", "1808"), ("attack", "9999", "777"), ("end",)]
    left = kept_advice(match.field, asked(match), orders)
    assert not left.moves
    assert not left.attacks


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


def test_a_shot_at_a_unit_has_the_hex_of_that_unit() -> None:
    """An order names a hex or, where one unit is shot at, the unit."""
    match, bot = begin("steppe"), Bot(1)
    while match.asking is not None:
        ask = match.asking
        if isinstance(ask, Order) and any(order[0] == "shoot" for order in ask.orders.deeds()):
            shots = [one for one in advice(match.field, ask).attacks if one.order[0] == "shoot"]
            for shot in shots:
                assert shot.target == ask.board.piece(shot.order[1]).place
                kept = kept_advice(match.field, ask, [shot.order]).attacks
                assert [(one.order, one.target) for one in kept] == [(shot.order, shot.target)]
            if shots:
                return
        match.answer(bot.answer(match))
    pytest.fail("no shot was advised")
