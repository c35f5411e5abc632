"""Nothing that a seat can get tells what it must not know.

Two independent statements. Random matches are played from both seats, and all that each seat and
who watches receive is searched for the names of counters that never lay open to them, and for
answers that are offered to the other side. And matches that differ only in a secret are played side
by side: what the other seat receives is the same, byte by byte.
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest
from starlette.routing import Route

from grognard.card.rows import SIDES
from grognard.draw.json import match_preview
from grognard.maps.board import Board
from grognard.maps.hexes import Hex
from grognard.matches import recap, seats, sight
from grognard.matches.fair_dice import anchor_of, link_of, new_secret
from grognard.matches.match import Match, begin, replay
from grognard.matches.protocol import Order
from grognard.matches.storage.store import Store
from grognard.rules.ask import Choose, Commit, Roll
from grognard.rules.fight import units_of
from grognard.testing.random_matches import any_answer
from grognard.web.app import create
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from tests.tiers import sized
from tests.web.apart import Apart, Seat, View, apart, to_commitment
from tests.web.serving import client

HEIGHT = "dominant-position"
HIDDEN = {"hidden_stacks": "top_counter"}
UNKNOWN = "§"  # as a unit
UNDER = ("24/7Gd", "25/7Gd")
QUERIES = {"unit": {"name": "861/294"}, "frames": {"of": "match"}}
PLANS = ("/advice", "/dangers")  # of one's own take seconds; refused to the other side
SLOW = ("events", "story", "story.html", "advice", "dangers")  # asked for less often


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


@pytest.fixture
def web(file: Path) -> Iterator[httpx.Client]:
    with client(file) as opened:
        yield opened


def addresses(file: Path) -> list[str]:
    """Give every address of a match that can be read."""
    found = [route for route in create(file).routes if isinstance(route, Route)]
    return [r.path for r in found if "{id}" in r.path and "GET" in (r.methods or ())]


# ------------------------------------------------------------------ what is secret


def covered(board: Board, viewer: str) -> set[str]:
    """10.3, read again: of an enemy stack only the top counter is open, unless a unit of the viewer
    stands on a dominant position beside it."""
    stacks: dict[Hex, list[tuple[str, str]]] = {}
    for piece in board.pieces:
        if piece.at is not None:
            stacks.setdefault(piece.at, []).append((piece.name, piece.side))
    heights = [
        piece.at
        for piece in board.pieces
        if piece.side == viewer and piece.at and HEIGHT in board.map.places[piece.at].terrain
    ]
    hidden = set[str]()
    for hex_, stack in stacks.items():
        looked_into = any(height.distance(hex_) == 1 for height in heights)
        if stack[0][1] != viewer and not looked_into:
            hidden |= {name for name, _ in stack[1:]}
    return hidden


class Truth:
    """The match as only the store knows it, and what has come into the open so far."""

    def __init__(self, store: Store, id_: str, scenario: str, options: dict[str, str]) -> None:
        self._store, self._id = store, id_
        self.match: Match = begin(scenario, options)
        self._hides = self.match.field.options.get("hidden_stacks") == "top_counter"
        self.sides = [side.id for side in self.match.field.scenario.sides]
        self.open: dict[str, set[str]] = {side: set() for side in self.sides}
        self._boards = 0

    def follow(self) -> None:
        replay(self.match, self._store.whole(self._id, len(self.match.answers)).answers)
        for _, board in self.match.boards[self._boards :]:
            on_map = {piece.name for piece in board.pieces if piece.at is not None}
            for side in self.sides:
                self.open[side] |= on_map - covered(board, side)
        self._boards = len(self.match.boards)
        fought = {
            unit.name
            for one in self.match.fights
            for side in SIDES
            for unit in units_of(one.play.start, side)
        }
        # An attack names its units, and an answer during it those that support.
        for entry in self.match.replies:
            order = isinstance(entry.ask, Order)
            if isinstance(entry.ask, Choose) or (order and "attack" in str(entry.answer)):
                fought |= set(re.findall(r"'([^']+)'", str((entry.answer,))))
        for side in self.sides:
            self.open[side] |= fought

    def secrets(self, seat: str) -> set[str]:
        """Name the counters that never lay open to a seat: to who watches, those of both sides."""
        if not self._hides or self.match.asking is None:
            return set()
        viewers = self.sides if seat == "watch" else [seat]
        board = self.match.board
        return set().union(*(covered(board, side) - self.open[side] for side in viewers))


# ------------------------------------------------------------------ what a seat receives


def received(seat: Seat, paths: list[str]) -> dict[str, str]:
    """Read every address of the match."""
    found = {}
    for path in paths:
        last = path.rpartition("/")[2]
        query = QUERIES.get(last, {})
        if last == "events":
            with seat.web.stream("GET", path.replace("{id}", seat.id)) as answer:
                found[path] = next(answer.iter_text())
            continue
        answer = seat.web.get(path.replace("{id}", seat.id), params=query)
        assert answer.status_code in (200, 403, 422), (path, answer.text)
        found[path] = answer.text
    found["the feed"] = read_feed(seat)
    return found


def read_feed(seat: Seat) -> str:
    """Read the feed of a seat, by a new link to it."""
    link = seat.web.post(seat.api("/feed")).json()["feed"]
    answer = seat.web.get(link)
    assert answer.status_code == 200, answer.text
    return answer.text


def tried(seat: Seat, name: str, truth: Truth) -> tuple[dict[str, str], list[str]]:
    """Look at orders and give illegal ones, above all against stacks with secret counters. Give
    what is answered, and what should have been refused."""
    secret, version = truth.secrets(name), seat.show()["version"]
    pieces = [piece for piece in truth.match.board.pieces if piece.at is not None]
    theirs = sorted((p for p in pieces if p.side != name), key=lambda p: p.name not in secret)
    own = [piece.name for piece in pieces if piece.side == name][:2] or [UNKNOWN]
    everybody = ", ".join(sorted(piece.name for piece in truth.match.board.pieces))
    number, asked = truth.match.board.map.number, truth.match.asked == name
    told, wrong = {}, []
    for hex_ in list(dict.fromkeys(number(p.at) for p in theirs if p.at is not None))[:2]:
        moves = [["move", unit, hex_] for unit in own]
        orders = [["attack", hex_, *own], ["attack", hex_, UNKNOWN], *moves]
        posts: list[tuple[str, object, bool]] = [
            *(
                (seat.api("/look"), {"target": hex_, "units": x}, asked)
                for x in (own, [], [UNKNOWN])
            ),
            *((f"/matches/{seat.id}/look", {"order": order}, asked) for order in orders),
            *((f"/matches/{seat.id}/try", {"order": order}, asked) for order in orders),
            *(
                (seat.api("/answers"), {"version": version, "answer": order}, False)
                for order in orders[1:]
            ),
        ]
        for path, body, may in posts:
            answer = seat.web.post(path, json=body)
            # That these counters exist is in the rules; in another order the list would tell more.
            told[f"POST {path} {body}"] = answer.text.replace(everybody, "")
            if answer.status_code not in ({200, 403, 422} if may else {403, 422}):
                wrong.append(f"{path} answers {body} with {answer.status_code}")
    return told, wrong


def leaks(seat: Seat, name: str, truth: Truth, paths: list[str]) -> list[str]:
    """Search all that a seat receives for what it must not know."""
    told, wrong = tried(seat, name, truth)
    told |= received(seat, paths)
    return [
        *wrong,
        *named(told, truth.secrets(name)),
        *offered(told, seat.show()["asking"] or {}, name, truth),
        *placed(seat, truth.secrets(name)),
    ]


def named(told: dict[str, str], secrets: set[str]) -> Iterator[str]:
    """Search texts for names of secret counters."""
    for path, text in told.items():
        plain = html.unescape(text.replace("\\/", "/"))
        if "/story" in path:  # its first picture has the counters that waited beside the map
            plain = re.sub(r'<div id="map".*?</svg>', "", plain, flags=re.DOTALL)
        for secret in secrets if not path.endswith("/position") else ():
            for written in {secret, secret.replace(" ", "_")}:
                if re.search(rf"(?<![\w/]){re.escape(written)}(?![\w/])", plain):
                    yield f"{path} names {secret}"


def offered(told: dict[str, str], asking: View, name: str, truth: Truth) -> Iterator[str]:
    """Search for answers that the other side is offered."""
    ask = truth.match.asking
    if isinstance(ask, Order | Choose) and truth.match.asked != name:
        for path, text in told.items():
            if re.search(r"data-(order|answer)=", text):
                yield f"{path} offers answers of the other side"
        if asking.get("orders") or asking.get("options") or asking.get("advice"):
            yield "the question offers answers of the other side"
    for side in asking.get("sides", ()):
        if side["id"] != name and side["options"]:
            yield "the question offers a half of the other side"


def placed(seat: Seat, secrets: set[str]) -> Iterator[str]:
    """Search the positions of the match; a counter that waits beside the map may be named."""
    steps = seat.web.get(seat.api("/position")).json()["steps"]
    for step in {0, steps // 2, steps}:
        position = seat.web.get(seat.api("/position"), params={"step": str(step)}).json()
        known = {piece["name"] for piece in position["pieces"] if piece["hex"] is not None}
        yield from (f"position {step} names {one}" for one in known & secrets)


def play(truth: Truth, seats_: dict[str, Seat], random: Random) -> None:
    """Give a random legal answer from the seat that is asked."""
    ask = truth.match.asking
    match ask:
        case Roll():
            roles = dict(zip(SIDES, truth.match.roles, strict=True))
            seats_[roles[ask.side]].act("/roll")
        case Commit():
            commit(seats_, random)
        case Order() | Choose():
            side = truth.match.asked or ""
            seats_[side].act("/answers", answer=any_answer(ask, random, 0.25))
    truth.follow()


def commit(seats_: dict[str, Seat], random: Random) -> None:
    """Let one side that has not committed yet do so."""
    halves = [
        (side, seat, half)
        for side, seat in seats_.items()
        for half in seat.show()["asking"]["sides"]
        if half["id"] == side and len(half["options"]) > 1 and not half["given"]
    ]
    side, seat, half = random.choice(halves)
    seat.act("/commit", side=side, option=random.choice(half["options"])["answer"])


CASES = [
    ("bautzen-1945", {}, 12),
    ("weissenberg", HIDDEN, 40),
    ("weissenberg", {}, 20),
    ("pulkovo", {}, 20),
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(sized(1)))
@pytest.mark.parametrize(("scenario", "options", "actions"), CASES)
def test_no_seat_receives_what_it_must_not_know(
    web: httpx.Client, file: Path, scenario: str, options: dict[str, str], actions: int, seed: int
) -> None:
    random = Random(f"{scenario} {seed}")
    paths = addresses(file.with_name("other.sqlite"))
    if scenario == "bautzen-1945" and sized(1) == 1:  # a plan for a hundred units takes long
        paths = [path for path in paths if not path.endswith(PLANS)]
    quick = [path for path in paths if path.rpartition("/")[2] not in SLOW]
    with apart(web, scenario, options=options) as match, Store(file) as store:
        match.trust_the_server()
        seats_ = {seat: match.sit(seat) for seat in match.links}
        truth = Truth(store, match.id, scenario, options)
        truth.follow()
        secret = 0
        for number in range(actions):
            if truth.match.asking is None:
                break
            play(truth, seats_, random)
            asked = paths if number == actions - 1 else quick
            for name, seat in seats_.items() if number % 8 == 3 or asked is paths else ():
                secret += len(truth.secrets(name))
                assert leaks(seat, name, truth, asked) == [], f"after {number} answers"
        if scenario == "bautzen-1945":
            assert secret > 5  # or nothing was looked for


# ------------------------------------------------------------------ mutations: leaks are found


def deploy(match: Apart, *hidden: str) -> None:
    """Let the Allies deploy two stacks, each with a hidden unit, then let the Germans move."""
    allied, german = match.sit("allied"), match.sit("german")
    for top, under, hex_ in zip(("936/254", "933/254"), hidden, ("1407", "1307"), strict=True):
        allied.act("/answers", answer=["place", top, hex_])
        allied.act("/answers", answer=["place", under, hex_])
    allied.act("/answers", answer=["end"])
    german.act("/answers", answer=["end"])


def _all_mine(_self: object, _side: str) -> bool:
    return True


def _nothing(*_: object) -> frozenset[str]:
    return frozenset()


def _as_is(board: Board, _hidden: object) -> Board:
    return board


def _named(asked: Order, _order: object) -> Message:
    return say("{names}", names=", ".join(piece.name for piece in asked.board.pieces))


MUTATIONS = {
    "the board is not turned over": (sight, "with_backs", _as_is),
    "the log names everybody": (sight, "hidden_on", _nothing),
    "a replay is not turned over": (recap, "with_backs", _as_is),
    "answers are offered to all": (seats.Seats, "mine", _all_mine),
}


@pytest.mark.slow
def test_leaks_that_are_put_in_by_hand_are_found(
    web: httpx.Client, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = ["/matches/{id}/parts", "/api/matches/{id}", "/matches/{id}/frames"]
    with apart(web, "bautzen-1945") as match, Store(file) as store:
        match.trust_the_server()
        german = match.sit("german")
        truth = Truth(store, match.id, "bautzen-1945", {})
        deploy(match, *UNDER)
        match.sit("german").act("/answers", answer=["end"])
        truth.follow()
        assert set(UNDER) <= truth.secrets("german")
        assert leaks(german, "german", truth, paths) == []
        with monkeypatch.context() as patched:
            patched.setattr(match_preview, "order_problem", _named)
            assert leaks(german, "german", truth, paths)  # a refusal of an order names counters
        while truth.match.asked == "german":  # until the other side is asked
            german.act("/answers", answer=["end"])
            truth.follow()
        assert leaks(german, "german", truth, paths) == []
        for mutation, put_in in MUTATIONS.items():
            with monkeypatch.context() as patched:
                patched.setattr(*put_in)
                assert leaks(german, "german", truth, paths), mutation
        assert leaks(german, "german", truth, paths) == []


# ------------------------------------------------------------------ the same to the other seat


def _plain(text: str, match: Apart) -> str:
    """Leave out what differs in any two matches: ids and times."""
    text = text.replace(match.id, "MATCH")
    text = re.sub(r"urn:uuid:[0-9a-f-]{36}", "ENTRY", text)  # of the feed
    text = re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+Z?", "TIME", text)
    # References of seats, and links of the chain of answers, which have random nonces.
    return re.sub(r"\b[0-9a-f]{16}\b|\b[0-9a-f]{64}\b", "REFERENCE", text)


def assert_alike(one: Apart, other: Apart, seat: str, paths: list[str]) -> None:
    told = [
        {path: _plain(text, match) for path, text in received(match.sit(seat), paths).items()}
        for match in (one, other)
    ]
    for path in told[0]:
        assert told[0][path] == told[1][path], path


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["german", "watch"])
def test_which_counter_lies_where_changes_nothing_that_others_receive(
    web: httpx.Client, file: Path, seat: str
) -> None:
    """Two brigades lie under two stacks, and in the other match the other way round."""
    paths = addresses(file.with_name("other.sqlite"))
    paths = [p for p in paths if not p.endswith((*PLANS, "/events"))]
    with apart(web, "bautzen-1945") as one, apart(web, "bautzen-1945") as other:
        deploy(one, *UNDER)
        deploy(other, *reversed(UNDER))
        assert_alike(one, other, seat, paths)


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["allied", "watch"])
def test_a_half_changes_nothing_that_others_receive_before_the_reveal(
    web: httpx.Client, file: Path, seat: str
) -> None:
    paths = addresses(file.with_name("other.sqlite"))
    paths = [p for p in paths if not p.endswith((*PLANS, "/events"))]
    with apart(web) as one, apart(web) as other:
        for match, place in ((one, 0), (other, -1)):
            german = match.sit("german")
            to_commitment(german, match.sit("allied"))
            (half,) = [s for s in german.show()["asking"]["sides"] if s["id"] == "german"]
            option = half["options"][place]["answer"]
            german.act("/commit", side="german", option=option)
        assert_alike(one, other, seat, paths)


# ------------------------------------------------------------------ what is refused


def test_plans_and_previews_are_for_the_side_that_is_asked(web: httpx.Client) -> None:
    with apart(web) as match:
        match.trust_the_server()
        match.sit("german").act("/answers", answer=["end"])
        for other in (match.sit("allied"), match.sit("watch")):
            for path in ("/advice", "/dangers"):
                assert other.web.get(other.api(path)).status_code == 403
                assert other.web.get(f"/matches/{match.id}{path}").status_code == 403
            body = {"target": "1910", "units": ["21/20Pz"]}
            assert other.web.post(other.api("/look"), json=body).status_code == 403
            order = {"order": ["attack", "1910", "21/20Pz"]}
            for path in ("/look", "/try"):
                assert other.web.post(f"/matches/{match.id}{path}", json=order).status_code == 403


def test_a_refusal_names_the_units_in_no_order_of_their_stacks() -> None:
    board = begin("weissenberg").board
    below = board.on_top(board.pieces[-1].name).on_top(board.pieces[-2].name)
    told = []
    for one in (board, below):
        with pytest.raises(Refusal, match="no unit") as refused:
            one.piece(UNKNOWN)
        told.append(str(refused.value))
    assert told[0] == told[1]


def test_the_match_file_waits_for_the_end_where_stacks_are_hidden(web: httpx.Client) -> None:
    with apart(web, "bautzen-1945") as hidden, apart(web) as open_:
        german = hidden.sit("german")
        refused = german.web.get(german.api("/file"))
        assert refused.status_code == 422
        assert "when the match is over" in refused.json()["refusal"]
        seat = open_.sit("german")
        assert seat.web.get(seat.api("/file")).status_code == 200


def test_luck_and_decisions_are_told_when_the_match_is_over(web: httpx.Client) -> None:
    with apart(web) as match:
        match.trust_the_server()
        german, allied = match.sit("german"), match.sit("allied")
        seats_ = {"german": german, "allied": allied}
        while (asking := german.show()["asking"]) is not None:
            told = allied.web.get(allied.api("/story")).json()
            assert (told["kept_back"], told["fights"], told["costly"]) == (True, [], [])
            seat = seats_[asking["side"]]
            options = seat.show()["asking"].get("options")
            if asking["ask"] == "roll":
                seat.act("/roll")
            else:
                seat.act("/answers", answer=options[0]["answer"] if options else ["end"])
        assert not allied.web.get(allied.api("/story")).json()["kept_back"]
        assert allied.web.get(allied.api("/file")).status_code == 200


# ------------------------------------------------------------------ dice


def test_the_first_link_of_a_roll_is_in_nothing_that_anybody_receives(
    web: httpx.Client, file: Path
) -> None:
    """Until the other side has revealed: who knew it would know the dice."""
    with apart(web) as match:
        held = {name: match.program(name) for name in match.links}
        to_commitment(held["german"], held["allied"])
        for side in ("german", "allied"):
            held[side].act("/commit", side=side, option=[0, 0])
        secret = {side: new_secret() for side in ("german", "allied")}
        for side, drawn in secret.items():
            body = {"side": side, "anchor": anchor_of(drawn)}
            held[side].web.post(held[side].api("/dice/anchor"), json=body)
        state = held["german"].web.get(held["german"].api("/dice")).json()
        anchors = {one["id"]: one["anchor"] for one in state["sides"]}
        link = link_of(secret["german"], 0)
        for first, other in (("german", "allied"), ("allied", "german")):
            given = {"side": first, "value": link_of(secret[first], 0), "other": anchors[other]}
            asked = {"roll": 1, "question": state["question"]}
            answer = held[first].web.post(held[first].api("/dice/reveal"), json={**given, **asked})
            assert answer.status_code == 200, answer.text
            if first == "german":
                for seat in held.values():
                    told = {**received(seat, addresses(file)), "the reveal": answer.text}
                    assert [path for path in told if link in told[path]] == []
        assert link in answer.text
