"""Documents tell the truth: examples run, links lead somewhere, paths and glossary words exist."""

import doctest
import re
from pathlib import Path

import pytest

import grognard
from grognard.card.effects import VOCABULARY
from tests import tutorials

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "grognard"
DESIGNERS = "docs/tutorial-designers.md"
PAGES = [
    "CONTRIBUTING.md",
    "README.md",
    "docs/cards.md",
    "docs/design.md",
    "docs/dice.md",
    "docs/games.md",
    "docs/glossary.md",
    "docs/mail.md",
    "docs/rules.md",
    DESIGNERS,
    "docs/tutorial-players.md",
    "docs/tutorial-programmers.md",
]


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("page", sorted({*tutorials.PAGES} - {DESIGNERS}))
def test_examples_give_the_output_that_is_shown(page: str, tmp_path: Path) -> None:
    assert tutorials.rendered(read(page), tmp_path) == read(page), "run `make tutorials`"


@pytest.mark.slow
def test_designers_see_the_numbers_and_the_parts_of_the_report_that_are_shown(
    tmp_path: Path,
) -> None:
    text = read(DESIGNERS)
    assert tutorials.rendered(text, tmp_path) == text, "run `make tutorials`"
    named = re.findall(r"\*\*(.+?)\*\*", text)
    assert len(named) == 9
    report = (tmp_path / "changed.html").read_text(encoding="utf-8")
    assert [part for part in named if part not in report] == []


def test_the_package_example_runs() -> None:
    assert doctest.testmod(grognard) == (0, 2)


@pytest.mark.parametrize("page", PAGES)
def test_the_first_line_says_for_whom_it_is(page: str) -> None:
    title, blank, first = read(page).splitlines()[:3]
    assert title.startswith("# ")
    assert (blank, first[:4]) == ("", "For ")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_a_file_and_a_heading(page: str) -> None:
    text = without_blocks(read(page))
    for target, heading in re.findall(r"\]\(([^)#:]*)#?([^)]*)\)", text):
        file = (ROOT / page).parent / target if target else ROOT / page
        assert file.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {anchor(words) for words in headings}, heading


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES)
def test_paths_in_the_tree_exist(page: str) -> None:
    text = without_blocks(read(page))
    for path in re.findall(r"`((?:src|tests|docs|examples|requirements)/[^`<>…]+)`", text):
        assert list(ROOT.glob(path)), path


def test_words_of_the_glossary_live_where_it_says() -> None:
    row = re.compile(r"^\| .* \| `(\w+)`(?:: `(\w+)`)? \|$", re.MULTILINE)
    rows = row.findall(read("docs/glossary.md"))
    assert len(rows) > 60
    for package, name in rows:
        folder = SOURCES / package
        assert folder.is_dir(), package
        if name and not (folder / f"{name}.py").exists():
            defined = re.compile(rf"^(class )?{name}\b(\(| =|:)", re.MULTILINE)
            texts = (file.read_text(encoding="utf-8") for file in folder.rglob("*.py"))
            assert any(map(defined.search, texts)), f"{package}: {name}"


def test_the_glossary_is_in_the_order_of_the_alphabet() -> None:
    for part in read("docs/glossary.md").split("\n## ")[1:]:
        words = re.findall(r"^\| (\w.*?) \|", part, re.MULTILINE)[1:]
        assert words == sorted(words)


@pytest.mark.parametrize("name", ["Procedure", "Trim", "trimmed", "moved", "check_game"])
def test_the_page_on_games_explains_what_rules_in_python_call(name: str) -> None:
    assert f"`{name}" in read("docs/games.md")


def test_the_page_on_cards_has_the_whole_vocabulary() -> None:
    page = (ROOT / "docs" / "cards.md").read_text(encoding="utf-8")
    part = page.partition("### 3.")[2].partition("### 4.")[0]
    assert re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE) == [*VOCABULARY]
