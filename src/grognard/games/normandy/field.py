"""Normandy '44 on the map: the turn, its phases, and the orders of each phase."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from grognard.games.normandy import allied_phases, battle
from grognard.games.normandy.air_and_supply import Attrition, AttritionFight
from grognard.games.normandy.battle import Attacks
from grognard.games.normandy.ground import ALLIED, GERMAN, WEATHER, Ground, Weather
from grognard.games.normandy.support import camp_of
from grognard.maps.board import Board, Piece
from grognard.matches.attack_field import Engagement, Phase
from grognard.matches.orders import MOVE, MoveOrders, no_such_order
from grognard.matches.protocol import Doing, Orders, Playing, Roles, Words
from grognard.words.message import say
from grognard.words.refusal import Refusal, near

FOR_A_TURN = (
    "moved",
    "attacked",
    "supported",
    "landed",
    "reserve",
    "strafed",
    "cut-off",
    "defended",
)


class NormandyField(Ground):
    """The sequence of play: weather, then for each side reinforcements, supply, movement,
    strafing of what the Germans moved, combat, Reserve, and attrition at the end."""

    attack = battle.attack

    def phases(self, side: str) -> tuple[Phase, ...]:
        """Give the phases of a side: only the Allies land, and strafe in the German turn."""
        landing = Phase(self.points_phase), Phase(self.landing_phase, "phase-landing", ALLIED)
        strafing = Phase(self.strafing_phase, "phase-strafing", ALLIED)
        return (
            Phase(self.arrivals),
            *(landing if side == ALLIED else ()),
            Phase(self.supply_phase),
            Phase(self.movement_phase, "phase-movement", side),
            *((strafing,) if side == GERMAN else ()),
            Phase(self.combat_phase, "phase-combat", side),
            Phase(self.reserve_phase, "phase-reserve", side),
            Phase(self.end_of_turn),
        )

    # -------------------------------------------------------------- weather

    def turn_begins(self, board: Board, turn: int) -> Playing:
        """Find the weather, and what aircraft and ships can do in this turn."""
        if self.options["weather_source"] == "rolled":
            die = yield from self.roll("weather-roll")
            limits = [self.card.number(f"weather_{word}") for word in WEATHER[:-1]]
            weather = WEATHER[sum(die > limit for limit in limits)]
        else:
            weather = self._stated_weather(turn)
        doubt = self.doubt("weather_source")
        yield self.tell("remark", f"weather-{weather}", value=turn, reading=doubt)
        new = {key: int(self.stated(key, turn)) for key in ("air", "naval", "strafings")}
        new |= {"weather": WEATHER.index(weather), "turn": turn}
        board = replace(board, pools={**board.pools, **new})
        yield board
        return board

    def _stated_weather(self, turn: int) -> Weather:
        word = self.stated("weather", turn)
        for weather in WEATHER:
            if weather == word:
                return weather
        raise Refusal(
            say("there is no weather '{word}'; {near}", word=word, near=near(word, WEATHER))
        )

    # -------------------------------------------------------------- 6 reinforcements

    def arrivals(self, board: Board, side: str, turn: int) -> Playing:
        """Clear the marks of the last turn; bring in by land what arrives without points."""
        board = board.changed(*(p.cleared(*FOR_A_TURN, "strategic") for p in board.of(side)))
        for piece in board.pieces:
            waits = piece.at is None and piece.alive and "row" not in piece.face
            if piece.side == side and waits and 0 < piece.arrives <= turn:
                free = self.entries(board, piece)
                if not free:
                    yield self.tell("remark", "arrival-blocked", "6", unit=piece.name)
                    continue
                board = yield from self.comes_on(board, piece, free, "6", "arrives-in")
                board = yield from self.trampled(board, board.piece(piece.name))
        return board

    def points_phase(self, board: Board, side: str, turn: int) -> Playing:  # noqa: ARG002  # a phase
        """6.5: receive reinforcement points."""
        income = int(self.stated("points", turn))
        board = board.pooled("points", income)
        left = board.pools["points"]
        yield self.tell("remark", "points-received", "6.5", value=income, left=left)
        for army in allied_phases.mulberries(self, turn):
            if army not in allied_phases.mulberries(self, turn - 1):
                name = self.card.phrase(f"army-{army}")
                yield self.tell("remark", "mulberry-built", "6.5", value=army, army=name)
        return board

    def landing_phase(self, board: Board, side: str, turn: int) -> Playing:
        """6.5: spend reinforcement points on what lands."""
        return self.phase(
            board,
            side,
            "phase-landing",
            turn,
            lambda now, _: allied_phases.LandingOrders(self, now, turn),
            asks_always=False,
        )

    # -------------------------------------------------------------- 18 supply

    def supply_phase(self, board: Board, side: str, turn: int) -> Playing:  # noqa: ARG002  # a phase
        """18.4: see who is supplied."""
        return self.check_supply(board, side)

    def check_supply(self, board: Board, side: str) -> Playing:
        """18.4: who is supplied; first whose supply stays as it is only by a reading, as nothing
        else is told of them."""
        fed = self.supplied(board, side)
        for piece in board.of(side):
            served, marked = piece.at in fed, "unsupplied" in piece.states
            if served == marked:
                continue
            doubt = self.swayed(partial(_served, board, piece), *self.supply_options)
            if doubt.doubtful:
                phrase = "stays-supplied" if served else "stays-unsupplied"
                yield self.tell("note", phrase, self.supply_rule, unit=piece.name, reading=doubt)
        return (yield from super().check_supply(board, side))

    def end_of_turn(self, board: Board, side: str, turn: int) -> Playing:  # noqa: ARG002  # a phase
        """18.5: isolated units roll; then disorganised ones recover and marks come off."""
        board = yield from self.attrition(board, side)
        for piece in board.of(side):
            if "disorganised" in piece.states:
                yield self.tell("state", "recovers", unit=piece.name)
            board = board.changed(piece.cleared("disorganised", *FOR_A_TURN))
        yield board
        return board

    def attrition(self, board: Board, side: str) -> Playing:
        """18.5: a roll for each unit of a side that is isolated."""
        fed = self.supplied(board, side)
        at_once = self.options["isolation"] == "at_once"
        cut_off = [
            piece
            for piece in board.of(side)
            if piece.at not in fed and (at_once or "cut-off" in piece.states)
        ]
        if not cut_off:
            return board
        for piece in cut_off:
            yield from self._isolation(board, piece)
        units = tuple(self.isolated(board, piece) for piece in cut_off)
        stated = Attrition(units=units, camp=camp_of(side))
        yield Roles(self.enemy(side), side)
        _, fight = yield from self.fought(stated, AttritionFight, "attrition")
        board = allied_phases.worn(board, fight.defenders)
        yield Roles(side, self.enemy(side))
        return board

    def _isolation(self, board: Board, piece: Piece) -> Doing[None]:
        here, cut = board.map.number(piece.place), self.cut_at(board, piece)
        doubt = self.doubt("isolation")
        yield self.tell(
            "note", "is-isolated", "18.5", unit=piece.name, value=here, reading=doubt, cut=cut
        )
        _, line = self.supply_line(board, piece)
        if line.traced:
            goal = board.map.number(line.path[-1])
            yield self.tell("note", "line-to", "18.5", unit=piece.name, value=goal)
        else:
            yield self.tell("note", "no-line", "18.5", unit=piece.name)

    # -------------------------------------------------------------- 9 movement

    def movement_phase(self, board: Board, side: str, turn: int) -> Playing:
        """One unit after the other, by normal or strategic movement; who has moved stays marked."""
        return self.phase(board, side, "phase-movement", turn, self.move_orders)

    def move_orders(self, board: Board, side: str) -> Orders:
        """Moves, normal and strategic."""
        return Moves(self, board, side)

    def reserve_phase(self, board: Board, side: str, turn: int) -> Playing:
        """Move the Reserve once the combats are over."""
        board = board.changed(*(piece.cleared("moved") for piece in board.of(side)))
        if self.options["reserve"] != "second_move":
            return board
        orders = partial(ReserveOrders, self)
        phase = self.phase(board, side, "phase-reserve", turn, orders, asks_always=False)
        return (yield from phase)

    # -------------------------------------------------------------- 19.1.3 strafing

    def strafing_phase(self, board: Board, side: str, turn: int) -> Playing:
        """19.1.3: Allied aircraft look for what the Germans have moved."""
        yield Roles(ALLIED, side)
        board = yield from self.phase(
            board,
            ALLIED,
            "phase-strafing",
            turn,
            lambda now, _: allied_phases.StrafingOrders(self, now),
            asks_always=False,
        )
        yield Roles(side, ALLIED)
        return board

    # -------------------------------------------------------------- 10 combat

    def attack_orders(self, board: Board, side: str) -> Orders:
        """Attacks; a unit attacks once a turn."""
        return Attacks(self, board, side)

    def engagement(self, board: Board, side: str, order: Words) -> Engagement:
        """Read an attack order, and refuse what the rules do not allow."""
        plan = super().engagement(board, side, order)
        battle.check_plan(self, board, plan)
        return plan

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Carry an order out."""
        match order:
            case ("land", *_):
                return allied_phases.lands(self, board, order, board.pools["turn"])
            case ("strategic", *_):
                return self.moves_strategically(board, order)
            case ("strafe", number):
                return allied_phases.strafes(self, board, board.map.hex(number))
        return super().carry_out(board, side, order)


