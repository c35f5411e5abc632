"""Checks across the parts of a card. Each yields the problem and its path."""

import re
from collections.abc import Iterator, Mapping, Sequence

from grognard.card import map_checks, phrase_checks, procedure_checks
from grognard.card.card import COST, FORMAT, Card, Terrain
from grognard.card.known_facts import KnownFact, known_facts, unit_facts
from grognard.card.modifier_rows import Comparison, Condition, Fact, Limit, Modifier, Test
from grognard.card.procedures import LARGEST, UnitField
from grognard.card.rows import Reading, Row
from grognard.card.tables import REFUSED, Axis, Doubt, Table
from grognard.card.terrain_look import LOOKS
from grognard.files.plain_data import too_large
from grognard.files.value_path import Problem, ValuePath
from grognard.words.message import say
from grognard.words.refusal import Refusal, near


def problems(card: Card) -> Iterator[Problem]:
    """Find everything that is wrong with a card."""
    if card.format != FORMAT:
        yield (
            say(
                "card format {found} is not known; expected {known}",
                found=card.format,
                known=FORMAT,
            ),
            ("format",),
        )
        return
    yield from _rows_once(card)
    yield from _bounds(card)
    yield from _options(card)
    yield from _readings(card)
    for index, table in enumerate(card.tables):
        path: ValuePath = ("tables", index)
        yield from _shape(table, path)
        yield from _codes(table, path)
        yield from _doubts(card, table, path)
    on_fights, on_units = known_facts(card), unit_facts(card)
    for index, modifier in enumerate(card.modifiers):
        facts = {**on_fights, **on_units} if modifier.of_units else on_fights
        yield from _modifier(card, modifier, facts, ("modifiers", index))
    yield from terrain_problems(card, card.terrain)
    yield from phrase_checks.phrases(card)
    for index, row in enumerate(card.procedures):
        for number, choice in enumerate(row.tables):
            for place, condition in enumerate(choice.when):
                here = ("procedures", index, "tables", number, "when", place)
                yield from _condition(on_fights, condition, here)
        for place, condition in enumerate(row.unharmed):
            path = ("procedures", index, "unharmed", place)
            yield from _condition({**on_fights, **on_units}, condition, path)
    yield from procedure_checks.fights(card)
    yield from map_checks.on_the_map(card)


def _rows_once(card: Card) -> Iterator[Problem]:
    parts: dict[str, Sequence[Row | Table]] = {**card.rows, "tables": card.tables}
    for part, rows in parts.items():
        ids = [row.id for row in rows]
        for index, id_ in enumerate(ids):
            if id_ in ids[:index]:
                yield say("'{id}' stands twice among the {part}", id=id_, part=part), (part, index)


def _bounds(card: Card) -> Iterator[Problem]:
    """Check that some number lies between the bounds of a row."""
    bounded: dict[str, Sequence[Fact | UnitField | Limit]] = {
        "facts": card.facts,
        "unit_fields": card.unit_fields,
        "limits": card.limits,
    }
    for part, rows in bounded.items():
        for index, row in enumerate(rows):
            most = LARGEST if row.most is None else row.most
            if row.least is not None and row.least > most:
                problem = say(
                    "no number of '{id}' is possible: at least {least}, at most {most}",
                    id=row.id,
                    least=row.least,
                    most=most,
                )
                yield problem, (part, index, "least")


def _options(card: Card) -> Iterator[Problem]:
    for index, option in enumerate(card.options):
        if len({choice.id for choice in option.choices}) < max(2, len(option.choices)):
            yield (
                say("option '{id}' needs at least two choices, all different", id=option.id),
                ("options", index, "choices"),
            )
        ids = [choice.id for choice in option.choices]
        if option.formerly is not None and option.formerly not in ids:
            problem = say(
                "'{id}' is no choice; {near}", id=option.formerly, near=near(option.formerly, ids)
            )
            yield problem, ("options", index, "formerly")
        if not option.reading.doubtful:
            yield (
                say(
                    "option '{id}' needs a reading with its reason: what the print leaves open, "
                    "and why the first choice is the default",
                    id=option.id,
                ),
                ("options", index, "reading"),
            )


