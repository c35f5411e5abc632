"""Sweeps: each row equals the single fight, in order, with any workers and chunks."""

import csv
import math
import os
import signal
from collections.abc import Iterator
from io import StringIO
from itertools import product
from pathlib import Path
from string import Template
from typing import NamedTuple

import pyarrow.parquet as pq
import pytest

from grognard import Refusal
from grognard.arrays import arrow
from grognard.arrays.batch import EXPECTED, RESULT_COLUMNS
from grognard.fights.fight_file import read_fight
from grognard.files.source import Source
from grognard.study import sweep_file
from grognard.study.sweep import (
    ChunkLines,
    ChunkRows,
    ChunkTask,
    Job,
    Tally,
    compute_lines,
    compute_rows,
)
from grognard.study.sweep_file import write, write_lines
from grognard.study.sweep_spec import read_sweep

NAME = "spec.toml"


def job(text: str, name: str = NAME, **settings: object) -> Job:
    source = Source(name, text)
    return Job(source, read_sweep(source), **settings)  # type: ignore[arg-type]  # as named


def silent(_: int) -> None:
    pass


def lines(sweep: Job) -> str:
    text = StringIO()
    write_lines(sweep, text, silent)
    return text.getvalue()


def table(sweep: Job) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(lines(sweep))))


class Case(NamedTuple):
    """A fight file with blanks; each has a range and the list of its values."""

    text: str
    blanks: dict[str, tuple[str, list[str]]]
    doctrines: tuple[str, str] = ("best", "best")

    def swept(self) -> str:
        return Template(self.text).substitute({k: r for k, (r, _) in self.blanks.items()})

    def alone(self) -> Iterator[str]:
        """Yield the file of each combination; the last blank changes fastest."""
        for values in product(*(values for _, values in self.blanks.values())):
            yield Template(self.text).substitute(dict(zip(self.blanks, values, strict=True)))


BAUTZEN = Case(
    """game = "bautzen"
terrain = $terrain
concentric = $concentric
[[attackers]]
name = "21/20Pz"
attack = $attack
[options]
ratio_clamp = $clamp
[[defenders]]
name = "861/294"
defence = $defence
steps = 2
[[defenders]]
name = "QG 294 RD"
kind = $kind
[sweep]
attacker = "take"
defender = "hold"
""",
    {
        "terrain": (
            '{ each = ["clear", "lake", "village+wood"] }',
            ['["clear"]', '["lake"]', '["village", "wood"]'],
        ),
        "concentric": ('{ each = "all" }', ["false", "true"]),
        "attack": ("{ from = 4, to = 15, by = 5 }", ["4", "9", "14"]),
        "clamp": ('{ each = "all" }', ['"before"', '"after"']),
        "defence": ("{ each = [7, 0, 2] }", ["7", "0", "2"]),
        "kind": ('{ each = ["cl", "infantry"] }', ['"cl"', '"infantry"']),
    },
    ("take", "hold"),
)
NORMANDY = Case(
    """game = "normandy"
terrain = ["clear", $ground]
fortification = $fortification
offensive_air = $air
[[attackers]]
name = "16/1"
factor = $factor
main_force = true
[[defenders]]
name = "916/352"
factor = 3
quality = 1
""",
    {
        "ground": ('{ each = ["bocage", "wood"] }', ['"bocage"', '"wood"']),
        "fortification": (
            '{ each = "all" }',
            ['"none"', '"strongpoint"', '"entrenchment"'],
        ),
        "air": ('{ each = "all" }', ["0", "1", "2"]),
        "factor": ("{ from = 5, to = 6 }", ["5", "6"]),
    },
)
FIRE = Case(
    """game = "panzer-grenadier"
range = $range
[[attackers]]
name = "GREN"
fire = $fire
state = $state
[[defenders]]
name = "INF"
morale = $morale
""",
    {
        "range": ("{ from = 1, to = 2 }", ["1", "2"]),
        "fire": ("{ each = [5, 16] }", ["5", "16"]),
        "state": ('{ each = "all" }', ['"good-order"', '"disrupted"', '"demoralised"']),
        "morale": ("{ from = 7, to = 8 }", ["7", "8"]),
    },
)
OCTOBER = Case(
    """game = "white-october"
night = $night
attacker_is_ano = true
[[attackers]]
name = "Semionovski"
pe = 2
strength = $strength
quality = 5
morale = 5
[[defenders]]
name = "6e division"
pe = 2
strength = 3
quality = 3
morale = $morale
""",
    {
        "night": ("{ each = [true, false] }", ["true", "false"]),
        "strength": ("{ from = 2, to = 8, by = 3 }", ["2", "5", "8"]),
        "morale": ("{ from = 2, to = 3 }", ["2", "3"]),
    },
)
ONLY_OPTIONS = Case(
    """game = "bautzen"
[[attackers]]
name = "21/20Pz"
attack = 9
[[defenders]]
name = "861/294"
defence = 2
[options]
ratio_clamp = $clamp
""",
    {"clamp": ('{ each = "all" }', ['"before"', '"after"'])},
)
CASES = {
    "bautzen": BAUTZEN,
    "normandy": NORMANDY,
    "panzer-grenadier": FIRE,
    "white-october": OCTOBER,
    "only-options": ONLY_OPTIONS,
}


