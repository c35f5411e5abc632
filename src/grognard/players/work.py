"""Costs of planning, which are counted: a clock would make answers depend on the machine.

A unit of work takes 4 to 9 µs on the machine of docs/performance.md, by game.
"""

from grognard.maps.board import Board

SECOND = 100_000  # work of a second
FORECAST = 80  # an attack that is looked at
LISTED = 50  # an attack that is found to be allowed
WAY = 20  # a way of an enemy
ORDER = 200  # an order that is carried out in thought

# For each piece on the map:
LOOK = 1  # a board that is valued
COMER = 1  # an enemy whose moves are found
REBASE = 15  # a search that begins, or goes on from another board
PLAN = 5000  # a whole plan, if nothing else is said


def size(board: Board) -> int:
    """Count the pieces on the map."""
    return sum(1 for piece in board.pieces if piece.at)
