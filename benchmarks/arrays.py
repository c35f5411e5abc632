"""Ten million attacks of Normandy '44 with determined defence, each with its own set-up.

Compares Grognard with a textbook NumPy Monte Carlo and with a bare draw-and-take from a ready
table; for the exact expectation of a million set-ups, with icepool and dyce. All run on one core,
in one process. The results must agree, exactly or within their errors, before anything is timed.
"""

import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import dyce
import icepool
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from dyce.evaluation import HResult, expand
from numpy.typing import NDArray

from benchmarks.timing import best_of, duration, table
from grognard import load
from grognard.batch import Batch, Fights, Words

FIGHTS = 10_000_000
SET_UPS = 1_000_000
TERRAIN = ("clear", "bocage", "town")

Bytes = NDArray[np.uint8]
Loss = tuple[int, int, bool]  # steps of attacker and defender, and whether the hex is vacated


class AttackColumns(NamedTuple):
    """The values that differ between the attacks."""

    attack: Bytes
    defence: Bytes
    terrain: Bytes  # index into TERRAIN


def random_attacks(count: int, seed: int = 1) -> AttackColumns:
    random = np.random.default_rng(seed)
    return AttackColumns(
        random.integers(6, 24, count, dtype=np.uint8),
        random.integers(2, 11, count, dtype=np.uint8),
        random.integers(0, len(TERRAIN), count, dtype=np.uint8),
    )


# ------------------------------------------------------------------ by Grognard


def attacks() -> Batch:
    """Make a batch: one attacker of three steps against one defender of four, three columns."""
    attacker = {"name": "116", "steps": 3, "main_force": True, "nationality": "us"}
    return Batch(
        load("normandy"),
        {"attackers": [attacker], "defenders": [{"name": "352", "steps": 4}]},
        ["attackers[0].factor", "defenders[0].factor", "terrain"],
        attacker="take",
        defender="hold",
        folder=None,
    )


def columns(each: AttackColumns) -> dict[str, Bytes | Words]:
    return {
        "attackers[0].factor": each.attack,
        "defenders[0].factor": each.defence,
        "terrain": Words(TERRAIN, each.terrain),
    }


# ------------------------------------------------------------------ the card, by hand

CODES = ("A1", "A1/DR", "EX", "DR", "A1/D1", "D1", "A1/D2", "DH")
# The scale runs down the table: each column is the one before, a row lower.
SCALE = (0, 0, 0, 0, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7)
GRID = np.array([[SCALE[row + column] for column in range(9)] for row in range(6)], np.uint8)
LOST = np.array([[1, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1], [1, 2], [0, 2]], np.uint8)
GOES = np.array([0, 1, 0, 1, 1, 1, 1, 1], bool)  # told to retreat
STANDS = np.array([0, 1, 0, 1, 1, 1, 0, 0], bool)  # and may try determined defence
# Steps that determined defence costs attacker and defender, and whether it holds, by die and
# terrain: clear, bocage, town.
NO, LOSS, HELD_LOSS, HELD_BOTH, HELD = (0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 0, 1)
STAND = np.array(
    [
        [NO, NO, NO],
        [NO, NO, NO],
        [NO, NO, HELD_LOSS],
        [NO, NO, HELD_BOTH],
        [LOSS, HELD_LOSS, HELD_BOTH],
        [HELD_BOTH, HELD_BOTH, HELD],
    ],
    np.uint8,
)
FACTORS_AT_MOST = 18
BDC = np.array([0, 3, 5], np.uint8)  # by terrain
EVEN = 2  # the column 1-1


def column_of(each: AttackColumns) -> NDArray[np.intp]:
    """Find the column, ratios rounded in the defender's favour."""
    attack = np.minimum(each.attack, FACTORS_AT_MOST).astype(np.intp)
    defence = np.minimum(each.defence + BDC[each.terrain], FACTORS_AT_MOST).astype(np.intp)
    better = EVEN - 1 + attack // defence
    worse = EVEN + 1 + -defence // attack
    column: NDArray[np.intp] = np.clip(np.where(attack >= defence, better, worse), 0, 8)
    return column


# ------------------------------------------------------------------ by NumPy

Losses = tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.bool_]]


def textbook(column: NDArray[np.intp], terrain: Bytes, random: np.random.Generator) -> Losses:
    """Resolve attacks with whole arrays, two dice and `where`."""
    first = random.integers(1, 7, len(column))
    second = random.integers(1, 7, len(column))
    code = GRID[first - 1, column]
    stood = STAND[second - 1, terrain]
    stands = STANDS[code]
    attacker = LOST[code, 0] + np.where(stands, stood[:, 0], 0)
    defender = LOST[code, 1] + np.where(stands, stood[:, 1], 0)
    vacated = GOES[code] & ~(stands & (stood[:, 2] == 1))
    return attacker, defender, vacated


