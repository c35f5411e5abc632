"""Defaults of a card that says itself how its fights run: what the file leaves out.

They work on the data of the file, before it is read into types: a value that is written is never
changed, and one of a wrong shape is left for the types to refuse.
"""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeGuard

from grognard.card.effect_wording import wording
from grognard.card.effects import Subject, parse_does
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Text

Data = dict[str, object]
_ROWS = (
    *("facts", "states", "checks", "unit_fields", "modifiers", "terrain", "groups", "limits"),
    "unit_classes",
)
_AXIS: Mapping[str, Message] = {
    "ratio": say("odds"),
    "difference": say("difference"),
    "attack": say("strength"),
}


def completed(data: Data, name: str) -> Data:
    """Give the data of a card with all defaults; `name` is that of its file."""
    card: Data = {"format": 1, "id": name, **data}
    card.setdefault("name", words_of(str(card["id"])))
    card["procedures"] = [*_procedures(card)]
    for part in _ROWS:
        if part in card:
            card[part] = [_with_text(row) for row in _list(card[part])]
    if "terrain" in card:
        _terrain(card)
    if "map" in card:
        _costs(card)
        _chosen_facts(card)
    if "modifiers" in card:
        _modifiers(card)
    names = _names(card)
    card["tables"] = [_table(table, number, names) for number, table in enumerate(_tables(card))]
    return card


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _tables(card: Data) -> list[object]:
    return _list(card.get("tables"))


def _is_table(value: object) -> TypeGuard[Data]:
    return isinstance(value, dict)


def words_of(id_: str) -> str:
    """Make words of an id: `big_wood` is Big wood."""
    words = re.sub(r"[_-]+", " ", id_).strip()
    return (words[:1].upper() + words[1:]) or id_


DIE = Text("die", "dé")  # heads the rows of a table


def _both(message: Message | Text) -> Data:
    return {"en": message.in_("en"), "fr": message.in_("fr")}


def _with_text(row: object) -> object:
    if _is_table(row) and isinstance(row.get("id"), str):
        return {"text": words_of(str(row["id"])), **row}
    return row


def _procedures(card: Data) -> Iterator[object]:
    tables = [row.get("id", "combat") for row in _tables(card) if _is_table(row)]
    for number, row in enumerate(_list(card.get("procedures"))):
        if not _is_table(row):
            yield row
            continue
        filled: Data = {"id": "attack" if number == 0 else f"attack-{number + 1}", **row}
        if "table" not in row and "tables" not in row and tables:
            filled["table"] = tables[0]
        _in_brackets(filled, "unharmed")
        filled.setdefault(
            "text", _both(say("Attack")) if number == 0 else words_of(str(filled["id"]))
        )
        yield filled


def _terrain(card: Data) -> None:
    """Terrain rows are of hexes, and make the fact `terrain`."""
    card["terrain"] = [
        {"on": "hex", **row} if _is_table(row) else row for row in _list(card["terrain"])
    ]
    facts = _list(card.get("facts", []))
    if not any(_is_table(fact) and fact.get("id") == "terrain" for fact in facts):
        fact = {"id": "terrain", "kind": "set", "text": _both(say("Terrain of the defender"))}
        card["facts"] = [*facts, fact]


def _costs(card: Data) -> None:
    """On a map every hex and way costs 1, one class of units is enough, and one cost is of all."""
    classes = _list(card.get("unit_classes")) or [{"id": "units", "text": _both(say("Units"))}]
    ids = [str(row.get("id")) for row in classes if _is_table(row)]
    card["unit_classes"] = classes
    rows = []
    for row in _list(card.get("terrain")):
        if _is_table(row):
            usual = dict.fromkeys(ids, "1") if row.get("on") in ("hex", "way") else {}
            cost = row.get("cost", {})
            if isinstance(cost, int | str):
                cost = dict.fromkeys(ids, cost)
            if _is_table(cost):
                written = {id_: str(c) if type(c) is int else c for id_, c in cost.items()}
                row = {**row, "cost": {**usual, **written}}  # noqa: PLW2901  # with its defaults
        rows.append(row)
    card["terrain"] = rows


