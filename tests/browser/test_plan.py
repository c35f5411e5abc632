"""The planner on a phone, in French: two targets planned by taps, and a link that carries them."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Screen, Window
from tests.browser.test_everyone import problems

PHONE = Screen(width=390, lang="fr", dark=True)


@pytest.mark.parametrize("window", [PHONE], indirect=True)
def test_two_targets_are_planned_by_taps(window: Window) -> None:
    page = window.open("/plan/bautzen?start=empty")
    expect(page.get_by_role("status")).to_have_text(re.compile("^Touchez les unités"))
    for name in ("21/20Pz", "59/20Pz", "112/20Pz"):
        page.locator("#palette-units").get_by_role("button", name=name, exact=True).tap()
        expect(page.get_by_role("button", name=f"Retirer {name}")).to_be_visible()
    for number, name in enumerate(("861/294", "857/294")):
        page.locator("#add-target").tap()
        tray = page.locator(f"#palette-t{number}")
        tray.get_by_role("button", name=name, exact=True).tap()
        expect(page.locator(f"#unit-t{number}d0")).to_be_visible()
    best = page.locator(".answer > .results > .result")
    expect(best).to_have_count(2)
    page.locator("#reach-t1-u0").tap()
    page.locator("#reach-t1-u1").tap()
    expect(page.locator("#reach-t1-u1")).to_have_attribute("aria-pressed", "false")
    expect(best.nth(1).get_by_role("img")).to_have_count(1)
    expect(best.nth(1).get_by_role("img")).to_have_attribute("aria-label", "112/20Pz")
    page.locator("#c-terrain-t0-village").check()
    expect(page.locator("#c-terrain-t0-village")).to_be_checked()
    expect(best.first.locator(".figures b")).to_have_text(re.compile("10 : 4 → 2/1, −1 au dé"))
    page.locator("#goal").select_option("one")
    expect(page.locator("#goal option[selected]")).to_have_attribute("value", "one")
    expect(page).to_have_url(re.compile(r"\?p=2"))
    page.reload()
    expect(page.locator("#goal")).to_have_value("one")
    expect(best).to_have_count(2)
    page.locator(".plan-bar a").tap()
    expect(page.locator("#division")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE.width
    assert problems(window) == []
