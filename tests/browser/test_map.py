"""The map in a real browser: the printed example, some turns, a killed server, two pages."""

import contextlib
import json
import re
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from playwright.sync_api import TimeoutError as Vanished

from tests import processes
from tests.browser.conftest import QUICK, Screen, Server, Window, look, running

PATIENCE = 3000  # milliseconds for something that may vanish while the page is drawn anew


def post(address: str, path: str, data: object) -> dict[str, object]:
    """Speak the JSON interface, to set a match up."""
    request = Request(
        address + path, json.dumps(data).encode(), {"content-type": "application/json"}
    )
    with urlopen(request, timeout=processes.PATIENCE) as answer:
        read: dict[str, object] = json.load(answer)
    return read


def begin(address: str, scenario: str, autos: tuple[str, ...] = (), level: str = "sergeant") -> str:
    begun = post(address, "/api/matches", {"scenario": scenario, "autos": autos, "level": level})
    return str(begun["id"])


def tap_hex(page: Page, number: str) -> None:
    """Tap the middle of a hex of the map."""
    page.locator(f"#map g.hex[data-hex='{number}']").first.click(force=True)


def version(page: Page) -> int:
    return int(page.evaluate("document.querySelector('#match').dataset.version"))


def end_phase(page: Page) -> None:
    before = page.locator("#status").inner_text()
    page.locator("#ask button[data-order]", has_text="end").last.click()
    expect(page.locator("#status")).not_to_have_text(before, use_inner_text=True)


def answer_everything(page: Page, die: int) -> None:
    """Answer the questions of a fight to its end."""
    for _ in range(60):
        page.wait_for_timeout(150)
        if page.locator("#ask").locator("[data-ask='order'], .end").count():
            return
        answer_once(page, die)
    raise AssertionError("the questions do not end")


def answer_once(page: Page, die: int) -> None:
    """Answer the open question, unless the page is just being drawn anew."""
    with contextlib.suppress(Vanished):
        _answer(page, die)


def _answer(page: Page, die: int) -> None:
    """Commit nothing, tap the given die, or take the first option."""
    ask = page.locator("#ask")
    if ask.locator(".half-secret").count():
        secret = ask.locator(".half-secret").first
        if secret.get_attribute("open", timeout=PATIENCE) is None:
            secret.locator("summary").first.click(timeout=PATIENCE)
            page.wait_for_timeout(QUICK)  # no tap follows another one quickly
        secret.locator("button").first.click(timeout=PATIENCE)
    elif ask.locator(f"[data-die='{die}']").count():
        dice = ask.locator(".dice").get_attribute("data-dice", timeout=PATIENCE)
        for _ in range(int(dice or 1)):
            ask.locator(f"[data-die='{die}']").click(timeout=PATIENCE)
    else:
        ask.locator("[data-answer]").first.click(timeout=PATIENCE)


def commit_nothing(page: Page) -> None:
    """Let both sides commit nothing; no tap follows another one quickly."""
    for side in ("german", "allied"):
        secret = page.locator(f"#secret-{side}")
        for control in (secret.locator("> summary"), secret.locator("[data-half]").first):
            page.wait_for_timeout(QUICK)
            control.click()
        expect(secret).to_have_count(0)


def play_until_turn(page: Page, turn: int) -> None:
    """End every phase and answer whatever is asked, while the other side plays by itself."""
    now = page.locator("#status .now")
    for _ in range(120):
        if int(re.sub(r"\D", "", now.inner_text())) >= turn:
            return
        before = version(page)
        ask = page.locator("#ask")
        if page.locator("#recap-on").count():
            page.locator("#recap-on").click()
        if ask.locator("[data-ask='order']").count():
            page.wait_for_timeout(QUICK)
            ask.locator("button[data-order]", has_text="end").last.click()
        elif ask.locator(".waits").count() == 0:
            answer_once(page, 3)
        page.wait_for_function(
            "(before) => Number(document.querySelector('#match').dataset.version) !== before",
            arg=before,
            timeout=60_000,
        )
    raise AssertionError("the turns do not go on")


