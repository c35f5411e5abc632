"""Playing on the terminal: orders, questions, undo, saving, bots."""

import json
from itertools import cycle
from pathlib import Path

import pytest
from click.testing import Result

from grognard.maps import scenario
from grognard.words.text import LANGS
from grognard.words.typography import NARROW
from tests.command import run

SHORT = "steppe"  # tests of the French output play every scenario to its end, too
BATTLES = [
    pytest.param(name, lang, marks=() if name == SHORT else pytest.mark.soak)
    for name, lang in zip(sorted(scenario.ids()), cycle(LANGS), strict=False)
]


def play(*words: str, stdin: str = "") -> Result:
    return run("play", *words, stdin=stdin)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), BATTLES)
def test_every_scenario_plays_itself_to_the_end(name: str, lang: str) -> None:
    result = play(name, "--auto", "all", "--level", "sergeant", "--seed", "2", "--lang", lang)
    assert result.exit_code == 0, result.output
    last = result.stdout.strip().splitlines()[-1]
    assert (
        ("victor" in last or "draw" in last) if lang == "en" else ("vict" in last or "nul" in last)
    )


def test_scenarios_are_listed() -> None:
    result = run("scenarios", "--lang", "fr")
    assert result.exit_code == 0
    for name in scenario.ids():
        assert name in result.stdout


def test_the_printed_example_by_hand() -> None:
    # End of movement; the attack; QG 294 RD supports; nothing and one CL are committed; die 5;
    # 112/20Pz loses the step; both steps are traded; nobody advances.
    typed = (
        'end\nattack 1910 with 21/20Pz 59/20Pz 112/20Pz "QG 20 Pz" "QG 57 PzK"\n'
        "QG 294 RD\n0+0\n1+0\n5\n112/20Pz\n2\n-\nquit\n"
    )
    result = play("weissenberg", "--lang", "en", stdin=typed)
    assert result.exit_code == 0, result.output
    for words in (
        "Formation 20 Pz attacks with all its units",
        "26 : 6, column 4/1",
        "Final column 3/1",
        "Village −1 die",
        "Die modifier 0",
        "Row 5, column 3/1: 1/2",
        "112/20Pz loses a step (1 left)",
        "nothing was saved",
    ):
        assert words in result.stdout


def test_help_orders_and_the_map_are_there_for_the_person() -> None:
    typed = 'help\norders "687/615" 1713\norders nowhere\nmap\nmove 21/20Pz 9999\nfly\nquit\n'
    result = play("weissenberg", "--lang", "en", stdin=typed)
    assert result.stdout.count("Orders: move UNIT HEX") == 2
    assert "no legal order with these words" in result.stdout
    assert result.stdout.count("Weissenberg") >= 2
    assert "there is no hex 9999" in result.stdout
    assert "'fly' is not an order here" in result.stdout


@pytest.mark.parametrize("place", ["1510", "QG 254 RD"])
def test_a_wide_map_is_shown_around_a_place(place: str) -> None:
    typed = f"place QG 254 RD 1510\nmap {place}\nmap 777\nmap 9999\nquit\n"
    result = play("bautzen-1945", "--lang", "en", stdin=typed)
    # The whole map at the beginning, the part that has changed, the part that is asked for.
    assert result.stdout.count("/0101 ") == 1
    assert result.stdout.count("≈1510 T") == 3
    assert result.stdout.count("1510 ○ QG 254 RD 2(3)-8") == 2
    assert "777 is not on the map" in result.stdout
    assert "there is no hex 9999 on this map" in result.stdout


def test_reach_and_supply_are_shown() -> None:
    typed = 'reach CL G1\nreach nobody\nsupply 21/20Pz\nsupply "QG 20 Pz"\nquit\n'
    result = play("weissenberg", "--lang", "en", stdin=typed)
    assert "  1912 (0)  " in result.stdout
    assert "  1913 (1/2)  " in result.stdout  # by road
    assert "supplied by  1810  1811  1812" in result.stdout
    assert "there is no unit 'nobody'" in result.stdout


def test_names_with_blanks_need_no_quotes_and_french_orders_are_explained_in_french() -> None:
    typed = "orders 687/615\nmove 687/615 2211\nmove QG 20 Pz 9999\nfly\nquit\n"
    result = play("weissenberg", "--lang", "fr", stdin=typed)
    assert "aucun ordre permis" not in result.stdout
    assert "il n'y a pas d'unité" not in result.stdout
    assert "il n'y a pas d'hex 9999" in result.stdout
    assert "« move UNITÉ HEX » ; « end »".replace(" ", NARROW) in result.stdout.replace(" ", NARROW)


def test_a_move_is_taken_back() -> None:
    typed = "undo\nmove 21/20Pz 1709\nundo\nmove 21/20Pz 1709\nquit\n"
    result = play("weissenberg", "--lang", "en", stdin=typed)
    assert "nothing has been answered yet" in result.stdout
    assert "taken back" in result.stdout
    assert result.stdout.count("21/20Pz moves to 1709") == 2


def test_what_a_bot_did_is_not_taken_back() -> None:
    # The German bot moves and attacks; the person rolls (Enter) until the Allies are asked.
    typed = "u\n\n" * 5 + "quit\n"
    words = ("--auto", "german", "--level", "sergeant", "--seed", "1", "--lang", "en")
    result = play("weissenberg", *words, stdin=typed)
    assert "the last answer was not yours" in result.stdout


def test_a_bot_makes_its_own_half_of_a_secret_commitment() -> None:
    typed = "end\nattack 1910 with 21/20Pz 59/20Pz 112/20Pz\n1\n5\n1\n1\nquit\n"
    result = play("weissenberg", "--auto", "allied", "--seed", "1", "--lang", "en", stdin=typed)
    asked = [line for line in result.stdout.splitlines() if "Logistic columns and air" in line]
    assert len(asked) == 1
    assert asked[0].startswith("▶")


def test_a_match_is_saved_and_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "a b.json"
    typed = f'move 21/20Pz 1709\nsave "{file}"\nquit\n'
    assert play("weissenberg", "--lang", "en", stdin=typed).exit_code == 0
    assert json.loads(file.read_text(encoding="utf-8"))["answers"] == [["move", "21/20Pz", "1709"]]
    result = play(str(file), "--lang", "en", stdin="move 21/20Pz 1708\nquit\n")
    assert "21/20Pz has moved already" in result.stdout


def test_a_match_is_kept_in_its_file_when_the_person_leaves(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    play("weissenberg", "--save", str(file), stdin="move 21/20Pz 1709\nend\n")
    assert len(json.loads(file.read_text(encoding="utf-8"))["answers"]) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["wissenberg"], "near matches: weissenberg"),
        (["weissenberg", "--auto", "germans"], "near matches: german"),
        (["weissenberg", "--auto", "german=major"], "known: sergeant, colonel, general"),
        (["weissenberg", "--level", "colonell"], "near matches: colonel"),
        (["weissenberg", "--save", "/nowhere/m.json"], "can't be written"),
    ],
)
def test_what_can_not_be_played_is_refused(words: list[str], message: str) -> None:
    result = play(*words, "--lang", "en")
    assert result.exit_code == 2
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_file_that_is_no_match_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text('{"record": 1}')
    result = play(str(file))
    assert result.exit_code == 2
    assert "version" in result.stderr