def _shape(table: Table, path: ValuePath) -> Iterator[Problem]:
    """Check the grid: no cell missing, no label twice, no value in two rows."""
    if len(table.grid) < 2 or len(table.grid[0]) < 2:
        yield say("a table needs a line of column labels and at least one row"), (*path, "grid")
        return
    width = len(table.grid[0])
    for number, line in enumerate(table.grid[1:], start=1):
        if len(line) != width:
            problem = say(
                "row '{row}' has {found} cells; expected {expected}, one for each of {columns} "
                "(where labels have blanks, put | between all cells)",
                row=line[0] if line else "",
                found=len(line) - 1,
                expected=width - 1,
                columns=", ".join(table.column_labels),
            )
            yield problem, (*path, "grid", number)
        for place, cell in enumerate(line):
            if not cell:
                told = say(
                    "row '{row}' has an empty cell; write - where nothing happens", row=line[0]
                )
                yield told, (*path, "grid", number, place)
    for number, label in enumerate(table.row_labels):
        if label in table.row_labels[:number]:
            yield say("two rows for '{label}'", label=label), (*path, "grid", number + 1)
    for number, label in enumerate(table.column_labels):
        if label in table.column_labels[:number]:
            yield say("two columns for '{label}'", label=label), (*path, "grid", 0)
    yield from _axis(table.rows, table.row_labels, (*path, "rows"))
    yield from _axis(table.columns, table.column_labels, (*path, "columns"))


def _axis(axis: Axis, labels: tuple[str, ...], path: ValuePath) -> Iterator[Problem]:
    for key, values in (("from", axis.starts), ("names", axis.names)):
        if values and len(values) != len(labels):
            problem = say(
                "{found} values for {expected} labels ({labels})",
                found=len(values),
                expected=len(labels),
                labels=", ".join(labels),
            )
            yield problem, (*path, key)
    for place, (low, high) in enumerate(zip(axis.starts, axis.starts[1:], strict=False)):
        if low >= high:
            problem = say(
                "'{label}' starts at {value}, but each must start above the one before ({before})",
                label=labels[place + 1] if place + 1 < len(labels) else "",
                value=high,
                before=low,
            )
            yield problem, (*path, "from", place + 1)
    for place, span in enumerate(axis.spans):
        for label in (span.first, span.last):
            if label not in labels:
                problem = say(
                    "there is no label '{label}'; {near}", label=label, near=near(label, labels)
                )
                yield problem, (*path, "spans", place)


_LARGEST_RESULT = 100  # steps, hexes, columns; rules do something so many times


def _codes(table: Table, path: ValuePath) -> Iterator[Problem]:
    codes = [result.code for result in table.results]
    for number, code in enumerate(codes):
        if code in codes[:number]:
            problem = say("result '{code}' stands twice in the legend", code=code)
            yield problem, (*path, "results", number)
        for key, value in table.results[number].values.items():
            if isinstance(value, int) and abs(value) > _LARGEST_RESULT:
                yield too_large(_LARGEST_RESULT), (*path, "results", number, "values", key)
    for number, line in enumerate(table.grid[1:], start=1):
        for place, code in enumerate(line[1:], start=1):
            try:
                table.parse(code)
            except Refusal as refusal:
                yield refusal.problem, (*path, "grid", number, place)


def _doubts(card: Card, table: Table, path: ValuePath) -> Iterator[Problem]:
    for number, doubt in enumerate(table.doubts):
        here = (*path, "doubts", number)
        labels = {"row": table.row_labels, "column": table.column_labels}
        for key, label in (("row", doubt.row), ("column", doubt.column)):
            if label not in labels[key]:
                close = near(label, labels[key])
                problem = say("there is no label '{label}'; {near}", label=label, near=close)
                yield problem, (*here, key)
        if (doubt.half is None) != (table.cells == "codes"):
            yield say("a doubt names a half where, and only where, cells have halves"), here
        else:
            yield from _instead(card, table, doubt, here)


def _instead(card: Card, table: Table, doubt: Doubt, path: ValuePath) -> Iterator[Problem]:
    option = next((o for o in card.options if o.id == doubt.reading.option), None)
    if doubt.instead and option is None:
        yield say("a doubt with another reading names the option that chooses it"), path
        return
    choices = [choice.id for choice in option.choices] if option else []
    for choice, code in doubt.instead.items():
        here = (*path, "instead", choice)
        if choice not in choices:
            problem = say(
                "option {option} is never '{choice}'; {near}",
                option=doubt.reading.option,
                choice=choice,
                near=near(choice, choices),
            )
            yield problem, here
        if code == REFUSED:
            continue
        try:
            table.parse_half(code) if doubt.half else table.parse(code)
        except Refusal as refusal:
            yield refusal.problem, here


def _modifier(
    card: Card, modifier: Modifier, facts: Mapping[str, KnownFact], path: ValuePath
) -> Iterator[Problem]:
    numbers = [fact.id for fact in card.facts if fact.kind == "number"]
    known = {
        "group": (modifier.group, [group.id for group in card.groups]),
        "limit": (modifier.limit, [limit.id for limit in card.limits]),
        "table": (modifier.table, [table.id for table in card.tables]),
        "times": (modifier.times, numbers),
        "sign_of": (modifier.sign_of, numbers),
    }
    for key, (named, ids) in known.items():
        if named is not None and named not in ids:
            problem = say(
                "modifier '{id}' names an unknown {key} '{named}'; {near}",
                id=modifier.id,
                key=key,
                named=named,
                near=near(named, ids),
            )
            yield problem, (*path, key)
    for place, condition in enumerate(modifier.when):
        yield from _condition(facts, condition, (*path, "when", place))
    for number, instead in enumerate(modifier.instead):
        for place, condition in enumerate(instead.when):
            yield from _condition(facts, condition, (*path, "instead", number, "when", place))


