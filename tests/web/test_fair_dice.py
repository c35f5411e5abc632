"""Fair dice over HTTP: nobody chooses, nobody tries twice, and whoever cheats is noticed."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import msgspec
import pytest
from httpx import Client

from grognard.card.dice import Dice
from grognard.matches import fair_dice
from grognard.matches.dice_client import Cheated, DiceClient, Notes, over_http
from grognard.matches.fair_dice import Asked, anchor_of, link_of, new_secret
from grognard.matches.storage.store import Store
from grognard.rules.ask import Roll
from grognard.words.refusal import Refusal
from tests.oracles import fair_dice as oracle
from tests.processes import PATIENCE
from tests.sqlite_file import change, forge
from tests.web.fair_match import ATTACK, Apart, Seated, asking, begun
from tests.web.serving import client, content, settled

Json = dict[str, Any]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


@pytest.fixture
def web(file: Path) -> Iterator[Client]:
    with client(file) as opened:
        yield opened


@pytest.fixture
def apart(web: Client) -> Apart:
    """A match apart at a roll of the Germans; both sides have chains."""
    match = Apart(web, begun(web))
    match.to_roll()
    assert isinstance(match.match.asking, Roll)
    for one in match.clients.values():
        one.begin()
    return match


class Hand:
    """A side that sends what a test says."""

    def __init__(self, apart: Apart, side: str) -> None:
        self.apart, self.side, self.secret = apart, side, new_secret()

    def begin(self, status: int = 200, **changed: object) -> Json:
        sides = {one["id"]: one["anchor"] for one in self.apart.state()["sides"]}
        body = {
            "side": self.side,
            "anchor": anchor_of(self.secret),
            "replaces": sides[self.side],
            **changed,
        }
        return self.apart.post("dice/anchor", status, **body)

    def body(self, **changed: object) -> Json:
        state = self.apart.state()
        mine = next(one for one in state["sides"] if one["id"] == self.side)
        other = next(one for one in state["sides"] if one["id"] != self.side)
        return {
            "side": self.side,
            "roll": state["roll"],
            "question": state["question"],
            "other": other["anchor"],
            "value": link_of(self.secret, state["roll"] - mine["first"]),
            **changed,
        }

    def reveal(self, status: int = 200, **changed: object) -> Json:
        return self.apart.post("dice/reveal", status, **self.body(**changed))


@pytest.fixture
def hands(apart: Apart) -> dict[str, Hand]:
    """Both sides, with chains that the test knows."""
    found = {side: Hand(apart, side) for side in apart.sides}
    for hand in found.values():
        hand.begin()
    return found


def sources(file: Path, apart: Apart) -> list[str]:
    with Store(file) as store:
        return list(store.whole(apart.id).sources)


# ------------------------------------------------------------------ a roll


def test_both_sides_make_the_dice_and_each_can_work_them_out(
    file: Path, apart: Apart, hands: dict[str, Hand]
) -> None:
    before = apart.state()
    assert (before["side"], before["awaited"], before["roll"]) == ("german", ["german"], 1)
    assert before["dice"] == {"count": 1, "faces": 6, "lowest": 1}
    half = hands["german"].reveal()
    assert (half["awaited"], half["made"]) == (["allied"], [])
    assert [side["revealed"] for side in half["sides"]] == [True, False]
    done = hands["allied"].reveal()
    (made,) = done["made"]
    links = {side: link_of(hand.secret, 0) for side, hand in hands.items()}
    assert (made["links"], made["question"]) == (links, before["question"])
    assert made["shown"] == oracle.rolled(apart.id, 1, before["question"], links, (1, 6, 1))
    assert (done["roll"], done["dice"], done["awaited"]) == (2, None, [])
    assert sources(file, apart) == ["person"] * 4 + ["fair"]
    with Store(file) as store:
        assert list(store.whole(apart.id).answers[-1:]) == [made["shown"]]


def test_the_side_that_rolls_reveals_first(apart: Apart, hands: dict[str, Hand]) -> None:
    refused = hands["allied"].reveal(422)
    assert "german rolls, and reveals first" in refused["refusal"]
    assert not any(side["revealed"] for side in apart.state()["sides"])


def test_nobody_types_dice_and_the_server_does_not_roll_alone(apart: Apart) -> None:
    typed = apart.post("answers", 422, version=apart.version, answer=[6])
    assert "made by both sides" in typed["refusal"]
    rolled = apart.post("roll", 422, version=apart.version)
    assert "german must reveal" in rolled["refusal"]
    assert apart.state()["roll"] == 1


def test_a_match_at_one_table_rolls_as_before(web: Client) -> None:
    view = web.post("/api/matches", json={"scenario": "weissenberg"}).json()
    refused = web.get(f"/api/matches/{view['id']}/dice")
    assert (refused.status_code, "one table" in refused.json()["refusal"]) == (422, True)
    assert "proof" not in web.get(f"/api/matches/{view['id']}/file").json()


def test_a_side_that_does_not_exist_has_no_dice(apart: Apart) -> None:
    hand = Hand(apart, "german")
    assert "other side" in hand.begin(403, side="swiss")["refusal"]
    assert "other side" in hand.reveal(403, side="swiss")["refusal"]


# ------------------------------------------------------------------ no second try


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"question": "0" * 64}, 409),  # another question
        ({"other": "0" * 64}, 409),  # against another chain
        ({"roll": 2}, 409),
        ({"roll": 0}, 409),
        ({"value": "0" * 64}, 422),
        ({"value": "0" * 63}, 422),
        ({"value": "not hexadecimal"}, 422),
    ],
)
def test_a_link_for_something_else_is_refused_and_changes_nothing(
    file: Path, hands: dict[str, Hand], changed: Json, status: int
) -> None:
    body = hands["german"].body(**changed)
    before = content(file)
    hands["german"].apart.post("dice/reveal", status, **body)
    assert content(file) == before


def test_the_same_link_again_changes_nothing(file: Path, hands: dict[str, Hand]) -> None:
    apart = hands["german"].apart
    body = hands["german"].body()
    apart.post("dice/reveal", **body)
    before = content(file)
    apart.post("dice/reveal", **body)
    assert content(file) == before
    hands["allied"].reveal()
    before = content(file)
    assert apart.post("dice/reveal", **body)["roll"] == 2  # after the roll too
    assert content(file) == before
    apart.post("dice/reveal", 409, **{**body, "value": "0" * 64})


def test_an_undo_before_a_roll_is_free_until_somebody_has_revealed(
    file: Path, hands: dict[str, Hand]
) -> None:
    apart = hands["german"].apart
    asked = apart.state()["question"]
    undone = apart.web.post(f"{apart.path}/undo", json={"version": apart.version})
    assert undone.status_code == 422  # a reveal of commitments stands there
    with Store(file) as store:  # a question without one: the rules do not matter here
        kept = store.get(apart.id)
        kept = store.append(kept.id, kept.version, [["end"]], kept.standing)
        assert kept.head != asked
        kept = store.undo(kept.id, kept.version, kept.standing)
        assert kept.head == asked
        hands["german"].reveal()
        with pytest.raises(Refusal, match="has revealed its link"):
            store.undo(kept.id, store.get(kept.id).version, kept.standing)
    hands["allied"].reveal()
    version = apart.web.get(apart.path).json()["version"]
    refused = apart.web.post(f"{apart.path}/undo", json={"version": version})
    assert (refused.status_code, "dice" in refused.json()["refusal"]) == (422, True)


def test_no_consent_takes_a_roll_back(web: Client) -> None:
    """A wish from before the roll ends with it, and no new one is taken."""
    apart = Apart(web, begun(web))
    for answer in ATTACK[:-1]:
        apart.step(answer)

    def posted(side: str, path: str, **body: bool) -> int:
        version = web.get(apart.path).json()["version"]
        auth = Seated(apart.secrets, lambda: side)
        return web.post(
            f"{apart.path}/{path}", json={"version": version, **body}, auth=auth
        ).status_code

    def refused() -> None:
        for side in apart.sides:
            assert posted(side, "undo") == 422
            assert posted(side, "undo/consent", agreed=True) == 422

    assert posted("allied", "undo") == 200
    apart.version += 1
    apart.step(ATTACK[-1])
    asked = apart.state()["question"]
    refused()
    for one in apart.clients.values():
        one.begin()
    apart.clients["german"].answer()
    refused()
    assert apart.state()["question"] == asked  # it stands, and so does the link
    apart.roll()
    (made,) = apart.state(since=1)["made"]
    refused()
    assert apart.state(since=1)["made"] == [made]
    assert made["question"] == asked


def test_no_undo_brings_a_roll_back_against_an_automatic_side(web: Client) -> None:
    """There nobody is asked for his consent, and the server knows the other link."""
    id_, state = rolled_against_an_automatic_side(web)
    (made,) = state["made"]
    for _ in range(3):
        settled()
        view = web.get(f"/api/matches/{id_}").json()
        if view["asking"]["ask"] == "order":
            break
        refused = web.post(f"/api/matches/{id_}/undo", json={"version": view["version"]})
        assert refused.status_code == 422, refused.text
        assert web.get(f"/api/matches/{id_}/dice?since=1").json()["made"] == [made]


def test_a_question_asked_anew_has_another_head_so_it_is_another_roll(
    file: Path, apart: Apart
) -> None:
    asked = apart.state()["question"]
    with Store(file) as store:
        whole = store.whole(apart.id)
        kept = store.undo(apart.id, whole.kept.version, whole.kept.standing)
        last = whole.answers[-1]
        again = store.append(kept.id, kept.version, [last], kept.standing)
    assert again.head != asked  # the same answer with another nonce


def test_a_new_chain_is_free_while_nobody_has_revealed(hands: dict[str, Hand]) -> None:
    for side in ("german", "allied"):
        hands[side].secret = new_secret()
        hands[side].begin()
    hands["german"].reveal()
    assert hands["allied"].reveal()["roll"] == 2


def test_nobody_chooses_a_chain_when_the_other_side_has_revealed(
    file: Path, hands: dict[str, Hand]
) -> None:
    hands["german"].reveal()
    before = content(file)
    lost = Hand(hands["allied"].apart, "allied")
    assert "it alone can begin this roll anew" in lost.begin(422)["refusal"]
    assert content(file) == before
    # The Germans agree: they withdraw what they revealed, and have a new chain themselves.
    hands["german"].secret = new_secret()
    state = hands["german"].begin()
    assert [side["revealed"] for side in state["sides"]] == [False, False]
    lost.begin()
    hands["german"].reveal()
    assert lost.reveal()["roll"] == 2


def test_a_chain_is_never_begun_twice_nor_copied(hands: dict[str, Hand]) -> None:
    german = hands["german"]
    first = german.secret
    assert german.begin()["roll"] == 1  # the one that it has: nothing changes
    copied = german.begin(422, anchor=anchor_of(hands["allied"].secret))
    assert "begun before" in copied["refusal"]
    german.reveal()
    hands["allied"].reveal()
    german.secret = new_secret()
    german.begin()
    german.secret = first
    assert "begun before" in german.begin(422)["refusal"]


def test_two_devices_do_not_take_the_chain_from_each_other_unawares(
    hands: dict[str, Hand],
) -> None:
    other = Hand(hands["german"].apart, "german")
    refused = other.begin(409, replaces=None)
    assert "look again" in refused["refusal"]
    other.begin()
    refused = hands["german"].begin(409, replaces=anchor_of(hands["german"].secret))
    assert "look again" in refused["refusal"]


def test_two_tabs_reveal_at_once_and_one_roll_is_made(file: Path, hands: dict[str, Hand]) -> None:
    apart = hands["german"].apart
    hands["german"].reveal()
    body, start, found = hands["allied"].body(), Barrier(6), list[int]()

    def send() -> None:
        start.wait(PATIENCE)
        answer = apart.web.post(f"{apart.path}/dice/reveal", json=body)
        found.append(answer.status_code)

    threads = [Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert found == [200] * 6
    assert sources(file, apart).count("fair") == 1
    assert apart.state()["roll"] == 2


def test_a_reveal_outlives_the_server(file: Path) -> None:
    with client(file) as web:
        apart = Apart(web, begun(web))
        apart.to_roll()
        hands = {side: Hand(apart, side) for side in apart.sides}
        for hand in hands.values():
            hand.begin()
        before = hands["german"].reveal()
    with client(file) as web:
        apart.sit(web)
        after = apart.state()
        assert after == before
        assert hands["allied"].reveal()["roll"] == 2


def test_a_chain_that_is_used_up_is_followed_by_another(
    web: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fair_dice, "LENGTH", 1)
    apart = Apart(web, begun(web))
    apart.to_roll()
    apart.roll()
    for one in apart.clients.values():
        one.answer()
    assert [side["first"] for side in apart.state()["sides"]] == [2, 2]


# ------------------------------------------------------------------ the server answers


def test_the_server_answers_for_a_side_that_gives_its_secret(hands: dict[str, Hand]) -> None:
    wrong = hands["allied"].begin(422, secret=new_secret())
    assert (wrong["place"], "not the secret" in wrong["refusal"]) == ("secret", True)
    state = hands["allied"].begin(secret=hands["allied"].secret)
    assert [side["server"] for side in state["sides"]] == [False, True]
    assert hands["allied"].secret not in json.dumps(state)
    assert hands["german"].reveal()["roll"] == 2


def test_the_side_that_rolls_still_says_when(hands: dict[str, Hand]) -> None:
    """The server answers for others; one's own roll waits for the button."""
    apart = hands["german"].apart
    for hand in hands.values():
        hand.begin(secret=hand.secret)
    assert (apart.state()["roll"], apart.state()["awaited"]) == (1, ["german"])
    apart.post("roll", version=apart.version)
    assert apart.state()["roll"] == 2


