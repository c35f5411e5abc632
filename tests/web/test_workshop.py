"""The workshop page: drafts are drawn, changed and kept; it is off where others reach it."""

import html
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from grognard.rules import game_places
from grognard.study.workshop.card_text import read_data
from grognard.study.workshop.draft import checked
from grognard.study.workshop.sample import Sample
from grognard.web.app import create
from grognard.web.templating import fill
from grognard.web.workshop.shown_draft import shown_draft
from grognard.words.refusal import Refusal
from tests.web.serving import served

TABLE = "die 1-2 1-1 2-1 3-1\n1-2 AE AR EX DR\n3-4 AR - DR DR\n5-6 - DR DE DE"
Posted = dict[str, Any]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("own")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grognard.study.workshop.kept_games.data_folder", lambda: folder)
        patch.setattr("grognard.rules.game_places.data_folder", lambda: folder)
        game_places.refresh()
        yield folder
    game_places.refresh()


@pytest.fixture(scope="module")
def workshop(own: Path) -> Iterator[httpx.Client]:
    with served(create(own / "matches.sqlite", workshop=True)) as client:
        yield client


@pytest.fixture
def draft(workshop: httpx.Client) -> Posted:
    paste = {"do": "paste", "at": [0], "value": TABLE}
    name = {"do": "words", "at": ["name"], "value": "Ford"}
    posted = {"card": {"tables": [{"grid": []}]}, "changes": [paste, name]}
    card: Posted = workshop.post("/workshop/draft", json=posted).json()["card"]
    return card


def words(text: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text)))


def test_the_first_sight_is_a_card_with_its_odds(workshop: httpx.Client) -> None:
    page = workshop.get("/workshop").text
    assert 'value="AE"' in page
    assert "Possible outcomes" in words(page)
    assert "Keep as my game" in words(page)
    french = words(workshop.get("/workshop?lang=fr").text)
    assert "Garder comme mon jeu" in french
    assert "/workshop" in workshop.get("/").text


def test_the_odds_of_the_sample_follow_every_change(workshop: httpx.Client, draft: Posted) -> None:
    sample = {"attack": 8, "defence": 4}  # 2-1: EX, DR, DE, a third each

    def eliminated(*changes: Posted) -> str:
        posted = {"card": draft, "sample": sample, "changes": changes}
        told = words(workshop.post("/workshop/draft", json=posted).json()["html"])
        found = re.search(r"◆ eliminated ([\d.]+) %", told)
        return found[1] if found else "0"

    assert eliminated() == "66.7"
    assert eliminated({"do": "cell", "at": [0, 2, 3], "value": "DE"}) == "100"
    assert eliminated({"do": "effect", "at": [0, "EX", 0, 0, "what"], "value": "nothing"}) == "33.3"


def test_what_is_missing_is_told_in_its_place(workshop: httpx.Client, draft: Posted) -> None:
    changes = [
        {"do": "cell", "at": [0, 1, 1], "value": "Q"},
        {"do": "cell", "at": [0, 0, 1], "value": "weak"},
        {"do": "cell", "at": [0, 1, 2], "value": ""},
        {"do": "dice", "at": [0], "value": "2d"},
    ]
    answer = workshop.post("/workshop/draft", json={"card": draft, "changes": changes[:1]}).json()
    assert "What does Q do? Pick it here." in words(answer["html"])
    assert "Possible outcomes" in words(answer["html"])  # it does nothing yet
    answer = workshop.post("/workshop/draft", json={"card": draft, "changes": changes}).json()
    told = words(answer["html"])
    assert "Empty cells: 1." in told
    assert "No number is read in these labels: weak." in told
    assert "The odds follow as soon as the table can be read." in told
    assert ".toml:" not in told
    assert re.search(r'id="keep"[^>]* disabled', answer["html"])


@pytest.mark.slow
def test_a_game_is_kept_played_and_changed(
    workshop: httpx.Client, own: Path, draft: Posted
) -> None:
    kept = workshop.post("/workshop/keep", json={"card": draft}).json()
    assert kept == {"id": "ford", "link": "/games/ford?lang=en"}
    page = workshop.get("/games/ford/attack").text
    assert "Ford" in page
    assert "Ford" in workshop.get("/").text
    again = workshop.post("/workshop/keep", json={"card": draft})
    assert again.status_code == 409
    assert "replace it?" in again.json()["refusal"]
    cell = {"do": "cell", "at": [0, 1, 1], "value": "A4"}
    other = workshop.post("/workshop/draft", json={"card": draft, "changes": [cell]}).json()["card"]
    assert workshop.post("/workshop/keep", json={"card": other, "replace": True}).status_code == 200
    assert "A4" in workshop.get("/games/ford/attack").text
    assert 'value="A4"' in workshop.get("/workshop?game=ford").text
    assert [file.name for file in (own / "games").iterdir()] == ["ford.toml"]


