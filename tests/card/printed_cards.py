"""Names and options of the printed cards, as several tests look them up."""

import unicodedata

from grognard.card.card import Card, Option


def plain_of(words: str) -> str:
    """Take accents and capitals away."""
    parts = unicodedata.normalize("NFD", words.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def option_of(card: Card, id_: str) -> Option:
    return next(option for option in card.options if option.id == id_)
