"""The modifiers of a sheet: wording, effect and controls."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from grognard.card.card import Card
from grognard.card.modifier_rows import Group, Modifier
from grognard.card.rows import Side
from grognard.card.wording import effect
from grognard.study.player_sheet import Control
from grognard.study.sheet_rows import ModifierRow, RowGroup, RowState
from grognard.web.quick.shown_units import ShownList, StatedJson
from grognard.words.text import Lang


class Chip(NamedTuple):
    """A unit that may be tapped for a modifier."""

    place: int
    name: str
    on: bool


class Tapped(NamedTuple):
    """A control with its value, or with a chip for each unit."""

    control: Control
    value: object
    side: Side | None = None
    chips: tuple[Chip, ...] = ()


class ShownModifierRow(NamedTuple):
    """A modifier with everything that its drawing depends on, so that the drawing can be reused."""

    modifier: Modifier
    state: RowState
    effect: str
    taps: tuple[Tapped, ...]
    why: tuple[str, ...]


class ShownGroup(NamedTuple):
    """Modifiers under their heading."""

    group: Group
    rows: tuple[ShownModifierRow, ...]


def shown_groups(
    card: Card,
    groups: Iterable[RowGroup],
    stated: StatedJson,
    lists: Iterable[ShownList],
    lang: Lang,
) -> tuple[ShownGroup, ...]:
    """Lay out modifiers with their stated values."""
    effects, by_name = _effects(card, lang), {shown.units.list: shown for shown in lists}

    def laid_out(row: ModifierRow) -> ShownModifierRow:
        return ShownModifierRow(
            row.modifier,
            row.state,
            effects[row.modifier.id],
            tuple([_tapped(control, stated, by_name, lang) for control in row.controls]),
            tuple([why.in_(lang) for why in row.why]),
        )

    return tuple(ShownGroup(group.group, tuple(map(laid_out, group.rows))) for group in groups)


@lru_cache(maxsize=64)
def _effects(card: Card, lang: Lang) -> Mapping[str, str]:
    return {modifier.id: effect(card, modifier, lang) for modifier in card.modifiers}


def _tapped(
    control: Control, stated: StatedJson, lists: Mapping[str, ShownList], lang: Lang
) -> Tapped:
    if not control.list:
        return _fact(control, stated)
    if control.kind != "flag" and not (control.kind == "set" and len(control.values) == 1):
        return Tapped(control, None)  # stated on the counters
    shown = lists[control.list]
    chips = [
        Chip(unit.place, unit.name.in_(lang), _on(control, entry))
        for unit, entry in zip(shown.shown, stated[control.list], strict=True)
    ]
    return Tapped(control, None, shown.units.side, tuple(chips))


def facts(controls: Iterable[Control], stated: StatedJson) -> tuple[Tapped, ...]:
    """Give the controls that belong to no unit and no modifier, with their values."""
    return tuple([_fact(control, stated) for control in controls])


def _fact(control: Control, stated: StatedJson) -> Tapped:
    return Tapped(control, stated.get(control.place, control.default))


def _on(control: Control, entry: StatedJson) -> bool:
    value = entry.get(control.field, control.default)
    if control.kind == "flag":
        return bool(value)
    return isinstance(value, tuple) and control.values[0][0] in value
