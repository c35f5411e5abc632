"""Questions before a fight: what their answers lead to is the fight that then comes."""

from collections.abc import Iterator
from random import Random

import pytest

from grognard.card.card import Card
from grognard.draw.json.fight_question import option_odds_json
from grognard.draw.text.answer_figures import Figure, figures
from grognard.fights.prospects import Prospect, Prospects
from grognard.fights.table_place import place_of_next_roll
from grognard.matches import before_fight, match
from grognard.matches.before_fight import match_advice, next_question
from grognard.matches.match import Match, look_ahead
from grognard.matches.protocol import Order
from grognard.rules.ask import Answer, Choose
from grognard.rules.fight import Outcome
from grognard.rules.wording import named
from grognard.testing.random_matches import any_answer
from grognard.words.refusal import Refusal

ATTACK = ("attack", "1910", "21/20Pz", "59/20Pz", "112/20Pz", "QG 20 Pz", "QG 57 PzK")
ALL = ("QG 294 RD", "6L")


def asked() -> Match:
    """A match in which the defence is asked for its support."""
    return Match(match.begin("weissenberg").field, [("end",), ATTACK])


def advised() -> Prospects:
    found = match_advice(asked())
    assert isinstance(found, Prospects)
    return found


@pytest.mark.parametrize(
    ("answer", "column"), [(ALL, "2/1"), (("QG 294 RD",), "4/1"), (("6L",), "3/1"), ((), "6/1")]
)
def test_behind_an_answer_stands_the_fight_that_it_leads_to(answer: Answer, column: str) -> None:
    (option,) = [o for o in advised().options["defender"] if o.answer == answer]
    played = asked()
    played.answer(answer)
    assert played.play is not None
    assert option.odds.weights == played.play.start.odds("best", "best").weights
    assert option.places is not None
    assert option.places.lit == place_of_next_roll(played.play)
    assert option.places.lit.column == column


def test_the_best_answer_is_worth_most_to_the_side_that_gives_it() -> None:
    found = advised()
    worth = {o.answer: o.odds.found.worth.of("defender") for o in found.options["defender"]}
    (best,) = [o.answer for o in found.options["defender"] if o.best]
    assert worth[best] == max(worth.values())
    assert found.odds.found.worth.of("defender") == worth[best]


def test_too_many_fights_are_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(before_fight, "MOST_FIGHTS", 3)
    found = match_advice(asked())
    assert isinstance(found, Refusal)
    assert found.in_("en") == "more than 3 fights may follow"


def test_the_next_question_is_the_first_that_is_not_answered() -> None:
    ask = asked().ordered
    assert ask is not None
    order, words, _ = ask
    field = match.begin("weissenberg").field
    open_ = look_ahead(field.carry_out(order.board, order.side, words), order.side)
    question = next_question(open_)
    assert isinstance(question, Choose)
    assert question.what == "defender-support"
    closed = look_ahead(field.carry_out(order.board, order.side, words), order.side, [ALL])
    assert next_question(closed) is None


def test_where_the_dice_choose_the_column_an_answer_names_what_it_adds_to_them() -> None:
    """White October has no column before the roll; defending aircraft take one off the dice."""
    started = match.begin("pulkovo")
    field = Match(started.field, [("end",)] * 1)
    assert isinstance(field.asking, Order)
    field.answer(("attack", "1005", "Bulak Horse"))
    ask, found = field.asking, match_advice(field)
    assert isinstance(ask, Choose)
    assert isinstance(found, Prospects)
    told = figures(found.options[ask.side], ask.side, field.field.card, "fr")
    words = {option: row[0].text for option, row in zip(ask.options, told, strict=True)}
    assert words[("Red Flight",)] != words[()]
    assert all(text.endswith("aux dés") for text in words.values())


def questions(scenario: str, what: str, seed: int, most: int) -> list[Match]:
    """The first matches of a random one in which a question before a fight is open."""
    random, played, found = Random(seed), match.begin(scenario), list[Match]()
    while len(found) < most:
        ask = played.asking
        assert ask is not None
        if isinstance(ask, Choose) and ask.what == what and played.play is None:
            found.append(Match(played.field, played.answers))
        played.answer(any_answer(ask, random, 0.15))
    return found


@pytest.mark.slow
def test_opportunity_fire_has_odds_behind_each_answer_seen_by_who_fires() -> None:
    """Who fires is the defender of the move and the attacker in the fight; who lets a unit pass
    for the last time does nothing to it."""
    passes = later = 0
    for open_ in questions("steppe", "opportunity", 0, 6):
        found = match_advice(open_)
        assert isinstance(found, Prospects)
        options = found.options["defender"]
        for option in options:
            played = Match(open_.field, [*open_.answers, option.answer])
            if played.play is not None:
                assert option.odds.weights == played.play.start.odds("best", "best").weights
                assert option.role == "attacker"
            elif isinstance(played.asking, Order):
                assert option.odds.weights == {Outcome(): 1}
                passes += 1
        worth = {option.answer: option.odds.found.worth.of("attacker") for option in options}
        assert {o.answer for o in options if o.best} == {
            answer for answer in worth if worth[answer] == max(worth.values())
        }
        told = figures(options, "defender", open_.field.card, "en")
        steps = [
            text for row in told for figure in row for text in (figure.text,) if "step" in text
        ]
        assert all(text.startswith("◆") for text in steps)
        later += sum(_names_the_later_shot(options, told, open_.field.card))
    assert passes
    assert later


def _names_the_later_shot(
    options: tuple[Prospect, ...], told: list[tuple[Figure, ...]], card: Card
) -> Iterator[bool]:
    """Who holds his fire may fire later: the figures are those of that shot, and say so."""
    for option, row in zip(options, told, strict=True):
        shots = [named(card, ask, answer, "en") for ask, answer in option.then]
        assert [figure.text for figure in row if figure.text.startswith("then: ")] == (
            [f"then: {'; '.join(shots)}"] if shots else []
        )
        assert option_odds_json(option, card, "en").then == shots
        yield option.answer == ("hold",) and bool(shots)