def test_a_roll_by_the_server_waits_for_the_other_page(hands: dict[str, Hand]) -> None:
    apart = hands["german"].apart
    hands["german"].begin(secret=hands["german"].secret)
    apart.post("roll", version=apart.version)
    assert apart.state()["awaited"] == ["allied"]
    assert hands["allied"].reveal()["roll"] == 2


def test_a_side_takes_its_dice_back_from_the_server_with_a_new_chain(
    hands: dict[str, Hand],
) -> None:
    hands["allied"].begin(secret=hands["allied"].secret)
    hands["allied"].secret = new_secret()
    state = hands["allied"].begin()
    assert [side["server"] for side in state["sides"]] == [False, False]


def rolled_against_an_automatic_side(web: Client) -> tuple[str, Json]:
    """Let a person attack: the automatic side commits and answers by itself."""
    id_, secrets = begun(web, autos=("allied",))
    web.auth = Seated(secrets, lambda: "german")
    person = DiceClient("german", asking(web, id_))
    view = web.get(f"/api/matches/{id_}").json()
    for answer in (["end"], ["attack", "1910", "21/20Pz", "59/20Pz", "112/20Pz"]):
        body = {"version": view["version"], "answer": answer}
        view = web.post(f"/api/matches/{id_}/answers", json=body).json()
    settled()
    view = web.get(f"/api/matches/{id_}").json()
    if view["asking"]["ask"] == "commit":
        body = {"version": view["version"], "side": "german", "option": [0, 0]}
        web.post(f"/api/matches/{id_}/commit", json=body)
        settled()
    return id_, person.answer()


