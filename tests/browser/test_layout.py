"""Nothing lies over something else and nothing is cut, in French: its words are longer."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Screen, Window
from tests.browser.test_quick import lead_to_the_end

SCREENS = [Screen(lang="fr"), Screen(width=390, lang="fr")]
EVERY_SCREEN = pytest.mark.parametrize("window", SCREENS, indirect=True)
PROCEDURES = (
    "bautzen/attack",
    "white-october/attack",
    "normandy/attack",
    "panzer-grenadier/direct-fire",
)

# Pairs of visible elements, none in the other, that share some of the screen.
OVERLAPPING = """(selector) => {
    const seen = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const boxes = seen.map((one) => [one, one.getBoundingClientRect()]);
    return boxes.flatMap(([one, a], place) => boxes.slice(place + 1)
        .filter(([other, b]) => !one.contains(other) && a.left < b.right - 1 && b.left < a.right - 1
            && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        .map(([other]) => [one.innerText, other.innerText]));
}"""

# Texts that stand out of their part of the sheet; on a phone the question is a sheet of its own.
STANDING_OUT = """() => [...document.querySelectorAll(".stated, .conditions, .answer"
)].flatMap((part) => {
    const { left, right } = part.getBoundingClientRect();
    return [...part.querySelectorAll("*")]
        .filter((one) => one.checkVisibility() && !one.closest(`svg, .table-scroll, .fielded,
            .visually-hidden, [popover], #question`))
        .filter((one) => {
            const box = one.getBoundingClientRect();
            return box.width && (box.right > right + 1 || box.left < left - 1);
        })
        .map((one) => one.innerText);
})"""

# Columns of the table of which a part is hidden by the names of the rows.
CUT_BY_NAMES = """() => {
    const edge = document.querySelector(".printed tbody th").getBoundingClientRect().right;
    return [...document.querySelectorAll(".printed thead tr:first-child th")].slice(1)
        .filter((one) => one.checkVisibility())
        .map((one) => [one.innerText, one.getBoundingClientRect()])
        .filter(([, box]) => box.left < edge - 3 && edge + 3 < box.right)
        .map(([text]) => text);
}"""


@EVERY_SCREEN
def test_no_scenario_of_the_front_page_lies_over_another(window: Window) -> None:
    page = window.open("/")
    expect(page.locator(".scenario")).to_have_count(5)
    assert page.evaluate(OVERLAPPING, ".scenario, .sample, .game-row > header") == []


@EVERY_SCREEN
@pytest.mark.parametrize("procedure", PROCEDURES)
def test_nothing_of_a_fight_is_cut_or_covered(window: Window, procedure: str) -> None:
    """The sample with all its modifiers, and its end, with what can be done then."""
    page = window.open(f"/games/{procedure}?start=example")
    expect(page.locator(".printed th.in-question").first).to_be_visible()
    assert page.evaluate(CUT_BY_NAMES) == []
    unfold(page)
    assert page.evaluate(STANDING_OUT) == []
    assert page.evaluate(OVERLAPPING, ".modifier .line > *") == []
    lead_to_the_end(page, die=5)
    assert page.evaluate(OVERLAPPING, ".end .no-print > *") == []


def unfold(page: Page) -> None:
    """Show all modifiers where a narrow screen folds them."""
    if page.locator("#unfold").is_visible():
        page.locator("#unfold").click()
    expect(page.locator(".modifier.open").first).to_be_visible()
