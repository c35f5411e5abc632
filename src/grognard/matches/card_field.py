"""The map rules of a game that has none in Python: the hobby's common rules, set in its card."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from grognard.card.map_rules import STEPS, UNITS, MapRules
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex, line
from grognard.maps.movement import POINT
from grognard.maps.scenario import Scenario
from grognard.matches import card_aftermath, card_attack
from grognard.matches.attack_field import AttackField, Engagement, RetreatPath
from grognard.matches.orders import AttackOrders, MoveOrders
from grognard.matches.protocol import Order, Orders, Playing, Words
from grognard.rules.ask import Choose
from grognard.words.message import Message, say
from grognard.words.text import Text

FRESH = ("attacked", "defended", "supported")  # states of one combat phase
RetreatKey = tuple[tuple[str, ...], Hex, Hex, int]  # who, from where, from where now, how far


class CardField(AttackField):
    """A scenario with the map rules of its card."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.rules = self.card.map or MapRules()
        self.zoc_stops = self.rules.zoc == "rigid"
        self.zoc_to_zoc = self.rules.zoc_to_zoc or not self.zoc_stops
        self.zoc_exit = self.rules.leaving * POINT
        self.supply_length = self.rules.supply_length

    def forbidden(self, piece: Piece, what: str) -> Text | None:
        """Name the state that forbids something to a piece; None where nothing does."""
        states = (state for state in self.card.states if what in state.forbids)
        return next((state.text for state in states if state.id in piece.states), None)

    def victory_points(self, board: Board) -> dict[str, int]:
        """Count the objectives that each side holds; those of a side that has lost everything
        fall to the other."""
        points = super().victory_points(board)
        gone = [side for side in points if self.beaten(board, side)]
        if len(gone) == 1:
            (other,) = (side for side in points if side not in gone)
            points[other] += points[gone[0]]
            points[gone[0]] = 0
        return points

    # -------------------------------------------------------------- zones of control

    def exerts_zoc(self, piece: Piece) -> bool:
        """Tell whether a piece has a zone of control: every kind but those that have none."""
        return (
            piece.alive
            and self.rules.zoc != "none"
            and piece.kind not in self.rules.no_zoc
            and not self.forbidden(piece, "zoc")
        )

    def fights(self, piece: Piece) -> bool:
        """Every unit fights, with a zone of control or without."""
        return piece.alive

    def weighs(self, ask: Choose) -> bool:
        """Compare what follows from the facts that a side chooses: they have no order."""
        return ask.what.startswith(card_attack.CHOOSES)

    # -------------------------------------------------------------- movement

    def allowance(self, board: Board, piece: Piece) -> int:
        """Give the printed allowance; an unsupplied piece has as much of it as the card says."""
        if "unsupplied" in piece.states and self.rules.unsupplied_move == "half":
            piece = replace(piece, move=piece.move // 2)
        return super().allowance(board, piece)

    def may_move(self, board: Board, piece: Piece) -> Message | None:
        """Say why a piece may not move now: its state, or no supply."""
        if problem := super().may_move(board, piece):
            return problem
        if state := self.forbidden(piece, "move"):
            return say("{unit} may not move: {state}", unit=piece.name, state=state)
        if "unsupplied" in piece.states and self.rules.unsupplied_move == "none":
            return say("{unit} may not move without supply", unit=piece.name)
        return None

    # -------------------------------------------------------------- stacking

    def stacking_problem(
        self, board: Board, hex_: Hex, pieces: tuple[Piece, ...]
    ) -> Message | None:
        """Say why pieces may not stand together: both sides, or more than the hex has room for."""
        if problem := super().stacking_problem(board, hex_, pieces):
            return problem
        limit = self.limit(board, hex_)
        count = sum(map(self.counted, pieces))
        if limit is not None and count > limit:
            return say("{points} stacking points; at most {limit}", points=count, limit=limit)
        return None

    def limit(self, board: Board, hex_: Hex) -> int | None:
        """Give the limit of a hex: the least of its terrain, or that of the card."""
        limits = [row.stacking for row in board.map.rows(hex_) if isinstance(row.stacking, int)]
        return min(limits, default=self.rules.stacking)

    def counted(self, piece: Piece) -> int:
        """Give what a piece counts towards the limit."""
        match self.rules.stacking_counts:
            case str(what) if what == UNITS:
                return 1
            case str(what) if what == STEPS:
                return piece.steps
        return piece.number(self.rules.stacking_counts)

    # -------------------------------------------------------------- the turn

    def beaten(self, board: Board, side: str) -> bool:
        """Tell whether a side has no unit left, on the map or still to come."""
        return not any(piece.alive for piece in board.pieces if piece.side == side)

    def check_supply(self, board: Board, side: str) -> Playing:
        """Mark who is unsupplied, in a game with supply."""
        if self.rules.supply == "none":
            return board
        return (yield from super().check_supply(board, side))

    def combat_phase(self, board: Board, side: str, turn: int) -> Playing:
        """Look at the supply of both sides, then carry the attacks out."""
        for player in (side, self.enemy(side)):
            board = yield from self.check_supply(board, player)
        board = yield from super().combat_phase(board, side, turn)
        return board.changed(*(piece.cleared(*FRESH) for piece in board.pieces))

    def side_turn(self, board: Board, side: str, turn: int, since: Order | None = None) -> Playing:
        """Run the phases of a side; then its units recover from states that last a turn."""
        before = {piece.name: piece.states for piece in board.of(side)}
        board = yield from super().side_turn(board, side, turn, since)
        for state in self.card.states:
            for piece in board.of(side):
                had = state.id in before.get(piece.name, ())
                if state.lasts == "turn" and had and state.id in piece.states:
                    yield self.tell("state", "recovers", unit=piece.name, state=state.text)
                    board = board.changed(piece.cleared(state.id))
        yield board
        return board

    def move_orders(self, board: Board, side: str) -> Orders:
        """Moves by the terrain chart."""
        return MoveOrders(self, board, side)

    def attack_orders(self, board: Board, side: str) -> Orders:
        """Attacks that the table allows."""
        return CardAttackOrders(self, board, side)

    # -------------------------------------------------------------- the attack

    def unfit(self, piece: Piece) -> Message | None:
        """Say why a piece can attack nobody now: it has attacked, or its state forbids it."""
        if problem := super().unfit(piece):
            return problem
        if state := self.forbidden(piece, "attack"):
            return say("{unit} may not attack: {state}", unit=piece.name, state=state)
        return None

    def barred(self, board: Board, piece: Piece, target: Hex) -> Message | None:
        """Say what keeps a piece from attacking a hex: the ground, or an attack on it before."""
        number = board.map.number(target)
        if self.attack_range(piece) > 1:
            if problem := self.unseen(board, piece, target):
                return problem
        elif not self.enters(board, piece, target):
            return say(
                "{unit} can't enter {hex}, and so not attack it", unit=piece.name, hex=number
            )
        once = self.rules.attacked == "once"
        if once and any("defended" in other.states for other in board.stack(target)):
            return say("the units in {hex} have been attacked already", hex=number)
        return None

    def engagement(self, board: Board, side: str, order: Words) -> Engagement:
        """Read an attack order; refuse it also where the table has no place for it."""
        plan = super().engagement(board, side, order)
        card_attack.allowed_choices(self, board, plan)
        return plan

    def attack(self, board: Board, plan: Engagement) -> Playing:
        """Carry an attack out: from the order to the fight, and from its outcome to the board."""
        theirs = yield from self.defensive_support(board, plan, "who-supports")
        fight = yield from card_attack.fight(self, board, plan, theirs)
        board = board.changed(*(piece.marked("supported") for piece in (*plan.supports, *theirs)))
        play = yield from self.resolve(fight)
        return (yield from card_aftermath.aftermath(self, board, plan, play))

    # -------------------------------------------------------------- from a distance

    def attack_range(self, piece: Piece) -> int:
        """Give how many hexes away a piece may attack."""
        return _hexes(piece, self.rules.range)

    def unseen(self, board: Board, piece: Piece, target: Hex) -> Message | None:
        """Say what blocks the line from a piece to a hex; None where nothing does. A line along a
        hexside is blocked only if both hexes block it."""
        blocks = set(self.rules.sight)
        for hexes in line(piece.place, target)[1:-1] if blocks else ():
            seen = [board.map.places[hex_].terrain for hex_ in hexes if hex_ in board.map.places]
            if seen and all(blocks & terrain for terrain in seen):
                return say(
                    "{unit} does not see {hex}: {between} is in the way",
                    unit=piece.name,
                    hex=board.map.number(target),
                    between=board.map.number(next(h for h in hexes if h in board.map.places)),
                )
        return None

    def only_supports(self, piece: Piece) -> bool:
        """Tell whether a piece is of a kind that only supports."""
        return self.rules.support is not None and piece.kind in self.rules.support.kinds

    def may_support(
        self,
        board: Board,
        side: str,
        piece: Piece,
        target: Hex,
        engaged: Sequence[Piece],  # noqa: ARG002  # a piece supports whoever fights there
    ) -> Message | None:
        """Say why a piece may not support a fight over a hex: its range, its state, or that it has
        supported another one in this phase."""
        if piece.side != side or piece.at is None or self.rules.support is None:
            return say("{unit} is not yours to use here", unit=piece.name)
        if state := self.forbidden(piece, "attack"):
            return say("{unit} may not support: {state}", unit=piece.name, state=state)
        if "supported" in piece.states:
            return say("{unit} has supported already", unit=piece.name)
        far, range_ = piece.at.distance(target), _hexes(piece, self.rules.support.range)
        if far > range_:
            number = board.map.number(target)
            return say(
                "{hex} is {n} hexes away; the range is {range}", hex=number, n=far, range=range_
            )
        return self.unseen(board, piece, target)

    # -------------------------------------------------------------- retreat

    def leads_away(self, way: RetreatPath, there: Hex) -> bool:
        """Tell whether a step of a retreat goes where the card lets it go."""
        if self.rules.retreat_direction == "any":
            return there != way[0]
        return there.distance(way[0]) > way[-1].distance(way[0])

    def zone_open(self, board: Board, there: Hex) -> bool:
        """Tell whether a retreat may enter an enemy zone of control in a hex without enemies."""
        choice = self.rules.retreat_zoc
        return choice == "free" or (choice == "friends" and board.side_of(there) is not None)

    def retreats(
        self, board: Board, stack: Sequence[Piece], way: RetreatPath, hexes: int
    ) -> list[Hex]:
        """Give the next hexes of a retreat. Only its ends count, so each is found out once, however
        far a result sends a stack back."""
        key = tuple(piece.name for piece in stack), way[0], way[-1], hexes
        return self.kept(board, "retreats", key, self._retreats)

    def _retreats(self, board: Board, key: RetreatKey) -> list[Hex]:
        names, start, here, hexes = key
        stack = [board.piece(name) for name in names]
        return super().retreats(board, stack, (start, here), hexes)


def _hexes(piece: Piece, range_: int | str) -> int:
    """Give a range that is stated for all, or by a field of each piece."""
    return piece.number(range_) if isinstance(range_, str) else range_


class CardAttackOrders(AttackOrders):
    """The attacks of a combat phase; only those are listed that the table allows."""

    def groups(self, target: Hex) -> Iterator[Words]:
        number = self.board.map.number(target)
        return (group for group in super().groups(target) if self.legal(("attack", number, *group)))
