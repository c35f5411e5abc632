"""White October on the map: every condition of an attack, filled in from the board."""

from collections.abc import Iterable, Sequence

from grognard.card.card import Terrain
from grognard.card.rows import SIDES, Side
from grognard.games.white_october.aftermath import stacks_of, way_open
from grognard.games.white_october.ground import (
    ANO,
    COMBAT,
    DISORGANISED,
    DRY,
    HQ,
    LEADER,
    MOBILE,
    ROUTED,
    Ground,
)
from grognard.games.white_october.stated import Attack, Counter
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.protocol import Doing
from grognard.rules.line import Blank


def setup(
    ground: Ground, board: Board, plan: Engagement, theirs: tuple[Piece, ...]
) -> Doing[Attack]:
    """Fill in every condition, each with a line that says why."""
    ano = plan.side == ANO
    if ano:
        yield ground.tell("note", "ano-attacks", side="attacker")
    if ground.night(board):
        yield ground.tell("note", "by-night")
    ours = yield from _fires(ground, board, "attacker", plan.supports)
    his = yield from _fires(ground, board, "defender", theirs)
    bonus = yield from _hq_bonus(ground, board, "attacker", plan.attackers)
    bonus -= yield from _hq_bonus(ground, board, "defender", plan.defenders)
    encircled, surrounded = yield from _encirclements(ground, board, plan)
    trotsky = yield from _trotsky(ground, board, plan)
    clear = yield from _clear(ground, board, plan.target)
    value = yield from _terrain_value(ground, board, plan)
    second = yield from _second_hex_allowed(ground, board, plan)
    back, way = yield from _ways_back(ground, board, plan)
    return Attack(
        attackers=tuple(_counter(piece) for piece in plan.attackers),
        defenders=tuple(_counter(piece) for piece in plan.defenders),
        attacker_support=ours,
        defender_support=his,
        attacker_air=any(piece.kind == "aircraft" for piece in plan.supports),
        night=ground.night(board),
        attacker_is_ano=ano,
        hq_bonus=bonus,
        attacker_encircled=encircled,
        defender_encircled=surrounded,
        attacker_trotsky=trotsky == "attacker",
        defender_trotsky=trotsky == "defender",
        clear_terrain=clear,
        terrain_value=value,
        second_hex_allowed=second,
        attacker_can_retreat=back,
        defender_can_retreat=way,
    )


def _fires(ground: Ground, board: Board, side: Side, guns: Iterable[Piece]) -> Doing[int]:
    whole = 0
    for gun in guns:
        fire = gun.number("fire")
        if gun.at is None:
            yield ground.tell("note", "flies", side=side, unit=gun.name, value=fire)
        else:
            hex_ = board.map.number(gun.at)
            yield ground.tell("note", "fires", side=side, unit=gun.name, value=fire, hex=hex_)
        whole += fire
    return whole


def _hq_bonus(ground: Ground, board: Board, side: Side, engaged: Sequence[Piece]) -> Doing[int]:
    """The bonus of the best HQ that commands an engaged unit, or of all of them."""
    able = [
        piece
        for piece in board.of(engaged[0].side)
        if piece.number("bonus") and any(commands(piece, unit) for unit in engaged)
    ]
    able.sort(key=lambda hq: -hq.number("bonus"))
    counted = able[:1] if ground.options["hq_bonuses"] == "best" else able
    for hq in counted:
        hex_, value = board.map.number(hq.place), hq.number("bonus")
        yield ground.tell("note", "commands", side=side, unit=hq.name, value=value, hex=hex_)
    return sum(hq.number("bonus") for hq in counted)


def commands(hq: Piece, unit: Piece) -> bool:
    """Tell whether an HQ in good order has a unit of its formation, or any, within range."""
    own = not hq.formation or hq.formation == unit.formation
    return hq.kind == HQ and ROUTED not in hq.states and own and hq.reaches(unit.at)


def _encirclements(ground: Ground, board: Board, plan: Engagement) -> Doing[tuple[bool, bool]]:
    """The defender's stack; of the attackers, if so many of their PE stand encircled."""
    side, enemy = plan.side, plan.enemy
    inside, everything = 0, sum(unit.steps for unit in plan.attackers)
    for hex_, units in stacks_of(plan.attackers).items():
        if ground.encircled(board, hex_, side):
            number = board.map.number(hex_)
            yield ground.tell("note", "is-encircled", side="attacker", value=number)
            inside += sum(unit.steps for unit in units)
    surrounded = ground.encircled(board, plan.target, enemy)
    if surrounded:
        number = board.map.number(plan.target)
        yield ground.tell("note", "is-encircled", side="defender", value=number)
    enough = {"most": 2 * inside > everything, "any": inside > 0, "all": inside == everything}
    return enough[ground.options["attackers_encircled"]], surrounded


