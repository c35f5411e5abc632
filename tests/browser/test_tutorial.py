"""The steps of docs/tutorial-players.md, carried out in a real browser."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import QUICK, Window

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial-players.md"
Action = Callable[[Page], None]


def steps(part: str) -> list[str]:
    """Read the numbered steps below the mark of a part."""
    text = TUTORIAL.read_text(encoding="utf-8").partition(f"<!-- web: {part} -->\n")[2]
    return re.findall(r"^\d+\. (.*)$", text.partition("\n\n")[0], re.MULTILINE)


def follow(page: Page, part: str, actions: list[Action]) -> None:
    """Carry out each step; what it prints in bold is on the page, before the step or after it."""
    written = steps(part)
    assert len(written) == len(actions)
    for step, act in zip(written, actions, strict=True):
        before = words(page)
        act(page)
        seen = before + words(page)
        assert [bold for bold in re.findall(r"\*\*(.+?)\*\*", step) if bold not in seen] == []


def words(page: Page) -> str:
    """Give all that can be read on a page, also what is folded."""
    return re.sub(r"\s+", " ", str(page.locator("body").text_content()))


def card(page: Page) -> None:
    page.get_by_role("link", name="Bautzen 1945").first.click()
    expect(page.get_by_role("link", name="Empty sheet")).to_be_visible()


def counters(page: Page) -> None:
    page.get_by_role("link", name="Empty sheet").click()
    for list_, names in (
        ("attackers", ("21/20Pz", "59/20Pz", "112/20Pz")),
        ("defenders", ("861/294",)),
    ):
        for place, name in enumerate(names):
            page.locator(f"#palette-{list_} button[data-name='{name}']").click()
            expect(page.locator(f"#unit-{list_}-{place}")).to_be_visible()
    expect(page.locator(".headline strong.column")).to_have_text(re.compile("3/1$"))


def village(page: Page) -> None:
    page.get_by_role("checkbox", name="Village").check()
    expect(page.locator(".headline")).to_contain_text("die −1")


def die(page: Page) -> None:
    page.locator("#question [data-die='5']").click()
    expect(page.locator("td.hit")).to_have_text(re.compile("1/2"))


def answer(option: str, then: str) -> Action:
    """Tap an option of the open question; something must appear then."""

    def act(page: Page) -> None:
        page.wait_for_timeout(QUICK)  # no tap follows another one quickly
        page.locator("#question").locator("button", has_text=option).first.click()
        expect(page.locator(".resolution")).to_contain_text(then)

    return act


def advance(page: Page) -> None:
    page.wait_for_timeout(QUICK)
    page.locator("#question").get_by_role("button", name="59/20Pz", exact=True).click()
    page.wait_for_timeout(QUICK)
    page.get_by_role("button", name="59/20Pz advances").click()
    expect(page.locator(".resolution")).to_contain_text("59/20Pz advances into the hex")
    expect(page.locator(".end")).to_contain_text("the attacker had")


def test_a_fight_is_resolved_as_the_tutorial_says(window: Window) -> None:
    page = window.open("/")
    follow(
        page,
        "quick",
        [
            card,
            counters,
            village,
            die,
            answer("21/20Pz", "loses a step (1 left)"),
            answer("Retreat 2 hexes", "The defender retreats"),
            advance,
        ],
    )
    expect(page.locator(".end")).to_be_visible()


def begin(page: Page) -> None:
    sides = page.get_by_role("group", name="Weissenberg: you play")
    sides.get_by_role("button", name="Germans").click()
    expect(page.locator("#map g.hex").first).to_be_visible()


def tap_hex(page: Page, number: str) -> None:
    page.locator(f"#map g.hex[data-hex='{number}']").first.click(force=True)


def move(page: Page) -> None:
    page.locator(".piece[data-unit='687/615']").click()
    expect(page.locator("#chosen")).to_contain_text("1811")
    tap_hex(page, "1811")
    expect(page.locator("#log")).to_contain_text("687/615 moves to 1811")


def end_phase(page: Page) -> None:
    page.get_by_role("button", name="end the phase").last.click()
    expect(page.locator("#status")).to_contain_text("combat")


def target(page: Page) -> None:
    tap_hex(page, "1910")
    page.get_by_role("button", name="As many as can").click()
    expect(page.locator("#look .headline")).to_be_visible()


def attack(page: Page) -> None:
    page.get_by_role("button", name="attack 1910 Weissenberg").click()
    expect(page.locator("#ask").locator("[data-answer], .half-secret").first).to_be_visible()


def test_a_match_begins_as_the_tutorial_says(window: Window) -> None:
    page = window.open("/")
    follow(
        page,
        "map",
        [
            lambda page: page.locator("header.top").get_by_role("link", name="Matches").click(),
            begin,
            move,
            end_phase,
            target,
            attack,
        ],
    )
    page.get_by_role("link", name="Matches").first.click()
    expect(page.locator("main")).to_contain_text("Export")
