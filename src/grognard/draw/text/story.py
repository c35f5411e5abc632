"""What happened in a match, event by event, in words."""

from fractions import Fraction

from grognard.card.card import Card
from grognard.draw.text.match import verb_text, word_text
from grognard.draw.text.outcome import lost_words, outcome_code, play_words
from grognard.fights.play import Play
from grognard.matches.history import Event, Loss
from grognard.matches.match import Match
from grognard.matches.protocol import END
from grognard.matches.recap import told
from grognard.words.message import say
from grognard.words.numbers import decimal
from grognard.words.text import Lang, colon, semicolon

ARROW = "→"
LUCK = say(
    "What dice and reveals brought, less what was to be expected at that moment; in points of the "
    "doctrine “best”: a step 4, a hex left 3, taken 3 more."
)
COSTLY = say("By the exact odds at that moment, whatever the dice did later.")


def event_text(match: Match, event: Event, lang: Lang) -> str:
    """Say what an event was: a move from hex to hex, another order, or what was told between."""
    card, order = match.field.card, event.order
    if order is None or order == END:
        words = semicolon(lang).join(line.in_(lang) for line in told(match, event))
        return words or (verb_text(card, END[0], lang) if order else "")
    if order[0] == "move" and len(event.shifts) == 1:
        (shift,) = event.shifts
        ends = [event.after.map.number(hex_) for hex_ in shift.path if hex_]
        return f"{shift.unit}{colon(lang)}{f' {ARROW} '.join(ends)}"
    words = ", ".join(word_text(card, word, lang) for word in order[1:])
    return f"{verb_text(card, order[0], lang)} {words}".strip()


def fight_text(play: Play, lang: Lang) -> str:
    """Say how a fight ended; that it is not over, if so."""
    if play.asking is not None:
        return say("not over yet").in_(lang)
    code = outcome_code(play.outcome, play.start.case.card, lang)
    words = play_words(play, lang)
    return f"{words} ({code})" if code else words


def loss_text(loss: Loss, card: Card, lang: Lang) -> str:
    """Say what a counter lost, in what the game counts losses in."""
    if loss.eliminated:
        words = say("eliminated").in_(lang)
    elif loss.steps > 0:
        words = lost_words(loss.steps, card, lang)
    else:
        words = say("{n} regained", n=-loss.steps).in_(lang)
    return f"{loss.unit}{colon(lang)}{words}"


def points_text(points: Fraction, lang: Lang) -> str:
    """Write points with their sign and one decimal."""
    written = decimal(abs(float(points)), 1, lang)
    sign = "+" if points > 0 else "−" if points < 0 else ""
    return f"{sign}{written}"
