"""Many fights at once, in NumPy arrays: columns, modifiers, exact odds, random outcomes.

The rules are those of single fights: `decision_tree` traces them, `compiled_odds` stores the odds
of each kind of fight. Equal rows are evaluated once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn

import numpy as np
from msgspec.structs import fields
from numpy.typing import ArrayLike, NDArray

from grognard.arrays.compiled_odds import CompiledOdds
from grognard.arrays.decision_tree import DecisionTree
from grognard.arrays.row_numbering import MOST_ROWS, InputColumns, numbering_of
from grognard.arrays.row_results import (
    MISSING,
    Floats,
    ResultTables,
    RowCache,
    RowResults,
    evaluate_rows,
)
from grognard.arrays.sampling import SEEDS, Distribution, Indices
from grognard.arrays.setup_template import InputColumn, SetupTemplate
from grognard.fights.doctrine import doctrine
from grognard.files.folders import cache_folder
from grognard.rules.fight import Outcome
from grognard.rules.procedure import Game
from grognard.words.message import say
from grognard.words.refusal import Refusal

Integers = NDArray[np.integer]
OnRefused = Literal["raise", "mark"]
ResultColumn = NDArray[np.int64] | NDArray[np.bool_] | NDArray[np.float64] | NDArray[np.object_]
ResultColumns = Mapping[str, ResultColumn]
ColumnType = Literal["number", "truth", "word", "real"]

LABELS = ("basic", "final")
COMPUTED = ("attack", "defence", "basic", "final", "die_modifier")
# The probability of a yes-or-no field, the expectation of a number.
EXPECTED = tuple(field.name for field in fields(Outcome) if field.type in (bool, int))
RESULT_COLUMNS = (*COMPUTED, *EXPECTED)
REFUSED = "refused"  # the column that marks fights which the rules refuse


class WordColumn(NamedTuple):
    """A column of words: the different words, and for each fight an index into them."""

    words: tuple[str, ...]
    places: Integers


class Batch:
    """Fights that share a set-up; the values that differ come in columns.

    A column is named like a place in a fight file: `attackers[0].factor`, `terrain`,
    `defender_cl`. The column `attackers` holds how many of the named units take part.
    """

    def __init__(
        self,
        game: Game,
        stated: Mapping[str, object],
        columns: Iterable[str],
        *,
        procedure: str | None = None,
        options: Mapping[str, str] | None = None,
        attacker: str = "best",
        defender: str = "best",
        folder: Path | Literal["user"] | None = "user",
    ) -> None:
        self.template = SetupTemplate(game, stated, columns, procedure=procedure, options=options)
        self.doctrines = (doctrine(attacker), doctrine(defender))
        compiled = CompiledOdds(
            game,
            self.template.procedure,
            self.template.options,
            self.doctrines,
            cache_folder() if folder == "user" else folder,
        )
        self._tables = ResultTables(compiled)
        self._tree = DecisionTree(self.template)
        self._cache: RowCache | None = None

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All outcomes found so far; samples and distributions hold indices into them."""
        return tuple(self._tables.outcomes)

    @property
    def labels(self) -> tuple[str, ...]:
        """The column labels found so far; `basic` and `final` hold indices into them."""
        return tuple(self._tables.labels)

    def fights(
        self,
        columns: Mapping[str, ArrayLike | WordColumn],
        *,
        refused: OnRefused = "raise",
        distinct: bool = False,
    ) -> Fights:
        """Evaluate a fight for each row; a row that the rules refuse raises, or is marked.

        If all rows of all calls are `distinct`, nothing is compared or remembered.
        """
        coded = self.coded(columns)
        fights = self.coded_fights(coded, distinct=distinct)
        if refused == "raise" and fights.any_refused:
            self._refuse(coded, int(np.flatnonzero(fights.refused)[0]))
        return fights

    def coded_fights(self, coded: Mapping[str, Integers], *, distinct: bool = False) -> Fights:
        """Evaluate fights whose columns hold whole numbers; refused ones are marked."""
        lengths = {len(column) for column in coded.values()}
        if len(lengths) != 1:
            raise Refusal(say("all columns need the same length"), place=", ".join(coded))
        count = lengths.pop()
        if distinct and count:
            results, indices = self._evaluate(coded, count), np.arange(count, dtype=np.int32)
        else:
            results, indices = self._evaluate_once(coded, count)
        self._tables.compiled.save()
        return Fights(self._tables, results, indices)

    def coded(self, columns: Mapping[str, ArrayLike | WordColumn]) -> dict[str, Integers]:
        """Convert every column to whole numbers, and check it."""
        wanted = {column.name for column in self.template.columns}
        if wrong := sorted(wanted ^ set(columns)):
            problem = say("the columns must be {names}", names=", ".join(sorted(wanted)))
            raise Refusal(problem, place=wrong[0])
        return {c.name: _coded(self.template, c, columns[c.name]) for c in self.template.columns}

    def _refuse(self, coded: Mapping[str, Integers], row: int) -> NoReturn:
        stated = {name: int(column[row]) for name, column in coded.items()}
        try:
            self.template.fight(self.template.setup(stated)).odds(*(d.id for d in self.doctrines))
        except Refusal as refusal:
            problem = say("row {row}: {problem}", row=row, problem=refusal.problem)
            raise Refusal(problem, place=refusal.place) from None
        raise RuntimeError(f"row {row} is refused among others, but not alone")

    def _evaluate_once(
        self, coded: Mapping[str, Integers], count: int
    ) -> tuple[RowResults, Indices]:
        """Evaluate the distinct rows, and give for each row the index of its result."""
        if not count:
            nothing = {name: np.empty(0, np.int64) for name in coded}
            return self._evaluate(nothing, 0), np.empty(0, np.int32)
        numbering = numbering_of(coded)
        if self._cache:
            numbering = self._cache.numbering.widened(numbering)
        if numbering.size > MOST_ROWS:
            return self._evaluate_sorted(coded)
        if self._cache is None or numbering != self._cache.numbering:
            self._cache = RowCache(numbering, self._evaluate)
        indices = self._cache.find(coded, count)
        return self._cache.results, indices

    def _evaluate_sorted(self, coded: Mapping[str, Integers]) -> tuple[RowResults, Indices]:
        """Find equal rows by sorting, where their values are too far apart to be numbered."""
        rows = np.stack([column.astype(np.int64) for column in coded.values()])
        different, indices = np.unique(rows, axis=1, return_inverse=True)
        columns = dict(zip(coded, different, strict=True))
        return self._evaluate(columns, different.shape[1]), indices.reshape(-1).astype(np.int32)

    def _evaluate(self, columns: InputColumns, count: int) -> RowResults:
        return evaluate_rows(self._tree, self._tables, columns, count)


