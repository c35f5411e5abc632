"""Bautzen 1945, 8.3: step losses, and how they are spread over the units."""

from collections.abc import Mapping

from grognard.card.rows import Side
from grognard.games.bautzen.stated import BautzenFight, loss_takers
from grognard.rules.ask import Asking
from grognard.rules.losses import one_loses


def attacker_losses(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.3: the attacker takes his losses; he never retreats (8.4)."""
    return (yield from lose(fight, "attacker", fight.owed[0]))


def lose(fight: BautzenFight, side: Side, count: int) -> Asking[BautzenFight]:
    """8.3: one step after the other, spread over the units, the owner choosing among equals."""
    lost = {unit.name: 0 for unit in loss_takers(fight, side)}
    for _ in range(count):
        left = {unit.name: unit.steps for unit in loss_takers(fight, side)}
        candidates = next_to_lose(left, lost)
        if not candidates:
            return fight
        fight, name = yield from one_loses(fight, side, candidates, "8.3")
        lost[name] += 1
    return fight


def next_to_lose(left: Mapping[str, int], lost: Mapping[str, int]) -> list[str]:
    """Name those that may take the next step, by the steps that they have left and have lost: not
    to death while another can absorb it, and those with the fewest losses first."""
    able = [name for name, steps_left in left.items() if steps_left > 1] or list(left)
    fewest = min((lost[name] for name in able), default=0)
    return [name for name in able if lost[name] == fewest]
