"""Files that are there as a whole or not at all."""

import errno
import os
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from grognard.words.message import say
from grognard.words.refusal import Refusal

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check(target: Path, endings: Collection[str] = ()) -> None:
    """Refuse a file that can't be written, or whose name has none of the endings.

    A command asks this before it begins a long work.
    """
    if endings and target.suffix.lower() not in endings:
        problem = say("expected a name that ends in {words}", words=", ".join(endings))
        raise Refusal(problem, source=str(target))
    place = target.resolve()
    if place.exists() and not place.is_file():
        raise Refusal(say("can't be written: this is not a file"), source=str(target))
    if not place.parent.is_dir():
        raise Refusal(say("can't be written: there is no such folder"), source=str(target))
    if not os.access(place.parent, os.W_OK):
        raise unwritable(target, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """Give a name beside the target to write to; it takes the target's place when all is done.

    Whatever goes wrong before, the target stays as it was.
    """
    check(target)
    place = target.resolve()
    beside = place.with_name(f".{place.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        yield beside
        beside.replace(place)
    except OSError as error:
        if error.errno not in _NO_ROOM and error.filename not in (str(beside), str(place)):
            raise
        raise unwritable(target, error) from None
    finally:
        beside.unlink(missing_ok=True)


def write(target: Path, data: bytes) -> None:
    """Write a file at once."""
    with whole_file(target) as beside:
        beside.write_bytes(data)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None


def unwritable(target: Path, error: OSError) -> Refusal:
    """Refuse with what the system says."""
    problem = say("can't be written: {problem}", problem=error.strerror or str(error))
    return Refusal(problem, source=str(target))
