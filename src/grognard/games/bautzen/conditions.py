"""Bautzen 1945 on the map: every condition of an attack, filled in from the board."""

from grognard.games.bautzen.aftermath import left_of, retreat_room
from grognard.games.bautzen.ground import ALLIED, Ground
from grognard.games.bautzen.stated import SUPPORTS, Attack, Counter
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.protocol import Doing


def setup(
    ground: Ground, board: Board, plan: Engagement, theirs: tuple[Piece, ...]
) -> Doing[Attack]:
    """Fill in every condition, each with a line that says why."""
    side, enemy = plan.side, plan.enemy
    place = board.map.places[plan.target]
    complete = _complete(ground, board, plan)
    if complete:
        yield ground.tell("note", "formation-attacks", "8.2", value=complete)
    surrounded = concentric(ground, board, plan.target, side)
    if surrounded:
        yield ground.tell("note", "surrounded", "8.1.1", value=board.map.number(plan.target))
    for piece in plan.attackers:
        if _across(board, piece, plan.target):
            river = board.map.barrier(piece.place, plan.target, "river")
            here = board.map.number(piece.place)
            yield ground.tell("note", "across", "8.2", unit=piece.name, value=here, river=river)
    air = board.pools.get("air", 0) - board.pools.get("air_used", 0)
    ours, his = (*plan.attackers, *plan.supports), (*plan.defenders, *theirs)
    return Attack(
        attackers=tuple(_counter(ground, board, piece, plan, plan.attackers) for piece in ours),
        defenders=tuple(_counter(ground, board, piece, plan, plan.defenders) for piece in his),
        terrain=tuple(sorted(place.terrain)),
        allied="attacker" if side == ALLIED else "defender",
        formation_complete=bool(complete),
        concentric=surrounded,
        attacker_cl_at_hand=_columns_at_hand(ground, board, plan.attackers),
        defender_cl_at_hand=_columns_at_hand(ground, board, plan.defenders),
        attacker_air_at_hand=air if side == ALLIED else 0,
        defender_air_at_hand=air if enemy == ALLIED else 0,
        attacker_cl_on_map=sum(piece.kind == "cl" for piece in board.of(side)),
        can_retreat=bool(ground.retreats(board, left_of(board, plan), (plan.target,), 1)),
        retreat_room=retreat_room(ground, board, plan),
    )


def _across(board: Board, piece: Piece, target: Hex) -> bool:
    return "river" in board.map.between(piece.place, target)


def _counter(
    ground: Ground, board: Board, piece: Piece, plan: Engagement, engaged: tuple[Piece, ...]
) -> Counter:
    attacks = piece in plan.attackers
    return Counter(
        name=piece.name,
        kind=piece.kind,  # type: ignore[arg-type]  # the scenario's kinds are the game's
        size=piece.size,  # type: ignore[arg-type]  # and so are its sizes
        steps=piece.steps,
        unsupplied="unsupplied" in piece.states,
        overstacked="overstacked" in piece.states,
        across_river=attacks and _across(board, piece, plan.target),
        near_dominant=piece.kind == "hq" and _near_dominant(ground, board, piece, engaged),
        at_distance=_from_afar(piece, plan),
        retreated=piece in plan.defenders and "retreated" in piece.states,
        attack=piece.number("attack"),
        defence=piece.number("defence"),
        support=0 if _spent(ground, piece, plan) else piece.number("support"),
    )


def _spent(ground: Ground, piece: Piece, plan: Engagement) -> bool:
    """9.1, 8.6.1: it has defended before, and would support its own stack again."""
    again = "defended" in piece.states and piece in plan.defenders
    others = any(unit.kind != "cl" for unit in plan.defenders if unit != piece)
    return again and others and ground.options["own_hex_support"] == "once"


def _from_afar(piece: Piece, plan: Engagement) -> bool:
    """8.1: neither in the attacked hex nor, on the attacker's side, beside it."""
    if piece.side == plan.enemy:
        return piece not in plan.defenders
    return piece not in plan.attackers and piece.place.distance(plan.target) > 1


def _near_dominant(ground: Ground, board: Board, hq: Piece, engaged: tuple[Piece, ...]) -> bool:
    """10.2: the HQ supports a unit on or near a dominant position of its side."""
    felt = ground.dominated(board, hq.side)
    return any(ground.supports_unit(hq, unit) and unit.at in felt for unit in engaged)


def _complete(ground: Ground, board: Board, plan: Engagement) -> str:
    """Name a formation of which every combat unit on the map attacks this hex."""
    rule = ground.options["complete_formation"]
    least = 1 if rule == "one_is_enough" else 2
    names = {piece.name for piece in plan.attackers}
    led = {piece.formation for piece in plan.supports if piece.kind == "hq"}
    for formation in sorted({piece.formation for piece in plan.attackers if piece.formation}):
        units = {
            piece.name
            for piece in board.of(plan.side)
            if piece.formation == formation and piece.kind not in (*SUPPORTS, "cl")
        }
        if len(units) >= least and units <= names and (rule != "with_hq" or formation in led):
            return formation
    return ""


def concentric(ground: Ground, board: Board, target: Hex, side: str) -> bool:
    """8.1.1: every hex around holds attackers or is in their zone, and no unit of the
    defender's side; the edge of the map is open or closed by option."""
    edge_closes = ground.options["map_edge"] == "closed"
    return ground.surrounded(board, target, side, edge_closes=edge_closes)


def _columns_at_hand(ground: Ground, board: Board, engaged: tuple[Piece, ...]) -> int:
    """7.2: count the columns beside an engaged unit, if one engaged unit is in command."""
    hqs = [piece for piece in board.of(engaged[0].side) if piece.kind == "hq"]
    commanded = any(_commanded(ground, hq, unit) for hq in hqs for unit in engaged)
    return len(near_columns(board, engaged)) if commanded else 0


def near_columns(board: Board, engaged: tuple[Piece, ...]) -> list[Piece]:
    """7.2: columns in or beside the hex of an engaged unit."""
    return [
        piece
        for piece in board.of(engaged[0].side)
        if piece.kind == "cl"
        and any(unit.at and unit.at.distance(piece.place) <= 1 for unit in engaged)
    ]


def _commanded(ground: Ground, hq: Piece, unit: Piece) -> bool:
    """7.2.2: a unit of a formation by its own HQ, an independent one by any."""
    own = not unit.formation or hq.formation == unit.formation
    own = own or ground.options["cl_command"] == "also_corps_army"
    return unit.kind != "cl" and own and ground.commands(hq, unit)
