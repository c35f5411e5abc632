"""Seats of matches apart: secret links, who may do what, and what strangers are told."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event

import httpx
import pytest
from starlette.routing import Route

from grognard.matches.storage.seats import MOST, Holder, Place, SeatTables
from grognard.web.app import create
from grognard.web.server_config import ServerConfig
from tests.processes import PATIENCE, until
from tests.sqlite_file import change, opened
from tests.web.apart import Apart, Seat, apart, to_commitment
from tests.web.serving import client, content, served


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


@pytest.fixture
def web(file: Path) -> Iterator[httpx.Client]:
    with client(file) as opened:
        yield opened


@pytest.fixture
def match(web: httpx.Client) -> Iterator[Apart]:
    with apart(web) as made:
        yield made


# ------------------------------------------------------------------ links


def test_a_match_apart_answers_a_link_for_each_side_and_one_to_watch(match: Apart) -> None:
    assert set(match.links) == {"german", "allied", "watch"}
    for link in match.links.values():
        assert re.fullmatch(r"/seat/[A-Za-z0-9_-]{22}", link)  # 22 letters of 6 bits: 128 bits
    assert len(set(match.links.values())) == 3


def test_links_are_sent_once_and_kept_as_hashes(match: Apart, file: Path) -> None:
    sent = list(match.links.values())
    german = match.sit("german")
    stored = "\n".join(content(file))
    for link in (*sent, match.links["german"]):
        secret = link.rpartition("/")[2]
        assert secret not in stored
        assert secret not in str(german.show())
        assert secret not in german.web.get(f"/matches/{match.id}").text
    assert german.web.cookies["visitor"] not in stored


def test_a_link_becomes_a_cookie_and_does_not_stay_in_the_address(match: Apart) -> None:
    browser = match.stranger()
    answer = browser.web.get(match.links["german"])
    assert (answer.status_code, answer.headers["location"]) == (303, f"/matches/{match.id}")
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    cookie = answer.headers["set-cookie"]
    assert re.match(r"visitor=[A-Za-z0-9_-]{22};", cookie)
    flags = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/"} <= flags
    assert "secure" not in flags  # the request came without TLS
    assert browser.show()["seat"]["id"] == "german"


def test_pages_of_other_sites_open_no_link(match: Apart) -> None:
    """They may lead to one, but not ask for it as for a picture, nor post."""
    browser = match.stranger()
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "image"}
    for ask in (browser.web.get, browser.web.post):
        assert ask(match.links["german"], headers=foreign).status_code == 403
    assert browser.web.get(browser.api()).status_code == 404
    assert browser.web.head(match.links["german"]).status_code == 303  # previews of programs
    assert match.program("watch").show()["seat"]["seats"][0]["opened"] is False


def test_behind_tls_the_cookie_is_of_this_server_alone(match: Apart) -> None:
    """The server takes the scheme from a proxy on its own machine, which it trusts."""
    tls = {"x-forwarded-proto": "https"}
    browser = match.stranger()
    answer = browser.web.get(match.links["german"], headers=tls)
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    assert name == "__Host-visitor"  # browsers take it only with Secure and Path=/, and no Domain
    assert "; Secure" in answer.headers["set-cookie"]
    assert "domain" not in answer.headers["set-cookie"].lower()
    for sent, status in (("__Host-visitor", 200), ("visitor", 404)):
        headers = {**tls, "cookie": f"{sent}={value}"}
        assert match.stranger().web.get(browser.api(), headers=headers).status_code == status


def test_a_cookie_that_somebody_else_planted_is_replaced(match: Apart) -> None:
    browser, planted = match.stranger(), "A" * 22
    browser.web.cookies.set("visitor", planted)
    match.take(browser, "german")
    assert browser.show()["seat"]["id"] == "german"
    planter = match.stranger()
    planter.web.cookies.set("visitor", planted)
    assert planter.web.get(planter.api()).status_code == 404


# ------------------------------------------------------------------ a link that was sent


def test_a_page_gives_its_seat_a_link_of_its_own(match: Apart) -> None:
    """Whoever began the match knows the link that was sent: it opens nothing any more, and all who
    used it are out."""
    sent = match.links["allied"]
    starter, reader, program = match.sit("german"), match.stranger(), match.program("allied")
    reader.web.get(sent)
    spy = match.stranger()
    spy.web.get(sent)
    feed = program.web.post(program.api("/feed")).json()["feed"]
    assert 'data-sent="yes"' in reader.web.get(f"/matches/{match.id}").text  # so the page asks
    match.take(reader, "allied")
    own = match.links["allied"]
    assert own != sent
    assert "data-sent" not in reader.web.get(f"/matches/{match.id}").text
    for browser in (starter, spy, match.stranger()):
        assert browser.web.get(sent).status_code == browser.web.post(sent).status_code == 404
    for out in (spy, program):
        assert out.web.get(out.api()).status_code == 404
    assert starter.web.get(feed).status_code == 404
    assert reader.web.get(sent).headers["location"] == f"/matches/{match.id}"  # from an old message
    assert reader.show()["seat"]["holders"] == 1
    assert own not in starter.web.get(f"/matches/{match.id}").text
    match.sit("allied")  # another device of the friend
    assert match.links["allied"] == own
    assert reader.show()["seat"]["holders"] == 2


def test_one_browser_may_play_both_sides_by_their_own_links(match: Apart) -> None:
    browser = match.sit("german")
    answer = browser.web.get(match.links["allied"])
    assert "plays the other side now" in answer.text
    assert "set-cookie" not in answer.headers
    assert browser.show()["seat"]["id"] == "german"
    for side in ("allied", "german", "allied"):
        match.take(browser, side)
        assert browser.show()["seat"]["id"] == side


def test_the_page_of_a_seat_tells_how_many_hold_it(match: Apart) -> None:
    german = match.sit("german")

    def told() -> tuple[int, str]:
        page = german.web.get(f"/matches/{match.id}").text
        return german.show()["seat"]["holders"], re.findall(r'data-holders="(\d+)"', page)[0]

    assert told() == (1, "1")
    match.sit("german")
    assert told() == (2, "2")
    match.program("german").show()  # a program that only reads holds the seat too
    assert told() == (3, "3")
    match.sit("allied")
    assert told() == (3, "3")


def test_a_seat_has_no_more_than_so_many_holders(match: Apart) -> None:
    for _ in range(MOST):
        match.sit("watch")
    late = match.stranger().web.post(match.links["watch"])
    assert late.status_code == 422
    assert str(MOST) in late.json()["refusal"]
    allied = match.sit("allied")
    allied.web.post(allied.api("/seats/watch/link"))  # a new link, and room again


def test_who_comes_to_watch_is_news_only_the_first_time(match: Apart) -> None:
    german = match.sit("german")
    before = german.show()["news"]
    for _ in range(3):
        watcher = match.sit("watch")
        watcher.web.post(match.links["watch"])
    assert german.show()["news"] == before + 1
    german.web.post(match.links["german"])
    assert german.show()["news"] == before + 1


def test_one_cookie_serves_all_matches_of_a_browser(web: httpx.Client, match: Apart) -> None:
    german = match.sit("german")
    cookie = german.web.cookies["visitor"]
    with apart(web) as other:
        other.take(german, "allied")
        assert german.web.cookies["visitor"] == cookie
        assert {one["id"] for one in german.web.get("/api/matches").json()} == {match.id, other.id}


def test_a_browser_holds_one_seat_of_a_match(match: Apart) -> None:
    browser = match.sit("watch")
    match.take(browser, "german")
    assert browser.show()["seat"]["id"] == "german"
    match.take(browser, "watch")  # a side sees more than who watches
    assert browser.show()["seat"]["id"] == "german"
    match.take(browser, "allied")
    assert browser.show()["seat"]["id"] == "allied"


def test_a_program_may_send_the_link_instead_of_the_cookie(match: Apart) -> None:
    program = match.program("german")
    assert program.show()["seat"]["id"] == "german"
    assert match.program("watch").show()["seat"]["id"] == "watch"
    assert [one["id"] for one in program.web.get("/api/matches").json()] == [match.id]


# ------------------------------------------------------------------ forged, guessed, replayed


def test_a_guessed_link_is_answered_like_any_unknown_address(match: Apart) -> None:
    stranger = match.stranger()
    true = match.links["german"].rpartition("/")[2]
    for guess in ("x", "A" * 22, true[:-1] + ("A" if true[-1] != "A" else "B"), true[::-1], "%00"):
        found = stranger.web.get(f"/seat/{guess}")
        unknown = stranger.web.get(f"/nothing/{guess}")
        assert found.status_code == unknown.status_code == 404
        assert found.text.replace("/seat/", "/nothing/") == unknown.text
        assert found.headers.keys() == unknown.headers.keys()
    assert stranger.web.get(f"/feed/{true}").status_code == 404  # a seat's link is no feed's


def test_a_forged_cookie_or_bearer_opens_nothing(match: Apart) -> None:
    german = match.sit("german")
    hash_ = re.findall(r"'([0-9a-f]{64})'", str(german.show()))
    assert not hash_
    for cookie in ("german", "A" * 22, "", "visitor", german.web.cookies["visitor"][:-1]):
        forger = match.stranger()
        forger.web.cookies.set("visitor", cookie)
        assert forger.web.get(forger.api()).status_code == 404
    for bearer in ("A" * 22, "german", match.id):
        headers = {"authorization": f"Bearer {bearer}"}
        assert match.stranger().web.get(german.api(), headers=headers).status_code == 404


def test_a_stored_hash_is_no_key(match: Apart, file: Path) -> None:
    match.sit("german")
    with opened(file) as rows:
        hashes = [row[0] for row in rows.execute("SELECT hash FROM links")]
        hashes += [row[0] for row in rows.execute("SELECT visitor FROM holders")]
    for hash_ in hashes:
        thief = match.stranger()
        assert thief.web.get(f"/seat/{hash_}").status_code == 404
        answer = thief.web.get(thief.api(), headers={"authorization": f"Bearer {hash_}"})
        assert answer.status_code == 404
        thief.web.cookies.set("visitor", hash_)
        assert thief.web.get(thief.api()).status_code == 404


def test_an_exchanged_link_puts_all_others_out(match: Apart) -> None:
    """A link that was read by somebody else: its holder exchanges it, and the thief is out."""
    german, thief = match.sit("german"), match.sit("german")
    feed = thief.web.post(thief.api("/feed")).json()["feed"]
    answer = german.web.post(german.api("/seats/german/link"))
    link = answer.json()["link"]
    assert link != match.links["german"]
    assert german.show()["seat"]["id"] == "german"
    assert thief.web.get(thief.api()).status_code == 404
    assert thief.web.get(match.links["german"]).status_code == 404  # replayed
    assert thief.web.get(feed).status_code == 404
    assert match.program("german").web.get(german.api()).status_code == 404
    match.links["german"] = link
    assert match.sit("german").show()["seat"]["id"] == "german"


def test_a_thief_who_opens_the_link_all_the_time_is_out_when_it_is_exchanged(match: Apart) -> None:
    german, over = match.sit("german"), Event()
    thieves = [match.stranger() for _ in range(6)]

    def open_on(thief: Seat, link: str) -> None:
        while not over.is_set():
            thief.web.post(link)
            thief.web.cookies.clear()  # each time a browser more

    for _ in range(6):
        over.clear()
        with ThreadPoolExecutor(len(thieves)) as threads:
            ends = [threads.submit(open_on, thief, match.links["german"]) for thief in thieves]
            until(lambda: german.show()["seat"]["holders"] > 3)
            match.links["german"] = german.web.post(german.api("/seats/german/link")).json()["link"]
            over.set()
        assert [end.result() for end in ends] == [None] * len(thieves)
        assert german.show()["seat"]["holders"] == 1


def test_of_two_holders_who_exchange_at_once_one_keeps_the_seat(
    match: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both held it when they asked; who comes second has lost it, and can't take it back."""
    holders = [match.sit("german"), match.sit("german")]
    both, alone = Barrier(2), SeatTables.exchange

    def exchange(tables: SeatTables, own: Place, seat: str, holder: Holder) -> str:
        both.wait(PATIENCE)
        return alone(tables, own, seat, holder)

    def ask(holder: Seat) -> httpx.Response:
        return holder.web.post(holder.api("/seats/german/link"))

    monkeypatch.setattr(SeatTables, "exchange", exchange)
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(ask, holders))
    assert sorted(answer.status_code for answer in answers) == [200, 404]
    for holder, answer in zip(holders, answers, strict=True):
        assert holder.web.get(holder.api()).status_code == answer.status_code
    (link,) = [answer.json()["link"] for answer in answers if answer.status_code == 200]
    assert match.stranger().web.post(link).status_code == 200


