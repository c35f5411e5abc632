"""Texts in the two languages of the program."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from grognard.words.typography import spaced, with_minus

Lang = Literal["en", "fr"]
Wording = Annotated[str, Meta(pattern=r"\S")]
LANGS: tuple[Lang, ...] = get_args(Lang)


class Text(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A text in English and in French; a file may have one of them for both."""

    en: Wording
    fr: Wording

    def __post_init__(self) -> None:
        force_setattr(self, "en", with_minus(self.en))
        force_setattr(self, "fr", spaced(with_minus(self.fr)))

    def in_(self, lang: Lang) -> str:
        return self.fr if lang == "fr" else self.en


def colon(lang: Lang) -> str:
    """Write a colon and a space; French has a space before it too."""
    return _COLON.in_(lang)


def semicolon(lang: Lang) -> str:
    """Write a semicolon and a space; French has a space before it too."""
    return _SEMICOLON.in_(lang)


_COLON, _SEMICOLON = Text(": ", " : "), Text("; ", " ; ")
NO_WORDS = Text("", "")
