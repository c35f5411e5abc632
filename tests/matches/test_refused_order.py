"""Readings that forbid a fight: marked where they allow it, named in the refusal where not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard import Refusal
from grognard.card.wording import MARK
from grognard.maps import scenario
from grognard.matches.marks import match_marks
from grognard.matches.match import Match, new_field
from grognard.matches.protocol import END, Words
from grognard.rules import game_places
from grognard.rules.game import load
from grognard.testing.option_marks import unmarked
from tests.example_games import DOUBTFUL_BATTLE, look_in, write_doubtful

STATED = {
    "attackers": [{"name": "Foot", "attack": 4, "cut_off": True}],
    "defenders": [{"name": "Line", "defence": 7}],
}
ATTACK: Words = ("attack", "0202", "Foot")
WHY = f"{MARK} The print is smudged. [option half; it is allowed with: full]"


@pytest.fixture(autouse=True)
def _game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    write_doubtful(tmp_path)
    look_in(tmp_path, monkeypatch)
    yield
    game_places.refresh()


def match(half: str) -> Match:
    """Come to Blue's attacks; his unit has no line of supply past the enemy's zone."""
    battle = scenario.own(DOUBTFUL_BATTLE)
    made = Match(new_field(battle.with_options({"half": half})))
    made.answer(END)
    return made


def test_a_stated_fight_that_a_reading_forbids_names_it_in_the_refusal() -> None:
    with pytest.raises(Refusal) as refused:
        load("river-line").fight(STATED)
    assert str(refused.value) == f"2/7 is below the first column of the table {WHY}"
    assert "Le texte est taché. [option half" in refused.value.in_("fr")


def test_a_stated_fight_that_another_reading_forbids_has_its_mark() -> None:
    fight = load("river-line").fight(STATED, options={"half": "full"})
    assert {line.reading.option for line in fight.explain().doubts} == {"half"}
    assert not [*unmarked(fight, [fight.resolve(seed=1)])]


def test_a_fight_that_every_reading_forbids_names_none() -> None:
    weak = {**STATED, "attackers": [{"name": "Foot", "attack": 1, "cut_off": True}]}
    with pytest.raises(Refusal, match=r"below the first column of the table$"):
        load("river-line").fight(weak)


def test_an_order_that_a_reading_forbids_names_it_in_the_refusal() -> None:
    with pytest.raises(Refusal) as refused:
        match("halved").answer(ATTACK)
    assert str(refused.value) == f"2/7 is below the first column of the table {WHY}"


def test_an_order_that_another_reading_forbids_has_its_mark() -> None:
    allowed = match("full")
    entry = len(allowed.log)
    allowed.answer(ATTACK)
    assert {reading.option for reading in match_marks(allowed)[entry]} == {"half"}