def test_the_link_of_a_program_is_no_cookie(match: Apart, file: Path) -> None:
    """Not even after it has ended: the holder that a program is has a name of its own."""
    program = match.program("german")
    program.act("/answers", answer=["end"])
    with opened(file) as rows:
        kept = rows.execute("SELECT visitor, match, seat FROM holders").fetchall()
    thief = match.stranger()
    thief.web.cookies.set("visitor", match.links["german"].rpartition("/")[2])
    assert thief.web.get(thief.api()).status_code == 404
    program.web.post(program.api("/seats/german/link"))
    change(file, "INSERT INTO holders (visitor, match, seat) VALUES (?, ?, ?)", *kept[0])
    assert thief.web.get(thief.api()).status_code == 404


def test_a_program_that_exchanges_its_link_keeps_its_seat(match: Apart) -> None:
    """At no moment can the other side delete the match, not even before its next action."""
    allied, program = match.sit("allied"), match.program("german")
    program.show()
    over, tried = Event(), list[int]()

    def delete() -> None:
        while not over.is_set():
            tried.append(allied.web.delete(allied.api()).status_code)

    with ThreadPoolExecutor(1) as threads:
        end = threads.submit(delete)
        for _ in range(5):
            link = program.web.post(program.api("/seats/german/link")).json()["link"]
            program.web.headers["authorization"] = f"Bearer {link}"
        over.set()
    end.result()
    assert set(tried) == {422}
    assert allied.web.delete(allied.api()).status_code == 422
    assert program.show()["seat"]["holders"] == 1


