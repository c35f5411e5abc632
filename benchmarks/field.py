"""The map: reach of a unit on a large map, an automatic match, and turns as units double."""

from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import median
from time import perf_counter

from msgspec.structs import replace

from benchmarks.timing import best_of, duration, growth, table
from grognard.fights.odds import forget
from grognard.maps import scenario
from grognard.maps.board import Board
from grognard.maps.hexes import within
from grognard.maps.scenario import Force, MapText, Scenario
from grognard.matches.field import Field
from grognard.matches.match import Match, new_field
from grognard.players.bot import Bot, play_on

WIDTH, HEIGHT = 40, 30
BOARDS = 200


def report() -> str:
    rows = [_reach(), _match(), *_doubling()]
    return table(["the battlefield", "measured", "promised"], rows)


def _reach() -> list[str]:
    """Time the search for all reachable hexes of one unit on a large map with a dozen enemies.

    Each board is used once and differs from all others, so no cache helps.
    """
    large = _large(scenario.load("weissenberg"))
    field, board, random = new_field(large), large.board(), Random(1)
    field.reach(board, board.piece("21/20Pz"))  # fills the cache of costs, which is per map
    found = [_timed(field, _shuffled(board, random)) for _ in range(BOARDS)]
    seconds, count = median(time for time, _ in found), median(count for _, count in found)
    name = f"all {count:.0f} reachable hexes of a unit on a {WIDTH}×{HEIGHT} map"
    return [name, duration(seconds), "3 ms"]


def _timed(field: Field, board: Board) -> tuple[float, int]:
    start = perf_counter()
    count = len(field.reach(board, board.piece("21/20Pz")))
    return perf_counter() - start, count


def _shuffled(board: Board, random: Random) -> Board:
    """Move every other unit to a free hex near its own."""
    for piece in board.pieces:
        if piece.at and piece.name != "21/20Pz":
            near = [hex_ for hex_ in within(piece.at, 3) if hex_ in board.map.places]
            board = board.moved(
                [piece.name], random.choice([h for h in near if not board.stack(h)])
            )
    return board


def _large(small: Scenario) -> Scenario:
    """Place the units of a scenario on a large map of mixed terrain with roads and a river."""
    letters = "..w.d..v..x.w..."
    lines = [
        " ".join(letters[(7 * row + 3 * column) % len(letters)] for column in range(WIDTH))
        for row in range(HEIGHT)
    ]
    road = tuple(f"20{row:02}" for row in range(1, HEIGHT + 1))
    sheet = MapText(
        lower=small.map.lower,
        first="0101",
        grid="\n".join(lines),
        legend={**small.map.legend, "d": ("difficult",)},
        ways=(replace(small.map.ways[0], through=road),),
        hexsides=(replace(small.map.hexsides[0], between=("2010 2011", "1910 1911")),),
        sources={"german": ("2030",), "allied": ("2001",)},
    )
    units = tuple(replace(unit, entry=(), arrives=0) for unit in small.units)
    return replace(small, map=sheet, units=units, objectives=(), holders={})


def _match() -> list[str]:
    seconds = best_of(lambda: _played(scenario.load("weissenberg")), 3)
    return ["an automatic match of Weissenberg", duration(seconds), "2 s"]


def _played(battle: Scenario) -> int:
    """Let a bot play both sides to the end, with an empty cache of odds."""
    forget()
    match, bot = Match(new_field(battle)), Bot(3)
    return sum(1 for _ in play_on(match, dict.fromkeys((s.id for s in battle.sides), bot)))


def _doubling() -> Iterator[list[str]]:
    """Time automatic turns on the large map with more and more units."""
    large = _large(scenario.load("weissenberg"))
    larger = [replace(large, turns=1, units=tuple(_copies(large, n))) for n in (1, 2, 4)]
    return growth((len(battle.units), partial(_played, battle)) for battle in larger)


def _copies(battle: Scenario, times: int) -> Iterator[Force]:
    for number in range(times):
        for unit in battle.units:
            name = unit.name if number == 0 else f"{unit.name} ({number})"
            column, row = (int(unit.hex[:2]), int(unit.hex[2:])) if unit.hex else (0, 0)
            moved = f"{(column + 7 * number - 1) % WIDTH + 1:02}{row:02}" if unit.hex else None
            yield replace(unit, name=name, hex=moved)