def _served(board: Board, piece: Piece, field: Ground) -> bool:
    return piece.at in field.supplied(board, piece.side)


# ------------------------------------------------------------------ orders


class Moves(MoveOrders):
    """9.8 adds strategic movement to what may be ordered."""

    field: Ground

    def check(self, order: Words) -> None:
        """Refuse a move that is not legal."""
        match order:
            case ("strategic", name, number):
                self.field.strategic_route(self.board, self.movable(name), number)
            case ("end",) | ("move", _, _, *_):
                super().check(order)
            case _:
                raise Refusal(no_such_order(order, MOVE, say("strategic UNIT HEX")))

    def moves(self, piece: Piece) -> Iterator[Words]:
        """Give every move of a piece, and its strategic ones."""
        yield from super().moves(piece)
        for hex_ in self.field.strategic_reach(self.board, piece):
            yield ("strategic", piece.name, self.board.map.number(hex_))


class ReserveOrders(MoveOrders):
    """Only units in Reserve move again."""

    def movable(self, name: str) -> Piece:
        """Find a unit in Reserve, or refuse it."""
        piece = super().movable(name)
        if "reserve" not in piece.states:
            raise Refusal(say("{unit} is not in Reserve", unit=name))
        return piece

    def pieces(self) -> Iterator[Piece]:
        """Give the units in Reserve."""
        return (piece for piece in super().pieces() if "reserve" in piece.states)


FIELD = NormandyField
