"""Options that note which of them the rules look at."""

from collections.abc import Iterator, Mapping, ValuesView


class WatchedOptions(Mapping[str, str]):
    """Choices of options, and which of them were looked at.

    Equal only to itself: what is remembered of fights with other options is not used, so every rule
    that looks at an option does so again.
    """

    def __init__(self, options: Mapping[str, str]) -> None:
        self._options = options
        self.looked_at: set[str] = set()

    def __getitem__(self, option: str) -> str:
        self.looked_at.add(option)
        return self._options[option]

    def __iter__(self) -> Iterator[str]:
        return iter(self._options)

    def __len__(self) -> int:
        return len(self._options)

    def values(self) -> ValuesView[str]:
        """Give all choices unnoticed: a case is hashed by them."""
        return self._options.values()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)
