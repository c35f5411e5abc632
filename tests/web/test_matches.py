"""Matches over HTTP: begun, played by persons and automatic players, refused, exported."""

import html
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from httpx import Client
from starlette.applications import Starlette

from grognard.maps import scenario
from grognard.matches import match as matches
from grognard.matches.sight import shown_board, viewer
from grognard.matches.storage.rows import Kept, New, Stale, Standing, Unusable
from grognard.matches.storage.store import Store
from grognard.players.bot import Bot, play_on
from grognard.web.api.endpoint import routes
from grognard.web.api.matches import endpoints
from grognard.web.app import create
from grognard.web.lanes.answering import Cold
from grognard.web.limits import BODY
from grognard.web.matches.live_matches import Live
from grognard.web.matches.match_cache import COPY, Copies
from grognard.words.foreign import foreign
from grognard.words.message import say
from tests.processes import until
from tests.sqlite_file import change
from tests.tiers import soaked
from tests.web.serving import client, content, served, settled

View = dict[str, Any]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


@pytest.fixture
def web(file: Path) -> Iterator[Client]:
    with client(file) as opened:
        yield opened


def begin(web: Client, **stated: object) -> View:
    answer = web.post(
        "/api/matches", json={"scenario": "weissenberg", "level": "sergeant", **stated}
    )
    assert answer.status_code == 201, answer.text
    view: View = answer.json()
    return view


def show(web: Client, view: View, **query: str) -> View:
    answer = web.get(f"/api/matches/{view['id']}", params=query)
    assert answer.status_code == 200, answer.text
    shown: View = answer.json()
    return shown


def do(web: Client, view: View, verb: str, status: int = 200, **body: object) -> View:
    """Post something to a match as it was shown."""
    path = f"/api/matches/{view['id']}/{verb}"
    answer = web.post(path, json={"version": view["version"], **body})
    assert answer.status_code == status, answer.text
    done: View = answer.json()
    return done


def attacked(web: Client, **stated: object) -> View:
    """A match at the secret commitment of Bautzen 8.2."""
    view = begin(web, **stated)
    view = do(web, view, "answers", answer=["end"])
    view = do(web, view, "answers", answer=["attack", "1910", "21/20Pz", "59/20Pz", "112/20Pz"])
    return do(web, view, "answers", answer=["QG 294 RD"])


