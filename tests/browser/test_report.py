"""The report in a real browser, opened as a file: wide and narrow, light and dark, on paper."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from grognard.rules import game
from tests.browser.conftest import SCREENS, Screen, look, on_screens
from tests.command import run
from tests.reports import Reports
from tests.tiers import soaked

PAPER = ViewportSize(width=718, height=1054)  # what margins leave of A4, at 96 dots an inch
PHONE = SCREENS[1]


def too_wide(page: Page) -> int:
    """Give by how much the page is wider than its window."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return wide


def read_by_everyone(browser: Browser, file: Path, screen: Screen) -> None:
    """Open a report: axe finds nothing, it is not too wide, and it needs no other file."""
    with look(browser, screen) as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        found = Axe().run(page).response["violations"]
        assert too_wide(page) <= 0
    assert [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]] == []
    assert asked == [file.as_uri()]


@pytest.mark.parametrize(
    ("id_", "screen"),
    [
        pytest.param(id_, screen, marks=() if id_ == sorted(game.ids())[1] else pytest.mark.soak)
        for id_, screen in on_screens(*game.ids())
    ],
)
def test_everyone_can_read_it(browser: Browser, reports: Reports, id_: str, screen: Screen) -> None:
    read_by_everyone(browser, reports(id_, screen.lang), screen)


def test_everyone_can_read_a_comparison(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "compared.html"
    words = ("report", "bautzen", "--against", "low_die=no_effect", "--lang", PHONE.lang)
    assert run(*words, "-o", str(file)).exit_code == 0
    read_by_everyone(browser, file, PHONE)


@pytest.mark.parametrize("id_", soaked(game.ids(), "panzer-grenadier", "white-october"))
def test_it_fits_on_paper(browser: Browser, reports: Reports, id_: str) -> None:
    with look(browser, PHONE) as context:
        page = context.new_page()
        page.goto(reports(id_, PHONE.lang).as_uri())
        page.emulate_media(media="print")
        page.set_viewport_size(PAPER)
        assert too_wide(page) <= 0
