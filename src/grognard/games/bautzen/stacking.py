"""Bautzen 1945, 5: stacking points and stacking limits."""

from grognard.card.card import Card
from grognard.games.bautzen.stated import Counter


def stacking_limit(card: Card, terrain: tuple[str, ...]) -> int:
    """5.2: the tightest limit of the hex; terrain without one leaves that of clear ground."""
    limits = [card.terrain_row(word).stacking for word in terrain]
    clear = card.terrain_row("clear").stacking
    return min(
        (n for n in limits if isinstance(n, int)), default=clear if isinstance(clear, int) else 0
    )


def stacking_points(card: Card, unit: Counter) -> int:
    """5.1: how much room a unit takes."""
    table = card.table("stacking")
    return int(table.cell(unit.size, table.column_labels[0]).codes[0])
