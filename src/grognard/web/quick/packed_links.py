"""Links of format 1: compressed JSON in the letters of base64url; they are only read.

Behind the format stand two letters of the checksum of a preset dictionary, which held the names of
the sheet's fields. `packed_links.json` keeps the dictionaries as they were.
"""

import binascii
import json
import zlib
from base64 import urlsafe_b64decode
from functools import cache
from importlib.resources import files

from grognard.web.limits import LINK

FORMAT = "1"
_RAW = -15  # window bits: deflate without a header


def unpack(game_id: str, procedure: str, link: str) -> bytes:
    """Give the JSON of a link; a ValueError for one that is cut off, damaged or foreign."""
    fingerprint, words = _presets().get(f"{game_id}/{procedure}", ("", ""))
    letters = link.removeprefix(FORMAT + fingerprint)
    if not fingerprint or letters == link:
        raise ValueError("another dictionary")
    try:
        packed = urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        open_ = zlib.decompressobj(wbits=_RAW, zdict=words.encode())
        text = open_.decompress(packed, LINK)
    except (binascii.Error, zlib.error) as problem:
        raise ValueError("not compressed JSON") from problem
    if not open_.eof or open_.unused_data:
        raise ValueError("cut off, or too long")
    return text


@cache
def _presets() -> dict[str, tuple[str, str]]:
    """Give the fingerprint and the words of each dictionary."""
    file = files(__package__) / "packed_links.json"
    read: dict[str, tuple[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return read
