"""The report in a real browser, opened as a file: wide and narrow, light and dark, on paper."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, ViewportSize

from grognard.cli.main import main
from grognard.rules import game
from tests.browser.conftest import Screen, look

LIGHT, DARK = Screen(), Screen(width=390, lang="fr", dark=True)
LOOKS = [
    *((id_, screen) for id_ in game.ids() for screen in (LIGHT, DARK)),
    ("bautzen", Screen(dark=True)),
    ("bautzen", Screen(width=390, lang="fr")),
]
PAPER = ViewportSize(width=718, height=1054)  # what margins leave of A4, at 96 dots an inch


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    folder = tmp_path_factory.mktemp("reports")

    @cache
    def write(id_: str, lang: str) -> Path:
        file = folder / f"{id_}-{lang}.html"
        words = ["report", id_, "--lang", lang, "-o", str(file)]
        if id_ == "bautzen":
            words += ["--against", "low_die=no_effect"]
        assert CliRunner().invoke(main, words).exit_code == 0
        return file

    return write


def too_wide(page: Page) -> int:
    """Give by how much the page is wider than its window."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return wide


@pytest.mark.parametrize(("id_", "screen"), LOOKS)
def test_everyone_can_read_it(
    browser: Browser, written: Callable[[str, str], Path], id_: str, screen: Screen
) -> None:
    address = written(id_, screen.lang).as_uri()
    with look(browser, screen) as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        found = Axe().run(page).response["violations"]
        assert too_wide(page) <= 0
    assert [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]] == []
    assert asked == [address]  # nothing else was needed


@pytest.mark.parametrize("id_", game.ids())
def test_it_fits_on_paper(browser: Browser, written: Callable[[str, str], Path], id_: str) -> None:
    with look(browser, DARK) as context:
        page = context.new_page()
        page.goto(written(id_, DARK.lang).as_uri())
        page.emulate_media(media="print")
        page.set_viewport_size(PAPER)
        assert too_wide(page) <= 0
