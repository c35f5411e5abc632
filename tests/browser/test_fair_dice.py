"""Fair dice in a real browser: two pages make a roll together, and notice who cheats."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from grognard.matches.storage.kept_rows import update
from grognard.matches.storage.renewal import renew
from grognard.matches.storage.store import Store
from tests.browser.conftest import Server, Window, running
from tests.processes import PATIENCE
from tests.sqlite_file import change, forge
from tests.web.fair_match import Apart, begun

SCRIPT = Path(__file__).parents[2] / "examples" / "check_dice.py"


# As over http in a home network, where browsers keep their own hashes to themselves.
INSECURE = "Object.defineProperty(crypto, 'subtle', {value: undefined})"


def opened(browser: Browser, server: Server, apart: Apart, side: str) -> Page:
    """Take the seat of a side in a browser of its own; its new link counts from now on."""
    page = browser.new_context(locale="en").new_page()
    page.add_init_script(INSECURE)
    page.goto(f"{server.address}/seat/{apart.secrets[side]}")
    page.wait_for_url("**/matches/*")
    expect(page.locator("#dice-box")).to_be_attached()
    expect(page.locator("#match")).not_to_have_attribute("data-sent", "yes")
    link = page.evaluate(f"localStorage['link:{apart.id}:{side}']")  # not if it came by that one
    if link is not None:
        apart.secrets[side] = link.rpartition("/")[2]
    return page


def rolled(apart: Apart, page: Page) -> None:
    """Wait until the first roll is made."""
    for _ in range(round(PATIENCE * 10)):
        if apart.state()["roll"] == 2:
            return
        page.wait_for_timeout(100)
    raise AssertionError("the pages did not roll")


HASHES_DIFFER = """async () => {
  const { sha256 } = await import("/static/sha256.js");
  const differ = [];
  for (let length = 0; length < 200; length += 1) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    const right = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    if (String(sha256(bytes)) !== String(right)) differ.push(length);
  }
  return differ;
}"""


def test_our_hashes_are_those_of_the_browser(window: Window) -> None:
    assert window.open("/matches").evaluate(HASHES_DIFFER) == []


def test_two_pages_make_a_roll_and_the_script_holds_it(browser: Browser, tmp_path: Path) -> None:
    with (
        running(tmp_path / "matches.sqlite") as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as web,
    ):
        apart = Apart(web, begun(web))
        german = opened(browser, server, apart, "german")
        apart.to_roll()
        # The other page is not open yet: the roll waits, and the page says for whom.
        expect(german.locator("[data-part=text]")).to_contain_text("no chain of dice yet")
        expect(german.locator("#fair-roll")).to_be_hidden()
        allied = opened(browser, server, apart, "allied")
        expect(german.locator("#fair-roll")).to_be_visible()
        expect(allied.locator("#fair-roll")).to_be_hidden()
        expect(german.locator("#ask .face")).to_have_count(0)  # nobody types dice here
        german.locator("#fair-roll").click()
        expect(german.locator("#fair-roll")).to_be_hidden()
        rolled(apart, german)
        assert len(apart.state()["made"]) == 1
        notes = german.evaluate(f"localStorage['grognard dice {apart.id} german']")
        files = [tmp_path / "match.json", tmp_path / "notes.json"]
        files[0].write_text(web.get(f"{apart.path}/file").text, encoding="utf-8")
        files[1].write_text(notes, encoding="utf-8")
        command = [sys.executable, "-I", "-S", str(SCRIPT), *map(str, files)]
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        assert (done.returncode, done.stderr) == (0, b""), done.stdout
        # The server tells another story afterwards: both pages warn.
        forge(server.store, "UPDATE reveals SET question = ?", "0" * 64)
        for page in (german, allied):
            page.reload()
            expect(page.get_by_role("alert").filter(has_text="roll 1")).to_be_visible()


def test_a_page_that_lost_its_secret_begins_anew_and_the_server_may_answer(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        running(tmp_path / "matches.sqlite") as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as web,
    ):
        apart = Apart(web, begun(web))
        apart.to_roll()
        first = opened(browser, server, apart, "german")
        expect(first.locator("[data-part=text]")).to_contain_text("chain of dice")
        first.close()
        german = opened(browser, server, apart, "german")  # another device
        expect(german.get_by_text("begun in another browser")).to_be_visible()
        expect(german.get_by_role("alert")).to_be_hidden()
        expect(german.get_by_role("button", name="Use this device")).to_be_visible()
        german.get_by_role("button", name="Use this device").click()
        expect(german.get_by_role("button", name="Use this device")).to_be_hidden()
        allied = opened(browser, server, apart, "allied")
        allied.locator("#dice-box summary").click()
        allied.get_by_label("Let the server answer").check()
        expect(german.locator("#fair-roll")).to_be_visible()
        for _ in range(100):
            if apart.state()["sides"][1]["server"]:
                break
            allied.wait_for_timeout(100)
        allied.close()
        german.locator("#fair-roll").click()
        expect(german.locator("#fair-roll")).to_be_hidden()
        rolled(apart, german)
        assert json.loads(german.evaluate(f"localStorage['grognard dice {apart.id} german']"))[
            "reveals"
        ].keys() == {"1"}


def test_a_roll_is_begun_anew_when_the_person_asks_for_it(browser: Browser, tmp_path: Path) -> None:
    """The reveal that is withdrawn stays in the notes, its chain in the match file."""
    with (
        running(tmp_path / "matches.sqlite") as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as web,
    ):
        apart = Apart(web, begun(web))
        apart.to_roll()
        german = opened(browser, server, apart, "german")
        apart.clients["allied"].begin()  # whose program has not answered yet
        german.locator("#fair-roll").click()
        expect(german.locator("#fair-roll")).to_be_hidden()
        german.locator("#dice-box summary").click()
        german.get_by_role("button", name="Begin this roll anew").click()
        expect(german.locator("#fair-roll")).to_be_visible()
        german.locator("#fair-roll").click()
        expect(german.locator("#fair-roll")).to_be_hidden()
        apart.clients["allied"].answer()
        rolled(apart, german)
        german.reload()
        expect(german.locator("#dice-box")).to_be_visible()
        expect(german.get_by_role("alert")).to_be_hidden()
        notes = json.loads(german.evaluate(f"localStorage['grognard dice {apart.id} german']"))
        first, second = notes["chains"]
        assert [note["anchor"] for note in notes["withdrawn"]] == [first]
        assert [note["anchor"] for note in notes["reveals"].values()] == [second]
        chains = {chain["anchor"]: chain for chain in apart.file()["proof"]["chains"]}
        assert (chains[first].get("withdrawn"), chains[second].get("withdrawn")) == (True, None)


def test_pages_take_part_in_a_match_whose_dice_begin_anew(browser: Browser, tmp_path: Path) -> None:
    """After the owner went back to a backup: the pages refuse the former match, not the new one."""
    with (
        running(tmp_path / "matches.sqlite") as server,
        httpx.Client(base_url=server.address, timeout=PATIENCE) as web,
    ):
        apart = Apart(web, begun(web))
        apart.to_roll()
        german, allied = (opened(browser, server, apart, side) for side in ("german", "allied"))
        german.locator("#fair-roll").click()
        rolled(apart, german)
        change(server.store, "DELETE FROM reveals")  # as before the commitments of the attack
        with Store(server.store) as store:
            kept = store.get(apart.id)
            with store.database.transaction(write=True):
                store.database.run("DELETE FROM answers WHERE n > 2")
                last = store.database.rows("SELECT seal FROM answers ORDER BY n DESC LIMIT 1")
                head = str(last[0]["seal"])
                update(store.database, replace(kept, head=head, undone=1, version=99))
        for side in apart.sides:
            version = web.get(apart.path).json()["version"]
            apart.post("commit", version=version, side=side, option=[0, 0])
        german.goto(f"{server.address}/matches/{apart.id}")
        german.locator("#fair-roll").click()
        expect(german.get_by_role("alert").filter(has_text="roll 1")).to_be_visible()
        with Store(server.store) as store:
            renewed = renew(store, apart.id).id
        for page, side in ((german, "german"), (allied, "allied")):
            page.goto(f"{server.address}/seat/{apart.secrets[side]}")
            expect(page).to_have_url(f"{server.address}/matches/{renewed}")
        german.locator("#fair-roll").click()
        apart.id, apart.path = renewed, f"/api/matches/{renewed}"
        rolled(apart, german)
        for page in (german, allied):
            expect(page.locator("#dice-box")).to_be_visible()
            expect(page.get_by_role("alert")).to_be_hidden()
