"""An evening in a real browser: briefing, the opponent's turn, verdict, and the file to keep."""

import json
from itertools import combinations
from math import hypot
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from grognard.matches.match import saved
from grognard.testing.random_matches import random_match
from tests.browser.conftest import QUICK, Screen, Window, look
from tests.browser.test_everyone import problems
from tests.browser.test_map import answer_once, begin, post

PHONE = Screen(width=390, lang="fr")


def fits(page: Page) -> bool:
    return not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


@pytest.mark.parametrize("window", [PHONE], indirect=True)
def test_the_opponents_turn_is_followed_step_by_step(window: Window) -> None:
    page = window.open(f"/matches/{begin(window.address, 'weissenberg', ('allied',))}")
    expect(page.locator("#briefing")).to_contain_text("avant-gardes soviétiques")
    page.locator("#briefed").tap()
    expect(page.locator("#briefed")).to_be_hidden()
    for _ in range(2):
        page.wait_for_timeout(QUICK)
        page.locator("#ask [data-order]", has_text="finir").last.tap()
    recap = page.locator("#recap .recap")
    for _ in range(60):  # whatever the attacked side is asked
        if recap.count():
            break
        page.wait_for_timeout(QUICK)
        if page.locator("#ask .question:not(.waits)").count():
            answer_once(page, 3)
    expect(recap).to_contain_text("Soviétiques et Polonais, tour 1")
    expect(page.locator("#ask")).to_be_hidden()
    steps = page.locator(".recap-steps > li")
    count = steps.count()
    assert count > 1
    discs = page.locator("#map .step-disc").evaluate_all(
        "all => all.map((one) => [one.cx.baseVal.value, one.cy.baseVal.value])"
    )
    assert len(discs) > 1
    assert all(hypot(a - c, b - d) > 20 for (a, b), (c, d) in combinations(discs, 2))
    assert problems(window) == []
    after = page.locator("#map g.pieces .counter").evaluate_all(
        "all => all.map((one) => one.dataset.unit + one.dataset.hex).sort()"
    )
    page.locator("#recap-again").tap()
    expect(page.locator(".step-count")).to_have_text(f"0 / {count}")
    page.locator("#recap-forward").tap()
    expect(steps.first).to_have_class("now")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step-count")).to_have_text(f"2 / {count}")
    page.locator("#recap-back").tap()
    expect(page.locator(".step-count")).to_have_text(f"1 / {count}")
    page.locator("#recap-on").tap()
    expect(recap).to_have_count(0)
    expect(page.locator("#ask")).to_be_visible()
    now = page.locator("#map g.pieces .counter").evaluate_all(
        "all => all.map((one) => one.dataset.unit + one.dataset.hex).sort()"
    )
    assert now == after
    assert fits(page)


@pytest.mark.parametrize("window", [PHONE], indirect=True)
def test_a_match_ends_in_a_verdict_that_can_be_kept(
    window: Window, browser: Browser, tmp_path: Path
) -> None:
    match = json.loads(msgspec.json.encode(saved(random_match("weissenberg", 1))))
    body = {"match": match, "autos": ["allied"]}
    id_ = post(window.address, "/api/matches/import", body)["id"]
    page = window.open(f"/matches/{id_}")
    fold = page.locator("#log [data-fold]").last
    lines = page.locator(f"#log [data-in='{fold.get_attribute('data-fold')}']")
    expect(lines.first).to_be_hidden()
    fold.tap()
    expect(lines.first).to_be_visible()
    page.locator("#ask").get_by_role("link", name="verdict").tap()
    expect(page.locator("h1")).to_contain_text("Allemands")
    slider, text = page.locator("#step"), page.locator("#step-text")
    expect(text).to_contain_text("Tour 4")
    slider.fill("1")
    expect(text).to_contain_text("Tour 1, Allemands, mouvement")
    page.locator("#step-back").tap()
    expect(text).to_have_text("Avant le premier tour")
    page.locator(".costly .to-step").first.tap()
    expect(text).to_contain_text("attaquer")
    page.locator("#luck-fights > summary").tap()
    assert fits(page)
    assert problems(window) == []
    with page.expect_download() as begun:
        page.get_by_role("link", name="Garder en un fichier").tap()
    file = tmp_path / "match.html"
    begun.value.save_as(file)
    assert file.stat().st_size < 1_000_000
    with look(browser, PHONE) as context:
        kept = Window(context, file.as_uri())
        kept.page.goto(file.as_uri())
        expect(kept.page.locator("#step-text")).to_contain_text("Tour 4")
        kept.page.locator("#step").fill("1")
        expect(kept.page.locator("#step-text")).to_contain_text("687/615")
        unit = kept.page.locator("#map .counter[data-unit='687/615']")
        expect(unit).to_have_attribute("data-hex", "2009")
        kept.page.locator("#story-log > summary").tap()
        expect(kept.page.locator("#log .log-heading").first).to_be_visible()
        kept.page.locator("#log [data-fold]").first.tap()
        expect(kept.page.locator("#log [data-in]").first).to_be_visible()
        assert fits(kept.page)
        assert kept.problems == []
