"""A game compiled: for each kind of fight all outcomes with whole weights, worked out once.

Kept in memory, and in a file of the user's cache folder. The file goes by all that its numbers
depend on: card, options, doctrines, version and the rules' own text.
"""

import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import msgspec

from grognard.card.card import encode_hook
from grognard.fights.doctrine import Doctrine
from grognard.fights.kind import Names, kind_of, names_units
from grognard.fights.odds import found_by_kinds
from grognard.fights.tree import Chosen, Committed, Node, Rolled
from grognard.files.cache_file import KeptFile
from grognard.rules.fight import Fight, Outcome
from grognard.rules.procedure import Game, Procedure, Trim

Weights = Mapping[Outcome, int]

# The packages whose code decides what the odds of any game are.
_ENGINE = [Path(__file__).parents[1] / name for name in ("card", "rules", "fights", "arrays")]


class _Kept(msgspec.Struct, array_like=True):
    """Outcomes and weights as the file has them; weights may be greater than a machine's word."""

    outcomes: list[Outcome]
    weights: list[str]


_KEPT = msgspec.msgpack.Decoder(_Kept)


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
        name = folder and _digest(game, procedure, options, doctrines)
        self._file = KeptFile(folder / f"{name}.compiled") if folder and name else None
        self._known: dict[bytes, Weights] = {}

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
        if (weights := self._known.get(key)) is None:
            weights = self._known[key] = self._kept(key) or self._found(key, kinds)
        return weights

    def _kept(self, key: bytes) -> Weights | None:
        if self._file is None or (raw := self._file.entries.get(key)) is None:
            return None
        kept = _KEPT.decode(raw)
        return dict(zip(kept.outcomes, map(int, kept.weights), strict=True))

    def _found(self, key: bytes, kinds: Node) -> Weights:
        weights = found_by_kinds(kinds, *self._doctrines).weights
        if self._file is not None:
            kept = _Kept(list(weights), list(map(str, weights.values())))
            self._file.add(key, msgspec.msgpack.encode(kept))
        return weights

    def keep(self) -> None:
        """Write what is new."""
        if self._file is not None:
            self._file.keep()


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
) -> str | None:
    """Name the file by all that its numbers depend on; None where that can't be known."""
    steps = (step.of if isinstance(step, Trim) else step for step in procedure.steps)
    rules = (procedure.start, *steps, procedure.outcome)
    found = [folder_of(rule.__module__) for rule in rules]
    folders = {*_ENGINE, *(folder for folder in found if folder)}
    if None in found:
        return None
    names = [f"{rule.__module__}.{rule.__qualname__}" for rule in rules]
    stated = [procedure.id, dict(options), doctrines, names, metadata.version("grognard")]
    parts = [_encoder().encode(game.card), _encoder().encode(stated)]
    texts = [text_digest(folder) for folder in sorted(folders)]
    return sha256(b"".join(sha256(part).digest() for part in (*parts, *texts))).hexdigest()[:32]


def folder_of(module: str) -> Path | None:
    """Find the folder of a module's text; what was typed in has none."""
    file = getattr(sys.modules[module], "__file__", None)
    return Path(file).parent if file else None


@cache
def text_digest(folder: Path) -> bytes:
    """Digest the text of all modules below a folder: other rules may mean other odds."""
    texts = [path.read_bytes() for path in sorted(folder.rglob("*.py"))]
    return sha256(b"".join(sha256(text).digest() for text in texts)).digest()
