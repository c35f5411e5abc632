"""Normandy '44 on the map: the main force, and support by HQs, aircraft, ships and Flak."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple, get_args

from grognard.card.card import Card
from grognard.games.normandy.ground import ALLIED, WEATHER, Ground
from grognard.games.normandy.stated import Army, Camp
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement

ARMIES: tuple[Army, ...] = get_args(Army)


class Effort(NamedTuple):
    """What the attacker decides before the dice: his main force, and the support he calls."""

    main: str
    hqs: tuple[Piece, ...] = ()
    air: int = 0
    naval: bool = False


def camp_of(side: str) -> Camp:
    """Name a side as the card does."""
    return "allied" if side == ALLIED else "german"


def army_of(nation: str) -> Army | None:
    """Name the Allied army of a nation."""
    return next((army for army in ARMIES if army == nation), None)


# ------------------------------------------------------------------ the main force


def forces(ground: Ground, board: Board, plan: Engagement) -> list[str]:
    """Name the main forces that could be formed: by formation or by hex (10.3)."""
    if ground.options["main_force_of"] == "hex":
        return sorted({board.map.number(p.at) for p in plan.attackers if p.at})
    return sorted({piece.formation for piece in plan.attackers} - {""}) or [""]


def in_main(ground: Ground, board: Board, piece: Piece, main: str) -> bool:
    """10.3: tell whether an attacker belongs to the main force of this name."""
    if ground.options["main_force_of"] == "hex":
        return piece.at is not None and board.map.number(piece.at) == main
    return piece.formation in ("", main)


# ------------------------------------------------------------------ HQs


def _ready(hq: Piece, target: Hex) -> bool:
    """11.6: in range of the hex, supplied and in order."""
    return (
        hq.kind == "hq"
        and hq.reaches(target)
        and not hq.states & {"unsupplied", "disorganised", "strategic"}
    )


def _serves(hq: Piece, engaged: Sequence[Piece]) -> bool:
    """An HQ helps units of its formation; one without a formation, all of its army."""
    return any(
        piece.nation == hq.nation and (not hq.formation or piece.formation in ("", hq.formation))
        for piece in engaged
        if piece.name != hq.name
    )


def supporting_hqs(ground: Ground, board: Board, plan: Engagement) -> list[tuple[str, ...]]:
    """Give the HQs that may support the attack together, most of them first."""
    able = [
        hq for hq in board.of(plan.side) if _ready(hq, plan.target) and _serves(hq, plan.attackers)
    ]
    most = _most(ground.card, "hq_support")
    return [
        tuple(hq.name for hq in group)
        for count in range(min(most, len(able)), -1, -1)
        for group in combinations(able, count)
        if _paid(ground, board, group)
    ]


def _paid(ground: Ground, board: Board, group: Sequence[Piece]) -> bool:
    """Tell whether there are supply points for those HQs that need one."""
    needed = Counter(pool(hq.nation) for hq in group if costs(ground, hq))
    return all(count <= board.pools.get(of, 0) for of, count in needed.items())


def costs(ground: Ground, hq: Piece) -> bool:
    """Tell whether the support of an HQ takes a supply point."""
    allied = hq.nation in ARMIES
    every = allied and ground.options["supply_points"] == "every_time"
    return every or "supported" in hq.states


def pool(nation: str) -> str:
    """Name the pool of an army's supply points."""
    return f"supply {nation}"


def _most(card: Card, fact: str) -> int:
    return next(row.most or 0 for row in card.facts if row.id == fact)


def defending_hqs(ground: Ground, board: Board, plan: Engagement) -> list[Piece]:
    """12.4: the HQs in whose range the defenders are, and which have not defended too often."""
    once = ground.options["defensive_hq"] == "once"
    return [
        hq
        for hq in board.of(plan.enemy)
        if _ready(hq, plan.target)
        and _serves(hq, plan.defenders)
        and not (once and "defended" in hq.states)
    ]


# ------------------------------------------------------------------ air and sea


def flying(ground: Ground, board: Board) -> bool:
    """19.1: tell whether the weather lets Allied aircraft support and strafe."""
    last = "clear" if ground.options["air_weather"] == "clear" else "overcast"
    return WEATHER.index(ground.weather(board)) <= WEATHER.index(last)


def sorties(ground: Ground, board: Board, plan: Engagement) -> int:
    """19.1.2: how many columns of air support the attacker may call."""
    if plan.side != ALLIED or not flying(ground, board):
        return 0
    return min(board.pools.get("air", 0), _most(ground.card, "offensive_air"))


def ships(ground: Ground, board: Board, plan: Engagement) -> Hex | None:
    """19.2: the coast from which ships reach the hex, if they may be called."""
    if plan.side != ALLIED or not board.pools.get("naval", 0):
        return None
    near = min(board.map.hexes_with("coast"), key=plan.target.distance, default=None)
    reach = ground.card.number("naval_range")
    return near if near is not None and plan.target.distance(near) <= reach else None


def flak_near(ground: Ground, board: Board, pieces: Sequence[Piece]) -> list[Piece]:
    """19.1.4: the Flak that protects one of these pieces."""
    reach = int(ground.card.number("flak_range"))
    return [
        flak
        for flak in board.of(pieces[0].side)
        if flak.kind == "flak"
        and any(flak.place.distance(piece.place) <= reach for piece in pieces)
    ]
