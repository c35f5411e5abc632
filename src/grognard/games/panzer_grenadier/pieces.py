"""Panzer Grenadier on the map: kinds and states of pieces, and which of them may act."""

from grognard.games.panzer_grenadier.stated import STATES, TRANSPORT, State
from grognard.maps.board import Piece
from grognard.maps.hexes import Hex
from grognard.words.message import Message, say

AIRCRAFT = "aircraft"  # off the map; the one kind of piece that is not a kind of target
ACTED = "acted"
SHAKEN = ("disrupted", "demoralised")


def state_of(piece: Piece) -> State:
    """Give the morale state of a piece."""
    return next((state for state in STATES if state in piece.states), STATES[0])


def shaken(piece: Piece) -> bool:
    """Tell whether a piece is disrupted or demoralised."""
    return any(state in piece.states for state in SHAKEN)


def is_combat(piece: Piece) -> bool:
    """Tell combat units from transport, leaders and aircraft."""
    return piece.kind not in (*TRANSPORT, "leader", AIRCRAFT)


def place_of(piece: Piece) -> Hex:
    """Give the hex of a piece that is known to be on the map."""
    if piece.at is None:
        raise TypeError(f"{piece.name} is not on the map")
    return piece.at


def may_act(piece: Piece, side: str) -> Message | None:
    """Say why a piece may not act now; None where it may. A unit acts once a turn."""
    if piece.side != side:
        return say("{unit} is not yours to use here", unit=piece.name)
    if piece.at is None and (piece.kind != AIRCRAFT or not piece.alive):
        return say("{unit} is not on the map", unit=piece.name)
    if ACTED in piece.states:
        return say("{unit} has acted already this turn", unit=piece.name)
    return None


def may_use_arms(piece: Piece, side: str) -> Message | None:
    """Say why a piece may do nothing now, or nothing but try to recover."""
    problem = may_act(piece, side)
    if problem is None and "demoralised" in piece.states:
        return say("{unit} is demoralised and may only try to recover", unit=piece.name)
    return problem
