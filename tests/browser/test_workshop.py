"""The workshop in a browser: from a pasted table to a game that is played, also on a phone."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Screen, Server, Window, look, running

# As a scanner gives it: dashes of all lengths, an l for a 1, one cell missing.
PASTED = """\
COMBAT RESULTS
die\tl—2\t1—1\t2—1\t3—1
1\tA2\tA1\t—\tD1
2\tA1\t—\tD1\tD1
3\tA1\t\tD1\tDR
4\t—\tD1\tDR\tQ
5-6\tD1\tDR\tQ\tDE
"""
LEFT_EDGES = "cells => cells.map(cell => Math.round(cell.getBoundingClientRect().left))"


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve with a data folder of its own, in which games are kept."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        with running(folder / "matches.sqlite") as server:
            yield server


@pytest.mark.parametrize("screen", [Screen(), Screen(width=390, lang="fr")], ids=["desk", "phone"])
def test_from_a_pasted_table_to_a_game(
    browser: Browser, own_server: Server, screen: Screen, tmp_path: Path
) -> None:
    context, card = look(browser, screen), tmp_path / "card.toml"
    window = Window(context, own_server.address)
    page = window.open("/workshop")
    expect(page.locator(".answer .outcomes")).to_be_visible()  # the first sight has odds
    expect(page.locator("#cell-0-0-0")).to_have_value("die" if screen.lang == "en" else "dé")
    _paste_and_correct(page)
    _state_and_modify(page)
    _add_terrain(page)
    page.locator("#name").fill(f"Furt {screen.width}")
    page.reload()  # the draft stays in the browser
    expect(page.locator("#name")).to_have_value(f"Furt {screen.width}")
    expect(page.locator("#cell-0-4-4")).to_have_value("Q")
    for width in (1670 - screen.width, screen.width):  # 1280 and 390, in either language
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert len(set(page.locator(".chance").evaluate_all(LEFT_EDGES))) == 1, "below its head"
    with page.expect_download() as download:
        page.locator("#download").click()
    download.value.save_as(card)
    written = card.read_text(encoding="utf-8")
    assert "fords" in written
    assert 'id = "wood"' in written

    page.locator("#keep").click()
    page.locator("#kept a").click()
    expect(page).to_have_url(re.compile(f"/games/furt-{screen.width}/attack"))
    page.locator("#question [data-die='6']").click()
    expect(page.locator("td.hit")).to_be_visible()
    _take_up(window.open("/workshop"), card)
    context.close()
    assert window.problems == []


def _paste_and_correct(page: Page) -> None:
    """Correct what the scanner lost, and say what the unknown result does."""
    page.locator("#paste-0 summary").click()
    page.locator("#pasted-0").fill(PASTED)
    expect(page.locator("#cell-0-0-1")).to_have_value("1-2")
    expect(page.locator(".made-table > .pale")).to_contain_text("1")  # one empty cell
    expect(page.locator("#keep")).to_be_disabled()
    page.locator("#cell-0-3-2").fill("-")
    expect(page.locator(".made-table > .pale")).to_have_count(0)
    expect(page.locator("#cell-0-3-2")).to_be_focused()  # the page changed around it
    page.get_by_label(re.compile("What Q does|Ce que fait Q")).select_option("eliminate")
    side = page.locator("li.meaning:has(b:text-is('Q')) select").first
    expect(side).to_have_value("defender")
    expect(page.locator("#keep")).to_be_enabled()


def _tick(page: Page, what: str) -> None:
    """Tick a box; the page may be drawn anew meanwhile."""
    box = page.locator(f"[data-tick='{what}']")
    box.click()
    expect(box).to_be_checked()


def _state_and_modify(page: Page) -> None:
    """See the column of the sample fight move with its strengths and a new modifier."""
    page.locator("#sample-attack").fill("9")
    page.locator("#sample-defence").fill("3")
    lit = page.locator(".answer .headline strong.column")
    expect(lit).to_have_text(re.compile("3-1"))
    page.locator("#add-modifier").click()
    page.locator("#modifier-0-text").press_sequentially("Fords")
    _tick(page, "fact:fords")
    expect(page.locator("#modifier-0-text")).to_have_value("Fords")
    expect(lit).to_have_text(re.compile("2-1"))
    expect(page.locator("th.in-question input")).to_have_value("2-1")


def _add_terrain(page: Page) -> None:
    """See a new terrain move the column of the sample fight, once it is said what it does."""
    lit = page.locator(".answer .headline strong.column")
    page.locator("#add-terrain").click()
    page.locator("#terrain-0-text").press_sequentially("Wood")
    page.locator("#terrain-0-changes").select_option("column")
    _tick(page, "terrain:wood")
    expect(page.locator("#terrain-0-text")).to_have_value("Wood")
    expect(lit).to_have_text(re.compile("1-1"))
    page.locator("[data-tick='terrain:wood']").uncheck()
    expect(lit).to_have_text(re.compile("2-1"))


def _take_up(page: Page, card: Path) -> None:
    """Begin anew, then open the card that was downloaded."""
    expect(page.locator("#cell-0-4-4")).to_have_value("Q")
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("#anew").click()
    expect(page.locator("#cell-0-4-4")).to_have_value("DR")
    page.locator("#upload").set_input_files(card)
    expect(page.locator("#cell-0-4-4")).to_have_value("Q")
