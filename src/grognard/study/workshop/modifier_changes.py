"""Changes of a draft's modifiers and terrain: a line of the card, what it changes, and when."""

import re
from collections.abc import Iterable
from typing import Any

from grognard.study.workshop.card_text import CardData
from grognard.study.workshop.draft import slug, worded
from grognard.words.text import Lang

Place = tuple[Any, ...]
FACTORS = ("attack", "defence", "strength")


def _rows(card: CardData, part: str) -> list[CardData]:
    return [dict(row) for row in card.get(part, [])]


def _with_rows(card: CardData, part: str, rows: list[CardData]) -> CardData:
    found = {**card, part: rows}
    return found if rows else {key: value for key, value in found.items() if key != part}


def _row(rows: list[CardData], number: int) -> CardData:
    if not 0 <= number < len(rows):
        raise IndexError(number)
    return rows[number]


def _free(words: str, taken: Iterable[str], kind: str) -> str:
    """Make an id that no other row has."""
    first = slug(words, "_") or kind
    first = f"{kind}_{first}" if first[0].isdigit() else first
    used, number = set(taken), 1
    while (id_ := first if number == 1 else f"{first}_{number}") in used:
        number += 1
    return id_


def _values(card: CardData) -> list[str]:
    """Give the names that values of a fight have already."""
    rows = [row for part in ("facts", "unit_fields", "states") for row in card.get(part, [])]
    every = ("name", "steps", "attack", "defence", "attackers", "defenders", "terrain")
    return [*every, *(str(row.get("id")) for row in rows)]


def set_words(card: CardData, at: Place, value: str, lang: Lang) -> CardData:
    """Word the name or the description of the game, or the title of a table."""
    if at[0] in ("name", "about", "credit"):
        return {**card, str(at[0]): _reworded(card.get(str(at[0])), value, lang)}
    tables = _rows(card, "tables")
    table = _row(tables, at[1])
    table["text"] = _reworded(table.get("text"), value, lang)
    return {**card, "tables": tables}


def _reworded(old: object, value: str, lang: Lang) -> object:
    return {**old, lang: value} if isinstance(old, dict) else value


# ------------------------------------------------------------------ modifiers


def conditions(row: CardData) -> list[str]:
    """Give the conditions of a modifier."""
    when = row.get("when", [])
    return [when] if isinstance(when, str) else [*when]


def add_modifier(card: CardData, _: Place, value: str, __: Lang) -> CardData:
    """Add a line, which applies when it is ticked; or one for units that are marked."""
    rows = _rows(card, "modifiers")
    taken = [*(str(row.get("id")) for row in rows), *_values(card)]
    marks = value == "marked"
    id_ = _free("", taken, "marked" if marks else "line")
    effect: CardData = (
        {"changes": "strength", "factor": "1/2"} if marks else {"changes": "column", "value": -1}
    )
    rows.append({"id": id_, **effect, "when": id_, "text": ""})
    part = "unit_fields" if marks else "facts"
    fact = {"id": id_, "kind": "flag", "text": ""}
    return {**card, "modifiers": rows, part: [*card.get(part, []), fact]}


def set_modifier(card: CardData, at: Place, value: str, lang: Lang) -> CardData:
    """Change a line: its wording, what it changes, the amount, or when it applies."""
    number, part = at
    rows = _rows(card, "modifiers")
    row = _row(rows, number)
    if part == "text":
        return _word_modifier({**card, "modifiers": rows}, row, value, lang)
    if part == "when":
        row["when"] = [words.strip() for words in value.split(",") if words.strip()]
    else:
        _set_effect(row, str(part), value)
    return {**card, "modifiers": rows}


def _word_modifier(card: CardData, row: CardData, value: str, lang: Lang) -> CardData:
    """Word a line; the fact that it alone looks at, and the ids of both, follow."""
    before, id_ = worded(row.get("text", ""), lang), str(row["id"])
    row["text"] = _reworded(row.get("text"), value, lang)
    if conditions(row) != [id_]:
        return card
    for part in ("facts", "unit_fields"):
        facts = _rows(card, part)
        for fact in facts:
            if fact.get("id") == id_ and worded(fact.get("text", ""), lang) == before:
                fact["text"] = _reworded(fact.get("text"), value, lang)
                if re.fullmatch(
                    rf"(line|marked|{re.escape(slug(before, '_') or 'line')})(_\d+)?", id_
                ):
                    others = [name for name in _values(card) if name != id_]
                    row["id"] = row["when"] = fact["id"] = _free(value, others, "line")
                card = {**card, part: facts}
    return card


