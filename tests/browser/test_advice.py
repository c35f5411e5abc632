"""Advice on the map in a real browser: a plan that is followed from its moves to its attacks."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import QUICK, Screen, Window
from tests.browser.test_map import begin

PHONE = Screen(width=390, lang="fr")


def tap(page: Page, selector: str) -> None:
    page.wait_for_timeout(QUICK)  # no tap follows another one quickly
    page.locator(selector).first.click()


@pytest.mark.parametrize("window", [PHONE], indirect=True)
def test_a_plan_is_followed_from_its_moves_to_its_attacks(window: Window) -> None:
    page = window.open(f"/matches/{begin(window.address, 'weissenberg', ('allied',))}")
    tap(page, "#briefed")
    tap(page, "#advise")
    expect(page.locator("#advice .thinking, #advice-head").first).to_be_visible()
    head, attacks = page.locator("#advice-head"), page.locator("#advice [id^=advised-attack]")
    expect(head).to_have_text("Que feriez-vous ?")
    later = page.locator("#advice li", has_text="puis attaque")
    expect(later.first).to_contain_text("prend l’hex à")
    expect(later.first).to_contain_text("expose")
    planned = later.count()
    expect(attacks).to_have_count(0)  # in this phase nobody attacks
    tap(page, "#follow-plan")
    expect(head).to_have_text("Le plan que vous suivez")
    expect(page.locator("#advice [id^=advised-move]")).to_have_count(0)
    expect(later).to_have_count(planned)
    tap(page, "#ask [data-order]:has-text('finir')")
    expect(attacks).to_have_count(planned)
    columns = page.locator("#map .arrow-label").all_text_contents()
    assert len(columns) == planned
    for column in columns:  # as large beside the attack as on the map
        expect(page.locator("#advice .deciding b", has_text=column).first).to_be_visible()
    tap(page, "#advice [id^=advised-attack]")
    expect(page.locator("#fight .headline")).to_be_visible()
    expect(attacks).to_have_count(0)