class Fights:
    """Evaluated fights; every array has one entry per row of the input, in its order."""

    def __init__(self, tables: ResultTables, results: RowResults, indices: Indices) -> None:
        self._tables = tables
        self._results = results
        self._indices = indices

    def __len__(self) -> int:
        return len(self._indices)

    @property
    def refused(self) -> NDArray[np.bool_]:
        """Whether the rules refuse each fight; its other values are then missing."""
        return np.equal(self.weighted, MISSING)

    @property
    def any_refused(self) -> bool:
        some = bool(np.equal(self._results.weighted, MISSING).any())
        return some and bool(self.refused.any())

    @property
    def attack(self) -> Floats:
        """The attacker's total; NaN where the game has none."""
        return self._results.attack.take(self._indices)

    @property
    def defence(self) -> Floats:
        return self._results.defence.take(self._indices)

    @property
    def die_modifier(self) -> Floats:
        return self._results.die_modifier.take(self._indices)

    @property
    def basic(self) -> Indices:
        """The basic column, as an index into the labels."""
        return self._results.basic.take(self._indices)

    @property
    def final(self) -> Indices:
        return self._results.final.take(self._indices)

    @property
    def weighted(self) -> Indices:
        """The index of each fight's distribution."""
        return self._results.weighted.take(self._indices)

    @property
    def distributions(self) -> tuple[Distribution, ...]:
        """All distributions: indices of outcomes, and their integer weights."""
        return tuple(self._tables.distributions)

    def expected(self, number: str) -> Floats:
        """Give the expectation of a number, or the probability of a yes-or-no field."""
        each = np.array([*map(float, self._tables.expected(number)), np.nan])
        return each[self._results.weighted].take(self._indices)

    def exactly(self, number: str) -> NDArray[np.object_]:
        """Give the same as exact fractions."""
        each = np.array([*self._tables.expected(number), None], dtype=object)
        return each[self._results.weighted].take(self._indices)

    def sample(self, seed: int, first: int = 0) -> Indices:
        """Draw a random outcome for each fight, as an index into the outcomes.

        `first` is the number of the first fight in its series: a series that is drawn in parts, or
        by several workers, gets the same outcomes.
        """
        if not 0 <= seed < SEEDS:
            raise Refusal(say("expected a seed from 0 to {most}", most=SEEDS - 1), place="seed")
        weighted = self._results.weighted
        if not self._tables.distributions:  # all are refused
            return np.full(len(self), MISSING, np.int32)
        drawn = self._tables.sampler().draw(np.maximum(weighted, 0), self._indices, seed, first)
        if self.any_refused:
            drawn[self.refused] = MISSING
        return drawn


def numbers(fights: Fights, column: str) -> Floats:
    """Give a result that is a number; NaN where the fight has none."""
    found: Floats = getattr(fights, column) if column in COMPUTED else fights.expected(column)
    return found


def label_indices(fights: Fights, column: str) -> Indices:
    """Give a result that is a label, as indices into the labels of the batch."""
    return fights.basic if column == "basic" else fights.final


def _coded(
    template: SetupTemplate, column: InputColumn, stated: ArrayLike | WordColumn
) -> Integers:
    if column.kind in ("word", "words"):
        return _coded_words(template, column, stated)
    values = np.asarray(stated)
    if values.ndim != 1 or values.dtype.kind not in "biu":
        problem = say("expected whole numbers in one row, found {found}", found=str(values.dtype))
        raise Refusal(problem, place=column.name)
    if column.kind == "truth" and len(values) and not 0 <= values.min() <= values.max() <= 1:
        raise Refusal(say("expected true or false, 1 or 0"), place=column.name)
    return values.view(np.int8) if values.dtype.kind == "b" else values


def _coded_words(
    template: SetupTemplate, column: InputColumn, stated: ArrayLike | WordColumn
) -> Integers:
    if not isinstance(stated, WordColumn):
        values = np.asarray(stated)
        if values.ndim != 1 or values.dtype.kind not in "UO":
            problem = say("expected words in one row, found {found}", found=str(values.dtype))
            raise Refusal(problem, place=column.name)
        words, places = np.unique(values.astype(str), return_inverse=True)
        stated = WordColumn(tuple(map(str, words)), places)
    codes = np.array([template.code(column, word) for word in stated.words], np.int16)
    return codes.take(stated.places)