def _chosen_facts(card: Data) -> None:
    """A fact that a side chooses on the map is asked for in its own words."""
    rules, phrases = card["map"], card.get("phrases", {})
    sources = rules.get("facts") if _is_table(rules) else None
    if not (_is_table(sources) and _is_table(phrases)):
        return
    asked: Data = {}
    for row in _list(card.get("facts")):
        if not _is_table(row) or not str(sources.get(str(row.get("id")))).endswith(" chooses"):
            continue
        what = f"choose-{row['id']}"
        asked[what] = row.get("text")
        for word in map(str, _list(row.get("values"))):
            asked[f"{what}.{word}"] = phrases.get(f"word-{word}", words_of(word))
        for word, said in (("yes", say("yes")), ("no", say("no"))):
            asked.setdefault(f"{what}.{word}", _both(said))
    card["phrases"] = {**asked, **phrases}


def _in_brackets(row: Data, key: str) -> None:
    """Put a single condition into brackets."""
    if isinstance(row.get(key), str):
        row[key] = [row[key]]


def _modifiers(card: Data) -> None:
    """Modifiers without a group stand under one heading; one condition needs no brackets."""
    rows = []
    for row in _list(card["modifiers"]):
        if _is_table(row):
            row = {"group": "modifiers", **row}  # noqa: PLW2901  # the row with its defaults
            _in_brackets(row, "when")
            if row.get("changes") in ("attack", "defence", "strength") and "factor" in row:
                row.setdefault("scope", "unit")
        rows.append(row)
    card["modifiers"] = rows
    named = {row.get("group") for row in rows if _is_table(row)}
    groups = _list(card.get("groups", []))
    known = {group.get("id") for group in groups if _is_table(group)}
    if "modifiers" in named - known:
        groups = [*groups, {"id": "modifiers", "text": _both(say("Modifiers"))}]
    card["groups"] = groups


def _names(card: Data) -> dict[str, Text]:
    """Give the wording of states, checks and tables, for what results do."""
    found: dict[str, Text] = {}
    for part in ("states", "checks", "tables"):
        for row in _list(card.get(part)):
            if _is_table(row):
                id_ = str(row.get("id", "combat"))
                text = row.get("text", words_of(id_))
                if isinstance(text, str):
                    found[id_] = Text(text, text)
                elif _is_table(text) and text:
                    first = str(next(iter(text.values())))
                    found[id_] = Text(str(text.get("en", first)), str(text.get("fr", first)))
    return found


# ------------------------------------------------------------------ tables


def _table(table: object, number: int, names: Mapping[str, Text]) -> object:
    if not _is_table(table):
        return table
    filled: Data = {"id": "combat" if number == 0 else f"table-{number + 1}", **table}
    margin = _of_margins(table)
    if not margin:
        filled.setdefault("dice", "1d6")
    filled.setdefault(
        "text", _both(say("Combat results")) if number == 0 else words_of(str(filled["id"]))
    )
    if isinstance(filled.get("grid"), str):
        filled["grid"] = grid_of(str(filled["grid"]))
    grid = filled.get("grid")
    if isinstance(grid, list) and grid and all(isinstance(line, list) for line in grid):
        rows = [str(line[0]) for line in grid[1:] if line]
        filled["rows"] = _axis(filled.get("rows", {}), rows, "excess" if margin else "roll")
        labels = [str(label) for label in grid[0][1:]]
        of = "difference" if any(map(_SIGNED.match, labels)) else "ratio"
        filled["columns"] = _axis(filled.get("columns", {}), labels, of)
    filled["results"] = _results(filled.get("results"), names, "unit" if margin else "")
    return filled