def test_a_holder_gives_his_seat_up(match: Apart) -> None:
    german = match.sit("german")
    assert german.web.delete(german.api("/seats/german")).json() == {"revoked": "german"}
    assert german.web.get(german.api()).status_code == 404
    assert german.web.get(match.links["german"]).status_code == 404


def test_either_side_ends_the_right_to_watch_or_gives_it_anew(match: Apart) -> None:
    allied, watcher = match.sit("allied"), match.sit("watch")
    match.links["watch"] = allied.web.post(allied.api("/seats/watch/link")).json()["link"]
    assert watcher.web.get(watcher.api()).status_code == 404
    watcher = match.sit("watch")
    assert allied.web.delete(allied.api("/seats/watch")).status_code == 200
    assert watcher.web.get(watcher.api()).status_code == 404


@pytest.mark.parametrize("seat", ["german", "watch"])
def test_nobody_changes_the_links_of_another_seat(match: Apart, seat: str) -> None:
    holder, allied = match.sit(seat), match.sit("allied")
    for other in ("allied", "nobody", *(["watch"] if seat == "watch" else [])):
        assert holder.web.post(holder.api(f"/seats/{other}/link")).status_code == 403
        assert holder.web.delete(holder.api(f"/seats/{other}")).status_code == 403
    assert allied.show()["seat"]["id"] == "allied"


