"""The colours and marks of the sides of a match."""

from grognard.scenario import Scenario
from grognard.svg_counter import Livery, livery


def liveries(scenario: Scenario) -> dict[str, Livery]:
    """Give how the counters of each side are painted."""
    return {
        side.id: livery(side.colour, first=number == 0)
        for number, side in enumerate(scenario.sides)
    }
