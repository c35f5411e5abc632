"""The value of a board for a side: its possible attacks, and those of the enemy."""

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.field import Field
from grognard.matches.protocol import Words
from grognard.players.attack_plan import Candidate, best_combination
from grognard.players.facts_by_hex import FactsByHex
from grognard.players.forecast import Expected, expected
from grognard.players.known_attacks import Comers, Foreseen, KnownAttacks, Placed
from grognard.players.plans import NEARER, Plans
from grognard.players.stakes import Stakes, objectives
from grognard.players.work import LOOK, REBASE, size
from grognard.rules.fight import Fight

BEHIND = 20  # value of a hex nearer to the right distance behind the line
WALKS_IN = 80  # percent of an objective that counts as lost if the enemy can walk into it
NEXT_FIRE = 50  # percent of the fire of a unit in the next turn that counts where it stands now
LOWEST = -(10**9)  # below the value of any board


class Threat(NamedTuple):
    """An attack of the enemy on a hex with all who can come, and its value for him."""

    hex: Hex
    value: int
    order: Words
    placed: Placed  # where its units would stand


class Attackable(NamedTuple):
    """A stack of this side, and where the enemies who can come to attack it would stand."""

    hex: Hex
    names: tuple[str, ...]
    placed: Placed


class Outlook:
    """Values of boards that differ in where one side's pieces stand.

    The reach of the enemy is that on the first board, or on the one that it was rebased to. Until
    then an attack of his keeps its value for all boards on which he can come to it alike.
    """

    def __init__(
        self,
        field: Field,
        board: Board,
        side: str,
        stakes: Stakes,
        *,
        either: bool = False,
        known: KnownAttacks | None = None,
    ) -> None:
        self._either = either  # whether a unit moves or attacks in this phase, but not both
        self._field, self._side, self._stakes = field, side, stakes
        self.known = KnownAttacks(field, board, side) if known is None else known
        self._size = size(board)
        self._known_before, self._looks = self.known.work, REBASE * self._size
        self._start, self._first = board, board
        self._enemy = field.enemy(side)
        self.objectives = objectives(field, board)
        self._plans = Plans(field, board, side)
        self._line = self._plans  # with the line where it stands after moves
        self._threats: dict[Attackable, Threat | None] = {}
        self._places: dict[tuple[Hex, tuple[Hex, ...]], Placed] = {}
        self._scores: dict[tuple[str, Hex], int] = {}
        self._prospects: dict[tuple[str, Hex], int] = {}
        self._attacks = FactsByHex(self._enemy, self.known.range_of, self._candidates)
        self._stacks = FactsByHex(side, _beside, self._attackable)
        self._enemy_fires = FactsByHex(side, _same_hex, self._fires_at)

    @property
    def work(self) -> int:
        """Work done so far."""
        return self._looks + self.known.work - self._known_before

    def value(self, board: Board, moved: Collection[str] = (), least: int = LOWEST) -> int:
        """Value a board on which this side has moved these units.

        A value that turns out not to be above the least one wanted is not worked out to its end:
        some number that is not above it either is given instead.
        """
        self._looks += LOOK * self._size
        value = self._held(board) + sum(map(self._place, board.of(self._side)))
        value += sum(one.value for one in self._attacks_after(board, moved))
        if self._either:
            value += self._next_fires(board) * NEXT_FIRE // 100
        if not (self._stakes.replies or self._either) or value <= least:
            return value
        value -= self._walks(board)
        threatened = 0
        for cost in self._costs_of_threats(board):
            threatened += cost
            if value - self._counted(threatened) <= least:
                break
        return value - self._counted(threatened)

    def value_around(self, board: Board, hexes: Iterable[Hex]) -> int:
        """Value a board by its objectives, its places, and the threats to stacks in some hexes."""
        value = self._held(board) + sum(self._place(piece) for piece in board.of(self._side))
        if not self._stakes.replies:
            return value
        threats = [self.threat(board, hex_) for hex_ in hexes if board.side_of(hex_) == self._side]
        threatened = sum(max(0, threat.value) for threat in threats if threat is not None)
        return value - self._walks(board) - self._counted(threatened)

    def _counted(self, threatened: int) -> int:
        """Give the part of the enemy's threats that counts."""
        return threatened * self._stakes.style.threat // 100

    def _held(self, board: Board) -> int:
        """Value the objectives that each side holds."""
        points = 0
        for hex_, worth in self.objectives.items():
            holder = board.holders.get(hex_)
            points += worth * ((holder == self._side) - (holder == self._enemy))
        return points * self._stakes.point // 2

    def _place(self, piece: Piece) -> int:
        """Value where a piece stands: near its goals, or behind the line."""
        key = piece.name, piece.place
        if key not in self._scores:
            if self._field.fights(piece):
                towards = self._plans.towards(piece, piece.place)
                self._scores[key] = towards * self._stakes.nearer // NEARER
            else:
                self._scores[key] = self._line.behind(piece, piece.place) * BEHIND
        return self._scores[key]

    # -------------------------------------------------------------- own attacks

    def _attacks_after(self, board: Board, moved: Collection[str]) -> tuple[Candidate, ...]:
        """Give the best attacks after a move; who moves in a phase of fire fires no more."""
        if not self._either:
            return self.attacks(board)
        names = frozenset(moved)
        return best_combination(one for one in self._fires if names.isdisjoint(one.units))

    @cached_property
    def _fires(self) -> list[Candidate]:
        """The attacks that could be made without a move."""
        hexes = self._hexes_of(self._first, self._enemy)
        return [one for hex_ in hexes for one in self._candidates(self._first, hex_)]

    def attacks(self, board: Board) -> tuple[Candidate, ...]:
        """Give the best attacks that the side could make on a board, each unit once."""
        return best_combination(chain.from_iterable(self._attacks.on(board).values()))

    def _candidates(self, board: Board, hex_: Hex) -> list[Candidate]:
        return [*map(self._candidate, self.known.attacks_on(board, hex_))]

    def _candidate(self, one: Foreseen) -> Candidate:
        value = self.attack_value(one.expected, one.hex)
        return Candidate(value, one.order, one.hex, frozenset(one.order[2:]))

    def attack_on(self, board: Board, target: Hex) -> int:
        """Value the best attack on a hex; 0 if none is worth while."""
        listed = self.known.attacks_on(board, target)
        return max((self.attack_value(one.expected, one.hex) for one in listed), default=0)

    def order_value(self, board: Board, target: Hex, order: Words) -> int | None:
        """Value an attack of this side; None if the order leads to no fight."""
        found = self.known.forecast(board, self._side, order)
        return None if found is None else self.attack_value(found, target)

    def fight_value(self, fight: Fight) -> int:
        """Value a fight for its attacker, whatever the hex is worth."""
        return self._stakes.attack(expected(fight), 0)

    def attack_value(self, found: Expected, target: Hex) -> int:
        """Value an attack on a hex for the side that makes it."""
        return self._stakes.attack(found, self.objectives.get(target, 0))

    # -------------------------------------------------------------- fire, where units fire or move

    def _next_fires(self, board: Board) -> int:
        """Value what each unit could fire at in the next turn from where it stands."""
        if self._stakes.last:
            return 0
        return sum(self._prospect(board, piece) for piece in board.of(self._side))

    def _prospect(self, board: Board, piece: Piece) -> int:
        key = piece.name, piece.place
        if key not in self._prospects:
            found = self.known.alone(board, piece)
            values = (self.attack_value(one.expected, one.hex) for one in found)
            self._prospects[key] = max((0, *values))
        return self._prospects[key]

    def _fire_threats(self, board: Board) -> list[Threat]:
        """Give the fires that would be worth while for the enemy, each unit once."""
        found = chain.from_iterable(self._enemy_fires.on(board).values())
        chosen, used = list[Threat](), set[str]()
        for one in sorted(found, key=lambda one: -one.value):
            if used.isdisjoint(one.units):
                used |= one.units
                chosen.append(Threat(one.target, one.value, one.order, ()))
        return chosen

    def _fires_at(self, board: Board, hex_: Hex) -> list[Candidate]:
        fires = self.known.fires_at(board, hex_, rested=not self._stakes.last)
        return [one for one in map(self._candidate, fires) if one.value > 0]

    def drawn_fire(self, moves: Iterable[Words]) -> int:
        """Value the fire that moves draw where units move or attack in one phase; each enemy fires
        once, at the move that costs most."""
        if not self._either:
            return 0
        fires = [
            (self._stakes.attack(drawn.expected, 0), drawn.firers)
            for drawn in map(self.known.drawn, moves)
            if drawn is not None
        ]
        total, used = 0, set[str]()
        for value, firers in sorted(fires, key=lambda fire: -fire[0]):
            if value > 0 and used.isdisjoint(firers):
                used |= firers
                total += value
        return self._counted(total)

    # -------------------------------------------------------------- the enemy's reply

    def threats(self, board: Board) -> list[Threat]:
        """Give the attacks that would be worth while for the enemy after his next movement."""
        if self._either:
            return self._fire_threats(board)
        found = (self.threat(board, hex_) for hex_ in self._hexes_of(board, self._side))
        return [threat for threat in found if threat is not None and threat.value > 0]

    def threat(self, board: Board, hex_: Hex) -> Threat | None:
        """Give the best attack of the enemy on a stack of this side; None if there is none."""
        return self._threat(board, self._attackable(board, hex_))

    def _costs_of_threats(self, board: Board) -> Iterator[int]:
        """Give what the attacks of the enemy are worth to him, the known ones first."""
        if self._either:
            yield sum(one.value for one in self._fire_threats(board))
            return
        unknown = list[Attackable]()
        for stack in self._stacks.on(board).values():
            if stack not in self._threats:
                unknown.append(stack)
            elif (threat := self._threats[stack]) is not None:
                yield max(0, threat.value)
        for stack in unknown:
            if (threat := self._threat(board, stack)) is not None:
                yield max(0, threat.value)

    def _hexes_of(self, board: Board, side: str) -> list[Hex]:
        return [hex_ for hex_, stack in board.stacks().items() if stack[0].side == side]

    def _attackable(self, board: Board, hex_: Hex) -> Attackable:
        names = tuple([piece.name for piece in board.stack(hex_)])
        return Attackable(hex_, names, self._placed(board, hex_))

    def _threat(self, board: Board, stack: Attackable) -> Threat | None:
        if stack not in self._threats:
            one = self.known.threat(board, stack.hex, stack.placed)
            self._threats[stack] = one and Threat(
                one.hex, self.attack_value(one.expected, one.hex), one.order, stack.placed
            )
        return self._threats[stack]

    def _placed(self, board: Board, hex_: Hex) -> Placed:
        """Place the enemies who can come next to a hex, as many as have room there."""
        around = board.map.around[hex_]
        key = hex_, tuple(there for there in around if board.side_of(there) == self._side)
        if key not in self._places:
            self._places[key] = self._find_places(board, hex_)
        return self._places[key]

    @cached_property
    def _comers(self) -> Comers:
        return self.known.comers(self._start)

    def _find_places(self, board: Board, hex_: Hex) -> Placed:
        placed: list[tuple[str, Hex]] = []
        crowds: dict[Hex, tuple[Piece, ...]] = {}
        for name, hexes in self._comers.get(hex_, ()):
            piece = board.piece(name)
            for there in hexes if piece.at else ():
                if board.side_of(there) == self._side:
                    continue
                crowd = crowds.get(there)
                if crowd is None:
                    crowd = tuple(p for p in board.stack(there) if p.name != name)
                if self._field.stacking_problem(board, there, (*crowd, piece)) is None:
                    crowds[there] = (*crowd, piece)
                    placed.append((name, there))
                    break
        return tuple(placed)

    def _walks(self, board: Board) -> int:
        """Value the empty objectives of this side, and of nobody, into which the enemy could
        walk."""
        lost = 0
        for hex_, points in self.objectives.items():
            holder = board.holders.get(hex_)
            if holder == self._enemy or board.stack(hex_):
                continue
            comers = [name for name, _ in self._comers.get(hex_, ()) if board.piece(name).at]
            if self.known.is_open(board, hex_, comers):
                lost += points * (1 if holder is None else 2)
        return lost * self._stakes.point * WALKS_IN // 200

    def rebased(self, board: Board) -> None:
        """Let the enemy move from a board on which this side has moved."""
        self._looks += REBASE * self._size
        self._start = board
        self._line = Plans(self._field, board, self._side)
        self._scores.clear()
        self._threats.clear()
        self._places.clear()
        self._stacks.forget()
        self.__dict__.pop("_comers", None)


def _beside(_: Piece) -> int:
    return 1


def _same_hex(_: Piece) -> int:
    return 0
