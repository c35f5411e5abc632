"""A file of things by key, which can be made anew at any time: records appended, each checked.

A record that is damaged, and all after it, is as good as not there; the file is then written
anew. A disk that is full or can't be written costs time, never a result.
"""

from hashlib import blake2b
from pathlib import Path

import msgspec

from grognard.files import atomic_file
from grognard.words.refusal import Refusal

Entries = dict[bytes, bytes]
LENGTH, CHECK = 4, 16  # bytes before the body of a record
MOST_FILES = 256  # in a folder; the oldest go first
_ENTRIES = msgspec.msgpack.Decoder(Entries)


class KeptFile:
    """Entries that were there when it was opened, and those that are added."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.entries, self._sound = _read(path)
        self._new: Entries = {}

    def add(self, key: bytes, value: bytes) -> None:
        self.entries[key] = self._new[key] = value

    def keep(self) -> None:
        """Write what is new; all of it, where the file was damaged."""
        if not self._new:
            return
        if self._sound:
            done = _appended(self._path, _record(self._new))
        else:
            done = _replaced(self._path, _record(self.entries))
        if done:
            self._sound, self._new = True, {}


def _record(entries: Entries) -> bytes:
    body = msgspec.msgpack.encode(entries)
    return len(body).to_bytes(LENGTH) + blake2b(body, digest_size=CHECK).digest() + body


def _read(path: Path) -> tuple[Entries, bool]:
    """Read the sound records, and tell whether all are."""
    try:
        raw = memoryview(path.read_bytes())
    except FileNotFoundError:
        return {}, True
    except OSError:  # not ours to read, or no file at all
        return {}, False
    found: Entries = {}
    while raw:
        end = LENGTH + CHECK + int.from_bytes(raw[:LENGTH])
        check, body = raw[LENGTH : LENGTH + CHECK], raw[LENGTH + CHECK : end]
        if len(raw) < end or blake2b(body, digest_size=CHECK).digest() != check:
            return found, False
        try:
            found |= _ENTRIES.decode(body)
        except msgspec.MsgspecError:
            return found, False
        raw = raw[end:]
    return found, True


def _appended(path: Path, record: bytes) -> bool:
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            _tidy(path.parent, path.suffix)
        with path.open("ab", buffering=0) as file:
            file.write(record)  # in one piece, beside what others append
    except OSError:
        return False
    return True


def _replaced(path: Path, record: bytes) -> bool:
    try:
        atomic_file.write(path, record)
    except (Refusal, OSError):
        return False
    return True


def _tidy(folder: Path, suffix: str) -> None:
    """Take the oldest files away; those of other versions are never asked for again."""
    files = sorted(folder.glob(f"*{suffix}"), key=lambda path: path.stat().st_mtime)
    for path in files[: 1 - MOST_FILES]:  # and room for one more
        path.unlink(missing_ok=True)