def told_alone(text: str, doctrines: tuple[str, str]) -> dict[str, float | str | None] | None:
    """Evaluate a single fight; None if the rules refuse it."""
    try:
        fight = read_fight(Source(NAME, text.partition("[sweep]")[0]))
        odds = fight.odds(*doctrines)
    except Refusal:
        return None
    told = fight.explain()
    column = told.column()
    return {
        **{key: _real(value) for key, value in told.totals().items()},
        **{key: None if value is None else str(value) for key, value in column.items()},
        "die_modifier": float(told.die_modifier),
        **{
            name: float(sum(int(getattr(o, name)) * p for o, p in odds.outcomes()))
            for name in EXPECTED
        },
    }


def _real(value: object) -> float | None:
    return None if value is None or isinstance(value, str) else float(value)  # type: ignore[arg-type]  # a number


def as_told(row: dict[str, str]) -> dict[str, float | str | None]:
    return {
        name: (row[name] or None) if name in ("basic", "final") else _read(row[name])
        for name in RESULT_COLUMNS
    }


def _read(text: str) -> float | None:
    return float(text) if text else None


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_row_is_that_of_the_fight_alone_in_order(case: Case) -> None:
    alone = [told_alone(text, case.doctrines) for text in case.alone()]
    rows = table(job(case.swept(), chunk=7))
    assert [int(row["row"]) for row in rows] == [n for n, told in enumerate(alone, 1) if told]
    assert [as_told(row) for row in rows] == [told for told in alone if told]


def test_the_ranges_are_columns_in_the_order_of_the_file() -> None:
    rows = table(job(BAUTZEN.swept()))
    assert list(rows[0]) == [
        "row",
        "terrain",
        "concentric",
        "attackers[0].attack",
        "options.ratio_clamp",
        "defenders[0].defence",
        "defenders[1].kind",
        *RESULT_COLUMNS,
    ]
    assert list(rows[0].values())[:7] == ["1", "clear", "false", "4", "before", "7", "cl"]
    assert list(rows[-1].values())[:7] == [
        "216",
        "village+wood",
        "true",
        "14",
        "after",
        "2",
        "infantry",
    ]


def test_what_the_rules_refuse_is_left_out_and_counted() -> None:
    sweep = job(BAUTZEN.swept())
    count = write_lines(sweep, StringIO(), silent)
    refused = [
        n for n, text in enumerate(BAUTZEN.alone(), 1) if not told_alone(text, ("take", "hold"))
    ]
    assert 72 <= len(refused) < 216
    assert count == Tally(216, 216 - len(refused), len(refused), refused[0])
    assert "lake" in str(sweep.reason(73))


