"""Words about a match: orders, whose turn it is, who won."""

from grognard.card.card import Card
from grognard.matches import orders
from grognard.matches.field import Field
from grognard.matches.protocol import Order, Verdict, Words
from grognard.words.message import Message, say
from grognard.words.text import Lang, Text


def verb_text(card: Card, verb: str, lang: Lang) -> str:
    """Name an order in the reader's language."""
    return card.phrase(f"order-{verb}").in_(lang)


def word_text(card: Card, word: str, lang: Lang) -> str:
    """Name what follows the verb; hexes and units have no other name."""
    return (card.wording(word) or Text(word, word)).in_(lang)


def order_text(card: Card, order: Words, lang: Lang) -> str:
    """Write an order as it is typed, and beside it what its words mean, where they differ."""
    meanings = [text.in_(lang) for word in order[1:] if (text := card.wording(word))]
    said = " ".join([verb_text(card, order[0], lang), *meanings])
    typed = orders.written(order)
    return typed if said == order[0] else f"{typed} ({said})"


def verdict_words(field: Field, verdict: Verdict) -> Message:
    """Say who won."""
    if verdict.winner is None:
        return say("a draw")
    return say("victory: {side}", side=field.player(verdict.winner).name)


def order_heading(field: Field, ask: Order) -> Message:
    """Say whose turn and which phase it is."""
    return say(
        "Turn {turn}, {side}, {phase}",
        turn=ask.turn,
        side=field.player(ask.side).name,
        phase=field.card.phrase(ask.phase),
    )
