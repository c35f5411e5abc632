"""The combat rules of hex-and-counter wargames, run from their printed cards.

>>> import grognard
>>> grognard.load("bautzen").card.name.fr
'Bautzen 1945'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grognard.rules.game import ids as games
    from grognard.rules.game import load
    from grognard.words.refusal import Refusal

__all__ = ["Refusal", "games", "load"]
_PLACES = {
    "Refusal": ("grognard.words.refusal", "Refusal"),
    "games": ("grognard.rules.game", "ids"),
    "load": ("grognard.rules.game", "load"),
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import grognard` costs nothing."""
    if name not in _PLACES:
        raise AttributeError(f"module 'grognard' has no attribute {name!r}")
    module, found = _PLACES[name]
    return getattr(import_module(module), found)
