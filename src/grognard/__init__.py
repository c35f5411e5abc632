"""The combat rules of hex-and-counter wargames, run from their printed cards.

>>> import grognard
>>> grognard.load("bautzen").card.name.fr
'Bautzen 1945'
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grognard.rules.game import ids as games
    from grognard.rules.game import load
    from grognard.words.refusal import Refusal

__all__ = ["Refusal", "games", "load"]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import grognard` costs nothing."""
    match name:
        case "load":
            from grognard.rules.game import load as found  # noqa: PLC0415  # lazily

            return found
        case "games":
            from grognard.rules.game import ids  # noqa: PLC0415  # lazily

            return ids
        case "Refusal":
            from grognard.words.refusal import Refusal as Found  # noqa: PLC0415  # lazily

            return Found
    raise AttributeError(f"module 'grognard' has no attribute {name!r}")