def refusal(
    web: Client,
    status: int,
    method: str,
    path: str,
    *,
    json: object = None,
    content: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> str:
    answer = web.request(method, path, json=json, content=content, headers=headers)
    assert answer.status_code == status, answer.text
    return str(answer.json()["refusal"])


# ------------------------------------------------------------------ listing, beginning, naming


def test_a_match_of_every_scenario_can_be_begun(web: Client) -> None:
    listed = web.get("/api/scenarios").json()
    assert {found["id"] for found in listed} == set(scenario.ids())
    for found in listed:
        view = begin(web, scenario=found["id"])
        assert view["name"] == found["name"]
        assert [side["mark"] for side in view["sides"]] == ["■", "○"]
        assert view["asking"] is not None
        assert not view["undo"]["possible"]
    matches_ = web.get("/api/matches").json()
    assert [m["scenario"]["id"] for m in matches_] == [found["id"] for found in listed][::-1]


def test_a_match_is_named_renamed_listed_and_thrown_away(web: Client) -> None:
    view = begin(web, name="Dimanche soir", options={"ratio_clamp": "after"})
    assert (view["name"], view["options"]["ratio_clamp"]) == ("Dimanche soir", "after")
    changed = web.patch(f"/api/matches/{view['id']}", json={"name": "Lundi"}).json()
    assert (changed["name"], changed["pieces"]) == ("Lundi", view["pieces"])
    (listed,) = web.get("/api/matches").json()
    assert (listed["name"], listed["turn"], listed["over"]) == ("Lundi", 1, False)
    gone = web.request("DELETE", f"/api/matches/{view['id']}", json={})
    assert gone.json() == {"deleted": view["id"]}
    assert web.get("/api/matches").json() == []


def test_everything_is_said_in_the_readers_language(web: Client) -> None:
    view = begin(web)
    assert show(web, view, lang="fr")["asking"]["text"] == "Tour 1, Allemands, mouvement"
    assert show(web, view, lang="en")["asking"]["text"] == "Turn 1, Germans, movement"
    french = web.get("/api/matches/nothere", headers={"accept-language": "fr"})
    assert "partie" in french.json()["refusal"]


# ------------------------------------------------------------------ playing


def test_orders_rolls_choices_and_undo_lead_through_a_fight(web: Client) -> None:
    view = attacked(web)
    assert view["undo"]["possible"]
    assert view["fight"]["stated"]["game"] == "bautzen"
    view = do(web, view, "undo")
    assert view["asking"]["ask"] == "choose"
    view = do(web, view, "answers", answer=["QG 294 RD"])
    view = do(web, view, "answers", answer=[[0, 0], [0, 0]])
    assert (view["asking"]["ask"], view["undo"]["possible"]) == ("roll", False)
    assert "reveal" in view["undo"]["reason"]
    view = do(web, view, "roll")
    (roll,) = [entry for entry in view["log"]["entries"] if entry["entry"] == "roll"]
    assert len(roll["dice"]) == 1
    assert 1 <= roll["dice"][0] <= 6


def test_dice_rolled_on_the_table_can_be_typed_in(web: Client) -> None:
    view = attacked(web)
    view = do(web, view, "answers", answer=[[0, 0], [0, 0]])
    view = do(web, view, "answers", answer=[4])
    (roll,) = [entry for entry in view["log"]["entries"] if entry["entry"] == "roll"]
    assert roll["dice"] == [4]


def test_the_log_since_a_mark_holds_what_is_new(web: Client) -> None:
    view = begin(web)
    mark = view["log"]["mark"]
    view = do(web, view, "answers", answer=["move", "21/20Pz", "1811"])
    newer = show(web, view, since=mark)["log"]
    assert not newer["whole"]
    assert newer["entries"] == view["log"]["entries"][-len(newer["entries"]) :]
    assert newer["entries"][0]["answer"] == ["move", "21/20Pz", "1811"]
    assert show(web, view, since=newer["mark"])["log"]["entries"] == []


def test_after_an_undo_the_whole_log_is_told_again(web: Client) -> None:
    view = do(web, begin(web), "answers", answer=["move", "21/20Pz", "1811"])
    mark = view["log"]["mark"]
    view = do(web, view, "undo")
    view = do(web, view, "answers", answer=["move", "59/20Pz", "1811"])
    log = show(web, view, since=mark)["log"]
    assert log["whole"]
    orders = [entry["answer"] for entry in log["entries"] if entry["entry"] == "order"]
    assert orders == [["move", "59/20Pz", "1811"]]


@pytest.mark.parametrize("since", ["", "x", "0", "9-0", "0-99999", "-1--1", "0-0"])
def test_a_mark_that_means_nothing_gives_the_whole_log(web: Client, since: str) -> None:
    view = do(web, begin(web), "answers", answer=["end"])
    assert show(web, view, since=since)["log"] == view["log"]


# ------------------------------------------------------------------ secret commitments


def test_a_secret_half_is_nowhere_to_be_seen_until_both_are_there(
    web: Client,
) -> None:
    view = attacked(web)
    before = web.get(f"/api/matches/{view['id']}/file").content
    (german, _) = view["asking"]["sides"]
    option = german["options"][-1]["answer"]
    half = do(web, view, "commit", side="german", option=option)
    assert [side["given"] for side in half["asking"]["sides"]] == [True, False]
    for key in ("log", "fight", "pieces", "pools"):
        assert half[key] == view[key]
    assert {**half["asking"], "sides": view["asking"]["sides"]} == view["asking"]
    assert web.get(f"/api/matches/{view['id']}/file").content == before
    both = do(web, half, "commit", side="allied", option=[0, 0])
    (commit,) = [entry for entry in both["log"]["entries"] if entry["entry"] == "commit"]
    assert commit["answers"]["german"] == german["options"][-1]["text"]
    assert both["asking"]["ask"] == "roll"


def test_both_sides_may_commit_from_pages_that_show_the_same(web: Client) -> None:
    view = attacked(web)
    do(web, view, "commit", side="allied", option=[0, 0])
    both = do(web, view, "commit", side="german", option=[1, 0])
    assert both["asking"]["ask"] == "roll"


def test_a_half_survives_the_end_of_the_server(file: Path) -> None:
    with client(file) as web:
        view = attacked(web)
        do(web, view, "commit", side="german", option=[1, 0])
    with client(file) as web:
        both = do(web, show(web, view), "commit", side="allied", option=[0, 0])
        (commit,) = [entry for entry in both["log"]["entries"] if entry["entry"] == "commit"]
        assert commit["answers"]["german"] == "Commit 1 CL (+1 column)"


@pytest.mark.parametrize(
    ("side", "option"), [("german", [9, 9]), ("german", "x"), ("nobody", [0, 0]), ("german", None)]
)
def test_an_illegal_half_is_refused_and_changes_nothing(
    web: Client, file: Path, side: str, option: object
) -> None:
    view = attacked(web)
    before = content(file)
    do(web, view, "commit", 422, side=side, option=option)
    assert content(file) == before


def test_a_half_is_given_once_and_never_together_with_the_others(web: Client, file: Path) -> None:
    view = attacked(web)
    view = do(web, view, "commit", side="german", option=[1, 0])
    before = content(file)
    do(web, view, "commit", 422, side="german", option=[0, 0])
    do(web, view, "answers", 422, answer=[[0, 0], [0, 0]])
    assert content(file) == before
    do(web, view, "undo", 422)  # it would lose the half
    assert content(file) == before
    assert [side["given"] for side in show(web, view)["asking"]["sides"]] == [True, False]


def test_nothing_is_committed_where_nothing_is_asked(web: Client) -> None:
    do(web, begin(web), "commit", 422, side="german", option=[0, 0])


# ------------------------------------------------------------------ automatic players


def test_against_the_automatic_player_a_person_is_asked_for_his_own_side(web: Client) -> None:
    view = begin(web, autos=["allied"])
    assert [side["automatic"] for side in view["sides"]] == [False, True]
    for _ in range(3):
        while view["asking"]["side"] == "german" and view["asking"]["ask"] == "order":
            view = do(web, view, "answers", answer=["end"])
        settled()
        view = show(web, view)
        assert not view["asking"]["automatic"]
    assert any(entry.get("side") == "allied" for entry in view["log"]["entries"])


def test_the_automatic_player_gives_its_own_half(web: Client) -> None:
    view = begin(web, autos=["allied"])
    view = do(web, view, "answers", answer=["end"])
    view = do(web, view, "answers", answer=["attack", "1910", "21/20Pz", "59/20Pz", "112/20Pz"])
    settled()
    view = show(web, view)
    assert view["asking"]["ask"] == "commit"
    assert [side["automatic"] for side in view["asking"]["sides"]] == [False, True]
    view = do(web, view, "commit", side="german", option=[1, 0])
    settled()
    view = show(web, view)
    (commit,) = [entry for entry in view["log"]["entries"] if entry["entry"] == "commit"]
    assert commit["answers"]["german"] == "Commit 1 CL (+1 column)"
    assert (view["asking"]["ask"], view["asking"]["automatic"]) == ("roll", False)


def test_a_person_does_not_answer_for_a_side_that_plays_itself(file: Path) -> None:
    """The automatic player is not running here, so that the question stays open."""
    live = Live(Store(file))
    live.halt()
    with served(Starlette(routes=routes(endpoints(live)))) as web:
        view = begin(web, autos=["german"])
        before = content(file)
        do(web, view, "answers", 422, answer=["end"])
        do(web, view, "roll", 422)
        do(web, view, "commit", 422, side="german", option=[0, 0])
        assert content(file) == before
    live.store.close()


def test_what_the_automatic_player_did_is_not_taken_back(web: Client) -> None:
    view = begin(web, autos=["german"])
    settled()
    view = show(web, view)
    assert not view["undo"]["possible"]
    do(web, view, "undo", 422)


def test_a_match_has_a_level_which_can_be_changed(web: Client) -> None:
    view: View = web.post("/api/matches", json={"scenario": "steppe"}).json()
    assert view["level"] == "colonel"
    path = f"/api/matches/{view['id']}"
    assert web.patch(path, json={"level": "general"}).json()["level"] == "general"
    assert web.patch(path, json={"name": "Monday"}).json()["level"] == "general"
    match = web.get(f"{path}/file").json()
    body = {"match": match, "level": "sergeant"}
    assert web.post("/api/matches/import", json=body).json()["level"] == "sergeant"
    assert {one["level"] for one in web.get("/api/matches").json()} == {"sergeant", "general"}


@pytest.mark.parametrize("column", ["level", "autos", "options", "scenario"])
def test_a_damaged_row_costs_one_match(file: Path, column: str) -> None:
    with client(file) as web:
        view, sound = begin(web), begin(web)
    change(file, f"UPDATE matches SET {column} = 'marshal' WHERE id = ?", view["id"])
    with client(file) as web:
        assert web.get("/matches").status_code == 200
        assert [one["id"] for one in web.get("/api/matches").json()] == [sound["id"]]
        refused = web.get(f"/api/matches/{view['id']}")
        assert (refused.status_code, "damaged" in refused.json()["refusal"]) == (503, True)
        assert show(web, sound)["version"] == sound["version"]


# The campaign plays itself to its end in tests of the terminal and of random matches.
SIZED = soaked(sorted(scenario.ids()), "bautzen-1945", "carrefour", "pulkovo")


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZED)
def test_two_automatic_sides_play_a_match_to_its_end(web: Client, name: str) -> None:
    sides = [side.id for side in scenario.load(name).sides]
    view = begin(web, scenario=name, autos=sides)
    assert web.get("/api/matches").status_code == 200
    settled()
    view = show(web, view)
    assert view["asking"] is None
    assert view["verdict"]["text"]
    (listed,) = web.get("/api/matches").json()
    assert (listed["over"], listed["winner"]) == (True, view["verdict"]["winner"])
    again = matches.load(web.get(f"/api/matches/{view['id']}/file").text, "the file")
    assert again.asking is None


