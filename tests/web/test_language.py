"""In which language a request is answered."""

import httpx
import pytest
from starlette.requests import HTTPConnection

from grognard.web.language import language
from grognard.words.text import Lang


def asked(query: str = "", cookie: str = "", accept: str = "") -> Lang:
    headers = [(b"cookie", cookie.encode()), (b"accept-language", accept.encode())]
    scope = {"type": "http", "query_string": query.encode(), "headers": headers}
    return language(HTTPConnection(scope))


def test_the_address_wins_over_the_cookie_and_the_cookie_over_the_browser() -> None:
    assert asked("lang=fr", "lang=en", "en") == "fr"
    assert asked("", "lang=fr", "en") == "fr"
    assert asked("", "", "fr") == "fr"
    assert asked() == "en"


def test_a_language_that_we_do_not_speak_is_passed_over() -> None:
    assert asked("lang=de", "lang=xx", "fr") == "fr"
    assert asked("", "", "de") == "en"


@pytest.mark.parametrize(
    ("accept", "lang"),
    [
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en"),
        ("de, en;q=0.3, fr; q=0.4", "fr"),
        ("FR", "fr"),
        ("fr;q=0", "en"),
        ("en;q=0.5, fr;q=0.5", "en"),
        ("fr;q=nonsense, en;q=0.1", "en"),
        (",;=,;q=", "en"),
        ("french", "en"),
    ],
)
def test_the_browsers_list_is_read_by_weight(accept: str, lang: Lang) -> None:
    assert asked("", "", accept) == lang


def test_the_address_of_a_game_keeps_its_language(site: httpx.Client) -> None:
    """`/games/bautzen` leads to the first procedure, with all that the address asks for."""
    answer = site.get("/games/bautzen?lang=fr&start=empty", follow_redirects=False)
    assert answer.headers["location"] == "/games/bautzen/attack?lang=fr&start=empty"
    assert site.get("/games/bautzen").headers.get("location") in (None, "/games/bautzen/attack")
    shown = site.get("/games/bautzen?lang=fr", follow_redirects=True)
    assert '<html lang="fr"' in shown.text
