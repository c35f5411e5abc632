"""Games and fights over HTTP: the same answers as the commands', and what is refused."""

import json
import tomllib
from fractions import Fraction
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from grognard.cli.main import main
from grognard.fights.doctrine import DOCTRINES
from grognard.files.plain_data import DEPTH, NUMBER
from grognard.rules import game
from grognard.rules.fight import SETUP_LIMITS
from grognard.web import limits

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*.toml"))
FIGHT = {
    "game": "bautzen",
    "attackers": [{"name": "A", "attack": 8}],
    "defenders": [{"name": "D", "defence": 4}],
}


def command(*words: str) -> object:
    """Give what a command answers in JSON."""
    result = CliRunner().invoke(main, [*words, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def answered(answer: httpx.Response) -> dict[str, object]:
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def refusal(answer: httpx.Response, status: int = 422, place: str = "") -> str:
    assert answer.status_code == status, answer.text
    assert answer.json()["place"] == place
    return str(answer.json()["refusal"])


def stated(example: Path) -> dict[str, object]:
    return tomllib.loads(example.read_text(encoding="utf-8"))


# ------------------------------------------------------------------ as the commands


def test_games_and_cards_are_those_of_the_commands(site: httpx.Client) -> None:
    assert site.get("/api/games").json() == command("games")
    for id_ in game.ids():
        assert site.get(f"/api/games/{id_}").json() == command("card", id_)
        for part in ("modifiers", "options", game.card(id_).tables[0].id):
            shown = site.get(f"/api/games/{id_}", params={"table": part}).json()
            assert shown == command("card", id_, part)


def test_doctrines_are_listed(site: httpx.Client) -> None:
    listed = site.get("/api/doctrines").json()
    assert [doctrine["id"] for doctrine in listed] == list(DOCTRINES)
    assert all(set(doctrine["text"]) == {"en", "fr"} for doctrine in listed)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_explain_and_odds_answer_as_the_commands(
    site: httpx.Client, example: Path, lang: str
) -> None:
    for verb in ("explain", "odds"):
        found = answered(site.post(f"/api/{verb}", params={"lang": lang}, json=stated(example)))
        assert found == command(verb, str(example), "--lang", lang)


def test_odds_by_doctrine(site: httpx.Client) -> None:
    ways = {"attacker": "take", "defender": "hold"}
    found = answered(site.post("/api/odds", params=ways, json=FIGHT))
    assert found["doctrines"] == ways
    outcomes = found["outcomes"]
    assert isinstance(outcomes, list)
    assert sum(Fraction(outcome["p"]) for outcome in outcomes) == 1


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_resolving_alone_answers_as_the_command(
    site: httpx.Client, example: Path, tmp_path: Path
) -> None:
    record = tmp_path / "record.json"
    words = ["resolve", str(example), "--auto", "--seed", "4", "--record", str(record)]
    body = {"fight": stated(example), "auto": True, "seed": 4}
    found = answered(site.post("/api/resolve?lang=en", json=body))
    assert found.pop("dice_left") == []
    kept = found.pop("record")
    assert found == command(*words, "--lang", "en")
    assert kept == json.loads(record.read_text(encoding="utf-8"))
    replayed = answered(site.post("/api/replay?lang=en", json=kept))
    assert replayed == {**found, "record": kept}


# ------------------------------------------------------------------ answer by answer


def test_a_fight_is_resolved_answer_by_answer(site: httpx.Client) -> None:
    answers: list[object] = []
    asked: list[str] = []
    for _ in range(20):
        found = site.post("/api/resolve", json={"fight": FIGHT, "answers": answers}).json()
        if found["asking"] is None:
            break
        asking = found["asking"]
        asked.append(asking["ask"])
        answers.append([5] if asking["ask"] == "roll" else asking["options"][0]["answer"])
        assert found["outcome"] is None
    assert asked[0] == "roll"
    assert "choose" in asked
    assert found["rolls"][0]["dice"] == [5]
    assert found["outcome"]["result"] == found["result"] == "1/1"
    assert [given["answer"] for given in found["record"]["answers"]] == answers


def test_dice_from_the_table_are_used_in_order_and_the_rest_is_given_back(
    site: httpx.Client,
) -> None:
    found = answered(site.post("/api/resolve", json={"fight": FIGHT, "dice": [5, 3, 2]}))
    assert found["dice_left"] == [3, 2]
    assert found["asking"]
    ended = answered(site.post("/api/resolve", json={"fight": FIGHT, "dice": [5, 3], "auto": True}))
    assert ended["rolls"] == found["rolls"]
    assert ended["dice_left"] == [3]
    assert ended["asking"] is None


def test_too_few_dice_are_refused(site: httpx.Client) -> None:
    fight = stated(next(path for path in EXAMPLES if path.stem == "panzer-grenadier"))
    answer = site.post("/api/resolve", json={"fight": fight, "dice": [5]})
    assert "2 dice" in refusal(answer, place="dice")


def test_answers_that_do_not_hold_are_refused_with_their_place(site: httpx.Client) -> None:
    wrong = site.post("/api/resolve", json={"fight": FIGHT, "answers": [[5], "nobody"]})
    assert "nobody" in refusal(wrong, place="answers[1]")
    wrong = site.post("/api/resolve", json={"fight": FIGHT, "answers": [[7]]})
    assert "1 to 6" in refusal(wrong, place="answers[0]")
    wrong = site.post("/api/resolve", json={"fight": FIGHT, "answers": [{"x": 1}]})
    assert refusal(wrong, place="answers[0]")
    over = [[1], *[0] * 9]
    wrong = site.post("/api/resolve", json={"fight": FIGHT, "answers": over})
    assert "over" in str(wrong.json()["refusal"])


def test_a_record_that_was_changed_is_refused_where_it_stops_holding(site: httpx.Client) -> None:
    body = {"fight": FIGHT, "auto": True, "dice": [5]}
    record = site.post("/api/resolve", json=body).json()["record"]
    record["answers"][0]["answer"] = [1]
    answer = site.post("/api/replay", json=record)
    assert answer.status_code == 422
    assert answer.json()["place"].startswith(("answers[", "events"))
    assert "version" in refusal(site.post("/api/replay", json={"record": 9}), place="record")


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    "path", ["/api/games/chess", "/api/games/bautzen?table=nothing", "/api/games/..%2Fbautzen"]
)
def test_a_card_that_is_not_there(site: httpx.Client, path: str) -> None:
    assert site.get(path).status_code == 404


def test_a_game_or_procedure_that_is_not_there(site: httpx.Client) -> None:
    chess = {**FIGHT, "game": "chess"}
    assert "bautzen" in refusal(site.post("/api/odds", json=chess), 404)
    assert "chess" in refusal(site.post("/api/resolve", json={"fight": chess}), 404)
    siege = {**FIGHT, "procedure": "siege"}
    assert "attack" in refusal(site.post("/api/explain", json=siege), 404, "procedure")
    record = site.post("/api/resolve", json={"fight": FIGHT}).json()["record"]
    assert "chess" in refusal(site.post("/api/replay", json={**record, "game": "chess"}), 404)


@pytest.mark.parametrize(
    ("changed", "place", "words"),
    [
        ({"game": 3}, "game", "3"),
        ({"options": {"nothing": "x"}}, "options.nothing", "no option"),
        ({"options": []}, "options", "pairs"),
        ({"attackers": [{"name": "A", "attack": "8"}]}, "attackers[0].attack", "a whole number"),
        ({"attackers": [{"name": "A", "atack": 8}]}, "attackers[0].atack", "attack"),
        ({"terrain": ["moon"]}, "terrain", "moon"),
        ({"attackers": "all"}, "attackers", "a list"),
    ],
    ids=str,
)
def test_a_wrong_fight_is_refused_with_the_place(
    site: httpx.Client, changed: dict[str, object], place: str, words: str
) -> None:
    fight = {**FIGHT, **changed}
    for verb in ("explain", "odds"):
        assert words in refusal(site.post(f"/api/{verb}", json=fight), place=place)
    within = site.post("/api/resolve", json={"fight": fight})
    assert words in refusal(within, place=f"fight.{place}")


def test_an_unknown_doctrine_is_refused(site: httpx.Client) -> None:
    assert "hold" in refusal(site.post("/api/odds?attacker=holt", json=FIGHT))
    assert "hold" in refusal(site.post("/api/resolve", json={"fight": FIGHT, "defender": "holt"}))


@pytest.mark.parametrize("body", [b"", b"{", b'{"game": "\xff"}', b"nan", b'"\\ud800"'])
def test_what_is_not_json_is_refused(site: httpx.Client, body: bytes) -> None:
    for verb in ("explain", "odds", "resolve", "replay"):
        headers = {"content-type": "application/json"}
        answer = site.post(f"/api/{verb}", content=body, headers=headers)
        assert "JSON" in refusal(answer, 400)


@pytest.mark.parametrize("body", [[], None, 1, "fight", {"surprise": 1}])
def test_json_that_is_no_fight_is_refused(site: httpx.Client, body: object) -> None:
    for verb in ("explain", "odds", "resolve", "replay"):
        content = json.dumps(body)
        headers = {"content-type": "application/json"}
        answer = site.post(f"/api/{verb}", content=content, headers=headers)
        assert answer.status_code == 422
        assert answer.json()["refusal"]


# ------------------------------------------------------------------ limits


def test_numbers_beyond_the_limit_are_refused(site: httpx.Client) -> None:
    for number in (NUMBER + 1, -NUMBER - 1, 10**400):
        fight = {**FIGHT, "attackers": [{"name": "A", "attack": number}]}
        answer = site.post("/api/odds", json=fight)
        assert "too large" in refusal(answer, place="attackers[0].attack")
    largest = {**FIGHT, "attackers": [{"name": "A", "attack": SETUP_LIMITS.number}]}
    answered(site.post("/api/odds", json=largest))
    seed = site.post("/api/resolve", json={"fight": FIGHT, "auto": True, "seed": 10**100})
    assert "too large" in refusal(seed, place="seed")


def test_texts_and_keys_beyond_the_limit_are_refused(site: httpx.Client) -> None:
    long = "x" * (limits.WORD + 1)
    named = {**FIGHT, "attackers": [{"name": long, "attack": 1}]}
    assert "too long" in refusal(site.post("/api/odds", json=named), place="attackers[0].name")
    assert "too long" in refusal(site.post("/api/odds", json={long: 1}))
    named = {**FIGHT, "attackers": [{"name": "x" * limits.WORD, "attack": 1}]}
    answered(site.post("/api/odds", json=named))


@pytest.mark.parametrize("depth", [DEPTH + 1, 900, 100_000])
def test_deep_nesting_is_refused(site: httpx.Client, depth: int) -> None:
    body = '{"game": ' + "[" * depth + "]" * depth + "}"
    headers = {"content-type": "application/json"}
    answer = site.post("/api/explain", content=body, headers=headers)
    assert answer.status_code == 422
    assert "deeply" in answer.json()["refusal"]


def test_more_units_than_a_side_may_have_are_refused(site: httpx.Client) -> None:
    units = [{"name": str(n), "attack": 1} for n in range(limits.UNITS + 1)]
    many = {**FIGHT, "attackers": units}
    assert str(limits.UNITS) in refusal(site.post("/api/odds", json=many), place="attackers")
    answered(site.post("/api/explain", json={**many, "attackers": units[:-1]}))
    record = site.post("/api/resolve", json={"fight": FIGHT}).json()["record"]
    record["fight"]["attackers"] = units
    assert refusal(site.post("/api/replay", json=record), place="fight.attackers")


def test_more_steps_than_a_side_may_have_are_refused(site: httpx.Client) -> None:
    def fight(steps: int) -> dict[str, object]:
        target = {"name": "D", "morale": 7, "steps": steps}
        return {
            "game": "panzer-grenadier",
            "range": 1,
            "attackers": [{"name": "A", "fire": 5}],
            "defenders": [target],
        }

    too_many = site.post("/api/odds", json=fight(limits.STEPS + 1))
    assert "steps" in refusal(too_many, place="defenders")
    answered(site.post("/api/odds", json=fight(limits.STEPS)))


def too_much() -> dict[str, object]:
    """A fight with more situations than are worked out."""
    kinds = ("infantry", "anti-tank", "truck", "wagon", "other", "artillery")
    targets = [
        {"name": str(n), "kind": kinds[n % len(kinds)], "morale": 3 + n % 7, "steps": 1 + n % 3}
        for n in range(limits.UNITS)
    ]
    return {
        "game": "panzer-grenadier",
        "range": 1,
        "adjacent_to_all": True,
        "attackers": [{"name": "A", "fire": 30}],
        "defenders": targets,
    }


@pytest.mark.slow
def test_a_fight_in_which_too_much_can_happen_is_refused_and_not_worked_out(
    site: httpx.Client,
) -> None:
    assert "200000 situations" in refusal(site.post("/api/odds", json=too_much()))
    answered(site.post("/api/explain", json=too_much()))
    answered(site.post("/api/resolve", json={"fight": too_much(), "dice": [6, 6]}))
    answered(site.post("/api/odds", json=FIGHT))


@pytest.mark.soak
def test_doctrines_do_not_decide_where_too_much_can_happen(site: httpx.Client) -> None:
    alone = {"fight": too_much(), "auto": True, "dice": [6, 6], "defender": "spare"}
    assert "200000 situations" in refusal(site.post("/api/resolve", json=alone))
