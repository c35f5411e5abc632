"""A series of automatic matches: the same wherever it is played, and summed up."""

import csv
import json
import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import isclose
from pathlib import Path

import pytest
from click.testing import Result

from grognard.cli.series import ALL, chosen_battles
from grognard.draw.text.series import Series, table_lines
from grognard.maps import scenario
from grognard.matches import match as matches
from grognard.matches.protocol import Verdict
from grognard.players import series, series_statistics
from grognard.players.levels import Level
from grognard.players.series import Played
from grognard.players.stopwatch import Pace
from tests.command import run
from tests.tiers import sized

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
        "--level",
        "sergeant",
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
    found = series_statistics.share(count, total)
    assert found.low <= found.share <= found.high
    assert found.share == count / total
    for limit in (found.low, found.high):
        if 0 < limit < 1:
            deviation = (limit * (1 - limit) / total) ** 0.5
            assert isclose(
                abs(found.share - limit), series_statistics.SURE * deviation, rel_tol=1e-9
            )
    assert (found.low == 0) == (count == 0)
    assert (found.high == 1) == (count == total)


def test_a_summary_counts_every_match_once() -> None:
    def match(number: int, winner: str | None, turns: int, lost: int) -> Played:
        return Played(number, 9, winner, turns, {"a": 1, "b": number}, {"a": lost, "b": 0})

    found = series_statistics.summary(
        ["a", "b"], [match(1, "a", 4, 2), match(2, None, 5, 4), match(3, "a", 6, 6)]
    )
    assert (found.won["a"].count, found.won["b"].count, found.draws.count) == (2, 0, 1)
    assert found.turns == series_statistics.Average(5.0, 1.0)
    assert found.lost == {
        "a": series_statistics.Average(4.0, 2.0),
        "b": series_statistics.Average(0.0, 0.0),
    }
    assert found.points["b"].mean == Fraction(2)
    assert series_statistics.spread_of([3]) == series_statistics.Average(3.0, 0.0)


# ------------------------------------------------------------------ levels


def test_two_levels_change_seats_and_play_each_seed_twice() -> None:
    contest = series.contest("colonel,sergeant", 4)
    found = list(series.pairings([series.battle(QUICK, {})], 4, 7, contest))
    assert [one.seats for one in found] == [("colonel", "sergeant"), ("sergeant", "colonel")] * 2
    assert [one.seed for one in found] == [series.match_seed(7, number) for number in (1, 1, 2, 2)]


@pytest.mark.parametrize("players", ["colonel", "colonel,colonel"])
def test_one_level_plays_both_sides_with_a_seed_for_each_match(players: str) -> None:
    found = list(series.pairings([series.battle(QUICK, {})], 3, 7, series.contest(players, 3)))
    assert {one.seats for one in found} == {("colonel", "colonel")}
    assert [one.seed for one in found] == [series.match_seed(7, number) for number in (1, 2, 3)]


def test_a_level_has_the_wins_of_both_its_seats() -> None:
    def match(number: int, winner: str | None) -> Played:
        seats: dict[str, Level] = {"a": "general", "b": "sergeant"}
        if number % 2 == 0:
            seats = {"a": "sergeant", "b": "general"}
        pace = {"a": Pace(2, 4.0, 3.0), "b": Pace(1, 1.0, 1.0)}
        return Played(number, 9, winner, 5, {"a": 8, "b": 2}, {"a": 1, "b": 3}, None, seats, pace)

    played = [match(1, "a"), match(2, "b"), match(3, "b"), match(4, None)]
    found = series_statistics.strengths(played)
    general, share = found["general"], series_statistics.share(2, 4)
    assert (general.wins, general.draws, general.matches) == (2, 1, 4)
    assert (general.share, general.low, general.high) == (share.share, share.low, share.high)
    assert (general.points.mean, general.lost.mean) == (5, 2)
    assert found["sergeant"].wins == 1
    seconds = series_statistics.phase_seconds(played)
    assert seconds["general"] == series_statistics.PhaseSeconds(10 / 6, 3.0)


