"""The planner on a phone, in French: two targets planned by taps, and a link that carries them."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Screen, Window
from tests.browser.test_everyone import problems

PHONE = Screen(width=390, lang="fr", dark=True)


def field(page: Page, *names: str) -> None:
    """Put units into an empty plan."""
    for name in names:
        page.locator("#palette-units").get_by_role("button", name=name, exact=True).tap()
        expect(page.get_by_role("button", name=f"Retirer {name}")).to_be_visible()


def add_target(page: Page, number: int, defender: str) -> None:
    page.locator("#add-target").tap()
    page.locator(f"#palette-t{number}").get_by_role("button", name=defender, exact=True).tap()
    expect(page.locator(f"#unit-t{number}d0")).to_be_visible()


@pytest.mark.parametrize("window", [PHONE], indirect=True)
def test_two_targets_are_planned_by_taps(window: Window) -> None:
    page = window.open("/plan/bautzen?start=empty")
    expect(page.get_by_role("status")).to_have_text(re.compile("^Touchez les unités"))
    field(page, "21/20Pz", "59/20Pz", "112/20Pz")
    add_target(page, 0, "861/294")
    add_target(page, 1, "857/294")
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


@pytest.mark.parametrize("window", [PHONE], indirect=True)
def test_units_together_a_second_attack_and_a_reduced_defender_are_stated_by_taps(
    window: Window,
) -> None:
    page = window.open("/plan/bautzen?start=empty")
    field(page, "21/20Pz", "59/20Pz")
    add_target(page, 0, "861/294")
    first = page.locator(".answer > .results > .result").first
    before = first.locator(".figures b").first.inner_text()
    page.locator("#group-t0").tap()
    page.locator("#c-concentric-t0g0").check()
    group = page.locator("#together-t0g0")
    expect(group.locator("summary")).to_have_text(re.compile(r"attaquent\s: L'hex est encerclé"))
    expect(first.locator(".figures b").first).not_to_have_text(before)
    page.locator("#chain").check()
    page.locator("#then-t0 summary").tap()
    page.locator("#c-attacker_cl-t0n-more").tap()
    expect(page.locator("#c-attacker_cl-t0n")).to_have_value("1")
    page.locator("#edit-t0d0").tap()
    page.locator("#reduced-t0d0 summary").tap()
    address = page.url
    page.locator("#c-defenders-defence-t0d0r").fill("1")
    page.locator("#c-defenders-defence-t0d0r").blur()
    expect(page).not_to_have_url(address)
    page.reload()
    expect(page.locator("#c-defenders-defence-t0d0r")).to_have_value("1")
    expect(page.locator("#c-attacker_cl-t0n")).to_have_value("1")
    expect(page.locator("#c-concentric-t0g0")).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE.width
