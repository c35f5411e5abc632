"""The commands explain, odds, resolve and replay, for persons and for programs."""

import json
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from tests.command import refused, run
from tests.processes import PATIENCE

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))
BAUTZEN = Path(__file__).parents[2] / "examples" / "bautzen.toml"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_example_is_explained_predicted_and_resolved(example: Path, lang: str) -> None:
    for words in (["explain"], ["odds"], ["resolve", "--auto", "--seed", "3"]):
        result = run(*words, str(example), "--lang", lang)
        assert result.exit_code == 0, result.output
        assert result.stdout.strip()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_json_has_the_keys_of_the_contract(example: Path) -> None:
    explained = json.loads(run("explain", str(example), "--json").stdout)
    assert {"totals", "column", "die_modifier", "modifiers", "doubts"} <= set(explained)
    assert {"attack", "defence"} == set(explained["totals"])
    assert {"basic", "final"} == set(explained["column"])
    for modifier in explained["modifiers"]:
        assert {"id", "kind", "value", "rule", "text"} <= set(modifier)
    odds = json.loads(run("odds", str(example), "--json").stdout)
    assert odds["exact"] is True
    assert odds["doctrines"] == {"attacker": "best", "defender": "best"}
    assert sum(Fraction(outcome["p"]) for outcome in odds["outcomes"]) == 1
    assert sum(Fraction(result["p"]) for result in odds["results"]) == 1
    keys = {"p", "result", "attacker_steps_lost", "defender_steps_lost"}
    assert all(keys <= set(outcome) for outcome in odds["outcomes"])
    assert {"attacker", "defender", "vacated", "taken"} <= set(odds["summary"])
    resolved = json.loads(run("resolve", str(example), "--auto", "--seed", "1", "--json").stdout)
    assert {"rolls", "result", "events", "units"} <= set(resolved)
    for roll in resolved["rolls"]:
        assert {"for", "dice", "shown", "modified"} == set(roll)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_resolve_and_replay_have_a_footnote_for_every_mark(
    example: Path, lang: str, tmp_path: Path
) -> None:
    kept = str(tmp_path / "record.json")
    words = ["resolve", str(example), "--auto", "--seed", "3", "--lang", lang]
    resolved = run(*words, "--record", kept).stdout
    doubts = json.loads(run(*words, "--json").stdout)["doubts"]
    for shown in (resolved, run("replay", kept, "--lang", lang).stdout):
        lines = shown.splitlines()
        notes = [line for line in lines if line.startswith("  ⁂ ")]
        assert len(notes) == len({doubt["reason"] for doubt in doubts})
        for doubt in doubts:
            assert any(doubt["text"] in note and doubt["reason"] in note for note in notes)
        assert bool(notes) == any("⁂" in line for line in lines if line not in notes)


def test_the_printed_example_with_a_five() -> None:
    data = json.loads(run("resolve", str(BAUTZEN), "--dice", "5", "--auto", "--json").stdout)
    assert data["rolls"][0] == {"for": "Combat roll", "dice": [5], "shown": 5, "modified": 5}
    assert data["result"] == "1/2"


CROWD = {
    "game": "panzer-grenadier",
    "range": 1,
    "attackers": [{"name": "GREN", "fire": 9}],
    "defenders": [{"name": f"INF {n}", "morale": 5 + n % 5, "steps": 1 + n} for n in range(8)],
}


def test_too_much_work_is_refused_with_the_way_to_allow_it() -> None:
    problem = refused("odds", "-", "--budget", "2000", "--lang", "en", stdin=json.dumps(CROWD))
    assert "too much can happen in this fight: more than 2000 situations" in problem
    assert "allow more of them with --budget" in problem
    few = {**CROWD, "defenders": CROWD["defenders"][:1]}  # type: ignore[index]  # a list
    assert run("odds", "-", "--budget", "2000", stdin=json.dumps(few)).exit_code == 0


def test_automatic_decisions_have_a_budget_too() -> None:
    words = ("resolve", BAUTZEN, "--auto", "--dice", "5", "--lang", "en")
    assert "more than 1 situations" in refused(*words, "--budget", "1")
    assert run(*words, "--budget", "10000").exit_code == 0


@pytest.mark.parametrize("number", [101, 9007199254740992])
def test_steps_beyond_the_bound_are_refused(number: int) -> None:
    fight = {
        **CROWD,
        "defenders": [{"name": "Truck", "kind": "truck", "morale": 7, "steps": number}],
    }
    problem = refused("odds", "-", "--lang", "en", stdin=json.dumps(fight))
    assert "defenders[0].steps: " in problem
    assert (
        "expected a whole number of at most 100, found 101" in problem
        or "the number is too large" in problem
    )