def test_the_printed_example_is_attacked_by_target_attackers_target(window: Window) -> None:
    """8.2: 26 : 6 is 4/1, with the reasons; die 5 is led to the end."""
    page = window.open(f"/matches/{begin(window.address, 'weissenberg')}")
    end_phase(page)
    tap_hex(page, "1910")
    for unit in ("21/20Pz", "59/20Pz", "112/20Pz", "QG 20 Pz", "QG 57 PzK"):
        page.locator(f"#attackers [data-attacker='{unit}']").click()
    panel = page.locator("#look")
    expect(panel.locator(".headline")).to_contain_text("26")
    expect(page.locator("#look-details .derived")).to_contain_text("Formation 20 Pz attacks")
    tap_hex(page, "1910")
    ask = page.locator("#ask")
    ask.get_by_role("button", name="QG 294 RD", exact=True).click()
    ask.locator(".confirm").click()
    expect(ask.locator(".half-secret").first).to_be_visible()
    answer_everything(page, 5)
    log = page.locator("#log")
    expect(log).to_contain_text("26 : 6, column 4/1")
    expect(log).to_contain_text("Attack total: 26")
    expect(log).to_contain_text("8.2")


def test_a_unit_shows_where_it_can_go_and_goes_there(window: Window) -> None:
    page = window.open(f"/matches/{begin(window.address, 'weissenberg')}")
    page.locator(".piece[data-unit='687/615']").click()
    expect(page.locator("#chosen")).to_contain_text("1712")
    reachable = page.locator("#chosen .go").first
    goal = reachable.get_attribute("data-hex") or ""
    tap_hex(page, goal)
    expect(page.locator(f"#map g.counter[data-unit='687/615'][data-hex='{goal}']")).to_have_count(1)
    expect(page.locator("#log")).to_contain_text("687/615")
    page.locator("#undo").click()
    expect(page.locator("#map g.counter[data-unit='687/615'][data-hex='1712']")).to_have_count(1)


@pytest.mark.parametrize("window", [Screen(width=390)], indirect=True)
def test_a_hex_that_can_not_be_reached_says_why(window: Window) -> None:
    """By tap and by keyboard, on empty hexes, friends and enemies; what can't act is pale."""
    page = window.open(f"/matches/{begin(window.address, 'weissenberg')}")
    hint = page.locator("#hint")
    expect(hint).to_be_visible()
    expect(page.locator("#undo")).to_be_disabled()
    expect(page.locator("#undo")).to_have_css("border-style", "dashed")
    expect(hint).to_contain_text("Tap a unit")
    page.locator("#zoom-all").click()
    asked = Asked(page)
    page.locator(".piece[data-unit='687/615']").click()
    tap_hex(page, "2008")  # perhaps before the unit shows: it is for it all the same
    expect(hint).to_contain_text("2008: 687/615 would be unsupplied there")
    assert asked.since(page) == ["GET unit", "POST try"]
    expect(page.locator("#chosen h2")).to_have_text("687/615")
    tap_hex(page, "1910")
    expect(hint).to_contain_text("1910: the enemy is there")
    assert asked.since(page) == ["GET unit"]
    page.locator("#all-units").click()
    page.locator(".piece[data-unit='687/615']").click()
    page.locator("#chosen [data-to-hex]").fill("2206")
    page.keyboard.press("Enter")
    expect(hint).to_contain_text("2206: ")
    page.keyboard.press("Escape")
    expect(hint).to_contain_text("Tap a unit")
    end_phase(page)
    expect(hint).to_contain_text("Tap a target")
    idle = page.locator(".piece.idle[data-unit='687/615']")
    expect(idle).to_have_attribute("title", "687/615 is adjacent to no enemy")
    expect(page.locator("#map g.counter.idle[data-unit='687/615']")).to_have_count(1)
    page.locator("#log [data-show], #status [data-show]").first.dispatch_event("click")
    page = window.open(f"/matches/{begin(window.address, 'steppe')}")
    page.locator("#all-units").click()
    page.locator(".piece[data-unit='leFH 18']").click()
    tap_hex(page, "0202")
    expect(page.locator("#hint .told")).to_have_text("leFH 18 does not move")
    expect(page.locator("#chosen h2")).to_have_text("leFH 18")


