"""Games of the user on the command line: `new`, `check`, `--games`, and broken ones."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grognard.cli.main import main
from grognard.cli.new import FAMILIES, starter
from grognard.rules import game_places
from tests.example_games import SMALL_CARD as CARD

RULES = "from grognard.games.bautzen.rules import PROCEDURES\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in (game_places.FOLDERS, game_places.ALLOWED):
        monkeypatch.setenv(name, "")
    game_places.refresh()
    yield
    game_places.refresh()


def run(*words: str) -> Result:
    """Run a command as a process of its own would: with the games as they are now."""
    game_places.refresh()
    return CliRunner().invoke(main, words, catch_exceptions=False)


def write(name: str, text: str) -> None:
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    "family", [FAMILIES[0], *(pytest.param(f, marks=pytest.mark.slow) for f in FAMILIES[1:])]
)
def test_a_starter_works_at_once(family: str) -> None:
    assert run("new", "my-game", "--like", family).exit_code == 0
    checked = run("check", "my-game.toml")
    assert checked.exit_code == 0, checked.stderr
    assert "my-game: read, proved on random fights, ready to play" in checked.stdout
    assert "is worse for the attacker" not in checked.stdout
    assert "My game" in run("games", "--games", ".").stdout
    assert run("card", "my-game", "--games", ".").exit_code == 0


@pytest.mark.parametrize("name", ["../x", "", "1st", "a.toml", '"', "日本"])
def test_a_name_that_no_game_can_have_is_refused(name: str) -> None:
    ran = run("new", name)
    assert ran.exit_code == 2
    assert "expected letters, digits, blanks and -, a letter first" in ran.stderr


def test_a_file_that_can_t_be_read_as_toml_is_not_just_no_game() -> None:
    write("deep.toml", "a = " + "[" * 3000)
    assert "deep.toml:1: this is nested too deeply" in run("check", "deep.toml").stderr
    write("fight.toml", 'game = "bautzen"')
    assert "no game is here" in run("check", "fight.toml").stderr


SIGNED = """[[procedures]]
[[tables]]
grid = \"\"\"
die | -2 or less | -1 to +1 | +2 or more
1-3 | AR | AR | DR
4-6 | AR | DR | DE
\"\"\"
results = { AR = "attacker retreats 1", DR = "defender retreats 1", DE = "defender is eliminated" }
"""


def test_heads_with_a_sign_are_differences() -> None:
    write("signed.toml", SIGNED)
    fight = 'game = "signed"\nattackers = [{ name = "a", attack = 9 }]\n'
    write("fight.toml", f'{fight}defenders = [{{ name = "d", defence = 8 }}]\n')
    told = run("explain", "fight.toml", "--games", ".").stdout
    assert "9 − 8 = 1, column -1 to +1" in told


def test_an_empty_cell_is_refused_with_what_would_be_right() -> None:
    write("signed.toml", SIGNED.replace("4-6 | AR |", "4-6 |  |"))
    ran = run("check", "signed.toml")
    assert ran.exit_code == 2
    assert "signed.toml:6: " in ran.stderr
    assert "row '4-6' has an empty cell; write - where nothing happens" in ran.stderr


def test_a_field_that_is_not_there_is_named() -> None:
    gun = '[[modifiers]]\nid = "gun"\nchanges = "die"\nvalue = 1\nwhen = "attackers_kind has gun"\n'
    write("signed.toml", SIGNED + gun)
    ran = run("check", "signed.toml")
    assert ran.exit_code == 2
    assert 'is a row of [[unit_fields]], here with id = "kind"' in ran.stderr


def test_a_scenario_in_this_folder_is_pointed_at() -> None:
    write("signed.first.toml", "turns = 1")
    ran = run("play", "signed.first")
    assert ran.exit_code == 2
    assert "signed.first.toml is here: add --games ." in ran.stderr


def test_a_title_makes_the_name_of_the_file() -> None:
    assert run("new", "L'Été 44").exit_code == 0
    text = Path("l-ete-44.toml").read_text(encoding="utf-8")
    assert 'name = "L\'Été 44"' in text
    assert "l-ete-44          L'Été 44" in run("games", "--games", ".").stdout


def test_a_file_that_is_there_is_not_overwritten() -> None:
    write("mine.toml", "precious")
    assert run("new", "mine").exit_code == 2
    assert Path("mine.toml").read_text(encoding="utf-8") == "precious"


def test_the_smallest_game_can_be_played() -> None:
    write("tiny.toml", CARD)
    write(
        "fight.toml",
        'game = "tiny"\n'
        'attackers = [{ name = "A", attack = 6 }]\ndefenders = [{ name = "D", defence = 3 }]\n',
    )
    assert run("check", "tiny.toml").exit_code == 0
    told = run("odds", "fight.toml", "--games", "tiny.toml", "--lang", "fr").stdout
    assert "colonne 2:1" in told
    assert "50,0\u202f%" in told
    resolved = run("resolve", "fight.toml", "--games", ".", "--dice", "5", "--auto").stdout
    assert "Row 4-6, column 2:1: DE" in resolved


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("defender is eliminated", "defender is gone", 12, "there is no state 'gone'"),
        ("retreats 1", "runs 1", 10, "not something that a result can do; near matches: "),
        ("AR   DR", "AR   XX", 6, "result 'XX' of cell 'XX' is not in the legend"),
        ("1:1  2:1", "one  two", 5, "where each of one, two starts is not clear"),
        ("DE = ", "D/r = ", 12, 'digits, - and _ stands in quotes: "D+"'),
        ("[[procedures]]", '[[procedures]]\nbelow = "AX"', 3, "'AX' is neither first, refused nor"),
    ],
)
def test_a_wrong_card_is_refused_with_its_line(old: str, new: str, line: int, told: str) -> None:
    write("wrong.toml", CARD.replace(old, new, 1))
    ran = run("check", "wrong.toml")
    assert ran.exit_code == 2
    assert told in ran.stderr
    assert f"wrong.toml:{line}: " in ran.stderr


@pytest.mark.slow
def test_advice_ends_with_status_0_and_a_broken_scenario_with_status_2() -> None:
    write("odd.toml", CARD.replace("4-6  DR   DE", "4-6  DE   DR") + "[map]\n")
    ran = run("check", "odd.toml")
    assert ran.exit_code == 0, ran.stderr
    assert "odd.toml:7: advice: DR (row 4-6, column 2:1) is worse for the attacker" in ran.stdout
    write("odd.first.toml", "turns = 2\n")
    ran = run("check", "odd.toml")
    assert ran.exit_code == 2
    assert "odd.first.toml" in ran.stderr
    assert "ready to play" not in ran.stdout


@pytest.mark.parametrize("family", FAMILIES)
def test_a_starter_speaks_the_language_of_its_reader(family: str) -> None:
    """Every comment and text is translated; the keys, the table and the vocabulary are the same."""
    english, french = starter(family, "en"), starter(family, "fr")
    for line, translated in zip(english.splitlines(), french.splitlines(), strict=True):
        code, _, comment = line.rpartition("# ")
        if comment and not line.startswith(("text = ", "about = ")) and "# " in line:
            same = "=" in comment and not code.strip(" #")  # a key that is left out
            assert translated.startswith(code.rstrip("# "))
            assert (translated == line) == same, line
        elif line.startswith(("text = ", "about = ")):
            assert translated != line
        else:
            assert translated == re.sub("^die  ", "dé   ", line)  # the corner of a table
    assert run("new", "mon-jeu", "--like", family, "--lang", "fr").exit_code == 0
    written = Path("mon-jeu.toml").read_text(encoding="utf-8")
    assert written == french.replace("{name}", "mon-jeu").replace("{title}", "Mon jeu")
    assert run("card", "mon-jeu", "--games", ".", "--lang", "fr").exit_code == 0


def test_a_broken_game_is_listed_and_the_others_work() -> None:
    write("games/good.toml", CARD)
    write("games/bad.toml", CARD.replace("AR = ", "A = "))
    write("games/worse.toml", "[[tables]]\n= \n")
    write("games/bautzen.toml", CARD)
    listed = run("games", "--games", "games")
    assert listed.exit_code == 0
    assert "can't be used: " in listed.stdout
    assert "there is another game 'bautzen'" in listed.stdout
    assert run("card", "good", "--games", "games").exit_code == 0
    assert run("card", "bautzen", "--games", "games").exit_code == 0
    refused = run("card", "bad", "--games", "games")
    assert refused.exit_code == 2
    assert "bad.toml" in refused.stderr


def test_an_id_that_differs_from_the_file_is_refused_with_its_line() -> None:
    write("one.toml", 'id = "other"\n' + CARD)
    ran = run("check", "one.toml")
    assert ran.exit_code == 2
    assert "one.toml:1: id: the id 'other' differs" in ran.stderr


OPTION = """[[options]]
id = "fog"
text = "Fog"
reading = { status = "assumed", reason = "The print is silent." }
choices = [{ id = "no", text = "no" }, { id = "yes", text = "yes" }]
"""


def test_a_description_below_the_options_is_read_or_refused_with_what_would_be_right() -> None:
    """In TOML a plain key belongs to the part above it; a table of its own does not."""
    write("games/table.toml", OPTION + '[about]\nen = "Below."\n' + CARD)
    write("games/plain.toml", OPTION + 'about = "Below."\n' + CARD)
    listed = run("games", "--games", "games")
    assert "Below." in listed.stdout
    assert "bautzen" in listed.stdout
    refused = run("check", "games/plain.toml")
    assert refused.exit_code == 2
    assert "plain.toml:6: options[0].about: unknown key 'about'" in refused.stderr
    assert "write it above the first [part]" in refused.stderr


def test_the_id_of_a_folder_may_not_differ_either() -> None:
    write("games/one/card.toml", 'id = "other"\n' + CARD)
    ran = run("check", "games/one")
    assert ran.exit_code == 2
    assert "card.toml:1: id: the id 'other' differs" in ran.stderr
    assert "expected 'one'" in ran.stderr


@pytest.mark.parametrize("place", ["variable", "option, folder", "option, file", "data folder"])
def test_where_games_live(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single file, or a folder with a card, in each of the places."""
    home = "data/grognard/games" if place == "data folder" else "mine"
    write(f"{home}/single.toml", CARD)
    write(f"{home}/whole/card.toml", CARD)
    if place == "variable":
        monkeypatch.setenv(game_places.FOLDERS, "nowhere:mine")
    words = {"option, folder": ("--games", "mine"), "option, file": ("--games", "mine/single.toml")}
    listed = run("games", *words.get(place, ())).stdout
    assert "single " in listed
    assert ("whole " in listed) == (place != "option, file")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_card_needs_one_language_and_the_other_face_shows_it(lang: str) -> None:
    words = CARD.replace("[[procedures]]", 'name = { fr = "Ma bataille" }\n[[procedures]]')
    write("mine.toml", words + '[[terrain]]\nid = "wood"\ntext = { fr = "Bois" }\n')
    told = run("card", "mine", "--games", ".", "--lang", lang).stdout
    assert "Ma bataille" in told
    assert "Bois" in told
    known = {"en": "the defender retreats a hex", "fr": "le défenseur recule d'un hex"}
    assert known[lang] in told


