"""A real server: killed in the middle of its work, and followed by several pages at once."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from queue import Queue
from random import Random
from threading import Event, Thread
from threading import enumerate as threads
from typing import Any, TypeVar, cast

import anyio
import httpx
import pytest

from grognard.matches import match as matches
from grognard.matches.storage.database import Changes, Database
from grognard.matches.storage.rows import New, Standing
from grognard.matches.storage.store import Store
from grognard.web.app import create
from grognard.web.matches.events import events
from grognard.web.matches.watcher import Watcher
from tests.postgresql import postgresql_running
from tests.processes import PATIENCE, until
from tests.tiers import sized
from tests.web.serving import Server, server

pytestmark = pytest.mark.process

T = TypeVar("T")
KILLS = sized(4, soak=40)
THERE, BACK = "1811", "1810"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


def begin(web: httpx.Client, **stated: object) -> dict[str, Any]:
    view: dict[str, Any] = web.post(
        "/api/matches", json={"scenario": "weissenberg", "level": "sergeant", **stated}
    ).json()
    return view


def place(view: dict[str, Any]) -> str:
    """The hex of the unit that goes there and back."""
    return str(next(piece["hex"] for piece in view["pieces"] if piece["name"] == "21/20Pz"))


def forth(web: httpx.Client, view: dict[str, Any]) -> dict[str, Any]:
    """Move the unit, or take the move back."""
    path, version = f"/api/matches/{view['id']}", view["version"]
    if place(view) == THERE:
        answer = web.post(f"{path}/undo", json={"version": version})
    else:
        move = ["move", "21/20Pz", THERE]
        answer = web.post(f"{path}/answers", json={"version": version, "answer": move})
    assert answer.status_code == 200, answer.text
    moved: dict[str, Any] = answer.json()
    return moved


def keep_moving(
    server: Server, view: dict[str, Any], told: "Queue[dict[str, Any]]", stop: Event
) -> None:
    """Go there and back until the server is gone; tell what it has answered."""
    with server.client() as web:
        try:
            while not stop.is_set():
                view = forth(web, view)
                told.put(view)
        except httpx.TransportError:
            return


def test_a_server_killed_again_and_again_loses_nothing_that_it_told(file: Path) -> None:
    """One match goes there and back while another one plays itself; at the end that one is whole
    and has been played to its end."""
    random = Random(1919)
    with server(file) as running:
        with running.client() as web:
            alone = begin(web, autos=["german", "allied"])
            view = begin(web)
        for _ in range(KILLS):
            told: Queue[dict[str, Any]] = Queue()
            stop = Event()
            player = Thread(target=keep_moving, args=(running, view, told, stop))
            player.start()
            for _ in range(random.randint(1, 12)):
                view = told.get(timeout=PATIENCE)
            stop.set()  # for a request that the next server answers
            running.kill()
            running.start()
            player.join(PATIENCE)
            while not told.empty():
                view = told.get()
            with running.client() as web:
                after = web.get(f"/api/matches/{view['id']}").json()
            late = after["version"] - view["version"]
            assert late in (0, 1)  # the answer may have been lost, but not what it told of
            assert place(after) == (place(view) if late == 0 else other(place(view)))
            view = after
        with running.client() as web:
            for _ in versions(web, alone):
                if web.get(f"/api/matches/{alone['id']}").json()["verdict"]:
                    break
            text = web.get(f"/api/matches/{alone['id']}/file").text
        assert matches.load(text, "the file").asking is None


def other(hex_: str) -> str:
    return BACK if hex_ == THERE else THERE


def test_a_match_that_plays_itself_does_not_hold_up_others(file: Path) -> None:
    with server(file) as running, running.client() as web:
        alone = begin(web, autos=["german", "allied"])
        view = begin(web)
        moves = 0
        while web.get(f"/api/matches/{alone['id']}").json()["verdict"] is None:
            view = forth(web, view)
            moves += 1
        assert moves > 1


# ------------------------------------------------------------------ events


def versions(web: httpx.Client, view: dict[str, Any]) -> Iterator[str]:
    """What the events of a match tell: its versions, and that it is gone."""
    with web.stream("GET", f"/api/matches/{view['id']}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in stream.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            if line.startswith("data:") and name != "news":
                yield line.removeprefix("data: ") if name == "version" else name


def test_two_pages_on_one_match_stay_in_step(address: Path | str) -> None:
    with server(address) as running, running.client() as one, running.client() as two:
        view = begin(one)
        pages = [versions(one, view), versions(two, view)]
        assert [next(page) for page in pages] == [str(view["version"])] * 2
        with running.client() as web:
            moved = forth(web, view)
            assert [next(page) for page in pages] == [str(moved["version"])] * 2
            stale = web.post(
                f"/api/matches/{view['id']}/answers",
                json={"version": view["version"], "answer": ["end"]},
            )
            assert stale.status_code == 409
            store = Store(address)  # as another process would
            kept = store.append(view["id"], moved["version"], [["end"]], Standing())
            store.close()
            assert [next(page) for page in pages] == [str(kept.version)] * 2
            assert web.get(f"/api/matches/{view['id']}").json()["version"] == kept.version
            web.request("DELETE", f"/api/matches/{view['id']}", json={})
        assert [next(page) for page in pages] == ["gone"] * 2
        for page in pages:
            with pytest.raises(StopIteration):
                next(page)


def in_its_own_thread(run: Callable[[], Awaitable[T]]) -> T:
    """Run what waits in a fresh thread: a browser test may have left a loop running in ours."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, run).result()


