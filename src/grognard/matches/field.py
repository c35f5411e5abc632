"""The rules of a game on the map: named hooks, with the hobby's common rules as defaults.

A game overrides the hooks in which its rulebook differs. Like all rules these never roll or decide:
the sequence of play is a generator that asks for orders, choices and rolls, hands over each fight
to be resolved, and yields lines that tell what happens.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from grognard.card.dice import Dice
from grognard.card.rows import CERTAIN, Reading, Side
from grognard.fights.play import Play
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.movement import Reached
from grognard.maps.no_way import no_way
from grognard.matches.board_rules import BoardRules
from grognard.matches.protocol import (
    END,
    Doing,
    Order,
    Orders,
    Playing,
    Verdict,
    Words,
    order_words,
)
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Case, Fight, Setup
from grognard.words.message import Message
from grognard.words.numbers import mixed
from grognard.words.refusal import Refusal

T = TypeVar("T")
F = TypeVar("F", bound=Fight)
K = TypeVar("K", bound=Hashable)
A = TypeVar("A", bound=Answer)


class Field(BoardRules):
    """A scenario with the rules of its game: what a board allows, and the sequence of play."""

    # -------------------------------------------------------------- reinforcements

    def entries(self, board: Board, piece: Piece) -> list[Hex]:
        """Give the hexes in which a reinforcement may arrive."""
        late = self.options.get("late_arrival") == "any_source"
        for hexes in (piece.entry, board.map.sources_of(piece.side) if late else []):
            if free := [hex_ for hex_ in hexes if self.may_end(board, piece, hex_) is None]:
                return free
        return []

    def arrival_doubt(self, board: Board, piece: Piece) -> Reading:
        """Give the reading that decides where a reinforcement may arrive."""
        return self.swayed(lambda field: field.entries(board, piece), *self.arrival_options)

    def reinforced(self, board: Board, side: str, turn: int, rule: str | None = None) -> Playing:
        """Bring on the reinforcements of a side for this turn."""
        for piece in board.pieces:
            if piece.side == side and piece.arrives == turn and piece.at is None and piece.alive:
                board = yield from self.arrives(board, piece, rule)
        return board

    def arrives(self, board: Board, piece: Piece, rule: str | None) -> Playing:
        """Bring a reinforcement on; it waits a turn if its hexes are closed."""
        free = self.entries(board, piece)
        if not free:
            doubt = self.arrival_doubt(board, piece)
            yield self.tell("remark", "arrival-blocked", rule, unit=piece.name, reading=doubt)
            return board.changed(replace(piece, arrives=piece.arrives + 1))
        board = yield from self.comes_on(board, piece, free, rule)
        yield board
        return board

    def comes_on(
        self,
        board: Board,
        piece: Piece,
        free: Sequence[Hex],
        rule: str | None,
        phrase: str = "arrives",
        reading: Reading | None = None,
    ) -> Playing:
        """Let the owner choose in which of the free hexes a reinforcement arrives."""
        hex_ = yield from self.choose_hex(board, "attacker", "arrives-where", free, piece.name)
        doubt = reading or self.arrival_doubt(board, piece)
        number = board.map.number(hex_)
        yield self.tell("remark", phrase, rule, unit=piece.name, value=number, reading=doubt)
        return board.changed(piece).moved([piece.name], hex_, held=self.takes_hexes(piece))

    # -------------------------------------------------------------- the sequence of play

    def sequence(self, board: Board, since: Order | None = None) -> Playing:
        """Run the whole match: turns, phases, orders, fights. With an order of a match, go on from
        the question for it, on a board that may differ; its phase begins anew there."""
        raise NotImplementedError

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Carry out one order. Previews use it too, so it must not change the field."""
        raise NotImplementedError

    def attack_orders(self, board: Board, side: str) -> Orders:  # noqa: ARG002  # a hook
        """Give the attacks that a side could order on a board, whatever phase it is."""
        return Orders()

    def fights(self, piece: Piece) -> bool:
        """Tell whether a piece fights in the line (or follows behind it)."""
        return self.exerts_zoc(piece)

    def leads(self, piece: Piece) -> bool:  # noqa: ARG002  # games look at it
        """Tell whether a piece that does not fight belongs among the troops, not behind them."""
        return False

    def aims(self, board: Board) -> dict[Hex, int]:
        """Give the hexes that the automatic player wants to hold, each with its worth in points."""
        return {board.map.hex(one.hex): one.points for one in self.scenario.objectives}

    def rested(self, board: Board) -> Board:
        """Give a board as the next turn finds it, if nothing else happens in this one."""
        return board

    def weighs(self, ask: Choose) -> bool:  # noqa: ARG002  # games look at it
        """Tell whether the automatic player compares what the answers to a question before a fight
        lead to. Games put the best answer first, or it takes the first one."""
        return False

    def victory_points(self, board: Board) -> dict[str, int]:
        """Count the objectives that each side holds, and its handicap."""
        given = self.scenario.handicap
        points = {side.id: given.get(side.id, 0) for side in self.scenario.sides}
        for objective in self.scenario.objectives:
            holder = board.holders.get(board.map.hex(objective.hex))
            if holder is not None:
                points[holder] += objective.points
        return points

    def verdict(self, board: Board) -> Verdict:
        """Count the points of each side; more points win."""
        points = self.victory_points(board)
        first, second = points
        if points[first] == points[second]:
            return Verdict(points, None)
        return Verdict(points, first if points[first] > points[second] else second)

    # -------------------------------------------------------------- steps that games share

    def refuse(self, problem: Message | None) -> None:
        """Refuse where there is a problem."""
        if problem is not None:
            raise Refusal(problem)

    def choose(
        self, side: Side, what: str, options: tuple[A, ...], rule: str | None = None, unit: str = ""
    ) -> Doing[A]:
        """Let a side choose; a single option needs no question."""
        if len(options) == 1:
            return options[0]
        answer = yield Choose(side, what, options, rule, (("unit", unit),) if unit else ())
        return options[[*map(str, options)].index(str(answer))]

    def choose_hex(
        self, board: Board, side: Side, what: str, hexes: Sequence[Hex], unit: str = ""
    ) -> Doing[Hex]:
        """Let a side choose among hexes."""
        numbers = tuple(map(board.map.number, hexes))
        number = yield from self.choose(side, what, numbers, None, unit)
        return hexes[numbers.index(number)]

    def roll(self, what: str, dice: int = 1, rule: str | None = None, unit: str = "") -> Doing[int]:
        """Ask for a roll of dice and give its sum."""
        rolled = Dice(dice)
        answer = yield Roll(what, rolled, rule, (("unit", unit),) if unit else ())
        return rolled.value(answer)

    def order(self, side: str, phase: str, turn: int, board: Board, orders: Orders) -> Doing[Words]:
        """Ask a side for an order."""
        answer = yield Order(side, phase, turn, board, orders)
        return order_words(answer) if isinstance(answer, tuple) else END

    def phase(
        self,
        board: Board,
        side: str,
        name: str,
        turn: int,
        orders: Callable[[Board, str], Orders],
        *,
        asks_always: bool = True,
    ) -> Playing:
        """Ask a side for orders and carry each out, until it ends the phase. A phase that does not
        always ask ends by itself when nothing is left to order."""
        while True:
            known = orders(board, side)
            if not (asks_always or any(known.pieces()) or any(known.deeds())):
                return board
            words = yield from self.order(side, name, turn, board, known)
            if words == END:
                return board
            board = yield from self.carry_out(board, side, words)

    def resolve(self, fight: Fight) -> Doing[Play]:
        """Hand a fight over to be resolved, and take its finished play."""
        play = yield fight
        if not isinstance(play, Play):
            raise TypeError("a fight is answered with its finished play")
        return play

    def check_fight(self, setup: Setup, procedure: str | None = None) -> None:
        """Refuse a fight that the rules forbid; options that decide it are looked at here."""
        rules = self.game.procedure(procedure)
        rules.check(setup, self.card, self.options)
        rules.start(Case(self.card, self.options, setup, rules))

    def fought(
        self, setup: Setup, kind: type[F], procedure: str | None = None
    ) -> Doing[tuple[Play, F]]:
        """Hand a fight over to be resolved; give its play, and the fight as it ended."""
        play = yield from self.resolve(
            self.game.fight(setup, procedure=procedure, options=self.options)
        )
        if not isinstance(play.fight, kind):
            raise TypeError(f"a {kind.__name__} ends as one")
        return play, play.fight

    def route(self, board: Board, piece: Piece, numbers: Words) -> Reached:
        """Find the path of an order: the cheapest one to a hex, or through every hex named; refuse
        what can't be reached, and say why."""
        hexes = [board.map.hex(number) for number in numbers]
        if len(hexes) > 1 and piece.at is not None:
            return self.along(board, piece, (piece.at, *hexes))
        found = self.way_to(board, piece, hexes[-1])
        if found is None or len(found.path) < 2:
            raise Refusal(self.move_problem(board, piece, hexes[-1]))
        return found

    def move_problem(self, board: Board, piece: Piece, hex_: Hex) -> Message:
        """Say why a piece can't move to a hex: cost, obstacles, or what keeps it from staying."""
        ending = self.may_end(board, piece, hex_)
        return no_way(board.map, piece, self.mobilities(board, piece), hex_, ending)

    def move_doubt(self, board: Board, piece: Piece, path: Sequence[Hex]) -> Reading:  # noqa: ARG002  # a hook
        """Give the reading on which it depends what a move leaves behind for later."""
        return CERTAIN

    def moves(self, board: Board, words: Words, rule: str | None = None) -> Playing:
        """Carry out a move: `move UNIT HEX`."""
        piece = board.piece(words[1])
        way = self.route(board, piece, words[2:])
        number = board.map.number(way.path[-1])
        yield self.tell(
            "remark",
            "moves",
            rule,
            unit=piece.name,
            value=number,
            cost=mixed(way.cost),
            reading=self.move_doubt(board, piece, way.path),
        )
        taken = self.takes_hexes(piece)
        board = board.changed(piece.marked("moved"))
        board = board.moved([piece.name], way.path[-1], held=taken)
        if taken and self.holds_in_passing():
            board = board.held(way.path, piece.side)
        yield board
        return board

    def turns_over(self, board: Board, name: str) -> Playing:
        """Lay a piece on top of its stack."""
        board = board.on_top(name)
        yield board
        return board

    def loses(self, board: Board, side: Side, name: str, rule: str | None = None) -> Playing:
        """Take a step from a piece on the board."""
        left = board.piece(name).steps - 1
        yield self.tell("loss", "loses-step", rule, side=side, unit=name, value=left)
        if not left:
            yield self.tell("eliminated", "is-eliminated", rule, side=side, unit=name)
        return board.with_steps(name, left)

    def one_loses(
        self, board: Board, side: Side, names: Sequence[str], rule: str | None = None
    ) -> Playing:
        """Let the owner choose which of the named pieces loses a step."""
        name = yield from self.choose(side, "which-loses", tuple(names), rule)
        return (yield from self.loses(board, side, name, rule))