def test_a_card_is_taken_up(workshop: httpx.Client) -> None:
    file = Path(__file__).parents[2] / "examples" / "games" / "fire-lane.toml"
    take = {"do": "take-up", "at": [file.name], "value": file.read_text(encoding="utf-8")}
    posted = {"card": {}, "changes": [take]}
    answer = workshop.post("/workshop/draft", json=posted).json()
    assert answer["card"]["checks"][0]["against"] == "morale"
    assert "Possible outcomes" in words(answer["html"])


def test_a_card_that_is_taken_up_changed_and_kept_keeps_its_comments(
    workshop: httpx.Client, own: Path
) -> None:
    file = Path(__file__).parents[2] / "examples" / "games" / "fire-lane.toml"
    text = file.read_text(encoding="utf-8")
    take = {"do": "take-up", "at": [file.name], "value": text}
    name = {"do": "words", "at": ["name"], "value": "Gun Lane"}
    answer = workshop.post("/workshop/draft", json={"card": {}, "changes": [take]}).json()
    shown = words(answer["html"])
    assert "changed only in the file: credit; checks: Morale check; states: pinned" in shown
    posted = {"card": answer["card"], "text": answer["text"], "changes": [name]}
    again = workshop.post("/workshop/draft", json=posted).json()
    kept = {"card": again["card"], "text": again["text"]}
    assert workshop.post("/workshop/keep", json=kept).status_code == 200
    written = (own / "games" / "gun-lane.toml").read_text(encoding="utf-8")
    assert "# how far the roll exceeds the morale" in written
    assert '[map]\nzoc = "none"' in written
    page = workshop.get("/games/gun-lane/fire").text
    assert 'href="/workshop?game=gun-lane"' in page
    (own / "games" / "gun-lane.toml").unlink()
    game_places.refresh()


@pytest.mark.parametrize("on", [True, False])
def test_pages_link_to_the_workshop_where_it_is_on(on: bool, tmp_path: Path) -> None:
    """A game whose rules are in Python can't be edited there."""
    with served(create(tmp_path / "matches.sqlite", workshop=on)) as client:
        assert ('href="/workshop"' in client.get("/").text) == on
        assert "/workshop?game=" not in client.get("/games/bautzen/attack").text


def test_a_card_of_several_tables_is_edited_in_the_readers_language(workshop: httpx.Client) -> None:
    file = Path(__file__).parents[2] / "examples" / "games" / "two-roads.toml"
    take = {"do": "take-up", "at": [file.name], "value": file.read_text(encoding="utf-8")}
    word = {"do": "words", "at": ["tables", 1], "value": "Combat de mouvement"}
    posted = {"card": {}, "sample": {"facts": {"manner": "mobile"}}, "changes": [take, word]}
    answer = workshop.post("/workshop/draft?lang=fr", json=posted).json()
    assert 'value="Assaut"' in answer["html"]
    assert answer["card"]["tables"][1]["text"] == {
        "en": "Mobile combat",
        "fr": "Combat de mouvement",
    }
    lit = re.search(
        r'<th scope="col" class="in-question"><input[^>]*id="cell-(\d)-', answer["html"]
    )
    assert lit is not None
    assert lit[1] == "1"  # the second table is read


@pytest.mark.parametrize(
    ("posted", "problem"),
    [
        ({}, "the key 'card' is missing"),
        ({"card": {"tables": 3}}, "expected a list"),
        ({"card": {"tables": []}}, "1 to 12 tables"),
        ({"card": {"tables": [{"grid": [[1]]}]}}, "expected a text"),
        ({"card": {}, "changes": [{"do": "dance"}]}, "'dance' is not a change"),
        ({"card": {}, "changes": [{"do": "cell", "at": [7, 0, 0]}]}, "has nothing at"),
        ({"card": {}, "changes": [{"do": "paste", "at": [0], "value": "x"}]}, "no table yet"),
        ({"card": {}, "changes": [{"do": "take-up", "value": "a = "}]}, "not TOML"),
        ({"card": {"name": "x" * 70_000}}, "too long"),
    ],
)
def test_bad_drafts_are_refused(workshop: httpx.Client, posted: Posted, problem: str) -> None:
    answer = workshop.post("/workshop/draft", json=posted)
    assert answer.status_code == 422
    assert problem in answer.json()["refusal"]


