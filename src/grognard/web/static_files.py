"""Static files, under a path that holds a digest of all of them.

Scripts import each other by relative names, so all files of a page come from one such path and are
of one version. A browser may keep them for ever: with another version the path is another one.
"""

import os
import re
from functools import cache
from hashlib import blake2b
from os import stat_result
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
FOR_EVER = "public, max-age=31536000, immutable"
CHECKED = "no-cache"  # browsers check their copies

_DIGEST = re.compile("[0-9a-f]{16}")


@cache
def digest() -> str:
    """Give the digest of the names and contents of all static files."""
    made = blake2b(digest_size=8)
    for file in sorted(STATIC.rglob("*")):
        if file.is_file():
            made.update(file.relative_to(STATIC).as_posix().encode() + b"\0")
            made.update(blake2b(file.read_bytes()).digest())
    return made.hexdigest()


def static(name: str) -> str:
    """Give the address of a static file; it changes when any of them does."""
    return f"/static/{digest()}/{name}"


class VersionedFiles(StaticFiles):
    """Serves the files with the digest in their path, and without it."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    def get_path(self, scope: Scope) -> str:
        path = super().get_path(scope)
        # An open page may still name the version before.
        first, _, rest = path.partition(os.sep)
        scope["versioned"] = first == digest()
        return rest if _DIGEST.fullmatch(first) else path

    def file_response(
        self, full_path: PathLike, stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = FOR_EVER if scope["versioned"] else CHECKED
        return response
