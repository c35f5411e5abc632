"""The whole of Bautzen 1945 in a real browser: deployment and the first turn, in French."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import QUICK, Screen, Window
from tests.browser.test_map import answer_once, begin, tap_hex, version

pytestmark = pytest.mark.slow


def give(page: Page, words: str) -> None:
    """Tap an order that stands below the question, and wait for what comes of it."""
    before = version(page)
    page.wait_for_timeout(QUICK)
    page.locator("#ask button[data-order]", has_text=words).last.click()
    changed(page, before)


def changed(page: Page, before: int) -> None:
    page.wait_for_function(
        "(before) => Number(document.querySelector('#match').dataset.version) !== before",
        arg=before,
    )


def jump(page: Page, typed: str) -> None:
    """Find a unit or a hex by its name."""
    page.locator("#find").click()
    page.locator("#finder input").fill(typed)
    page.wait_for_timeout(QUICK)
    page.locator("#finder input").press("Enter")
    expect(page.locator("#finder")).to_be_hidden()


def answer_until_orders(page: Page) -> None:
    """Take the first answer to every question until an order is asked for."""
    for _ in range(40):
        if page.locator("#ask [data-ask='order']").count():
            return
        before = version(page)
        page.wait_for_timeout(QUICK)
        answer_once(page, 3)
        changed(page, before)
    raise AssertionError("the questions do not end")


@pytest.mark.parametrize(
    "window",
    [pytest.param(Screen(lang="fr"), marks=pytest.mark.soak), Screen(390, "fr")],
    indirect=True,
)
def test_the_first_turn_of_the_campaign_by_taps(window: Window) -> None:
    page = window.open(f"/matches/{begin(window.address, 'bautzen-1945')}")
    status, chosen = page.locator("#status"), page.locator("#chosen")
    expect(status).to_contain_text("mise en place")
    # 12.1: 5 DP within a hex of 1607
    page.locator(".piece[data-unit='13/5DP']").click()
    expect(chosen.locator(".go[data-hex='1607']")).to_have_count(1)
    expect(chosen.locator(".go")).to_have_count(7)
    jump(page, "1607")
    before = version(page)
    tap_hex(page, "1607")
    changed(page, before)
    expect(page.locator("#map .counter[data-unit='13/5DP'][data-hex='1607']")).to_have_count(1)
    give(page, "habituelle")
    give(page, "finir")
    expect(status).to_contain_text("Allemands")
    # 10.3: of the stacks of the Allies the Germans see the counter on top
    assert page.locator("#map .face-down").count() > 5
    give(page, "habituelle")
    give(page, "finir")
    # turn 1: a unit is found by its name and moves
    expect(status).to_contain_text("mouvement")
    jump(page, "21/20Pz")
    expect(chosen).to_contain_text("21/20Pz")
    before = version(page)
    chosen.locator(".go").first.click()
    changed(page, before)
    expect(page.locator("#log")).to_contain_text("21/20Pz")
    page.locator("#objectives > summary").click()
    expect(page.locator("#objectives")).to_contain_text("Bautzen")
    give(page, "finir")
    answer_until_orders(page)
    expect(status).to_contain_text("combat")
    give(page, "finir")
    answer_until_orders(page)
    expect(status).to_contain_text("Soviétiques et Polonais")
    give(page, "finir")
    answer_until_orders(page)
    give(page, "finir")
    answer_until_orders(page)
    expect(page.locator("#status .now")).to_have_text("tour 2", use_inner_text=False)
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert not wide