def test_a_quiet_match_is_told_to_be_there_still(file: Path) -> None:
    store = Store(file)
    kept = store.keep(New(name="x", scenario="weissenberg", options={}))

    async def first() -> list[str]:
        told = []
        async for chunk in events(store, Watcher(store), kept.id, 0.01).body_iterator:
            told.append(str(chunk))
            if len(told) == 4:
                break
        return told

    version, news, *beats = in_its_own_thread(first)
    assert version == f"event: version\nid: {kept.version}\ndata: {kept.version}\n\n"
    assert news == f"event: news\ndata: {kept.news}\n\n"
    assert beats == [": still here\n\n"] * 2
    store.close()


def test_pages_stay_open_while_postgresql_is_away(caplog: pytest.LogCaptureFixture) -> None:
    """A page learns afterwards what changed; the log names the trouble once."""
    with postgresql_running() as away, Store(away.new_store()) as store:
        kept = store.keep(New(name="x", scenario="weissenberg", options={}))
        watcher = Watcher(store)

        async def follow() -> None:
            body = events(store, watcher, kept.id, 0.1).body_iterator
            assert isinstance(body, AsyncGenerator)
            told = [str(await anext(body)), str(await anext(body))]
            await anyio.to_thread.run_sync(away.stop)
            await anyio.sleep(1)
            await anyio.to_thread.run_sync(away.start)
            await anyio.to_thread.run_sync(store.tell, kept.id)
            with anyio.fail_after(PATIENCE):
                while told[-1] != f"event: news\ndata: {kept.news + 1}\n\n":
                    told.append(str(await anext(body)))
            await body.aclose()

        in_its_own_thread(follow)
        until(lambda: "watcher" not in {thread.name for thread in threads()})
    assert len([one for one in caplog.records if "can't be used" in one.getMessage()]) == 1


