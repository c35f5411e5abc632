"""The pictures of the README, taken with the browser of the tests: `make pictures`."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, running
from tests.processes import PATIENCE

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SIZE: ViewportSize = {"width": 1280, "height": 860}


def quick(page: Page, address: str) -> None:
    """Show an attack of Bautzen at the table."""
    page.goto(f"{address}/games/bautzen/attack?lang=en")
    page.locator("table.printed").first.wait_for()


def on_map(page: Page, address: str) -> None:
    """Show an attack that is being put together on the map."""
    body = json.dumps({"scenario": "weissenberg"}).encode()
    request = Request(f"{address}/api/matches", body, {"content-type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as answer:
        match = json.load(answer)["id"]
    page.goto(f"{address}/matches/{match}?lang=en")
    page.get_by_role("button", name="end the phase").click()
    page.locator("#aims summary").click()
    page.locator("#ask [data-aim]").first.click()
    page.locator("#aim-all").click()
    page.locator("#look table.printed").wait_for()


def take() -> None:
    """Take every picture."""
    with (
        TemporaryDirectory() as folder,
        running(Path(folder) / "matches.sqlite") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        for name, show in (("quick", quick), ("map", on_map)):
            page = browser.new_page(viewport=SIZE, locale="en", reduced_motion="reduce")
            show(page, server.address)
            page.screenshot(path=FOLDER / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    take()