@pytest.mark.slow
def test_a_match_of_automatic_sides_goes_on_after_a_restart(file: Path) -> None:
    with client(file) as web:
        view = begin(web, autos=["german", "allied"])
    with client(file) as web:
        settled()
        assert show(web, view)["verdict"] is not None


def test_an_application_can_be_started_again(file: Path) -> None:
    app = create(file)
    with served(app) as web:
        view = begin(web, autos=["german", "allied"])
    with served(app) as web:
        settled()
        assert show(web, view)["verdict"] is not None


def test_a_stopped_application_has_closed_its_file(file: Path) -> None:
    log = file.with_name(f"{file.name}-wal")  # SQLite removes it with the last connection
    with client(file) as web:
        view = begin(web, autos=["german", "allied"])
        until(lambda: show(web, view)["version"] > 0)  # its worker is there, and can be stopped
        assert log.exists()
    assert not log.exists()


@pytest.mark.slow
def test_a_side_can_be_handed_over_and_taken_back(web: Client) -> None:
    view = begin(web)
    path = f"/api/matches/{view['id']}"
    web.patch(path, json={"autos": ["allied", "german"]})
    settled()
    assert show(web, view)["verdict"] is not None
    assert web.patch(path, json={"autos": []}).json()["sides"][0]["automatic"] is False


