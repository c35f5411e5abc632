"""Words for questions and for the options of an answer."""

from grognard.card.card import Card
from grognard.rules.ask import Answer, Ask, Choose, Commit
from grognard.words.text import Lang, Text


def question(card: Card, ask: Ask, lang: Lang) -> str:
    """Put a question into words."""
    blanks = {} if isinstance(ask, Commit) else dict(ask.blanks)
    words = {k: v.in_(lang) if isinstance(v, Text) else v for k, v in blanks.items()}
    return card.phrase(ask.what).in_(lang).format(**words)


def named(card: Card, ask: Choose | Commit, option: Answer, lang: Lang) -> str:
    """Put an option into words: the card's phrase, or its names and numbers."""
    phrase = card.phrases.get(f"{ask.what}.{option}")
    if phrase is not None:
        return phrase.in_(lang)
    if isinstance(option, tuple):
        return " + ".join(named(card, ask, part, lang) for part in option) or "–"
    return str(option)
