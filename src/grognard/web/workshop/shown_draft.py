"""The draft of a card as the page shows it: table, legend, lines, sample fight, what is missing."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from grognard.card.defaults import start_of
from grognard.card.modifier_rows import Fact
from grognard.rules.procedure import Game
from grognard.study.workshop import effect_parts
from grognard.study.workshop.card_text import CardData, card_toml
from grognard.study.workshop.changes import meaning
from grognard.study.workshop.commented_card import written
from grognard.study.workshop.draft import (
    DraftProblem,
    plain_name,
    playable,
    read_draft,
    slug,
    worded,
)
from grognard.study.workshop.effect_parts import EffectParts
from grognard.study.workshop.modifier_changes import conditions, own_modifier, tested_words
from grognard.study.workshop.sample import Sample, Stated, rules_of, stated
from grognard.web.limits import allow_request
from grognard.web.quick.panel import Panel, panel
from grognard.web.workshop.settings import Setting, settings
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

Problems = Mapping[str, tuple[str, ...]]  # by the place where they are told


class ShownResult(NamedTuple):
    """A code of the legend, its meaning in words, and taken apart."""

    code: str
    words: str
    ways: tuple[tuple[EffectParts, ...], ...]  # empty: no meaning that can be taken apart
    chooser: str
    used: bool
    problems: tuple[str, ...]


class DraftCell(NamedTuple):
    """A cell or a label to be typed in."""

    text: str
    place: tuple[int, int]
    unclear: bool = False  # nothing stands there, or nothing that can be read
    lit: bool = False


class DraftRow(NamedTuple):
    """A row of the table: its label, its cells, and its chance in the sample fight."""

    label: DraftCell
    cells: tuple[DraftCell, ...]
    chance: Fraction | None


class DraftTable(NamedTuple):
    """A table of the draft."""

    number: int
    text: str
    dice: str
    family: str
    pair: bool
    corner: str
    columns: tuple[DraftCell, ...]
    rows: tuple[DraftRow, ...]
    results: tuple[ShownResult, ...]
    problems: tuple[str, ...]


class DraftLine(NamedTuple):
    """A modifier or a terrain: wording, what it changes, by how much, and its box."""

    number: int
    text: str
    changes: str  # "" for terrain that changes nothing; a factor ends in *
    amount: str
    when: str  # conditions in words, where no box stands for them; of terrain, lines that name it
    tick: str  # the kind and the id of its box: fact:night, mark:cut_off, terrain:wood
    ticked: bool
    counts: bool
    problems: tuple[str, ...]


class ShownSample(NamedTuple):
    """The sample fight, its odds, and why there are none."""

    stated: Stated | None
    facts: tuple[Fact, ...]  # numbers and words that the card asks for
    given: Mapping[str, object]
    panel: Panel | None
    problem: str | None


class ShownDraft(NamedTuple):
    """Everything that the page shows."""

    name: str
    about: str
    tables: tuple[DraftTable, ...]
    modifiers: tuple[DraftLine, ...]
    terrain: tuple[DraftLine, ...]
    procedure: Mapping[str, object]
    settings: tuple[Setting, ...]
    words: tuple[tuple[str, str], ...]  # what results can do: its key and its wording
    sample: ShownSample
    problems: tuple[str, ...]
    missing: int
    file: str  # the name of its file
    toml: str
    untouched: tuple[str, ...]  # parts of the card that the page does not edit
    word_names: Mapping[str, str]  # wording of the words that are facts


def shown_draft(card: CardData, sample: Sample, lang: Lang, before: str = "") -> ShownDraft:
    """Lay out a draft with the odds of its sample fight; `before` is the text of its file."""
    _, found = read_draft(card)
    told = _told(card, found, lang)
    fight = _sample(card, sample, lang)
    tables = tuple(_table(card, number, fight, told, lang) for number in range(len(card["tables"])))
    lines = fight.panel.lines if fight.panel else ()
    applied = {line.text for line in lines if line.kind == "modifier"}
    modifiers = tuple(_modifiers(card, sample, applied, told, lang))
    return ShownDraft(
        plain_name(card, lang),
        worded(card.get("about", ""), lang),
        tables,
        modifiers,
        tuple(_terrain(card, sample, told, lang)),
        card["procedures"][0],
        tuple(settings(card["tables"][0]["results"], pair=tables[0].pair)),
        _words(card, lang),
        fight,
        told.get("", ()),
        sum(map(len, told.values())),
        f"{slug(plain_name(card)) or 'card'}.toml",
        written(card, before),
        tuple(_untouched(card, modifiers, lang)),
        {
            key.removeprefix("word-"): worded(text, lang)
            for key, text in card.get("phrases", {}).items()
        },
    )


_EDITED = ("format", "id", "name", "about", "tables", "modifiers", "terrain", "procedures")


def _untouched(card: CardData, modifiers: Iterable[DraftLine], lang: Lang) -> Iterator[str]:
    """Name the parts of a card that the page keeps as they are, with the wording of their rows.

    A fact that is the box of a modifier is made and worded by the page.
    """
    boxes = {(line.tick.removeprefix("fact:"), line.text) for line in modifiers}
    for part in (key for key in card if key not in _EDITED):
        names = _named(card, part, lang) if _has_rows(card[part]) else {}
        kept = [text for row, text in names.items() if part != "facts" or (row, text) not in boxes]
        if kept or not names:
            yield f"{part}: {', '.join(kept)}" if kept else part
    for row in card["procedures"][1:]:
        yield f"procedures: {worded(row.get('text', row.get('id', '…')), lang)}"


def _has_rows(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)


def _words(card: CardData, lang: Lang) -> tuple[tuple[str, str], ...]:
    """Give everything that a result can do: the vocabulary, and what the card itself names."""
    found = {key: text.in_(lang) for key, (text, _) in effect_parts.WHATS.items()}
    states = {"disrupted": say("disrupted").in_(lang), **_named(card, "states", lang)}
    for id_, text in states.items():
        found[f"state:{id_}"] = say("is {state}", state=text).in_(lang)
    checks = {"morale": say("morale").in_(lang), **_named(card, "checks", lang)}
    for id_, text in checks.items():
        found[f"check:{id_}"] = say("checks {rating}", rating=text).in_(lang)
    for table in card["tables"][1:]:
        if id_ := table.get("id"):
            words = worded(table.get("text", id_), lang)
            found[f"read:{id_}"] = say("roll on “{table}”", table=words).in_(lang)
    return tuple(found.items())


def _named(card: CardData, part: str, lang: Lang) -> dict[str, str]:
    """Give the wording of the rows of a part that have an id."""
    rows = [row for row in card.get(part, []) if row.get("id")]
    return {row["id"]: worded(row.get("text", row["id"]), lang) for row in rows}


# ------------------------------------------------------------------ problems

_RESULT = re.compile(r"tables\[(\d+)\]\.results\[(\d+)\]")
_ROW = re.compile(r"(tables|modifiers|terrain)\[(\d+)\]")


def _told(card: CardData, found: Iterable[DraftProblem], lang: Lang) -> Problems:
    """Sort what is wrong by the place on the page; what the place itself shows is left out."""
    told: dict[str, list[str]] = {}
    for number, table in enumerate(card["tables"]):
        told[f"tables.{number}"] = [message.in_(lang) for message in _gaps(table)]
        for code, does in table["results"].items():
            if not (does.get("does") if isinstance(does, dict) else does):
                words = say("What does {code} do? Pick it here.", code=code).in_(lang)
                told[f"tables.{number}.{code}"] = [words]
    for problem, place in found:
        key = _anchor(card, place)
        if key in told and told[key] and key.startswith("tables."):
            continue  # it follows from a gap that is told already
        told.setdefault(key, []).append(problem.in_(lang))
    return {key: tuple(dict.fromkeys(words)) for key, words in told.items() if words}


def _gaps(table: CardData) -> Iterator[Message]:
    first, *rows = table["grid"]
    empty = sum(not cell for row in rows for cell in row[1:])
    if empty:
        yield say("Empty cells: {n}. Write a result in each, - where nothing happens.", n=empty)
    unclear = [label or "…" for label in first[1:] if _unclear(label, table, column=True)]
    unclear = unclear if len(first) > 2 else []  # a single column needs no number
    unclear += [row[0] or "…" for row in rows if _unclear(row[0], table, column=False)]
    if unclear:
        words = ", ".join(unclear)
        yield say(
            "No number is read in these labels: {labels}. Write 1-2, 3:1, +2, 4-6 or 7+.",
            labels=words,
        )


def _unclear(label: str, table: CardData, *, column: bool) -> bool:
    """Tell whether a label lacks the number by which its row or column is found."""
    axis = table.get("columns" if column else "rows", {})
    if not isinstance(axis, dict) or "from" in axis or "names" in axis:
        return False
    return start_of(label, odds=column and _family(table) == "ratio") is None


def _family(table: CardData) -> str:
    axis = table.get("columns")
    return str(axis.get("of", "ratio")) if isinstance(axis, dict) else "ratio"


def _anchor(card: CardData, place: str) -> str:
    if found := _RESULT.match(place):
        codes = [*card["tables"][int(found[1])]["results"]]
        return f"tables.{found[1]}.{codes[int(found[2])]}" if int(found[2]) < len(codes) else ""
    row = _ROW.match(place)
    return f"{row[1]}.{row[2]}" if row else ""


# ------------------------------------------------------------------ parts


def _table(
    card: CardData, number: int, sample: ShownSample, told: Problems, lang: Lang
) -> DraftTable:
    table = card["tables"][number]
    first, *rows = table["grid"]
    shown = sample.panel.table if sample.panel else None
    fits = shown is not None and shown.table.id == table.get("id", "combat" if number == 0 else "")
    columns = (
        shown.in_question if shown and fits and len(shown.in_question) == len(first) - 1 else ()
    )
    chances = (
        [row.chance for row in shown.rows]
        if shown and fits and len(shown.rows) == len(rows)
        else []
    )
    lit = [place for place, in_question in enumerate(columns, 1) if in_question]
    single = len(first) == 2  # its label, and one column
    return DraftTable(
        number,
        worded(table.get("text", ""), lang),
        str(table.get("dice", "1d6")),
        _family(table),
        table.get("cells") == "pair",
        first[0],
        tuple(
            DraftCell(
                label, (0, place), not single and _unclear(label, table, column=True), place in lit
            )
            for place, label in enumerate(first[1:], 1)
        ),
        tuple(
            DraftRow(
                DraftCell(line[0], (place, 0), _unclear(line[0], table, column=False)),
                tuple(
                    DraftCell(text, (place, at), not text, at in lit)
                    for at, text in enumerate(line[1:], 1)
                ),
                chances[place - 1] if chances else None,
            )
            for place, line in enumerate(rows, 1)
        ),
        tuple(_results(card, number, told)),
        told.get(f"tables.{number}", ()),
    )


def _results(card: CardData, number: int, told: Problems) -> Iterator[ShownResult]:
    table = card["tables"][number]
    used = {
        code for line in table["grid"][1:] for cell in line[1:] for code in re.split(r"[\s/]", cell)
    }
    for code in table["results"]:
        words = meaning(card, number, code)
        does = effect_parts.read(words)
        ways = tuple(tuple(map(effect_parts.parts, way)) for way in does.ways) if does else ()
        chooser = (does.chooser or "") if does else ""
        yield ShownResult(
            code, words, ways, chooser, code in used, told.get(f"tables.{number}.{code}", ())
        )


def _modifiers(
    card: CardData, sample: Sample, applied: Iterable[str], told: Problems, lang: Lang
) -> Iterator[DraftLine]:
    facts = {row.get("id"): row.get("kind") for row in card.get("facts", [])}
    marks = {row.get("id") for row in card.get("unit_fields", []) if row.get("kind") == "flag"}
    marks |= {row.get("id") for row in card.get("states", [])}
    owned = {own_modifier(card, str(row.get("id"))) for row in card.get("terrain", [])}
    counting = set(applied)
    for number, row in enumerate(card.get("modifiers", [])):
        if number in owned:
            continue
        when, text = conditions(row), worded(row.get("text", ""), lang)
        tick, ticked = "", False
        if len(when) == 1 and facts.get(when[0]) == "flag":
            tick, ticked = f"fact:{when[0]}", bool(sample.facts.get(when[0]))
        elif len(when) == 1 and when[0] in marks:
            tick, ticked = f"mark:{when[0]}", when[0] in sample.marked
        shown = "" if tick else ", ".join(when)
        yield DraftLine(
            number, text, *_effect(row), shown, tick, ticked, text in counting,
            told.get(f"modifiers.{number}", ()),
        )  # fmt: skip


def _terrain(card: CardData, sample: Sample, told: Problems, lang: Lang) -> Iterator[DraftLine]:
    for number, row in enumerate(card.get("terrain", [])):
        id_ = str(row.get("id"))
        place = own_modifier(card, id_)
        modifier = card["modifiers"][place] if place is not None else None
        changes, amount = _effect(modifier) if modifier else ("", "")
        shared = [
            worded(one.get("text", ""), lang)
            for one in card.get("modifiers", [])
            if one is not modifier and id_ in tested_words(one)
        ]
        problems = (*told.get(f"terrain.{number}", ()), *told.get(f"modifiers.{place}", ()))
        text, ticked = worded(row.get("text", ""), lang), id_ in sample.terrain
        yield DraftLine(
            number=number,
            text=text,
            changes=changes,
            amount=amount,
            when=", ".join(shared),
            tick=f"terrain:{id_}",
            ticked=ticked,
            counts=ticked,
            problems=problems,
        )


def _effect(row: CardData) -> tuple[str, str]:
    """Give what a modifier changes, as its picker has it, and the amount."""
    changes = str(row.get("changes", "column"))
    if "factor" in row:
        return f"{changes}*", str(row["factor"])
    value = row.get("value", "")
    return changes, f"{value:+d}" if isinstance(value, int) else str(value)


# ------------------------------------------------------------------ the sample fight


def _sample(card: CardData, sample: Sample, lang: Lang) -> ShownSample:
    try:
        rules = rules_of(card_toml(playable(card)))
    except Refusal:  # what is wrong stands at its place
        return ShownSample(
            None, (), {}, None, say("The odds follow as soon as the table can be read.").in_(lang)
        )
    given = stated(rules, sample)
    facts = tuple(f for f in rules.card.facts if f.kind in ("number", "word") and f.of != "unit")
    try:
        shown = _panel(rules, given, lang)
    except Refusal as refusal:
        return ShownSample(given, facts, sample.facts, None, refusal.problem.in_(lang))
    return ShownSample(given, facts, sample.facts, shown, None)


def _panel(rules: Game, given: Stated, lang: Lang) -> Panel:
    """Work out the odds of the sample fight on the table that it is read on."""
    allow_request()
    fight = rules.fight(given.setup)
    explanation = fight.explain()
    first = rules.card.procedures[0].choices[0].table
    return panel(fight.play(), explanation.table or first, lang)
