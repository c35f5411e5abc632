"""`grognard report`: the page, its JSON, and refusals that write nothing."""

import json
import re
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grognard.rules import game
from grognard.study import player_sheet
from grognard.words.text import LANGS
from tests.command import refused, run
from tests.reports import Reports

EXAMPLES = Path(__file__).parents[2] / "examples"
CARD = Path(game.__file__).parents[1] / "games" / "bautzen" / "card.toml"
FRACTION = re.compile(r"-?\d+(/\d+)?")
NUMBERS = (
    "attacker_steps_lost",
    "defender_steps_lost",
    "taken",
    "vacated",
    "attacker_shaken",
    "defender_shaken",
    "attacker_eliminated",
    "defender_eliminated",
    "worth",
)


@cache  # a report takes some seconds, and several tests use the same one
def shown(*words: str, stdin: str | None = None) -> str:
    result = run("report", *words, stdin=stdin)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def data(*words: str, stdin: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shown(*words, "--json", stdin=stdin))
    return found


def attack(found: dict[str, Any]) -> dict[str, Any]:
    procedure: dict[str, Any] = found["procedures"][0]
    return procedure


class Page(HTMLParser):
    """The links, ids, headings and table captions of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.named: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.links += [str(given[name]) for name in ("href", "src") if given.get(name)]
        self.ids += [str(given["id"])] if "id" in given else []
        if given.get("role") == "region":
            self.named.append(str(given.get("aria-label") or given.get("aria-labelledby")))


# ------------------------------------------------------------------ the page


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("id_", game.ids())
def test_every_game_has_its_page_in_both_languages(id_: str, lang: str, reports: Reports) -> None:
    html = reports(id_, lang).read_text(encoding="utf-8")
    page = Page(html)
    assert f'<html lang="{lang}">' in html
    for sheet in player_sheet.rolled(id_):
        assert sheet.procedure in page.ids
        assert sheet.text.in_("fr" if lang == "fr" else "en") in html
    assert len(page.ids) == len(set(page.ids))
    assert len(page.named) == len(set(page.named))  # nobody hears the same name twice


@pytest.mark.slow
@pytest.mark.parametrize("id_", game.ids())
def test_the_page_needs_nothing_else(id_: str, reports: Reports) -> None:
    html = reports(id_, "en").read_text(encoding="utf-8")
    page = Page(html)
    assert not re.search(r"https?://", html.replace("http://www.w3.org/2000/svg", ""))
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not re.search(r"@import|url\(", html)


@pytest.mark.slow
def test_numbers_stand_on_the_page_with_their_fractions(reports: Reports) -> None:
    english, french = (reports("bautzen", lang).read_text(encoding="utf-8") for lang in LANGS)
    assert 'title="5/6">0.83' in english
    assert 'title="5/6">0,83' in french
    assert "One column more" in english
    assert "Une colonne de plus" in french


@pytest.mark.slow
def test_names_are_only_names() -> None:
    stated = json.dumps(
        {
            "game": "bautzen",
            "attackers": [{"name": "<script>x</script>", "attack": 8}],
            "defenders": [{"name": "D", "defence": 4}],
        }
    )
    html = shown("bautzen", "--fight", "-", stdin=stated)
    assert "&lt;script&gt;x" in html
    assert "<script" not in html


# ------------------------------------------------------------------ what is asked


@pytest.mark.slow
def test_doctrines_are_chosen_and_named() -> None:
    found = data("bautzen", "--attacker", "take", "--defender", "hold")
    assert found["doctrines"] == {"attacker": "take", "defender": "hold"}
    html = shown("bautzen", "--attacker", "take", "--defender", "hold", "--lang", "en")
    assert "take the ground, then spare the units" in html
    assert attack(found)["places"] != attack(data("bautzen"))["places"]


@pytest.mark.slow
def test_an_option_is_played_and_named() -> None:
    found = data("bautzen", "--option", "low_die=no_effect")
    assert found["options"]["low_die"] == "no_effect"
    low = next(
        place
        for place in attack(found)["places"]
        if (place["column"], place["die"]) == ("1/2-", -2)
    )
    # 3, 3, 2, 2 for 3 to 6; nothing for 1 and 2, which are below the table
    assert low["attacker_steps_lost"] == str(Fraction(3 + 3 + 3 + 2, 6))
    assert "low_die = no_effect" in shown("bautzen", "--option", "low_die=no_effect")


@pytest.mark.slow
def test_a_fight_of_one_s_own_is_the_start(tmp_path: Path) -> None:
    stated = (EXAMPLES / "bautzen.toml").read_text(encoding="utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(stated.replace("formation_complete = true", ""), encoding="utf-8")
    found = attack(data("bautzen", "--fight", str(mine)))
    assert found["own"]
    assert found["here"] == {"column": "3/1", "die": -1}  # the village
    assert "Your fight:" in shown("bautzen", "--fight", str(mine), "--lang", "en")


@pytest.mark.slow
def test_options_of_the_file_hold_unless_the_command_says_otherwise(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    stated = (EXAMPLES / "bautzen.toml").read_text(encoding="utf-8")
    head = 'options = { low_die = "no_effect", ratio_clamp = "after" }\n'
    mine.write_text(head + stated, encoding="utf-8")
    found = data("bautzen", "--fight", str(mine), "--option", "ratio_clamp=before")
    assert found["options"]["low_die"] == "no_effect"
    assert found["options"]["ratio_clamp"] == "before"


@pytest.mark.slow
def test_a_card_of_one_s_own_is_compared_with_the_game_s(tmp_path: Path) -> None:
    mine = tmp_path / "my-card.toml"
    text = CARD.read_text(encoding="utf-8")
    mine.write_text(text.replace('["1",   "3/0"', '["1",   "2/0"'), encoding="utf-8")
    found = data("bautzen", "--card", str(mine))
    assert found["against"]["changed"] == [
        {"what": "Combat results, 1 × 1/2-", "then": "3/0", "now": "2/0"}
    ]
    changed = {
        (place["column"], place["die"]): place["attacker_steps_lost"]
        for place in attack(found)["difference"]
        if place["attacker_steps_lost"] != "0"
    }
    # Row 1 is rolled with a 1 and, where the die is lowered, with more.
    assert changed == {
        ("1/2-", -3): "-2/3",
        ("1/2-", -2): "-1/2",
        ("1/2-", -1): "-1/3",
        ("1/2-", 0): "-1/6",
    }
    html = shown("bautzen", "--card", str(mine), "--lang", "en")
    assert "What differs on the card" in html
    assert "What changes" in html


@pytest.mark.slow
def test_against_compares_with_an_option_or_a_card(tmp_path: Path) -> None:
    option = data("bautzen", "--against", "low_die=no_effect")
    assert option["against"]["options"]["low_die"] == "no_effect"
    assert option["options"]["low_die"] == "row_1"
    assert any(place["attacker_steps_lost"] != "0" for place in attack(option)["difference"])
    same = tmp_path / "same.toml"
    same.write_text(CARD.read_text(encoding="utf-8"), encoding="utf-8")
    card = data("bautzen", "--against", str(same))
    assert card["against"]["changed"] == []
    assert all(place["worth"] == "0" for place in attack(card)["difference"])
    assert "every number is the same" in shown("bautzen", "--against", str(same), "--lang", "en")


# ------------------------------------------------------------------ JSON


@pytest.mark.slow
@pytest.mark.parametrize("id_", game.ids())
def test_json_has_the_keys_of_the_page_and_only_exact_numbers(id_: str) -> None:
    found = data(id_)
    assert set(found) == {"game", "options", "doctrines", "against", "procedures"}
    assert found["against"] is None
    assert [p["procedure"] for p in found["procedures"]] == [
        sheet.procedure for sheet in player_sheet.rolled(id_)
    ]
    for procedure in found["procedures"]:
        assert set(procedure) == {
            "procedure",
            "table",
            "own",
            "fight",
            "as_stated",
            "here",
            "measures",
            "places",
            "brings",
            "shifts",
            "modifiers",
            "printed",
            "uneven",
            "luck",
            "doubts",
            "switches",
            "difference",
        }
        for place in procedure["places"]:
            assert set(place) == {"column", "die", *NUMBERS}
            assert all(FRACTION.fullmatch(place[number]) for number in NUMBERS)
        for lot in procedure["luck"]:
            for number in ("attacker_steps_lost", "defender_steps_lost", "worth"):
                chances = [Fraction(chance) for chance in lot[number]["chances"].values()]
                assert sum(chances) == 1
                assert set(lot[number]["points"]) == {"10", "50", "90"}
                variance = float(Fraction(lot[number]["variance"]))
                assert float(lot[number]["deviation"]) == pytest.approx(variance**0.5, abs=1e-6)
            assert sum(Fraction(lot[stand]) for stand in ("ahead", "equal", "behind")) == 1
        for dip in (*procedure["uneven"]["printed"], *procedure["uneven"]["expected"]):
            by = abs(Fraction(dip["here"]) - Fraction(dip["there"]))
            assert Fraction(dip["worse_by"]) == by > 0


@pytest.mark.slow
def test_the_keys_are_documented() -> None:
    text = (EXAMPLES.parent / "docs" / "report.md").read_text(encoding="utf-8")

    def keys(value: object) -> set[str]:
        if isinstance(value, list):
            return set().union(*map(keys, value[:1]))
        if isinstance(value, dict):
            return set(value).union(*map(keys, value.values()))
        return set()

    procedure = attack(data("bautzen", "--against", "low_die=no_effect"))
    own = {"fight": None, "brings": procedure["brings"]["die"]}
    for key in keys({**procedure, **own}) - {"0", "1", "2", "3", "10", "50", "90"}:
        if not FRACTION.fullmatch(key):
            assert f"`{key}`" in text, key


# ------------------------------------------------------------------ where it goes


@pytest.mark.slow
def test_the_page_is_written_to_a_file_and_replaces_what_was_there(
    tmp_path: Path, reports: Reports
) -> None:
    target = tmp_path / "bautzen.html"
    target.write_text("old", encoding="utf-8")
    assert run("report", "bautzen", "-o", str(target), "--lang", "fr").stdout == ""
    assert target.read_bytes() == reports("bautzen", "fr").read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["bautzen.html"]


@pytest.mark.slow
def test_json_is_written_to_a_file_too(tmp_path: Path) -> None:
    target = tmp_path / "bautzen.json"
    assert run("report", "bautzen", "--json", "-o", str(target)).stdout == ""
    assert json.loads(target.read_text(encoding="utf-8"))["game"] == "bautzen"


@pytest.mark.slow
def test_a_link_is_followed(tmp_path: Path) -> None:
    target, link = tmp_path / "real.html", tmp_path / "link.html"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    assert run("report", "bautzen", "-o", str(link)).exit_code == 0
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")


# ------------------------------------------------------------------ refusals

REFUSED = {
    "no-game": ["waterloo"],
    "no-option": ["bautzen", "--option", "low_dye=row_1"],
    "no-choice": ["bautzen", "--option", "low_die=row_9"],
    "no-doctrine": ["bautzen", "--attacker", "bold"],
    "no-fight": ["bautzen", "--fight", "nowhere.toml"],
    "other-game": ["bautzen", "--fight", str(EXAMPLES / "normandy.toml")],
    "no-dice": ["normandy", "--fight", str(EXAMPLES / "normandy-reinforcements.toml")],
    "no-card": ["bautzen", "--card", "nowhere.toml"],
    "other-card": ["normandy", "--card", str(CARD)],
    "against-nothing": ["bautzen", "--against", "nowhere.toml"],
    "against-no-option": ["bautzen", "--against", "low_dye=row_1"],
    "against-two-cards": ["bautzen", "--against", str(CARD), "--against", str(CARD)],
    "damaged": ["white-october", "--option", "damaged_cells=refuse"],
}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED)
def test_a_refusal_is_one_line_and_writes_nothing(
    words: list[str], lang: str, tmp_path: Path
) -> None:
    target = tmp_path / "page.html"
    target.write_text("old", encoding="utf-8")
    refused("report", *words, "--lang", lang, "-o", target)
    assert target.read_text(encoding="utf-8") == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    said = refused("report", "bautzen", "-o", tmp_path / "nowhere" / "page.html", "--lang", "en")
    assert "can't be written: there is no such folder" in said
    assert not list(tmp_path.iterdir())


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    said = refused("report", "bautzen", "-o", tmp_path, "--lang", "fr")
    assert "ce n'est pas un fichier" in said
    assert not list(tmp_path.iterdir())


def test_a_wrong_fight_is_refused_with_its_place(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('game = "bautzen"\nterrain = ["moon"]\n', encoding="utf-8")
    said = refused("report", "bautzen", "--fight", wrong, "--lang", "en")
    assert "wrong.toml" in said
