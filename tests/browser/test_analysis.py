"""The analysis sheet in a real browser: one page of paper a procedure, and a phone."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize

from grognard.rules import game
from grognard.study import player_sheet
from tests.browser.conftest import Screen, Window

SHEETS = [
    f"{id_}/analysis?procedure={s.procedure}"
    for id_ in game.ids()
    for s in player_sheet.rolled(id_)
]
# French words are longer, and colours change no width: the other looks are for `make soak`.
LOOKS = [pytest.param(Screen(), marks=pytest.mark.soak), Screen(lang="fr")]
PHONES = [
    Screen(width=390, lang="fr"),
    pytest.param(Screen(width=390, lang="fr", dark=True), marks=pytest.mark.soak),
]
PAPER = ViewportSize(width=718, height=1054)  # what margins leave of A4, at 96 dots an inch


def pages(page: Page) -> int:
    """Print as the page itself wishes, and count the sheets of paper."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def too_wide(page: Page) -> int:
    """Give by how much the page is wider than its window."""
    wide: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return wide


@pytest.mark.parametrize("window", LOOKS, indirect=True, ids=lambda look: look.lang)
@pytest.mark.parametrize("sheet", SHEETS)
def test_a_procedure_is_one_sheet_of_a4(window: Window, sheet: str) -> None:
    page = window.open(f"/games/{sheet}")
    assert pages(page) == 1
    # A sheet that is too wide would be made smaller as a whole, until nobody can read it.
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    assert too_wide(page) <= 0


@pytest.mark.parametrize("window", PHONES, indirect=True, ids=lambda look: f"dark={look.dark}")
@pytest.mark.parametrize("sheet", SHEETS)
def test_on_a_phone_only_the_tables_scroll_sideways(window: Window, sheet: str) -> None:
    page = window.open(f"/games/{sheet}")
    assert too_wide(page) <= 0


def test_the_doctrines_are_chosen_on_the_page(window: Window) -> None:
    page = window.open("/games/bautzen/analysis")
    page.get_by_label("Doctrine of the attacker").select_option("take")
    page.get_by_role("button", name="Analyse").click()
    assert "attacker=take" in page.url
    assert page.get_by_label("Doctrine of the attacker").input_value() == "take"
