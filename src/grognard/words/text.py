"""Texts in the two languages of the program."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

Lang = Literal["en", "fr"]
Wording = Annotated[str, Meta(pattern=r"\S")]
LANGS: tuple[Lang, ...] = get_args(Lang)


class Text(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A text in English and in French; both are required."""

    en: Wording
    fr: Wording

    def in_(self, lang: Lang) -> str:
        return self.fr if lang == "fr" else self.en
