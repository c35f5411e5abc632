"""Quick combat on paper and as a picture."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from grognard.rules import game
from grognard.study import player_sheet
from tests.browser.conftest import Window
from tests.browser.test_quick import WEISSENBERG, lead_to_the_end, stated
from tests.tiers import soaked

SHEETS = [(id_, sheet.procedure) for id_ in game.ids() for sheet in player_sheet.load(id_).sheets]


A4: ViewportSize = {"width": 718, "height": 1047}  # within the margins
EMPTY = """() => {
    const seen = (one) => one.checkVisibility() && one.getBoundingClientRect().height > 8;
    const boxes = [...document.querySelectorAll("#quick :is(section, div, ul, li, p, h2, h3, h4)")];
    const filled = (one) => one.innerText.trim() || one.querySelector("svg, img, input");
    const parts = [...document.querySelectorAll(".answer > *, .resolution > *")].filter(seen);
    const gaps = parts.map((one, place) => place === 0 ? 0
        : one.getBoundingClientRect().top - parts[place - 1].getBoundingClientRect().bottom);
    const empty = boxes.filter((one) => seen(one) && !filled(one));
    return [...empty, ...parts.filter((_, place) => gaps[place] > 40)]
        .map((one) => one.outerHTML.slice(0, 120));
}"""


@pytest.mark.parametrize("lang", soaked(["en", "fr"], "fr"))
def test_every_sheet_prints_on_one_page(window: Window, lang: str) -> None:
    """After the first roll, or at the end: a heading, nothing to tap, and nothing empty."""
    for id_, procedure in SHEETS:
        page = window.open(f"/games/{id_}/{procedure}?start=example&lang={lang}")
        if lang == "fr":
            lead_to_the_end(page, die=4)
        elif page.locator("#roll").count():
            page.locator("#roll").click()
            page.locator(".rolls").wait_for()
        pages = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
        assert len(pages) == 1, (id_, procedure)
        page.emulate_media(media="print")
        page.set_viewport_size(A4)
        assert page.evaluate(EMPTY) == [], (id_, procedure)
        assert page.locator("h1").is_visible()
        marks, reasons = page.locator(".doubt-mark:visible"), page.locator(".footnotes li:visible")
        assert not marks.count() or reasons.count(), "marks have their reasons"
        assert page.locator("button:not(.counter, .chance-value):visible").count() == 0
        assert page.locator("input[type=checkbox]:not(:checked):visible").count() == 0
        page.emulate_media(media="null")


def test_the_picture_of_a_fight_is_saved(window: Window, tmp_path: Path) -> None:
    page = window.open(stated(**WEISSENBERG))
    lead_to_the_end(page)
    page.locator(".end .to-picture").click()
    expect(page.locator("#picture img")).to_be_in_viewport(ratio=1)
    with page.expect_download() as svg:
        page.locator("#picture a", has_text="SVG").click()
    svg.value.save_as(tmp_path / "fight.svg")
    assert "you had" in (tmp_path / "fight.svg").read_text(encoding="utf-8")
    with page.expect_download() as png:
        page.locator("[data-png]").click()
    png.value.save_as(tmp_path / "fight.png")
    head = (tmp_path / "fight.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(head[16:20], "big") == 1440
