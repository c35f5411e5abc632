"""Two players far apart in two browsers, one who watches, and one with a guessed link."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import QUICK, SCREENS, Screen, Server, Window, look
from tests.browser.test_everyone import problems
from tests.browser.test_map import tap_hex, version

UNITS = ("21/20Pz", "59/20Pz", "112/20Pz", "QG 20 Pz", "QG 57 PzK")


class Players:
    """Windows of different people: each has cookies of its own."""

    def __init__(self, browser: Browser, server: Server, stack: ExitStack) -> None:
        self._browser, self._server, self._stack = browser, server, stack
        self.windows: list[Window] = []

    def come(self, screen: Screen = Screen()) -> Window:  # noqa: B008  # immutable
        context = look(self._browser, screen)
        self._stack.callback(context.close)
        window = Window(context, self._server.address)
        self.windows.append(window)
        return window


@pytest.fixture
def players(browser: Browser, server: Server) -> Iterator[Players]:
    with ExitStack() as stack:
        made = Players(browser, server, stack)
        yield made
        assert [problem for window in made.windows for problem in window.problems] == []


def begin_apart(window: Window, name: str) -> dict[str, str]:
    """Begin a match apart on the page, and read its links."""
    page = window.open("/matches")
    card = page.locator(".scenario", has=page.get_by_role("heading", name=re.compile(name)))
    card.locator("[data-apart]").click()
    rows = page.locator("#apart-links li")
    expect(rows).to_have_count(3)
    return {
        str(row.get_attribute("data-seat")): row.locator("input").input_value()
        for row in rows.all()
    }


def sit(window: Window, link: str) -> Page:
    """Take a seat by its link."""
    page = window.open(path_of(link))
    page.wait_for_url("**/matches/*")
    expect(page.locator("#match")).not_to_have_attribute("data-sent", "yes")
    return page


def path_of(link: str) -> str:
    return re.sub(r"^https?://[^/]+", "", link)


def answer(page: Page) -> bool:
    """Answer the open question of a fight if it is this page's: commit nothing, roll, or take the
    first option."""
    ask = page.locator("#ask")
    if ask.locator("[data-half]").count():
        page.wait_for_timeout(QUICK)
        ask.locator("[data-half]").first.click()
        return True
    for control in ("#fair-roll:visible", "#ask [data-answer]"):
        if page.locator(control).count():
            page.wait_for_timeout(QUICK)
            page.locator(control).first.click()
            return True
    return False


def settle(pages: list[Page], over: str) -> None:
    """Let both pages answer until a page is asked for an order again."""
    for _ in range(120):
        if pages[0].locator(over).count():
            return
        if not any(answer(page) for page in pages):
            pages[0].wait_for_timeout(200)
        pages[0].wait_for_timeout(150)
    raise AssertionError("the fight does not end")


def end_phase(page: Page) -> None:
    page.wait_for_timeout(QUICK)
    before = version(page)
    page.locator("#ask [data-order='[\"end\"]']").click()
    expect(page.locator("#match")).not_to_have_attribute("data-version", str(before))


class Table(NamedTuple):
    """The pages of a match apart."""

    german: Page
    allied: Page
    watcher: Page


def test_two_play_a_turn_apart_a_third_watches_a_fourth_learns_nothing(players: Players) -> None:
    links = begin_apart(players.come(), "Weissenberg")
    seats = ("german", "allied", "watch")
    table = Table(*(sit(players.come(), links[seat]) for seat in seats))
    for page in table:
        assert "/seat/" not in page.url  # the secret does not stay in the address
        expect(page.locator("#match")).to_be_visible()
    _one_is_asked(table)
    _attack(table)
    _commit_and_roll(table)
    _end_the_turn(table)
    _guess(players.come(), path_of(table.german.url))


def _one_is_asked(table: Table) -> None:
    """Whose turn it is stands in the title; the other pages offer nothing."""
    expect(table.german).to_have_title(re.compile("^● Your turn – "))
    expect(table.allied).not_to_have_title(re.compile("Your turn"))
    expect(table.allied.locator("#ask")).to_contain_text("The other side thinks.")
    for page in (table.allied, table.watcher):
        expect(page.locator("#ask").locator("[data-order], [data-answer]")).to_have_count(0)
        expect(page.locator("#undo:enabled")).to_have_count(0)
    expect(table.german.locator("[data-seat-of='allied'] .is-here")).to_be_visible()


def _attack(table: Table) -> None:
    """The German attacks, and both answer what comes before the secret commitment."""
    german = table.german
    end_phase(german)
    tap_hex(german, "1910")
    for unit in UNITS:
        german.wait_for_timeout(QUICK)
        button = german.locator(f"#attackers [data-attacker='{unit}']")
        if button.get_attribute("aria-pressed") == "false":
            button.click()
    german.wait_for_timeout(QUICK)
    german.locator("#aim-go").click()
    for _ in range(20):
        if german.locator("#ask [data-half]").count():
            break
        for page in (german, table.allied):
            page.wait_for_timeout(QUICK)
            if page.locator("#ask [data-answer]").count():
                page.locator("#ask [data-answer]").first.click()


def _commit_and_roll(table: Table) -> None:
    """Each side sees its own half only; then the dice come from the server."""
    german, allied, watcher = table
    expect(german.locator("#secret-german")).to_be_visible()
    expect(german.locator("#secret-allied")).to_have_count(0)
    expect(allied.locator("#secret-allied")).to_be_visible()
    expect(allied.locator("#secret-german")).to_have_count(0)
    expect(watcher.locator("[data-half]")).to_have_count(0)
    answer(german)
    expect(german.locator("#ask")).to_contain_text("The other side still thinks.")
    expect(allied.locator("#ask")).to_contain_text("committed in secret")
    answer(allied)
    expect(german.locator("#fair-roll")).to_be_visible()
    expect(german.locator("#ask [data-die]")).to_have_count(0)  # nobody types dice
    expect(allied.locator("#fair-roll")).to_be_hidden()
    settle([german, allied], "#ask [data-ask='order']")
    for page in table:
        expect(page.locator("#log .entry-roll .dice-source").first).to_be_attached()


def _end_the_turn(table: Table) -> None:
    """The turn goes over; the other side sees what happened."""
    german, allied, _ = table
    while german.locator("#ask [data-ask='order']").count():
        end_phase(german)
        german.wait_for_timeout(300)
        settle([german, allied], "#ask [data-ask='order'], #ask [data-ask='waits']")
    expect(allied).to_have_title(re.compile("^● Your turn – "))
    expect(allied.locator("#recap .recap")).to_be_visible()
    allied.locator("#recap-on").click()
    expect(allied.locator("#ask .question:not(.waits)")).to_be_visible()


def _guess(stranger: Window, match: str) -> None:
    """A guessed link gives what any unknown address gives."""
    for path in ("/seat/AAAAAAAAAAAAAAAAAAAAAA", match, "/nothing"):
        found = stranger.page.goto(stranger.address + path)
        assert found is not None
        assert found.status == 404
        expect(stranger.page.locator(".refusal")).to_be_visible()
        assert "Weissenberg" not in stranger.page.content()
    assert stranger.page.context.cookies() == []


def test_undo_by_consent_and_chat_between_two_pages(players: Players) -> None:
    links = begin_apart(players.come(), "Weissenberg")
    german = sit(players.come(), links["german"])
    allied = sit(players.come(Screen(390, "fr")), links["allied"])
    german.locator("#briefed").click()
    german.locator("#strip button[data-unit='21/20Pz']").click()
    german.locator("#chosen .go[data-hex='1811']").click()
    expect(german.locator("#undo")).to_be_enabled()
    german.wait_for_timeout(QUICK)
    german.locator("#undo").click()
    expect(german.locator(".consent")).to_be_visible()
    allied.locator("#consent-yes").click()
    expect(german.locator(".consent")).to_have_count(0)
    expect(german.locator("#undo")).to_be_disabled()

    script = "<img src=x onerror=document.title='hacked'><script>document.title='hacked'</script>"
    german.locator("#say-text").fill(script)
    german.locator("#say button").click()
    expect(allied.locator("#chat .said")).to_have_text(script)
    expect(german.locator("#chat .said")).to_have_text(script)
    german.locator("#tools-box summary").click()
    german.locator("#rename").fill(script[:60])
    german.locator("#rename").press("Enter")
    expect(german.locator("#match-name")).to_have_text(script[:60])
    allied.reload()
    expect(allied.locator("#match-name")).to_have_text(script[:60])
    for page in (german, allied):
        assert page.title() != "hacked"
        assert page.locator("#chat img, #match-name img, #chat script").count() == 0


def test_news_that_come_thick_and_fast_are_fetched_together(players: Players) -> None:
    links = begin_apart(players.come(), "Weissenberg")
    german = sit(players.come(), links["german"])
    fetched: list[str] = []
    german.on("request", lambda asked: fetched.append(asked.url) if "/parts" in asked.url else None)
    lines = [f"line {n}" for n in range(10)]
    german.evaluate(
        """async (lines) => {
          for (const text of lines) {
            await fetch(`/api${location.pathname}/chat`, {
              method: "POST", body: JSON.stringify({ text }),
              headers: { "content-type": "application/json" },
            });
            await new Promise((go) => setTimeout(go, 120));  // an event for each
          }
        }""",
        lines,
    )
    expect(german.locator("#chat .said")).to_have_text(lines)
    assert len(fetched) <= len(lines) // 2


def test_the_chat_has_the_time_of_the_readers_clock(
    players: Players, browser: Browser, server: Server
) -> None:
    links = begin_apart(players.come(), "Weissenberg")
    with browser.new_context(locale="fr", timezone_id="Asia/Tokyo") as far:
        page = far.new_page()
        page.goto(server.address + path_of(links["allied"]))
        page.wait_for_url("**/matches/*")
        page.locator("#say-text").fill("Bonsoir")
        page.locator("#say button").click()
        time = page.locator("#chat time")
        written = datetime.fromisoformat(str(time.get_attribute("datetime")))
        expect(time).to_have_text(f"{written + timedelta(hours=9):%H:%M}")


def test_a_holder_exchanges_his_link_and_gives_his_seat_up(players: Players) -> None:
    links = begin_apart(players.come(), "Weissenberg")
    german = sit(players.come(), links["german"])
    late = players.come().page.goto(links["german"])  # it worked once
    assert late is not None
    assert late.status == 404
    german.on("dialog", lambda dialog: dialog.accept())
    german.locator("#seat-box summary").click()
    german.locator("#my-link").click()
    told = german.locator("#told-link input")
    expect(told).to_have_value(re.compile("/seat/"))
    own = told.input_value()
    assert own != links["german"]
    expect(german.locator("[data-holders]")).to_have_text("1 browser or program holds your seat")
    thief = sit(players.come(), own)
    expect(german.locator("[data-holders='2']")).to_be_visible()
    german.locator("#new-link").click()
    expect(told).not_to_have_value(own)
    german.reload()  # its browser keeps the new link
    german.locator("#seat-box summary").click()
    german.locator("#my-link").click()
    expect(told).to_have_value(re.compile("/seat/"))
    assert told.input_value() not in (own, links["german"])
    expect(thief.locator("#notice")).to_contain_text("exchanged")  # its page learns why
    thief.reload()
    expect(thief.locator(".refusal")).to_be_visible()
    german.locator("#feed").click()
    expect(german.locator("#told-link input")).to_have_value(re.compile("/feed/"))
    german.locator("#give-up").click()
    expect(german).to_have_url(re.compile("/matches$"))


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_on_the_pages_of_a_match_apart(players: Players, screen: Screen) -> None:
    first = players.come(screen)
    links = begin_apart(first, "Weissenberg")
    assert problems(first) == []
    windows = [players.come(screen), players.come(screen)]
    windows[0].open(path_of(links["german"]))
    assert problems(windows[0]) == []
    german, allied = (
        sit(window, links[side]) for window, side in zip(windows, ("german", "allied"), strict=True)
    )
    german.locator("#briefed").click()
    german.locator("#seat-box summary").click()
    german.locator("#strip button[data-unit='21/20Pz']").click()
    german.locator("#chosen .go[data-hex='1811']").click()
    german.wait_for_timeout(QUICK)
    german.locator("#undo").click()
    expect(allied.locator("#consent-yes")).to_be_visible()
    for window in windows:
        assert problems(window) == []


NOTICES = """
window.noticed = [];
window.Notification = class {
  static permission = "granted";
  constructor(title, { body }) { window.noticed.push(`${title}: ${body}`); }
};
Object.defineProperty(document, "hidden", { get: () => true });
"""


def test_who_looks_elsewhere_is_notified_when_his_turn_begins(players: Players) -> None:
    links = begin_apart(players.come(), "Weissenberg")
    german = sit(players.come(), links["german"])
    window = players.come()
    window.page.add_init_script(NOTICES)
    allied = sit(window, links["allied"])
    expect(allied.locator("#ask")).to_contain_text("The other side thinks.")
    assert allied.evaluate("window.noticed") == []
    while german.locator("#ask [data-ask='order']").count():
        end_phase(german)
        german.wait_for_timeout(300)
    expect(allied).to_have_title(re.compile("^● Your turn – "))
    assert allied.evaluate("window.noticed") == ["Your turn: Weissenberg"]