# ------------------------------------------------------------------ strangers


def _match_routes(file: Path) -> list[tuple[str, str]]:
    routes = [route for route in create(file).routes if isinstance(route, Route)]
    return [
        (method, route.path)
        for route in routes
        if "{id}" in route.path
        for method in sorted(route.methods or ())
        if method != "HEAD"
    ]


BODIES = {"answer": ["end"], "version": 0, "agreed": True, "side": "german", "option": [0, 0]}
BODIES |= {"order": ["end"], "target": "1910", "text": "hello", "answers": 0, "name": "x"}
BODIES |= {
    "orders": [],
    "time": "",
    "roll": 1,
    **dict.fromkeys(("anchor", "question", "other", "value"), "0" * 64),
}
NEEDED = {
    "answers": ("version", "answer"),
    "roll": ("version",),
    "undo": ("version",),
    "commit": ("version", "side", "option"),
    "consent": ("version", "agreed"),
    "try": ("order",),
    "chat": ("text",),
    "looked": ("answers",),
    "anchor": ("side", "anchor"),
    "reveal": ("side", "roll", "question", "other", "value"),
}


def _ask(web: httpx.Client, method: str, path: str, id_: str) -> httpx.Response:
    address = path.replace("{id}", id_).replace("{seat}", "german")
    keys = NEEDED.get(path.rpartition("/")[2], ("name",) if method == "PATCH" else ())
    if (method, path.rpartition("/")[2]) == ("POST", "advice"):
        keys = ("orders", "time")
    if path.endswith("/look"):
        keys = ("target",) if path.startswith("/api") else ("order",)
    body = {key: BODIES[key] for key in keys} if keys else None
    return web.request(method, address, params={"name": "21/20Pz"}, json=body)