def _of_margins(table: Data) -> bool:
    """Tell whether a table is read by the margin of a check: nobody rolls on it."""
    rows = table.get("rows")
    return _is_table(rows) and rows.get("of") == "excess"


DASHES = ("\u2013", "\u2014", "\u2212")  # as printed in a cell without effect


def is_row(line: str) -> bool:
    """Tell the rows of a typed table from blank lines and rules between them."""
    return bool(line.strip(" |\t-+="))


def grid_of(text: str) -> list[list[str]]:
    """Cut a table as it is typed or pasted: by bars, by tabs, or else by blanks.

    The corner may be empty: a first line that has a cell less than every other has none.
    """
    lines = [line.strip() for line in text.splitlines() if is_row(line)]
    cut = "|" if all("|" in line for line in lines) else "\t" if "\t" in text else None
    cells = [[cell.strip() for cell in line.strip("|").split(cut)] for line in lines]
    if len(cells) > 1 and {len(line) for line in cells[1:]} == {len(cells[0]) + 1}:
        cells[0].insert(0, "")
    return [["-" if cell in DASHES else cell for cell in line] for line in cells]


def _axis(axis: object, labels: list[str], of: str) -> object:
    """Name an axis, and find where each of its labels starts."""
    if not _is_table(axis):
        return axis
    filled = dict(axis)
    if of in ("roll", "excess"):
        filled.setdefault("text", _both(DIE if of == "roll" else say("margin")))
    elif len(labels) > 1 or "of" in filled:
        of = str(filled.setdefault("of", of))
        filled.setdefault("text", _both(_AXIS.get(of, say("column"))))
    else:
        effect = _both(say("effect"))
        named = {"names": [effect]} if [*map(str.lower, labels)] in _EFFECTS else {}
        return {"text": effect, **named, **filled}
    if "from" not in filled and "names" not in filled:
        starts = [start_of(label, odds=of == "ratio") for label in labels]
        if all(start is not None for start in starts):
            filled["from"] = [str(start) for start in starts]
    return filled


_EFFECTS = (["effect"], ["effet"])  # heads of a single column that have both languages
_SIGNED = re.compile(r"[+\-\u2212\u2013]\s*\d")  # +2, -4 to -2
_ODDS = re.compile(r"(\d+(?:\.\d+)?)[:/-](\d+(?:\.\d+)?)[+-]?")
_FIRST = re.compile(r"[^\d+-]*([+-]?\d+(?:\.\d+)?)")


def start_of(label: str, *, odds: bool) -> Fraction | None:
    """Find the least value of a printed label; None where it has no number.

    On a scale of odds `3:2`, `3-2` and `3/2` are the ratio 3/2; elsewhere `2-3`, `5+`, `-6/-5` and
    `+6 to +8` are bands that begin with their first number.
    """
    text = label.replace("\u2212", "-").replace("\u2013", "-").replace(" ", "")
    if odds and (ratio := _ODDS.fullmatch(text)):
        return Fraction(ratio[1]) / Fraction(ratio[2]) if Fraction(ratio[2]) else None
    found = _FIRST.match(text)
    return Fraction(found[1]) if found else None


def _results(results: object, names: Mapping[str, Text], subject: Subject) -> object:
    """Read `CODE = "what it does"` as rows, and give each the words of what it does."""
    if _is_table(results):
        results = [
            {"code": code, **(row if _is_table(row) else {"does": row})}
            for code, row in results.items()
        ]
    return [_result(row, names, subject) for row in _list(results)]


def _result(row: object, names: Mapping[str, Text], subject: Subject) -> object:
    if not _is_table(row) or "text" in row:
        return row
    does = row.get("does")
    if not isinstance(does, str) or not does:
        return {"text": str(row.get("code", "?")) or "?", **row}
    try:
        text = wording(parse_does(does).of(subject), names)
    except Refusal:  # the checks of the card say where and why
        return {"text": does, **row}
    return {"text": {"en": text.en, "fr": text.fr}, **row}
