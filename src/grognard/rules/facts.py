"""Facts: what a card's printed modifiers look at, as the players have stated it."""

from typing import Any

from grognard.rules.fight import Case
from grognard.rules.modifiers import FactValue


def stated_facts(case: Case[Any]) -> dict[str, FactValue]:
    """Give the options of a fight, and all of its set-up that the card knows as facts.

    For steps before the column is known: later ones name the fields that they look at, as the
    others are no longer there.
    """
    facts: dict[str, FactValue] = {**case.options}
    fields = case.setup.__struct_fields__
    for fact in case.card.facts:
        if fact.id in fields:
            value = getattr(case.setup, fact.id)
            facts[fact.id] = frozenset(value) if isinstance(value, tuple) else value
    return facts