def test_names_stay_in_the_folder_and_games_of_the_package_as_they_are(
    workshop: httpx.Client, own: Path, draft: Posted
) -> None:
    escaped = {"card": {**draft, "name": "../../../escaped"}}
    assert workshop.post("/workshop/keep", json=escaped).json()["id"] == "escaped"
    assert (own / "games" / "escaped.toml").is_file()
    taken = {"card": {**draft, "name": "Bautzen"}, "replace": True}
    answer = workshop.post("/workshop/keep", json=taken)
    assert answer.status_code == 422
    assert "another game 'bautzen'" in answer.json()["refusal"]
    unfinished = {
        "card": {**draft, "name": "Half", "tables": [{"grid": [["", "1-1"], ["1", "Q"]]}]}
    }
    assert workshop.post("/workshop/keep", json=unfinished).status_code == 422
    assert not (own / "games" / "half.toml").exists()


def test_sample_numbers_out_of_bounds_are_brought_back(
    workshop: httpx.Client, draft: Posted
) -> None:
    huge = {"attack": 5_000, "attacker_steps": 5_000, "defender_steps": -5}
    answer = workshop.post("/workshop/draft", json={"card": draft, "sample": huge})
    assert answer.status_code == 200


def test_it_is_off_unless_it_is_switched_on(tmp_path: Path) -> None:
    with served(create(tmp_path / "matches.sqlite")) as client:
        page = client.get("/workshop")
        assert page.status_code == 403
        assert "the workshop is off here" in html.unescape(page.text)
        assert client.post("/workshop/keep", json={"card": {}}).status_code == 404
        assert "/workshop" not in client.get("/").text


def test_facts_of_its_own_modifiers_are_not_named_as_kept(
    workshop: httpx.Client, draft: Posted
) -> None:
    """The page words the fact of a modifier; one that nothing on the page stands for is kept."""
    fords = {"do": "modifier", "at": [0, "text"], "value": "Fords"}
    changes = [{"do": "add-modifier", "at": [], "value": ""}, fords]
    posted: Posted = {"card": draft, "changes": changes}
    card = workshop.post("/workshop/draft", json=posted).json()["card"]
    assert [fact["id"] for fact in card["facts"]] == ["fords"]
    assert shown_draft(checked(card), Sample(), "en").untouched == ()
    card["facts"].append({"id": "fog", "kind": "flag", "text": "Fog"})
    assert shown_draft(checked(card), Sample(), "en").untouched == ("facts: Fog",)


def test_rules_in_python_are_not_for_the_workshop(workshop: httpx.Client) -> None:
    page = workshop.get("/workshop?game=bautzen")
    assert page.status_code == 422
    assert "in Python" in page.text
    assert workshop.get("/workshop?game=nowhere").status_code == 404


JUNK: tuple[object, ...] = (None, 3, "x", [[]], {})
SMALL = """
[[procedures]]
below = "refused"
[[tables]]
grid = "die 1-1 2-1\\n1-3 - M\\n4-6 M -"
results = { "-" = "nothing", M = { does = "defender checks morale" } }
[[checks]]
id = "morale"
against = "morale"
fails = "is pinned"
[[states]]
id = "pinned"
[[unit_fields]]
id = "morale"
[[facts]]
id = "night"
kind = "flag"
[[modifiers]]
id = "night"
changes = "die"
value = -1
when = "night"
[[terrain]]
id = "wood"
[phrases]
word-x = "x"
"""


def spoiled(data: object, junk: object) -> Iterator[object]:
    """Give the data with one value after the other replaced."""
    yield junk
    if isinstance(data, dict):
        for key, value in data.items():
            yield from ({**data, key: other} for other in spoiled(value, junk))
    elif isinstance(data, list):
        for place in range(min(2, len(data))):
            for other in spoiled(data[place], junk):
                yield [*data[:place], other, *data[place + 1 :]]


@pytest.mark.parametrize("junk", JUNK, ids=repr)
def test_any_data_is_drawn_or_refused(junk: object) -> None:
    card = read_data(SMALL, "small.toml")
    for data in spoiled(card, junk):
        if isinstance(data, dict):
            with suppress(Refusal):
                fill("workshop_card.html", "en", view=shown_draft(checked(data), Sample(), "en"))
