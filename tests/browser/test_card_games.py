"""Games from a card alone in a browser: each is fought and analysed, one is played on its map."""

import tomllib
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from grognard.rules import game_places
from tests.browser.conftest import QUICK, Screen, Server, Window, look, running
from tests.browser.test_map import answer_everything, begin, end_phase, tap_hex
from tests.browser.test_quick import lead_to_the_end
from tests.example_games import BATTLE, FOLDER, GAMES
from tests.tiers import sized

LANGS = ("en", "fr")


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve the example games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(game_places.FOLDERS, str(FOLDER))
        with running(tmp_path_factory.mktemp("examples") / "matches.sqlite") as server:
            yield server


@pytest.mark.slow
def test_every_example_is_tapped_rolled_led_to_its_end_and_analysed(
    browser: Browser, examples: Server
) -> None:
    """One language each in turn; the odds are there before the dice, the cell is hit after them."""
    for number, id_ in enumerate(GAMES[:: sized(3, quick=3, soak=1)]):
        lang = LANGS[number % 2]
        context = look(browser, Screen(lang=lang))
        window = Window(context, examples.address)
        page = window.open(f"/games/{id_}")
        card = tomllib.loads((FOLDER / f"{id_}.toml").read_text(encoding="utf-8"))
        _fought(page, card["name"][lang])
        page.goto(f"{examples.address}/games/{id_}/analysis")
        expect(page.locator("table.heat, .heat").first).to_be_visible()
        expect(page.locator("main")).to_contain_text("%")
        assert page.locator("html").get_attribute("lang") == lang
        context.close()
        assert window.problems == [], id_


def _fought(page: Page, name: str) -> None:
    """Add a unit and take it out again, see the odds, and go to the end."""
    expect(page.locator("nav, header").first).to_contain_text(name)
    counters = page.locator("#list-attackers ~ * button.counter[data-remove='attackers']")
    had = counters.count()
    page.locator("#plus-attackers").click()
    expect(counters).to_have_count(had + 1)
    page.wait_for_timeout(QUICK)
    counters.last.click()
    expect(counters).to_have_count(had)
    expect(page.locator(".outcomes :is(.bars, .fate)").first).to_be_visible()
    expect(page.locator(".printed th.in-question").first).to_be_visible()
    page.wait_for_timeout(QUICK)
    lead_to_the_end(page)
    expect(page.locator(".printed td.hit").first).to_be_visible()
    expect(page.locator(".end")).to_be_visible()


@pytest.mark.slow
def test_the_map_of_a_card_is_played_by_taps(browser: Browser, examples: Server) -> None:
    """Two units cross to the river's bank, attack over it, and the fight is led to its end."""
    context = look(browser, Screen())
    window = Window(context, examples.address)
    page = window.open(f"/matches/{begin(examples.address, BATTLE)}")
    for unit, goal in (("1st Foot", "0506"), ("2nd Foot", "0406")):
        page.locator(f".piece[data-unit='{unit}']").click()
        expect(page.locator("#chosen")).to_contain_text(goal)
        page.wait_for_timeout(QUICK)
        tap_hex(page, goal)
        expect(page.locator("#log")).to_contain_text(f"{unit} moves to {goal}")
    end_phase(page)
    tap_hex(page, "0405")
    for unit in ("1st Foot", "2nd Foot"):
        page.locator(f"#attackers [data-attacker='{unit}']").click()
    expect(page.locator("#look .headline")).to_be_visible()
    page.wait_for_timeout(QUICK)
    tap_hex(page, "0405")
    answer_everything(page, 6)
    log = page.locator("#log")
    for words in ("On the map: ", "10 : 6, column 3:2", "Across the river", "Final column 1:1"):
        expect(log).to_contain_text(words)
    expect(log).to_contain_text("1st Foot advances to 0405")
    context.close()
    assert window.problems == []
