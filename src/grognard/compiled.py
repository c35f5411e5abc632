"""A game compiled: for each kind of fight all outcomes with whole weights, worked out once.

Kept in memory, and in a file of the user's cache folder. The file goes by all that its numbers
depend on: card, options, doctrines, version and the rules' own text. One that is damaged, or was
written by another version, is as good as none.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import metadata
from importlib.resources import files
from pathlib import Path

import msgspec

from grognard.card import encode_hook
from grognard.doctrine import Doctrine
from grognard.fight import Fight, Outcome
from grognard.kind import Names, kind_of, names_units
from grognard.odds import found_by_kinds
from grognard.procedure import Game, Procedure
from grognard.tree import Chosen, Committed, Node, Rolled

Weights = Mapping[Outcome, int]


class _Kept(msgspec.Struct, array_like=True):
    """Outcomes and weights as the file has them; weights may be greater than a machine's word."""

    outcomes: list[Outcome]
    weights: list[str]


_KEPT = msgspec.msgpack.Decoder(dict[bytes, _Kept])
CHECK = 32  # bytes of a file's checksum, before all else


class Compiled:
    """What follows from each kind of fight of one procedure, under given options and doctrines."""

    def __init__(
        self,
        game: Game,
        procedure: Procedure,
        options: Mapping[str, str],
        doctrines: tuple[Doctrine, Doctrine],
        folder: Path | None,
    ) -> None:
        self._doctrines = doctrines
        self.path = folder and folder / f"{_digest(game, procedure, options, doctrines)}.compiled"
        self._kept: dict[bytes, _Kept] = _read(self.path)
        self._new = False

    def weights(self, kinds: Node) -> Weights:
        """Give all outcomes of a fight that comes to fights whose kinds are known."""
        if not isinstance(kinds, Fight):
            return self._look_up(kinds)
        fight, names = kind_of(kinds)
        weights = self._look_up(fight)
        if not any(map(names_units, weights)):
            return weights
        named = Names(names)
        return {named.outcome(outcome): weight for outcome, weight in weights.items()}

    def _look_up(self, kinds: Node) -> Weights:
        key = _key(kinds)
        if (kept := self._kept.get(key)) is not None:
            return dict(zip(kept.outcomes, map(int, kept.weights), strict=True))
        weights = found_by_kinds(kinds, *self._doctrines).weights
        self._kept[key] = _Kept(list(weights), list(map(str, weights.values())))
        self._new = True
        return weights

    def keep(self) -> None:
        """Write what is new, beside what others wrote meanwhile; where that can't be, leave it."""
        if self.path is None or not self._new:
            return
        self._kept = {**_read(self.path), **self._kept}
        body = msgspec.msgpack.encode(self._kept)
        if _written(self.path, sha256(body).digest() + body):
            self._new = False


def _read(path: Path | None) -> dict[bytes, _Kept]:
    try:
        raw = path.read_bytes() if path else b""
    except OSError:  # not there, or not ours to read
        return {}
    check, body = raw[:CHECK], raw[CHECK:]
    return _KEPT.decode(body) if sha256(body).digest() == check else {}


def _written(path: Path, raw: bytes) -> bool:
    """Put a file into its place as a whole; tell whether that could be done."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(raw)
        beside.replace(path)
    except OSError:  # a full or read-only disk costs time at the next start, not results
        with suppress(OSError):
            beside.unlink()
        return False
    return True


# ------------------------------------------------------------------ keys


def _key(node: Node) -> bytes:
    """Write down all that the weights of a node depend on."""
    return _encoder().encode(_plainly(node))


def _plainly(node: Node) -> object:
    match node:
        case Rolled():
            return ["rolled", node.weights, [_plainly(child) for child in node.children]]
        case Chosen():
            return ["chosen", node.ask.side, [_plainly(child) for child in node.children]]
        case Committed():
            return ["committed", [[_plainly(child) for child in line] for line in node.children]]
    return _fight_plainly(node)


def _fight_plainly(fight: Fight) -> list[object]:
    fields = [name for name in fight.__struct_fields__ if name != "case"]
    return [fight.case.setup, *(getattr(fight, name) for name in fields)]


@cache
def _encoder() -> msgspec.msgpack.Encoder:
    return msgspec.msgpack.Encoder(enc_hook=encode_hook, order="deterministic")


def _digest(
    game: Game,
    procedure: Procedure,
    options: Mapping[str, str],
    doctrines: tuple[Doctrine, Doctrine],
) -> str:
    """Name the file by all that its numbers depend on."""
    stated = [procedure.id, dict(options), doctrines, metadata.version("grognard")]
    parts = [
        _encoder().encode(game.card),
        _encoder().encode(stated),
        rules_digest(procedure.start.__module__),
    ]
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()[:32]


@cache
def rules_digest(module: str) -> bytes:
    """Digest the text of a game's rules and of the engine: another text may mean other odds."""
    package = module.rpartition(".")[0] or module
    texts = (*_texts("grognard"), *_texts(package))
    return sha256(b"".join(sha256(text).digest() for text in texts)).digest()


def _texts(package: str) -> Iterable[bytes]:
    found = [file for file in files(package).iterdir() if file.name.endswith(".py")]
    return (file.read_bytes() for file in sorted(found, key=lambda file: file.name))
