"""The analysis of a fight: what it comes to on every place of its table, and what each modifier
is worth there, in exact numbers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Literal, NamedTuple

from msgspec import Struct

from grognard.card.card import Card
from grognard.card.modifier_rows import Modifier
from grognard.card.rows import Side
from grognard.card.tables import Table
from grognard.fights.chances import Odds
from grognard.fights.explain import Explanation
from grognard.fights.odds import odds_when_trimmed
from grognard.fights.table_shift import trimmed
from grognard.rules.fight import Fight
from grognard.rules.procedure import Trim
from grognard.study import sheet_rows
from grognard.study.player_sheet import Control, Sheet
from grognard.study.sheet_rows import ModifierRow, Statement
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Text

# How far the die is looked at to either side where there are no columns; beside columns, where
# every point of it is a whole row, less far.
ALONE, BESIDE_COLUMNS = 5, 3

Statements = Mapping[str, object]
State = Callable[[dict[str, object]], Fight]


class Figures(NamedTuple):
    """What is expected of a fight; what happens or not counts 1 or 0, so that is its chance."""

    attacker_steps_lost: Fraction
    defender_steps_lost: Fraction
    taken: Fraction
    vacated: Fraction
    attacker_shaken: Fraction
    defender_shaken: Fraction
    attacker_eliminated: Fraction
    defender_eliminated: Fraction
    worth: Fraction  # all in all, to the attacker, in the points of his doctrine

    def since(self, before: "Figures") -> "Figures":
        """Give how much each number has changed."""
        return Figures(*(now - then for now, then in zip(self, before, strict=True)))


def figures(odds: Odds) -> Figures:
    """Read the numbers off the odds."""
    expected = {measure.id: odds.expected(measure.id) for measure in MEASURES}
    return Figures(**expected, worth=odds.found.worth.of("attacker"))


class Measure(NamedTuple):
    """One of the numbers: whether it is a chance, and whether more of it is the attacker's wish."""

    id: str
    text: Message
    side: Side
    chance: bool
    more_is_better: bool

    def of(self, found: Figures) -> Fraction:
        value: Fraction = getattr(found, self.id)
        return value

    def worse(self, now: Figures, before: Figures) -> bool:
        """Tell whether it has changed to the attacker's harm."""
        change = self.of(now) - self.of(before)
        return change < 0 if self.more_is_better else change > 0


MEASURES = (
    Measure("attacker_steps_lost", say("steps lost"), "attacker", False, False),
    Measure("defender_steps_lost", say("steps lost"), "defender", False, True),
    Measure("taken", say("hex taken"), "attacker", True, True),
    Measure("attacker_eliminated", say("all eliminated"), "attacker", True, False),
    Measure("defender_eliminated", say("all eliminated"), "defender", True, True),
    Measure("vacated", say("hex vacated"), "defender", True, True),
    Measure("attacker_shaken", say("units shaken"), "attacker", False, False),
    Measure("defender_shaken", say("units shaken"), "defender", False, True),
)

# The sum of it all; no measure of its own on the sheet, where its signs mark what is uneven.
WORTH = Measure("worth", say("points, all in all"), "attacker", False, True)


def telling(found: Iterable[Figures]) -> tuple[Measure, ...]:
    """Give the measures that tell something: not always 0, not always as one before."""
    rows = tuple(found)
    seen: set[tuple[Fraction, ...]] = {(Fraction(0),) * len(rows)}
    shown: list[Measure] = []
    for measure in MEASURES:
        values = tuple(map(measure.of, rows))
        if values not in seen:
            seen.add(values)
            shown.append(measure)
    return tuple(shown)


# ------------------------------------------------------------------ the grid


class Place(NamedTuple):
    """A place of the table: so many columns to the right of the fight, so much more on the die."""

    columns: int = 0
    die: int = 0


HERE = Place()
Axis = Literal["column", "die"]


