"""Quick combat on a phone: everything that decides is under the thumb."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Screen, Window
from tests.browser.test_quick import lead_to_the_end

PHONE = pytest.mark.parametrize("window", [Screen(width=390)], indirect=True)
TAPS = 5  # the game, the die, Determined Defence, its die, who advances


class Thumb:
    """Taps what can be seen, and never scrolls."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, target: Locator) -> None:
        expect(target).to_be_visible()
        x, y = target.evaluate(
            """(one) => {
                const { left, top, width, height } = one.getBoundingClientRect();
                const spot = [left + width / 2, top + Math.min(height / 2, 60)];
                const seen = document.elementFromPoint(...spot);
                if (!one.contains(seen)) throw Error("covered, or out of view");
                return spot;
            }"""
        )
        self.page.touchscreen.tap(x, y)
        self.taps += 1
        self.page.wait_for_timeout(400)  # a tap is no double tap


@PHONE
def test_a_determined_defence_from_the_front_page_to_its_end(window: Window) -> None:
    """Normandy, column 4-1, real dice: DR, then a Determined Defence; nobody scrolls."""
    page = window.open("/")
    page.set_viewport_size({"width": 390, "height": 844})
    thumb, question = Thumb(page), page.locator("#question")
    thumb.tap(page.get_by_role("link", name=re.compile("^Normandy '44")).first)
    expect(page.locator(".headline strong.column")).to_have_text(re.compile("4-1$"))
    thumb.tap(question.locator("[data-die='3']"))
    expect(page.locator("td.hit")).to_have_text(re.compile("DR"))
    thumb.tap(question.get_by_role("button", name=re.compile("Determined Defence")))
    stood = False
    for _ in range(12):
        if page.locator(".end").count():
            break
        face = question.locator("[data-die='4']")
        stood = stood or bool(face.count())
        thumb.tap(face if face.count() else question.locator("button:visible").first)
    assert stood
    expect(page.locator(".end")).to_be_in_viewport()
    assert thumb.taps == TAPS, f"{thumb.taps} taps"
    for control in ("[data-undo]", "[data-again]", "a.matters"):
        in_reach(page.locator(f":is(.end, .phone-bar) {control}"))
    thumb.tap(page.locator(".phone-bar a"))
    expect(page.locator("#picture img")).to_be_in_viewport(ratio=1)
    in_reach(page.locator("#picture img"))
    thumb.tap(page.get_by_role("button", name="Same fight again"))
    expect(page.locator("#question [data-die='6']")).to_be_in_viewport()


def in_reach(one: Locator) -> None:
    """The middle of it can be tapped without scrolling."""
    assert one.evaluate(
        """(one) => {
            const { left, top, width, height } = one.getBoundingClientRect();
            return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }"""
    )


@PHONE
def test_what_is_unfolded_stands_above_the_question_and_the_outcome(window: Window) -> None:
    """A typed die to correct, and the picture: a tap just above the sheet shows all of them."""
    page = window.open("/games/normandy/attack?start=example")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#question [data-die='3']").click()
    unfold_above(page, "#roll-0 > summary", "#question")
    for face in page.locator("#roll-0 [data-die]").all():
        in_reach(face)
    lead_to_the_end(page, die=4)
    unfold_above(page, "#picture > summary", ".end")
    for part in ("img", "[data-png]"):
        in_reach(page.locator(f"#picture {part}"))


def unfold_above(page: Page, fold: str, sheet: str) -> None:
    """Tap a fold that stands just above the sheet at the bottom edge."""
    page.wait_for_timeout(400)  # a tap is no double tap
    page.evaluate(
        """([fold, sheet]) => scrollBy({ behavior: "instant", top:
            document.querySelector(fold).getBoundingClientRect().bottom
            - document.querySelector(sheet).getBoundingClientRect().top })""",
        [fold, sheet],
    )
    page.locator(fold).click()


@PHONE
def test_counters_and_doctrines_take_no_room_that_they_do_not_need(window: Window) -> None:
    """No empty strip below the counters; pencils and totals are tapped; doctrines are one line."""
    page = window.open("/games/bautzen/attack?start=example")
    pencil, heading = page.locator(".edit span").first, page.locator("#list-defenders")
    gap = heading.evaluate("(one) => one.getBoundingClientRect().top") - pencil.evaluate(
        "(one) => one.getBoundingClientRect().bottom"
    )
    assert 0 <= gap < 16
    for control in (".edit", "#total-defenders", "#palette-defenders > summary"):
        in_reach(page.locator(control).first)
    page.emulate_media(media="print")
    counters = page.locator(".side.attacker .fielded").bounding_box()
    below = page.locator(".side.defender").bounding_box()
    assert counters is not None
    assert below is not None
    assert counters["y"] + counters["height"] <= below["y"]
    page.emulate_media(media="null")
    page.locator("#question [data-die='4']").click()
    assumed = page.locator("#question .assumes")
    assert assumed.evaluate("(one) => one.getBoundingClientRect().height") < 50
    expect(assumed.locator("p")).to_be_hidden()
    assumed.locator("summary").click()
    expect(assumed.locator("p")).to_contain_text("best by expectation")


@PHONE
def test_modifiers_are_folded_to_those_in_force(window: Window) -> None:
    page = window.open("/games/bautzen/attack")
    shown = page.locator(".modifier:visible")
    expect(shown).to_have_count(3)
    expect(page.locator(".modifier.counts:visible")).to_have_count(3)
    page.locator("#unfold").click()
    page.get_by_role("checkbox", name="Concentric attack").check()
    expect(page.locator(".modifier.counts", has_text="Concentric attack")).to_be_visible()
    assert shown.count() > 8
    page.locator("#unfold").click()
    expect(shown).to_have_count(4)
