"""Panzer Grenadier on the map: the orders of an action segment."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from random import Random
from typing import NamedTuple

from grognard.games.panzer_grenadier.battle import enough_fire, may_fire, may_shoot
from grognard.games.panzer_grenadier.ground import (
    ACTED,
    AIRCRAFT,
    Ground,
    is_combat,
    may_act,
    may_use_arms,
    shaken,
)
from grognard.games.panzer_grenadier.march import loads, overload, ride
from grognard.games.panzer_grenadier.stated import TRANSPORT
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.orders import MOVE, TRIES, MoveOrders, no_such_order, some
from grognard.matches.protocol import Words
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

FIRES = 0.5  # how often a drawn deed is direct fire


class Segment(NamedTuple):
    """An action segment: whose it is, where his units stood at its start, from where some have
    acted in it, and who has passed before it."""

    side: str
    turn: int
    starts: Mapping[str, Hex]
    used: frozenset[Hex] = frozenset()
    passed: frozenset[str] = frozenset()


def starts(board: Board, side: str) -> dict[str, Hex]:
    """Give where the units of a side stand."""
    return {piece.name: piece.place for piece in board.of(side)}


# ------------------------------------------------------------------ who may act together


def may_join(
    ground: Ground, board: Board, segment: Segment, names: Iterable[str]
) -> Message | None:
    """Say why units may not act in a segment: those of one hex do, or those near a leader."""
    hexes = segment.used | {segment.starts[name] for name in names}
    if len(hexes) <= 1 or any(hexes <= circle for _, circle in circles(ground, board, segment)):
        return None
    return say("only units of one hex act together, or those in and next to a leader's hex")


def circles(
    ground: Ground, board: Board, segment: Segment
) -> Iterator[tuple[Piece, frozenset[Hex]]]:
    """Give the leaders who may still lead this turn, and the hexes whose units they lead."""
    if ground.options["activation"] == "one_hex":
        return
    hexes = set(segment.starts.values())
    for name, start in segment.starts.items():
        piece = board.piece(name)
        if piece.kind == "leader" and not {"led", "demoralised"} & piece.states and piece.alive:
            yield piece, frozenset(h for h in hexes if h.distance(start) <= ground.leader_reach)


def check_fire(ground: Ground, board: Board, segment: Segment, order: Words) -> None:
    """Refuse a direct fire or an air attack that the rules do not allow."""
    verb, number, *names = order
    target, firers = board.map.hex(number), tuple(map(board.piece, dict.fromkeys(names)))
    ground.enemies_in(board, segment.side, target)
    for piece in firers:
        if verb == "strike":
            ground.refuse(may_strike(ground, piece, segment))
        else:
            ground.refuse(may_fire(ground, board, segment.side, piece, target, segment.turn))
    if not enough_fire(ground, firers):
        raise Refusal(say("the fire value is too small to attack"))


def may_strike(ground: Ground, piece: Piece, segment: Segment) -> Message | None:
    """Say why aircraft may not attack: by day, on their turns, as a segment of its own."""
    if piece.kind != AIRCRAFT:
        return say("{unit} is no aircraft", unit=piece.name)
    turn = segment.turn
    if ground.night(turn) or turn not in ground.stated_turns(f"{piece.side}_air_turns"):
        return say("{unit} does not fly in turn {turn}", unit=piece.name, turn=turn)
    if segment.used:
        return say("an air attack is an action segment of its own")
    return may_act(piece, segment.side)


def may_dig(piece: Piece, side: str) -> Message | None:
    """16.2: combat units dig in, once."""
    problem = may_use_arms(piece, side)
    if problem is None and not is_combat(piece):
        return say("only combat units dig in, not {unit}", unit=piece.name)
    if problem is None and {"dug-in", "digging"} & piece.states:
        return say("{unit} is dug in already", unit=piece.name)
    return problem


def may_recover(piece: Piece, side: str) -> Message | None:
    """14.1: disrupted and demoralised units try to recover, once a turn."""
    problem = may_act(piece, side)
    if problem is None and not shaken(piece):
        return say("{unit} is in good order", unit=piece.name)
    return problem


class SegmentOrders(MoveOrders):
    """What may be ordered in an action segment."""

    field: Ground
    names_ways = False
    known = (
        MOVE,
        say("move TRUCK with UNIT … to HEX"),
        say("fire HEX with UNIT …"),
        say("shoot UNIT with UNIT"),
        say("strike HEX with AIRCRAFT"),
        say("dig UNIT"),
        say("recover UNIT"),
    )

    def __init__(self, field: Ground, board: Board, segment: Segment) -> None:
        super().__init__(field, board, segment.side)
        self.segment = segment

    def units(self, order: Words) -> Words:
        """Name the units that an order uses."""
        match order:
            case ("move", name, _) | ("dig" | "recover", name) | ("shoot", _, name):
                return (name,)
            case ("move", name, *loads, _):
                return name, *dict.fromkeys(loads)
            case ("fire", _, *names):
                return tuple(names)
        return ()

    def check(self, order: Words) -> None:
        """Refuse an order that is not legal."""
        field, board, segment = self.field, self.board, self.segment
        match order:
            case ("end",):
                return
            case ("move", name, number):
                field.route(board, self.movable(name), (number,))
            case ("move", name, *loads, number):
                self._check_ride(
                    self.movable(name), [*map(board.piece, dict.fromkeys(loads))], number
                )
            case ("fire", _, _, *_) | ("strike", _, _):
                check_fire(field, board, segment, order)
            case ("shoot", target, name):
                pieces = board.piece(name), board.piece(target)
                field.refuse(may_shoot(field, board, self.side, *pieces, segment.turn))
            case ("dig", name):
                field.refuse(may_dig(board.piece(name), self.side))
            case ("recover", name):
                field.refuse(may_recover(board.piece(name), self.side))
            case _:
                raise Refusal(no_such_order(order, *self.known))
        field.refuse(may_join(field, board, segment, self.units(order)))

    def _check_ride(self, carrier: Piece, loads: Sequence[Piece], number: str) -> None:
        """Refuse what a truck, wagon or sledge can't carry, and where there is no room for it."""
        field, board = self.field, self.board
        for load in loads:
            field.refuse(ride(field, board, carrier, load))
        field.refuse(overload(field, carrier, loads))
        way = field.route(board, carrier, (number,))
        field.refuse(self._room(loads, way.path[-1]))

    def _room(self, loads: Sequence[Piece], hex_: Hex) -> Message | None:
        return self.field.stacking_problem(self.board, hex_, (*self.board.stack(hex_), *loads))

    def any(self) -> bool:
        """Tell whether anything but the end of the segment can be ordered."""
        quick_to_find = (self._recoveries, self._digs, self._moves, self.deeds)
        return any(True for orders in quick_to_find for _ in orders())

    def _moves(self) -> Iterator[Words]:
        return chain.from_iterable(map(self.moves, self._ready))

    @cached_property
    def _circles(self) -> list[frozenset[Hex]]:
        return [circle for _, circle in circles(self.field, self.board, self.segment)]

    def _joins(self, hexes: Iterable[Hex]) -> bool:
        """Tell whether units that started in some hexes may act in this segment."""
        joined = self.segment.used | set(hexes)
        return len(joined) <= 1 or any(joined <= circle for circle in self._circles)

    @cached_property
    def _able(self) -> list[Piece]:
        """Give the units that may still act in this segment."""
        starts = self.segment.starts
        return [
            piece
            for piece in self.board.of(self.side)
            if ACTED not in piece.states
            and piece.name in starts
            and self._joins((starts[piece.name],))
        ]

    @cached_property
    def _ready(self) -> list[Piece]:
        return [piece for piece in self._able if "demoralised" not in piece.states]

    def pieces(self) -> Iterator[Piece]:
        """Give the pieces that may be moved now."""
        return iter(self._ready)

    def idle(self, piece: Piece) -> Message:
        """Say why a piece does not act in this segment."""
        problem = may_act(piece, self.side)
        if problem is None and piece.name in self.segment.starts:
            problem = may_join(self.field, self.board, self.segment, (piece.name,))
        return problem or super().idle(piece)

    def moves(self, piece: Piece) -> Iterator[Words]:
        """Give every move of a piece, alone and with what it can carry."""
        field, board = self.field, self.board
        ends = [hex_ for hex_ in field.reach(board, piece) if hex_ != piece.at]
        for hex_ in ends:
            yield ("move", piece.name, board.map.number(hex_))
        for group in loads(field, board, piece, self._ready) if piece.kind in TRANSPORT else ():
            names = [load.name for load in group]
            for hex_ in ends:
                if self._room(group, hex_) is None:
                    yield ("move", piece.name, *names, board.map.number(hex_))

    def deeds(self) -> Iterator[Words]:
        """Give every recovery, fire and digging in; direct fires of all able units of a hex or
        near a leader, and of each unit alone."""
        for verb in (self._recoveries, self._fires, self._shots, self._strikes, self._digs):
            yield from verb()

    def draw_deed(self, random: Random) -> Words | None:
        """Draw what is done, then by whom; any group that may fire together."""
        if (fire := self._draw_fire(random)) and random.random() < FIRES:
            return fire
        verbs = [self._recoveries, self._shots, self._strikes, self._digs]
        for verb in random.sample(verbs, len(verbs)):
            if orders := list(verb()):
                return random.choice(orders)
        return fire

    def _draw_fire(self, random: Random) -> Words | None:
        """Draw a target, then hexes whose units act together, then some of those units."""
        targets = [hex_ for hex_, _ in self._targets()]
        for target in random.sample(targets, len(targets)):
            able = self._able_to_fire(target)
            together = self._together(able)
            for _ in range(TRIES if able else 0):
                hexes = random.choice(together)
                group = [p for p in able if self.segment.starts[p.name] in hexes]
                names = [piece.name for piece in some(group, random)] if group else ()
                order = ("fire", self.board.map.number(target), *names)
                if names and self.legal(order):
                    return order
        return None

    def _together(self, able: list[Piece]) -> list[frozenset[Hex]]:
        """Give the hexes whose units act together: those around a leader, and each alone."""
        alone = dict.fromkeys(frozenset({self.segment.starts[piece.name]}) for piece in able)
        return [*self._circles, *alone]

    def _recoveries(self) -> Iterator[Words]:
        for piece in self._able:
            if may_recover(piece, self.side) is None:
                yield ("recover", piece.name)

    def _digs(self) -> Iterator[Words]:
        for piece in self._ready:
            if may_dig(piece, self.side) is None:
                yield ("dig", piece.name)

    def _targets(self) -> Iterator[tuple[Hex, tuple[Piece, ...]]]:
        """Give the hexes in which enemies stand, with them."""
        for hex_, stack in self.board.stacks().items():
            if stack[0].side != self.side:
                yield hex_, stack

    def _able_to_fire(self, target: Hex) -> list[Piece]:
        field, board, turn = self.field, self.board, self.segment.turn
        return [
            p for p in self._ready if may_fire(field, board, self.side, p, target, turn) is None
        ]

    def attacks_on(self, target: Hex) -> Iterator[Words]:
        """Give the direct fires on a hex, and the shots at vehicles in it."""
        yield from self._fires_on(target)
        yield from self._shots_at(self.board.stack(target))

    def _fires(self) -> Iterator[Words]:
        for target, _ in self._targets():
            yield from self._fires_on(target)

    def _fires_on(self, target: Hex) -> Iterator[Words]:
        starts = self.segment.starts
        able = self._able_to_fire(target)
        groups: dict[frozenset[str], Words] = {}
        for hexes in self._together(able):
            self._keep(groups, tuple(p for p in able if starts[p.name] in hexes))
        for piece in able:
            self._keep(groups, (piece,))
        number = self.board.map.number(target)
        return (("fire", number, *names) for names in groups.values())

    def _keep(self, groups: dict[frozenset[str], Words], group: tuple[Piece, ...]) -> None:
        """Keep a group that may fire together, once."""
        names = tuple(piece.name for piece in group)
        if (
            names
            and frozenset(names) not in groups
            and enough_fire(self.field, group)
            and self._joins(self.segment.starts[name] for name in names)
        ):
            groups[frozenset(names)] = names

    def _shots(self) -> Iterator[Words]:
        for _, stack in self._targets():
            yield from self._shots_at(stack)

    def _shots_at(self, stack: Sequence[Piece]) -> Iterator[Words]:
        field, board, turn = self.field, self.board, self.segment.turn
        for victim in stack if self._hunters else ():
            for piece in self._hunters:
                if may_shoot(field, board, self.side, piece, victim, turn) is None:
                    yield ("shoot", victim.name, piece.name)

    @cached_property
    def _hunters(self) -> list[Piece]:
        return [piece for piece in self._ready if "anti_tank" in piece.face]

    def _strikes(self) -> Iterator[Words]:
        for piece in self.board.pieces:
            if piece.side == self.side and piece.kind == AIRCRAFT:
                if may_strike(self.field, piece, self.segment) is not None:
                    continue
                for target, _ in self._targets():
                    yield ("strike", self.board.map.number(target), piece.name)
