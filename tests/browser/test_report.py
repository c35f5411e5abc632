"""The report in a real browser, opened as a file: wide and narrow, light and dark, on paper."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, ViewportSize
from tests.browser.conftest import Screen, look

from grognard import game
from grognard.cli import main

SCREENS = [Screen(width=width, dark=dark) for width in (1280, 390) for dark in (False, True)]
PAPER = ViewportSize(width=718, height=1054)  # what margins leave of A4, at 96 dots an inch


@pytest.fixture(scope="module", params=[(id_, lang) for id_ in game.ids() for lang in ("en", "fr")])
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    id_, lang = request.param
    file = tmp_path_factory.mktemp("report") / f"{id_}.html"
    words = ["report", id_, "--lang", lang, "-o", str(file)]
    if id_ == "bautzen":
        words += ["--against", "low_die=no_effect"]
    assert CliRunner().invoke(main, words).exit_code == 0
    return file


@pytest.fixture(params=SCREENS, ids=lambda screen: f"{screen.width}-dark={screen.dark}")
def opened(request: pytest.FixtureRequest, browser: Browser, written: Path) -> Iterator[Page]:
    context = look(browser, request.param)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(written.as_uri())
    yield page
    context.close()
    assert asked == [written.as_uri()]  # nothing else was needed


def too_wide(page: Page) -> int:
    """Give by how much the page is wider than its window."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return wide


def test_everyone_can_read_it(opened: Page) -> None:
    found = Axe().run(opened).response["violations"]
    problems = [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"][:4]]
    assert problems == []
    assert too_wide(opened) <= 0


def test_it_fits_on_paper(browser: Browser, written: Path) -> None:
    context = look(browser, Screen())
    page = context.new_page()
    page.goto(written.as_uri())
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    assert too_wide(page) <= 0
    context.close()