def test_an_automatic_side_has_a_chain_of_the_server(web: Client) -> None:
    _, state = rolled_against_an_automatic_side(web)
    assert [side["server"] for side in state["sides"]] == [False, True]
    assert (state["roll"], len(state["made"])) == (2, 1)


@pytest.mark.slow
def test_two_automatic_sides_roll_fairly_by_themselves(file: Path) -> None:
    with client(file) as web:
        id_, secrets = begun(web, autos=("german", "allied"))
        web.auth = Seated(secrets, lambda: "watch")
        for _ in range(400):
            web.get(f"/api/matches/{id_}")
            state = web.get(f"/api/matches/{id_}/dice").json()
            if state["roll"] > 2:
                break
            settled()
        assert state["roll"] > 2
    with Store(file) as store:
        assert "rolled" not in store.whole(id_).sources


def test_an_automatic_attacker_waits_for_the_page_of_the_person(web: Client) -> None:
    apart = Apart(web, begun(web))
    apart.to_roll()
    web.patch(apart.path, json={"autos": ["german"]})
    settled()
    state = apart.state()
    assert (state["awaited"], state["sides"][0]["server"]) == (["allied"], True)
    apart.clients["allied"].begin()
    settled()
    assert apart.state()["roll"] == 1
    assert apart.clients["allied"].answer()["roll"] == 2