@pytest.mark.slow
def test_levels_play_each_other_over_scenarios(tmp_path: Path) -> None:
    files = [one_turn_of(name, tmp_path) for name in (QUICK, "pulkovo")]
    table, kept = tmp_path / "s.csv", tmp_path / "kept"
    words = ["--players", "colonel,sergeant", "--matches", "2", "--seed", "7", "--workers", "1"]
    result = command(*files, *words, "--json", "-o", str(table), "--keep", str(kept))
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["levels"] == ["colonel", "sergeant"]
    assert set(answer["phase_seconds"]) == {"colonel", "sergeant"}
    for level in answer["levels"]:
        wins = sum(
            match["levels"].get(match["winner"]) == level
            for one in answer["scenarios"]
            for match in one["played"]
        )
        share = series_statistics.share(wins, 4)
        total = answer["players"][level]
        assert (total["wins"], total["share"]) == (wins, share.share)
        assert (total["low"], total["high"]) == (share.low, share.high)
    for one in answer["scenarios"]:
        first, second = one["played"]
        assert first["seed"] == second["seed"]
        sides = [side["id"] for side in one["sides"]]
        assert [first["levels"][side] for side in sides] == ["colonel", "sergeant"]
        assert [second["levels"][side] for side in sides] == ["sergeant", "colonel"]
    again = kept / QUICK / "match-2.json"
    _plays_again(files[0], answer["scenarios"][0]["played"][1], again, tmp_path)
    with table.open(newline="") as file:
        named = [row["scenario"] for row in csv.DictReader(file)]
    assert named == [QUICK, QUICK, "pulkovo", "pulkovo"]


@pytest.mark.process
@pytest.mark.slow
def test_levels_play_the_same_on_processes(tmp_path: Path) -> None:
    battle = series.battle(one_turn_of(QUICK, tmp_path), {})
    contest = series.contest("colonel,sergeant", 2)
    one, two = (
        list(series.run(battle, 2, 7, players=contest, keep=True, workers=workers))
        for workers in (1, 2)
    )
    assert one == two


def test_all_are_the_scenarios_that_work() -> None:
    found = chosen_battles([ALL], {})
    assert [one.name for one in found] == list(scenario.ids())


def one_turn_of(name: str, folder: Path) -> str:
    """Write a scenario that ends after its first turn."""
    file = folder / f"{name}.toml"
    text = scenario.ids()[name].read_text(encoding="utf-8")
    file.write_text(re.sub(r"(?m)^turns = \d+$", "turns = 1", text), encoding="utf-8")
    return str(file)


def _plays_again(name: str, match: dict[str, dict[str, str]], kept: Path, folder: Path) -> None:
    """Check that the levels and the seed of a match play it again."""
    file = folder / "again.json"
    autos = [word for seat in match["levels"].items() for word in ("--auto", "=".join(seat))]
    words = ("play", name, *autos, "--seed", str(match["seed"]), "--save", str(file))
    assert run(*words).exit_code == 0
    assert file.read_bytes() == kept.read_bytes()


def table_of(seats: dict[str, Level], winners: Sequence[str | None]) -> list[str]:
    field, none = series.field(series.battle(QUICK, {})), dict.fromkeys(seats, 0)
    played = [
        Played(number, 9, winner, 5, none, none, levels=seats)
        for number, winner in enumerate(winners, 1)
    ]
    return list(table_lines([Series(field, played)] * 2, "en"))


def test_the_table_of_one_level_names_the_sides() -> None:
    seats: dict[str, Level] = {"german": "colonel", "soviet": "colonel"}
    head, *rows = table_of(seats, ["german", "soviet", "german"])
    assert head.split("  ")[0] == "scenario"
    for row in rows:
        assert "Germans 2 = 66.7 %" in row
        assert "Soviets 1 = 33.3 %" in row
    assert len(rows) == 2


def test_the_table_of_two_levels_has_a_row_for_each_scenario_and_a_total() -> None:
    seats: dict[str, Level] = {"german": "colonel", "soviet": "sergeant"}
    head, *rows, total = table_of(seats, ["german", "soviet", "german", None])
    assert head.split()[:5] == ["scenario", "matches", "colonel", "won", "sergeant"]
    assert [row.split("  ")[0] for row in rows] == ["A village in the steppe"] * 2
    assert total.split()[:5] == ["total", "8", "4", "=", "50.0"]
    assert total.endswith("2 = 25.0 % (7.1–59.1 %)")


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
        ([QUICK, QUICK], "'steppe' is named twice"),
        ([QUICK, "--players", "major"], "there is no level 'major'; known: sergeant"),
        ([QUICK, "--players", "general,colonel,sergeant"], "3 levels can't play one match"),
        ([QUICK, "--players", "general,colonel", "--matches", "3"], "must be even"),
        ([QUICK, "--players", "general", "--seconds", "4000"], "4000 is not between 0 and 3600"),
        ([QUICK, "--seconds", "nan"], "nan is not between 0 and 3600"),
        ([QUICK, "--workers", "0"], "0 is not between 1 and 1024"),
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


# ------------------------------------------------------------------ fights


@pytest.mark.slow
def test_two_colonels_fight_for_weissenberg_in_every_match() -> None:
    battle = series.battle("weissenberg", {})
    for one in series.run(
        battle, sized(1, soak=20), 7, players=series.contest("colonel", 2), keep=True, workers=1
    ):
        assert one.file is not None
        answers = json.loads(one.file)["answers"]
        assert any(answer[0] == "attack" for answer in answers if isinstance(answer, list))
        assert sum(one.lost.values()) > 0
