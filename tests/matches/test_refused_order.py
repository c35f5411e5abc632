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
from tests.example_games import FOLDER, look_in

HALVED = 'when = "cut_off"\ntext = { en = "Cut off"'
OPTION = """
[[options]]
id = "half"
text = { en = "Units that are cut off", fr = "Les unités isolées" }
choices = [{ id = "halved", text = "halved" }, { id = "full", text = "full" }]

[options.reading]
status = "assumed"
reason = { en = "The print is smudged.", fr = "Le texte est taché." }
"""
SCENARIO = """
turns = 2
sides = [{ id = "blue", name = "Blue" }, { id = "red", name = "Red" }]

[[units]]
name = "Foot"
side = "blue"
kind = "infantry"
hex = "0102"
move = 3
faces = [{ attack = 4, defence = 4 }]

[[units]]
name = "Line"
side = "red"
kind = "infantry"
hex = "0202"
move = 3
faces = [{ attack = 4, defence = 7 }]

[map]
first = "0101"
grid = \"\"\"
. . .
. . .
. . .
\"\"\"
legend = { "." = ["clear"] }
sources = { blue = ["0303"], red = ["0301"] }
"""
STATED = {
    "attackers": [{"name": "Foot", "attack": 4, "cut_off": True}],
    "defenders": [{"name": "Line", "defence": 7}],
}
ATTACK: Words = ("attack", "0202", "Foot")
WHY = f"{MARK} The print is smudged. [option half; it is allowed with: full]"


@pytest.fixture(autouse=True)
def _game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """River Line, with an option whether a unit that is cut off is halved."""
    card = (FOLDER / "river-line.toml").read_text(encoding="utf-8")
    assert card.count(HALVED) == 1
    asks = HALVED.replace('"cut_off"\n', '["cut_off", "half = halved"]\n', 1)
    card = card.replace(HALVED, asks).replace("[[procedures]]", f"{OPTION}\n[[procedures]]")
    (tmp_path / "river-line.toml").write_text(card, encoding="utf-8")
    (tmp_path / "river-line.ford.toml").write_text(SCENARIO, encoding="utf-8")
    look_in(tmp_path, monkeypatch)
    yield
    game_places.refresh()


def match(half: str) -> Match:
    """Come to Blue's attacks; his unit has no line of supply past the enemy's zone."""
    battle = scenario.own("river-line.ford")
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
