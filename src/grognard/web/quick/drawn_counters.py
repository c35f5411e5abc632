"""The counters of quick combat, drawn as on the map.

A stated unit is drawn as the counter of the game that has its name, with the stated values in
place of the printed ones; any other as a counter in the livery of its army.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from json import dumps, loads
from typing import NamedTuple

from markupsafe import Markup
from msgspec.structs import replace

from grognard.card.rows import Value
from grognard.draw.svg import symbols as svg_symbols
from grognard.draw.svg.counter import PLAIN_SIDES, SIDE, CounterSheet
from grognard.fights.odds import CACHES
from grognard.maps.board import Piece
from grognard.maps.scenario import Scenario
from grognard.rules import game
from grognard.rules.game_places import GamePlace
from grognard.study import player_sheet
from grognard.study.aid import UnitList
from grognard.study.player_sheet import Control
from grognard.study.tray import TrayCounter, battles, tray
from grognard.words.text import Lang

HALF = SIDE / 2 + 1
VIEW = f"{-HALF:g} {-HALF:g} {2 * HALF:g} {2 * HALF:g}"
_WHOLE = ("kind", "size", "steps", "nation")  # parts of a counter that are no factors


def counter_id(name: str) -> str:
    """Name a counter of the tray in the page's definitions."""
    return "tray-" + "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in name)


def definitions(game_id: str, procedure: str, lang: Lang) -> Markup:
    """Define every symbol and every counter of the tray, for the drawings of a page to use."""
    return symbols() + _defined_counters(game.place(game_id), procedure, lang)


@cache
def _defined_counters(place: GamePlace, procedure: str, lang: Lang) -> Markup:
    sheet = player_sheet.load(place.id).sheet(procedure)
    counters = {
        name: counter
        for units in sheet.units
        for name, counter in tray(place, procedure, units.list).items()
    }
    drawn = (
        f'<g id="{counter_id(name)}">{drawn_counter(counter, lang)}</g>'
        for name, counter in counters.items()
    )
    return Markup("".join(drawn))


@cache
def symbols() -> Markup:
    """Define the symbols that the drawings of counters use."""
    kinds = (*svg_symbols.SYMBOLS, "unknown")
    return Markup("".join(svg_symbols.drawing(kind, f'id="symbol-{kind}" ') for kind in kinds))


def drawn_counter(counter: TrayCounter, lang: Lang) -> Markup:
    """Draw a counter of the tray around the origin."""
    return _drawing(counter.piece, counter.battle, lang)


class ListedUnit(NamedTuple):
    """A stated unit, as JSON, and the list that it is in."""

    procedure: str
    list: str
    stated: str
    army: int  # whose livery it has if no counter of the game has its name


@lru_cache(maxsize=4096)
def drawn_unit(place: GamePlace, unit: ListedUnit, lang: Lang) -> Markup:
    """Draw a stated unit around the origin."""
    game_id, (procedure, list_, stated, army) = place.id, unit
    units = player_sheet.load(game_id).sheet(procedure).unit_list(list_)
    known = player_sheet.controls(game_id, procedure)
    fields = {c.field: c for c in known.values() if c.list == list_}
    entry: Mapping[str, object] = loads(stated)
    printed = tray(place, procedure, list_).get(str(entry.get("name")))
    if printed is not None:
        return _drawing(_stated_piece(units, fields, entry, printed.piece), printed.battle, lang)
    fought = next(iter(battles(game_id)), None)
    sides = fought.sides if fought else PLAIN_SIDES
    return _drawing(_new_piece(units, fields, entry, sides[army].id, lang), fought, lang)


CACHES.append(drawn_unit)


def key_of(entry: Mapping[str, object]) -> str:
    """Write a stated unit as JSON, to draw equal ones once."""
    return dumps(entry, sort_keys=True)


def _drawing(piece: Piece, fought: Scenario | None, lang: Lang) -> Markup:
    title = Markup("<title>{}</title>").format(svg_symbols.described(piece, lang))
    return title + Markup(CounterSheet(fought).counter(piece, lang, svg_symbols.use(piece.kind)))


def _stated_piece(
    units: UnitList, fields: Mapping[str, Control], entry: Mapping[str, object], piece: Piece
) -> Piece:
    """Put the stated values on a counter of the game."""
    stated = _stated(units, entry)
    steps = stated.get("steps")
    return replace(
        piece,
        faces=({**piece.face, **_factors(stated)},),
        steps=steps if isinstance(steps, int) else piece.steps,
        states=frozenset(_states(fields.values(), entry)),
    )


def _new_piece(
    units: UnitList,
    fields: Mapping[str, Control],
    entry: Mapping[str, object],
    side: str,
    lang: Lang,
) -> Piece:
    """Make a counter for a unit that the game's counters do not have."""
    first, *_ = fields.values()
    name = str(entry.get(first.field) or "")
    defaults = {field: control.default for field, control in fields.items()}
    shown = {f: v for f in units.shows if isinstance(v := entry.get(f, defaults[f]), int)}
    stated = _stated(units, {**defaults, **entry})
    printed = {units.faces.get(field, field): value for field, value in shown.items()}
    factors = _factors(_stated(units, entry)) | printed
    text = dict(first.values).get(name)
    return Piece(
        name=text.in_(lang) if text else name,
        side=side,
        kind=str(stated.get("kind") or _kind(units, entry)),
        unit_class="",
        size=str(stated.get("size", "")),
        faces=({key: value for key, value in factors.items() if value},),
        states=frozenset(_states(fields.values(), entry)),
    )


def _stated(units: UnitList, entry: Mapping[str, object]) -> dict[str, Value]:
    """Give what is stated of a unit by its names on counters."""
    return {
        key: value
        for field, key in units.faces.items()
        if isinstance(value := entry.get(field), int | str)
    }


def _factors(stated: Mapping[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in stated.items() if key not in _WHOLE}


def _kind(units: UnitList, entry: Mapping[str, object]) -> str:
    """Tell the kind of a unit by the fields that kinds imply; the first kind among equals."""

    def fit(implied: Mapping[str, Value]) -> int:
        return sum(1 if entry.get(field) == value else -1 for field, value in implied.items())

    kinds = units.kinds or {}
    return max(kinds, key=lambda kind: fit(kinds[kind]), default="")


def _states(fields: Iterable[Control], entry: Mapping[str, object]) -> Iterable[str]:
    """Give the stated conditions that a counter shows in its corner."""
    for control in fields:
        value = entry.get(control.field)
        told = control.field if value is True else value if control.kind == "word" else ""
        for state in (str(told), str(told).replace("_", "-")):
            if state in svg_symbols.STATES:
                yield state
