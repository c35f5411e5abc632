"""Normandy '44 on the map: every condition of an attack, and the reason for each."""

from collections.abc import Iterator, Sequence

from grognard.games.normandy import pursuit
from grognard.games.normandy.ground import NON_MECH, Ground
from grognard.games.normandy.stated import Attack, Attacker, Defender
from grognard.games.normandy.support import (
    Effort,
    army_of,
    camp_of,
    defending_hqs,
    flak_near,
    in_main,
)
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.rules.line import Line


def setup(ground: Ground, board: Board, plan: Engagement, effort: Effort) -> Attack:
    """Fill in every condition of the attack from the board."""
    ours, claimed, theirs = _armour(ground, board, plan, effort)
    return Attack(
        attackers=tuple(_attacker(ground, board, plan, piece, effort) for piece in plan.attackers),
        defenders=tuple(_defender(ground, piece, ours) for piece in plan.defenders),
        terrain=_known(ground, "terrain", board.map.places[plan.target].terrain),
        fortification=ground.fortification(board, plan.target, plan.enemy),
        attacker_camp=camp_of(plan.side),
        weather=ground.weather(board),
        quality_advantage=_quality(ground, board, plan, effort)[0],
        armour_advantage=_sign(ours - theirs),
        armour_across=ours > theirs >= claimed,
        tiger_advantage=_tigers(plan.attackers) - _tigers(plan.defenders),
        offensive_air=effort.air,
        naval_support=effort.naval,
        hq_support=len(effort.hqs),
        defender_strategic=any("strategic" in piece.states for piece in plan.defenders),
        flak_present=bool(flak_near(ground, board, plan.attackers)),
        defensive_support=len(defending_hqs(ground, board, plan)),
        can_retreat=ground.kept(
            board,
            "can-retreat",
            plan.target,
            lambda on, target: pursuit.can_retreat(ground, on, plan.defenders, target),
        ),
    )


def _attacker(
    ground: Ground, board: Board, plan: Engagement, piece: Piece, effort: Effort
) -> Attacker:
    here = piece.place
    return Attacker(
        name=piece.name,
        factor=piece.number("attack"),
        steps=piece.steps,
        main_force=in_main(ground, board, piece, effort.main),
        crosses=_known(ground, "crosses", board.map.between(here, plan.target)),
        from_flooded=_flooded(board, here),
        unsupplied="unsupplied" in piece.states,
        landing="landed" in piece.states,
        nationality=army_of(piece.nation),
        mechanised=piece.unit_class != NON_MECH,
        by_road=bool(board.map.ways_between(here, plan.target)),
    )


def _defender(ground: Ground, piece: Piece, their_best: int) -> Defender:
    """12.4: as Lead Unit it counts its quality, or its armour against the attacker's best."""
    quality, armour = piece.number("quality"), piece.number("armour") - their_best
    compares = piece.number("armour") > 0 and armour > quality
    return Defender(
        name=piece.name,
        factor=piece.number("defence"),
        steps=piece.steps,
        quality=quality,
        armour=armour,
        lead_uses_armour=compares and ground.options["lead_compares"] == "better",
    )


def _known(ground: Ground, fact: str, features: frozenset[str]) -> tuple[str, ...]:
    """Name features of the map, as far as a fact of the card knows them."""
    known = next(row.values for row in ground.card.facts if row.id == fact)
    return tuple(sorted(features & set(known)))


def _flooded(board: Board, hex_: Hex) -> bool:
    return "flooded" in board.map.places[hex_].terrain


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _quality(
    ground: Ground, board: Board, plan: Engagement, effort: Effort
) -> tuple[int, Piece, Piece]:
    """11.5: compare one unit of the main force with one of the defenders."""
    main = [piece for piece in plan.attackers if in_main(ground, board, piece, effort.main)]
    pick = max if ground.options["quality_compared"] == "best" else min
    ours = pick(main, key=lambda piece: piece.number("quality"))
    theirs = pick(plan.defenders, key=lambda piece: piece.number("quality"))
    return _sign(ours.number("quality") - theirs.number("quality")), ours, theirs


def _armour(ground: Ground, board: Board, plan: Engagement, effort: Effort) -> tuple[int, int, int]:
    """11.4: the attacker's best armour, the best by a way that allows it, the defender's best."""
    own = [
        piece
        for piece in plan.attackers
        if ground.options["armour_compared"] == "all" or in_main(ground, board, piece, effort.main)
    ]
    free = [piece for piece in own if not _barred(board, piece, plan.target)]
    return _best(own), _best(free), _best(plan.defenders)


def _best(pieces: Sequence[Piece]) -> int:
    return max((piece.number("armour") for piece in pieces), default=0)