# ------------------------------------------------------------------ who cheats is noticed


def test_a_client_notices_that_its_link_was_used_for_another_question(
    file: Path, apart: Apart
) -> None:
    apart.roll()
    forge(file, "UPDATE reveals SET question = ?", "0" * 64)
    for one in apart.clients.values():
        with pytest.raises(Cheated, match="another question"):
            one.answer()


def test_a_client_notices_that_the_other_chain_was_chosen_afterwards(
    file: Path, apart: Apart
) -> None:
    apart.roll()
    forge(file, "UPDATE reveals SET value = ? WHERE side = 'allied'", new_secret())
    with pytest.raises(Cheated, match="another chain"):
        apart.clients["german"].answer()


def test_a_client_notices_a_link_from_another_place_of_the_right_chain(
    file: Path, apart: Apart
) -> None:
    """Who may take any link of his chain chooses among thousands of rolls."""
    apart.roll()
    (chain,) = apart.clients["allied"].notes.chains.values()
    forge(file, "UPDATE reveals SET value = ? WHERE side = 'allied'", link_of(chain.secret, 1))
    with pytest.raises(Cheated, match="another chain"):
        apart.clients["german"].answer()


def test_damage_is_named_and_is_no_cheating(file: Path, apart: Apart) -> None:
    apart.roll()
    change(file, "UPDATE reveals SET value = ? WHERE side = 'allied'", "0" * 64)
    for path in ("dice?since=1", "file"):
        answer = apart.web.get(f"{apart.path}/{path}")
        assert answer.status_code == 503
        assert "the checksum of its dice does not fit" in answer.json()["refusal"]


