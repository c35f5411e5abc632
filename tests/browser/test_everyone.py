"""Every page can be used by everyone: axe finds nothing, light and dark, wide and narrow."""

from itertools import product
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from grognard.maps import scenario
from grognard.rules import game
from grognard.study import player_sheet
from tests.browser.conftest import SCREENS, Window, on_screens
from tests.browser.test_map import begin, post

SHEETS = [
    f"/games/{id_}/{sheet.procedure}"
    for id_ in game.ids()
    for sheet in player_sheet.load(id_).sheets
]
# Pages of a template that show nothing which another one does not.
ALIKE = (
    "/games/normandy/attack",
    "/games/normandy/strafing",
    "/games/normandy/reinforcements",
    "/games/panzer-grenadier/anti-tank",
    "/games/normandy/analysis",
    "/games/panzer-grenadier/analysis",
    "pulkovo",
    "weissenberg",
)


def looks(*pages: str) -> list[object]:
    """Give pages of one template with their screens; those that are alike are for `make soak`."""
    return [
        pytest.param(page, screen, marks=pytest.mark.soak if page in ALIKE else ())
        for page, screen in on_screens(*pages)
    ]


LOOKS = [
    *product(("/", "/matches"), SCREENS),
    *on_screens("/nowhere", "/api"),
    *looks(*SHEETS),
    *looks(*(f"/games/{id_}/analysis" for id_ in game.ids())),
]


def problems(window: Window) -> list[str]:
    """All that axe finds, and what it finds of contrast in the other colours, light or dark."""
    page = window.page
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    found = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="light" if dark else "dark")
    found += Axe().run(page, options={"runOnly": ["color-contrast"]}).response["violations"]
    page.emulate_media(color_scheme="dark" if dark else "light")
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


@pytest.mark.parametrize(("name", "window"), looks(*sorted(scenario.ids())), indirect=["window"])
def test_axe_finds_nothing_on_a_map(name: str, window: Window) -> None:
    page = window.open(f"/matches/{begin(window.address, name)}")
    page.locator(".piece.acts").first.click()
    page.wait_for_selector("#chosen *")
    assert problems(window) == []


@pytest.mark.parametrize(
    "window",
    [pytest.param(SCREENS[0], marks=pytest.mark.soak), SCREENS[1]],
    indirect=True,
    ids=["light", "dark-phone"],
)
def test_axe_finds_nothing_in_a_fight_on_the_map(window: Window) -> None:
    """A question before the fight, and the outcome."""
    id_ = begin(window.address, "weissenberg")
    attack = ["attack", "1910", "21/20Pz", "59/20Pz", "112/20Pz"]
    given: list[object] = [["end"], attack, ["QG 294 RD"], [[0, 0], [0, 0]], [6]]
    for version, answer in enumerate(given):
        body = {"version": version, "answer": answer}
        view: dict[str, Any] = post(window.address, f"/api/matches/{id_}/answers", body)
        over = view["asking"]["ask"] == "order" and version > 0
        if answer == attack or over:
            window.open(f"/matches/{id_}")
            assert problems(window) == [], view["asking"]
        if version == len(given) - 1 and not over:
            given.append(view["asking"]["options"][0]["answer"])
    expect(window.page.locator(".just-fought")).to_be_visible()
