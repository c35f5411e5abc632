"""Changes of a draft: what is typed, picked, added and removed on the page."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from grognard.study.workshop import effect_parts
from grognard.study.workshop.card_text import CardData, read_data
from grognard.study.workshop.draft import checked
from grognard.study.workshop.modifier_changes import (
    add_modifier,
    add_terrain,
    remove_modifier,
    remove_terrain,
    set_modifier,
    set_terrain,
    set_words,
)
from grognard.study.workshop.table_draft import pasted, with_codes
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Lang


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """One change: what is done, where, and the value that was typed or picked."""

    do: str
    at: tuple[int | str, ...] = ()
    value: str = ""


def changed(card: CardData, change: Change, lang: Lang) -> CardData:
    """Give the draft after a change; refuse one that it has no place for."""
    if change.do not in _CHANGES:
        raise Refusal(
            say("'{id}' is not a change; {near}", id=change.do, near=near(change.do, _CHANGES))
        )
    try:
        found = _CHANGES[change.do](card, change.at, change.value, lang)
    except (IndexError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, Refusal):
            raise
        problem = say("the draft has nothing at {place}", place=list(change.at))
        raise Refusal(problem, place="change.at") from error
    return checked(found)


Place = tuple[Any, ...]


def _with_table(card: CardData, number: int, table: CardData) -> CardData:
    tables = [*card["tables"]]
    tables[_place(number, tables)] = table
    return {**card, "tables": tables}


def _place(number: int, rows: list[Any]) -> int:
    """Give the place of a row; a negative one is none."""
    if not 0 <= number < len(rows):
        raise IndexError(number)
    return number


# ------------------------------------------------------------------ tables


def _paste(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    return _with_table(card, at[0], pasted(value, card["tables"][at[0]]))


def _cell(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    number, row, column = at
    table = card["tables"][number]
    grid = [[*line] for line in table["grid"]]
    grid[_place(row, grid)][_place(column, grid[row])] = " ".join(value.split())
    return _with_table(card, number, with_codes({**table, "grid": grid}))


def _add_line(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    table = card["tables"][at[0]]
    grid = [[*line] for line in table["grid"]]
    if value == "column":
        grid = [[*line, ""] for line in grid]
    else:
        grid.append([""] * len(grid[0]))
    return _with_table(card, at[0], {**table, "grid": grid})


def _remove_line(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    number, line = at
    table = card["tables"][number]
    grid = [[*row] for row in table["grid"]]
    if value == "column":
        _place(line, grid[0])
        grid = [[*row[:line], *row[line + 1 :]] for row in grid]
    else:
        del grid[_place(line, grid)]
    return _with_table(card, number, with_codes({**table, "grid": grid}))


def _family(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    table = {key: row for key, row in card["tables"][at[0]].items() if key != "columns"}
    if value != "ratio":
        table["columns"] = {"of": value}
    return _with_table(card, at[0], table)


def _dice(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    return _with_table(card, at[0], {**card["tables"][at[0]], "dice": value.strip()})


# ------------------------------------------------------------------ results


def _with_meaning(card: CardData, number: int, code: str, does: str) -> CardData:
    table = card["tables"][number]
    old = table["results"][code]
    new = (
        {**{k: v for k, v in old.items() if k != "text"}, "does": does}
        if isinstance(old, dict)
        else does
    )
    return _with_table(card, number, {**table, "results": {**table["results"], code: new}})


def meaning(card: CardData, number: int, code: str) -> str:
    """Give what a code of a table does, in the words of the card."""
    does = card["tables"][number]["results"][code]
    return str(does.get("does", "")) if isinstance(does, dict) else does


def _does(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    return _with_meaning(card, at[0], at[1], " ".join(value.split()))


def _effect(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    number, code, way, place, part = at
    words = meaning(card, number, code)
    if not effect_parts.has_place(words, way, place):
        raise IndexError(place)
    own = card["tables"][number].get("cells") == "pair"
    does = effect_parts.changed(words, way, place, part, value, own=own)
    return effect_parts.with_rows_for(_with_meaning(card, number, code, does), value)


def _add_effect(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    number, code = at
    return _with_meaning(card, number, code, effect_parts.added(meaning(card, number, code), value))


def _remove_effect(card: CardData, at: Place, _: str, __: Lang) -> CardData:
    number, code, way, place = at
    words = meaning(card, number, code)
    if not effect_parts.has_place(words, way, place):
        raise IndexError(place)
    return _with_meaning(card, number, code, effect_parts.removed(words, way, place))


def _chooser(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    number, code = at
    return _with_meaning(
        card, number, code, effect_parts.chosen_by(meaning(card, number, code), value)
    )


# ------------------------------------------------------------------ the rest


def _procedure(card: CardData, at: Place, value: str, _: Lang) -> CardData:
    first, *others = card["procedures"]
    kept = {key: item for key, item in first.items() if key != at[0]}
    return {**card, "procedures": [{**kept, **({str(at[0]): value} if value else {})}, *others]}


def _take_up(_: CardData, at: Place, value: str, __: Lang) -> CardData:
    return read_data(value, str(at[0]) if at else "card.toml")


_CHANGES: Mapping[str, Callable[[CardData, Place, str, Lang], CardData]] = {
    "paste": _paste,
    "cell": _cell,
    "add-line": _add_line,
    "remove-line": _remove_line,
    "family": _family,
    "dice": _dice,
    "does": _does,
    "effect": _effect,
    "add-effect": _add_effect,
    "remove-effect": _remove_effect,
    "chooser": _chooser,
    "words": set_words,
    "add-modifier": add_modifier,
    "modifier": set_modifier,
    "remove-modifier": remove_modifier,
    "add-terrain": add_terrain,
    "terrain": set_terrain,
    "remove-terrain": remove_terrain,
    "procedure": _procedure,
    "take-up": _take_up,
}