def _trotsky(ground: Ground, board: Board, plan: Engagement) -> Doing[Side | None]:
    """A leader is present with whoever shares his hex, or stands beside it."""
    reach = 1 if ground.options["trotsky_reach"] == "adjacent" else 0
    for side in SIDES:
        engaged = plan.engaged(side)
        for piece in board.of(engaged[0].side):
            here = piece.at if piece.kind == LEADER else None
            if here and any(here.distance(hex_) <= reach for hex_ in stacks_of(engaged)):
                number = board.map.number(here)
                yield ground.tell("note", "leads", side=side, unit=piece.name, value=number)
                return side
    return None


def _clear(ground: Ground, board: Board, target: Hex) -> Doing[bool]:
    clear = all(row.values.get("clear") for row in board.map.rows(target))
    if clear:
        yield ground.tell("note", "clear-ground", value=board.map.number(target))
    return clear


def _terrain_value(ground: Ground, board: Board, plan: Engagement) -> Doing[int]:
    """Add up what the hex is worth, its entrenchments to their builders only, and the river
    that the attackers cross."""
    worth = list[int]()
    number = board.map.number(plan.target)
    for row in board.map.rows(plan.target):
        value = _defence(row, plan.enemy)
        if value:
            yield ground.tell("note", "ground-helps", value=value, ground=row.text, hex=number)
            worth.append(value)
    worth += yield from _crossings(ground, board, plan)
    best = ground.options["terrain_values"] == "best"
    return max(worth, default=0) if best else sum(worth)


def _crossings(ground: Ground, board: Board, plan: Engagement) -> Doing[list[int]]:
    """Tell who attacks across what, and give what it is worth to the defender, if it counts."""
    across = [unit for unit in plan.attackers if barrier(board, unit, plan.target)]
    for unit in across:
        here, river = board.map.number(unit.place), _river(board, unit, plan.target)
        yield ground.tell("note", "across", unit=unit.name, value=here, river=river)
    if not across:
        return []
    some = ground.options["river_defence"] == "any_across"
    if len(across) < len(plan.attackers) and not some:
        yield ground.tell("note", "not-all-across")
        return []
    value = min(barrier(board, unit, plan.target) for unit in across)
    river = _river(board, across[0], plan.target)
    number = board.map.number(plan.target)
    yield ground.tell("note", "ground-helps", value=value, ground=river, hex=number)
    return [value]


def barrier(board: Board, unit: Piece, target: Hex) -> int:
    """Give the defensive value of the hexside over which a unit attacks."""
    rows = (board.map.terrain[feature] for feature in board.map.between(unit.place, target))
    return max((_defence(row, "") for row in rows), default=0)


def _river(board: Board, unit: Piece, target: Hex) -> Blank:
    return board.map.barrier(unit.place, target, min(board.map.between(unit.place, target)))


def _second_hex_allowed(ground: Ground, board: Board, plan: Engagement) -> Doing[bool]:
    """8.2.7, whose conditions we do not have: by the option for it."""
    rule = ground.options["second_hex"]
    mobile = [unit.kind in MOBILE for unit in plan.attackers]
    allowed = rule != "never" and (any(mobile) if rule == "any" else all(mobile))
    if allowed:
        number = board.map.number(plan.target)
        yield ground.tell("note", "second-hex-open", "8.2.7", side="attacker", value=number)
    return allowed


def _ways_back(ground: Ground, board: Board, plan: Engagement) -> Doing[tuple[bool, bool]]:
    """Tell of each side whether any of its engaged units could retreat a hex."""
    ours, theirs = (way_open(ground, board, plan.engaged(side)) for side in SIDES)
    for side, way in zip(SIDES, (ours, theirs), strict=True):
        if not way:
            hexes = " ".join(map(board.map.number, stacks_of(plan.engaged(side))))
            yield ground.tell("note", "no-way-back", side=side, value=hexes)
    return ours, theirs


def _counter(piece: Piece) -> Counter:
    return Counter(
        name=piece.name,
        pe=piece.steps,
        steps=piece.steps,
        strength=piece.number("strength"),
        quality=piece.number("quality"),
        morale=piece.number("morale"),
        combat=piece.kind in COMBAT,
        tank=piece.kind == "tank",
        armoured_car=piece.kind == "armoured-car",
        cavalry=piece.kind == "cavalry",
        out_of_ammunition=DRY in piece.states,
        routed=ROUTED in piece.states,
        disorganised=DISORGANISED in piece.states,
    )


def _defence(row: Terrain, side: str) -> int:
    """Give the defensive value of a terrain row for a side; some are worth it to one only."""
    if row.values.get("for", side) != side:
        return 0
    value = row.values.get("defence", 0)
    return value if isinstance(value, int) else 0