def test_a_table_of_differences_tells_a_difference() -> None:
    table = CARD.replace("1:1  2:1", "0    +7").replace(
        "grid", 'columns = { of = "difference" }\ngrid'
    )
    write("less.toml", table)
    write(
        "fight.toml",
        'game = "less"\nattackers = [{ name = "A", attack = 14 }]\n'
        'defenders = [{ name = "D", defence = 7 }]\n',
    )
    told = run("explain", "fight.toml", "--games", ".").stdout
    assert "14 − 7 = 7, column +7" in told
    assert "14 : 7" not in told


def test_games_are_found_in_the_data_folder_of_the_user() -> None:
    write("data/grognard/games/kept.toml", CARD)
    assert "Kept" in run("games").stdout


def test_python_runs_only_if_its_owner_has_allowed_it() -> None:
    shipped = game_places.PACKAGE / "bautzen" / "card.toml"
    text = shipped.read_text(encoding="utf-8").replace('id = "bautzen"', 'id = "mine"', 1)
    write("games/mine/card.toml", text)
    write("games/mine/__init__.py", "")
    write("games/mine/rules.py", RULES)
    refused = run("card", "mine", "--games", "games")
    assert refused.exit_code == 2
    assert "--allow-python mine" in refused.stderr
    assert run("card", "mine", "--games", "games", "--allow-python", "mine").exit_code == 0


def test_nothing_to_check_is_refused() -> None:
    assert run("check", "nowhere").exit_code == 2
    assert run("check", ".").exit_code == 2


def test_every_command_knows_a_game_from_a_file() -> None:
    write("tiny.toml", CARD)
    units = '[[attackers]]\nname = "A"\nattack = {}\n[[defenders]]\nname = "D"\ndefence = 3\n'
    write("fight.toml", 'game = "tiny"\n' + units.format(6))
    write("sweep.toml", 'game = "tiny"\n' + units.format("{ from = 3, to = 9 }"))
    here = ("--games", "tiny.toml")
    assert run("explain", "fight.toml", *here).exit_code == 0
    words = ("--auto", "--seed", "1", "--record", "record.json")
    assert run("resolve", "fight.toml", *words, *here).exit_code == 0
    assert run("replay", "record.json", *here).exit_code == 0
    assert run("report", "tiny", "-o", "report.html", *here).exit_code == 0
    assert run("sweep", "sweep.toml", "-o", "sweep.csv", "--workers", "1", *here).exit_code == 0
    rows = Path("sweep.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 7
