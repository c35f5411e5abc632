"""Links: the stated fight and its answers as a short word in an address.

A link holds its format, two letters that check the rest, and the state in a short notation that
needs no compression and does not depend on the card. Values that are defaults are left out.
"""

import zlib
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec.structs import replace
from starlette.requests import Request

from grognard.study import player_sheet
from grognard.study.player_sheet import Control
from grognard.web.api.endpoint import read_body
from grognard.web.limits import LINK
from grognard.web.quick import link_notation, packed_links
from grognard.web.quick.shown_units import StatedJson
from grognard.web.quick.tap import Tap
from grognard.words.message import say
from grognard.words.refusal import Refusal

T = TypeVar("T")
FORMAT = "2"
_CHECKED = 2  # letters


def encode(game_id: str, procedure: str, tap: Tap) -> str:
    """Write the state of a page as a link."""
    known = player_sheet.controls(game_id, procedure)
    kept = replace(tap, fight=_lean(tap.fight, known), open=())
    return sealed(game_id, procedure, msgspec.to_builtins(kept))


def sealed(game_id: str, procedure: str, state: StatedJson) -> str:
    """Write the state of any page of a game as a link."""
    notation = link_notation.write(state)
    return FORMAT + _check(game_id, procedure, notation) + notation


def decode(game_id: str, procedure: str, link: str) -> Tap:
    """Read a link; refuse one that is cut off, foreign or too large."""
    return unsealed(game_id, procedure, link, Tap)


def unsealed(game_id: str, procedure: str, link: str, type_: type[T]) -> T:
    """Read a link into the state of a page."""
    try:
        return _read(_json(game_id, procedure, link), type_)
    except (ValueError, LookupError):
        problem = say("this link is cut off, damaged or of another game; copy the whole of it")
        raise Refusal(problem) from None


def _json(game_id: str, procedure: str, link: str) -> bytes:
    """Give the JSON in a link of any format."""
    if link.startswith(packed_links.FORMAT):
        return packed_links.unpack(game_id, procedure, link)
    notation = link[len(FORMAT) + _CHECKED :]
    if link != FORMAT + _check(game_id, procedure, notation) + notation:
        raise ValueError("the letters that check the link do not fit")
    return link_notation.read(notation, LINK).encode()


def _check(game_id: str, procedure: str, notation: str) -> str:
    """Give the letters that check a link."""
    digest = zlib.crc32(f"{game_id}/{procedure}/{notation}".encode(errors="replace"))
    return urlsafe_b64encode(digest.to_bytes(4, "big")).decode()[:_CHECKED]


def stated_in(request: Request, game_id: str, procedure: str) -> Tap | None:
    """Read the fight in an address: `f`, a link, or `s`, JSON as older links have it."""
    if (link := request.query_params.get("f")) is not None:
        return decode(game_id, procedure, link)
    if (text := request.query_params.get("s")) is not None:
        return _read(text.encode(), Tap)
    return None


def _read(text: bytes, type_: type[T]) -> T:
    read = read_body(type_, text)
    if not isinstance(read, type_):
        raise TypeError("a tap is read into its type")
    return read


# ------------------------------------------------------------------ leaving defaults out


def _lean(stated: StatedJson, known: Mapping[str, Control], list_: str = "") -> StatedJson:
    """Leave out the values that are the defaults of their fields."""
    found: StatedJson = {}
    for field, value in stated.items():
        if not list_ and isinstance(value, list) and any(isinstance(v, dict) for v in value):
            found[field] = [
                _lean(unit, known, f"{field}.") if isinstance(unit, dict) else unit
                for unit in value
            ]
        elif not _is_default(value, known.get(list_ + field)):
            found[field] = value
    return found


def _is_default(value: object, control: Control | None) -> bool:
    if control is None or control.required:
        return False
    plain = tuple(value) if isinstance(value, list) else value
    return type(plain) is type(control.default) and plain == control.default