def _barred(board: Board, piece: Piece, target: Hex) -> bool:
    """11.4: the chart prints no for the hexside that it crosses, or for the hex it comes from."""
    features = board.map.between(piece.place, target)
    across = any(board.map.terrain[id_].values.get("armour") == "no" for id_ in features)
    return across or _flooded(board, piece.place)


def _tigers(pieces: Sequence[Piece]) -> int:
    return int(any(piece.number("tiger") for piece in pieces))


# ------------------------------------------------------------------ reasons


def reasons(
    ground: Ground, board: Board, plan: Engagement, effort: Effort, stated: Attack
) -> Iterator[Line]:
    """Tell why each condition is as it is."""
    yield from _of_the_hex(ground, board, plan, stated)
    inside = [unit.name for unit in stated.attackers if unit.main_force]
    outside = [unit.name for unit in stated.attackers if not unit.main_force]
    yield ground.tell("note", "in-main-force", "10.3", units=", ".join(inside))
    if outside:
        yield ground.tell("note", "out-of-main-force", "10.3", units=", ".join(outside))
    for piece, unit in zip(plan.attackers, stated.attackers, strict=True):
        yield from _of_an_attacker(ground, board, plan, piece, unit)
    yield from _compared(ground, board, plan, effort)
    for leader in stated.defenders:
        if leader.lead_uses_armour:
            armour, quality = leader.armour, leader.quality
            yield ground.tell(
                "note", "leads-by-armour", "12.4", unit=leader.name, value=armour, quality=quality
            )
    for flak in flak_near(ground, board, plan.attackers):
        here = board.map.number(flak.place)
        yield ground.tell("note", "flak-near", "19.1.4", unit=flak.name, value=here)
    for hq in defending_hqs(ground, board, plan):
        here = board.map.number(hq.place)
        doubt = ground.doubt("defensive_hq")
        yield ground.tell("note", "hq-defends", "12.4", unit=hq.name, value=here, reading=doubt)


def _of_the_hex(ground: Ground, board: Board, plan: Engagement, stated: Attack) -> Iterator[Line]:
    target = board.map.number(plan.target)
    words = ground.words_of(board, plan.target)
    yield ground.tell("note", "target-is", value=target, terrain=words)
    if stated.fortification != "none":
        fort = board.map.terrain[stated.fortification].text
        yield ground.tell("note", "fort-holds", value=target, terrain=fort)
    yield ground.tell("note", f"weather-{stated.weather}", value=board.pools.get("turn", 0))
    for piece in plan.defenders:
        if "strategic" in piece.states:
            yield ground.tell("note", "caught-strategic", "9.8", unit=piece.name)
    ways = [
        hex_
        for group in pursuit.groups(ground, board, plan.defenders, plan.target)
        for hex_ in ground.retreats(board, group, (plan.target,), 1)
    ]
    if ways:
        hexes = " ".join(dict.fromkeys(map(board.map.number, ways)))
        yield ground.tell("note", "way-open", "13", hexes=hexes)
    else:
        yield ground.tell("note", "way-closed", "13")


def _of_an_attacker(
    ground: Ground, board: Board, plan: Engagement, piece: Piece, unit: Attacker
) -> Iterator[Line]:
    here = board.map.number(piece.place)
    for feature in unit.crosses:
        river = board.map.barrier(piece.place, plan.target, feature)
        yield ground.tell("note", "across", unit=unit.name, value=here, river=river)
    marks = {
        "from-flooded": (unit.from_flooded, None),
        "attacks-unsupplied": (unit.unsupplied, "18.4"),
        "attacks-landing": (unit.landing, "6.5.2"),
        "by-road": (unit.by_road, "14.4"),
    }
    for phrase, (holds, rule) in marks.items():
        if holds:
            yield ground.tell("note", phrase, rule, unit=unit.name, value=here)


def _compared(ground: Ground, board: Board, plan: Engagement, effort: Effort) -> Iterator[Line]:
    _, ours, theirs = _quality(ground, board, plan, effort)
    yield ground.tell(
        "note",
        "qualities",
        "11.5",
        attacker=ours.name,
        ours=ours.number("quality"),
        defender=theirs.name,
        theirs=theirs.number("quality"),
    )
    best, claimed, other = _armour(ground, board, plan, effort)
    if best or other:
        yield ground.tell("note", "armours", "11.4", ours=best, theirs=other)
    if best > other >= claimed:
        units = ", ".join(p.name for p in plan.attackers if p.number("armour") > other)
        yield ground.tell("note", "armour-is-across", "11.4", units=units)
    for piece in (*plan.attackers, *plan.defenders):
        if piece.number("tiger"):
            yield ground.tell("note", "tiger-here", "11.9", unit=piece.name)