# ------------------------------------------------------------------ looking


def test_looking_changes_nothing(web: Client, file: Path) -> None:
    view = do(web, begin(web), "answers", answer=["end"])
    before = content(file)
    path = f"/api/matches/{view['id']}"
    unit = web.get(f"{path}/unit", params={"name": "21/20Pz"}).json()
    assert (unit["hex"], unit["moves"]["possible"]) == ("1810", False)
    body = {"target": "1910", "units": ["21/20Pz", "59/20Pz"]}
    look = web.post(f"{path}/look", json=body).json()
    assert look["order"] == ["attack", "1910", "21/20Pz", "59/20Pz"]
    assert look["fight"]["explanation"]["column"]["final"]
    assert sum(Fraction(o["p"]) for o in look["fight"]["odds"]["outcomes"]) == 1
    assert refusal(web, 422, "GET", f"{path}/unit?name=nobody")
    assert "not adjacent" in refusal(
        web, 422, "POST", f"{path}/look", json={"target": "1910", "units": ["687/615"]}
    )
    assert content(file) == before


# ------------------------------------------------------------------ files


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(scenario.ids()))
def test_an_exported_match_is_the_file_of_the_command_and_imports_to_the_same_board(
    web: Client, tmp_path: Path, name: str
) -> None:
    played = matches.begin(name)
    bots = {side.id: Bot(7) for side in played.field.scenario.sides}
    for _, _answer in zip(range(40), play_on(played, bots), strict=False):
        pass
    matches.save(played, tmp_path / "played.json")
    text = (tmp_path / "played.json").read_bytes()
    view = web.post("/api/matches/import", json={"match": msgspec.json.decode(text)}).json()
    exported = web.get(f"/api/matches/{view['id']}/file")
    told, kept = exported.json(), msgspec.json.decode(text)
    assert set(told.pop("sources")) == {"imported"}  # whatever the file says of them
    assert set(kept.pop("sources")) == {"automatic", "rolled"}
    assert told == kept
    assert "attachment" in exported.headers["content-disposition"]
    again = web.post("/api/matches/import", json={"match": exported.json(), "name": "again"}).json()
    assert again["id"] != view["id"]
    assert (again["pieces"], again["log"], again["turn"]) == (
        view["pieces"],
        view["log"],
        view["turn"],
    )
    hexes = {piece["name"]: piece["hex"] for piece in again["pieces"]}
    assert hexes == {
        piece.name: None if piece.at is None else played.board.map.number(piece.at)
        for piece in shown_board(played, viewer(played)).pieces
    }


