"""A real browser with a real server; without Chromium these tests are skipped."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.processes import PATIENCE
from tests.tiers import sized

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
# Nothing may be asked of any network: the pages must come from the server alone.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

expect.set_options(timeout=PATIENCE * 1000)  # a machine that has much to do is no failure


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            if CHROMIUM is None:
                item.add_marker(pytest.mark.skip(reason="Chromium is not installed"))


class Server(NamedTuple):
    """A server that runs in its own process."""

    process: subprocess.Popen[str]
    address: str
    store: Path

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)


def start(store: Path) -> Server:
    """Start `grognard serve`, and wait for the address that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "grognard", "serve", "--port", "0", "--store", str(store)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "LANG": "C.UTF-8"},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return Server(process, found[0].rstrip("/"), store)
    raise AssertionError("the server ended without naming its address")


@contextmanager
def running(store: Path) -> Iterator[Server]:
    """Run a server, and kill it with SIGKILL at the end."""
    server = start(store)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("store") / "matches.sqlite") as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield opened
        opened.close()


class Screen(NamedTuple):
    """How a page is looked at."""

    width: int = 1280
    lang: str = "en"
    dark: bool = False


QUICK = 400  # milliseconds after which a tap on the same spot is no double tap
SCREENS = (Screen(), Screen(width=390, lang="fr", dark=True))


def on_screens(*pages: str) -> list[tuple[str, Screen]]:
    """Pair pages of one template with both screens in `make soak`, and with one of them in turn
    otherwise: their style and structure are the template's."""
    return [
        (page, SCREENS[(number + screen) % 2])
        for number, page in enumerate(pages)
        for screen in range(sized(1, quick=1, soak=2))
    ]


def look(browser: Browser, screen: Screen) -> BrowserContext:
    """Open a window that reports whatever goes wrong in it."""
    return browser.new_context(
        viewport={"width": screen.width, "height": 900},
        locale=screen.lang,
        color_scheme="dark" if screen.dark else "light",
        reduced_motion="reduce",
        has_touch=screen.width < 600,
    )


class Window:
    """A page in a window; what it logs as an error, or asks elsewhere, fails the test."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.problems: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", self._asked)

    def _asked(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        if not url.startswith((self.address, "data:", "blob:")):
            self.problems.append(f"asked elsewhere: {url}")

    def open(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.page


@pytest.fixture
def window(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Window]:
    screen = getattr(request, "param", Screen())
    context = look(browser, screen)
    opened = Window(context, server.address)
    yield opened
    context.close()
    assert opened.problems == []
