"""Every page can be used by everyone: axe finds nothing, light and dark, wide and narrow."""

from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe

from grognard.maps import scenario
from grognard.rules import game
from grognard.study import player_sheet
from tests.browser.conftest import SCREENS, Window, on_screens
from tests.browser.test_map import begin

SHEETS = [
    f"/games/{id_}/{sheet.procedure}"
    for id_ in game.ids()
    for sheet in player_sheet.load(id_).sheets
]
LOOKS = [
    *product(("/", "/matches", "/nowhere", "/api"), SCREENS),
    *on_screens(*SHEETS),
    *on_screens(*(f"/games/{id_}/analysis" for id_ in game.ids())),
]


def problems(window: Window) -> list[str]:
    found = Axe().run(window.page).response["violations"]
    return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"][:4]]


@pytest.mark.parametrize(("path", "window"), LOOKS, indirect=["window"])
def test_axe_finds_nothing(path: str, window: Window) -> None:
    page = window.open(path)
    palette = page.locator("details.palette").first
    if palette.count():
        palette.locator("summary").click()
        page.locator(".edit").first.click()
        page.locator(".editor").wait_for()
        page.locator("#roll").click()
        page.locator(".rolls").wait_for()
    assert problems(window) == []


@pytest.mark.parametrize(
    ("name", "window"), on_screens(*sorted(scenario.ids())), indirect=["window"]
)
def test_axe_finds_nothing_on_a_map(name: str, window: Window) -> None:
    page = window.open(f"/matches/{begin(window.address, name)}")
    page.locator(".piece.acts").first.click()
    page.wait_for_selector("#chosen *")
    assert problems(window) == []