@pytest.mark.parametrize(
    ("match", "place"),
    [
        ({}, "match.match"),
        ({"match": 2, "scenario": "weissenberg", "options": {}, "answers": []}, "match.match"),
        ({"match": 1, "scenario": "weissenberg", "options": {}}, "match"),
        ({"match": 1, "scenario": "wissenberg", "options": {}, "answers": []}, "match"),
        (
            {"match": 1, "scenario": "weissenberg", "options": {}, "answers": [7]},
            "match.answers[0]",
        ),
        (
            {"match": 1, "scenario": "weissenberg", "options": {}, "answers": [["end"], [["a"]]]},
            "match.answers[1]",
        ),
        (
            {"match": 1, "scenario": "weissenberg", "options": {"x": "y"}, "answers": []},
            "match.options.x",
        ),
    ],
)
def test_a_damaged_match_is_refused_with_its_place_and_not_kept(
    web: Client, file: Path, match: dict[str, object], place: str
) -> None:
    before = content(file)
    answer = web.post("/api/matches/import", json={"match": match})
    assert (answer.status_code, answer.json()["place"]) == (422, place)
    assert content(file) == before


def test_no_file_of_the_machine_is_read_as_a_scenario(web: Client, file: Path) -> None:
    own = next(iter(scenario.ids().values()))
    before = content(file)
    for name in (str(own), "/etc/hosts", "../weissenberg", ""):
        assert "no scenario" in refusal(web, 422, "POST", "/api/matches", json={"scenario": name})
        kept = {"match": 1, "scenario": name, "options": {}, "answers": []}
        refusal(web, 422, "POST", "/api/matches/import", json={"match": kept})
    assert content(file) == before


