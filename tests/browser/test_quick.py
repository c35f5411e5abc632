"""Quick combat in a real browser: set up by tapping, rolled, led to the end."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Window

PROCEDURES = {
    "bautzen/attack": ("attackers", "defenders"),
    "white-october/attack": ("attackers", "defenders"),
    "normandy/attack": ("attackers", "defenders"),
    "normandy/strafing": ("targets",),
    "normandy/attrition": ("units",),
    "panzer-grenadier/direct-fire": ("attackers", "defenders"),
    "panzer-grenadier/anti-tank": ("attackers", "defenders"),
}


def take_up(page: Page, list_: str) -> None:
    """Tap the first counter of the game that is offered for a list."""
    palette = page.locator(f"#palette-{list_}")
    if palette.get_attribute("open") is None:
        palette.locator("summary").click()
    palette.locator("button.counter").first.click()
    expect(page.locator(f"#unit-{list_}-0")).to_be_visible()


def lead_to_the_end(page: Page) -> None:
    """Roll where dice are asked for, and take the first answer everywhere else."""
    for _ in range(60):
        if page.locator(".end").count():
            return
        question = page.locator("#question")
        steps = page.locator(".resolution").inner_text()
        if question.locator("[data-roll]").count():
            question.locator("[data-roll]").click()
        else:
            question.locator("button:visible").first.click()
        expect(page.locator(".resolution")).not_to_have_text(steps, use_inner_text=True)
    raise AssertionError("the fight does not end")


@pytest.mark.parametrize("procedure", PROCEDURES)
def test_every_procedure_is_set_up_by_tapping_rolled_and_led_to_the_end(
    window: Window, procedure: str
) -> None:
    page = window.open(f"/games/{procedure}")
    for list_ in PROCEDURES[procedure]:
        take_up(page, list_)
    expect(page.locator(".printed th.in-question").first).to_be_visible()
    expect(page.locator(".bars").first).to_be_visible()
    lead_to_the_end(page)
    expect(page.locator(".printed td.hit").first).to_be_visible()


def test_a_new_user_reaches_the_odds_of_an_attack_in_three_taps(window: Window) -> None:
    page = window.open("/")
    page.get_by_role("link", name="Bautzen 1945").first.click()
    page.locator("#palette-attackers button.counter").first.click()
    page.locator("#palette-defenders button.counter").first.click()
    expect(page.locator(".headline strong.column")).to_be_visible()
    expect(page.locator(".outcomes")).to_contain_text("%")
