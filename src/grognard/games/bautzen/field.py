"""Bautzen 1945 on the map: the turn, and an attack from the board and back."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from grognard.board import Board, Piece
from grognard.card import Side
from grognard.field import END, Doing, Playing, Roles, Words
from grognard.games.bautzen.ground import Ground
from grognard.games.bautzen.rules import (
    SUPPORTS,
    Attack,
    BautzenFight,
    Counter,
)
from grognard.hexes import Hex
from grognard.line import Blank
from grognard.message import Message, say
from grognard.movement import POINT
from grognard.orders import AttackOrders, MoveOrders
from grognard.refusal import Refusal

GERMAN, ALLIED = "german", "allied"
FRESH = ("moved", "attacked", "supported", "defended", "retreated")  # states of one segment


class Engagement(NamedTuple):
    """An attack as ordered: the hex, who attacks it, and who supports either side."""

    target: Hex
    attackers: tuple[Piece, ...]
    supports: tuple[Piece, ...]
    defenders: tuple[Piece, ...]


class BautzenField(Ground):
    """The turn of Bautzen: supply, movement, combat; and an attack from the board and back."""

    # -------------------------------------------------------------- 2 the turn

    def sequence(self, board: Board) -> Playing:
        """2: for each side supply, movement, combat."""
        for turn in range(1, self.scenario.turns + 1):
            for player in self.scenario.sides:
                side = player.id
                yield Roles(side, self.enemy(side))
                board = yield from self.supply_phase(board, side, turn)
                board = yield from self.movement_phase(board, side, turn)
                board = yield from self.combat_phase(board, side, turn)
            board = board.pooled("air_used", -board.pools.get("air_used", 0))
        return board

    def supply_phase(self, board: Board, side: str, turn: int) -> Playing:
        """7: reinforcements, logistic columns, and who is supplied."""
        for piece in board.pieces:
            if piece.side == side and piece.arrives == turn and piece.at is None and piece.alive:
                board = yield from self._arrives(board, piece)
        income = yield from self._income(side, turn)
        board = yield from self._columns(board, side, income)
        return (yield from self.check_supply(board, side))

    def _arrives(self, board: Board, piece: Piece) -> Playing:
        free = [h for h in piece.entry if self.may_end(board, piece, h) is None]
        if not free:
            yield self.tell("remark", "arrival-blocked", "2", unit=piece.name)
            return board.changed(replace(piece, arrives=piece.arrives + 1))
        hex_ = yield from self.choose_hex(board, "attacker", "arrives-where", free, piece.name)
        board = board.moved([piece.name], hex_)
        yield self.tell("remark", "arrives", "2", unit=piece.name, value=board.map.number(hex_))
        yield board
        return board

    def _income(self, side: str, turn: int) -> Doing[int]:
        """7.2: four a turn for the Allies, a die for the Germans from turn 3."""
        if side == ALLIED:
            return int(self.card.number("cl_allied_income"))
        if turn < 3:
            return 0
        die = yield from self.roll("cl-income-roll", 1, "7.2")
        table = self.card.table("cl-income")
        row = table.row_labels[table.rows.position(die) or 0]
        code = table.cell(row, table.column_labels[0]).codes[0]
        yield self.tell("result", "cl-income", "7.2", value=code)
        return int(code)

    def _columns(self, board: Board, side: str, income: int) -> Playing:
        """7.2: new columns appear at supply sources, four of a side on the map at most."""
        room = int(self.card.number("cl_on_map")) - sum(p.kind == "cl" for p in board.of(side))
        waiting = [p for p in board.pieces if p.side == side and p.kind == "cl" and p.at is None]
        for piece in waiting[: max(min(income, room), 0)]:
            free = [
                hex_
                for hex_, owner in board.map.sources.items()
                if owner == side and self.may_end(board, piece, hex_) is None
            ]
            if free:
                back = replace(piece, steps=1, arrives=0)
                hex_ = yield from self.choose_hex(
                    board, "attacker", "arrives-where", free, piece.name
                )
                board = board.changed(back).moved([piece.name], hex_)
                number = board.map.number(hex_)
                yield self.tell("remark", "arrives", "7.2", unit=piece.name, value=number)
                yield board
        return board

    def check_supply(self, board: Board, side: str) -> Playing:
        """7.1: mark who is unsupplied, and clear who is supplied again."""
        fed = self.supplied(board, side)
        for piece in list(board.of(side)):
            cut = piece.kind != "cl" and piece.at not in fed
            if cut and "unsupplied" not in piece.states:
                blockers = " ".join(map(board.map.number, self.supply(board, piece).cut_by[:4]))
                yield self.tell("state", "is-unsupplied", "7.1", unit=piece.name, cut=blockers)
                board = board.changed(piece.marked("unsupplied"))
            elif not cut and "unsupplied" in piece.states:
                yield self.tell("state", "is-supplied", "7.1", unit=piece.name)
                board = board.changed(piece.cleared("unsupplied"))
        yield board
        return board

    # -------------------------------------------------------------- movement

    def movement_phase(self, board: Board, side: str, turn: int) -> Playing:
        """4: one unit after the other."""
        while True:
            orders = Moves(self, board, side)
            words = yield from self.order(side, "phase-movement", turn, board, orders)
            if words == END:
                break
            board = yield from self.carry_out(board, side, words)
            yield board
        return board.changed(*(piece.cleared("moved") for piece in board.of(side)))

    def _breaks_through(self, board: Board, piece: Piece) -> Playing:
        """4.3: through enemy zones towards the nearest source, a die for each hex in them."""
        zone = self.zoc(board, self.enemy(piece.side))
        path = self.breakthrough(board, piece)
        board = board.changed(piece.marked("moved"))
        for hex_ in path:
            board = board.moved([piece.name], hex_)
            if hex_ in zone:
                die = yield from self.roll("breakthrough-roll", 1, "4.3", piece.name)
                table = self.card.table("zoc-breakthrough")
                row = table.row_labels[table.rows.position(die) or 0]
                if table.cell(row, table.column_labels[0]).codes[0] == "1":
                    board = yield from self.loses(board, "attacker", piece.name, "4.3")
            if not board.piece(piece.name).alive:
                return board
        number = board.map.number(path[-1])
        yield self.tell("remark", "breaks-through", "4.3", unit=piece.name, value=number)
        return board

    def breakthrough(self, board: Board, piece: Piece) -> tuple[Hex, ...]:
        """Give the way on which a piece would break through, to where it may stand."""
        zone = self.zoc(board, self.enemy(piece.side))
        start = piece.at
        sources = [h for h in board.map.sources if self.supplies(board, piece.side, h)]
        if start is None or start not in zone or not sources:
            return ()
        goal = min(sources, key=start.distance)
        left, here, path = self.allowance(board, piece), start, list[Hex]()
        while here != goal:
            steps = [
                (there.distance(goal), there, entry.sixths + (POINT if here in zone else 0))
                for there in board.map.around[here]
                if board.side_of(there) != self.enemy(piece.side)
                and there.distance(goal) < here.distance(goal)
                and (entry := self.entry(board, piece, here, there, first=here == start))
            ]
            affordable = [step for step in steps if step[2] <= left]
            if not affordable:
                break
            _, here, cost = min(affordable)
            left -= cost
            path.append(here)
        while path and self.stacking_problem(board, path[-1], (*board.stack(path[-1]), piece)):
            path.pop()
        return tuple(path) if any(hex_ in zone for hex_ in path) else ()

    # -------------------------------------------------------------- combat

    def combat_phase(self, board: Board, side: str, turn: int) -> Playing:
        """8: any number of attacks; a unit attacks once."""
        for player in (side, self.enemy(side)):
            board = yield from self.check_supply(board, player)
        while True:
            orders = Attacks(self, board, side)
            words = yield from self.order(side, "phase-combat", turn, board, orders)
            if words == END:
                break
            board = yield from self.carry_out(board, side, words)
            yield board
        board = board.changed(*(piece.cleared(*FRESH) for piece in board.pieces))
        yield board
        return board

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Do what was ordered: an attack (8.2), a breakthrough (4.3) or a move (4)."""
        match order[0]:
            case "attack":
                return self.attack(board, self.engagement(board, side, order))
            case "break":
                return self._breaks_through(board, board.piece(order[1]))
        return self.moves(board, order, "4")

    def fights(self, piece: Piece) -> bool:
        """HQs, artillery and logistic columns follow behind."""
        return piece.kind not in (*SUPPORTS, "cl")

    def engagement(self, board: Board, side: str, words: Words) -> Engagement:
        """Read an attack order, and refuse what the rules do not allow."""
        target = board.map.hex(words[1])
        if board.side_of(target) != self.enemy(side):
            raise Refusal(say("there is no enemy in {hex}", hex=words[1]))
        named = [board.piece(name) for name in dict.fromkeys(words[2:])]
        attackers = [p for p in named if p.kind not in SUPPORTS]
        for piece in attackers:
            self.refuse(self.may_attack(board, side, piece, target))
        if not attackers:
            raise Refusal(say("no unit attacks; at least one that is not an HQ, artillery or CL"))
        supports = [p for p in named if p.kind in SUPPORTS]
        for piece in supports:
            self.refuse(self.may_support(piece, side, attackers, "supported"))
        defenders = tuple(board.stack(target))
        return Engagement(target, tuple(attackers), tuple(supports), defenders)

    def may_attack(self, board: Board, side: str, piece: Piece, target: Hex) -> Message | None:
        """8.1: adjacent, once a segment, not out of a lake or with a logistic column."""
        if piece.side != side or piece.at is None:
            return say("{unit} is not yours to use here", unit=piece.name)
        if piece.kind == "cl":
            return say("a logistic column does not attack")
        if "attacked" in piece.states:
            return say("{unit} has attacked already", unit=piece.name)
        if piece.at.distance(target) != 1:
            hex_ = board.map.number(target)
            return say("{unit} is not adjacent to {hex}", unit=piece.name, hex=hex_)
        return None

    def may_support(
        self, piece: Piece, side: str, engaged: Iterable[Piece], used: str
    ) -> Message | None:
        """9.1, 9.2, 8.6.2: in range of an engaged unit that it may support, once a segment."""
        if piece.side != side or piece.at is None:
            return say("{unit} is not yours to use here", unit=piece.name)
        if used in piece.states:
            return say("{unit} has given its support already", unit=piece.name)
        if piece.kind == "hq":
            near = any(self.commands(piece, unit) for unit in engaged)
        else:
            near = any(
                unit.at and piece.at.distance(unit.at) <= piece.number("range") for unit in engaged
            )
        return None if near else say("{unit} supports no engaged unit", unit=piece.name)

    def attack(self, board: Board, plan: Engagement) -> Playing:
        """8.2: from the order to the fight, and from its outcome back to the board."""
        theirs = yield from self._defender_support(board, plan)
        setup = yield from self._setup(board, plan, theirs)
        play = yield from self.resolve(self.game.fight(setup, options=self.options))
        fight = play.fight
        if not isinstance(fight, BautzenFight):
            raise TypeError("an attack ends as an attack")
        board = self._applied(board, plan, theirs, fight)
        board = yield from self._spend(board, plan, fight)
        yield board
        if fight.retreat:
            board = yield from self._retreat(board, plan, fight.retreat)
        if fight.advanced:
            board = yield from self._overrun(board, plan)
        board = yield from self._advance(board, fight.advanced, plan.target)
        yield board
        return board

    def _advance(self, board: Board, names: tuple[str, ...], to: Hex) -> Playing:
        """8.4: those named advance, within the stacking rules of the hex as it is now (5)."""
        for name in names:
            together = (*board.stack(to), board.piece(name))
            if self.stacking_problem(board, to, together) is None:
                board = board.moved([name], to)
            else:
                yield self.tell("remark", "no-room", "8.4", unit=name, value=board.map.number(to))
        return board

    def _overrun(self, board: Board, plan: Engagement) -> Playing:
        """8.6.3: columns that outlive their escort stand alone in a hex that is entered."""
        side, table = plan.attackers[0].side, self.card.table("cl-fate")
        for piece in [p for p in board.stack(plan.target) if p.side != side]:
            die = yield from self.roll("cl-roll", 1, "8.6.3", piece.name)
            row = table.row_labels[table.rows.position(die) or 0]
            full = sum(p.kind == "cl" for p in board.of(side)) >= self.card.number("cl_on_map")
            if full or table.cell(row, table.column_labels[0]).codes[0] == "D":
                yield self.tell("eliminated", "cl-destroyed", "8.6.3", unit=piece.name)
                board = board.removed(piece.name)
            else:
                yield self.tell("captured", "cl-captured", "8.6.3", unit=piece.name)
                board = board.changed(replace(piece, side=side, nation=plan.attackers[0].nation))
        return board

    def _defender_support(self, board: Board, plan: Engagement) -> Doing[tuple[Piece, ...]]:
        """9.1: which HQs and guns elsewhere support the defence; asked where there are any."""
        side = plan.defenders[0].side
        able = [
            piece
            for piece in board.of(side)
            if piece.kind in SUPPORTS
            and piece.at != plan.target
            and self.may_support(piece, side, plan.defenders, "defended") is None
        ]
        if not able or all(piece.kind == "cl" for piece in plan.defenders):
            return ()
        names = [piece.name for piece in able]
        groups = tuple(g for n in range(len(names), -1, -1) for g in combinations(names, n))
        chosen = yield from self.choose("defender", "defender-support", groups, "9.1")
        return tuple(piece for piece in able if piece.name in chosen)

    def _setup(self, board: Board, plan: Engagement, theirs: tuple[Piece, ...]) -> Doing[Attack]:
        """Fill in every condition, each with a line that says why."""
        side, enemy = plan.attackers[0].side, plan.defenders[0].side
        place = board.map.places[plan.target]
        complete = self._complete(board, plan)
        if complete:
            yield self.tell("note", "formation-attacks", "8.2", value=complete)
        concentric = self.concentric(board, plan.target, side)
        if concentric:
            yield self.tell("note", "surrounded", "8.1.1", value=board.map.number(plan.target))
        yield from self._crossings(board, plan)
        air = board.pools.get("air", 0) - board.pools.get("air_used", 0)
        ours, his = (
            self._columns_at_hand(board, plan.attackers),
            self._columns_at_hand(board, plan.defenders),
        )
        return Attack(
            attackers=tuple(
                self._counter(board, p, plan, plan.attackers)
                for p in (*plan.attackers, *plan.supports)
            ),
            defenders=tuple(
                self._counter(board, p, plan, plan.defenders) for p in (*plan.defenders, *theirs)
            ),
            terrain=tuple(sorted(place.terrain)),
            allied="attacker" if side == ALLIED else "defender",
            formation_complete=bool(complete),
            concentric=concentric,
            attacker_cl_at_hand=len(ours),
            defender_cl_at_hand=len(his),
            attacker_air_at_hand=air if side == ALLIED else 0,
            defender_air_at_hand=air if enemy == ALLIED else 0,
            attacker_cl_on_map=sum(piece.kind == "cl" for piece in board.of(side)),
            can_retreat=bool(self.retreats(board, plan, plan.target, 1)),
            retreated_before=any("retreated" in piece.states for piece in plan.defenders),
        )

    def _crossings(self, board: Board, plan: Engagement) -> Doing[None]:
        for piece in plan.attackers:
            if self._across(board, piece, plan.target) and piece.at:
                name = board.map.names.get(piece.at.side(piece.at.direction(plan.target)))
                river: Blank = name or board.map.terrain["river"].text
                here = board.map.number(piece.at)
                yield self.tell("note", "across", "8.2", unit=piece.name, value=here, river=river)

    def _across(self, board: Board, piece: Piece, target: Hex) -> bool:
        return piece.at is not None and "river" in board.map.between(piece.at, target)

    def _counter(
        self, board: Board, piece: Piece, plan: Engagement, engaged: tuple[Piece, ...]
    ) -> Counter:
        """Make the combat counter of a piece, with its conditions."""
        attacks = piece in plan.attackers
        return Counter(
            name=piece.name,
            kind=piece.kind,  # type: ignore[arg-type]  # the scenario's kinds are the game's
            size=piece.size,  # type: ignore[arg-type]
            steps=piece.steps,
            unsupplied="unsupplied" in piece.states,
            across_river=attacks and self._across(board, piece, plan.target),
            near_dominant=piece.kind == "hq" and self._near_dominant(board, piece, engaged),
            at_distance=self._from_afar(piece, plan),
            attack=piece.number("attack"),
            defence=piece.number("defence"),
            support=piece.number("support"),
        )

    def _from_afar(self, piece: Piece, plan: Engagement) -> bool:
        """8.1: neither in the attacked hex nor, on the attacker's side, beside it."""
        if piece.side == plan.defenders[0].side:
            return piece not in plan.defenders
        return piece not in plan.attackers and not _beside(piece, plan.target)

    def _near_dominant(self, board: Board, hq: Piece, engaged: tuple[Piece, ...]) -> bool:
        """10.2: the HQ supports a unit on or near a dominant position of its side."""
        felt = self._dominated(board, hq.side)
        return any(self.commands(hq, unit) and unit.at in felt for unit in engaged)

    def _complete(self, board: Board, plan: Engagement) -> str:
        """Name a formation of which every combat unit on the map attacks this hex."""
        names = {piece.name for piece in plan.attackers}
        for formation in sorted({piece.formation for piece in plan.attackers if piece.formation}):
            units = {
                piece.name
                for piece in board.of(plan.attackers[0].side)
                if piece.formation == formation and piece.kind not in (*SUPPORTS, "cl")
            }
            if len(units) > 1 and units <= names:
                return formation
        return ""

    def concentric(self, board: Board, target: Hex, side: str) -> bool:
        """8.1.1: every hex around holds attackers or is in their zone, and no unit of the
        defender's side; the edge of the map is open or closed by option."""
        zone = self.zoc(board, side)
        edge_closes = self.options["map_edge"] == "closed"
        return all(
            edge_closes
            if hex_ not in board.map.places
            else board.side_of(hex_) == side or (hex_ in zone and board.side_of(hex_) is None)
            for hex_ in target.neighbours()
        )

    def _columns_at_hand(self, board: Board, engaged: tuple[Piece, ...]) -> list[Piece]:
        """7.2: columns beside an engaged unit, if one engaged unit is in command."""
        side = engaged[0].side
        hqs = [piece for piece in board.of(side) if piece.kind == "hq"]
        if not any(self._commanded(hq, unit) for hq in hqs for unit in engaged):
            return []
        return [
            piece
            for piece in board.of(side)
            if piece.kind == "cl"
            and piece.at
            and any(unit.at and unit.at.distance(piece.at) <= 1 for unit in engaged)
        ]

    def _commanded(self, hq: Piece, unit: Piece) -> bool:
        """7.2: a unit of a formation by its own HQ, an independent one by any."""
        own = not unit.formation or hq.formation == unit.formation
        return unit.kind != "cl" and own and self.commands(hq, unit)

    # -------------------------------------------------------------- after the fight

    def _applied(
        self, board: Board, plan: Engagement, theirs: tuple[Piece, ...], fight: BautzenFight
    ) -> Board:
        """Bring steps, states and captures from the fight to the board."""
        used = {
            **{p.name: "attacked" for p in plan.attackers},
            **{p.name: "supported" for p in plan.supports},
            **{p.name: "defended" for p in (*plan.defenders, *theirs) if p.kind in SUPPORTS},
        }
        for unit in (*fight.attackers, *fight.defenders):
            piece = board.piece(unit.name)
            if unit.name in used:
                piece = piece.marked(used[unit.name])
            board = board.changed(replace(piece, steps=unit.steps))
            if not unit.alive:
                board = board.removed(unit.name)
        captured = [p for p, fate in zip(plan.defenders, fight.fates, strict=False) if fate == "C"]
        side = plan.attackers[0].side
        for piece in captured:
            board = board.changed(replace(piece, side=side, nation=plan.attackers[0].nation))
        return board

    def _spend(self, board: Board, plan: Engagement, fight: BautzenFight) -> Playing:
        """7.2, 10: remove the columns that were used, and count the air markers."""
        ours, air, theirs, their_air = fight.committed
        board = board.pooled("air_used", air + their_air)
        sides: tuple[tuple[Side, int, tuple[Piece, ...]], ...] = (
            ("attacker", ours, plan.attackers),
            ("defender", theirs, plan.defenders),
        )
        for side, count, engaged in sides:
            for _ in range(count):
                names = tuple(piece.name for piece in self._near_columns(board, engaged))
                name = yield from self.choose(side, "which-column", names, "7.2")
                yield self.tell("spent", "column-used", "7.2", side=side, unit=name)
                board = board.removed(name)
        return board

    def _near_columns(self, board: Board, engaged: tuple[Piece, ...]) -> list[Piece]:
        return [
            piece
            for piece in board.of(engaged[0].side)
            if piece.kind == "cl"
            and piece.at
            and any(unit.at and unit.at.distance(piece.at) <= 1 for unit in engaged)
        ]

    def retreats(self, board: Board, plan: Engagement, here: Hex, hexes: int) -> list[Hex]:
        """8.5: where a stack may go from here with so many hexes still to retreat."""
        stack = [p for p in (board.piece(piece.name) for piece in plan.defenders) if p.alive]
        side = plan.defenders[0].side
        zone = self.zoc(board, self.enemy(side))
        open_ = [
            there
            for there in board.map.around[here]
            if board.side_of(there) in (None, side)
            and there not in zone
            and there != plan.target
            and all(self.entry(board, piece, here, there, first=True) for piece in stack)
        ]
        if hexes > 1:
            return [there for there in open_ if self.retreats(board, plan, there, hexes - 1)]
        return [
            there
            for there in open_
            if self.stacking_problem(board, there, (*_others(board, there, stack), *stack)) is None
        ]

    def _retreat(self, board: Board, plan: Engagement, hexes: int) -> Playing:
        """8.5: hex by hex, the whole stack together; as far as it can, else it pays for it."""
        stack = [piece for piece in plan.defenders if board.piece(piece.name).alive]
        names, here = [piece.name for piece in stack], plan.target
        far = max(
            (n for n in range(1, hexes + 1) if self.retreats(board, plan, here, n)), default=0
        )
        for left in range(far, 0, -1):
            ways = self.retreats(board, plan, here, left)
            here = yield from self.choose_hex(
                board, "defender", "retreat-where", ways, ", ".join(names)
            )
            board = board.moved(names, here)
            number = board.map.number(here)
            yield self.tell("retreat", "retreats-to", "8.5.1", side="defender", value=number)
            yield board
        board = board.changed(*(board.piece(name).marked("retreated") for name in names))
        if far < hexes:
            yield self.tell("remark", "cannot-retreat", "8.5.2a", side="defender")
            board = yield from self._all_lose(board, names, "8.5.2a")
        fed = [piece.name for piece in stack if "unsupplied" not in piece.states]
        if fed and here not in self.supplied(board, stack[0].side):
            yield self.tell("remark", "unsupplied-by-retreat", "8.5.2a", side="defender")
            board = yield from self._all_lose(board, fed, "8.5.2a")
        return board

    def _all_lose(self, board: Board, names: Sequence[str], rule: str) -> Playing:
        for name in names:
            piece = board.piece(name)
            if piece.alive and piece.kind != "cl":
                board = yield from self.loses(board, "defender", name, rule)
        return board