IN_SIGHT = """(one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const seen = (y) => one.contains(document.elementFromPoint((left + right) / 2, y));
    return top >= 0 && bottom <= innerHeight && seen(top + 3) && seen(bottom - 3);
}"""


def in_sight(page: Page, *selectors: str) -> None:
    """Each of these is whole on the screen, and nothing covers it."""
    page.wait_for_timeout(300)
    for selector in selectors:
        assert page.locator(selector).first.evaluate(IN_SIGHT), selector


@pytest.mark.parametrize("window", [Screen(width=390, lang="fr")], indirect=True)
def test_on_a_phone_table_question_and_outcome_are_in_sight_together(window: Window) -> None:
    """From the look to the outcome: the lit column and the die above the question, 390 by 844."""
    page = window.page
    page.clock.install(time=0)
    page.set_viewport_size({"width": 390, "height": 844})
    page = window.open(f"/matches/{begin(window.address, 'weissenberg')}")
    foot, sheet = page.locator(".map-foot").bounding_box(), page.locator("#map").bounding_box()
    assert foot is not None
    assert sheet is not None
    assert foot["y"] >= sheet["y"] + sheet["height"]  # the tools cover no counter
    in_sight(page, "#hint", "#zoom-in", "#show-legend")
    page.locator("#ask [id^=end-]").click()
    expect(page.locator("#status")).to_contain_text("combat")
    tap_hex(page, "1910")
    for unit in ("21/20Pz", "59/20Pz", "112/20Pz"):
        page.locator(f"#attackers [data-attacker='{unit}']").click()
    expect(page.locator("#look .headline")).to_be_visible()
    lit = "th.in-question"
    in_sight(page, "#look .headline", f"#look {lit}", "#look tr.possible td.chance", "#aim-go")
    page.locator("#aim-go").click()
    expect(page.locator("#ask .confirm")).to_be_visible()
    in_sight(page, "#fight .headline", f"#fight {lit}", "#ask .confirm", "#ask .assumes")
    one_line = "(one) => one.getBoundingClientRect().height < 50"
    assert page.locator("#ask .assumes").evaluate(one_line)
    page.locator("#ask .confirm").click()
    expect(page.locator("#ask .half-secret")).to_have_count(2)
    commit_nothing(page)
    faces = page.locator("#ask [data-die]")
    in_sight(page, f"#fight {lit}", "#fight tr:last-child td", "#ask [data-roll]")
    assert all(face.evaluate(IN_SIGHT) for face in faces.all())
    page.clock.pause_at(600)  # the page's time stands still: the die stays as long as we look
    faces.nth(5).click()
    die = page.locator("#fight .falling")
    expect(die).to_be_visible()
    in_sight(page, "#fight td.hit", "#ask .asked", "#ask [data-answer]")
    below = "(one) => one.getBoundingClientRect().bottom - ask.getBoundingClientRect().top"
    assert die.evaluate(below) < 0
    page.clock.resume()
    expect(die).to_have_count(0)
    answer_everything(page, 6)
    in_sight(page, "#ask .just-fought", "#fight td.hit", "#ask [data-order]", "#undo")
    expect(page.locator("#ask .just-fought")).to_contain_text("chance sur")


def test_two_quick_taps_on_one_spot_never_do_two_things(window: Window) -> None:
    """On the map and on its panel: a target is not attacked, a phase not ended by a second tap."""
    page = window.open(f"/matches/{begin(window.address, 'weissenberg')}")
    page.locator("#ask [id^=end-]").dblclick()
    expect(page.locator("#status")).to_contain_text("combat")
    page.wait_for_timeout(500)
    assert version(page) == 1
    page.locator("#map g.hex[data-hex='1910']").first.dblclick(force=True)
    expect(page.locator("#aiming")).to_be_visible()
    page.locator("#attackers [data-attacker='21/20Pz']").click()
    page.wait_for_timeout(500)
    assert version(page) == 1
    expect(page.locator("#aim-go")).to_be_enabled()
    page.locator("#aim-go").dblclick()
    expect(page.locator("#ask .confirm")).to_be_visible()
    page.wait_for_timeout(500)
    assert version(page) == 2