def test_a_fight_can_come_from_standard_input_as_toml_or_json() -> None:
    as_toml = BAUTZEN.read_text(encoding="utf-8")
    fight = {
        "game": "bautzen",
        "attackers": [{"name": "A", "attack": 8}],
        "defenders": [{"name": "D", "defence": 4}],
    }
    assert "26 : 6" in run("explain", "-", stdin=as_toml).stdout
    assert "8 : 4" in run("explain", "-", stdin=json.dumps(fight)).stdout


def test_doctrines_are_named_and_an_unknown_one_is_refused() -> None:
    text = run("odds", str(BAUTZEN), "--attacker", "take", "--defender", "hold").stdout
    assert "▶ take the ground" in text
    assert "◆ hold the ground" in text
    assert "near matches: hold" in refused("odds", str(BAUTZEN), "--defender", "holt")


def test_resolve_asks_one_question_at_a_time_and_takes_answers_back() -> None:
    # A 5 is typed, the first unit is chosen, taken back, the third chosen, both steps traded.
    result = run("resolve", str(BAUTZEN), stdin="5\n1\nu\n3\n2\n-\n")
    assert result.exit_code == 0, result.output
    assert "taken back" in result.stdout
    assert "112/20Pz loses a step (1 left)" in result.stdout
    assert "retreats 2 hexes" in result.stdout
    assert "hex vacated, ▶ 1 step lost, retreat of 2 hexes (1/2)\n" in result.stdout


def test_resolve_tells_what_each_answer_leads_to_and_how_likely_the_result_was() -> None:
    # 4/1 with one column to the left: a 5 with −1 and +1 is read on row 5 of 3/1; rows 4 to 6 of it
    # are 1/2.
    result = run("resolve", str(BAUTZEN), stdin="5\n1\n2\n1,3\n")
    assert result.exit_code == 0, result.output
    for words in (
        "what follows by doctrine: ▶ best, ◆ best",
        "whatever is chosen: hex taken 100 %, a step lost",
        "0) Hold and lose 2 steps",
        "2) Retreat 2 hexes *   no loss",
        "-) Nobody advances   hex taken 0 %",
        "anybody *   hex taken 100 %",
        "21/20Pz advances into the hex",
        "112/20Pz advances into the hex",
        "1/2: a 1-in-2 result",
        "hex taken: the attacker had 50.0 %",
    ):
        assert words in result.stdout, words


def test_odds_name_the_columns_that_they_assume() -> None:
    fight = {
        "game": "bautzen",
        "defender_cl_at_hand": 2,
        "attackers": [{"name": "A", "attack": 14}],
        "defenders": [{"name": "D", "defence": 4}],
    }
    as_json = json.dumps(fight)
    text = run("odds", "-", "--defender", "hold", stdin=as_json).stdout
    assert "3/1 as it stands" in text
    assert "the odds assume 1/1" in text
    assert "100 %" not in text.partition("the odds assume")[2].splitlines()[0]
    told = json.loads(run("odds", "-", "--defender", "hold", "--json", stdin=as_json).stdout)
    assert told["columns"] == [{"p": "1", "column": "1/1", "die_modifier": 0, "targets": []}]
    assert told["as_it_stands"]["taken"] != told["summary"]["taken"]
    told = json.loads(run("resolve", "-", "--auto", "--seed", "1", "--json", stdin=as_json).stdout)
    assert set(told["hindsight"]) == {"result", "p", "before"}
    explained = json.loads(run("explain", "-", "--json", stdin=as_json).stdout)
    assert sum(Fraction(place["p"]) for place in explained["columns"]) == 1


OPEN = {
    "game": "bautzen",
    "attacker_cl_at_hand": 1,
    "defender_cl_at_hand": 2,
    "defender_air_at_hand": 1,
    "attackers": [{"name": "A", "attack": 13, "steps": 2}],
    "defenders": [{"name": "D", "defence": 6, "steps": 2}],
}
JABOS = {
    "game": "normandy",
    "terrain": ["clear"],
    "attacker_camp": "german",
    "weather": "clear",
    "attackers": [{"name": "A", "factor": 6, "steps": 2, "main_force": True}],
    "defenders": [{"name": "D", "factor": 2, "steps": 2}],
}


@pytest.mark.parametrize(
    ("fight", "words"),
    [(OPEN, "still open: Logistic columns and air markers"), (JABOS, "still open: Jabo")],
)
def test_explain_says_what_may_still_move_the_column(fight: dict[str, object], words: str) -> None:
    text = run("explain", "-", stdin=json.dumps(fight)).stdout
    assert words in text
    assert "Column so far" in text
    assert "Final column" not in text
    told = json.loads(run("explain", "-", "--json", stdin=json.dumps(fight)).stdout)
    assert "Column so far" in " ".join(line["text"] for line in told["lines"])
    assert (
        "Colonne finale" not in run("explain", "-", "--lang", "fr", stdin=json.dumps(fight)).stdout
    )
    assert "as it stands: nothing more committed or rolled" in text
    assert "the odds assume" in text
    assert "still open" not in run("explain", str(BAUTZEN)).stdout