def _set_effect(row: CardData, part: str, value: str) -> None:
    """Set what a modifier changes (`attack*` is a factor), or by how much."""
    if part == "changes":
        factor = value.endswith("*")
        row["changes"] = value.rstrip("*+")
        if factor and "factor" not in row:
            row.pop("value", None)
            row["factor"] = "1/2"
        elif not factor and "value" not in row:
            row.pop("factor", None)
            row["value"] = -1
    else:
        amount = value.strip().replace("\u2212", "-").replace("½", "1/2").lstrip("×")
        if "factor" in row:
            row["factor"] = amount
        else:
            row["value"] = int(amount) if re.fullmatch(r"[+-]?\d{1,3}", amount) else amount


def remove_modifier(card: CardData, at: Place, _: str, __: Lang) -> CardData:
    """Remove a line, its name in the terrain chart, and the fact that only it looked at."""
    rows = _rows(card, "modifiers")
    gone = _row(rows, at[0])
    rows.remove(gone)
    card = _without_effect(_with_rows(card, "modifiers", rows), gone.get("id"))
    used = " ".join(words for row in rows for words in conditions(row)).split()
    on_map = card.get("map")
    used += on_map.get("facts", ()) if isinstance(on_map, dict) else ()
    for words in conditions(gone):
        if words not in used:
            for part in ("facts", "unit_fields"):
                left = [fact for fact in _rows(card, part) if fact.get("id") != words]
                if part in card:
                    card = _with_rows(card, part, left)
    return card


def _without_effect(card: CardData, id_: object) -> CardData:
    """Take a modifier out of what terrain brings."""
    chart = [
        {**row, "combat": [one for one in row["combat"] if one != id_]}
        if isinstance(row.get("combat"), list) and id_ in row["combat"]
        else row
        for row in _rows(card, "terrain")
    ]
    return _with_rows(card, "terrain", chart) if "terrain" in card else card


# ------------------------------------------------------------------ terrain


def own_modifier(card: CardData, terrain: str) -> int | None:
    """Find the modifier that a terrain alone brings."""
    for number, row in enumerate(card.get("modifiers", [])):
        if conditions(row) == [f"terrain has {terrain}"]:
            return number
    return None


def add_terrain(card: CardData, _: Place, __: str, ___: Lang) -> CardData:
    """Add a row to the terrain chart."""
    rows = _rows(card, "terrain")
    id_ = _free("", (str(row.get("id")) for row in rows), "ground")
    return {**card, "terrain": [*rows, {"id": id_, "text": ""}]}


def set_terrain(card: CardData, at: Place, value: str, lang: Lang) -> CardData:
    """Change a row of the terrain chart: its wording, or what it does to a fight there."""
    number, part = at
    rows = _rows(card, "terrain")
    row = _row(rows, number)
    if part == "text":
        return _word_terrain({**card, "terrain": rows}, row, value, lang)
    modifiers = _rows(card, "modifiers")
    place = own_modifier(card, str(row["id"]))
    if part == "changes" and value == "":
        if place is not None:
            del modifiers[place]
        row.pop("combat", None)
        return _with_rows({**card, "terrain": rows}, "modifiers", modifiers)
    if place is None:
        taken = (str(one.get("id")) for one in modifiers)
        id_ = _free(str(row["id"]), taken, "ground")
        when = f"terrain has {row['id']}"
        modifiers.append(
            {"id": id_, "changes": "column", "value": -1, "when": when, "text": row.get("text", "")}
        )
        row["combat"] = [id_]
        place = -1
    _set_effect(modifiers[place], str(part), value)
    return {**card, "terrain": rows, "modifiers": modifiers}


def _word_terrain(card: CardData, row: CardData, value: str, lang: Lang) -> CardData:
    before, old = worded(row.get("text", ""), lang), str(row["id"])
    row["text"] = _reworded(row.get("text"), value, lang)
    place, modifiers = own_modifier(card, old), _rows(card, "modifiers")
    if place is not None and worded(modifiers[place].get("text", ""), lang) == before:
        modifiers[place]["text"] = _reworded(modifiers[place].get("text"), value, lang)
    auto = re.fullmatch(rf"(ground|{re.escape(slug(before, '_') or 'ground')})(_\d+)?", old)
    others = (one for number, one in enumerate(modifiers) if number != place)
    if auto and not any(old in tested_words(one) for one in others):
        taken = (str(one.get("id")) for one in card["terrain"] if one is not row)
        row["id"] = _free(value, taken, "ground")
        if place is not None:
            modifiers[place]["when"] = f"terrain has {row['id']}"
    return _with_rows(card, "modifiers", modifiers)


def tested_words(row: CardData) -> list[str]:
    """Give the words of a modifier's conditions, each for itself."""
    return re.split(r"[ |]", " ".join(conditions(row)))


def remove_terrain(card: CardData, at: Place, _: str, lang: Lang) -> CardData:
    """Remove a row of the terrain chart, and the modifier that it alone brings."""
    rows = _rows(card, "terrain")
    gone = _row(rows, at[0])
    card = set_terrain(card, (at[0], "changes"), "", lang)
    return _with_rows(
        card, "terrain", [row for row in _rows(card, "terrain") if row.get("id") != gone.get("id")]
    )
