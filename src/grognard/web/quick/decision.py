"""A decision as cards: each legal answer with its words and what it leads to."""

from fractions import Fraction
from json import dumps
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.card.wording import MARKS
from grognard.draw.text.answer_figures import Figure, figures, in_common, numbered
from grognard.draw.text.chances import hundredfold, plain_percent
from grognard.fights.advised import Advised
from grognard.fights.prospects import Prospect, menu, stands_out
from grognard.fights.record import plain
from grognard.rules.ask import Choose, Commit
from grognard.rules.wording import members, offered
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


class Offer(NamedTuple):
    """A legal answer, and what it leads to."""

    text: str
    value: str  # as JSON
    figures: tuple[str, ...] = ()
    width: str = ""  # of the bar of its first figure, in percent; empty if that is no chance
    best: bool = False
    share: str = ""  # how often the doctrine gives it, where it mixes its answers

    @property
    def behind(self) -> str:
        """Its figures, with a star if it is best."""
        return f"{'★ ' if self.best else ''}{', '.join(self.figures)}".strip()


class Decision(NamedTuple):
    """The legal answers of a side."""

    side: Side
    offers: tuple[Offer, ...]
    members: tuple[str, ...]  # if a group of them is chosen
    common: str  # what follows whatever is chosen, if all answers lead to the same
    assumes: str  # the doctrines of the figures, or why there are none
    numbered: str  # which question this is

    @property
    def groups(self) -> str:
        """The legal groups with their words, as JSON."""
        told = [
            {
                "answer": offer.value,
                "text": offer.text,
                "figures": offer.behind,
                "best": offer.best,
            }
            for offer in self.offers
        ]
        return dumps(told)

    @property
    def best(self) -> Offer | None:
        """The first answer that its doctrine values most, if it stands out."""
        return next((offer for offer in self.offers if offer.best), None)

    @property
    def weighed(self) -> bool:
        """Whether the answers have figures."""
        return bool(self.common) or any(offer.figures for offer in self.offers)

    @property
    def nobody(self) -> Offer:
        """The answer of an empty group."""
        return next(offer for offer in self.offers if offer.value == "[]")


def decision(
    card: Card, ask: Choose | Commit, side: Side, advised: Advised, lang: Lang
) -> Decision:
    """Lay out the answers of a side with their figures."""
    options = menu(ask, side)
    ahead = advised.options(side)
    behind = figures(ahead, side, card, lang) if ahead else [()] * len(options)
    offers = tuple(
        _offer(
            Offer(
                offered(card, ask, option, lang, side, advised.eliminates.get(option, ())),
                dumps(plain(option)),
            ),
            behind[place],
            ahead[place] if ahead and stands_out(ahead, place) else None,
            lang,
        )
        for place, option in enumerate(options)
    )
    common = ""
    if ahead and not any(behind):
        common = ", ".join(figure.text for figure in in_common(ahead, side, card, lang))
    number = numbered(ask, side, advised, lang)
    return Decision(side, offers, members(options), common, _assumes(advised, lang), number)


def _offer(offer: Offer, found: tuple[Figure, ...], prospect: Prospect | None, lang: Lang) -> Offer:
    chance = next((figure.chance for figure in found if figure.chance is not None), None)
    share = prospect.share if prospect else Fraction(0)
    return offer._replace(
        figures=tuple(figure.text for figure in found),
        width="" if chance is None else f"{hundredfold(chance):.2f}",
        best=prospect is not None,
        share=plain_percent(share, lang) if 0 < share < 1 else "",
    )


def _assumes(advised: Advised, lang: Lang) -> str:
    if isinstance(advised.ahead, Refusal):
        return say("no odds here: {why}", why=advised.ahead.problem).in_(lang)
    if advised.ahead is None or not advised.ahead.options:
        return ""
    ours, theirs = advised.ahead.odds.doctrines
    ways = {ours: MARKS["attacker"]}
    ways[theirs] = f"{ways.get(theirs, '')} {MARKS['defender']}".strip()
    doctrines = ", ".join(f"{marks} {way.text.in_(lang)}" for way, marks in ways.items())
    return say("figures by doctrine: {doctrines}", doctrines=doctrines).in_(lang)
