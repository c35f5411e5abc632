"""Facts that conditions of a card may test: stated ones, options, and what follows from units."""

from collections.abc import Mapping
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.rows import Side

MANY: Mapping[Side, str] = {"attacker": "attackers", "defender": "defenders"}


class KnownFact(NamedTuple):
    """The kind of a fact, and its words if it is a word or a set."""

    kind: str
    values: tuple[str, ...] = ()


def known_facts(card: Card) -> Mapping[str, KnownFact]:
    """Give every fact that a condition on the fight may test."""
    terrain = tuple(row.id for row in card.terrain)
    facts = {fact.id: KnownFact(fact.kind, fact.values or terrain) for fact in card.facts}
    for option in card.options:
        facts[option.id] = KnownFact("word", tuple(choice.id for choice in option.choices))
    if not card.procedures:
        return facts
    for side, many in MANY.items():
        facts[f"{side}_units"] = KnownFact("number")
        for field, known in unit_facts(card).items():
            if known.kind == "flag":
                facts[f"any_{side}_{field}"] = facts[f"all_{many}_{field}"] = known
            elif known.kind == "word":
                facts[f"{many}_{field}"] = KnownFact("set", known.values)
    return facts


def unit_facts(card: Card) -> Mapping[str, KnownFact]:
    """Give every fact that a condition on a single unit may test besides: its fields and states."""
    facts = {state.id: KnownFact("flag") for state in card.states}
    for field in card.unit_fields:
        facts[field.id] = KnownFact(field.kind, field.values)
    return facts
