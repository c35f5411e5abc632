"""Typed orders, and the legal orders of movement and combat phases."""

import shlex
from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from random import Random

from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import AttackField
from grognard.matches.field import Field
from grognard.matches.protocol import END, Orders, Words
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

WANDERS, FURTHER = 0.2, 0.6  # chance that a drawn move names its path, and that it goes on
TRIES = 4  # groups drawn for one target
_SMALL_WORDS = ("with", "avec", "to", "vers", "and", "et", "on", "sur")


def typed(line: str, names: Collection[str] = ()) -> Words:
    """Parse `attack 1910 with 21/20Pz 112/20Pz`; small words go.

    Quotes hold names with blanks; those that are known need none.
    """
    try:
        words = shlex.split(line)
    except ValueError:
        raise Refusal(say("a quotation mark is not closed in: {line}", line=line)) from None
    return tuple(word for word in _joined(words, names) if word.lower() not in _SMALL_WORDS)


def _joined(words: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """Join the words of each name that has blanks, the longest name first."""
    place = 0
    while place < len(words):
        parts = (words[place:end] for end in range(len(words), place + 1, -1))
        name = next((part for part in parts if " ".join(part) in names), words[place : place + 1])
        yield " ".join(name)
        place += len(name)


def written(order: Words) -> str:
    """Write an order as it can be typed."""
    return shlex.join(order)


MOVE, LAST = say("move UNIT HEX"), say("end")


def no_such_order(order: Words, *known: Message) -> Message:
    """Say that an order is unknown, and list the known ones and `end`."""
    return say(
        "'{order}' is not an order here; try: {known}",
        order=" ".join(order),
        known=_listed([*known, LAST]),
    )


def _listed(messages: Sequence[Message]) -> Message:
    return reduce(lambda one, more: say("{one}; {more}", one=one, more=more), messages)


TOP = "top"  # the order that lays a unit on top of its stack
TURNS = 0.05  # how often a random order may be one of these


class PhaseOrders(Orders):
    """The legal orders of a phase, and random ones among them."""

    field: Field
    board: Board
    side: str

    def legal(self, order: Words) -> bool:
        """Tell whether an order is legal."""
        try:
            self.check(order)
        except Refusal:
            return False
        return True

    def draw(self, random: Random) -> Words:
        kinds = [self.draw_deed, self.draw_move]
        random.shuffle(kinds)
        return kinds[0](random) or kinds[1](random) or END

    def draw_move(self, random: Random) -> Words | None:
        """Draw a piece, then one of its moves."""
        pieces = list(self.pieces())
        for piece in random.sample(pieces, len(pieces)):
            if moves := list(self.moves(piece)):
                return random.choice(moves)
        return None

    def draw_deed(self, random: Random) -> Words | None:
        """Draw an order other than a move; seldom one that only turns a stack over."""
        deeds = list(self.deeds())
        others = [order for order in deeds if order[0] != TOP]
        if len(others) < len(deeds) and random.random() > TURNS:
            deeds = others
        return random.choice(deeds) if deeds else None

    def tops(self) -> Iterator[Words]:
        """Give the orders that lay another unit on top of its stack, where stacks are hidden."""
        if self.field.hides_stacks():
            for stack in self.board.stacks().values():
                if stack[0].side == self.side:
                    yield from ((TOP, piece.name) for piece in stack[1:])

    def check_top(self, name: str) -> None:
        """Refuse to lay a unit on top that is not one's own, or where nothing is hidden."""
        piece = self.board.piece(name)
        if piece.side != self.side or not self.field.hides_stacks():
            raise Refusal(say("{unit} is not yours to use here", unit=name))
        if piece.at is None or self.board.stack(piece.at)[0] is piece:
            raise Refusal(say("{unit} lies under no other counter", unit=name))


class MoveOrders(PhaseOrders):
    """The orders of a movement phase: `move UNIT HEX`, `move UNIT HEX HEX …`, `end`."""

    names_ways = True  # whether a move may name the hexes of its path

    def __init__(self, field: Field, board: Board, side: str) -> None:
        self.field, self.board, self.side = field, board, side

    def check(self, order: Words) -> None:
        """Refuse a move that is not legal."""
        match order:
            case ("end",):
                return
            case ("move", name, _, *_):
                self.field.route(self.board, self.movable(name), order[2:])
            case ("top", name):
                self.check_top(name)
            case _:
                raise Refusal(no_such_order(order, MOVE))

    def deeds(self) -> Iterator[Words]:
        return self.tops()

    def movable(self, name: str) -> Piece:
        """Find a piece that may be moved now, or refuse it."""
        piece = self.board.piece(name)
        if piece.side != self.side:
            raise Refusal(say("{unit} is not yours to use here", unit=name))
        self.field.refuse(self.field.may_move(self.board, piece))
        return piece

    def pieces(self) -> Iterator[Piece]:
        for piece in self.board.of(self.side):
            if self.field.may_move(self.board, piece) is None:
                yield piece

    def idle(self, piece: Piece) -> Message:
        """Say why a piece does not move: it may not, or what closes the hexes around it."""
        try:
            self.movable(piece.name)
        except Refusal as refusal:
            return refusal.problem
        field, board = self.field, self.board
        around = board.map.around[piece.at] if piece.at is not None else ()
        problems = [field.move_problem(board, piece, hex_) for hex_ in around]
        said = {problem.in_("en"): problem for problem in problems}  # each once
        return _listed([*said.values()])

    def moves(self, piece: Piece) -> Iterator[Words]:
        """Give every move of a piece to another hex, by the cheapest path."""
        for hex_ in self.field.reach(self.board, piece):
            if hex_ != piece.at:
                yield ("move", piece.name, self.board.map.number(hex_))

    def draw_move(self, random: Random) -> Words | None:
        """Draw a move; sometimes one that names its path."""
        own = self._wander(random) if self.names_ways and random.random() < WANDERS else None
        return own or super().draw_move(random)

    def _wander(self, random: Random) -> Words | None:
        """Draw a path hex by hex, perhaps in a circle; None if it is not legal."""
        pieces = list(self.pieces())
        piece = random.choice(pieces) if pieces else None
        if piece is None or piece.at is None:
            return None
        path = [random.choice(self.board.map.around[piece.at])]
        while len(path) < 2 or random.random() < FURTHER:
            path.append(random.choice(self.board.map.around[path[-1]]))
        order = ("move", piece.name, *map(self.board.map.number, path))
        return order if self.legal(order) else None


class AttackOrders(PhaseOrders):
    """The orders of a combat phase: `attack HEX UNIT …`, `end`.

    A game may override which groups of attackers are worth listing (`groups`).
    """

    field: AttackField

    def __init__(self, field: AttackField, board: Board, side: str) -> None:
        self.field, self.board, self.side = field, board, side

    def check(self, order: Words) -> None:
        """Refuse an attack that is not legal."""
        match order:
            case ("end",):
                return
            case ("attack", _, _, *_):
                self.field.engagement(self.board, self.side, order)
            case _:
                raise Refusal(no_such_order(order, say("attack HEX with UNIT …")))

    def able(self, target: Hex) -> list[Piece]:
        """Give the units that could attack a hex."""
        field, board, side = self.field, self.board, self.side
        able = [
            piece
            for piece in board.of(side)
            if field.reaches(piece, target)
            and not field.only_supports(piece)
            and field.may_attack(board, side, piece, target) is None
        ]
        alone = field.unaccompanied(able)
        return [piece for piece in able if piece not in alone] if alone else able

    def idle(self, piece: Piece) -> Message:
        """Say why a piece attacks nobody."""
        field = self.field
        if field.only_supports(piece):
            return say("{unit} only supports; nobody near it can attack", unit=piece.name)
        if problem := field.unfit(piece):
            return problem
        for target in self.targets():
            if field.reaches(piece, target):
                problem = problem or field.may_attack(self.board, self.side, piece, target)
        if field.attack_range(piece) > 1:
            return problem or say("{unit} has no enemy within its range", unit=piece.name)
        return problem or say("{unit} is adjacent to no enemy", unit=piece.name)

    def supports(self, target: Hex, group: Sequence[Piece]) -> list[Piece]:
        """Give those who could support a group that attacks a hex."""
        return self.field.supporters(self.board, self.side, target, group)

    def groups(self, target: Hex) -> Iterator[Words]:
        """Name the groups that could attack a hex: all that can, and each unit alone, with all
        that may support them."""
        able = self.able(target)
        single = [[p] for p in able if not self.field.only_adds(p)] if len(able) > 1 else []
        for group in ([able] if able else []) + single:
            yield tuple(piece.name for piece in (*group, *self.supports(target, group)))

    def targets(self) -> list[Hex]:
        """Give the hexes in which enemies stand."""
        return [hex_ for hex_, stack in self.board.stacks().items() if stack[0].side != self.side]

    def deeds(self) -> Iterator[Words]:
        """Give the attacks worth listing."""
        for target in self.targets():
            yield from self.attacks_on(target)

    def attacks_on(self, target: Hex) -> Iterator[Words]:
        number = self.board.map.number(target)
        return (("attack", number, *group) for group in self.groups(target))

    def draw_deed(self, random: Random) -> Words | None:
        """Draw a target that can be attacked, then any group with any support."""
        targets = self.targets()
        for target in random.sample(targets, len(targets)):
            able = self.able(target)
            for _ in range(TRIES if able else 0):
                group = some(able, random)
                support = self.supports(target, group)
                names = [p.name for p in (*group, *some(support, random, least=0))]
                order = ("attack", self.board.map.number(target), *names)
                if self.legal(order):
                    return order
        return None


def some(pieces: Sequence[Piece], random: Random, least: int = 1) -> list[Piece]:
    """Draw a random number of pieces."""
    return random.sample(pieces, random.randint(least, len(pieces)))