# ------------------------------------------------------------------ refusals


PATHS = [
    ("GET", ""),
    ("GET", "/file"),
    ("GET", "/unit?name=21/20Pz"),
    ("GET", "/events"),
    ("PATCH", ""),
    ("DELETE", ""),
    ("POST", "/answers"),
    ("POST", "/roll"),
    ("POST", "/commit"),
    ("POST", "/undo"),
    ("POST", "/look"),
]
BODIES: dict[str, dict[str, object]] = {
    "": {"name": "x"},
    "/answers": {"version": 1, "answer": ["end"]},
    "/roll": {"version": 1},
    "/commit": {"version": 1, "side": "german", "option": [0, 0]},
    "/undo": {"version": 1},
    "/look": {"target": "1910", "units": ["21/20Pz"]},
}


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_an_unknown_match_is_answered_with_404(
    web: Client, file: Path, method: str, path: str
) -> None:
    begin(web)
    before = content(file)
    url, body = f"/api/matches/nothere{path}", None if method == "GET" else BODIES[path]
    assert "no match 'nothere'" in refusal(web, 404, method, url, json=body)
    assert content(file) == before


@pytest.mark.parametrize("verb", ["answers", "roll", "commit", "undo"])
def test_a_stale_page_is_answered_with_409_in_the_readers_language(
    web: Client, file: Path, verb: str
) -> None:
    view = begin(web)
    do(web, view, "answers", answer=["move", "21/20Pz", "1811"])
    before = content(file)
    body = {**BODIES[f"/{verb}"], "version": view["version"]}
    path = f"/api/matches/{view['id']}/{verb}"
    assert "has changed" in refusal(web, 409, "POST", path, json=body)
    assert "a changé" in refusal(web, 409, "POST", f"{path}?lang=fr", json=body)
    assert content(file) == before


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (["move", "21/20Pz", "2206"], "2206: 21/20Pz would be unsupplied there"),
        (["fly"], "try: move UNIT HEX"),
        ("end", "an order is a verb"),
        (None, "not an answer"),
        ({"a": 1}, "not an answer"),
        ([[[[[[[[[[["end"]]]]]]]]]]], "not an answer"),
        ([True], "not an answer"),
        (1.5, "not an answer"),
    ],
)
def test_an_illegal_answer_is_refused_and_changes_nothing(
    web: Client, file: Path, answer: object, words: str
) -> None:
    view = begin(web)
    before = content(file)
    assert words in do(web, view, "answers", 422, answer=answer)["refusal"]
    assert content(file) == before
    do(web, view, "answers", answer=["end"])


