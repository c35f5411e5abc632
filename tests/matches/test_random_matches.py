"""Random legal matches of every scenario: no dead end, units conserved, saved and replayed."""

from pathlib import Path

import pytest

from grognard import Refusal
from grognard.maps import scenario
from grognard.matches.match import begin, load, save
from grognard.matches.protocol import END
from grognard.players.bot import Bot, play_on
from grognard.rules.ask import Answer
from grognard.rules.line import Line
from grognard.testing.random_matches import MOST_ANSWERS, check_match, random_match
from tests.tiers import sized

SCENARIOS = sorted(scenario.ids())
LARGE = "bautzen-1945"  # a match takes as long as twenty of another scenario
SLOW_IF_LARGE = [
    pytest.param(name, marks=pytest.mark.slow if name == LARGE else ()) for name in SCENARIOS
]
MATCHES = sized(20, quick=3, soak=10_000)  # of every scenario, in parts that can run side by side
LARGE_MATCHES = sized(4, quick=1, soak=300)
LARGE_AUTOMATIC = sized(1, soak=50)
PARTS = sized(4, quick=1, soak=40)

pytestmark = pytest.mark.no_cover  # pytest-cov: tracing doubles the time of a match


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))]
)
@pytest.mark.parametrize("name", SCENARIOS)
def test_random_matches_end_with_their_units_conserved_and_replay_to_the_same_board(
    name: str, part: int, tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    number = LARGE_MATCHES if name == LARGE else MATCHES
    for seed in range(part * number // PARTS, (part + 1) * number // PARTS):
        match = random_match(name, seed)
        check_match(match)
        assert set(match.verdict().points) == {side.id for side in match.field.scenario.sides}
        save(match, file)
        again = load(file.read_text(encoding="utf-8"), file.name)
        assert again.asking is None
        assert again.answers == match.answers
        assert again.board.pieces == match.board.pieces
        assert again.board.holders == match.board.holders
        assert again.board.pools == match.board.pools


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_two_bots_play_a_match_to_its_end(name: str) -> None:
    sides = [side.id for side in scenario.load(name).sides]
    for seed in range(5, 5 + (LARGE_AUTOMATIC if name == LARGE else 1)):
        match, bot = begin(name), Bot(seed)
        for count, _ in enumerate(play_on(match, dict.fromkeys(sides, bot))):
            assert count < MOST_ANSWERS
        assert match.asking is None
        check_match(match)


def test_undo_goes_back_before_an_order_but_not_before_dice() -> None:
    match = begin("weissenberg")
    assert match.undo_problem() is not None
    board = match.board
    match.answer(("move", "21/20Pz", "1811"))
    assert match.board.piece("21/20Pz").at != board.piece("21/20Pz").at
    match.undo()
    assert match.board.pieces == board.pieces
    match.answer(END)
    match.answer(("attack", "1910", "112/20Pz"))
    match.answer(("QG 294 RD",))
    match.answer(((0, 0), (0, 0)))
    with pytest.raises(Refusal, match="taken back"):
        match.undo()


def test_a_move_can_name_every_hex_of_its_way() -> None:
    match = begin("weissenberg")
    match.answer(("move", "687/615", "1812", "1913"))
    told = [entry for entry in match.log if isinstance(entry, Line)][-1]
    assert "1913 for 2 MP" in told.in_("en")
    with pytest.raises(Refusal, match="1713: 1713 is not beside 1912"):
        match.answer(("move", "777", "1912", "1713"))


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (("move", "21/21", "1811"), "near matches: 21/20Pz"),
        (("move", "21/20Pz", "9999"), "no hex 9999"),
        (("move", "21/20Pz", "x"), "such as 1910"),
        (("move", "21/20Pz", "2206"), "2206: 21/20Pz would be unsupplied"),
        (("move", "861/294", "1909"), "not yours"),
        (("fly", "21/20Pz"), "try: move UNIT HEX"),
        ((), "an order is a verb"),
        ("end", "an order is a verb"),
    ],
)
def test_an_order_that_is_not_legal_is_refused_and_changes_nothing(
    order: Answer, words: str
) -> None:
    match = begin("weissenberg")
    with pytest.raises(Refusal, match=words):
        match.answer(order)
    assert match.answers == []
    match.answer(END)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ('{"match": 1, "scen', "not JSON"),
        ("[]", "version"),
        ('{"match": 2}', "version 2"),
        ('{"match": 1}', "missing"),
        ('{"match": 1, "scenario": "wissenberg", "options": {}, "answers": []}', "weissenberg"),
        ('{"match": 1, "scenario": "weissenberg", "options": {"x": "y"}, "answers": []}', "option"),
        ('{"match": 1, "scenario": "weissenberg", "options": {}, "answers": [7]}', r"answers\[0\]"),
        ('{"match": 1, "scenario": "weissenberg", "options": {}, "answers": [null]}', "answer"),
    ],
)
def test_a_damaged_match_is_refused(text: str, words: str) -> None:
    with pytest.raises(Refusal, match=words):
        load(text, "match.json")


def test_a_match_keeps_its_options(tmp_path: Path) -> None:
    match = begin("weissenberg", {"ratio_clamp": "after"})
    save(match, tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text(encoding="utf-8")
    assert load(text, "m.json").field.options["ratio_clamp"] == "after"


def test_a_match_that_can_not_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="can't be written"):
        save(begin("weissenberg"), tmp_path / "nowhere" / "m.json")
