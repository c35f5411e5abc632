"""A player's key, and what he has seen of each match by mail; both in the user's data folder."""

import hmac
import os
import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from grognard.files import atomic_file
from grognard.words.foreign import foreign
from grognard.words.message import say
from grognard.words.refusal import Refusal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_KEY = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[0-9a-f]{32}")


class Identity:
    """A player's Ed25519 key."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._key: Ed25519PrivateKey = _library().Ed25519PrivateKey.from_private_bytes(secret)
        self.public: str = self._key.public_key().public_bytes_raw().hex()

    def sign(self, text: str) -> str:
        """Sign a text."""
        return self._key.sign(text.encode()).hex()

    def derived(self, *parts: str) -> str:
        """Derive a secret for a purpose, 64 hexadecimal digits; nobody else can."""
        text = "\n".join(("grognard mail", *parts))
        return hmac.new(self._secret, text.encode(), sha256).hexdigest()


def signed_by(public: str, text: str, signature: str) -> bool:
    """Tell whether a signature of a text was made with a key."""
    library = _library()
    try:
        key = library.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), text.encode())
    except (ValueError, library.InvalidSignature):
        return False
    return True


class _library:  # noqa: N801  # stands for a module
    """The library `cryptography`, imported with the first key: it is an extra."""

    def __init__(self) -> None:
        try:
            from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  # an extra
            from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
        except ImportError:
            problem = say("matches by mail need the package cryptography: the extra grognard[mail]")
            raise Refusal(problem) from None
        self.InvalidSignature = InvalidSignature
        self.Ed25519PrivateKey = ed25519.Ed25519PrivateKey
        self.Ed25519PublicKey = ed25519.Ed25519PublicKey


def fingerprint(public: str) -> str:
    """Give a key in a short form to compare by telephone."""
    digits = sha256(bytes.fromhex(public)).hexdigest()[:20]
    return " ".join(digits[place : place + 4] for place in range(0, len(digits), 4))


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has seen of a match: the head of each letter."""

    heads: tuple[str, ...]


class KeyFolder:
    """The folder of a player's key and of what he has seen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def identity(self) -> Identity:
        """Give the player's key; make it if there is none."""
        file = self.folder / "key"
        if not file.exists():
            self._make_key(file)
        text = self._read(file).strip()
        if not _KEY.fullmatch(text):
            raise Refusal(say("this is not a key for matches by mail"), source=str(file))
        return Identity(bytes.fromhex(text))

    def _make_key(self, file: Path) -> None:
        """Write a new key that only its owner can read."""
        atomic_file.make_folder(self.folder)
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as opened:
                opened.write(f"{os.urandom(32).hex()}\n")
        except FileExistsError:  # by another process just now
            return
        except OSError as error:
            raise atomic_file.unwritable(file, error) from None

    def seen(self, id_: str) -> Seen:
        """Give what was seen of a match."""
        file = self._seen_file(id_)
        if not file.exists():
            return Seen(())
        try:
            return msgspec.json.decode(self._read(file), type=Seen)
        except msgspec.DecodeError:
            raise Refusal(say("this can't be read any more"), source=str(file)) from None

    def keep_seen(self, id_: str, seen: Seen) -> None:
        """Note what was seen of a match."""
        file = self._seen_file(id_)
        atomic_file.make_folder(file.parent)
        atomic_file.write(file, msgspec.json.encode(seen))

    def _seen_file(self, id_: str) -> Path:
        if not _ID.fullmatch(id_):
            raise Refusal(say("expected 32 hexadecimal digits"), place="id")
        return self.folder / "seen" / f"{id_}.json"

    def _read(self, file: Path) -> str:
        try:
            return file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            problem = say("can't be read: {problem}", problem=foreign(error))
            raise Refusal(problem, source=str(file)) from None
