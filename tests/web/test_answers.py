"""Every real answer has exactly the keys and types that the description states."""

import copy
import re
import tomllib
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # has no types

from grognard.maps import scenario
from grognard.matches.fair_dice import anchor_of, link_of, new_secret
from grognard.matches.storage.store import Store
from grognard.rules import game
from grognard.web.api import fights, matches, plans
from grognard.web.api.endpoint import Endpoint
from grognard.web.api.openapi import described
from grognard.web.app import create
from grognard.web.matches import match_page
from grognard.web.matches.live_matches import Live
from grognard.web.planner import plan_page
from grognard.web.quick import quick_page
from grognard.words.text import LANGS
from tests.tiers import sized
from tests.web.fair_match import Apart, Seated, begun
from tests.web.serving import served

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*.toml"))
PLANS = sorted(EXAMPLES[0].parent.glob("plans/*.toml"))
QUESTIONS = sized(15, soak=100)  # answered in each match
ADVISED = "carrefour"  # advice takes seconds, and its answers are the same types in every game


def closed(schema: object) -> None:
    """Forbid every key that a schema does not name."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            closed(part)


class Checked:
    """A client that compares every answer with the description."""

    def __init__(self, client: httpx.Client, endpoints: list[Endpoint]) -> None:
        whole = copy.deepcopy(described(endpoints))
        closed(whole["components"])
        self.client = client
        self.components = whole["components"]
        self.operations: dict[tuple[str, str, int], Any] = {}
        self.validators: dict[tuple[str, str, int], Any] = {}
        self.patterns = {
            re.compile(re.sub(r"{\w+}", "[^/]+", one.path)): one.path for one in endpoints
        }
        for path, verbs in whole["paths"].items():
            for verb, operation in verbs.items():
                for status, answer in operation["responses"].items():
                    if schema := answer["content"].get("application/json"):
                        self.operations[path, verb.upper(), int(status)] = schema["schema"]

    def ask(self, method: str, path: str, body: object = None, **query: str) -> Any:  # noqa: ANN401  # JSON
        answer = self.client.request(method, path, params=query, json=body)
        template = next(t for pattern, t in self.patterns.items() if pattern.fullmatch(path))
        place = (template, method, answer.status_code)
        if place not in self.validators:
            whole = {**self.operations[place], "components": self.components}
            self.validators[place] = Draft202012Validator(whole)
        self.validators[place].validate(answer.json())
        return answer.json()

    def good(self) -> set[tuple[str, str, int]]:
        return {place for place in self.operations if place[2] < 300}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    folder = tmp_path_factory.mktemp("answers")
    with Store(folder / "unused.sqlite") as unused:
        live = Live(unused)
        endpoints = [
            *fights.ENDPOINTS,
            *plans.ENDPOINTS,
            *matches.endpoints(live),
            *match_page.endpoints(live),
            *quick_page.ENDPOINTS,
            *plan_page.ENDPOINTS,
        ]
    with served(create(folder / "matches.sqlite")) as client:
        yield Checked(client, endpoints)


@pytest.mark.slow
def test_every_answer_is_described_to_the_last_key(site: Checked) -> None:
    games(site, "fr")
    for example, lang in zip(EXAMPLES, cycle(LANGS), strict=False):
        fight(site, tomllib.loads(example.read_text(encoding="utf-8")), lang)
    for example, lang in zip(PLANS, cycle(LANGS), strict=False):
        stated = tomllib.loads(example.read_text(encoding="utf-8"))
        site.ask("POST", "/api/plan", stated, lang=lang)  # one is of a game that is not there
        site.ask("POST", "/api/plan", {**stated, "units": []}, lang=lang)
        listed = {key: stated[key] for key in ("units", "targets")}
        site.ask("POST", f"/plan/{stated['game']}/attack/tap", listed, lang=lang)
    for name, lang in zip(scenario.ids(), cycle(LANGS), strict=False):
        match(site, name, lang)
    apart(site, "fr")
    assert site.good() - site.validators.keys() == set()
    refused = {status for _, _, status in site.validators if status >= 400}
    assert refused == {404, 409, 422}


def games(site: Checked, lang: str) -> None:
    site.ask("GET", "/api/doctrines", lang=lang)
    site.ask("GET", "/api/scenarios", lang=lang)
    assert len(site.ask("GET", "/api/games", lang=lang)) == len(game.ids())
    for id_ in game.ids():
        card = site.ask("GET", f"/api/games/{id_}", lang=lang)
        for table in (*(table["id"] for table in card["tables"]), "modifiers", "nothing"):
            site.ask("GET", f"/api/games/{id_}", lang=lang, table=table)


def fight(site: Checked, stated: dict[str, Any], lang: str) -> None:
    site.ask("POST", "/api/explain", stated, lang=lang)
    site.ask("POST", "/api/explain", {**stated, "surprise": 1}, lang=lang)
    site.ask("POST", "/api/odds", stated, lang=lang)
    played = site.ask("POST", "/api/resolve", {"fight": stated, "auto": True}, lang=lang)
    site.ask("POST", "/api/replay", played["record"], lang=lang)
    random, answers = Random(3), list[object]()
    while (asking := resolved(site, stated, answers, lang)["asking"]) is not None:
        answers.append(any_answer(asking, random))
    named = {key: stated[key] for key in stated if key not in ("game", "procedure")}
    loaded = game.load(stated["game"])
    procedure = stated.get("procedure", loaded.procedures[0].id)
    for verb in ("tap", "hints"):
        path = f"/games/{stated['game']}/{procedure}/{verb}"
        site.ask("POST", path, {"fight": named}, lang=lang)


def resolved(site: Checked, stated: object, answers: list[object], lang: str) -> Any:  # noqa: ANN401  # JSON
    return site.ask("POST", "/api/resolve", {"fight": stated, "answers": answers}, lang=lang)


def any_answer(asking: dict[str, Any], random: Random) -> object:
    if asking["ask"] == "roll":
        return [random.randint(1, 6) for _ in range(asking["dice"])]
    if asking["ask"] == "choose":
        return random.choice(asking["options"])["answer"]
    return [random.choice(asking["options"][side]) for side in ("attacker", "defender")]


NO_AUTH = httpx.Auth()


def apart(site: Checked, lang: str) -> None:
    """Use all that only a match apart has."""
    played = Apart(site.client, begun(site.client))
    api, page = played.path, f"/matches/{played.id}"
    usual = Seated(played.secrets, played.turn)

    def sits(seat: str) -> None:
        site.client.auth = Seated(played.secrets, lambda: seat)

    for number, under in enumerate((api, page)):
        sits("german")
        now = site.ask("GET", api, lang=lang)
        body = {"version": now["version"], "answer": ["move", "21/20Pz", "1811"]}
        now = site.ask("POST", f"{api}/answers", body, lang=lang)
        now = site.ask("POST", f"{api}/undo", {"version": now["version"]}, lang=lang)
        sits("allied")
        body = {"version": now["version"], "agreed": True}
        now = site.ask("POST", f"{under}/undo/consent", body, lang=lang)
        assert now["version"] == 3 * (number + 1)
    sits("german")
    site.ask("POST", f"{api}/looked", {"answers": 1}, lang=lang)
    site.ask("POST", f"{api}/chat", {"text": "Bonsoir"}, lang=lang)
    assert len(site.ask("GET", f"{api}/chat", lang=lang)["lines"]) == 1
    site.ask("POST", f"{api}/feed", lang=lang)
    site.ask("POST", f"{api}/seats/watch/link", lang=lang)
    site.ask("DELETE", f"{api}/seats/watch", lang=lang)
    site.client.auth = usual
    played.version = site.ask("GET", api, lang=lang)["version"]
    played.to_roll()
    secrets = {side: new_secret() for side in played.sides}
    for side, secret in secrets.items():
        body = {"side": side, "anchor": anchor_of(secret)}
        state = site.ask("POST", f"{api}/dice/anchor", body, lang=lang)
    state = site.ask("GET", f"{api}/dice", lang=lang)
    body = {
        "side": "german",
        "roll": state["roll"],
        "question": state["question"],
        "other": anchor_of(secrets["allied"]),
        "value": link_of(secrets["german"], 0),
    }
    site.ask("POST", f"{api}/dice/reveal", body, lang=lang)
    site.client.auth = NO_AUTH


def match(site: Checked, name: str, lang: str) -> None:
    """Play some questions of a match, once by the interface and once as the page does."""
    random = Random(name)
    begun = site.ask("POST", "/api/matches", {"scenario": name}, lang=lang)
    api, page = f"/api/matches/{begun['id']}", f"/matches/{begun['id']}"
    mark = begun["log"]["mark"]
    for number, under in zip(range(QUESTIONS), cycle((api, page)), strict=False):
        now = site.ask("GET", api, lang=lang, since=mark)
        if now["asking"] is None:
            break
        act(site, under, now, random, lang)
        mark = now["log"]["mark"]
        if number == 1 and name == ADVISED:
            for where in (f"{api}/advice", f"{api}/dangers", f"{page}/advice", f"{page}/dangers"):
                site.ask("GET", where, lang=lang)
            shown = site.ask("GET", f"{page}/advice", lang=lang)
            followed = {key: shown.get(key, []) for key in ("orders", "time")}
            site.ask("POST", f"{page}/advice", followed, lang=lang)
        if number % 7 in (2, 3):
            fresh = site.ask("GET", f"{page}/parts", lang=lang, since=mark)["version"]
            site.ask("POST", f"{under}/undo", {"version": fresh}, lang=lang)
    site.ask("POST", f"{api}/answers", {"version": 0, "answer": ["end"]}, lang=lang)
    for under in (api, page):
        site.ask("PATCH", under, {"name": "Tuesday"}, lang=lang)
    for part in (
        f"{api}/briefing",
        f"{api}/recap",
        f"{api}/story",
        f"{api}/position",
        f"{page}/recap",
        f"{page}/frames",
    ):
        site.ask("GET", part, lang=lang)
    site.ask("GET", "/api/matches", lang=lang)
    file = site.ask("GET", f"{api}/file", lang=lang)
    site.ask("POST", "/api/matches/import", {"match": file}, lang=lang)
    site.ask("DELETE", api, lang=lang)
    site.ask("GET", api, lang=lang)


def act(site: Checked, under: str, now: dict[str, Any], random: Random, lang: str) -> None:
    """Answer what is asked; an order that is not legal after all is refused, and the phase ends."""
    asking, version = now["asking"], now["version"]
    match asking["ask"]:
        case "order":
            answer: object = order(site, under, asking["orders"], random, lang)
        case "roll":
            site.ask("POST", f"{under}/roll", {"version": version}, lang=lang)
            return
        case "commit":
            first = "/api" + under.removeprefix("/api")
            for side in asking["sides"]:
                if len(side["options"]) > 1:
                    option = random.choice(side["options"])["answer"]
                    body = {"version": version, "side": side["id"], "option": option}
                    site.ask("POST", f"{first}/commit", body, lang=lang)
                    first = first.removeprefix("/api")
            return
        case _:
            answer = any_answer(asking, random)
    body = {"version": version, "answer": answer}
    if "refusal" in site.ask("POST", f"{under}/answers", body, lang=lang):
        end = {"version": version, "answer": ["end"]}
        site.ask("POST", f"{under}/answers", end, lang=lang)


def order(
    site: Checked, under: str, orders: list[dict[str, Any]], random: Random, lang: str
) -> list[str]:
    chosen = random.choice(orders)
    if "pairs" in chosen:
        first, others = random.choice([*chosen["pairs"].items()])
        units = random.sample(others, min(len(others), 3))
        if under.startswith("/api"):
            look: dict[str, object] = {"target": first, "units": units, "verb": chosen["verb"]}
        else:
            look = {"order": [chosen["verb"], first, *units]}
        site.ask("POST", f"{under}/look", look, lang=lang)
        return [chosen["verb"], first, *units]
    if chosen.get("units"):
        unit = random.choice(chosen["units"])
        site.ask("GET", f"{under}/unit", lang=lang, name=unit)
        api = "/api" + under.removeprefix("/api")
        own = under.removeprefix("/api")
        site.ask("POST", f"{own}/try", {"order": [chosen["verb"], unit, "1910"]}, lang=lang)
        reach = site.ask("GET", f"{api}/unit", lang=lang, name=unit)["reach"]
        return [
            chosen["verb"],
            unit,
            *[way["hex"] for way in random.sample(reach, min(1, len(reach)))],
        ]
    return [chosen["verb"]]