def test_a_hex_that_is_tapped_before_the_script_is_there_is_not_lost(window: Window) -> None:
    id_, page = begin(window.address, "weissenberg"), window.page

    def late(route: Route) -> None:
        page.locator("#map g.hex[data-hex='1712']").first.click(force=True)
        route.continue_()

    page.route("**/static/*/match.js", late)
    page.goto(f"{window.address}/matches/{id_}", wait_until="commit")
    expect(page.locator("#chosen h2")).to_have_text("687/615")


def test_the_map_is_moved_and_zoomed_with_the_keyboard(window: Window) -> None:
    page = window.open(f"/matches/{begin(window.address, 'pulkovo')}")
    page.locator("#map").focus()
    hexes = page.locator("#map g.hex").first

    def size() -> float:
        return float((hexes.bounding_box() or {"width": 0})["width"])

    before = size()
    page.keyboard.press("+")
    assert size() > before
    where = (hexes.bounding_box() or {"x": 0})["x"]
    page.keyboard.press("ArrowRight")
    assert (hexes.bounding_box() or {"x": 0})["x"] != where
    page.keyboard.press("0")
    assert size() == pytest.approx(before, rel=0.2)


def test_a_killed_server_loses_nothing(browser: Browser, tmp_path: Path) -> None:
    """Some turns are played, the server is killed with SIGKILL and started again."""
    store = tmp_path / "matches.sqlite"
    with running(store) as server, look(browser, Screen()) as context:
        id_ = begin(server.address, "weissenberg", ("allied",))
        page = Window(context, server.address).open(f"/matches/{id_}")
        page.locator(".piece[data-unit='687/615']").click()
        tap_hex(page, page.locator("#chosen .go").first.get_attribute("data-hex") or "")
        expect(page.locator("#log")).to_contain_text("687/615")
        play_until_turn(page, 3)
        expect(page.locator("#ask .waits")).to_have_count(0, timeout=60_000)
        log = page.locator("#log li").all_inner_texts()
        at = version(page)
    with running(store) as again, look(browser, Screen()) as context:
        page = Window(context, again.address).open(f"/matches/{id_}")
        assert page.locator("#log li").all_inner_texts() == log
        assert version(page) == at


class Asked:
    """The requests of a page since the last look, without pictures and events."""

    def __init__(self, page: Page) -> None:
        self.requests: list[str] = []
        page.on("request", lambda request: self.note(request.method, request.url))

    def note(self, method: str, url: str) -> None:
        path = re.sub(r"^https?://[^/]+|\?.*$", "", url)
        if not path.endswith(("/events", ".svg")):
            self.requests.append(f"{method} {path.rpartition('/')[2]}")

    def since(self, page: Page) -> list[str]:
        page.wait_for_timeout(700)  # an event that leads to another request comes twice a second
        found, self.requests = self.requests, []
        return found


def test_a_tap_makes_one_request(window: Window) -> None:
    """The answer to an order, a choice, a commitment, dice and undo holds what the page needs."""
    page = window.open(f"/matches/{begin(window.address, 'weissenberg')}")
    page.locator(".piece[data-unit='687/615']").click()
    goal = page.locator("#chosen .go").first
    hex_ = goal.get_attribute("data-hex") or ""
    asked = Asked(page)
    goal.click()
    expect(page.locator(f"#map g.counter[data-unit='687/615'][data-hex='{hex_}']")).to_have_count(1)
    expect(page.locator("#log")).to_contain_text("687/615")
    assert asked.since(page) == ["POST answers"]
    page.locator("#undo").click()
    expect(page.locator("#map g.counter[data-unit='687/615'][data-hex='1712']")).to_have_count(1)
    assert asked.since(page) == ["POST undo"]
    end_phase(page)
    assert asked.since(page) == ["POST answers"]
    tap_hex(page, "1910")
    page.locator("#attackers [data-attacker='112/20Pz']").click()
    expect(page.locator("#look .headline")).to_be_visible()
    asked.since(page)
    page.locator("#aim-go").click()
    page.locator("#ask").get_by_role("button", name="QG 294 RD", exact=True).click()
    page.locator("#ask .confirm").click()
    expect(page.locator("#ask .half-secret").first).to_be_visible()
    assert asked.since(page) == ["POST answers", "POST answers"]
    commit_nothing(page)
    assert asked.since(page) == ["POST commit", "POST commit"]
    page.locator("#ask [data-roll]").click()
    expect(page.locator("#ask [data-roll]")).to_have_count(0)
    assert asked.since(page) == ["POST roll"]
    page.locator("#tools-box summary").click()
    page.locator("#rename").fill("Tuesday")
    page.locator("#rename").press("Enter")
    expect(page.locator("#match-name")).to_have_text("Tuesday")
    assert asked.since(page) == [f"PATCH {page.url.rpartition('/')[2]}"]