def test_an_answer_that_is_too_deep_is_refused(web: Client, file: Path) -> None:
    view = begin(web)
    before = content(file)
    body = f'{{"version": {view["version"]}, "answer": {"[" * 100000}{"]" * 100000}}}'
    headers = {"content-type": "application/json"}
    answer = web.post(f"/api/matches/{view['id']}/answers", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert content(file) == before


def test_nothing_is_rolled_where_nothing_is_to_be_rolled(web: Client, file: Path) -> None:
    view = begin(web)
    before = content(file)
    assert "no roll" in do(web, view, "roll", 422)["refusal"]
    assert "nothing has been answered" in do(web, view, "undo", 422)["refusal"]
    assert content(file) == before


@pytest.mark.parametrize(("method", "path"), [pair for pair in PATHS if pair[0] != "GET"])
def test_what_no_page_of_ours_would_send_is_refused_and_changes_nothing(
    web: Client, file: Path, method: str, path: str
) -> None:
    view = begin(web)
    before = content(file)
    url = f"/api/matches/{view['id']}{path}"
    body = msgspec.json.encode({**BODIES[path], "version": view["version"]})
    ours = {"content-type": "application/json"}
    for status, content_, headers in (
        (413, b" " * (BODY + 1), ours),
        (415, body, {"content-type": "text/plain"}),
        (415, body, {"content-type": "application/x-www-form-urlencoded"}),
        (403, body, {**ours, "origin": "http://elsewhere.example"}),
        (403, body, {**ours, "sec-fetch-site": "cross-site"}),
    ):
        assert refusal(web, status, method, url, content=content_, headers=headers)
    if path:
        assert refusal(web, 400, method, url, content=b'{"version": ', headers=ours)
        assert refusal(web, 422, method, url, json={"version": "x"})
        assert refusal(web, 422, method, url, json=[])
    assert content(file) == before


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"scenario": 5},
        {"scenario": "weissenberg", "autos": ["nobody"]},
        {"scenario": "weissenberg", "level": "marshal"},
        {"scenario": "weissenberg", "options": {"x": "y"}},
        {"scenario": "weissenberg", "name": ""},
        {"scenario": "weissenberg", "name": "x" * 81},
        {"scenario": "weissenberg", "colour": "blue"},
    ],
)
def test_a_match_that_can_not_be_begun_is_not_kept(
    web: Client, file: Path, body: dict[str, object]
) -> None:
    before = content(file)
    assert refusal(web, 422, "POST", "/api/matches", json=body)
    assert content(file) == before


def test_a_name_or_side_that_can_not_be_is_refused(web: Client, file: Path) -> None:
    view = begin(web)
    before = content(file)
    for body in (
        {"name": " "},
        {"name": "x" * 81},
        {"autos": ["nobody"]},
        {"level": ""},
        {"version": 1},
    ):
        refusal(web, 422, "PATCH", f"/api/matches/{view['id']}", json=body)
    assert content(file) == before


