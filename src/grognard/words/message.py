"""Messages of the program in the reader's language, from one catalogue."""

from collections.abc import Callable
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from grognard.words.numbers import Counted
from grognard.words.text import Lang, Text

LOCALE = Path(__file__).parent / "locale"


class Message:
    """A sentence with blanks; its English text is the key in the catalogue."""

    __slots__ = ("blanks", "template")

    def __init__(self, template: str, blanks: dict[str, object]) -> None:
        self.template = template
        self.blanks = blanks

    def in_(self, lang: Lang) -> str:
        blanks = {key: _blank(value, lang) for key, value in self.blanks.items()}
        return translated(self.template, lang).format(**blanks)

    def __str__(self) -> str:
        return self.in_("en")


class LateMessage(Message):
    """A message that is made when somebody reads it, because making it takes time."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Message]) -> None:
        self._make = make
        self._made: Message | None = None

    def __reduce__(self) -> tuple[object, ...]:
        return Message, (self._message.template, self._message.blanks)

    @property
    def _message(self) -> Message:
        if self._made is None:
            self._made = self._make()
        return self._made

    def in_(self, lang: Lang) -> str:
        return self._message.in_(lang)


def _blank(value: object, lang: Lang) -> object:
    if isinstance(value, Message | Text):
        return value.in_(lang)
    return Counted(value, lang) if type(value) is int else value


def say(template: str, /, **blanks: object) -> Message:
    """Make a message; calls of this function are extracted for translation."""
    return Message(template, blanks)


def translated(template: str, lang: Lang) -> str:
    """Find a text of the program in the catalogue of the language."""
    return _catalogue(lang).gettext(template)


@cache
def _catalogue(lang: Lang) -> NullTranslations:
    if lang == "en":
        return NullTranslations()
    with (LOCALE / lang / "LC_MESSAGES" / "grognard.mo").open("rb") as file:
        return GNUTranslations(file)
