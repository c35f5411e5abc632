"""A series of automatic matches: the same wherever it is played, and summed up."""

import csv
import json
from fractions import Fraction
from functools import cache
from math import isclose
from pathlib import Path

import pytest
from click.testing import Result

from grognard.maps import scenario
from grognard.matches import match as matches
from grognard.matches.protocol import Verdict
from grognard.players import series
from grognard.players.series import Played
from tests.command import run

QUICK = "steppe"


def command(*words: str) -> Result:
    return run("series", *words, "--lang", "en")


def played(workers: int) -> list[Played]:
    return list(series.run(series.battle(QUICK, {}), 3, 7, keep=True, workers=workers))


@cache
def on_one_core() -> list[Played]:
    return played(workers=1)


# ------------------------------------------------------------------ the same everywhere


@pytest.mark.process
def test_processes_play_what_one_core_plays() -> None:
    assert played(workers=2) == on_one_core()


@pytest.mark.slow
def test_a_match_depends_only_on_the_seed_and_its_number() -> None:
    alone = series.run(series.battle(QUICK, {}), 1, 7, keep=True, workers=1)
    assert list(alone) == on_one_core()[:1]
    assert series.match_seed(7, 2) == on_one_core()[1].seed
    assert len({series.match_seed(seed, n) for seed in range(20) for n in range(200)}) == 4000


@pytest.mark.slow
def test_the_seed_of_a_match_plays_it_again(tmp_path: Path) -> None:
    file = tmp_path / "again.json"
    words = [
        "play",
        QUICK,
        "--auto",
        "all",
        "--seed",
        str(on_one_core()[0].seed),
        "--save",
        str(file),
    ]
    assert run(*words).exit_code == 0
    assert file.read_bytes() == on_one_core()[0].file


@pytest.mark.slow
def test_steps_and_points_are_those_of_the_match() -> None:
    for one in on_one_core():
        assert one.file is not None
        match = matches.load(one.file.decode(), "kept")
        assert match.asking is None
        assert match.verdict() == Verdict(one.points, one.winner)
        whole = match.field.scenario.board().pieces
        for side in one.lost:
            left = sum(piece.steps for piece in match.board.pieces if piece.side == side)
            assert one.lost[side] == sum(p.steps for p in whole if p.side == side) - left


# ------------------------------------------------------------------ summing up


@pytest.mark.parametrize("count", [0, 1, 5, 17, 20])
def test_an_interval_ends_where_the_share_is_just_thinkable(count: int) -> None:
    # Wilson's limits are the chances from which the share is 1.96 standard deviations away.
    total = 20
    found = series.share(count, total)
    assert found.low <= found.share <= found.high
    assert found.share == count / total
    for limit in (found.low, found.high):
        if 0 < limit < 1:
            deviation = (limit * (1 - limit) / total) ** 0.5
            assert isclose(abs(found.share - limit), series.SURE * deviation, rel_tol=1e-9)
    assert (found.low == 0) == (count == 0)
    assert (found.high == 1) == (count == total)


def test_a_summary_counts_every_match_once() -> None:
    def match(number: int, winner: str | None, turns: int, lost: int) -> Played:
        return Played(number, 9, winner, turns, {"a": 1, "b": number}, {"a": lost, "b": 0})

    found = series.summary(
        ["a", "b"], [match(1, "a", 4, 2), match(2, None, 5, 4), match(3, "a", 6, 6)]
    )
    assert (found.won["a"].count, found.won["b"].count, found.draws.count) == (2, 0, 1)
    assert found.turns == series.Average(5.0, 1.0)
    assert found.lost == {"a": series.Average(4.0, 2.0), "b": series.Average(0.0, 0.0)}
    assert found.points["b"].mean == Fraction(2)
    assert series.spread_of([3]) == series.Average(3.0, 0.0)


# ------------------------------------------------------------------ the command


@pytest.mark.slow
def test_the_command_says_how_the_series_went() -> None:
    result = command(QUICK, "--matches", "3", "--seed", "7", "--workers", "1")
    assert result.exit_code == 0, result.output
    assert "3 automatic matches, seed 7" in result.stdout
    for side in scenario.load(QUICK).sides:
        won = sum(one.winner == side.id for one in on_one_core())
        assert f"{side.name.en}  won {won} = {won / 3:.1%}".replace("%", " %") in result.stdout
    assert result.stderr == ""


@pytest.mark.slow
def test_every_match_is_written_and_kept(tmp_path: Path) -> None:
    table, data, kept = tmp_path / "s.csv", tmp_path / "s.json", tmp_path / "a" / "kept"
    words = [QUICK, "--matches", "3", "--seed", "7", "--workers", "1"]
    assert command(*words, "-o", str(table), "--keep", str(kept)).exit_code == 0
    shown = command(*words, "-o", str(data), "--json")
    assert data.read_text() == shown.stdout
    sides = [side.id for side in scenario.load(QUICK).sides]
    with table.open(newline="") as file:
        lines = list(csv.DictReader(file))
    for one, line, row in zip(
        on_one_core(), lines, json.loads(shown.stdout)["played"], strict=True
    ):
        assert (int(line["number"]), int(line["seed"])) == (one.number, one.seed)
        assert (line["winner"] or None, int(line["turns"])) == (one.winner, one.turns)
        assert {side: int(line[f"lost_{side}"]) for side in sides} == one.lost == row["lost"]
        assert {side: int(line[f"points_{side}"]) for side in sides} == one.points == row["points"]
        assert (kept / f"match-{one.number}.json").read_bytes() == one.file
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a", "s.csv", "s.json"]


@pytest.mark.process
def test_a_series_of_a_scenario_file_with_an_option(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(scenario.ids()[QUICK].read_text(encoding="utf-8"), encoding="utf-8")
    option = scenario_option()
    words = ["--matches", "2", "--seed", "7", "--workers", "2", "--json"]
    result = command(str(file), *words, "--option", "=".join(option))
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["options"][option[0]] == option[1]
    by_name = command(QUICK, *words, "--option", "=".join(option))
    assert json.loads(by_name.stdout)["played"] == answer["played"]


def scenario_option() -> tuple[str, str]:
    """Give an option of the quick scenario's game with a choice that is not the scenario's own."""
    rules = series.field(series.battle(QUICK, {}))
    option = rules.card.options[0]
    others = [choice.id for choice in option.choices if choice.id != rules.options[option.id]]
    return option.id, others[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["step"], "near matches: steppe"),
        ([QUICK, "--option", "nothing=1"], "has no option 'nothing'"),
        ([QUICK, "--option", "nothing"], "is not written id=choice"),
        ([QUICK, "--matches", "0"], "0 is less than 1"),
        ([QUICK, "--workers", "0"], "0 is less than 1"),
        ([QUICK, "--on", "somewhere"], "expected local, auto"),
        ([QUICK, "--on", "127.0.0.1:1"], "no Ray cluster at 127.0.0.1:1"),
        ([QUICK, "-o", "series.txt"], "expected a name that ends in .csv, .json"),
        ([QUICK, "-o", "nowhere/series.csv"], "can't be written: there is no such folder"),
    ],
)
def test_what_can_not_be_played_is_refused(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = command(*words, "--keep", "kept")
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = [QUICK, "--matches", "1", "--workers", "1", "--keep", str(tmp_path / "file" / "kept")]
    result = command(*words)
    assert result.exit_code == 2
    assert "can't be written" in result.stderr
    assert len(result.stderr.splitlines()) == 1