class Grid(Struct, frozen=True, kw_only=True):
    """What a fight comes to on every place."""

    columns: tuple[int, ...]  # only 0 where the table has no columns to be shifted to
    dice: tuple[int, ...]
    cells: Mapping[Place, Figures]
    column_labels: tuple[str, ...] | None = None  # None: units of the fight stand on several
    die: int = 0  # the modifier of the die at 0

    @property
    def axis(self) -> Axis:
        """Along what places are told apart where only one row of them is shown."""
        return "column" if len(self.columns) > 1 else "die"

    def row(self) -> tuple[Place, ...]:
        """Give the places beside the fight, itself among them."""
        if self.axis == "column":
            return tuple(Place(columns) for columns in self.columns)
        return tuple(Place(die=die) for die in self.dice)

    def shown(self) -> tuple[Measure, ...]:
        """Give the measures that tell something here."""
        return telling(self.cells.values())

    def alike(self) -> tuple[tuple[Measure, Measure], ...]:
        """Give the measures that are not shown because they equal another everywhere."""
        shown = self.shown()
        cells = self.cells.values()
        return tuple(
            (left_out, same)
            for left_out in MEASURES
            if left_out not in shown
            for same in shown
            if all(left_out.of(cell) == same.of(cell) for cell in cells)
        )

    def earlier(self, place: Place) -> tuple[tuple[Axis, Place], ...]:
        """Give the places one column and one point of the die before, perhaps beyond the grid."""
        return (
            ("column", Place(place.columns - 1, place.die)),
            ("die", Place(place.columns, place.die - 1)),
        )

    def uneven(self, measure: Measure, place: Place) -> tuple["Uneven", ...]:
        """Tell along what the attacker was better off one place before, by this measure."""
        now = self.cells[place]
        return tuple(
            Uneven(axis, then.worth > now.worth)
            for axis, earlier in self.earlier(place)
            if (then := self.cells.get(earlier)) and measure.worse(now, then)
        )


class Uneven(NamedTuple):
    """A place where a column or a point on the die more makes it worse for the attacker."""

    axis: Axis
    all_in_all: bool  # by his whole doctrine, not only in this number


class Ground:
    """The places of a fight, each looked at once."""

    def __init__(self, fight: Fight, trim: Trim, start: Fight, attacker: str, defender: str):
        self.fight = fight
        self.trim = trim
        self.start = start
        self.doctrines = (attacker, defender)
        self.at: Callable[[Fight], Figures] = cache(self._figures)

    def _figures(self, fight: Fight) -> Figures:
        return figures(odds_when_trimmed(fight, *self.doctrines))

    def odds(self, place: Place) -> Odds:
        return odds_when_trimmed(self.trim.moved(self.start, *place), *self.doctrines)

    def moved(self, place: Place, shift: Place = HERE) -> Figures:
        there = self.trim.moved(self.start, *place)
        return self.at(self.trim.moved(there, *shift))

    def grid(self, table: Table, beside: int) -> Grid:
        columns = (*reversed([*self._reach(-1)]), 0, *self._reach(1))
        has_die = self.trim.moved(self.start, 0, 1) != self.start
        span = (beside if len(columns) > 1 else ALONE) if has_die else 0
        dice = tuple(range(-span, span + 1))
        explained = self.fight.explain()
        return Grid(
            columns=columns,
            dice=dice,
            cells={
                place: self.moved(place)
                for place in (Place(column, die) for die in dice for column in columns)
            },
            column_labels=_labels(explained, table, columns),
            die=explained.die_modifier,
        )

    def _reach(self, step: int) -> Iterator[int]:
        """Give the shifts to one side, up to the end of the table."""
        before, columns = self.start, step
        while (after := self.trim.moved(self.start, columns, 0)) != before:
            yield columns
            before, columns = after, columns + step


def _labels(
    explained: Explanation, table: Table, columns: tuple[int, ...]
) -> tuple[str, ...] | None:
    """Name the columns as printed, where the whole fight stands on one of them."""
    finals = {str(line.value) for line in explained.lines if line.id == "final-column"}
    if len(finals) != 1 or not finals.issubset(table.column_labels):
        return None
    here = table.column_labels.index(finals.pop())
    return tuple(table.column_labels[here + column] for column in columns)


# ------------------------------------------------------------------ what modifiers are worth


class ShiftWorth(Struct, frozen=True, kw_only=True):
    """A shift of columns or die, who brings it, and what it is worth at each place of the row."""

    axis: Axis
    amount: int
    modifiers: tuple[Modifier, ...]
    worth: tuple[Figures, ...]


