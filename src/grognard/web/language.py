"""The language of an answer: from the address, the cookie, or the browser."""

import re

from starlette.requests import HTTPConnection

from grognard.words.text import LANGS, Lang

COOKIE = "lang"
_WANTED = re.compile(r"\s*([a-zA-Z]+)(?:-[a-zA-Z0-9-]+)?\s*(?:;\s*q\s*=\s*([01](?:\.\d*)?)\s*)?")


def language(request: HTTPConnection) -> Lang:
    """Give the language of a request: `?lang=`, the cookie, then the browser's own list."""
    for word in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        for lang in LANGS:
            if word == lang:
                return lang
    return _preferred(request.headers.get("accept-language", ""))


def _preferred(header: str) -> Lang:
    """Read `fr-CH, fr;q=0.9, en;q=0.8`; among equals the first language counts."""
    best: Lang = "en"
    weight = 0.0
    for wanted in map(_WANTED.fullmatch, header.split(",")):
        if wanted is None:
            continue
        wish = float(wanted[2] or 1)
        for lang in LANGS:
            if wanted[1].lower() == lang and wish > weight:
                best, weight = lang, wish
    return best