def with_a_third_link(made: Json) -> None:
    made["links"]["third"] = "0" * 64


def with_better_dice(made: Json) -> None:
    made["dice"] = {**made["dice"], "faces": 3, "lowest": 4}


@pytest.mark.parametrize(
    ("altered", "problem"),
    [(with_a_third_link, "another chain"), (with_better_dice, "other dice than those shown")],
)
def test_a_client_notices_dice_that_were_made_with_something_else(
    apart: Apart, altered: Callable[[Json], None], problem: str
) -> None:
    """The server works them out from what it tells, so that they fit."""
    apart.roll()
    honest = asking(apart.web, apart.id)

    def lying(path: str, body: Mapping[str, object] | None) -> Json:
        state = honest(path, body)
        for made in state["made"]:
            altered(made)
            dice = Dice(1, made["dice"]["faces"], "sum", made["dice"]["lowest"])
            asked = Asked(apart.id, made["roll"], made["question"], dice)
            made["shown"] = list(fair_dice.fair_dice(asked, made["links"]))
        return state

    with pytest.raises(Cheated, match=problem):
        DiceClient("german", lying, apart.clients["german"].notes).answer()


def test_a_client_notices_a_roll_that_the_server_does_not_tell_of(apart: Apart) -> None:
    """Otherwise its dice, which the log shows, would never be checked."""
    apart.roll()
    honest = asking(apart.web, apart.id)

    def silent(path: str, body: Mapping[str, object] | None) -> Json:
        return {**honest(path, body), "made": []}

    with pytest.raises(Cheated, match="does not tell how roll 1 was made"):
        DiceClient("german", silent, apart.clients["german"].notes).answer()


def test_a_client_reveals_no_link_of_a_later_roll(apart: Apart) -> None:
    """It would tell the links of all rolls before it."""
    honest = asking(apart.web, apart.id)
    sent: list[object] = []

    def lying(path: str, body: Mapping[str, object] | None) -> Json:
        sent.append(body)
        return {**honest(path, None), "roll": 10}

    notes = apart.clients["german"].notes
    with pytest.raises(Cheated, match="later roll"):
        DiceClient("german", lying, notes).answer()
    assert (sent, notes.reveals) == ([None], {})
    apart.roll()  # nothing is lost


def test_a_client_does_not_reveal_twice_for_one_roll(file: Path, apart: Apart) -> None:
    """A server that forgets a reveal and asks again with another question gets nothing."""
    german = apart.clients["german"]
    german.answer()
    change(file, "DELETE FROM reveals")
    with Store(file) as store:
        kept = store.get(apart.id)
        store.undo(kept.id, kept.version, kept.standing)
    for side, option in zip(apart.match.roles, ([1, 0], [0, 0]), strict=True):
        apart.post("commit", version=apart.version + 1, side=side, option=option)
    with pytest.raises(Cheated, match="asked before"):
        german.answer()