def losses(column: int, terrain: int, first: int, second: int) -> Loss:
    """Read the card for two dice; the second one counts only where the defender stands."""
    code = int(GRID[first - 1, column])
    ours, theirs = map(int, LOST[code])
    if not STANDS[code]:
        return ours, theirs, bool(GOES[code])
    stood = STAND[second - 1, terrain]
    return ours + int(stood[0]), theirs + int(stood[1]), not stood[2]


def ready_table() -> tuple[NDArray[np.uint8], list[Loss]]:
    """List the outcome of all 36 rolls for each column and terrain, as indices of outcomes."""
    found: dict[Loss, int] = {}
    cells = [
        found.setdefault(losses(column, terrain, first, second), len(found))
        for column in range(9)
        for terrain in range(3)
        for first in range(1, 7)
        for second in range(1, 7)
    ]
    return np.array(cells, np.uint8), list(found)


def draw_and_take(kinds: NDArray[np.uint16], cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Draw one of 36 rolls and look up its outcome, in chunks that stay in the cache."""
    random, chunk = np.random.default_rng(1), 1 << 16
    drawn = np.empty(len(kinds), np.uint8)
    for start in range(0, len(kinds), chunk):
        places = kinds[start : start + chunk] * np.uint16(36)
        places += random.integers(0, 36, len(places), dtype=np.uint8)
        cells.take(places, out=drawn[start : start + chunk], mode="clip")
    return drawn


# ------------------------------------------------------------------ by icepool and dyce


def icepool_losses(column: int, terrain: int) -> Fraction:
    """Calculate the expected losses of the defender."""

    def after(first: int) -> "icepool.Die[Loss] | Loss":
        if not STANDS[GRID[first - 1, column]]:
            return losses(column, terrain, first, 1)
        return icepool.d(6).map(lambda die: losses(column, terrain, first, die), star=False)

    die = icepool.d(6).map(after, star=False)
    mean: Fraction = die.map(lambda loss: loss[1], star=False).mean()
    return mean


def dyce_losses(column: int, terrain: int) -> Fraction:
    def after(first: HResult[int]) -> "dyce.H[Loss] | Loss":
        if not STANDS[GRID[first.outcome - 1, column]]:
            return losses(column, terrain, first.outcome, 1)
        return expand(lambda die: losses(column, terrain, first.outcome, die.outcome), dyce.H(6))

    histogram = expand(after, dyce.H(6), min_path_probability=Fraction(0))
    return Fraction(sum(loss[1] * n for loss, n in histogram.items()), histogram.total)


# ------------------------------------------------------------------ agreeing, and measuring


def agree(each: AttackColumns, fights: Fights, batch: Batch) -> None:
    """Stop if the results do not agree."""
    column = column_of(each)
    exact = fights.exactly("defender_steps_lost")
    for place in np.unique(column * 3 + each.terrain, return_index=True)[1]:
        for peer in (icepool_losses, dyce_losses):
            theirs = peer(int(column[place]), int(each.terrain[place]))
            if theirs != exact[place]:
                raise SystemExit(f"fight {place}: {theirs} by {peer.__name__}, we {exact[place]}")
    lost = np.array([outcome.defender_steps_lost for outcome in batch.outcomes])
    ours = float(lost[fights.sample(1)].mean())
    book = float(textbook(column, each.terrain, np.random.default_rng(1))[1].mean())
    error = 5 / np.sqrt(len(column))  # losses are a step or two, so this is far beyond chance
    if max(abs(ours - book), abs(ours - fights.expected("defender_steps_lost").mean())) > error:
        raise SystemExit(f"{ours} steps lost by Grognard, {book} by the textbook")


class Way(NamedTuple):
    """One of the programs, with its time for all fights and for a tenth of them."""

    name: str
    whole: float
    tenth: float


def measured(name: str, run: Callable[[int], object]) -> Way:
    return Way(name, best_of(lambda: run(FIGHTS), 3), best_of(lambda: run(FIGHTS // 10), 5))


def sampled() -> str:
    batch, each = attacks(), random_attacks(FIGHTS)
    fights = batch.fights(columns(each))
    some = AttackColumns(*(part[:20_000] for part in each))
    agree(some, batch.fights(columns(some)), batch)
    column = column_of(each)
    cells, _ = ready_table()
    kinds = (column * 3 + each.terrain).astype(np.uint16)
    parts = {
        count: AttackColumns(*(part[:count] for part in each)) for count in (FIGHTS, FIGHTS // 10)
    }
    evaluated = {FIGHTS: fights, FIGHTS // 10: batch.fights(columns(parts[FIGHTS // 10]))}
    random = np.random.default_rng(1)

    def from_factors(count: int) -> object:
        part = parts[count]
        return textbook(column_of(part), part.terrain, random)

    ways = [
        measured(
            "textbook, column known", lambda n: textbook(column[:n], each.terrain[:n], random)
        ),
        measured("draw-and-take from a ready table", lambda n: draw_and_take(kinds[:n], cells)),
        measured("Grognard, column known", lambda n: evaluated[n].sample(1)),
        measured("textbook, from the factors", from_factors),
        measured("Grognard, from the factors", lambda n: batch.fights(columns(parts[n])).sample(1)),
    ]
    rows = [
        [
            way.name,
            duration(way.whole),
            f"{FIGHTS / way.whole / 1e6:.0f}",
            f"{ways[0 if 'known' in way.name or 'ready' in way.name else 3].whole / way.whole:.1f}",
            f"{way.whole / way.tenth:.1f}",
        ]
        for way in ways
    ]
    head = [
        f"{FIGHTS // 1_000_000} million attacks sampled",
        "time",
        "million a second",
        "textbook ÷ this",
        "growth, tenfold work",
    ]
    return table(head, rows)


def _each(peer: Callable[[int, int], Fraction], some: list[tuple[int, int]]) -> float:
    """Time a peer on different set-ups."""
    return best_of(lambda: [peer(*one) for one in some], 5) / len(some)


def expected() -> str:
    each = random_attacks(SET_UPS)
    first = best_of(lambda: attacks().fights(columns(each)).expected("defender_steps_lost"), 3)
    batch = attacks()
    batch.fights(columns(each))

    def expectation(count: int) -> object:
        part = AttackColumns(*(part[:count] for part in each))
        return batch.fights(columns(part)).expected("defender_steps_lost")

    again = best_of(lambda: expectation(SET_UPS), 5)
    tenth = best_of(lambda: expectation(SET_UPS // 10), 5)
    column = column_of(each)
    some = [(int(column[i]), int(each.terrain[i])) for i in range(50)]
    pool, histogram = (_each(peer, some) for peer in (icepool_losses, dyce_losses))
    rows = [
        ["icepool, column known", duration(pool), "1", ""],
        ["dyce, column known", duration(histogram), f"{pool / histogram:.1f}", ""],
        [
            "Grognard, from the factors, nothing compiled",
            duration(first / SET_UPS),
            f"{pool * SET_UPS / first:.0f}",
            "",
        ],
        [
            "Grognard, from the factors",
            duration(again / SET_UPS),
            f"{pool * SET_UPS / again:.0f}",
            f"{again / tenth:.1f}",
        ],
    ]
    head = [
        "exact expectation of a million set-ups",
        "a set-up",
        "icepool ÷ this",
        "growth, tenfold work",
    ]
    return table(head, rows)


# ------------------------------------------------------------------ memory

STREAM = """
import re, sys
from pathlib import Path
from benchmarks.arrays import attacks
from grognard.arrays.arrow import stream
assert stream(attacks(), sys.argv[1], sys.argv[2], seed=1) == int(sys.argv[3])
print(int(re.search("VmHWM: *(.*) kB", Path("/proc/self/status").read_text())[1]) / 1024)
"""


def _megabytes(count: int, folder: Path) -> float:
    """Measure the peak memory of a process that samples from one Parquet file to another."""
    each = random_attacks(count)
    terrain = pa.DictionaryArray.from_arrays(pa.array(each.terrain), pa.array(TERRAIN))
    source, target = folder / "fights.parquet", folder / "outcomes.parquet"
    pq.write_table(
        pa.table(
            {
                "attackers[0].factor": each.attack,
                "defenders[0].factor": each.defence,
                "terrain": terrain,
            }
        ),
        source,
    )
    command = [sys.executable, "-c", STREAM, str(source), str(target), str(count)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def memory() -> str:
    with tempfile.TemporaryDirectory() as folder:
        counts = (FIGHTS // 10, FIGHTS)
        rows = [
            [f"{count:,}", f"{_megabytes(count, Path(folder)):.0f} MB", "300 MB"]
            for count in counts
        ]
    return table(["fights streamed to Parquet", "most memory", "promised"], rows)


def report() -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dyce warns that `expand` is experimental
        return f"{sampled()}\n\n{expected()}\n\n{memory()}"
