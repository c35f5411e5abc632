"""Normandy '44 on the map: ZOC, movement, stacking, supply lines, forts, who may attack."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal, get_args

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.games.normandy.air_and_supply import Isolated
from grognard.maps.board import Board, Map, Piece
from grognard.maps.flood import Flood
from grognard.maps.hexes import Hex
from grognard.maps.mobility import Mobility
from grognard.maps.movement import POINT, Reached, parsed, steps
from grognard.maps.no_way import no_way
from grognard.maps.scenario import Scenario
from grognard.maps.scenario_checks import NUMBERS, Needs
from grognard.maps.supply_lines import Supply, trace
from grognard.matches.attack_field import AttackField
from grognard.matches.protocol import Playing, Words
from grognard.words.message import Message, say
from grognard.words.numbers import mixed
from grognard.words.refusal import Refusal
from grognard.words.text import Text

ALLIED, GERMAN = "allied", "german"
Weather = Literal["clear", "overcast", "other"]
WEATHER: tuple[Weather, ...] = get_args(Weather)  # a pool of the board counts in it
Fort = Literal["none", "strongpoint", "entrenchment"]
FORTS: tuple[Fort, ...] = ("strongpoint", "entrenchment")
Aim = Literal["town", "hq", "strongpoint", "coast"]  # of an isolated unit's supply line (18.5)
NON_MECH, MECH, GERMAN_MECH = "non-mech", "mech", "german-mech"
ON_MAIN_ROAD, OFF_MAIN_ROAD = "main-road", "off-main-road"


class Ground(AttackField):
    """What the terrain, the weather and the enemy's zones of control allow."""

    zoc_to_zoc = True  # the chart has a price for leaving one, and no ban
    supply_rule = "18.4"
    supply_options = ("supply_zoc", "hq_zoc", "disorganised")
    arrival_options = ("late_arrival", "hq_stacking")
    unsupplied_marks = ("unsupplied", "cut-off")

    @classmethod
    def needs(cls, card: Card) -> Needs:
        """Name what the rules look for in a scenario."""
        counted = ("points", "air", "naval", "strafings", "mulberry_us", "mulberry_british")
        return Needs(
            sides=(ALLIED, GERMAN),
            face_words={"row": card.table("reinforcements").row_labels},
            values={"weather": WEATHER, **dict.fromkeys(counted, NUMBERS)},
        )

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        leaving = next(row for row in self.card.terrain if row.id == "leave-zoc")
        costs = [cost.sixths for words in leaving.cost.values() if (cost := parsed(words))]
        self.zoc_exit = max(costs)
        self.zoc_stops = self.options["zoc_stop"] == "stops"
        self._most = int(self.card.number("stacking_units"))
        self._counts_hqs = self.options["hq_stacking"] == "counted"
        self.supply_length = int(self.card.number("supply_length"))

    def weather(self, board: Board) -> Weather:
        """Tell the weather of the turn."""
        return WEATHER[board.pools.get("weather", WEATHER.index("overcast"))]

    def stated(self, key: str, turn: int = 0) -> str:
        """Give what the scenario states for a turn: the word of that turn, or the last one."""
        words = str(self.scenario.values.get(key, "0")).split()
        return words[min(max(turn, 1), len(words)) - 1]

    # -------------------------------------------------------------- zones of control

    def exerts_zoc(self, piece: Piece) -> bool:
        """Every unit but an HQ, and a disorganised one, unless played otherwise."""
        scattered = "disorganised" in piece.states and self.options["disorganised"] == "no_zoc"
        silent = piece.kind == "hq" and self.options["hq_zoc"] == "no"
        return piece.alive and not silent and not scattered

    def zoc_reaches(self, board: Board, here: Hex, there: Hex) -> bool:
        """The chart: none across an impassable hexside."""
        features = board.map.between(here, there)
        return all(board.map.terrain[id_].values.get("zoc", True) for id_ in features)

    # -------------------------------------------------------------- movement

    def allowance(self, board: Board, piece: Piece) -> int:
        """German mechanised units have less in clear weather."""
        sixths = super().allowance(board, piece)
        slow = piece.unit_class == GERMAN_MECH and self.weather(board) == "clear"
        if slow and OFF_MAIN_ROAD not in piece.states:
            sixths += int(self.card.number("german_mech_clear_weather") * POINT)
        if "reserve" in piece.states:
            sixths = int(sixths * self.card.number("reserve_move"))
        return max(sixths, 0)

    def may_move(self, board: Board, piece: Piece) -> Message | None:
        """6.5.2: a unit that landed may be kept from moving."""
        if "landed" in piece.states and self.options["landing_move"] == "stays":
            return say("{unit} landed this turn and stays where it is", unit=piece.name)
        return super().may_move(board, piece)

    def in_weather(self, board: Board, piece: Piece) -> Piece:
        """Note B: in other weather German mechanised units pay like all mechanised units."""
        if piece.unit_class == GERMAN_MECH and self.weather(board) == "other":
            return replace(piece, unit_class=MECH)
        return piece

    def way_helps(self, board: Board, piece: Piece, here: Hex, there: Hex) -> bool:
        """A move that keeps its points in clear weather keeps off main roads."""
        if OFF_MAIN_ROAD not in piece.states:
            return True
        return ON_MAIN_ROAD not in board.map.ways_between(here, there)

    def mobilities(self, board: Board, piece: Piece) -> tuple[Mobility, ...]:
        """Give how a piece moves in the weather of the turn: in clear weather a German mechanised
        one may keep its points and keep off main roads instead."""
        piece = self.in_weather(board, piece)
        ways = super().mobilities(board, piece)
        if piece.unit_class == GERMAN_MECH and self.options["clear_weather_move"] != "every_move":
            return (*ways, *super().mobilities(board, piece.marked(OFF_MAIN_ROAD)))
        return ways

    def strategic_reach(self, board: Board, piece: Piece) -> dict[Hex, Reached]:
        """9.8: along roads only, farther than by normal movement, and clear of enemy zones."""
        if piece.at is None or self.may_march(board, piece) is not None:
            return {}
        return {
            hex_: way
            for hex_, way in self.strategic_mobility(board, piece).reach().items()
            if hex_ != piece.at and self.may_end(board, piece, hex_) is None
        }

    def may_march(self, board: Board, piece: Piece) -> Message | None:
        """9.8: say why a piece may not move strategically at all; None where it may."""
        if "disorganised" in piece.states:
            return say("{unit} is disorganised: no strategic movement", unit=piece.name)
        if piece.at in self.zoc(board, self.enemy(piece.side)):
            return say("{unit} is in an enemy ZOC: no strategic movement", unit=piece.name)
        return None

    def strategic_mobility(self, board: Board, piece: Piece) -> Mobility:
        """9.8: how a piece moves strategically."""
        costs = steps(board.map, self.in_weather(board, piece).unit_class)
        most = int(self.allowance(board, piece) * self.card.number("strategic_factor"))
        return self.mobility(board, piece)._replace(
            allowance=most,
            ground=lambda here, there, first: costs[here, there].by_way,  # noqa: ARG005  # a hook
            zoc="closed",
        )

    def strategic_route(self, board: Board, piece: Piece, number: str) -> Reached:
        """Find the way of a strategic movement, or refuse it."""
        self.refuse(self.may_march(board, piece))
        hex_ = board.map.hex(number)
        found = self.strategic_reach(board, piece).get(hex_)
        if found is None:
            ways, ending = self.strategic_mobility(board, piece), self.may_end(board, piece, hex_)
            raise Refusal(no_way(board.map, piece, (ways,), hex_, ending))
        return found

    def moves(self, board: Board, words: Words, rule: str | None = None) -> Playing:
        """Carry a move out; a fortification that an enemy enters is lost."""
        board = yield from super().moves(board, words, rule)
        return (yield from self.trampled(board, board.piece(words[1])))

    def moves_strategically(self, board: Board, words: Words) -> Playing:
        """9.8: carry a strategic movement out; the unit stays marked until its next turn."""
        piece = board.piece(words[1])
        way = self.strategic_route(board, piece, words[2])
        cost, number = mixed(way.cost), board.map.number(way.path[-1])
        phrase = "moves-strategically"
        yield self.tell("remark", phrase, "9.8", unit=piece.name, value=number, cost=cost)
        board = board.changed(piece.marked("moved", "strategic")).moved([piece.name], way.path[-1])
        return (yield from self.trampled(board, board.piece(piece.name)))

    # -------------------------------------------------------------- stacking

    def stacking_problem(
        self, board: Board, hex_: Hex, pieces: tuple[Piece, ...]
    ) -> Message | None:
        """So many units in a hex, HQs counted by option."""
        problem = super().stacking_problem(board, hex_, pieces)
        most = self._most
        count = sum(piece.kind != "hq" or self._counts_hqs for piece in pieces)
        if problem is None and count > most:
            return say("{count} units in the hex; at most {most}", count=count, most=most)
        return problem

    # -------------------------------------------------------------- who may attack

    def unfit(self, piece: Piece) -> Message | None:
        """Only units with an attack factor."""
        if not piece.number("attack"):
            return say("{unit} does not attack", unit=piece.name)
        return None

    def barred(self, board: Board, piece: Piece, target: Hex) -> Message | None:
        """Not across an impassable hexside; once a turn, and in order to attack."""
        across = piece.at is not None and self.zoc_reaches(board, piece.at, target)
        any_ground = self.options["attack_across"] == "any_ground"
        if not across or not (any_ground or self.enters(board, piece, target)):
            number = board.map.number(target)
            return say("{unit} can't attack {hex} across this hexside", unit=piece.name, hex=number)
        problem = super().unfit(piece)
        if problem is None and "disorganised" in piece.states:
            return say("{unit} is disorganised and does not attack", unit=piece.name)
        if problem is None and "strategic" in piece.states:
            return say("{unit} is in strategic movement and does not attack", unit=piece.name)
        return problem

    # -------------------------------------------------------------- fortifications

    def fortification(self, board: Board, hex_: Hex, side: str = GERMAN) -> Fort:
        """Tell what fortification shelters a side in a hex; they are all German."""
        if side != GERMAN or _fallen(board, hex_) in board.pools:
            return "none"
        found = [fort for fort in FORTS if fort in board.map.places[hex_].terrain]
        return found[0] if found else "none"

    def without_fortification(self, board: Board, hex_: Hex) -> Playing:
        """Remove the fortification of a hex for the rest of the match."""
        yield self.tell("state", "fort-falls", value=board.map.number(hex_))
        return board.pooled(_fallen(board, hex_), 1)

    def trampled(self, board: Board, piece: Piece) -> Playing:
        """An enemy of the Germans who enters their fortification ends it."""
        fallen = piece.side != GERMAN and self.options["fort_entered"] == "lost"
        if piece.at and fallen and self.fortification(board, piece.at) != "none":
            board = yield from self.without_fortification(board, piece.at)
        yield board
        return board

    # -------------------------------------------------------------- 18 supply

    def line_to(self, board: Board, side: str, start: Hex, goal: Callable[[Hex], bool]) -> Supply:
        """18.4: a line has so many hexes at most, over ground that a unit on foot can enter."""
        afoot = _afoot(board.map)
        return trace(
            board.map.around,
            start,
            goal,
            self.shut(board, side),
            passes=lambda here, there: here in afoot[there],
            longest=self.supply_length,
        )

    def find_supplied(self, board: Board, side: str) -> frozenset[Hex]:
        """18.4: follow all lines backwards from the sources."""
        sources, shut = self.sources(board, side), self.shut(board, side)
        return _flood_afoot(board.map).spread(sources, shut, self.supply_length)

    def supply_line(self, board: Board, piece: Piece) -> tuple[Aim | None, Supply]:
        """18.5: to what an isolated unit still traces a line: town, HQ, strongpoint or coast."""
        if piece.at is None:
            return None, Supply(())
        for aim, goal in self._aims(board, piece).items():
            line = self.line_to(board, piece.side, piece.at, goal)
            if line.traced:
                return aim, line
        return None, Supply(())

    def _aims(self, board: Board, piece: Piece) -> Mapping[Aim, Callable[[Hex], bool]]:
        side = piece.side

        def friendly(hex_: Hex) -> bool:
            return (board.side_of(hex_) or board.holders.get(hex_)) == side

        def town(hex_: Hex) -> bool:
            return "town" in board.map.places[hex_].terrain and friendly(hex_)

        def hq(hex_: Hex) -> bool:
            stack = board.stack(hex_)
            return any(p.kind == "hq" and p.side == side and p.name != piece.name for p in stack)

        def strongpoint(hex_: Hex) -> bool:
            return self.fortification(board, hex_) == "strongpoint" and friendly(hex_)

        def coast(hex_: Hex) -> bool:
            return "coast" in board.map.places[hex_].terrain

        if side == GERMAN:
            return {"town": town, "hq": hq, "strongpoint": strongpoint}
        return {"town": town, "hq": hq, "coast": coast}

    def isolated(self, board: Board, piece: Piece) -> Isolated:
        """Make the counter of an isolated unit for its attrition roll."""
        quality, (aim, _) = piece.number("quality"), self.supply_line(board, piece)
        return Isolated(name=piece.name, steps=piece.steps, quality=quality, supply_line_to=aim)

    # -------------------------------------------------------------- words

    def words_of(self, board: Board, hex_: Hex) -> Text:
        """Name the terrain of a hex in both languages."""
        rows = [row.text for row in board.map.rows(hex_) if row.id not in FORTS]
        return Text(", ".join(row.en for row in rows), ", ".join(row.fr for row in rows))


@lru_cache(maxsize=16)
def _afoot(sheet: Map) -> Mapping[Hex, tuple[Hex, ...]]:
    """Give for each hex of a map those beside it from which a unit on foot can enter it."""
    costs = steps(sheet, NON_MECH)
    return {
        there: tuple(h for h in around if costs[h, there].at_first or costs[h, there].by_way)
        for there, around in sheet.around.items()
    }


@lru_cache(maxsize=16)
def _flood_afoot(sheet: Map) -> Flood:
    return Flood(_afoot(sheet))


def _fallen(board: Board, hex_: Hex) -> str:
    """Name the pool that remembers a lost fortification."""
    return f"fallen {board.map.number(hex_)}"