_OF_UNITS = re.compile(r"(?:any_|all_|every_|no_)?(?:attacker|defender)s?_(\w+)")
_FITTING = {
    "flag": (Comparison.HOLDS,),
    "number": (Comparison.AT_LEAST, Comparison.AT_MOST),
    "word": (Comparison.IS,),
    "set": (Comparison.HAS,),
}


def _condition(
    facts: Mapping[str, KnownFact], condition: Condition, path: ValuePath
) -> Iterator[Problem]:
    for test in condition.tests:
        if test.fact in facts:
            yield from _test(test, *facts[test.fact], path)
        else:
            close = near(test.fact, facts)
            problem = say("there is no fact '{fact}'; {near}", fact=test.fact, near=close)
            if of_units := _OF_UNITS.fullmatch(test.fact):
                problem = say(
                    "there is no fact '{fact}': what a counter has is a row of [[unit_fields]], "
                    'here with id = "{field}"; {near}',
                    fact=test.fact,
                    field=of_units[1],
                    near=close,
                )
            yield problem, path


def _test(test: Test, kind: str, values: tuple[str, ...], path: ValuePath) -> Iterator[Problem]:
    if test.comparison not in _FITTING[kind]:
        problem = say(
            "fact '{fact}' is a {kind}; expected {words}",
            fact=test.fact,
            kind=kind,
            words=" / ".join(
                f"'{test.fact} {c.value} …'" if c.value else f"'{test.fact}'"
                for c in _FITTING[kind]
            ),
        )
        yield problem, path
    elif isinstance(test.value, tuple):
        for word in test.value:
            if word not in values:
                problem = say(
                    "fact '{fact}' is never '{word}'; {near}",
                    fact=test.fact,
                    word=word,
                    near=near(word, values),
                )
                yield problem, path


def terrain_problems(card: Card, rows: Sequence[Terrain]) -> Iterator[Problem]:
    """Find what is wrong with rows of terrain, of a card or of a scenario that adds some. Where the
    card has no unit classes, the scenario has its own."""
    classes = [row.id for row in card.unit_classes]
    modifiers = [modifier.id for modifier in card.modifiers]
    for index, terrain in enumerate(rows):
        path: ValuePath = ("terrain", index)
        for class_, cost in terrain.cost.items():
            if class_ not in classes and (classes or rows is card.terrain):
                close = near(class_, classes)
                problem = say("there is no unit class '{id}'; {near}", id=class_, near=close)
                yield problem, (*path, "cost", class_)
            if not COST.fullmatch(cost):
                problem = say(
                    "'{cost}' is not a cost; expected 1, 1/2, +1, 2 stop, no …", cost=cost
                )
                yield problem, (*path, "cost", class_)
        like, looks = terrain.look.like if terrain.look else None, LOOKS.get(terrain.on, ())
        if like is not None and looks and like not in looks:
            close = near(like, looks)
            problem = say(
                "a {on} never looks like '{look}'; {near}", on=terrain.on, look=like, near=close
            )
            yield problem, (*path, "look", "like")
        for place, id_ in enumerate(terrain.combat):
            if id_ not in modifiers:
                problem = say(
                    "there is no modifier '{id}'; {near}", id=id_, near=near(id_, modifiers)
                )
                yield problem, (*path, "combat", place)


def _readings(card: Card) -> Iterator[Problem]:
    """Check that every reading names an option that the card has."""
    known = [option.id for option in card.options]
    for reading, path in _all_readings(card):
        if reading.option is not None and reading.option not in known:
            close = near(reading.option, known)
            problem = say("there is no option '{id}'; {near}", id=reading.option, near=close)
            yield problem, (*path, "reading", "option")


def _all_readings(card: Card) -> Iterator[tuple[Reading, ValuePath]]:
    for index, table in enumerate(card.tables):
        yield table.reading, ("tables", index)
        for place, doubt in enumerate(table.doubts):
            yield doubt.reading, ("tables", index, "doubts", place)
        for place, result in enumerate(table.results):
            yield result.reading, ("tables", index, "results", place)
    for part, rows in {**card.rows, "terrain_columns": card.terrain_columns}.items():
        for index, row in enumerate(rows):
            yield row.reading, (part, index)
