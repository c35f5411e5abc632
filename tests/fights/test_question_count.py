"""The number of the open decision, and of all decisions where that is certain."""

from pathlib import Path

from grognard.fights.advised import advised
from grognard.fights.fight_file import read_fight
from grognard.fights.play import Play
from grognard.fights.question_count import QuestionNumber, question_number
from grognard.files.source import read_source
from grognard.rules.ask import Answer

EXAMPLES = Path(__file__).parents[2] / "examples"


def after(example: str, *answers: Answer) -> Play:
    return Play(read_fight(read_source(str(EXAMPLES / f"{example}.toml"))), answers)


def test_a_roll_has_no_number() -> None:
    assert question_number(after("bautzen")) is None


def test_all_are_named_once_nothing_more_can_be_asked() -> None:
    """After 1/1 the attacker loses, the defender may trade, and only if he goes one may advance."""
    assert question_number(after("bautzen", (3,))) == QuestionNumber(1)
    assert question_number(after("bautzen", (3,), "59/20Pz")) == QuestionNumber(2)
    assert question_number(after("bautzen", (3,), "59/20Pz", 1)) == QuestionNumber(3, 3)


def test_a_lead_unit_with_one_step_says_how_likely_it_dies() -> None:
    """Determined Defence in bocage: who leads may lose a step; 726/716 has one, 916/352 two."""
    lead = advised(after("normandy", (3,), "16/1", "916/352", "stand")).options("defender")
    assert [option.answer for option in lead] == ["916/352", "726/716"]
    assert all(0 < option.risk < 1 for option in lead)
    fresh = advised(after("normandy", (3,), "16/1", "726/716", "stand"))
    assert fresh.number is None, "one unit is left: nobody is asked"