def test_a_client_that_lost_its_secret_says_so_and_begins_anew(apart: Apart) -> None:
    apart.clients["german"].notes = Notes(side="german")
    with pytest.raises(Refusal, match="begin a new one"):
        apart.clients["german"].answer()
    apart.clients["german"].begin()
    apart.roll()


# What a server that cheats tells a side which has revealed for roll 1 and waits for the other.


def tells(state: Json, side: str, **changed: object) -> Json:
    """Change what the server tells of a side."""
    found = json.loads(json.dumps(state))
    for one in found["sides"]:
        if one["id"] == side:
            one.update(changed)
    return {**found, "awaited": ["german"]}


def chain_forgotten(state: Json) -> Json:
    return tells(state, "german", anchor=None, first=None)


def chain_of_somebody(state: Json) -> Json:
    return tells(state, "german", anchor="0" * 64)


def chain_of_somebody_in_silence(state: Json) -> Json:
    return {**chain_of_somebody(state), "awaited": []}


def server_unasked(state: Json) -> Json:
    return tells(state, "german", server=True)


def server_unasked_in_silence(state: Json) -> Json:
    return {**server_unasked(state), "awaited": []}


def chain_moved(state: Json) -> Json:
    return {**tells(state, "german", first=2), "roll": 2, "made": []}


def other_faces(state: Json) -> Json:
    return {**tells(state, "german"), "dice": {"count": 1, "faces": 2, "lowest": 5}}


def other_place_of_the_other_chain(state: Json) -> Json:
    return tells(state, "allied", first=-9)


def other_anchor(state: Json) -> Json:
    return tells(state, "allied", anchor="0" * 64)


def other_question(state: Json) -> Json:
    return {**tells(state, "german"), "question": "0" * 64}


@pytest.mark.parametrize(
    "cheat",
    [
        chain_forgotten,
        chain_of_somebody,
        chain_of_somebody_in_silence,
        server_unasked,
        server_unasked_in_silence,
        chain_moved,
        other_faces,
        other_place_of_the_other_chain,
        other_anchor,
        other_question,
    ],
)
def test_a_client_that_has_revealed_gives_no_second_try(
    apart: Apart, cheat: Callable[[Json], Json]
) -> None:
    german = apart.clients["german"]
    german.answer()
    noted = json.loads(msgspec.json.encode(german.notes))
    honest = asking(apart.web, apart.id)
    posted: list[str] = []

    def lying(path: str, body: Mapping[str, object] | None) -> Json:
        posted.extend([path] if body else [])
        return cheat(honest(path, None if body else body))

    for _ in range(2):  # it is asked again
        with pytest.raises(Cheated):
            DiceClient("german", lying, german.notes).answer()
    assert posted == []
    assert json.loads(msgspec.json.encode(german.notes)) == noted
    apart.roll()


@pytest.mark.parametrize(
    "dice",
    [
        None,
        {"count": 1, "faces": 2**40, "lowest": 1},
        {"count": 1, "faces": 1, "lowest": 6},
        {"count": 0, "faces": 6, "lowest": 1},
        {"count": 1, "faces": "6", "lowest": 1},
        {"count": 1, "faces": 6},
    ],
)
def test_a_client_reveals_for_dice_only(apart: Apart, dice: Json | None) -> None:
    honest = asking(apart.web, apart.id)

    def lying(path: str, body: Mapping[str, object] | None) -> Json:
        return {**honest(path, body), "dice": dice}

    with pytest.raises(Cheated, match="can't be made"):
        DiceClient("german", lying, apart.clients["german"].notes).answer()
    assert apart.clients["german"].notes.reveals == {}


def with_another_id(match: str, made: Json) -> tuple[str, Json]:
    return f"{match}2", made


def with_sides_in_another_order(match: str, made: Json) -> tuple[str, Json]:
    return match, {**made, "links": {"zzz": made["links"]["allied"], **made["links"]}}