def test_a_stranger_learns_nothing_at_any_address_of_a_match(match: Apart, tmp_path: Path) -> None:
    """Every route that names a match, from the table of routes: a new one can't be forgotten."""
    match.sit("german")
    stranger = match.stranger()
    routes = _match_routes(tmp_path / "other.sqlite")
    assert len(routes) > 30
    for method, path in routes:
        found = _ask(stranger.web, method, path, match.id)
        unknown = _ask(stranger.web, method, path, "AAAAAAAA")
        assert found.status_code == unknown.status_code == 404, (method, path, found.text)
        assert found.text.replace(match.id, "AAAAAAAA") == unknown.text, (method, path)
        assert found.headers.keys() == unknown.headers.keys(), (method, path)
    assert match.sit("german").show()["version"] == match.begun["version"]


def test_who_watches_changes_nothing(match: Apart, tmp_path: Path) -> None:
    german, watcher = match.sit("german"), match.sit("watch")
    before = german.show()
    for method, path in _match_routes(tmp_path / "other.sqlite"):
        if method != "GET":
            answer = _ask(watcher.web, method, path, match.id)
            own = path.endswith(("/looked", "/feed"))  # what he has of his own
            assert answer.status_code == (200 if own else 403), (method, path, answer.text)
    after = german.show()
    assert {**after, "news": 0} == {**before, "news": 0, "seat": after["seat"]}


def test_of_those_who_watch_each_has_his_own_recap_and_feed(match: Apart) -> None:
    german, one, other = match.sit("german"), match.sit("watch"), match.sit("watch")
    german.act("/answers", answer=["move", "21/20Pz", "1811"])

    def recap(seat: Seat) -> list[object]:
        return list(seat.web.get(seat.api("/recap")).json()["steps"])

    seen = recap(other)
    feed = other.web.post(other.api("/feed")).json()["feed"]
    assert seen
    assert one.web.post(one.api("/looked"), json={"answers": 1}).json() == {"answers": 1}
    assert one.web.post(one.api("/feed")).json()["feed"] != feed
    assert recap(one) == []
    assert recap(other) == seen
    assert german.web.get(feed).status_code == 200
    german.web.post(german.api("/seats/watch/link"))
    assert german.web.get(feed).status_code == 404


def test_a_list_shows_only_ones_own_matches(match: Apart) -> None:
    german, stranger = match.sit("german"), match.stranger()
    at_one_table = match.web.post("/api/matches", json={"scenario": "pulkovo"}).json()["id"]

    def listed(seat: Seat) -> set[str]:
        for page in ("/matches", "/"):
            assert (match.id in seat.web.get(page).text) == (seat is german)
        return {one["id"] for one in seat.web.get("/api/matches").json()}

    assert listed(german) == {match.id, at_one_table}
    assert listed(stranger) == {at_one_table}


def test_on_an_open_server_a_match_at_one_table_belongs_to_who_began_it(file: Path) -> None:
    with (
        served(create(file, config=ServerConfig(open=True))) as owner,
        httpx.Client(base_url=owner.base_url) as other,
    ):
        made = owner.post("/api/matches", json={"scenario": "weissenberg"})
        id_ = made.json()["id"]
        assert "visitor" in made.cookies
        assert owner.get(f"/matches/{id_}").status_code == 200
        assert [one["id"] for one in owner.get("/api/matches").json()] == [id_]
        assert other.get("/api/matches").json() == []
        assert other.get(f"/matches/{id_}").status_code == 404
        assert other.delete(f"/api/matches/{id_}").status_code == 404
        assert owner.delete(f"/api/matches/{id_}").status_code == 200


