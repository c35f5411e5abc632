"""Bautzen 1945, 8.2 (1), (2): logistic columns and air markers, committed in secret."""

from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.games.bautzen.stated import BautzenPreparation, only_columns
from grognard.rules.ask import Asking, commit


def commitments(fight: BautzenPreparation) -> Asking[BautzenPreparation]:
    """8.2 (1), (2): logistic columns and air markers, in secret, then announced."""
    if only_columns(fight.defenders):
        return fight
    setup = fight.case.setup
    ours = _offers(setup.attacker_cl_at_hand, setup.attacker_air_at_hand)
    theirs = _offers(setup.defender_cl_at_hand, setup.defender_air_at_hand)
    (cl, air), (their_cl, their_air) = yield from commit("commit-cl", ours, theirs, "8.2")
    committed = (
        setup.attacker_cl + cl,
        setup.attacker_air + air,
        setup.defender_cl + their_cl,
        setup.defender_air + their_air,
    )
    sides: tuple[tuple[Side, int, int], ...] = (
        ("attacker", committed[0], committed[1]),
        ("defender", committed[2], committed[3]),
    )
    for side, columns, aircraft in sides:
        if columns or aircraft:
            yield fight.case.tell(
                "spent", f"{side}-commits", rule="8.2", side=side, cl=columns, air=aircraft
            )
    return replace(fight, committed=committed)


def _offers(columns: int, aircraft: int) -> list[tuple[int, int]]:
    return [(cl, air) for cl in range(columns + 1) for air in range(aircraft + 1)]
