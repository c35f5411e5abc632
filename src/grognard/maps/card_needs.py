"""What a game that is played by the rules of its card must find in its scenarios."""

from grognard.card.card import Card
from grognard.card.map_rules import MapRules
from grognard.card.procedures import ProcedureRow
from grognard.maps.scenario_checks import Needs
from grognard.rules.card_types import printed_fields

# Fields of units that are stated of the whole counter, not of each face.
WHOLE = ("kind", "size")


def attack_row(card: Card) -> ProcedureRow:
    """Give the procedure of attacks on the map."""
    rules = card.map or MapRules()
    return card.procedure_row(rules.procedure or card.procedures[0].id)


def needs(card: Card) -> Needs:
    """Name the words and values that the card has for units."""
    words = {field.id: field.values for field in card.unit_fields if field.kind == "word"}
    printed = {name: type_ for name, type_, _ in printed_fields(card, attack_row(card))}
    return Needs(
        kinds=words.get("kind", ()),
        sizes=words.get("size", ()),
        face_types={name: type_ for name, type_ in printed.items() if name not in WHOLE},
        states=(*(state.id for state in card.states), "unsupplied"),
    )
