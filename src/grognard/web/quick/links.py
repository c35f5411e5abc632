"""Links: the stated fight and its answers as a short word in an address.

A link holds its format, a fingerprint of the preset dictionary, and compressed JSON in the
letters of base64url. The dictionary holds the names of the sheet's fields and words, so that
only unit names and numbers cost room. Values that are defaults are left out.
"""

import binascii
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

import msgspec
from msgspec.structs import replace
from starlette.requests import Request

from grognard.rules import game
from grognard.rules.game_places import GamePlace
from grognard.study import player_sheet
from grognard.study.player_sheet import Control
from grognard.web.api.endpoint import read_body
from grognard.web.limits import LINK
from grognard.web.quick.shown_units import StatedJson
from grognard.web.quick.tap import Tap
from grognard.words.message import say
from grognard.words.refusal import Refusal

FORMAT = "1"
_RAW = -15  # window bits: deflate without a header
_PRINT = 2  # letters of the fingerprint


class _Preset(NamedTuple):
    """The preset dictionary of a sheet, and its fingerprint."""

    words: bytes
    fingerprint: str


def encode(game_id: str, procedure: str, tap: Tap) -> str:
    """Write the state of a page as a link."""
    known = player_sheet.controls(game_id, procedure)
    kept = replace(tap, fight=_lean(tap.fight, known), open=())
    preset = _preset(game.place(game_id), procedure)
    press = zlib.compressobj(9, wbits=_RAW, zdict=preset.words)
    packed = press.compress(msgspec.json.encode(kept)) + press.flush()
    return FORMAT + preset.fingerprint + _letters(packed)


def decode(game_id: str, procedure: str, link: str) -> Tap:
    """Read a link; refuse one that is cut off, foreign or too large."""
    preset = _preset(game.place(game_id), procedure)
    head = FORMAT + preset.fingerprint
    if not link.startswith(head):
        problem = say("this link was made with another version of the card; state the fight again")
        raise Refusal(problem)
    try:
        packed = urlsafe_b64decode(link[len(head) :] + "=" * (-(len(link) - len(head)) % 4))
        open_ = zlib.decompressobj(wbits=_RAW, zdict=preset.words)
        text = open_.decompress(packed, LINK)
    except (binascii.Error, ValueError, zlib.error):
        raise _broken() from None
    if not open_.eof or open_.unused_data:
        raise _broken()
    return _read(text)


def stated_in(request: Request, game_id: str, procedure: str) -> Tap | None:
    """Read the fight in an address: `f`, a link, or `s`, JSON as older links have it."""
    if (link := request.query_params.get("f")) is not None:
        return decode(game_id, procedure, link)
    if (text := request.query_params.get("s")) is not None:
        return _read(text.encode())
    return None


def _read(text: bytes) -> Tap:
    read = read_body(Tap, text)
    if not isinstance(read, Tap):
        raise TypeError("a tap is read into its type")
    return read


def _broken() -> Refusal:
    return Refusal(say("this link is cut off or damaged; copy the whole of it"))


def _letters(packed: bytes) -> str:
    return urlsafe_b64encode(packed).decode().rstrip("=")


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


# ------------------------------------------------------------------ the preset dictionary


@cache
def _preset(place: GamePlace, procedure: str) -> _Preset:
    known = player_sheet.controls(place.id, procedure)
    words = "".join(_parts(known)).encode()
    digest = zlib.crc32(words).to_bytes(4, "big")
    return _Preset(words, _letters(digest)[:_PRINT])


def _parts(known: Mapping[str, Control]) -> Iterator[str]:
    """Give pieces of JSON, those that are used most last: the nearest are the cheapest."""
    yield '","'.join(dict.fromkeys(word for c in known.values() for word, _ in c.values))
    ends = {"flag": "true", "number": "1", "set": '["', "word": '"', "name": '"'}
    for control in known.values():
        if not control.list:
            yield f',"{control.field}":{ends[control.kind]}'
    in_lists = [control for control in known.values() if control.list]
    for control in reversed(in_lists):
        yield f',"{control.field}":{"true" if control.kind == "flag" else ""}'
    for list_ in dict.fromkeys(control.list for control in in_lists):
        first = next(control for control in in_lists if control.list == list_)
        yield f'}}],"{list_}":[{{"{first.field}":"'
    yield '}]},"typed":[0,1,"answers":[[{"fight":{'
