"""Atomic writes: a file is replaced as a whole or not at all, even if the power fails."""

import errno
import os
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal

_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check(target: Path, endings: Collection[str] = ()) -> None:
    """Refuse a file that can't be written, or whose name has none of the endings.

    A command calls this before it starts a long job.
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
    """Give a temporary name beside the target to write to; on success it replaces the target.

    If anything fails before, the target stays as it was.
    """
    check(target)
    place = target.resolve()
    beside = place.with_name(f".{place.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        yield beside
        _sync(beside)  # before the rename: otherwise a crash may leave an empty target
        beside.replace(place)
        if os.name == "posix":  # the rename itself; Windows opens no folder
            _sync(place.parent)
    except OSError as error:
        if error.errno not in _NO_SPACE and error.filename not in (str(beside), str(place)):
            raise
        raise unwritable(target, error) from None
    finally:
        beside.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write(target: Path, data: bytes) -> None:
    """Replace a file with data."""
    with whole_file(target) as beside:
        beside.write_bytes(data)


def make_private(file: Path) -> None:
    """Make an empty file that only its owner can read and write, if there is none."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None


def unwritable(target: Path, error: OSError) -> Refusal:
    """Make a refusal with the system's reason."""
    problem = say("can't be written: {problem}", problem=foreign(error))
    return Refusal(problem, source=str(target))
