"""A field that notes which of its options the rules look at."""

from grognard.matches.field import Field


class _Noted(dict[str, str]):
    """Choices of options, and which of them were looked at one by one."""

    def __init__(self, choices: dict[str, str]) -> None:
        super().__init__(choices)
        self.looked_at: set[str] = set()

    def __getitem__(self, option: str) -> str:
        self.looked_at.add(option)
        return super().__getitem__(option)

    def get(self, option: str, otherwise: str = "") -> str:  # type: ignore[override]  # as used
        self.looked_at.add(option)
        return super().get(option, otherwise)


def watched(field: Field) -> Field:
    """Give the same battle with options that are watched, and nothing worked out yet."""
    noting: type[Field] = type(type(field).__name__, (type(field),), {"choices": _Noted})
    return noting(field.scenario)


def looked_at(field: Field) -> set[str]:
    """Take the options that the rules of a watched field have looked at since the last time."""
    options = field.options
    if not isinstance(options, _Noted):
        return set()
    found, options.looked_at = options.looked_at, set()
    return found
