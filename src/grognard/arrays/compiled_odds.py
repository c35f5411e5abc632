"""Compiled odds: all outcomes of each kind of fight with integer weights, computed once.

They are kept in memory and in a file of the user's cache folder. The name of the file is a digest
of everything that the weights depend on: card, options, doctrines, version and the text of the
rules.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module, metadata
from pathlib import Path

import msgspec

from grognard.card.card import encode_hook
from grognard.fights.doctrine import Doctrine
from grognard.fights.kind import Names, kind_of, names_units
from grognard.fights.odds import found_by_kinds
from grognard.fights.tree import Chosen, Committed, Node, Rolled
from grognard.files.cache_file import CacheFile
from grognard.rules.fight import Fight, Outcome
from grognard.rules.procedure import Game, Procedure, rule_of

Weights = Mapping[Outcome, int]

# Packages that the odds of every game may depend on: all that a game's rules may import.
ENGINE = ("words", "files", "card", "rules", "fights", "arrays")


class _StoredWeights(msgspec.Struct, array_like=True):
    """Outcomes and weights as in the file; weights may exceed 64 bits, so they are text."""

    outcomes: list[Outcome]
    weights: list[str]


_DECODER = msgspec.msgpack.Decoder(_StoredWeights)
_ENCODER = msgspec.msgpack.Encoder(enc_hook=encode_hook, order="deterministic")


class CompiledOdds:
    """The outcomes of each kind of fight of one procedure, under given options and doctrines."""

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
        self._file = CacheFile(folder / f"{name}.compiled") if folder and name else None
        self._known: dict[bytes, Weights] = {}

    def weights(self, kinds: Node) -> Weights:
        """Give all outcomes, with their weights, that follow from a tree of kinds."""
        if not isinstance(kinds, Fight):
            return self._look_up(kinds)
        fight, names, _ = kind_of(kinds)
        weights = self._look_up(fight)
        if not any(map(names_units, weights)):
            return weights
        named = Names(names)
        return {named.outcome(outcome): weight for outcome, weight in weights.items()}

    def _look_up(self, kinds: Node) -> Weights:
        key = _ENCODER.encode(_plain(kinds))
        if (weights := self._known.get(key)) is None:
            weights = self._known[key] = self._stored(key) or self._computed(key, kinds)
        return weights

    def _stored(self, key: bytes) -> Weights | None:
        if self._file is None or (raw := self._file.entries.get(key)) is None:
            return None
        stored = _DECODER.decode(raw)
        return dict(zip(stored.outcomes, map(int, stored.weights), strict=True))

    def _computed(self, key: bytes, kinds: Node) -> Weights:
        weights = found_by_kinds(kinds, *self._doctrines).weights
        if self._file is not None:
            stored = _StoredWeights(list(weights), list(map(str, weights.values())))
            self._file.add(key, msgspec.msgpack.encode(stored))
        return weights

    def save(self) -> None:
        if self._file is not None:
            self._file.save()


def _plain(node: Node) -> object:
    """Give everything that the weights of a node depend on."""
    match node:
        case Rolled():
            return ["rolled", node.weights, [_plain(child) for child in node.children]]
        case Chosen():
            return ["chosen", node.ask.side, [_plain(child) for child in node.children]]
        case Committed():
            return ["committed", [[_plain(child) for child in line] for line in node.children]]
    fields = [name for name in node.__struct_fields__ if name != "case"]
    return [node.case.setup, *(getattr(node, name) for name in fields)]


def _digest(
    game: Game,
    procedure: Procedure,
    options: Mapping[str, str],
    doctrines: tuple[Doctrine, Doctrine],
) -> str | None:
    """Digest everything that the odds depend on; None if the text of a rule is not in a file."""
    steps = map(rule_of, procedure.steps)
    rules = (procedure.start, *steps, procedure.outcome)
    packages = {f"grognard.{name}" for name in ENGINE} | {package_of(r.__module__) for r in rules}
    names = [f"{rule.__module__}.{rule.__qualname__}" for rule in rules]
    stated = [procedure.id, dict(options), doctrines, names, metadata.version("grognard")]
    parts = [_ENCODER.encode(game.card), _ENCODER.encode(stated)]
    for package in sorted(packages):
        if (text := text_digest(package)) is None:
            return None
        parts.append(text)
    return sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()[:32]


def package_of(module: str) -> str:
    """Name the package that holds a rule: a game, a package of the engine, or an author's own."""
    names = module.split(".")
    depth = 1 if names[0] != "grognard" else 3 if names[1:2] == ["games"] else 2
    return ".".join(names[:depth])


@cache
def text_digest(package: str) -> bytes | None:
    """Digest the text of all modules of a package, or of a single module and those beside it."""
    module = import_module(package)
    file = getattr(module, "__file__", None)
    if file is None:  # typed into an interpreter
        return None
    folder = Path(file).parent
    pattern = "**/*.py" if hasattr(module, "__path__") else "*.py"
    texts = [path.read_bytes() for path in sorted(folder.glob(pattern))]
    return sha256(b"".join(sha256(text).digest() for text in texts)).digest()
