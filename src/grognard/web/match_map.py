"""The map of a match as a picture, and what of it changes: counters and holders."""

import re

from grognard import svg_map
from grognard.board import Board, Piece
from grognard.scenario import Scenario
from grognard.svg_symbols import Livery, livery
from grognard.text import Lang


def ground(board: Board, scenario: Scenario, lang: Lang) -> str:
    return svg_map.draw(board, scenario, lang)


def pieces(board: Board, scenario: Scenario, lang: Lang) -> str:
    drawn = svg_map.draw(board, scenario, lang)
    layers = re.findall(r'<g class="layer (?:marks|counters)">\n.*?\n</g>\n', drawn, re.S)
    return f'<g class="pieces">{"".join(layers)}</g>'


def counter(piece: Piece, scenario: Scenario, lang: Lang) -> str:
    made = svg_map._Picture(scenario.board(), scenario, lang).counter(piece, 0, 0)
    return (
        '<svg class="grognard-counter grognard-map" viewBox="-24 -24 48 48" width="48" height="48" '
        f'aria-hidden="true">{made}</svg>'
    )


def liveries(scenario: Scenario) -> dict[str, Livery]:
    return {
        side.id: livery(side.colour, first=number == 0)
        for number, side in enumerate(scenario.sides)
    }
