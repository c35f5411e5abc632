"""Panzer Grenadier on the map: turns of alternating action segments, recovery, victory."""

from collections.abc import Iterable

from grognard.card.rows import CERTAIN
from grognard.games.panzer_grenadier.battle import fires, shoots
from grognard.games.panzer_grenadier.conditions import SHOT, Shot, Volley, leader_bonus
from grognard.games.panzer_grenadier.ground import ACTED, SHAKEN, SIDES, Ground, is_combat
from grognard.games.panzer_grenadier.march import MOVING, march
from grognard.games.panzer_grenadier.segment import Segment, SegmentOrders, circles, starts
from grognard.games.panzer_grenadier.stated import AFVS
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.scenario import Player
from grognard.matches.protocol import END, Doing, Order, Orders, Playing, Roles, Verdict, Words
from grognard.rules.ask import Roll
from grognard.words.numbers import mixed

MOVED_BEFORE = "moved-before"  # in the action segment before this one
OF_A_TURN = (ACTED, "led", "crossing")
TURN = "turn"  # the board knows which it is, as the track beside a map does
LINE = ("infantry", "engineers", "cavalry", "other", *AFVS)


class PanzerGrenadierField(Ground):
    """The rules of Panzer Grenadier on a board."""

    # -------------------------------------------------------------- the sequence of play

    def sequence(self, board: Board, since: Order | None = None) -> Playing:
        """Turns of action segments, which the sides take alternately until both pass."""
        now = since.orders.segment if since and isinstance(since.orders, SegmentOrders) else None
        for turn in range(now.turn if now else 1, self.scenario.turns + 1):
            if now is None:
                board = yield from self._turn_begins(board, turn)
                side = yield from self._initiative()
                now = Segment(side, turn, starts(board, side))
            board = yield from self._segments(board, now)
            board, now = (yield from self._turn_ends(board)), None
        return board

    def _turn_begins(self, board: Board, turn: int) -> Playing:
        """Tell of the turn, and bring on the reinforcements of both sides."""
        board = board.pooled(TURN, turn - board.pools.get(TURN, 0))
        yield self.tell("remark", "turn-begins", value=turn)
        if self.night(turn):
            sight = str(self.card.number("night_sight"))
            yield self.tell("remark", "night-falls", value=turn, sight=sight)
        for player in self.scenario.sides:
            yield Roles(player.id, self.enemy(player.id))
            board = yield from self.reinforced(board, player.id, turn)
        return board

    def _segments(self, board: Board, now: Segment) -> Playing:
        """Let the sides act in turns until both have passed."""
        in_a_row = self.options["passing"] == "in_a_row"
        while True:
            passed, side = now.passed, now.side
            if side not in passed or in_a_row:
                board, acted = yield from self.segment(board, now)
                if not acted:
                    passed |= {side}
                elif in_a_row:
                    passed = frozenset()
            if len(passed) == len(self.scenario.sides):
                return board
            side = self.enemy(side)
            now = Segment(side, now.turn, starts(board, side), passed=passed)

    def _initiative(self) -> Doing[str]:
        first, second = self.scenario.sides
        side = first
        if self.options["initiative"] == "roll":
            one = yield from self._die_of(first)
            other = yield from self._die_of(second)
            side = second if other > one else first
        doubt = self.doubt("initiative")
        yield self.tell("remark", "has-initiative", reading=doubt, side_name=side.name)
        return side.id

    def _die_of(self, player: Player) -> Doing[int]:
        answer = yield Roll("initiative-roll", blanks=(("unit", player.name),))
        return int(str(answer[0])) if isinstance(answer, tuple) else 0

    def entries(self, board: Board, piece: Piece) -> list[Hex]:
        """Give where a reinforcement may arrive; by option, where all its entry hexes are closed,
        at the edge of the map as near to them as it can."""
        free = self._free(board, piece, piece.entry)
        if free or self.options["late_arrival"] == "waits":
            return free
        chart, around = self.chart(board, piece), board.map.around
        edge = [
            hex_
            for hex_, near in around.items()
            if len(near) < SIDES and any(chart[here, hex_, True] for here in near)
        ]
        away = {h: min(map(h.distance, piece.entry)) for h in self._free(board, piece, edge)}
        return [hex_ for hex_, far in away.items() if far == min(away.values())]

    def _free(self, board: Board, piece: Piece, hexes: Iterable[Hex]) -> list[Hex]:
        enemy = self.enemy(piece.side)
        return [
            hex_
            for hex_ in hexes
            if board.side_of(hex_) != enemy and self.may_end(board, piece, hex_) is None
        ]

    def _turn_ends(self, board: Board) -> Playing:
        """14.1: who is demoralised and has not tried to recover must; clear what holds for one
        turn; who has been digging is dug in."""
        if self.options["flight"] == "flees":
            for piece in board.pieces:
                if piece.at and "demoralised" in piece.states and ACTED not in piece.states:
                    yield Roles(piece.side, self.enemy(piece.side))
                    board = yield from self._recovers(board, board.piece(piece.name))
                    yield board
        for piece in board.pieces:
            if "digging" in piece.states and piece.alive:
                doubt = self.doubt("digging")
                yield self.tell("state", "dug-in-now", "16.2", unit=piece.name, reading=doubt)
        board = self.rested(board)
        yield board
        return board

    def rested(self, board: Board) -> Board:
        """Let all units act again; who has been digging is dug in (16.2)."""
        pieces = []
        for piece in board.pieces:
            shots = [state for state in piece.states if state.startswith(f"{SHOT}-")]
            after = piece.cleared(*OF_A_TURN, MOVING, MOVED_BEFORE, "digging", *shots)
            dug = "digging" in piece.states and piece.alive
            pieces.append(after.marked("dug-in") if dug else after)
        return board.changed(*pieces)

    def segment(self, board: Board, now: Segment) -> Doing[tuple[Board, bool]]:
        """Let a side act with units of one hex, or around one leader; tell whether it did."""
        side, acted = now.side, bool(now.used)
        yield Roles(side, self.enemy(side))
        while (orders := SegmentOrders(self, board, now)).any():
            words = yield from self.order(side, "phase-action", now.turn, board, orders)
            if words == END:
                break
            acted, names = True, orders.units(words)
            hexes = {now.starts[name] for name in names if name in now.starts}
            now = now._replace(used=now.used | hexes)
            board = yield from self.carry_out(board, side, words)
            yield board
            if words[0] == "strike":
                break
        if not acted:
            name, doubt = self.player(side).name, self.doubt("passing")
            yield self.tell("remark", "passes", reading=doubt, side_name=name)
        return (yield from self._segment_ends(board, now)), acted

    def _segment_ends(self, board: Board, segment: Segment) -> Playing:
        """Remember who moved, and which leader led units of several hexes."""
        pieces = []
        for piece in board.pieces:
            after = piece.cleared(MOVING, MOVED_BEFORE)
            pieces.append(after.marked(MOVED_BEFORE) if MOVING in piece.states else after)
        board = board.changed(*pieces)
        if len(segment.used) > 1:
            led = circles(self, board, segment)
            leader = next((piece for piece, circle in led if segment.used <= circle), None)
            if leader is not None:
                yield self.tell("note", "led-by", "6.5", unit=leader.name)
                board = board.changed(leader.marked("led"))
        yield board
        return board

    def carry_out(self, board: Board, side: str, order: Words) -> Playing:
        """Carry an order out."""
        turn = board.pools.get(TURN, 1)
        match order:
            case ("move", name, number):
                way = self.route(board, board.piece(name), (number,))
                cost = mixed(way.cost)
                yield self.tell("remark", "moves", unit=name, value=number, cost=cost)
                board = yield from march(self, board, (name,), way.path, turn)
            case ("move", name, *loads, number):
                way = self.route(board, board.piece(name), (number,))
                carried = tuple(dict.fromkeys(loads))
                cost, load = mixed(way.cost), ", ".join(carried)
                yield self.tell("remark", "carries", unit=name, value=number, load=load, cost=cost)
                board = yield from march(self, board, (name, *carried), way.path, turn)
            case ("fire" | "strike", number, *names):
                target = board.map.hex(number)
                firers = tuple(map(board.piece, dict.fromkeys(names)))
                targets = self.enemies_in(board, side, target)
                board = yield from fires(self, board, Volley(target, firers, targets, turn))
            case ("shoot", target, name):
                shot = Shot(board.piece(name), board.piece(target), turn)
                board = yield from shoots(self, board, shot)
            case ("dig", name):
                board = yield from self._digs(board, board.piece(name))
            case ("recover", name):
                board = yield from self._recovers(board, board.piece(name))
        return board

    def attack_orders(self, board: Board, side: str) -> Orders:
        """Give what a side could order in an action segment that began now."""
        turn = board.pools.get(TURN, 1)
        return SegmentOrders(self, board, Segment(side, turn, starts(board, side)))

    def fights(self, piece: Piece) -> bool:
        """Tell who goes into the line: not guns, transport and leaders."""
        return piece.kind in LINE

    def leads(self, piece: Piece) -> bool:
        """6.5, 14.1: leaders help the units in and next to their hex."""
        return piece.kind == "leader"

    def _digs(self, board: Board, piece: Piece) -> Playing:
        number = board.map.number(piece.place)
        doubt = self.doubt("digging")
        yield self.tell("state", "digs-in", "16.2", unit=piece.name, value=number, reading=doubt)
        state = "dug-in" if self.options["digging"] == "at_once" else "digging"
        return board.changed(piece.marked(ACTED, state))

    def _recovers(self, board: Board, piece: Piece) -> Playing:
        """14.1: two dice against the morale; who stays demoralised flees."""
        demoralised = "demoralised" in piece.states
        morale = piece.number("morale") + leader_bonus(self, board, piece)
        if demoralised:
            morale += int(self.card.number("demoralised_morale"))
        doubt = self.doubt("flight") if demoralised else CERTAIN
        yield self.tell(
            "note", "recovery-morale", "14.1", unit=piece.name, value=morale, reading=doubt
        )
        dice = yield from self.roll("recovery-roll", 2, "14.1", piece.name)
        piece = piece.marked(ACTED)
        if dice > morale:
            yield self.tell("state", "recovery-fails", "14.1", unit=piece.name)
            board = board.changed(piece)
            if demoralised and self.options["flight"] == "flees":
                return (yield from self._flees(board, piece))
            return board
        partly = demoralised and self.options["recovery"] == "one_level"
        phrase = "recovers-partly" if partly else "recovers"
        yield self.tell("state", phrase, "14.1", unit=piece.name)
        after = piece.cleared(*SHAKEN)
        return board.changed(after.marked("disrupted") if partly else after)

    def flights(self, board: Board, piece: Piece) -> list[Hex]:
        """Give the hexes to which a demoralised piece may flee: those farthest from enemies."""
        enemies = [p.at for p in board.of(self.enemy(piece.side)) if p.at and is_combat(p)]
        if piece.at is None or not enemies:
            return []
        ways = self.reach(board, piece)
        away = {hex_: min(map(hex_.distance, enemies)) for hex_ in ways}
        most = max(away.values(), default=0)
        if most <= min(map(piece.at.distance, enemies)):
            return []
        mined = self.enemy(piece.side)
        return [
            hex_
            for hex_, way in ways.items()
            if away[hex_] == most
            and not any(self.marked_by(board, h, "minefield") == mined for h in way.path)
        ]

    def _flees(self, board: Board, piece: Piece) -> Playing:
        hexes = self.flights(board, piece)
        if not hexes:
            yield self.tell("remark", "no-flight", "14.1", unit=piece.name)
            return board
        hex_ = yield from self.choose_hex(board, "attacker", "flees-where", hexes, piece.name)
        number = board.map.number(hex_)
        yield self.tell("retreat", "flees-to", "14.1", unit=piece.name, value=number)
        board = board.changed(piece.cleared("dug-in", "digging").marked(MOVING))
        return board.moved([piece.name], hex_)

    # -------------------------------------------------------------- the end

    def victory_points(self, board: Board) -> dict[str, int]:
        """Count objectives held, and points for steps that the enemy has lost."""
        points = super().victory_points(board)
        each = int(self.scenario.values.get("steps_for_a_point", 0))
        if each:
            for side in points:
                points[side] += self.steps_lost(board, self.enemy(side)) // each
        return points

    def verdict(self, board: Board) -> Verdict:
        """More points win; where they are even, the side that the scenario names."""
        found = super().verdict(board)
        even = self.scenario.values.get("even_points")
        return found if found.winner or even is None else found._replace(winner=str(even))

    def steps_lost(self, board: Board, side: str) -> int:
        """Count the steps that a side has lost since the beginning."""
        return sum(
            (unit.steps or len(unit.faces)) - board.piece(unit.name).steps
            for unit in self.scenario.forces
            if unit.side == side
        )


FIELD = PanzerGrenadierField
