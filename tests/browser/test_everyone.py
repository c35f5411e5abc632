"""Every page can be used by everyone: axe finds nothing, light and dark, wide and narrow."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from grognard.maps import scenario
from grognard.rules import game
from grognard.study import player_sheet
from tests.browser.conftest import Screen, Window
from tests.browser.test_map import begin

PAGES = [
    "/",
    "/matches",
    "/nowhere",
    "/api",
    *(
        f"/games/{id_}/{sheet.procedure}"
        for id_ in game.ids()
        for sheet in player_sheet.load(id_).sheets
    ),
    *(f"/games/{id_}/analysis" for id_ in game.ids()),
]
SCREENS = [Screen(), Screen(width=390, lang="fr", dark=True)]


def problems(window: Window) -> list[str]:
    found = Axe().run(window.page).response["violations"]
    return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"][:4]]


@pytest.mark.parametrize("window", SCREENS, indirect=True, ids=["light", "dark-phone"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(window: Window, path: str) -> None:
    page = window.open(path)
    palette = page.locator("details.palette").first
    if palette.count():
        palette.locator("summary").click()
        page.locator(".edit").first.click()
        page.locator(".editor").wait_for()
        page.locator("#roll").click()
        page.locator(".rolls").wait_for()
    assert problems(window) == []


@pytest.mark.parametrize("window", SCREENS, indirect=True, ids=["light", "dark-phone"])
@pytest.mark.parametrize("name", sorted(scenario.ids()))
def test_axe_finds_nothing_on_a_map(window: Window, name: str) -> None:
    page = window.open(f"/matches/{begin(window.address, name)}")
    page.locator(".piece.acts").first.click()
    page.wait_for_selector("#chosen *")
    assert problems(window) == []