@pytest.mark.parametrize("altered", [with_another_id, with_sides_in_another_order])
def test_a_client_notices_a_match_or_a_side_that_is_named_afterwards(
    apart: Apart, altered: Callable[[str, Json], tuple[str, Json]]
) -> None:
    """With both links at hand the server looks for names that give better dice."""
    apart.roll()
    honest = asking(apart.web, apart.id)

    def lying(path: str, body: Mapping[str, object] | None) -> Json:
        text = json.dumps(honest(path, body))
        state: Json = json.loads(text)
        (made,) = state["made"]
        state["match"], made = altered(state["match"], made)
        if "zzz" in made["links"]:
            del made["links"]["allied"]
            state["sides"][1]["id"] = "zzz"
        asked = Asked(state["match"], 1, made["question"], Dice(1))
        made["shown"] = list(fair_dice.fair_dice(asked, made["links"]))
        return {**state, "made": [made]}

    german = apart.clients["german"]
    fooled = 0
    try:
        DiceClient("german", lying, german.notes).answer()
        fooled += lying("dice?since=1", None)["made"] != honest("dice?since=1", None)["made"]
    except Cheated:
        pass
    assert not fooled


def test_a_client_keeps_what_it_has_withdrawn_and_never_reveals_it_again(apart: Apart) -> None:
    """The other side has lost its secret; this one begins the roll anew, as its owner asks it."""
    german = apart.clients["german"]
    german.answer()
    first = german.notes.chain
    german.begin()
    assert german.notes.reveals == {}
    assert [(note.roll, note.anchor) for note in german.notes.withdrawn] == [(1, first)]
    honest = asking(apart.web, apart.id)

    def lying(path: str, body: Mapping[str, object] | None) -> Json:
        return tells(honest(path, body), "german", anchor=first)

    with pytest.raises(Cheated, match="does not count any more"):
        DiceClient("german", lying, german.notes).answer()
    apart.roll()
    assert german.notes.reveals[1].anchor == german.notes.chain != first
    chains = {chain["anchor"]: chain.get("withdrawn") for chain in apart.file()["proof"]["chains"]}
    assert chains[first]
    assert not chains[german.notes.chain]


def test_a_chain_that_the_server_takes_later_withdraws_no_reveal(apart: Apart) -> None:
    """The server refuses a chain, and takes it when it does not like the roll."""
    german = apart.clients["german"]
    honest = asking(apart.web, apart.id)

    def refusing(_path: str, _body: Mapping[str, object] | None) -> Json:
        return honest("dice", None)

    DiceClient("german", refusing, german.notes).begin()
    late = [*german.notes.chains][-1]
    german.answer()

    def lying(path: str, body: Mapping[str, object] | None) -> Json:
        return tells(honest(path, body), "german", anchor=late)

    with pytest.raises(Cheated, match="does not count any more"):
        DiceClient("german", lying, german.notes).answer()
    assert (german.notes.withdrawn, list(german.notes.reveals)) == ([], [1])


def test_pages_learn_of_anchors_and_reveals_by_events(web: Client, file: Path) -> None:
    apart = Apart(web, begun(web))
    web.get(apart.path)  # as the German side: that its seat is held now is news too
    with Store(file) as store:
        before = store.get(apart.id)
    with web.stream("GET", f"{apart.path}/events") as events:
        told = events.iter_lines()
        assert next(told) == "event: version"
        apart.clients["german"].begin()
        assert "event: news" in told
    with Store(file) as store:
        after = store.get(apart.id)
    assert (after.version, after.news) == (before.version, before.news + 1)


def test_a_program_speaks_http_with_the_standard_library(web: Client) -> None:
    apart = Apart(web, begun(web))
    apart.to_roll()
    address = f"{str(web.base_url).rstrip('/')}{apart.path}"
    apart.clients = {
        side: DiceClient(side, over_http(address, {"authorization": f"Bearer {secret}"}))
        for side, secret in apart.secrets.items()
        if side in apart.sides
    }
    apart.roll()
    assert apart.state()["roll"] == 2


def test_the_story_says_where_dice_come_from(apart: Apart) -> None:
    apart.roll()
    told = apart.web.get(f"{apart.path}/story").json()["tallies"]
    assert [(one["side"], one["source"], one["dice"]) for one in told] == [
        (None, None, 1),
        ("german", "fair", 1),
    ]
    page = apart.web.get(f"/matches/{apart.id}/story").text
    assert "fair dice" in page
    assert f'href="{apart.path}/file"' in page  # which proves them
    assert page.count("Told when the match is over.") == 2  # luck and decisions
    assert "every answer was the best" not in page