def _shift_worths(ground: Ground, grid: Grid, rows: Iterable[Modifier]) -> Iterator[ShiftWorth]:
    """Give the shifts that modifiers bring: columns first, the attacker's before the defender's."""
    brought: dict[tuple[Axis, int], list[Modifier]] = {}
    for row in rows:
        axis: Axis = "column" if row.changes == "column" else "die"
        for amount in _amounts(ground.fight.case.card, row):
            brought.setdefault((axis, amount), []).append(row)
    for axis, amount in sorted(brought, key=lambda key: (key[0], -key[1])):
        shift = Place(columns=amount) if axis == "column" else Place(die=amount)
        yield ShiftWorth(
            axis=axis,
            amount=amount,
            modifiers=tuple(brought[axis, amount]),
            worth=tuple(
                ground.moved(place, shift).since(grid.cells[place]) for place in grid.row()
            ),
        )


def _amounts(card: Card, modifier: Modifier) -> tuple[int, ...]:
    """Give what a modifier brings once: both ways where its number may be below 0."""
    value = modifier.value or 0
    number = card.fact(modifier.times) if modifier.times else None
    both = modifier.sign_of or (number and (number.least is None or number.least < 0))
    return (value, -value) if both else (value,)


class StatedWorth(Struct, frozen=True, kw_only=True):
    """What a modifier is worth that is no shift: found by stating it in this fight, and not."""

    modifier: Modifier
    control: Control | None = None  # what was stated, where the modifier has several ways to count
    worth: Figures | None = None  # None: it can't be stated here, it depends on the units
    why: tuple[Text, ...] = ()  # why it can't


class _Trial(Struct, frozen=True, kw_only=True):
    """A fight in which modifiers are stated and taken back."""

    sheet: Sheet
    stated: Statements
    state: State
    attacker: str
    defender: str

    def worths(self, row: ModifierRow) -> tuple[StatedWorth, ...]:
        """Give what a row is worth by each of its controls."""
        modifier = row.modifier
        if row.state == "closed":
            return (StatedWorth(modifier=modifier, why=row.why),)
        counted = modifier.times or modifier.sign_of
        controls = [c for c in row.controls if not counted or c.kind == "number"]
        found = [
            StatedWorth(modifier=modifier, control=control, worth=worth)
            for control in controls
            if (worth := self._worth(modifier, control)) is not None
        ]
        return tuple(found) or (StatedWorth(modifier=modifier),)

    def _worth(self, modifier: Modifier, control: Control) -> Figures | None:
        for with_, without in _versions(self.stated, control):
            try:
                one, other = self.state(with_), self.state(without)
                worth = self._figures(one).since(self._figures(other))
            except Refusal:  # what the rules do not allow is worth nothing here
                continue
            # What is only looked at after the dice does not show in an explanation.
            later = modifier.table not in (None, self.sheet.table)
            if any(worth) if later else _weight(one, modifier) > _weight(other, modifier):
                return worth
        return None

    def _figures(self, fight: Fight) -> Figures:
        return figures(fight.odds(self.attacker, self.defender))


def _weight(fight: Fight, modifier: Modifier) -> Fraction:
    """Give how much a modifier counts in a fight, in its own direction."""
    lines = [line for line in fight.explain().modifiers if line.id == modifier.id]
    if modifier.value is None:
        return Fraction(len(lines))
    total = Fraction(sum(Fraction(line.value) for line in lines if line.value is not None))
    return total if modifier.value > 0 else -total


def _versions(
    stated: Statements, control: Control
) -> Iterator[tuple[dict[str, object], dict[str, object]]]:
    """Give a fight with and without what a control states; of all units where it is theirs."""
    for change, back in _changes(control):
        pair = (_restated(stated, control, change), _restated(stated, control, back))
        yield pair
        yield pair[::-1]  # for what counts when it is not so


Change = Callable[[object], object]


def _changes(control: Control) -> Iterator[tuple[Change, Change]]:
    """Give what to make of the value of a control, with and without."""
    match control.kind:
        case "flag":
            yield (lambda _: True), (lambda _: False)
        case "set" if control.default:  # terrain: in place of what is usual
            yield (lambda _: [control.values[0][0]]), (lambda _: control.default)
        case "set":
            word = control.values[0][0]
            yield (lambda old: [*_words(old, word), word]), (lambda old: [*_words(old, word)])
        case "word" if control.optional:
            yield (lambda _: control.values[0][0]), (lambda _: None)
        case "number":
            yield (lambda old: _number(old) + 1), (lambda old: old)
            yield (lambda old: old), (lambda old: _number(old) - 1)


