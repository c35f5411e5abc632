"""`grognard check`: each kind of advice with its line, and the scenarios beside a card."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard.rules import game_places
from grognard.testing.game_check import Finding, check_place, check_scenarios
from grognard.words.refusal import Refusal
from tests.example_games import SMALL_CARD as CARD
from tests.example_games import look_in

SCENARIO = """turns = 3
sides = [{ id = "blue", name = "Blue" }, { id = "red", name = "Red" }]
units = [
  { name = "A", side = "blue", kind = "infantry", hex = "0101", move = 4, faces = [{ attack = 6, defence = 5 }] },
  { name = "D", side = "red", kind = "infantry", hex = "0104", move = 4, faces = [{ attack = 3, defence = 4 }] },
]
[map]
first = "0101"
grid = \"\"\"
. . . .
. . . .
. . . .
. . . .
\"\"\"
legend = { "." = ["clear"] }
"""  # noqa: E501  # as a player writes it
ON_A_MAP = CARD + '[map]\n[[terrain]]\nid = "clear"\n'


@pytest.fixture(autouse=True)
def _found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    look_in(tmp_path, monkeypatch)
    yield
    game_places.refresh()


def checked(folder: Path, card: str, battle: str = "") -> list[Finding]:
    (folder / "mine.toml").write_text(card, encoding="utf-8")
    if battle:
        (folder / "mine.first.toml").write_text(battle, encoding="utf-8")
    game_places.refresh()
    place = game_places.place_of(folder / "mine.toml")
    return [*(check_scenarios if battle else check_place)(place)]


def place_of(told: str, found: list[Finding]) -> str:
    """Give the place of the one finding that tells something."""
    (where,) = (f.where for f in found if told in f"{f.where} {f.text}")
    return where


ODD = (
    'name = "My war"\n'
    + CARD.replace("4-6  DR   DE", "4-6  DE   DR").replace("DE =", 'XX = "nothing"\nDE =')
    + """[[facts]]
id = "range"
kind = "number"
least = 1
most = 3
[[facts]]
id = "fog"
kind = "flag"
[[modifiers]]
id = "far"
changes = "die"
value = 1
when = "range >= 9"
[[states]]
id = "shaken"
[[unit_fields]]
id = "colour"
[[tables]]
id = "rout"
grid = [["die", "effect"], ["1-6", "R"]]
results = { R = "nothing" }
"""
)
ADVICE = {  # each kind of advice: the line, and what is told
    "an uneven cell": (8, "DR (row 4-6, column 2:1) is worse for the attacker than DE (row 4-6"),
    "a modifier that never applies": (23, "modifier 'far' applied in none of 300 random fights"),
    "a result in no cell": (13, "result 'XX' stands in no cell of its table"),
    "a fact that nothing looks at": (20, "nothing in the card looks at 'fog'"),
    "a field that nothing looks at": (30, "nothing in the card looks at 'colour'"),
    "a state that nothing gives": (28, "nothing in the card looks at 'shaken'"),
    "a table that nothing reads": (32, "nothing in the card looks at 'rout'"),
    "words in one language": (1, "texts in one language: 1; the other shows them as they are"),
}


@pytest.mark.slow
def test_each_kind_of_advice_has_its_file_and_line(tmp_path: Path) -> None:
    found = checked(tmp_path, ODD)
    assert {finding.kind for finding in found} == {"advice"}
    assert len(found) == len(ADVICE)
    for kind, (line, told) in ADVICE.items():
        assert place_of(told, found) == f"{tmp_path / 'mine.toml'}:{line}", kind


@pytest.mark.slow
def test_a_card_in_order_needs_no_advice(tmp_path: Path) -> None:
    assert checked(tmp_path, CARD) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("1-3  AR", "1-4  AR", 7, "'1-4' and '4-6' overlap"),
        ("1-3  AR", "1-2  AR", 7, "nothing is printed between '1-2' and '4-6'"),
        ("4-6  DR   DE", "4-5  DR   DE\n9    DE   DE", 8, "no roll of 1d6 reaches row '9'"),
        ("die  1:1  2:1", "die  1    2", 5, "the columns are read as odds"),
    ],
)
def test_labels_that_look_wrong_are_advised_on(
    old: str, new: str, line: int, told: str, tmp_path: Path
) -> None:
    found = checked(tmp_path, CARD.replace(old, new))
    assert place_of(told, found) == f"{tmp_path / 'mine.toml'}:{line}"


@pytest.mark.slow
def test_numbers_that_no_dice_show_are_no_gap(tmp_path: Path) -> None:
    """Nobody rolls 17 to 20 on a d66; a row that leaves out 21 to 36 has a gap."""
    d66 = CARD.replace("1-3  AR", "11-16 AR").replace("4-6  DR", "{}-66 DR")
    d66 = d66.replace("[[tables]]", '[[tables]]\ndice = "d66"')
    assert checked(tmp_path, d66.format(21)) == []
    found = "".join(str(finding.text) for finding in checked(tmp_path, d66.format(41)))
    assert "nothing is printed between '11-16' and '41-66'" in found


@pytest.mark.slow
def test_a_die_modifier_brings_a_row_within_reach(tmp_path: Path) -> None:
    more = CARD.replace("4-6  DR   DE", "4-6  DR   DE\n7    DE   DE")
    helps = (
        '[[facts]]\nid = "ambush"\nkind = "flag"\n[[modifiers]]\nid = "ambush"\nvalue = 1\n'
        'changes = "die"\nwhen = "ambush"\n'
    )
    assert "no roll" in "".join(str(finding.text) for finding in checked(tmp_path, more))
    assert "no roll" not in "".join(str(f.text) for f in checked(tmp_path, more + helps))


def test_a_unit_without_a_movement_allowance_is_advised_on(tmp_path: Path) -> None:
    battle = SCENARIO.replace('hex = "0104", move = 4', 'hex = "0104"')
    (finding, *_) = checked(tmp_path, ON_A_MAP, battle)
    assert str(finding.text) == "without `move` a unit never moves: D"


def test_a_result_without_meaning_is_a_problem_with_its_line(tmp_path: Path) -> None:
    wrong = CARD.replace('DE = "defender is eliminated"', 'DE = { text = "gone" }')
    with pytest.raises(Refusal, match=r"mine\.toml:12: .*result 'DE' has no meaning"):
        checked(tmp_path, wrong)


def test_a_scenario_beside_the_card_is_played_to_its_end(tmp_path: Path) -> None:
    assert checked(tmp_path, ON_A_MAP, SCENARIO) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ('hex = "0104"', 'hex = "0909"', 5, "0909"),
        ('["clear"]', '["clay"]', 15, "clay"),
        ("attack = 6", "atack = 6", 4, "atack"),
        ("turns = 3", "turns = 0", 1, "turns"),
    ],
)
def test_a_broken_scenario_is_a_problem_with_file_and_line(
    old: str, new: str, line: int, told: str, tmp_path: Path
) -> None:
    found = checked(tmp_path, ON_A_MAP, SCENARIO.replace(old, new, 1))
    assert [finding.kind for finding in found] == ["problem"]
    assert place_of(told, found).startswith(f"{tmp_path / 'mine.first.toml'}:{line}")


def test_sides_that_never_meet_are_advised_on(tmp_path: Path) -> None:
    far = SCENARIO.replace("turns = 3", "turns = 1").replace("move = 4", "move = 1")
    (finding,) = checked(tmp_path, ON_A_MAP, far)
    assert (finding.kind, finding.where) == ("advice", str(tmp_path / "mine.first.toml"))
    assert "nobody fought in 3 random matches" in str(finding.text)
