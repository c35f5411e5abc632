"""The page of the JSON interface says what its description says, and its examples are accepted."""

import json
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from grognard.matches.storage.store import Store
from grognard.web.api import fights, matches, plans
from grognard.web.api.endpoint import Endpoint, read_body
from grognard.web.matches.live_matches import Live
from grognard.words.text import LANGS, Lang


@pytest.fixture(scope="module")
def endpoints(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Endpoint]]:
    with Store(tmp_path_factory.mktemp("api") / "matches.sqlite") as store:
        yield [*fights.ENDPOINTS, *plans.ENDPOINTS, *matches.endpoints(Live(store))]


def read(site: httpx.Client, lang: str) -> str:
    answer = site.get("/api", params={"lang": lang})
    assert answer.status_code == 200
    return unescape(answer.text)


@pytest.mark.parametrize("lang", LANGS)
def test_every_address_is_told_of_in_the_readers_language(
    site: httpx.Client, endpoints: list[Endpoint], lang: Lang
) -> None:
    page = read(site, lang)
    for one in endpoints:
        assert f"<code>{one.path}</code>" in page
        assert f"<p>{one.summary.in_(lang)}</p>" in page
        for reason in [*one.query.values(), *one.refuses.values()]:
            assert reason.in_(lang) in page


def test_the_page_tells_of_everything_that_is_described(site: httpx.Client) -> None:
    described = site.get("/api/openapi.json").json()["paths"]
    page = read(site, "en")
    for verbs in described.values():
        for operation in verbs.values():
            assert f'id="{operation["operationId"]}"' in page


def test_a_body_is_told_with_what_must_be_stated(site: httpx.Client) -> None:
    """To begin a match takes a scenario; its name may be left out."""
    page = read(site, "en")
    section = page[page.index('id="post_matches"') :].split("</section>")[0]
    needed, optional = "<code>scenario</code>", "<code>name</code>"
    assert "<abbr" in section[section.index(needed) :].split("</li>")[0]
    assert "<abbr" not in section[section.index(optional) :].split("</li>")[0]


def test_of_fights_only_what_all_procedures_have_is_named(site: httpx.Client) -> None:
    page = read(site, "en")
    takes = page[page.index('id="post_odds"') :].split("<dt>Answers</dt>")[0]
    assert "<code>game</code>" in takes
    assert "<code>attacker_cl</code>" not in takes


def test_every_example_is_read_as_a_body(endpoints: list[Endpoint]) -> None:
    shown = [one for one in endpoints if one.example is not None]
    assert len(shown) > 8
    for one in shown:
        assert read_body(one.body, json.dumps(one.example).encode()) is not None


@pytest.mark.parametrize("path", ["explain", "odds", "resolve", "plan", "matches"])
def test_examples_that_need_nothing_before_are_accepted(
    site: httpx.Client, endpoints: list[Endpoint], path: str
) -> None:
    (one,) = (e for e in endpoints if e.path == f"/api/{path}" and e.method == "POST")
    assert site.post(one.path, json=one.example).status_code == one.status


def test_the_page_is_linked_from_every_foot(site: httpx.Client) -> None:
    for address in ("/", "/matches", "/games/bautzen/attack", "/nowhere"):
        assert 'href="/api"' in site.get(address).text


def test_the_files_of_this_page_are_there(site: httpx.Client) -> None:
    assert (Path(matches.__file__).parents[1] / "static" / "api.css").is_file()
    assert "api.css" in read(site, "en")
