"""The rules of a game on the map: named hooks, with the hobby's common rules as defaults.

A game overrides the hooks in which its rulebook differs. Like all rules these never roll or decide:
the sequence of play is a generator that asks for orders, choices and rolls, hands over each fight
to be resolved, and yields lines that tell what happens.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Self, TypeVar

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.dice import Dice
from grognard.card.rows import Reading, Side, joined_readings
from grognard.fights.play import Play
from grognard.maps.board import Board, Map, Piece
from grognard.maps.hexes import Hex
from grognard.maps.mobility import Mobility
from grognard.maps.movement import POINT, Entry, Reached, steps
from grognard.maps.no_way import no_walk, no_way
from grognard.maps.scenario import Player, Scenario
from grognard.maps.scenario_checks import Needs
from grognard.maps.supply_lines import Supply, trace
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
from grognard.rules import game
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight, Setup
from grognard.rules.line import Teller
from grognard.words.message import Message, say
from grognard.words.numbers import mixed
from grognard.words.refusal import Refusal

T = TypeVar("T")
F = TypeVar("F", bound=Fight)
K = TypeVar("K", bound=Hashable)
A = TypeVar("A", bound=Answer)


class _Found:
    """Facts worked out for one board."""

    def __init__(self, board: Board | None = None) -> None:
        self.board = board
        self.facts: dict[tuple[str, Hashable], Any] = {}
        self.ways: dict[str, tuple[Piece, dict[Hex, Reached]]] = {}  # by the piece's name


class Field(Teller):
    """A scenario with the rules of its game.

    A field belongs to one match, and so to one thread at a time: it keeps what it has worked out
    for the board of the moment. What a game finds about the map alone may be shared (`lru_cache` on
    a function of the map): a map never changes, and a value found twice is the same value.
    """

    zoc_stops = True  # a move ends on entering an enemy zone of control
    zoc_to_zoc = False  # whether a piece may step from one enemy zone straight into another
    zoc_exit = 0  # sixths of a movement point to leave one
    supply_length: int | None = None  # hexes of a supply line; None: any
    choices: type[dict[str, str]] = dict  # of its options; marks watch what is looked at
    # Options that may decide what is told between orders
    supply_options: tuple[str, ...] = ("supply_zoc",)
    arrival_options: tuple[str, ...] = ("late_arrival",)

    @classmethod
    def needs(cls, card: Card) -> Needs:  # noqa: ARG003  # games look at it
        """Give what the rules must find in a scenario, checked when it is read; a hook."""
        return Needs()

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.game = game.load(scenario.game)
        self.card = self.game.card
        self.options = self.choices(self.card.chosen(scenario.options))

        self._others: dict[tuple[str, str], Self] = {}
        self._found = _Found()
        self._felt: dict[tuple[Map, Hex], tuple[Hex, ...]] = {}

    def under(self, option: str, choice: str) -> Self:
        """Give the same battle under another choice of an option."""
        if (option, choice) not in self._others:
            changed = self.scenario.with_options({**self.scenario.options, option: choice})
            self._others[option, choice] = type(self)(changed)
        return self._others[option, choice]

    def swayed(self, fact: Callable[[Self], object], *options: str) -> Reading:
        """Give the reading of those of these options under which a fact would be another."""
        found = fact(self)
        return joined_readings(
            self.doubt(option.id)
            for option in self.card.options
            if option.id in options
            and any(fact(self.under(option.id, c.id)) != found for c in option.choices)
        )

    def kept(self, board: Board, what: str, of: K, find: Callable[[Board, K], T]) -> T:
        """Look a fact about a board up; work it out the first time it is asked for."""
        facts = self._found_for(board).facts
        if (what, of) not in facts:
            facts[what, of] = find(board, of)
        found: T = facts[what, of]
        return found

    def _found_for(self, board: Board) -> "_Found":
        """Give the facts known about a board; those about another board are dropped."""
        if self._found.board is not board:
            self._found = _Found(board)
        return self._found

    # -------------------------------------------------------------- sides

    def player(self, side: str) -> Player:
        return next(player for player in self.scenario.sides if player.id == side)

    def enemy(self, side: str) -> str:
        first, second = self.scenario.sides
        return second.id if side == first.id else first.id

    def enemies_in(self, board: Board, side: str, hex_: Hex) -> tuple[Piece, ...]:
        """Give the enemies of a side in a hex, or refuse a hex without any."""
        if board.side_of(hex_) != self.enemy(side):
            raise Refusal(say("there is no enemy in {hex}", hex=board.map.number(hex_)))
        return board.stack(hex_)

    # -------------------------------------------------------------- zones of control

    def exerts_zoc(self, piece: Piece) -> bool:
        """Tell whether a piece has a zone of control."""
        return piece.alive

    def zoc_reaches(self, board: Board, here: Hex, there: Hex) -> bool:
        """Tell whether a zone of control reaches across a hexside."""
        return not any(
            board.map.terrain[feature].values.get("no_zoc")
            for feature in board.map.between(here, there)
        )

    def zoc(self, board: Board, side: str) -> frozenset[Hex]:
        """Give the hexes in the zones of control of a side."""
        return self.kept(board, "zoc", side, self._zoc)

    def _zoc(self, board: Board, side: str) -> frozenset[Hex]:
        return frozenset().union(
            *(
                self._zoc_around(board, hex_)
                for hex_, stack in board.stacks().items()
                if stack[0].side == side and any(map(self.exerts_zoc, stack))
            )
        )

    def _zoc_around(self, board: Board, hex_: Hex) -> tuple[Hex, ...]:
        """Give the hexes that a zone of control reaches from a hex; worked out once for a map."""
        felt = self._felt.get((board.map, hex_))
        if felt is None:
            around = board.map.around[hex_]
            felt = tuple(at for at in around if self.zoc_reaches(board, hex_, at))
            self._felt[board.map, hex_] = felt
        return felt

    def occupied(self, board: Board, side: str) -> frozenset[Hex]:
        """Give the hexes in which pieces of a side stand."""
        return self.kept(board, "occupied", side, self._occupied)

    def _occupied(self, board: Board, side: str) -> frozenset[Hex]:
        return frozenset(hex_ for hex_, stack in board.stacks().items() if stack[0].side == side)

    # -------------------------------------------------------------- movement

    def allowance(self, board: Board, piece: Piece) -> int:  # noqa: ARG002  # games look at the board
        """Give the movement allowance of a piece, in sixths of a movement point."""
        return piece.move * POINT

    def may_move(self, board: Board, piece: Piece) -> Message | None:  # noqa: ARG002  # a hook
        """Say why a piece may not move now; None where it may."""
        if piece.at is None:
            return say("{unit} is not on the map", unit=piece.name)
        if "moved" in piece.states:
            return say("{unit} has moved already", unit=piece.name)
        return None

    def entry(
        self, board: Board, piece: Piece, here: Hex, there: Hex, *, first: bool
    ) -> Entry | None:
        """Give the cost of a step by the terrain alone; None where it is forbidden."""
        step = steps(board.map, piece.unit_class)[here, there]
        across = step.at_first if first else step.across
        if step.by_way is None or not self.way_helps(board, piece, here, there):
            return across
        return step.by_way if across is None else min(step.by_way, across)

    def enters(self, board: Board, piece: Piece, hex_: Hex) -> bool:
        """Tell whether the terrain lets a piece step into a hex beside it."""
        if piece.at is None or piece.at.distance(hex_) != 1:
            return False
        return self.entry(board, piece, piece.at, hex_, first=True) is not None

    def way_helps(self, board: Board, piece: Piece, here: Hex, there: Hex) -> bool:  # noqa: ARG002  # games look at it
        """Tell whether a piece may use the road between two hexes."""
        return True

    def reach(self, board: Board, piece: Piece) -> dict[Hex, Reached]:
        """Find where a piece can go; worked out once for a board, as lists and checks both ask."""
        ways = self._found_for(board).ways
        known = ways.get(piece.name)
        if known is None or known[0] is not piece:
            known = ways[piece.name] = piece, self.find_reach(board, piece)
        return known[1]

    def find_reach(self, board: Board, piece: Piece) -> dict[Hex, Reached]:
        """Find where a piece can go: never into enemies, ending in zones of control, and only
        where it may stand at the end."""
        found: dict[Hex, Reached] = {}
        for mobility in self.mobilities(board, piece):
            for hex_, way in mobility.reach().items():
                if hex_ not in found or way.sixths < found[hex_].sixths:
                    found[hex_] = way
        return {
            hex_: way
            for hex_, way in found.items()
            if hex_ == piece.at or self.may_end(board, piece, hex_) is None
        }

    def mobilities(self, board: Board, piece: Piece) -> tuple[Mobility, ...]:
        """Give the ways of moving among which a piece may choose; none for one that stays."""
        return (self.mobility(board, piece),) if piece.at and piece.move else ()

    def mobility(self, board: Board, piece: Piece) -> Mobility:
        """Give how a piece moves on this board, with enemies and their zones of control."""
        return Mobility(
            piece.place,
            self.allowance(board, piece),
            board.map.around,
            lambda here, there, first: self.entry(board, piece, here, there, first=first),
            self.closed(board, piece),
            self.zoc(board, self.enemy(piece.side)),
            "stops" if self.zoc_stops else "free",
            self.zoc_to_zoc,
            self.zoc_exit,
        )

    def closed(self, board: Board, piece: Piece) -> frozenset[Hex]:
        """Give the hexes that a piece may not enter because of enemies in them."""
        return self.occupied(board, self.enemy(piece.side))

    def along(self, board: Board, piece: Piece, path: tuple[Hex, ...]) -> Reached:
        """Walk a path hex by hex; refuse one that is not allowed or costs too much."""
        ending = self.may_end(board, piece, path[-1])
        problem = say("{unit} does not move", unit=piece.name)
        for mobility in self.mobilities(board, piece):
            walked = mobility.walk(path)
            within = walked.reached.sixths <= mobility.allowance
            if within and not walked.obstacle and not ending:
                return walked.reached
            problem = no_walk(board.map, piece, mobility, path, ending)
        raise Refusal(problem)

    def may_end(self, board: Board, piece: Piece, hex_: Hex) -> Message | None:
        """Say why a piece may not end its move in a hex; None where it may."""
        return self.stacking_problem(board, hex_, (*board.stack(hex_), piece))

    # -------------------------------------------------------------- stacking

    def stacking_problem(
        self,
        board: Board,  # noqa: ARG002  # games look at the board
        hex_: Hex,  # noqa: ARG002  # games look at it
        pieces: tuple[Piece, ...],
    ) -> Message | None:
        """Say why pieces may not stand together in a hex; None where they may."""
        if len(pieces) > 1 and len({piece.side for piece in pieces}) > 1:
            return say("the hex is occupied by the enemy")
        return None

    def fits(self, board: Board, hex_: Hex, pieces: Sequence[Piece]) -> bool:
        """Tell whether pieces may stand in a hex together with the others that are there."""
        names = {piece.name for piece in pieces}
        others = (piece for piece in board.stack(hex_) if piece.name not in names)
        return self.stacking_problem(board, hex_, (*others, *pieces)) is None

    # -------------------------------------------------------------- supply

    def supplies(self, board: Board, side: str, hex_: Hex) -> bool:
        """Tell whether a hex is a supply source of a side."""
        return board.map.sources.get(hex_) == side and board.side_of(hex_) != self.enemy(side)

    def shut(self, board: Board, side: str) -> frozenset[Hex]:
        """Give the hexes that no supply line of a side may pass."""
        return self.kept(board, "shut", side, self.find_shut)

    def find_shut(self, board: Board, side: str) -> frozenset[Hex]:
        """Find what is shut: enemies, and their zones of control, unless friends stand there and
        open them (option `supply_zoc`)."""
        enemy = self.enemy(side)
        shut = self.zoc(board, enemy) | self.occupied(board, enemy)
        if self.options.get("supply_zoc") == "never":
            return shut
        return shut - self.occupied(board, side)

    def supplied(self, board: Board, side: str) -> frozenset[Hex]:
        """Give the hexes in which a unit of a side would be supplied."""
        return self.kept(board, "supplied", side, self.find_supplied)

    def find_supplied(self, board: Board, side: str) -> frozenset[Hex]:
        """Follow all lines backwards from the sources. A unit may stand in a shut hex: its line
        begins there."""
        sources, shut = self.sources(board, side), self.shut(board, side)
        return board.map.flood.spread(sources, shut, self.supply_length)

    def sources(self, board: Board, side: str) -> list[Hex]:
        """Give the supply sources that serve a side now."""
        return [hex_ for hex_ in board.map.sources if self.supplies(board, side, hex_)]

    def supply(self, board: Board, piece: Piece) -> Supply:
        """Trace the shortest supply line of a piece, or tell which hexes cut it."""
        if piece.at is None:
            return Supply(())
        side = piece.side
        return self.line_to(board, side, piece.at, lambda hex_: self.supplies(board, side, hex_))

    def line_to(self, board: Board, side: str, start: Hex, goal: Callable[[Hex], bool]) -> Supply:
        """Trace the shortest line of a side to a goal, or tell which hexes cut it."""
        shut = self.shut(board, side)
        return trace(board.map.around, start, goal, shut, longest=self.supply_length)

    def cut_at(self, board: Board, piece: Piece) -> str:
        """Name the first hexes that cut the supply line of a piece."""
        return " ".join(map(board.map.number, self.supply(board, piece).cut_by[:4])) or "-"

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
        return board.changed(piece).moved([piece.name], hex_)

    # -------------------------------------------------------------- the sequence of play

    def sequence(self, board: Board) -> Playing:
        """Run the whole match: turns, phases, orders, fights."""
        raise NotImplementedError

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Carry out one order. Previews use it too, so it must not change the field."""
        raise NotImplementedError

    def fights(self, piece: Piece) -> bool:
        """Tell whether a piece fights in the line (or follows behind it)."""
        return self.exerts_zoc(piece)

    def weighs(self, ask: Choose) -> bool:  # noqa: ARG002  # games look at it
        """Tell whether the automatic player compares what the answers to a question before a fight
        lead to. Games put the best answer first, or it takes the first one."""
        return False

    def victory_points(self, board: Board) -> dict[str, int]:
        """Count the objectives that each side holds."""
        points = {side.id: 0 for side in self.scenario.sides}
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
        found = self.reach(board, piece).get(hexes[-1])
        if found is None or len(found.path) < 2:
            raise Refusal(self.move_problem(board, piece, hexes[-1]))
        return found

    def move_problem(self, board: Board, piece: Piece, hex_: Hex) -> Message:
        """Say why a piece can't move to a hex: cost, obstacles, or what keeps it from staying."""
        ending = self.may_end(board, piece, hex_)
        return no_way(board.map, piece, self.mobilities(board, piece), hex_, ending)

    def moves(self, board: Board, words: Words, rule: str | None = None) -> Playing:
        """Carry out a move: `move UNIT HEX`."""
        piece = board.piece(words[1])
        way = self.route(board, piece, words[2:])
        number = board.map.number(way.path[-1])
        yield self.tell(
            "remark", "moves", rule, unit=piece.name, value=number, cost=mixed(way.cost)
        )
        board = board.changed(piece.marked("moved")).moved([piece.name], way.path[-1])
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
