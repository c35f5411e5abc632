"""Answers by the boards to which they lead: who loses a step, who advances, where a stack goes."""

from collections.abc import Iterator

import pytest

from grognard.fights.prospects import advice
from grognard.matches.match import Match, begin
from grognard.matches.protocol import Order
from grognard.players.bot import Bot
from grognard.players.consequences import best_by_board
from grognard.players.sergeant import Sergeant
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.words.refusal import Refusal

REGIMENTS = ("21/20Pz", "59/20Pz", "112/20Pz")


def attack_on_weissenberg(roll: int) -> dict[str, Answer | None]:
    """Give the answers to the questions of an attack, by their names; those that it
    leaves to the doctrine are answered with the first option."""
    match = begin("weissenberg")
    match.answer(("end",))
    match.answer(("attack", "1910", *REGIMENTS, "QG 20 Pz", "QG 57 PzK"))
    found: dict[str, Answer | None] = {}
    while not isinstance(ask := match.asking, Order | None):
        match ask:
            case Choose():
                found[ask.what] = answer = best_by_board(match, ask)
                match.answer(ask.options[0] if answer is None else answer)
            case Roll():
                match.answer((roll,))
            case Commit():
                match.answer((ask.attacker[0], ask.defender[0]))
    return found


def test_a_step_is_lost_where_it_weakens_least() -> None:
    """Of 6-4 to 4-3, 4-5 to 2-3 and 4-5 to 3-4, the last one loses the fewest factors."""
    assert attack_on_weissenberg(5)["which-loses"] == "112/20Pz"


def test_all_who_can_advance_hold_the_hex_together() -> None:
    advance = attack_on_weissenberg(5)["who-advances"]
    assert isinstance(advance, tuple)
    assert sorted(map(str, advance)) == sorted(REGIMENTS)


def test_answers_before_the_fight_are_left_to_the_doctrine() -> None:
    assert attack_on_weissenberg(5)["defender-support"] is None


def test_a_question_that_a_roll_decides_is_left_to_the_doctrine() -> None:
    """Whether a defender who stands holds is rolled for after he has decided."""
    for match, ask in _questions("carrefour", 4):
        if ask.what == "retreat-or-stand":
            assert best_by_board(match, ask) is None
            return
    pytest.fail("nobody was asked whether to stand")


def test_a_sergeant_leaves_all_to_the_doctrine() -> None:
    for match, ask in _questions("weissenberg", 1):
        assert Sergeant().choice(match, ask) is None


def test_odds_follow_the_units_that_were_named() -> None:
    """Who of the others goes into Reserve is asked after any of the groups that advance, and odds
    have one child for all these groups."""
    found = 0
    for match, ask in _questions("carrefour", 4):
        if ask.what != "who-advances" or match.play is None:
            continue
        for group in ask.options[1:-1]:
            match.answer(group)
            if match.play is not None and isinstance(asked := match.play.asking, Choose):
                behind = advice(match.play)
                assert not isinstance(behind, Refusal | None)
                offered = [option.answer for option in behind.options[asked.side]]
                assert offered == list(asked.options)
                found += 1
            match.undo()
        if found:
            return
    pytest.fail("nobody could go into Reserve")


def _questions(name: str, seeds: int) -> Iterator[tuple[Match, Choose]]:
    """Play matches, and stop at each choice."""
    for seed in range(seeds):
        match, bot = begin(name), Bot(seed)
        while match.asking is not None:
            if isinstance(match.asking, Choose):
                yield match, match.asking
            match.answer(bot.answer(match))
