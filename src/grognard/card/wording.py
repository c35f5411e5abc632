"""Words and marks for a card: sides, doubts, the effect of a modifier."""

import re
from collections.abc import Mapping

from grognard.card.card import Card
from grognard.card.modifier_rows import Modifier
from grognard.card.rows import Side
from grognard.words.message import Message, say
from grognard.words.numbers import signed
from grognard.words.text import Lang
from grognard.words.typography import with_minus

MARK = "⁂"
MARKS: Mapping[Side | None, str] = {"attacker": "▶", "defender": "◆", None: ""}


def effect(card: Card, modifier: Modifier, lang: Lang) -> str:
    """Write what a modifier does, as printed: `−1 column`, `±1 die`, `×1/2 attack`."""
    own = card.phrases.get(f"adds-{modifier.changes}")
    if own is not None and modifier.factor is None:
        return own.in_(lang).format(value=modifier.value)
    several = modifier.changes == "column" and abs(modifier.value or 0) > 1
    noun = card.phrases.get(f"unit-{modifier.changes}") or _CHANGES[modifier.changes]
    what = (say("columns") if several else noun).in_(lang)
    if modifier.factor is not None:
        return f"×{modifier.factor} {what}"
    amount = _amount(card, modifier)
    for instead in modifier.instead:
        if instead.value:
            amount += f" ({signed(instead.value)})"
    return f"{amount} {what}"


def _amount(card: Card, modifier: Modifier) -> str:
    value = modifier.value or 0
    if modifier.sign_of:
        return f"±{abs(value)}"
    if modifier.times and abs(value) == 1:
        number = next(fact for fact in card.facts if fact.id == modifier.times)
        if number.least is None or number.least < 0:
            return "±n"
        if modifier.limit is None:
            return ("+" if value > 0 else "−") + "n"
    return signed(value)


_CHANGES: dict[str, Message] = {
    "column": say("column"),
    "die": say("die"),
    "attack": say("attack"),
    "strength": say("strength"),
    "defence": say("defence"),
    "morale": say("morale"),
}


def in_words(text: str, card: Card, lang: Lang) -> str:
    """Translate the known words of a cell, a result or a detail; names, codes and numbers stay."""

    def known(word: str) -> str:
        wording = card.wording(word) or _DETAILS.get(word)
        return wording.in_(lang) if wording else with_minus(word)

    return "".join(map(known, re.split("([ /])", text)))


_DETAILS: dict[str, Message] = {
    "retreat": say("retreat"),
    "rout": say("rout"),
    "held": say("held"),
    "captured": say("captured"),
    "surrenders": say("surrenders"),
    "reserve": say("reserve"),
    "disorganised": say("disorganised"),
    "disrupted": say("disrupted"),
    "demoralised": say("demoralised"),
    "eliminated": say("eliminated"),
    "fortification": say("fortification"),
    "removed": say("removed"),
    "advance": say("advance"),
}
