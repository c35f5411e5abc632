"""A card written again into the text from which it was taken up: comments and layout stay."""

import tomllib
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT

from grognard.study.workshop.card_text import CardData, card_toml, drawn, normal
from grognard.study.workshop.row_order import in_order_of, row_name


def written(card: CardData, before: str = "") -> str:
    """Write a draft as the file of a card.

    `before` is the text that it was taken up from: only what differs is written anew. Where that
    would not give the draft again, the whole card is.
    """
    try:
        merged = _merged(card, before) if before else ""
        same = bool(merged) and normal(tomllib.loads(merged)) == card
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError, ValueError):
        same = False  # not a text that can be written into
    return merged if same else card_toml(card)


def _merged(card: CardData, before: str) -> str:
    document, known = tomlkit.parse(before), normal(tomllib.loads(before))
    if known == card:
        return before
    _merge(document, known, card)
    grouped = document.as_string()
    apart = in_order_of(grouped, before)
    return apart if tomllib.loads(apart) == tomllib.loads(grouped) else grouped


def _merge(target: Any, before: CardData, after: CardData) -> None:  # noqa: ANN401  # of tomlkit
    """Write into a table what differs from before."""
    for key in [key for key in target if key not in after]:
        del target[key]
    for key, value in after.items():
        if key in target and before.get(key) == value:
            continue
        now = target.get(key)
        if isinstance(now, AoT) and _has_rows(value):
            _merge_rows(now, before[key], value)
        elif isinstance(now, dict) and isinstance(value, dict):
            _merge(now, before[key], value)
        else:
            target[key] = _item(key, value)


def _has_rows(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)


def _merge_rows(target: AoT, before: list[CardData], after: list[CardData]) -> None:
    """Keep rows by their id, or by their place where they have none; new ones follow."""
    known = [row_name(row, place) for place, row in enumerate(before)]
    wanted = {row_name(row, place): row for place, row in enumerate(after)}
    for place in reversed(range(len(known))):
        if known[place] not in wanted:
            del target[place]
    kept = [place for place, name in enumerate(known) if name in wanted]
    for row, place in zip(list(target), kept, strict=True):
        _merge(row, before[place], wanted[known[place]])
    for name, row in wanted.items():
        if name not in known:
            added = tomlkit.item(row)
            added.trivia.indent = "\n"  # a blank line before it
            target.append(added)


def _item(key: str, value: object) -> object:
    if key == "grid" and isinstance(grid := drawn(value), str):
        return tomlkit.string(grid, multiline=True)
    return value