def test_a_damaged_match_apart_is_unknown_to_strangers(match: Apart, file: Path) -> None:
    german, stranger = match.sit("german"), match.stranger()
    change(file, "UPDATE matches SET name = 'changed' WHERE id = ?", match.id)
    assert stranger.web.get(stranger.api()).status_code == 404
    assert match.id not in stranger.web.get("/matches").text
    assert german.web.get(german.api()).status_code == 503
    assert match.id in german.web.get("/matches").text


# ------------------------------------------------------------------ nobody acts for others


def test_only_the_side_that_is_asked_answers(match: Apart) -> None:
    german, allied = match.sit("german"), match.sit("allied")
    assert german.show()["awaits"] == ["german"]
    assert allied.post("/answers", answer=["end"]).status_code == 403
    assert allied.show()["asking"]["orders"] == []
    assert german.show()["asking"]["orders"]
    german.act("/answers", answer=["end"])
    assert german.show()["version"] > match.begun["version"]


def test_only_its_own_side_commits_and_nobody_sees_the_half(match: Apart) -> None:
    german, allied = match.sit("german"), match.sit("allied")
    to_commitment(german, allied)
    shown = {seat: seat.show()["asking"]["sides"] for seat in (german, allied)}
    for seat, own in ((german, "german"), (allied, "allied")):
        assert {side["id"]: bool(side["options"]) for side in shown[seat]} == {
            "german": own == "german",
            "allied": own == "allied",
        }
    assert german.post("/commit", side="allied", option=[0, 0]).status_code == 403
    option = shown[german][0]["options"][-1]["answer"]
    german.act("/commit", side="german", option=option)
    given = {side["id"]: side["given"] for side in allied.show()["asking"]["sides"]}
    assert given == {"german": True, "allied": False}
    assert allied.post("/answers", answer=[option, [0, 0]]).status_code == 422


def test_nobody_types_dice_and_only_the_side_that_rolls_rolls(match: Apart) -> None:
    german, allied = match.sit("german"), match.sit("allied")
    to_commitment(german, allied)
    for seat, side in ((german, "german"), (allied, "allied")):
        halves = {one["id"]: one for one in seat.show()["asking"]["sides"]}
        seat.act("/commit", side=side, option=halves[side]["options"][0]["answer"])
    asking = german.show()["asking"]
    assert (asking["ask"], asking["side"]) == ("roll", "german")
    assert german.post("/answers", answer=[6]).status_code == 422
    assert allied.post("/roll").status_code == 403
    assert "must reveal" in german.post("/roll").text  # its page does so by itself
    match.trust_the_server()
    view = german.act("/roll")
    (roll,) = [entry for entry in view["log"]["entries"] if entry["entry"] == "roll"]
    assert roll["source"] == "fair"


def test_undo_needs_the_consent_of_the_other_side(match: Apart) -> None:
    german, allied, watcher = match.sit("german"), match.sit("allied"), match.sit("watch")
    german.act("/answers", answer=["move", "21/20Pz", "1811"])
    moved = german.show()
    assert not allied.show()["undo"]["possible"]
    assert allied.post("/undo").status_code == 422
    assert watcher.post("/undo").status_code == 403
    assert german.act("/undo")["seat"]["undo_asked"] == "german"
    assert german.show()["pieces"] == moved["pieces"]  # nothing is taken back yet
    assert german.post("/undo/consent", agreed=True).status_code == 403
    assert watcher.post("/undo/consent", agreed=True).status_code == 403
    assert allied.act("/undo/consent", agreed=False)["seat"]["undo_asked"] is None
    assert german.show()["pieces"] == moved["pieces"]
    german.act("/undo")
    german.act("/undo/consent", agreed=False)  # withdrawn
    assert allied.post("/undo/consent", agreed=True).status_code == 422
    german.act("/undo")
    allied.act("/undo/consent", agreed=True)
    assert german.show()["pieces"] == match.sit("german").show()["pieces"] != moved["pieces"]