def test_a_page_that_is_behind_is_refused_and_brought_up_to_date(window: Window) -> None:
    id_ = begin(window.address, "weissenberg")
    page = window.open(f"/matches/{id_}")
    page.route("**/events*", lambda route: route.abort())
    page.reload()
    post(window.address, f"/api/matches/{id_}/answers", {"version": 0, "answer": ["end"]})
    asked = Asked(page)
    page.locator(".piece.acts").first.click()
    page.locator("#ask button[data-order]", has_text="end").last.click()
    expect(page.locator("#notice")).to_contain_text("changed")
    expect(page.locator("#status")).to_contain_text("combat")
    assert asked.since(page)[-2:] == ["POST answers", "GET parts"]
    assert version(page) == 1


def test_what_an_automatic_opponent_does_is_fetched(window: Window) -> None:
    page = window.open(f"/matches/{begin(window.address, 'weissenberg', ('allied',))}")
    page.locator("#tools-box summary").click()
    with page.expect_response(lambda answer: answer.request.method == "PATCH") as changed:
        page.locator("#tools [data-level]").select_option("sergeant")
    assert changed.value.ok
    expect(page.locator("#tools [data-level]")).to_have_value("sergeant")
    page.locator("#tools-box summary").click()
    asked = Asked(page)
    play_until_turn(page, 2)
    found = asked.since(page)
    assert "GET parts" in found
    assert {"POST answers"} <= set(found)


def test_two_pages_on_one_match_stay_in_step(
    browser: Browser, server: Server, window: Window
) -> None:
    id_ = begin(server.address, "weissenberg")
    page = window.open(f"/matches/{id_}")
    with look(browser, Screen(lang="fr")) as context:
        other = Window(context, server.address).open(f"/matches/{id_}")
        end_phase(page)
        expect(other.locator("#status")).to_contain_text("combat")
        assert version(other) == version(page)


@pytest.mark.parametrize("window", [Screen(width=390, lang="fr")], indirect=True)
def test_a_match_is_begun_and_played_on_a_phone(window: Window) -> None:
    """The front page has a map in view: of a match under way, else of the first scenario."""
    page = window.open("/")
    expect(page.locator(":is(.going, .scenario) img").first).to_be_in_viewport(ratio=1)
    expect(page.locator(".you-play").first.locator("button")).to_have_text(
        [
            re.compile("Allemands"),
            re.compile("Soviétiques et Polonais"),
            "les deux",
            "aucun",
            "à distance, par liens",
        ]
    )
    page.locator(".scenario [data-level]").first.select_option("general")
    page.get_by_role("button", name="les deux").first.click()
    expect(page.locator("#map svg")).to_be_visible()
    expect(page.locator("#tools [data-level]")).to_have_value("general")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".piece.acts").first.click()
    expect(page.locator("#chosen")).not_to_be_empty()


def test_a_move_and_the_end_of_a_phase_with_the_keyboard_alone(window: Window) -> None:
    page = window.open(f"/matches/{begin(window.address, 'weissenberg')}")
    reach(page, ".piece[data-unit='687/615']")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen .go").first).to_be_visible()
    reach(page, "#chosen .go")
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("687/615")
    reach(page, "#ask [data-order]")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("combat")


def reach(page: Page, selector: str) -> None:
    """Press Tab until the focus is on something; never the mouse."""
    for _ in range(400):
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached with the Tab key")
