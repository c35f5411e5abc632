"""Append-only cache file with checksums.

A record is appended in one write, so several processes may share the file. A damaged record, and
all records after it, count as missing, and the file is then rewritten. A disk that is full or
read-only costs time, never a result.
"""

from hashlib import blake2b
from pathlib import Path

import msgspec

from grognard.files import atomic_file
from grognard.words.refusal import Refusal

Entries = dict[bytes, bytes]
LENGTH, CHECK = 4, 16  # bytes before the body of a record: its length, its checksum
MOST_FILES = 256  # in a folder; the oldest are deleted first
_ENTRIES = msgspec.msgpack.Decoder(Entries)


class CacheFile:
    """Entries of the file when it was opened, and those added since."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.entries, self._intact = _read(path)
        self._new: Entries = {}

    def add(self, key: bytes, value: bytes) -> None:
        self.entries[key] = self._new[key] = value

    def save(self) -> None:
        """Append the new entries; if the file is damaged, rewrite it with all entries."""
        if not self._new:
            return
        try:
            if self._intact:
                _append(self._path, _record(self._new))
            else:
                atomic_file.write(self._path, _record(self.entries))
        except (OSError, Refusal):  # the entries stay new, for the next attempt
            return
        self._intact, self._new = True, {}


def _record(entries: Entries) -> bytes:
    body = msgspec.msgpack.encode(entries)
    return len(body).to_bytes(LENGTH) + blake2b(body, digest_size=CHECK).digest() + body


def _read(path: Path) -> tuple[Entries, bool]:
    """Read all records up to the first damaged one; tell whether the file is intact."""
    try:
        raw = memoryview(path.read_bytes())
    except FileNotFoundError:
        return {}, True
    except OSError:  # no permission, or not a file
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


def _append(path: Path, record: bytes) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _delete_oldest(path.parent, path.suffix)
    with path.open("ab", buffering=0) as file:
        file.write(record)  # one write, so that records of several processes do not mix


def _delete_oldest(folder: Path, suffix: str) -> None:
    """Make room for one more file; files of other versions are never read again."""
    files = sorted(folder.glob(f"*{suffix}"), key=lambda path: path.stat().st_mtime)
    for path in files[: 1 - MOST_FILES]:
        path.unlink(missing_ok=True)
