"""A server that cheats with fair dice: the page notices, says so, and reveals nothing any more.

The server is honest; what it answers is changed on the way to the page. Every changed answer also
asks the page for the link of another roll, which it would give by itself if it trusted the server.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.conftest import running
from tests.browser.test_fair_dice import opened, rolled
from tests.processes import PATIENCE
from tests.web.fair_match import Apart, begun

Json = dict[str, Any]
OTHER = "0f" * 32  # a link or an anchor of another chain
LONG = 500  # milliseconds in which a page that goes on would have revealed


class Watched(NamedTuple):
    """The page of a side that has made a roll and is asked for its link by the other side's roll;
    and what it has noted until then."""

    page: Page
    place: str  # of the notes
    notes: str

    def open(self, cheat: Callable[[Json], Json]) -> list[Json]:
        """Open the page anew at a server that asks for the next link and cheats; give the list of
        the links that the page reveals from now on."""
        revealed: list[Json] = []

        def look(route: Route) -> None:
            state = route.fetch(url=re.sub(r"since=\d+", "since=1", route.request.url)).json()
            asked = {"dice": state["made"][-1]["dice"], "side": "german", "awaited": ["allied"]}
            route.fulfill(json=cheat(json.loads(json.dumps({**state, **asked}))))

        def reveal(route: Route) -> None:
            revealed.append(route.request.post_data_json or {})
            route.fulfill(status=409, json={"refusal": "too late"})

        self.page.unroute_all(behavior="ignoreErrors")  # of requests that are still under way
        self.page.route("**/dice?since=*", look)
        self.page.route("**/dice/reveal*", reveal)
        self.page.reload()
        return revealed

    def forget(self) -> None:
        """Bring the notes back to what they were before any cheating."""
        self.page.evaluate("([place, notes]) => { localStorage[place] = notes }", self[1:])

    @property
    def alert(self) -> Locator:
        return self.page.get_by_role("alert").filter(has_text="Warning: roll")


@pytest.fixture(scope="module")
def watched(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    with (
        running(tmp_path_factory.mktemp("cheating") / "matches.sqlite") as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as web,
    ):
        apart = Apart(web, begun(web))
        apart.to_roll()
        german, allied = (opened(browser, server, apart, side) for side in ("german", "allied"))
        german.locator("#fair-roll").click()
        rolled(apart, german)
        german.close()
        place = f"grognard dice {apart.id} allied"
        allied.reload()
        expect(allied.locator("#dice-box")).to_be_visible()
        yield Watched(allied, place, allied.evaluate(f"localStorage['{place}']"))
        allied.unroute_all(behavior="ignoreErrors")
        allied.context.close()


def honest(state: Json) -> Json:
    return state


def other_dice(state: Json) -> Json:
    state["made"][0]["shown"][0] = state["made"][0]["shown"][0] % 6 + 1
    return state


def other_question(state: Json) -> Json:
    state["made"][0]["question"] = OTHER
    return state


def other_kind_of_dice(state: Json) -> Json:
    state["made"][0]["dice"]["count"] += 1
    return state


def link_of_another_chain(state: Json) -> Json:
    state["made"][0]["links"]["german"] = OTHER
    return state


def another_link_of_mine(state: Json) -> Json:
    state["made"][0]["links"]["allied"] = OTHER
    return state


def third_link(state: Json) -> Json:
    state["made"][0]["links"]["third"] = OTHER
    return state


def roll_left_out(state: Json) -> Json:
    return {**state, "made": []}


def link_of_a_later_roll(state: Json) -> Json:
    return {**state, "roll": 3}


def roll_again_against_another_commitment(state: Json) -> Json:
    """Withdraw the roll, and begin another chain of the other side that knows this page's link."""
    (german,) = (side for side in state["sides"] if side["id"] == "german")
    german["anchor"] = OTHER
    return {**state, "roll": 1, "made": []}


def roll_again_for_another_question(state: Json) -> Json:
    return {**state, "roll": 1, "made": [], "question": OTHER}


def test_a_page_reveals_for_the_next_roll_of_an_honest_server(watched: Watched) -> None:
    """So the tests below could fail."""
    watched.forget()
    revealed = watched.open(honest)
    expect(watched.page.locator("#dice-box")).to_be_visible()
    for _ in range(round(PATIENCE * 10)):
        if revealed:
            break
        watched.page.wait_for_timeout(100)
    assert [one["roll"] for one in revealed][:1] == [2]
    expect(watched.alert).to_be_hidden()


@pytest.mark.parametrize(
    "cheat",
    [
        other_dice,
        other_question,
        other_kind_of_dice,
        link_of_another_chain,
        another_link_of_mine,
        third_link,
        roll_left_out,
        link_of_a_later_roll,
        roll_again_against_another_commitment,
        roll_again_for_another_question,
    ],
)
def test_a_page_notices_a_server_that_cheats_and_does_not_go_on(
    watched: Watched, cheat: Callable[[Json], Json]
) -> None:
    watched.forget()
    revealed = watched.open(cheat)
    expect(watched.alert).to_be_visible()
    expect(watched.page.locator("#fair-roll")).to_be_hidden()
    watched.page.wait_for_timeout(LONG)
    assert revealed == []
    # Nor does it trust the server again that is honest from now on.
    again = watched.open(honest)
    expect(watched.alert).to_be_visible()
    watched.page.wait_for_timeout(LONG)
    assert again == []
    # The secret of the chain is not given to the server either.
    posts: list[str] = []
    watched.page.on("request", lambda asked: posts.append(asked.url))
    watched.page.locator("#dice-box summary").click()
    watched.page.get_by_label("Let the server answer").click()
    watched.page.wait_for_timeout(LONG)
    assert [url for url in posts if "/dice/anchor" in url] == []
