"""What each reading does to the balance of a scenario: paired matches, intervals, the page."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grognard.draw.json.balance import balance_json
from grognard.draw.text.balance import balance_lines
from grognard.matches.field import Field
from grognard.players import option_balance, series
from grognard.players.option_balance import Balance, change
from grognard.players.series import SERGEANTS, Played
from grognard.web.report.balance_page import draw
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import LANGS, Lang
from tests.command import run
from tests.example_games import DOUBTFUL_BATTLE, write_doubtful

NAME = "pulkovo"
MATCHES = 10


def results(first: str, second: str) -> Iterator[Played | Refusal]:
    """Play nothing: the second side always wins, but not under the first reading; the second
    reading only costs a step, the third can't be played, all others change nothing."""
    for reading in range(1 + len(option_balance.readings(rules()))):
        for number in range(1, MATCHES + 1):
            winner = first if reading == 1 and number > 1 else second
            lost = 1 if reading == 2 and number == 3 else 0
            points = {first: 0, second: 3}
            if reading == 3:
                yield Refusal(say("nothing has been answered yet"))
            else:
                yield Played(number, 9, winner, 5, points, dict.fromkeys(points, lost))


def rules() -> Field:
    return series.field(series.battle(NAME, {}))


@pytest.fixture(scope="module")
def found() -> Balance:
    first, second = (side.id for side in rules().scenario.sides)
    return option_balance.balance(series.battle(NAME, {}), MATCHES, results(first, second))


def test_a_reading_is_compared_with_the_same_matches(found: Balance) -> None:
    first, second = (side.id for side in found.field.scenario.sides)
    wanted = option_balance.readings(found.field)
    most, next_, *rest = found.readings
    assert (most.option, most.choice) == wanted[0]
    assert most.favours == first
    assert (most.won[first].count, most.won[second].count) == (9, 1)
    assert (most.changes[first].difference, most.changes[second].difference) == (0.9, -0.9)
    assert (next_.option, next_.choice) == wanted[1]
    assert (next_.effect, next_.otherwise.count, next_.favours) == (0, 1, None)
    assert not any(one.otherwise.count for one in rest)
    (refused,) = found.unplayable
    assert (refused.option, refused.choice) == wanted[2]


def test_readings_are_all_other_choices_of_the_card() -> None:
    field = rules()
    for option in field.card.options:
        others = {c.id for o, c in option_balance.readings(field) if o == option}
        assert others == {choice.id for choice in option.choices} - {field.options[option.id]}


@pytest.mark.parametrize(("gained", "gone", "same"), [(0, 0, 4), (3, 0, 1), (5, 5, 90), (20, 2, 8)])
def test_the_interval_of_a_change_is_agresti_and_min(gained: int, gone: int, same: int) -> None:
    pairs = [*[(False, True)] * gained, *[(True, False)] * gone, *[(True, True)] * same]
    found, n = change(pairs), gained + gone + same + 2
    up, down = (gained + 0.5) / n, (gone + 0.5) / n  # half a match more in each of four cases
    deviation = ((up + down - (up - down) ** 2) / n) ** 0.5
    assert found.difference == (gained - gone) / (n - 2)
    assert found.low == pytest.approx(max(-1, up - down - 1.959963984540054 * deviation))
    assert found.high == pytest.approx(min(1, up - down + 1.959963984540054 * deviation))
    opposite = change([(now, before) for before, now in pairs])
    assert opposite.low == pytest.approx(-found.high)


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_is_one_file_with_a_picture_for_each_reading(found: Balance, lang: Lang) -> None:
    page = draw(found, SERGEANTS, 7, lang)
    assert not re.search(r"<script|<link|src=|https?://(?!www\.w3\.org)", page)
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) == 2  # of the readings under which a match went otherwise
    width = 220
    for picture in pictures:
        places = [float(c.attrib["cx"]) for c in ElementTree.fromstring(picture).iter("circle")]
        assert len(places) == 2
        assert sum(places) == pytest.approx(width)  # what one side wins the other loses
        assert all(0 <= place <= width for place in places)
    for option, choice in option_balance.readings(found.field):
        assert f"{option.id} = {choice.id}" in page
    side = found.field.scenario.sides[0].name.in_(lang)
    assert any("+90" in line and side in line for line in balance_lines(found, lang))


def test_the_same_is_in_json(found: Balance) -> None:
    data = balance_json(found, "en")
    assert data["readings"][0]["favours"] == found.readings[0].favours  # type: ignore[index]
    assert data["unplayable"][0]["problem"] == "nothing has been answered yet"  # type: ignore[index]


def test_the_command_plays_every_reading(tmp_path: Path) -> None:
    """Units that are cut off, as they are and by the other reading, under which they attack."""
    write_doubtful(tmp_path)
    page = tmp_path / "balance.html"
    words = ["--each-option", "--matches", "2", "--workers", "1", "--lang", "en"]
    result = run("series", DOUBTFUL_BATTLE, "--games", tmp_path, *words, "-o", page)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Ford: 2 automatic matches, seed 0\n")
    assert "half=full" in result.stdout
    html = page.read_text(encoding="utf-8")
    assert "Balance by readings" in html
    assert "half = full" in html


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["steppe", "pulkovo"], "takes one scenario"),
        (["steppe", "--keep", "kept"], "keeps no matches"),
        (["steppe", "-o", "balance.csv"], "expected a name that ends in .html, .json"),
    ],
)
def test_what_can_not_be_compared_is_refused(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("series", *words, "--each-option", "--lang", "en")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert not list(tmp_path.iterdir())