def test_what_the_rules_refuse_is_kept_without_results_where_that_is_asked() -> None:
    rows = table(job(BAUTZEN.swept(), keep=True))
    assert [int(row["row"]) for row in rows] == list(range(1, 217))
    for row, text in zip(rows, BAUTZEN.alone(), strict=True):
        told = told_alone(text, ("take", "hold"))
        assert row["refused"] == ("false" if told else "true")
        assert as_told(row) == (told or dict.fromkeys(RESULT_COLUMNS))


def test_doctrines_are_swept_and_results_chosen() -> None:
    text = ONLY_OPTIONS.text.replace("$clamp", '"after"')
    text += '[sweep]\nattacker = { each = "all" }\ndefender = "hold"\ngive = ["taken", "final"]\n'
    rows = table(job(text))
    assert list(rows[0]) == ["row", "sweep.attacker", "taken", "final"]
    assert [row["sweep.attacker"] for row in rows] == ["best", "hold", "take", "spare"]
    fight = read_fight(Source(NAME, text.partition("[sweep]")[0]))
    for row in rows:
        assert float(row["taken"]) == float(
            fight.odds(row["sweep.attacker"], "hold").chance("taken")
        )


def test_a_sweep_may_be_json() -> None:
    text = """{"game": "bautzen", "attackers": [{"name": "a", "attack": {"from": 1, "to": 3}}],
               "defenders": [{"name": "d", "defence": 1}]}"""
    assert [row["attackers[0].attack"] for row in table(job(text))] == ["1", "2", "3"]


# ------------------------------------------------------------------ the same bytes


def written(sweep: Job, path: Path) -> bytes:
    write(sweep, path, silent)
    return path.read_bytes()


@pytest.mark.process
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_size_of_chunks_and_the_workers_do_not_change_a_byte(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrow, "ROWS", 50)
    text = BAUTZEN.swept()
    whole = written(job(text), tmp_path / f"whole.{ending}")
    for chunk, workers in ((1, 1), (16, 1), (100, 1), (40, 2)):
        again = job(text, chunk=chunk, workers=workers)
        assert written(again, tmp_path / f"again.{ending}") == whole, (chunk, workers)


@pytest.mark.parametrize("keep", [True, False])
def test_parquet_holds_the_values_of_csv(keep: bool, tmp_path: Path) -> None:
    sweep = job(BAUTZEN.swept(), keep=keep)
    write(sweep, tmp_path / "a.parquet", silent)
    found = pq.read_table(tmp_path / "a.parquet")
    rows = table(sweep)
    assert found.num_rows == len(rows)
    for column in found.column_names:
        assert list(map(_text, found[column].to_pylist())) == [row[column] for row in rows], column


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        assert not math.isnan(value)
        return repr(value).removesuffix(".0")
    return "" if value is None else str(value)


def _fall_once(task: ChunkTask) -> None:
    """Kill this process at the second chunk, but only once: a file marks it."""
    mark = Path(task.source.name)
    if task.first > 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def falling_lines(task: ChunkTask) -> ChunkLines:
    _fall_once(task)
    return compute_lines(task)


def falling_rows(task: ChunkTask) -> ChunkRows:
    _fall_once(task)
    return compute_rows(task)


