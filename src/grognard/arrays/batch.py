"""Very many fights at once, in arrays: column, modifiers, exact odds and random outcomes.

The rules are those of single fights: `reckoner` traces them, `compiled` keeps what follows. Rows
that state the same are reckoned once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grognard.arrays.compiled_odds import Compiled
from grognard.arrays.evaluator import Reckoner
from grognard.arrays.input_columns import Field, Form
from grognard.arrays.row_numbers import MOST, Columns, dense
from grognard.arrays.row_results import NOWHERE, Answers, Floats, Places, Shared, Situations, reckon
from grognard.arrays.sampling import SEEDS, Weighted
from grognard.fights.doctrine import doctrine
from grognard.files.folders import cache_folder
from grognard.rules.fight import Outcome
from grognard.rules.procedure import Game
from grognard.words.message import say
from grognard.words.refusal import Refusal

Whole = NDArray[np.integer]
Refused = Literal["raise", "mark"]


class Words(NamedTuple):
    """A column of words: a list of them, and for each fight a place in it."""

    words: tuple[str, ...]
    places: Whole


class Batch:
    """Fights of one form: what they have in common is stated once, the rest comes in columns.

    `columns` are named as in a refusal, such as `attackers[0].factor`, `terrain` or
    `defender_cl`; `attackers` itself is how many of the named units take part.
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
        self.form = Form(game, stated, columns, procedure=procedure, options=options)
        self.doctrines = (doctrine(attacker), doctrine(defender))
        where = cache_folder() if folder == "user" else folder
        self._answers = Answers(
            Compiled(game, self.form.procedure, self.form.options, self.doctrines, where)
        )
        self._reckoner = Reckoner(self.form)
        self._shared: Shared | None = None

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All outcomes met so far; samples and distributions give places among them."""
        return tuple(self._answers.outcomes)

    @property
    def labels(self) -> tuple[str, ...]:
        """The column labels met so far; `basic` and `final` give places among them."""
        return tuple(self._answers.labels)

    def fights(
        self,
        columns: Mapping[str, ArrayLike | Words],
        *,
        refused: Refused = "raise",
        distinct: bool = False,
    ) -> Fights:
        """Reckon fights. A row that the rules do not allow is refused, or marked as refused.

        Rows that are known to be `distinct`, here and in later calls, are not compared or kept.
        """
        coded = self.coded(columns)
        fights = self.coded_fights(coded, distinct=distinct)
        if refused == "raise" and fights.any_refused:
            self._refuse(coded, int(np.flatnonzero(fights.refused)[0]))
        return fights

    def coded_fights(self, coded: Mapping[str, Whole], *, distinct: bool = False) -> Fights:
        """Reckon fights whose columns are whole numbers; refused ones are marked."""
        lengths = {len(column) for column in coded.values()}
        if len(lengths) != 1:
            raise Refusal(say("all columns need the same length"), place=", ".join(coded))
        count = lengths.pop()
        if distinct and count:
            situations, places = self._reckon(coded, count), np.arange(count, dtype=np.int32)
        else:
            situations, places = self._situations(coded, count)
        self._answers.compiled.keep()
        return Fights(self._answers, situations, places)

    # ------------------------------------------------------------------ columns

    def coded(self, columns: Mapping[str, ArrayLike | Words]) -> dict[str, Whole]:
        """Give every column as whole numbers, checked."""
        wanted = {field.name for field in self.form.fields}
        if wrong := sorted(wanted ^ set(columns)):
            problem = say("the columns must be {names}", names=", ".join(sorted(wanted)))
            raise Refusal(problem, place=wrong[0])
        return {f.name: _coded(self.form, f, columns[f.name]) for f in self.form.fields}

    def _refuse(self, coded: Mapping[str, Whole], row: int) -> NoReturn:
        stated = {name: int(column[row]) for name, column in coded.items()}
        try:
            self.form.fight(self.form.setup(stated)).odds(*(d.id for d in self.doctrines))
        except Refusal as refusal:
            problem = say("row {row}: {problem}", row=row, problem=refusal.problem)
            raise Refusal(problem, place=refusal.place) from None
        raise RuntimeError(f"row {row} is refused among others, but not alone")

    # ------------------------------------------------------------------ situations

    def _situations(self, coded: Mapping[str, Whole], count: int) -> tuple[Situations, Places]:
        """Reckon what differs, and give for each row its situation."""
        if not count:
            return self._reckon({name: np.empty(0, np.int64) for name in coded}, 0), _no_places()
        ranges = dense(coded)
        if self._shared:
            ranges = self._shared.dense.widened(ranges)
        if ranges.size > MOST:
            return self._unshared(coded)
        if self._shared is None or ranges != self._shared.dense:
            self._shared = Shared(ranges, self._reckon)
        places = self._shared.find(coded, count)
        return self._shared.situations, places

    def _unshared(self, coded: Mapping[str, Whole]) -> tuple[Situations, Places]:
        rows = np.stack([column.astype(np.int64) for column in coded.values()])
        different, places = np.unique(rows, axis=1, return_inverse=True)
        columns = dict(zip(coded, different, strict=True))
        return self._reckon(columns, different.shape[1]), places.reshape(-1).astype(np.int32)

    def _reckon(self, columns: Columns, count: int) -> Situations:
        return reckon(self._reckoner, self._answers, columns, count)


def _no_places() -> Places:
    return np.empty(0, np.int32)


class Fights:
    """Fights that are reckoned. Every array has an entry for each, in the order of the rows."""

    def __init__(self, answers: Answers, situations: Situations, places: Places) -> None:
        self._answers = answers
        self._situations = situations
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @property
    def refused(self) -> NDArray[np.bool_]:
        """Which fights the rules do not allow; all else of these is missing."""
        return np.equal(self.weighted, NOWHERE)

    @property
    def any_refused(self) -> bool:
        """Whether one of the fights is refused."""
        some = bool(np.equal(self._situations.weighted, NOWHERE).any())
        return some and bool(self.refused.any())

    @property
    def attack(self) -> Floats:
        """The attacker's total; not a number where the game has none."""
        return self._situations.attack.take(self._places)

    @property
    def defence(self) -> Floats:
        return self._situations.defence.take(self._places)

    @property
    def die_modifier(self) -> Floats:
        return self._situations.die_modifier.take(self._places)

    @property
    def basic(self) -> Places:
        """The basic column, by its place among the labels."""
        return self._situations.basic.take(self._places)

    @property
    def final(self) -> Places:
        return self._situations.final.take(self._places)

    @property
    def weighted(self) -> Places:
        """The place of each fight's distribution."""
        return self._situations.weighted.take(self._places)

    @property
    def distributions(self) -> tuple[Weighted, ...]:
        """All distributions: places of outcomes, and their whole weights."""
        return tuple(self._answers.weighted)

    def expected(self, number: str) -> Floats:
        """Give the expectation of a number, or the chance of what holds or not."""
        each = np.array([*map(float, self._answers.expected(number)), np.nan])
        return each[self._situations.weighted].take(self._places)

    def exactly(self, number: str) -> NDArray[np.object_]:
        """Give the same in exact fractions."""
        each = np.array([*self._answers.expected(number), None], dtype=object)
        return each[self._situations.weighted].take(self._places)

    def sample(self, seed: int, first: int = 0) -> Places:
        """Draw an outcome for each fight, by its place among the outcomes.

        `first` is the number of the first fight in its series: a series that is drawn in parts, or
        by several, gets the same outcomes.
        """
        if not 0 <= seed < SEEDS:
            raise Refusal(say("expected a seed from 0 to {most}", most=SEEDS - 1), place="seed")
        weighted = self._situations.weighted
        if not self._answers.weighted:  # all are refused
            return np.full(len(self), NOWHERE, np.int32)
        drawn = self._answers.draws().draw(np.maximum(weighted, 0), self._places, seed, first)
        if self.any_refused:
            drawn[self.refused] = NOWHERE
        return drawn


# ------------------------------------------------------------------ columns as whole numbers


def _coded(form: Form, field: Field, column: ArrayLike | Words) -> Whole:
    if field.sort in ("word", "words"):
        return _coded_words(form, field, column)
    values = np.asarray(column)
    if values.ndim != 1 or values.dtype.kind not in "biu":
        problem = say("expected whole numbers in one row, found {found}", found=str(values.dtype))
        raise Refusal(problem, place=field.name)
    if field.sort == "truth" and len(values) and not 0 <= values.min() <= values.max() <= 1:
        raise Refusal(say("expected true or false, 1 or 0"), place=field.name)
    return values.view(np.int8) if values.dtype.kind == "b" else values


def _coded_words(form: Form, field: Field, column: ArrayLike | Words) -> Whole:
    if not isinstance(column, Words):
        values = np.asarray(column)
        if values.ndim != 1 or values.dtype.kind not in "UO":
            problem = say("expected words in one row, found {found}", found=str(values.dtype))
            raise Refusal(problem, place=field.name)
        words, places = np.unique(values.astype(str), return_inverse=True)
        column = Words(tuple(map(str, words)), places)
    codes = np.array([form.code(field, word) for word in column.words], np.int16)
    return codes.take(column.places)
