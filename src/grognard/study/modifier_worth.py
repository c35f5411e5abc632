"""The worth of each modifier: the change that it makes in the figures of a fight."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from grognard.card.card import Card
from grognard.card.modifier_rows import Modifier
from grognard.rules.fight import Fight
from grognard.study.aid import PlayerSheet
from grognard.study.figures import Figures, figures
from grognard.study.grid import Grid, GridPlace, ShiftAxis, ShiftedFight
from grognard.study.player_sheet import Control
from grognard.study.sheet_rows import ModifierRow
from grognard.words.refusal import Refusal
from grognard.words.text import Text

Statements = Mapping[str, object]
MakeFight = Callable[[dict[str, object]], Fight]


class ShiftWorth(Struct, frozen=True, kw_only=True):
    """A shift of column or die, the modifiers that cause it, and its worth at each place."""

    axis: ShiftAxis
    amount: int
    modifiers: tuple[Modifier, ...]
    worth: tuple[Figures, ...]


def shift_worths(
    shifted: ShiftedFight, grid: Grid, rows: Iterable[Modifier]
) -> Iterator[ShiftWorth]:
    """Give the shifts that modifiers cause: columns first, the attacker's before the defender's."""
    brought: dict[tuple[ShiftAxis, int], list[Modifier]] = {}
    for row in rows:
        axis: ShiftAxis = "column" if row.changes == "column" else "die"
        for amount in _amounts(shifted.fight.case.card, row):
            brought.setdefault((axis, amount), []).append(row)
    for axis, amount in sorted(brought, key=lambda key: (key[0], -key[1])):
        shift = GridPlace(columns=amount) if axis == "column" else GridPlace(die=amount)
        yield ShiftWorth(
            axis=axis,
            amount=amount,
            modifiers=tuple(brought[axis, amount]),
            worth=tuple(
                shifted.figures(place, shift).since(grid.cells[place]) for place in grid.row()
            ),
        )


def _amounts(card: Card, modifier: Modifier) -> tuple[int, ...]:
    """Give the shift of a modifier; in both directions if its factor may be negative."""
    value = modifier.value or 0
    number = card.fact(modifier.times) if modifier.times else None
    both = modifier.sign_of or (number and (number.least is None or number.least < 0))
    return (value, -value) if both else (value,)


class StatedWorth(Struct, frozen=True, kw_only=True):
    """The worth of a modifier that is not a shift: the fight with it, compared to without."""

    modifier: Modifier
    control: Control | None = None  # the control that states it
    worth: Figures | None = None  # None: it can't be stated here, it depends on the units
    why: tuple[Text, ...] = ()  # the reasons why it can't


class Trial(Struct, frozen=True, kw_only=True):
    """A fight in which single modifiers are stated and taken back."""

    sheet: PlayerSheet
    stated: Statements
    make_fight: MakeFight
    attacker: str
    defender: str

    def worths(self, row: ModifierRow) -> tuple[StatedWorth, ...]:
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
                one, other = self.make_fight(with_), self.make_fight(without)
                worth = self._figures(one).since(self._figures(other))
            except Refusal:  # the rules do not allow this version
                continue
            # A modifier of a later table does not show in the explanation.
            later = modifier.table not in (None, self.sheet.table)
            if any(worth) if later else _weight(one, modifier) > _weight(other, modifier):
                return worth
        return None

    def _figures(self, fight: Fight) -> Figures:
        return figures(fight.odds(self.attacker, self.defender))


def _weight(fight: Fight, modifier: Modifier) -> Fraction:
    """Give the sum of a modifier's lines in a fight, in its own direction."""
    lines = [line for line in fight.explain().modifiers if line.id == modifier.id]
    if modifier.value is None:
        return Fraction(len(lines))
    total = Fraction(sum(Fraction(line.value) for line in lines if line.value is not None))
    return total if modifier.value > 0 else -total


def _versions(
    stated: Statements, control: Control
) -> Iterator[tuple[dict[str, object], dict[str, object]]]:
    """Give pairs of set-ups with and without a control's statement, for all its units."""
    for change, back in _changes(control):
        pair = (_restated(stated, control, change), _restated(stated, control, back))
        yield pair
        yield pair[::-1]  # for a modifier that counts if the statement is false


ValueChange = Callable[[object], object]


def _changes(control: Control) -> Iterator[tuple[ValueChange, ValueChange]]:
    """Give pairs of functions that change a control's value: state it, and take it back."""
    match control.kind:
        case "flag":
            yield (lambda _: True), (lambda _: False)
        case "set" if control.default:  # terrain: replaces the default
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


def _restated(stated: Statements, control: Control, change: ValueChange) -> dict[str, object]:
    if not control.list:
        return _changed(stated, control, change)
    units = stated.get(control.list)
    entries = units if isinstance(units, list | tuple) else ()
    changed = [_changed(unit, control, change) for unit in entries if isinstance(unit, dict)]
    return {**stated, control.list: changed}


def _changed(holder: Statements, control: Control, change: ValueChange) -> dict[str, object]:
    return {**holder, control.field: change(holder.get(control.field, control.default))}
