"""The games that come with Grognard, one folder each."""

import sys
from types import ModuleType

from grognard.rules.game import ids


class _Games(ModuleType):
    """This package under the name of the public function `grognard.games`, which it hides."""

    def __call__(self) -> tuple[str, ...]:
        """Name the games that are found."""
        return ids()


sys.modules[__name__].__class__ = _Games
