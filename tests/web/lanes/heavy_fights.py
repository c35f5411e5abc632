"""Fights whose odds are more than light work."""

from typing import Any


def large_fight(defenders: int = 12, first: str = "D", morale: int = 7) -> dict[str, Any]:
    """State fire on many targets of two steps each: with 12 it is more than any budget."""
    return {
        "game": "panzer-grenadier",
        "procedure": "direct-fire",
        "range": 1,
        "adjacent_to_all": True,
        "terrain": ["town"],
        "attackers": [{"name": f"G{n}", "fire": 5} for n in range(3)],
        "defenders": [
            {"name": f"{first}{n}", "morale": morale, "steps": 2} for n in range(defenders)
        ],
    }
