"""Checks of what a card says about play on the map. Each yields the problem and its path."""

from collections.abc import Iterable, Iterator

from grognard.card.card import Card
from grognard.card.map_rules import STEPS, UNITS, MapFact, MapRules, parse_map_fact
from grognard.files.value_path import Problem, ValuePath
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal, near


def on_the_map(card: Card) -> Iterator[Problem]:
    """Check the part `map`: the procedure, what stacking counts, where facts come from."""
    rules = card.map
    if rules is None:
        return
    if not card.procedures:
        yield say("a card without procedures has its rules on the map in Python"), ("map",)
        return
    ids = [row.id for row in card.procedures]
    if rules.procedure is not None:
        yield from _known(say("procedure"), rules.procedure, ids, "procedure")
    numbers = [field.id for field in card.unit_fields if field.kind == "number"]
    counted = [UNITS, STEPS, *numbers]
    yield from _known(say("unit field"), rules.stacking_counts, counted, "stacking_counts")
    yield from _distances(card, rules, numbers)
    yield from _facts(card, rules)


def _known(what: Message, word: str, known: Iterable[str], key: str) -> Iterator[Problem]:
    ids = list(known)
    if word not in ids:
        close = near(word, ids)
        problem = say("there is no {what} '{word}'; {near}", what=what, word=word, near=close)
        yield problem, ("map", key)


def _distances(card: Card, rules: MapRules, numbers: list[str]) -> Iterator[Problem]:
    """Check the ranges, the fields of support, and the terrain that blocks a line of sight."""
    if isinstance(rules.range, str):
        yield from _known(say("unit field"), rules.range, numbers, "range")
    hexes = [row.id for row in card.terrain if row.on == "hex"]
    for id_ in rules.sight:
        yield from _known(say("terrain"), id_, hexes, "sight")
    if rules.support is not None:
        fields = [rules.support.strength, rules.support.range]
        for word in (field for field in fields if isinstance(field, str)):
            yield from _known(say("unit field"), word, numbers, "support")


def _facts(card: Card, rules: MapRules) -> Iterator[Problem]:
    facts = {fact.id: fact.kind for fact in card.facts if fact.of != "unit"}
    fields = {field.id: field.kind for field in card.unit_fields}
    for id_, words in rules.facts.items():
        path: ValuePath = ("map", "facts", id_)
        if id_ not in facts and id_ not in fields:
            close = near(id_, [*facts, *fields])
            yield say("there is no fact '{fact}'; {near}", fact=id_, near=close), path
            continue
        try:
            source = parse_map_fact(words, of_unit=id_ in fields)
        except Refusal as refusal:
            yield refusal.problem, path
            continue
        kind = facts.get(id_) or fields[id_]
        for problem in _fits(card, source, kind, id_):
            yield problem, path


_KINDS = {
    "chooses": ("flag", "word"),
    **dict.fromkeys(("distance", "support", "attacking hexes"), ("number",)),
}


def _fits(card: Card, source: MapFact, kind: str, id_: str) -> Iterator[Message]:
    allowed = _KINDS.get(source.kind, ("flag",))
    if kind not in allowed:
        words = " / ".join(allowed)
        yield say("'{id}' is a {kind}; expected a {words}", id=id_, kind=kind, words=words)
    if source.kind == "support" and (card.map is None or card.map.support is None):
        yield say("nobody supports; expected support = {{ kinds = [ … ], strength = … }}")
    if source.terrain:
        on = ("hex", "marker") if source.kind == "in" else ("hexside",)
        ids = [row.id for row in card.terrain if row.on in on]
        if source.terrain not in ids:
            close = near(source.terrain, ids)
            yield say("there is no terrain '{word}'; {near}", word=source.terrain, near=close)
