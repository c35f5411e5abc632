"""What a unit can do and where an attack would lead, as JSON."""

from collections.abc import Collection

from grognard.draw.json.fight import StatedFightJson, stated_fight_json
from grognard.draw.json.match import PossibleJson, hex_number, hex_numbers, possible_json
from grognard.draw.json.match_log import GivenEntryJson, LineEntryJson, entries
from grognard.draw.json.odds import OddsJson, odds_json
from grognard.draw.json.structs import JsonStruct, joined
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.match import Ahead, Match, look_ahead
from grognard.matches.orders import MoveOrders
from grognard.matches.protocol import END, Order, Roles, Words
from grognard.matches.refused_order import check_order
from grognard.matches.sight import as_seen, left_out, viewer, visible
from grognard.rules.fight import Fight
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


class WayJson(JsonStruct):
    """A hex that a unit can reach: the cost, the way, and whether it must stop there."""

    hex: str
    cost: str
    path: list[str]
    stop: bool


class SupplyJson(JsonStruct):
    """The supply line of a unit, or the hexes that cut it."""

    traced: bool
    path: list[str]
    cut_by: list[str]


class UnitAnswer(JsonStruct):
    """Where a unit can go, its supply and its zone of control."""

    name: str
    side: str
    hex: str | None
    moves: PossibleJson
    reach: list[WayJson]
    supply: SupplyJson
    zoc: list[str]
    enemy_zoc: list[str]


def unit_json(
    match: Match, name: str, lang: Lang, autos: Collection[str] = (), seat: str | None = None
) -> UnitAnswer:
    """Give where a unit can go, its supply line or what cuts it, and its zone of control."""
    field, board = match.field, match.board
    piece = visible(match, viewer(match, autos, seat), name)
    ways = sorted(field.reach(board, piece).items(), key=lambda way: way[1].sixths)
    reach = [
        WayJson(
            hex=board.map.number(hex_),
            cost=str(way.cost),
            path=hex_numbers(board, way.path),
            stop=way.stop,
        )
        for hex_, way in ways
        if hex_ != piece.at
    ]
    problem = _move_problem(match, piece, reach)
    supply = field.supply(board, piece)
    return UnitAnswer(
        name=piece.name,
        side=piece.side,
        hex=hex_number(board, piece.at),
        moves=possible_json(problem, lang),
        reach=reach,
        supply=SupplyJson(
            traced=supply.traced,
            path=hex_numbers(board, supply.path),
            cut_by=hex_numbers(board, supply.cut_by),
        ),
        zoc=hex_numbers(board, _zone(field, board, piece)),
        enemy_zoc=hex_numbers(board, sorted(field.zoc(board, field.enemy(piece.side)))),
    )


def _move_problem(match: Match, piece: Piece, ways: list[WayJson]) -> Message | None:
    """Say why a unit may not be moved now; None where it may."""
    ask = match.asking
    if not isinstance(ask, Order):
        return say("no unit moves now")
    if piece.side != ask.side:
        return say("{unit} is not yours to use here", unit=piece.name)
    if not isinstance(ask.orders, MoveOrders):
        return say("units do not move in this phase")
    return order_problem(ask, ("move", piece.name, ways[0].hex)) if ways else ask.orders.idle(piece)


def order_problem(ask: Order, order: Words) -> Message | None:
    """Say why an order is refused; None for a legal one."""
    try:
        check_order(ask, order)
    except Refusal as refusal:
        return refusal.problem
    return None


def _zone(field: Field, board: Board, piece: Piece) -> list[Hex]:
    if piece.at is None or not field.exerts_zoc(piece):
        return []
    around = board.map.around[piece.at]
    return [there for there in around if field.zoc_reaches(board, piece.at, there)]


class FightOddsJson(StatedFightJson):
    """A fight that would follow, and its odds."""

    odds: OddsJson


class LookAnswer(JsonStruct):
    """The fight to which an attack would lead."""

    order: list[str]
    by: str  # the side that attacks
    lines: list[LineEntryJson]
    assumed: list[GivenEntryJson]  # answers before the fight that are taken for granted
    left_out: str | None  # what is hidden from the side, and so not in the odds
    fight: FightOddsJson


def look_json(match: Match, verb: str | None, target: str, units: Words, lang: Lang) -> LookAnswer:
    """Give the fight to which an attack would lead, with the conditions that the board derives.

    Nothing changes; an attack that is not legal is refused.
    """
    ask, field = asked_order(match), match.field
    order = (verb or _aiming(ask), target, *units)
    ahead, fight = preview(match, order)
    roles = Roles(ask.side, field.enemy(ask.side))
    told = list(entries(field, ahead.log, roles, lang))
    stated, odds = stated_fight_json(fight, lang), odds_json(fight, fight.odds(), lang)
    not_seen = order_leaves_out(match, order)
    return LookAnswer(
        order=list(order),
        by=ahead.attacker,
        lines=[entry for entry in told if isinstance(entry, LineEntryJson)],
        assumed=[entry for entry in told if not isinstance(entry, LineEntryJson)],
        left_out=not_seen.in_(lang) if not_seen else None,
        fight=joined(FightOddsJson, stated, odds=odds),
    )


def asked_order(match: Match) -> Order:
    """Give the order that is asked for; refuse if none is."""
    if not isinstance(match.asking, Order):
        raise Refusal(say("no order is asked for now"))
    return match.asking


def preview(match: Match, order: Words) -> tuple[Ahead, Fight]:
    """Look ahead to the fight of an order; refuse one that is not legal or leads to no fight."""
    ask, field = asked_order(match), match.field
    check_order(ask, order)
    if order != END:
        sight = as_seen(field, ask)
        ahead = look_ahead(field.carry_out(sight.board, ask.side, order), ask.side)
        if ahead.fight is not None:
            return ahead, ahead.fight
    raise Refusal(say("this leads to no fight"))


def order_leaves_out(match: Match, order: Words) -> Message | None:
    """Say what the odds of an order leave out, as it is hidden; None where nothing is."""
    ask = asked_order(match)
    if not ask.board.map.has(order[1]):
        return None
    return left_out(match.field, ask, ask.board.map.hex(order[1]))


def _aiming(ask: Order) -> str:
    """Find the first verb of the phase that aims at a hex."""
    for order in ask.orders.all():
        if len(order) > 1 and ask.board.map.has(order[1]):
            return order[0]
    raise Refusal(say("nothing is attacked in this phase"))