def test_each_answer_of_a_mixed_commitment_is_marked_with_its_share(tmp_path: Path) -> None:
    """Both answers of the attacker belong to his strategy: a mark that says how often."""
    file = tmp_path / "open.json"
    file.write_text(json.dumps(OPEN), encoding="utf-8")
    (secret,) = json.loads(run("odds", str(file), "--json").stdout)["commitments"]
    shares = [float(100 * Fraction(option["p"])) for option in secret["attacker"]]
    asked = run("resolve", str(file), stdin="1\n").stdout.partition("◆ Logistic")[0]
    assert len(shares) == 2
    for share, words in zip(shares, ("Commit nothing", "Commit 1 CL (+1 column)"), strict=True):
        assert f"{words} * ({share:.1f} %)" in asked


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_odds_have_each_reason_and_each_outcome_once(example: Path) -> None:
    lines = run("odds", str(example)).stdout.splitlines()
    notes = [line.partition(": ")[2] for line in lines if line.startswith("  ⁂ ")]
    assert len(notes) == len(set(notes))


def test_a_footnote_quotes_the_loss_that_leaves_most() -> None:
    """Nobody loses his last step in this fight, so no footnote says so."""
    told = run("odds", "examples/bautzen.toml").output
    assert "can't happen here: ▶ eliminated, ◆ eliminated" in told
    assert "861/294 loses a step (1 left)" in told
    assert "(0 left)" not in told


@pytest.mark.parametrize("how", [(), ("--auto",)])
def test_no_column_is_called_final_that_a_later_roll_moves(
    how: tuple[str, ...], tmp_path: Path
) -> None:
    """Normandy 19.1.3: in clear weather Jabos may still shift the column of a German attack."""
    stated = {
        "game": "normandy",
        "attacker_camp": "german",
        "weather": "clear",
        "terrain": ["clear"],
        "attackers": [{"name": "A", "factor": 9, "steps": 2, "main_force": True}],
        "defenders": [{"name": "D", "factor": 3, "steps": 2}],
    }
    file = tmp_path / "jabos.json"
    file.write_text(json.dumps(stated), encoding="utf-8")
    told = run("resolve", str(file), "--dice", "6,5", *how).output
    assert "Column so far 3-1; still open: Jabo roll" in told
    assert "Final column 1-2" in told
    assert told.count("Final column") == 1


def test_outcomes_that_read_alike_are_one_row() -> None:
    """Commitments differ in what they cost, not in what a reader sees of the outcome."""
    lines = run("odds", "-", stdin=json.dumps(OPEN)).stdout.splitlines()
    rows = [line.split("%")[1] for line in lines if "attacker eliminated" in line]
    assert len(rows) == len(set(rows)) > 1


def test_resolve_refuses_wrong_answers_and_asks_again() -> None:
    result = run("resolve", str(BAUTZEN), stdin="7\nx\n5\n9\n112/20\n3\n2\n2\n")
    assert result.exit_code == 0, result.output
    assert "7 is not a roll; expected 1 die from 1 to 6" in result.stdout
    assert "'x' are not dice" in result.stdout
    assert "'9' is not legal here" in result.stdout


def test_enter_rolls_with_the_seed() -> None:
    outputs = {run("resolve", str(BAUTZEN), "--seed", "4", stdin="\n1\n0\n").stdout for _ in "ab"}
    assert len(outputs) == 1


@pytest.mark.parametrize("die", range(1, 7))
def test_a_die_is_drawn_with_the_face_that_it_shows(die: int) -> None:
    face = "⚀⚁⚂⚃⚄⚅"[die - 1]
    shown = run("resolve", str(BAUTZEN), "--auto", "--dice", str(die)).stdout
    assert f"{face} Combat roll: {die}" in shown
    typed = run("resolve", str(BAUTZEN), "--seed", str(die), stdin="\n").stdout
    (drawn,) = re.findall("([⚀-⚅]) ([1-6])", typed)
    assert drawn[0] == "⚀⚁⚂⚃⚄⚅"[int(drawn[1]) - 1]


def test_leaving_before_the_end_writes_nothing(tmp_path: Path) -> None:
    kept = tmp_path / "record.json"
    result = run("resolve", str(BAUTZEN), "--record", str(kept), stdin="5\n")
    assert result.exit_code == 2
    assert "stopped before the end" in result.stderr
    assert not kept.exists()