def test_what_could_not_be_kept_was_not_played(
    web: Client, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = begin(web)
    before = content(file)

    def full(*_: object) -> None:
        raise Unusable(say("the matches can't be used: {problem}", problem=foreign("disk full")))

    with monkeypatch.context() as patched:
        patched.setattr(Store, "append", full)
        assert "disk full" in do(web, view, "answers", 503, answer=["end"])["refusal"]
    assert content(file) == before
    assert show(web, view) == view
    do(web, view, "answers", answer=["end"])


# ------------------------------------------------------------------ several at once


def test_two_applications_on_one_file_show_the_same(file: Path) -> None:
    with client(file) as one, client(file) as other:
        view = begin(one)
        assert show(other, view)["pieces"] == view["pieces"]
        there = do(other, view, "answers", answer=["move", "21/20Pz", "1811"])
        here = show(one, view)
        assert (here["version"], here["pieces"]) == (there["version"], there["pieces"])
        do(one, view, "answers", 409, answer=["end"])
        undone = do(one, here, "undo")
        assert show(other, view)["pieces"] == undone["pieces"] == view["pieces"]


def test_a_change_that_is_overtaken_leaves_no_copy_behind_the_store(
    web: Client, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process answers between the moment a match is opened and its new name."""
    view, alone, overtaken = begin(web), Store.change, list[int]()

    def change_(store: Store, id_: str, version: int, name: str, autos: None, level: None) -> Kept:
        if not overtaken:
            overtaken.append(version)
            with Store(file) as other:
                other.append(id_, version, [["move", "21/20Pz", "1811"]], Standing())
        return alone(store, id_, version, name, autos, level)

    monkeypatch.setattr(Store, "change", change_)
    named = web.patch(f"/api/matches/{view['id']}", json={"name": "Monday"})
    assert (named.status_code, named.json()["name"]) == (200, "Monday")
    assert overtaken == [view["version"]]
    assert do(web, named.json(), "undo")["pieces"] == view["pieces"]  # it knew of the move
    with Store(file) as store:
        assert store.whole(view["id"]).answers == ()


def test_a_change_that_is_always_overtaken_is_refused(
    web: Client, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = begin(web)
    before = content(file)

    def change_(*_: object) -> Kept:
        raise Stale

    monkeypatch.setattr(Store, "change", change_)
    assert web.patch(f"/api/matches/{view['id']}", json={"name": "x"}).status_code == 409
    assert content(file) == before


def test_only_a_few_matches_are_held_in_memory(file: Path) -> None:
    with client(file) as web:
        ids = [begin(web)["id"] for _ in range(5)]
        store = Store(file)
        copies = Copies(store, 2)
        for id_ in ids * 2:
            with copies.seen(id_) as copy:
                assert copy.match.answers == []
        assert len(copies._places) == 2
        store.close()


def test_a_match_stays_in_memory_when_its_undo_goes_elsewhere(file: Path) -> None:
    with Store(file) as store:
        id_ = store.keep(New(name="x", scenario="weissenberg", options={})).id
        copies = Copies(store, 2)
        with copies.seen(id_) as copy:
            match = copy.match
        with pytest.raises(Cold), copies.seen(id_):
            raise Cold
        with copies.seen(id_) as again:
            assert again.match is match


def test_large_matches_in_memory_are_fewer(file: Path) -> None:
    with Store(file) as store:
        ids = [store.keep(New(name="x", scenario="weissenberg", options={})).id for _ in range(9)]
        copies = Copies(store, 100, 4 * COPY)

        def most() -> int:
            held = 0
            for id_ in ids:
                with copies.seen(id_):
                    held = max(held, len(copies._places))
            return held

        assert most() == 4
        for id_ in ids:
            store.append(id_, 0, [["end"], ["end"]], Standing())
        most()
        assert most() == 3


def test_a_match_that_can_no_longer_be_played_is_still_listed_and_exported(file: Path) -> None:
    with client(file) as web:
        view = begin(web)
        store = Store(file)
        store.append(view["id"], view["version"], [["fly", "to", "the moon"]], Standing())
        store.close()
        assert web.get("/api/matches").json()[0]["id"] == view["id"]
        answer = web.get(f"/api/matches/{view['id']}")
        assert (answer.status_code, answer.json()["place"]) == (422, "answers[0]")
        kept = web.get(f"/api/matches/{view['id']}/file").json()
        assert kept["answers"] == [["fly", "to", "the moon"]]


def test_a_damaged_match_is_named_at_the_start_and_in_the_list_and_the_others_are_served(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with client(file) as web:
        hurt, sound = begin(web, autos=["allied"]), begin(web)
    change(file, "UPDATE matches SET autos = '[' WHERE id = ?", hurt["id"])
    problem = f"the match '{hurt['id']}' is damaged: its checksum does not fit"
    with client(file) as web:
        assert problem in caplog.text
        assert problem in html.unescape(web.get("/matches").text)
        assert [match["id"] for match in web.get("/api/matches").json()] == [sound["id"]]
        refused = web.get(f"/api/matches/{hurt['id']}")
        assert (refused.status_code, refused.json()["refusal"]) == (503, problem)
        do(web, sound, "answers", answer=["move", "21/20Pz", "1811"])


def test_ids_can_not_be_guessed(web: Client) -> None:
    ids = {begin(web)["id"] for _ in range(5)}
    assert len(ids) == 5
    assert all(re.fullmatch(r"[\w-]{8}", id_) for id_ in ids)
