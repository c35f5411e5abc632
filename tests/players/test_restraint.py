"""Support and fire before a fight: as much as it is worth, and nothing that could do better."""

from grognard.matches.before_fight import match_advice
from grognard.matches.match import Match, begin
from grognard.matches.protocol import Order
from grognard.players.bot import Bot
from grognard.players.colonel import Colonel
from grognard.players.forecast import expected_of
from grognard.players.restraint import best_use
from grognard.rules.ask import Choose
from grognard.words.refusal import Refusal


def attacked(*names: str) -> Match:
    """A German attack on Weissenberg, at the question who supports the defender."""
    match = begin("weissenberg")
    match.answer(("move", "687/615", "1810"))
    match.answer(("move", "777", "2011"))
    match.answer(("end",))
    match.answer(("attack", "1910", *names))
    return match


def expected_taken(match: Match, ask: Choose, answer: object) -> int:
    behind = match_advice(match)
    assert not isinstance(behind, Refusal | None)
    option = next(one for one in behind.options[ask.side] if one.answer == answer)
    return expected_of(option.odds.found).taken


def test_support_that_changes_nothing_is_spared() -> None:
    """30 against 4 and 6 of support: with the gun alone the odds are those of gun and HQ, and the
    HQ can support another hex."""
    match = attacked("21/20Pz", "59/20Pz", "112/20Pz", "687/615", "QG 20 Pz", "QG 57 PzK", "777")
    ask = match.asking
    assert isinstance(ask, Choose)
    answer = best_use(match, ask)
    assert answer == ("6L",)
    assert expected_taken(match, ask, answer) == expected_taken(match, ask, ask.options[0])


def test_support_that_saves_the_hex_is_given() -> None:
    match = attacked("21/20Pz", "59/20Pz", "112/20Pz", "QG 20 Pz", "QG 57 PzK")
    ask = match.asking
    assert isinstance(ask, Choose)
    answer = best_use(match, ask)
    assert answer is not None
    assert expected_taken(match, ask, answer) < expected_taken(match, ask, ())


def test_fire_at_who_moves_is_held_for_a_better_target() -> None:
    """A battery that has a target of its own does not fire at a lorry in passing."""
    answers = set[bool]()
    for seed in range(3):
        match, bot = begin("steppe"), Bot(seed)
        while match.asking is not None:
            ask = match.asking
            if isinstance(ask, Choose) and ask.what == "opportunity":
                answer = best_use(match, ask)
                assert answer in ask.options
                answers.add(answer == ("hold",))
            match.answer(bot.answer(match))
    assert answers == {True, False}


def test_questions_about_own_orders_are_left_alone() -> None:
    match = begin("weissenberg")
    bot = Bot(3, Colonel())
    for _ in range(60):
        ask = match.asking
        if isinstance(ask, Choose) and match.ordered is not None:
            asked, _, _ = match.ordered
            assert isinstance(asked, Order)
            if match.asked == asked.side:
                assert best_use(match, ask) is None
        if ask is None:
            break
        match.answer(bot.answer(match))
