"""The JSON interface against its own description."""

import atexit
import json
import re
import tomllib
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import httpx
import pytest
import schemathesis
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # has no types
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from starlette.routing import Route

from grognard.fights.work_budget import SITUATIONS
from grognard.files.plain_data import DEPTH, NUMBER
from grognard.rules import game
from grognard.web import limits
from grognard.web.app import create
from tests.processes import PATIENCE
from tests.tiers import examples

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*.toml"))

# Whether data that the schema allows is accepted is not looked at: the rules refuse many a fight
# that a schema can't, and say why.
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
    allow_header_conformance,
]


# Tests are made from the description when this file is read, so the application is there by then.
FOLDER = Path(mkdtemp())
atexit.register(rmtree, FOLDER, ignore_errors=True)
APP = create(FOLDER / "matches.sqlite", hosts=["testserver", "localhost"])
# A fight is one of many procedures: going through every corner of their schemas takes minutes, so
# there fights are only drawn at random.
CONFIG = SchemathesisConfig.from_dict(
    {
        "request-timeout": PATIENCE,
        "operations": [
            {
                "include-path-regex": "^/api/(explain|odds|resolve|plan)$",
                "phases": {"coverage": {"enabled": False}},
            }
        ],
    }
)
schema = schemathesis.openapi.from_asgi("/api/openapi.json", APP, config=CONFIG)


@pytest.fixture(scope="module")
def match() -> str:
    """Begin a match, so that there is one to be asked for. Asked for as all the rest is: a second
    server of the same application would close its file under the first one."""
    begin = schema["/api/matches"]["POST"].Case(body={"scenario": "weissenberg"})
    return str(begin.call().json()["id"])


# Server-sent events have no end.
@pytest.mark.slow
@schema.exclude(path_regex="/events$").parametrize()
@examples(10)
def test_every_answer_is_as_described(case: Case[Any], match: str) -> None:
    if "id" in case.path_parameters and case.method != "DELETE":
        case.path_parameters["id"] = match
    case.call_and_validate(checks=CHECKS)


# ------------------------------------------------------------------ the description itself

WHOLE = schema.raw_schema


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", **WHOLE})


def test_every_endpoint_under_api_is_described() -> None:
    answered = {
        (route.path, method)
        for route in APP.routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in route.methods or ()
        if method != "HEAD"
    }
    described = {(path, verb.upper()) for path, verbs in WHOLE["paths"].items() for verb in verbs}
    assert answered == described
    assert ("/api/odds", "POST") in described
    assert ("/api/matches/{id}/answers", "POST") in described
    assert ("/api/openapi.json", "GET") in described


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [verb["operationId"] for verbs in WHOLE["paths"].values() for verb in verbs.values()]
    assert len(names) == len(set(names))


def test_every_part_that_is_referred_to_is_there() -> None:
    named = set(re.findall(r"#/components/schemas/([^\"]+)\"", json.dumps(WHOLE)))
    assert named <= set(WHOLE["components"]["schemas"])
    assert {"Fight", "Record", "RefusalAnswer", "Card"} <= named


def test_what_is_posted_states_every_refusal_of_the_guard() -> None:
    for verbs in WHOLE["paths"].values():
        for verb, operation in verbs.items():
            statuses = set(operation["responses"])
            assert {"421", "422"} <= statuses
            if verb != "get":
                assert {"403", "413", "415"} <= statuses
            assert ("400" in statuses) == ("requestBody" in operation)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_the_examples_are_fights_by_the_schema(example: Path) -> None:
    fight = tomllib.loads(example.read_text(encoding="utf-8"))
    validator("Fight").validate(fight)
    for wrong in (
        {**fight, "game": "chess"},
        {**fight, "surprise": 1},
        {**fight, "options": {"x": "y"}},
    ):
        assert not validator("Fight").is_valid(wrong)


def test_the_schema_states_the_limits() -> None:
    fight = {
        "game": "bautzen",
        "attackers": [{"name": str(n), "attack": 1} for n in range(limits.UNITS)],
        "defenders": [{"name": "D", "defence": 4}],
    }
    assert validator("Fight").is_valid(fight)
    fight["attackers"] = [{"name": str(n), "attack": 1} for n in range(limits.UNITS + 1)]
    assert not validator("Fight").is_valid(fight)
    fight["attackers"] = [{"name": "A", "attack": NUMBER + 1}]
    assert not validator("Fight").is_valid(fight)


@pytest.mark.parametrize("id_", game.ids())
def test_cards_are_as_described(site: httpx.Client, id_: str) -> None:
    card = site.get(f"/api/games/{id_}").json()
    table = site.get(f"/api/games/{id_}", params={"table": card["tables"][0]["id"]}).json()
    validator("Card").validate(card)
    validator("Card.Table").validate(table)
    assert table["read"]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.stem))
def test_what_is_found_about_the_examples_is_as_described(
    site: httpx.Client, example: Path, lang: str
) -> None:
    def posted(path: str, body: object) -> dict[str, object]:
        answer = site.post(f"/api/{path}", params={"lang": lang}, json=body)
        assert answer.status_code == 200, answer.text
        found: dict[str, object] = answer.json()
        return found

    fight = tomllib.loads(example.read_text(encoding="utf-8"))
    validator("ExplainAnswer").validate(posted("explain", fight))
    validator("OddsAnswer").validate(posted("odds", fight))
    validator("ResolveAnswer").validate(posted("resolve", {"fight": fight}))
    played = posted("resolve", {"fight": fight, "auto": True, "seed": 3})
    validator("ResolveAnswer").validate(played)
    assert played["asking"] is None
    validator("ReplayAnswer").validate(posted("replay", played["record"]))


# ------------------------------------------------------------------ the document

DOCUMENT = (Path(__file__).parent.parent.parent / "docs" / "web.md").read_text(encoding="utf-8")


def test_the_document_names_every_endpoint_and_no_other() -> None:
    named = set(re.findall(r"^\| `([A-Z]+) (/api/\S+)` \|", DOCUMENT, re.MULTILINE))
    assert named == {
        (verb.upper(), path) for path, verbs in WHOLE["paths"].items() for verb in verbs
    }


def test_the_document_names_every_status_and_no_other() -> None:
    named = set(re.findall(r"^\| (4\d\d) \|", DOCUMENT, re.MULTILINE))
    described = {
        status
        for verbs in WHOLE["paths"].values()
        for operation in verbs.values()
        for status in operation["responses"]
        if status.startswith("4")
    }
    assert named == described | {"405"}  # of what is not described at all


@pytest.mark.parametrize(
    "limit",
    [limits.BODY, NUMBER, limits.WORD, DEPTH, limits.UNITS, limits.STEPS, SITUATIONS],
)
def test_the_document_states_the_limits(limit: int) -> None:
    assert re.search(rf"\b{limit:,}\b", DOCUMENT)


def test_the_documents_fight_is_resolved_as_shown(site: httpx.Client) -> None:
    posted, asked = (
        json.loads(text) for text in re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    )
    answer = site.post("/api/resolve?lang=en", json=posted).json()
    for option in answer["asking"]["options"]:
        assert "taken" in option.pop("odds")
    assert answer["asking"] == asked


def test_the_documents_odds_are_as_shown(site: httpx.Client) -> None:
    fight, shown = re.findall(r"-d '\n(.*?)'\n(.*?)…", DOCUMENT, re.DOTALL)[0]
    found = site.post("/api/odds?lang=en", json=json.loads(fight))
    assert found.text.startswith(shown)
