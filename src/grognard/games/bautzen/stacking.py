"""Bautzen 1945, 5: stacking points and stacking limits."""

from grognard.card.card import Card
from grognard.games.bautzen.stated import Counter


def stacking_limit(card: Card, terrain: tuple[str, ...]) -> int:
    """5.2: the tightest limit of the hex; terrain without one leaves that of clear ground."""
    rows = {row.id: row.stacking for row in card.terrain}
    limits = [limit for limit in (rows[word] for word in terrain) if isinstance(limit, int)]
    clear = rows["clear"]
    return min(limits, default=clear if isinstance(clear, int) else 0)


def stacking_points(card: Card, unit: Counter) -> int:
    """5.1: how much room a unit takes."""
    table = card.table("stacking")
    return int(table.cell(unit.size, table.column_labels[0]).codes[0])