def _words(old: object, without: str) -> Iterator[object]:
    if isinstance(old, list | tuple):
        yield from (word for word in old if word != without)


def _number(old: object) -> int:
    return old if isinstance(old, int) else 0


def _restated(stated: Statements, control: Control, change: Change) -> dict[str, object]:
    if not control.list:
        return _changed(stated, control, change)
    units = stated.get(control.list)
    entries = units if isinstance(units, list | tuple) else ()
    changed = [_changed(unit, control, change) for unit in entries if isinstance(unit, dict)]
    return {**stated, control.list: changed}


def _changed(holder: Statements, control: Control, change: Change) -> dict[str, object]:
    return {**holder, control.field: change(holder.get(control.field, control.default))}


# ------------------------------------------------------------------ all of it


class AnalysisSheet(Struct, frozen=True, kw_only=True, eq=False):
    """Everything that the analysis of a fight says."""

    fight: Fight
    doctrines: tuple[str, str]
    as_stated: Figures  # with what may still be committed in secret, which the grid leaves out
    ground: Ground | None  # None: it can't be shifted
    grid: Grid
    shifts: tuple[ShiftWorth, ...]
    others: tuple[StatedWorth, ...]

    def odds(self, place: Place) -> Odds:
        """Give the odds at a place of the grid."""
        return self.ground.odds(place) if self.ground else self.fight.odds(*self.doctrines)


def analyse(
    sheet: Sheet,
    stated: Statements,
    state: State,
    attacker: str = "best",
    defender: str = "best",
    *,
    beside: int = BESIDE_COLUMNS,
) -> AnalysisSheet:
    """Analyse a fight of a procedure; `state` sets one up from what is stated, `beside` says how
    far the die is looked at beside columns."""
    fight = state(dict(stated))
    as_stated = figures(fight.odds(attacker, defender))
    rows = _rows(fight, sheet, stated)
    ground = _ground(fight, attacker, defender)
    grid = _grid(ground, sheet, as_stated, beside)
    shifts = _on_the_table(ground, sheet, grid) if ground else ()
    shifting = {modifier.id for shift in shifts for modifier in shift.modifiers}
    trial = _Trial(sheet=sheet, stated=stated, state=state, attacker=attacker, defender=defender)
    return AnalysisSheet(
        fight=fight,
        doctrines=(attacker, defender),
        as_stated=as_stated,
        ground=ground,
        grid=grid,
        shifts=shifts,
        others=tuple(
            worth for row in rows if row.modifier.id not in shifting for worth in trial.worths(row)
        ),
    )


def _ground(fight: Fight, attacker: str, defender: str) -> Ground | None:
    """Give the places of a fight; None where it can't be shifted."""
    start, trim = trimmed(fight), fight.case.procedure.trim
    if start is None or trim is None:
        return None
    return Ground(fight, trim, start, attacker, defender)


def grid_of(
    fight: Fight, sheet: Sheet, attacker: str, defender: str, *, beside: int = BESIDE_COLUMNS
) -> Grid:
    """Give only the grid of a fight."""
    as_stated = figures(fight.odds(attacker, defender))
    return _grid(_ground(fight, attacker, defender), sheet, as_stated, beside)


def _grid(ground: Ground | None, sheet: Sheet, as_stated: Figures, beside: int) -> Grid:
    """Give the grid; a fight that can't be shifted has a single place."""
    if ground is None:
        return Grid(columns=(0,), dice=(0,), cells={HERE: as_stated})
    return ground.grid(ground.fight.case.card.table(sheet.table), beside)


def _on_the_table(ground: Ground, sheet: Sheet, grid: Grid) -> tuple[ShiftWorth, ...]:
    """Give the shifts that modifiers bring on the grid."""
    axes = {"column": grid.columns, "die": grid.dice}
    rows = [
        row
        for row in ground.fight.case.card.modifiers
        if row.group in sheet.groups
        and row.table == sheet.table
        and len(axes.get(row.changes, ())) > 1
    ]
    return tuple(_shift_worths(ground, grid, rows))


def _rows(fight: Fight, sheet: Sheet, stated: Statements) -> list[ModifierRow]:
    statement = Statement(
        card=fight.case.card,
        sheet=sheet,
        stated=stated,
        options=fight.case.options,
        explanation=fight.explain(),
    )
    return [row for group in sheet_rows.groups(statement) for row in group.rows]