@pytest.mark.parametrize("trouble", ["refused", "broken"])
def test_pages_follow_on_after_an_error_of_the_watch(
    file: Path, caplog: pytest.LogCaptureFixture, trouble: str
) -> None:
    """Whatever goes wrong with the watch of the store, it is opened anew; the log says it once."""
    with Store(file) as store:
        kept = store.keep(New(name="x", scenario="weissenberg", options={}))
        watcher, usual, opened = Watcher(store), store.changes, list[Changes]()

        class Broken:
            def wait(self, _: float) -> None:
                raise RuntimeError

            def close(self) -> None:
                pass

        def changes() -> Changes:
            first = not opened
            opened.append(usual())
            return cast(Changes, Broken()) if first and trouble == "broken" else opened[-1]

        store.changes = changes  # type: ignore[method-assign]

        async def follow() -> None:
            body = events(store, watcher, kept.id, 0.1).body_iterator
            assert isinstance(body, AsyncGenerator)
            told = [str(await anext(body)), str(await anext(body))]
            until(lambda: bool(opened))
            opened[0].close()
            with anyio.fail_after(PATIENCE):
                while len(opened) < 2:
                    await anyio.sleep(0.01)
                await anyio.to_thread.run_sync(store.tell, kept.id)
                while told[-1] != f"event: news\ndata: {kept.news + 1}\n\n":
                    told.append(str(await anext(body)))
            await body.aclose()

        in_its_own_thread(follow)
        until(lambda: "watcher" not in {thread.name for thread in threads()})
    (record,) = [one for one in caplog.records if one.name == "grognard.web.matches.watcher"]
    assert ("can't be used" in record.getMessage()) == (trouble == "refused")
    assert (record.exc_info is not None) == (trouble == "broken")


class Counting:
    """A database that counts its transactions."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.transactions = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._database, name)

    def transaction(self, *, write: bool) -> AbstractContextManager[None]:
        self.transactions += 1
        return self._database.transaction(write=write)


def test_five_hundred_open_pages_share_one_look_at_the_store(address: Path | str) -> None:
    """Each page looks once, when it opens; then one look for all follows every change."""
    pages = 500
    with Store(address) as store:
        kept = [store.keep(New(name="x", scenario="weissenberg", options={})) for _ in range(50)]
        counting = Counting(store.database)
        store.database = cast(Database, counting)
        watcher = Watcher(store)

        async def follow() -> list[list[str]]:
            told: list[list[str]] = [[] for _ in range(pages)]

            async def one(n: int) -> None:
                body = events(store, watcher, kept[n % 50].id, 0.01).body_iterator
                async for chunk in body:
                    if not str(chunk).startswith(":"):
                        told[n].append(str(chunk))

            async def all_told(number: int) -> None:
                with anyio.fail_after(PATIENCE):
                    while min(map(len, told)) < number:
                        await anyio.sleep(0.01)

            async with anyio.create_task_group() as group:
                for n in range(pages):
                    group.start_soon(one, n)
                await all_told(2)
                await anyio.sleep(0.5)  # fifty signs of life of each page
                quiet = counting.transactions
                assert quiet <= pages + 10
                with store.database.transaction(write=True):
                    for match in kept:
                        store.tell(match.id)
                await all_told(3)
                # The change counts too, and what it joined; the looks of the watcher are few.
                assert counting.transactions - quiet <= 1 + 50 + 60
                group.cancel_scope.cancel()
            return told

        for told in in_its_own_thread(follow):
            assert told == [
                "event: version\nid: 0\ndata: 0\n\n",
                "event: news\ndata: 0\n\n",
                "event: news\ndata: 1\n\n",
            ]


def test_the_events_end_when_the_page_goes(file: Path) -> None:
    app = create(file)
    store = Store(file)
    kept = store.keep(New(name="x", scenario="weissenberg", options={}))
    store.close()
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/api/matches/{kept.id}/events",
        "raw_path": b"",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "asgi": {"version": "3.0", "spec_version": "2.3"},
    }
    sent: list[MutableMapping[str, Any]] = []

    async def follow() -> None:
        told = anyio.Event()

        async def receive() -> MutableMapping[str, Any]:
            await told.wait()
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)
            if message.get("body"):
                told.set()

        async with app.router.lifespan_context(app):
            await app(scope, receive, send)

    in_its_own_thread(follow)
    assert sent[0]["status"] == 200
    assert sent[1]["body"].startswith(b"event: version")