def test_a_wish_to_undo_ends_with_the_next_answer(match: Apart) -> None:
    german = match.sit("german")
    german.act("/answers", answer=["move", "21/20Pz", "1811"])
    german.act("/undo")
    view = german.act("/answers", answer=["end"])
    assert view["seat"]["undo_asked"] is None


def test_undo_at_one_table_is_refused_while_a_half_is_given(web: httpx.Client) -> None:
    id_ = web.post("/api/matches", json={"scenario": "weissenberg"}).json()["id"]
    table = Seat(web, id_)
    to_commitment(table, table)
    sides = {one["id"]: one for one in table.show()["asking"]["sides"]}
    option = sides["german"]["options"][0]["answer"]
    undo = table.act("/commit", side="german", option=option)["undo"]
    assert undo == {
        "possible": False,
        "reason": "a side has committed in secret since; its half stands",
    }
    assert table.post("/undo").status_code == 422
    assert undo["reason"] in web.get(f"/matches/{id_}").text
    table.web.close()


def test_only_players_rename_and_each_changes_only_his_own_automatic_side(match: Apart) -> None:
    german, watcher = match.sit("german"), match.sit("watch")
    assert watcher.web.patch(watcher.api(), json={"name": "x"}).status_code == 403
    assert german.web.patch(german.api(), json={"name": "Tuesday"}).json()["name"] == "Tuesday"
    assert german.web.patch(german.api(), json={"autos": ["allied"]}).status_code == 403
    assert german.web.patch(german.api(), json={"autos": ["german"]}).status_code == 200
    assert german.web.patch(german.api(), json={"autos": []}).status_code == 200


def test_a_match_apart_is_deleted_when_nobody_sits_on_the_other_side(match: Apart) -> None:
    german, allied, watcher = match.sit("german"), match.sit("allied"), match.sit("watch")
    assert watcher.web.delete(watcher.api()).status_code == 403
    assert german.web.delete(german.api()).status_code == 422
    allied.web.delete(allied.api("/seats/allied"))  # the other side agrees by giving its seat up
    assert german.web.delete(german.api()).status_code == 200
    assert german.web.get(german.api()).status_code == 404


def test_a_match_whose_other_link_was_never_opened_can_be_deleted(match: Apart) -> None:
    german = match.sit("german")
    assert german.web.delete(german.api()).status_code == 200


def test_a_program_that_plays_by_its_link_sits_on_its_side(match: Apart) -> None:
    german, allied = match.program("german"), match.sit("allied")
    assert not allied.show()["seat"]["seats"][0]["opened"]
    german.act("/answers", answer=["end"])
    assert allied.show()["seat"]["seats"][0]["opened"]
    assert allied.web.delete(allied.api()).status_code == 422
    german.web.delete(german.api("/seats/german"))
    assert allied.web.delete(allied.api()).status_code == 200


def test_an_automatic_side_has_no_link_and_needs_no_consent(web: httpx.Client) -> None:
    with apart(web, autos=["allied"], level="sergeant") as match:
        assert set(match.links) == {"german", "watch"}
        german = match.sit("german")
        before = german.show()["pieces"]
        german.act("/answers", answer=["move", "21/20Pz", "1811"])
        assert german.act("/undo")["pieces"] == before
        assert german.web.delete(german.api()).status_code == 200


def test_seats_tell_whose_link_was_opened_and_who_is_here(match: Apart) -> None:
    german = match.sit("german")

    def seats() -> dict[str, tuple[bool, bool]]:
        return {one["id"]: (one["opened"], one["here"]) for one in german.show()["seat"]["seats"]}

    assert seats() == {"german": (True, False), "allied": (False, False), "watch": (False, False)}
    allied = match.sit("allied")
    with allied.web.stream("GET", allied.api("/events")) as events:
        lines = events.iter_lines()
        next(lines)
        assert seats()["allied"] == (True, True)


def test_the_events_of_a_seat_that_is_lost_end(match: Apart) -> None:
    german, thief = match.sit("german"), match.sit("german")
    with thief.web.stream("GET", thief.api("/events")) as events:
        lines = events.iter_lines()
        next(lines)
        german.web.post(german.api("/seats/german/link"))
        assert "event: gone" in list(lines)  # and then the stream ends
