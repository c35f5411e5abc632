"""The common rules of a board, which games override: zones of control, movement, stacking,
supply.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Self, TypeVar

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import Reading, joined_readings
from grognard.maps.board import Board, Map, Piece
from grognard.maps.hexes import Hex
from grognard.maps.mobility import Mobility
from grognard.maps.movement import POINT, Entry, Reached, steps
from grognard.maps.no_way import no_walk
from grognard.maps.scenario import OptionalPart, Player, Scenario
from grognard.maps.scenario_checks import Needs
from grognard.maps.supply_lines import Supply, trace
from grognard.matches.deployment_areas import Areas
from grognard.rules import game
from grognard.rules.ask import Answer
from grognard.rules.fight import Fight
from grognard.rules.line import Teller
from grognard.words.message import Message, say
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
        self.routes: dict[tuple[str, Hex], tuple[Piece, Reached | None]] = {}  # and the hex


class BoardRules(Teller):
    """A scenario with what its game allows on a board.

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
    setup_options: tuple[str, ...] = ()
    deployment_rule: str | None = None

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
        self._found, self._found_before = _Found(), _Found()
        self._felt: dict[tuple[Map, Hex], tuple[Hex, ...]] = {}

    @cached_property
    def areas(self) -> Areas:
        """The areas in which units are deployed."""
        return Areas(self.scenario)

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

    def setup_doubt(self) -> Reading:
        """Give the readings on which the set-up depends: areas and units, and those of the game."""
        parts: tuple[OptionalPart, ...] = (*self.scenario.areas, *self.scenario.units)
        asked = {option for part in parts for option in part.when} | {*self.setup_options}
        return joined_readings(self.doubt(o.id) for o in self.card.options if o.id in asked)

    def kept(self, board: Board, what: str, of: K, find: Callable[[Board, K], T]) -> T:
        """Look a fact about a board up; work it out the first time it is asked for."""
        facts = self._found_for(board).facts
        if (what, of) not in facts:
            facts[what, of] = find(board, of)
        found: T = facts[what, of]
        return found

    def _found_for(self, board: Board) -> "_Found":
        """Give the facts known about a board. Those about the last two boards are kept: the board
        itself, and as a side sees it."""
        if self._found.board is not board:
            self._found, self._found_before = self._found_before, self._found
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

    # -------------------------------------------------------------- what a side sees

    def hides_stacks(self) -> bool:
        """Tell whether a side sees the top counter of an enemy stack only."""
        return False

    def hidden(self, board: Board, viewer: str) -> frozenset[str]:  # noqa: ARG002  # a hook
        """Name the enemy pieces that a side may not look at: none, unless a game hides stacks."""
        return frozenset()

    def seen(self, board: Board, viewer: str) -> Board:
        """Give a board as a side sees it, without the pieces hidden from it."""
        hidden = self.hidden(board, viewer)
        return board.changed(*(replace(board.piece(name), at=None) for name in hidden))

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

    def way_to(self, board: Board, piece: Piece, hex_: Hex) -> Reached | None:
        """Find the way of a piece to a hex: that of `reach`, or a shorter search where `reach` has
        not been asked for, as when a saved match is played again."""
        found = self._found_for(board)
        known = found.ways.get(piece.name)
        if known is not None and known[0] is piece:
            return known[1].get(hex_)
        before = found.routes.get((piece.name, hex_))
        if before is None or before[0] is not piece:
            before = found.routes[piece.name, hex_] = piece, self._find_way(board, piece, hex_)
        return before[1]

    def _find_way(self, board: Board, piece: Piece, hex_: Hex) -> Reached | None:
        if hex_ != piece.at and self.may_end(board, piece, hex_) is not None:
            return None
        ways = (mobility.way_to(hex_) for mobility in self.mobilities(board, piece))
        return min((way for way in ways if way), key=lambda way: way.sixths, default=None)

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
            barred=self.off_limits(board, piece),
        )

    def off_limits(self, board: Board, piece: Piece) -> frozenset[Hex]:  # noqa: ARG002  # games look at it
        """Give the hexes that a rule forbids a piece to enter; `may_end` says why."""
        return frozenset()

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

    def holds_in_passing(self) -> bool:
        """Tell whether a move takes every hex that it passes, not only the last."""
        return False

    def takes_hexes(self, piece: Piece) -> bool:  # noqa: ARG002  # a hook
        """Tell whether a piece takes control of the hexes that it enters."""
        return True

    # -------------------------------------------------------------- stacking

    def deployment_problem(
        self,
        board: Board,
        piece: Piece,  # noqa: ARG002  # games look at it
        hex_: Hex,
        together: tuple[Piece, ...],
    ) -> Message | None:
        """Say why a piece may not be deployed in a hex with those who are there; None where it
        may."""
        return self.stacking_problem(board, hex_, together)

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
