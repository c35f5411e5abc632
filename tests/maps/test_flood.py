"""A flood over whole rings reaches what a walk hex by hex reaches."""

from random import Random

import pytest

from grognard.maps.flood import Flood
from grognard.maps.hexes import Hex, within
from tests.tiers import sized


def walked(
    ways: dict[Hex, tuple[Hex, ...]], starts: set[Hex], shut: set[Hex], most: int | None
) -> set[Hex]:
    length = dict.fromkeys(starts, 0)
    waiting = list(starts)
    for here in waiting:
        if here in shut or length[here] == most:
            continue
        for there in ways[here]:
            if there not in length:
                length[there] = length[here] + 1
                waiting.append(there)
    return set(length)


@pytest.mark.parametrize("seed", range(sized(200)))
def test_a_flood_agrees_with_a_walk_on_maps_with_holes_and_ways_of_one_direction(seed: int) -> None:
    random = Random(seed)
    hexes = {hex_ for hex_ in within(Hex(-2, 3), random.randint(0, 5)) if random.random() < 0.8}
    hexes |= {Hex(-2, 3)}
    ways = {
        hex_: tuple(at for at in hex_.neighbours() if at in hexes and random.random() < 0.8)
        for hex_ in hexes
    }
    some = sorted(hexes)
    starts = set(random.sample(some, random.randint(0, min(3, len(some)))))
    shut = set(random.sample(some, len(some) // random.choice((2, 4, 8)))) | {Hex(99, 99)}
    most = random.choice((None, 0, 1, 2, 7))
    assert Flood(ways).spread(starts, shut, most) == walked(ways, starts, shut, most)