def test_a_secret_commitment_is_asked_of_both_sides(tmp_path: Path) -> None:
    fight = tmp_path / "fight.toml"
    fight.write_text(
        'game = "bautzen"\nattacker_cl_at_hand = 1\ndefender_cl_at_hand = 1\n'
        'attackers = [{ name = "A", attack = 6 }]\ndefenders = [{ name = "D", defence = 6 }]\n'
    )
    result = run("resolve", str(fight), "--dice", "1", stdin="2\n1\n")
    assert result.exit_code == 0, result.output
    assert "The attacker commits 1 CL" in result.stdout
    assert "Final column 2/1" in result.stdout
    odds = json.loads(run("odds", str(fight), "--json").stdout)
    assert odds["commitments"][0]["value"] is not None


def test_a_record_is_written_replayed_and_refused_when_altered(tmp_path: Path) -> None:
    kept = tmp_path / "record.json"
    words = ["resolve", str(BAUTZEN), "--dice", "5", "--auto", "--record", str(kept)]
    assert run(*words).exit_code == 0
    assert "the record holds: 4 answers" in run("replay", str(kept)).stdout
    data = json.loads(kept.read_text(encoding="utf-8"))
    data["answers"][0]["answer"] = [9]
    kept.write_text(json.dumps(data), encoding="utf-8")
    assert "record.json: answers[0]: 9 is not a roll" in refused("replay", str(kept))
    data["record"] = 99
    kept.write_text(json.dumps(data), encoding="utf-8")
    assert "version 99" in refused("replay", str(kept))


def edited(tmp_path: Path, old: str, new: str) -> str:
    text = BAUTZEN.read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "fight.toml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return str(file)


def line_with(file: str, words: str) -> int:
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


def test_a_negative_factor_is_refused_with_its_line(tmp_path: Path) -> None:
    file = edited(tmp_path, "attack = 6", "attack = -6")
    message = refused("explain", file)
    assert f"fight.toml:{line_with(file, 'attack = -6')}: attackers[0].attack: " in message
    assert "-6" in message


def test_an_unknown_terrain_is_refused_with_near_matches(tmp_path: Path) -> None:
    file = edited(tmp_path, '["village"]', '["vilage"]')
    message = refused("odds", file)
    assert f":{line_with(file, 'vilage')}: terrain" in message
    assert "near matches: village" in message


def test_an_unknown_key_is_refused_with_its_line(tmp_path: Path) -> None:
    file = edited(tmp_path, "defender_cl = 1", "defender_lc = 1")
    message = refused("odds", file)
    assert f":{line_with(file, 'defender_lc')}: " in message
    assert "unknown key 'defender_lc'" in message


def test_a_missing_defender_is_refused(tmp_path: Path) -> None:
    fight = tmp_path / "fight.toml"
    fight.write_text('game = "bautzen"\nattackers = [{ name = "A", attack = 6 }]\n')
    assert "'defenders' is missing" in refused("odds", str(fight))


def test_dice_that_can_not_be_are_refused() -> None:
    assert "7 is not a roll" in refused("resolve", str(BAUTZEN), "--dice", "7", "--auto")
    assert "are not dice" in refused("resolve", str(BAUTZEN), "--dice", "five", "--auto")


def test_a_file_that_is_not_text_or_not_there_is_refused(tmp_path: Path) -> None:
    binary = tmp_path / "fight.toml"
    binary.write_bytes(b"game = \xff\xfe\x00")
    assert "byte 8 is not UTF-8" in refused("explain", str(binary))
    assert "can't be read" in refused("explain", str(tmp_path / "nowhere.toml"))
    assert "byte 8 is not UTF-8" in refused("explain", "-", stdin=b"game = \xff")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = ", "this is not TOML"),
        ('{"game": }', "this is not JSON"),
        ('terrain = ["town"]', "'game' is missing"),
        ('game = "bauzen"', "near matches: bautzen"),
        ("game = 3", "expected a name"),
        ('game = "bautzen"\nprocedure = "atack"', "near matches: attack"),
        ('game = "bautzen"\noptions = { ratio_clamp = "late" }', "never 'late'"),
        ('game = "bautzen"\noptions = { ratio_klamp = "after" }', "near matches: ratio_clamp"),
        ('game = "bautzen"\noptions = "after"', "options are pairs"),
        ("[]", "this is not TOML"),
        ("", "'game' is missing"),
    ],
)
def test_a_file_that_states_no_fight_is_refused(text: str, words: str) -> None:
    assert words in refused("explain", "-", stdin=text)


def test_refusals_speak_french() -> None:
    message = refused("odds", str(BAUTZEN), "--defender", "holt", "--lang", "fr")
    assert "there is" not in message


def test_the_command_runs_as_a_program_of_its_own(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "grognard", "odds", str(BAUTZEN), "--json"]
    done = subprocess.run(words, capture_output=True, check=True, cwd=tmp_path, timeout=PATIENCE)
    assert json.loads(done.stdout)["exact"] is True
