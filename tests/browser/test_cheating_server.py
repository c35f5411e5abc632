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

from grognard.matches.fair_dice import hashed
from tests.browser.conftest import running
from tests.browser.test_fair_dice import opened, rolled
from tests.oracles import fair_dice as oracle
from tests.processes import PATIENCE
from tests.web.fair_match import Apart, begun

Json = dict[str, Any]
OTHER = "0f" * 32  # a link or an anchor of another chain
LONG = 500  # milliseconds in which a page that goes on would have revealed


class Watched(NamedTuple):
    """The page of a side that has made a roll and is asked for its link by the other side's roll;
    and what it has noted until then."""

    page: Page
    address: str
    place: str  # of the notes
    notes: str

    def open(self, cheat: Callable[[Json], Json]) -> list[Json]:
        """Open the page anew at a server that asks for the next link and cheats; give the list of
        the links and anchors that the page sends from now on."""
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
        self.page.route("**/dice/anchor*", reveal)
        self.page.goto(self.address)
        return revealed

    def sent(self, revealed: list[Json]) -> Json:
        """Wait for the first link that the page reveals."""
        for _ in range(round(PATIENCE * 10)):
            if revealed:
                return revealed[0]
            self.page.wait_for_timeout(100)
        raise AssertionError("the page reveals nothing")

    def forget(self) -> None:
        """Bring the notes back to what they were before any cheating, while the page is closed."""
        self.page.goto(f"{self.address}/../../api")
        noted = [self.place, self.notes]
        self.page.evaluate("([place, notes]) => { localStorage[place] = notes }", noted)

    @property
    def alert(self) -> Locator:
        return self.page.get_by_role("alert").filter(has_text="Warning:")


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
        yield Watched(allied, allied.url, place, allied.evaluate(f"localStorage['{place}']"))
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


def tells(state: Json, side: str, **changed: object) -> Json:
    """Change what the server tells of a side."""
    (found,) = (one for one in state["sides"] if one["id"] == side)
    found.update(changed)
    return state


def asked_again(state: Json, **changed: object) -> Json:
    """Ask for roll 1 again, as if it had not been made."""
    question = state["made"][0]["question"]
    return {**state, "roll": 1, "question": question, "made": [], **changed}


def roll_again_with_other_dice(state: Json) -> Json:
    return asked_again(state, dice={"count": 1, "faces": 2, "lowest": 5})


def roll_again_with_another_link_of_the_other_chain(state: Json) -> Json:
    return asked_again(tells(state, "german", first=-7))


def roll_again_with_a_new_chain(state: Json) -> Json:
    """The page would begin one by itself, as at its first look."""
    return asked_again(tells(state, "allied", anchor=None, first=None))


def roll_again_under_another_number(state: Json) -> Json:
    return asked_again(state, roll="01", question=OTHER)


def made_anew(state: Json) -> Json:
    """Work the dice out from what the server tells, so that they fit."""
    (made,) = state["made"]
    dice = made["dice"]["count"], made["dice"]["faces"], made["dice"]["lowest"]
    links = made["links"]
    made["shown"] = oracle.rolled(state["match"], made["roll"], made["question"], links, dice)
    return state


def match_named_afterwards(state: Json) -> Json:
    for n in range(100):  # until it gives other dice
        named = json.loads(json.dumps({**state, "match": f"match-{n}"}))
        if made_anew(named)["made"][0]["shown"] != state["made"][0]["shown"]:
            return dict(named)
    raise AssertionError


def side_named_afterwards(state: Json) -> Json:
    """The order of the links is that of the names."""
    tells(state, "german", id="aaa")
    links = state["made"][0]["links"]
    links["aaa"] = links.pop("german")
    return made_anew(state)


def roll_without_this_page(state: Json) -> Json:
    return {**tells(state, "allied", first=2), "awaited": []}


def server_answers_unasked(state: Json) -> Json:
    return {**tells(state, "allied", server=True), "awaited": []}


def endless_dice(state: Json) -> Json:
    return {**state, "dice": {"count": 1, "faces": 2**40, "lowest": 1}}


def no_dice(state: Json) -> Json:
    return {**state, "dice": None}


def what_can_not_be_read(state: Json) -> Json:
    state["made"][0]["links"] = None
    return state


def roll_again_for_another_question(state: Json) -> Json:
    return {**state, "roll": 1, "made": [], "question": OTHER}


def test_a_page_reveals_for_the_next_roll_of_an_honest_server(watched: Watched) -> None:
    """So the tests below could fail."""
    watched.forget()
    revealed = watched.open(honest)
    expect(watched.page.locator("#dice-box")).to_be_visible()
    assert watched.sent(revealed)["roll"] == 2
    expect(watched.alert).to_be_hidden()


def test_a_page_knows_how_long_its_chain_is(watched: Watched) -> None:
    """Of a chain of one link, the next link would be the secret."""
    watched.forget()
    notes = json.loads(watched.notes)
    sent = watched.sent(watched.open(lambda state: {**state, "length": 1}))
    assert hashed(sent["value"], 2) == notes["chain"]
    assert sent["value"] not in {chain["secret"] for chain in notes["chains"].values()}


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
        roll_again_with_other_dice,
        roll_again_with_another_link_of_the_other_chain,
        roll_again_with_a_new_chain,
        roll_again_under_another_number,
        match_named_afterwards,
        side_named_afterwards,
        roll_without_this_page,
        server_answers_unasked,
        endless_dice,
        no_dice,
        what_can_not_be_read,
    ],
)
def test_a_page_notices_a_server_that_cheats_and_does_not_go_on(
    watched: Watched, cheat: Callable[[Json], Json]
) -> None:
    watched.forget()
    revealed = watched.open(cheat)
    expect(watched.alert).to_be_visible()
    kept = json.loads(watched.page.evaluate(f"localStorage['{watched.place}']"))
    assert kept["reveals"] == json.loads(watched.notes)["reveals"]
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


def chain_of_somebody(state: Json) -> Json:
    return {**tells(state, "allied", anchor=OTHER, first=2), "awaited": []}


def chain_of_the_server(state: Json) -> Json:
    return tells(chain_of_somebody(state), "allied", server=True)


@pytest.mark.parametrize("cheat", [chain_of_somebody, chain_of_the_server])
def test_a_page_says_that_its_dice_are_made_with_another_chain(
    watched: Watched, cheat: Callable[[Json], Json]
) -> None:
    """That may be a second device of the same person: he alone decides."""
    watched.forget()
    sent = watched.open(cheat)
    expect(watched.alert).to_contain_text("a chain that this browser did not begin")
    watched.page.wait_for_timeout(LONG)
    assert sent == []
    watched.page.get_by_role("button", name="Use this device").click()
    assert watched.sent(sent)["replaces"] == OTHER
    watched.forget()
    watched.open(honest)
    expect(watched.page.locator("#dice-box")).to_be_visible()
    expect(watched.alert).to_be_hidden()