@pytest.fixture
def deadly_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first task of a sweep end its worker."""
    monkeypatch.setattr(sweep_file, "compute_lines", falling_lines)
    monkeypatch.setattr(sweep_file, "compute_rows", falling_rows)


@pytest.mark.process
@pytest.mark.usefixtures("deadly_sweeps")
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_killed_process_does_not_change_a_byte(ending: str, tmp_path: Path) -> None:
    text, mark = NORMANDY.swept(), tmp_path / "mark"
    fallen = written(job(text, str(mark), chunk=5, workers=2), tmp_path / f"fallen.{ending}")
    assert mark.exists()
    assert fallen == written(job(text), tmp_path / f"alone.{ending}")


def test_an_enormous_sweep_streams() -> None:
    text = FIRE.text.replace("$range", "1").replace("$state", '"good-order"')
    text = text.replace("$fire", "{ from = 1, to = 10000 }")
    sweep = job(text.replace("$morale", "{ from = 1, to = 10000 }"), chunk=10, workers=1)
    assert sweep.sweep.count == 10**8
    parts = sweep.parts(compute_rows)
    for n in range(3):
        columns, tally = next(parts)
        assert tally.combinations == 10
        assert list(columns["row"]) == list(range(n * 10 + 1, n * 10 + 11))
    parts.close()


@pytest.mark.slow
def test_a_parquet_file_is_written_in_row_groups_of_one_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrow, "ROWS", 10)
    write(job(NORMANDY.swept(), chunk=7), tmp_path / "a.parquet", silent)
    groups = pq.ParquetFile(tmp_path / "a.parquet").metadata
    sizes = [groups.row_group(n).num_rows for n in range(groups.num_row_groups)]
    assert sizes == [10, 10, 10, 6]


# ------------------------------------------------------------------ what is wrong


FIGHT = """game = "bautzen"
terrain = {terrain}
[[attackers]]
name = "21/20Pz"
attack = {attack}
[[defenders]]
name = "861/294"
defence = 4
steps = {steps}
"""
RIGHT = {"terrain": '["wood"]', "attack": "{ from = 1, to = 3 }", "steps": "1"}


MILLION = "the number is too large; at most 1000000 either side of 0"


@pytest.mark.parametrize(
    ("blank", "value", "problem"),
    [
        ("attack", "{ from = 5, to = 4 }", "5: attackers[0].attack: from 5 to 4 there is nothing"),
        ("attack", "{ from = 1 }", "5: attackers[0].attack: the key 'to' is missing"),
        ("attack", "{ by = 1 }", "5: attackers[0].attack: the key 'from' is missing"),
        (
            "attack",
            "{ from = 1, to = 3, by = 0 }",
            "5: attackers[0].attack.by: expected a whole number of at least 1, found 0",
        ),
        (
            "attack",
            '{ from = 1, to = "3" }',
            "5: attackers[0].attack.to: expected a whole number, found '3'",
        ),
        (
            "attack",
            "{ from = 1, to = 2.5 }",
            "5: attackers[0].attack.to: expected a whole number, found 2.5",
        ),
        (
            "attack",
            "{ from = 1, until = 3 }",
            "5: attackers[0].attack.until: unknown key 'until'; known: from, to, by, each",
        ),
        (
            "attack",
            "{ from = 1, each = [1] }",
            "5: attackers[0].attack: a range is either 'each', or 'from', 'to' and perhaps 'by'",
        ),
        (
            "attack",
            "{ each = [] }",
            '5: attackers[0].attack.each: expected a list of values, or "all"; found []',
        ),
        (
            "attack",
            "{ each = 3 }",
            '5: attackers[0].attack.each: expected a list of values, or "all"; found 3',
        ),
        (
            "attack",
            "{ each = [1, true] }",
            "5: attackers[0].attack.each[1]: expected a whole number, found True",
        ),
        ("attack", "{ each = [1, 2, 1] }", "5: attackers[0].attack.each[2]: 1 is listed twice"),
        (
            "attack",
            '{ each = "all" }',
            "5: attackers[0].attack.each: nobody knows all values of this; list them, or state "
            "from and to",
        ),
        (
            "attack",
            "{ from = -2, to = 3 }",
            "5: attackers[0].attack: expected a whole number of at least 0, found -2",
        ),
        (
            "steps",
            "{ from = 1, to = 9 }",
            "9: defenders[0].steps: expected a whole number of at most 2, found 9",
        ),
        (
            "terrain",
            "{ from = 1, to = 2 }",
            "2: terrain: only a number goes from and to; list the values with 'each'",
        ),
        (
            "terrain",
            '{ each = ["wood", "vilage"] }',
            "2: terrain.each[1]: there is no 'vilage' to state; near matches: village, lake",
        ),
        ("terrain", "{ each = [3] }", "2: terrain.each[0]: expected a text, found 3"),
        (
            "attack",
            "3",
            "there is nothing to sweep; state a range for a value, such as { from = 4, to = 30 } "
            'or { each = ["wood", "town"] }',
        ),
        ("attack", f"{{ from = 0, to = {10**20} }}", f"5: attackers[0].attack.to: {MILLION}"),
        ("attack", "{ from = -9999999, to = 4 }", f"5: attackers[0].attack.from: {MILLION}"),
        (
            "attack",
            "{ from = 0, to = 10001 }",
            "5: attackers[0].attack: the number is too large; at most 10000 either side of 0",
        ),
        (
            "attack",
            '3\n"defence." = { from = 1, to = 2 }',
            "6: attackers[0].\"defence.\": unknown key 'defence.'; near matches: defence",
        ),
    ],
)
def test_a_wrong_range_is_refused_with_file_and_line(blank: str, value: str, problem: str) -> None:
    text = FIGHT.format(**{**RIGHT, blank: value})
    with pytest.raises(Refusal) as refused:
        job(text)
    said = str(refused.value)
    assert said in (f"{NAME}:{problem}", f"{NAME}: {problem}")


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ("[sweep]\ngiv = []", "11: sweep.giv: unknown key 'giv'; near matches: give"),
        (
            "[sweep]\ngive = []",
            "11: sweep.give: expected a list of results; known: attack, defence",
        ),
        (
            '[sweep]\ngive = ["take"]',
            "11: sweep.give[0]: there is no result 'take'; near matches: taken",
        ),
        ('[sweep]\ngive = ["taken", "taken"]', "11: sweep.give[1]: 'taken' is listed twice"),
        ("[sweep]\ngive = { each = [] }", "11: sweep.give: this can't be a range"),
        ('[sweep]\nattacker = "tak"', "11: sweep.attacker: there is no doctrine 'tak'"),
        (
            '[sweep]\nattacker = { each = ["hold", "x"] }',
            "11: sweep.attacker: there is no doctrine 'x'",
        ),
        (
            '[options]\nratio_clamp = "x"',
            "11: options.ratio_clamp: option ratio_clamp is never 'x'",
        ),
        (
            '[options]\nratio_clamp = { each = ["x"] }',
            "11: options.ratio_clamp: option ratio_clamp is never 'x'",
        ),
        ('[options]\nclamp = { each = "all" }', "11: options.clamp: bautzen has no option 'clamp'"),
        ("[options]\nratio_clamp = 3", "10: options: options are pairs"),
        ('[options]\neach = "all"', "10: options: options are pairs"),
        ("stepps = 3", "10: defenders[0].stepps: unknown key 'stepps'; near matches: steps"),
        (
            "[x]\ny = { from = 1, to = 2 }",
            "11: x.y: unknown key 'x'",
        ),
    ],
)
def test_what_else_is_wrong_is_refused_with_file_and_line(more: str, problem: str) -> None:
    with pytest.raises(Refusal) as refused:
        job(FIGHT.format(**RIGHT) + more)
    assert str(refused.value).startswith(f"{NAME}:{problem}")


def test_units_are_named_one_by_one() -> None:
    text = 'game = "bautzen"\nattackers = { from = 1, to = 2 }\n[[defenders]]\nname = "d"'
    with pytest.raises(Refusal, match=r"spec\.toml:2: attackers: the set-up names no unit"):
        job(text)


def test_without_units_there_is_no_fight() -> None:
    text = 'game = "bautzen"\nattackers = []\ndefenders = []\nattacker_cl = { each = "all" }'
    with pytest.raises(Refusal, match=r"spec\.toml: no unit is stated"):
        job(text)


def test_the_game_is_no_range() -> None:
    with pytest.raises(Refusal, match=r"spec\.toml:1: game: expected a name"):
        job('game = { each = ["bautzen"] }')


def test_a_sweep_of_which_the_rules_allow_nothing_is_refused(tmp_path: Path) -> None:
    sweep = job(FIGHT.format(**{**RIGHT, "terrain": '["lake"]'}))
    said = (
        "spec.toml:2: terrain: the rules allow none of the 3 combinations; the first: there is "
        "no terrain 'lake'; near matches: village"
    )
    for name in ("a.csv", "a.parquet"):
        with pytest.raises(Refusal) as refused:
            write(sweep, tmp_path / name, silent)
        assert str(refused.value) == said
    assert not list(tmp_path.iterdir())
    with pytest.raises(Refusal):
        lines(sweep)