def _beside(piece: Piece, target: Hex) -> bool:
    return piece.at is not None and piece.at.distance(target) <= 1


def _others(board: Board, hex_: Hex, stack: list[Piece]) -> list[Piece]:
    names = {piece.name for piece in stack}
    return [piece for piece in board.stack(hex_) if piece.name not in names]


class Moves(MoveOrders):
    """4.3 adds the breakthrough to what may be moved."""

    field: BautzenField

    def check(self, order: Words) -> None:
        """Refuse a move that is not legal."""
        match order:
            case ("break", name):
                if not self.field.breakthrough(self.board, self.movable(name)):
                    raise Refusal(say("{unit} has no enemy zone to break through", unit=name))
            case _:
                super().check(order)

    def deeds(self) -> Iterator[Words]:
        """Give every breakthrough."""
        for piece in self.pieces():
            if self.field.breakthrough(self.board, piece):
                yield ("break", piece.name)


class Attacks(AttackOrders):
    """8: all that can attack a hex, and each unit alone, with whatever may support them."""

    def __init__(self, field: BautzenField, board: Board, side: str) -> None:
        super().__init__(board, side)
        self.field = field

    def refuse(self, order: Words) -> None:
        """Refuse an attack that the rules do not allow."""
        self.field.engagement(self.board, self.side, order)

    def able(self, target: Hex) -> list[Piece]:
        """Give the units that could attack a hex."""
        return [
            piece
            for piece in self.board.of(self.side)
            if piece.kind not in SUPPORTS
            and self.field.may_attack(self.board, self.side, piece, target) is None
        ]

    def supports(self, target: Hex, group: Sequence[Piece]) -> list[Piece]:  # noqa: ARG002
        """Give the HQs and guns that could support a group."""
        return [
            piece
            for piece in self.board.of(self.side)
            if piece.kind in SUPPORTS
            and self.field.may_support(piece, self.side, group, "supported") is None
        ]

    def groups(self, target: Hex) -> Iterator[Words]:
        """Name the groups that could attack a hex."""
        able = self.able(target)
        for group in ([able] if able else []) + ([[p] for p in able] if len(able) > 1 else []):
            yield tuple(piece.name for piece in (*group, *self.supports(target, group)))


FIELD = BautzenField
