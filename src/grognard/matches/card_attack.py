"""The fight of an attack order, by the card: counters, terrain and facts of the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from grognard.card.card import Card
from grognard.card.effects import parse_does
from grognard.card.map_rules import MapFact, parse_map_fact
from grognard.card.rows import SIDES, Side, Value
from grognard.maps.board import Board, Piece
from grognard.maps.card_needs import WHOLE, attack_row
from grognard.maps.hexes import Hex
from grognard.matches.attack_field import Engagement
from grognard.matches.protocol import Doing
from grognard.rules.card_types import printed_fields
from grognard.rules.fight import Fight, Setup
from grognard.rules.stages.state import needs
from grognard.words.refusal import Refusal

if TYPE_CHECKING:
    from grognard.matches.card_field import CardField

Chosen = Mapping[str, Value]  # what the sides choose of the facts
CHOOSES = "choose-"  # how the phrases of their questions begin


def fight(
    field: CardField, board: Board, plan: Engagement, defending: tuple[Piece, ...] = ()
) -> Doing[Fight]:
    """Let the sides choose what is theirs to choose, tell what the map says, set the fight up;
    `defending` are those who support the defence from outside."""
    allowed, chosen = allowed_choices(field, board, plan), dict[str, Value]()
    for id_, side in _choosers(field).items():
        left = [choice for choice in allowed if chosen.items() <= choice.items()]
        options = tuple(dict.fromkeys(_word(choice[id_]) for choice in left))
        word = yield from field.choose(side, f"{CHOOSES}{id_}", options)
        chosen[id_] = next(choice[id_] for choice in left if _word(choice[id_]) == word)
    stated = _setup(field, board, plan, chosen, defending)
    made = field.game.fight(stated, procedure=attack_row(field.card).id, options=field.options)
    for id_, value in _board_facts(field, board, plan, defending):
        text = field.card.fact(id_).text
        if value is True:
            yield field.tell("note", "on-the-map", what=text)
        elif value:
            yield field.tell("note", "number-on-the-map", what=text, value=value)
    for field_id, source in _sources(field.card, of_unit=True).items():
        named = next(row.text for row in field.card.unit_fields if row.id == field_id)
        for piece in (*plan.attackers, *plan.defenders):
            if _unit_fact(board, plan, piece, source) is True:
                yield field.tell("note", "unit-on-the-map", unit=piece.name, what=named)
    return made


def _word(value: Value) -> str:
    """Write a chosen value as an option of a question."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def allowed_choices(field: CardField, board: Board, plan: Engagement) -> list[Chosen]:
    """Give the choices with which the rules allow a fight; refuse where there are none."""
    choosers, allowed = _choosers(field), list[Chosen]()
    refusals: list[Refusal] = []
    values = [_values(field.card, id_) for id_ in choosers]
    for picked in product(*values):
        chosen = dict(zip(choosers, picked, strict=True))
        try:
            field.check_fight(_setup(field, board, plan, chosen), attack_row(field.card).id)
        except Refusal as refusal:
            refusals.append(refusal)
        else:
            allowed.append(chosen)
    if not allowed:
        raise Refusal(refusals[0].problem)
    return allowed


def _values(card: Card, id_: str) -> tuple[Value, ...]:
    fact = card.fact(id_)
    return fact.values if fact.kind == "word" else (False, True)


@lru_cache(maxsize=64)
def _parsed(words: tuple[tuple[str, str], ...], *, of_unit: bool) -> Mapping[str, MapFact]:
    return {id_: parse_map_fact(source, of_unit=of_unit) for id_, source in words}


def _sources(card: Card, *, of_unit: bool) -> Mapping[str, MapFact]:
    """Give where the facts of fights, or of units, come from."""
    fields = {row.id for row in card.unit_fields}
    given = card.map.facts if card.map else {}
    words = tuple((id_, said) for id_, said in given.items() if (id_ in fields) == of_unit)
    return _parsed(words, of_unit=of_unit)


def _choosers(field: CardField) -> dict[str, Side]:
    sources = _sources(field.card, of_unit=False)
    chosen = {id_: source.side for id_, source in sources.items() if source.kind == "chooses"}
    return {id_: side for id_, side in chosen.items() if side}


# ------------------------------------------------------------------ the set-up


def _setup(
    field: CardField,
    board: Board,
    plan: Engagement,
    chosen: Chosen,
    defending: tuple[Piece, ...] = (),
) -> Setup:
    stated: dict[str, object] = {
        "attackers": [_unit(field.card, board, plan, piece) for piece in plan.attackers],
        "defenders": [_unit(field.card, board, plan, piece) for piece in plan.defenders],
        **dict(_terrain_facts(field, board, plan)),
        **dict(_board_facts(field, board, plan, defending)),
        **chosen,
    }
    if needs(field.card).retreat:
        for side in SIDES:
            stated[f"{side}_room"] = retreat_room(field, board, plan.engaged(side))
    return field.game.setup(field.game.procedure(attack_row(field.card).id), stated)


def _unit(card: Card, board: Board, plan: Engagement, piece: Piece) -> dict[str, object]:
    """Give a counter as a unit of the fight: its present face, its states, what the map says."""
    known = [name for name, _, _ in printed_fields(card, attack_row(card))]
    whole = {"kind": piece.kind, "size": piece.size}
    return {
        "name": piece.name,
        "steps": piece.steps,
        **{name: value for name, value in piece.face.items() if name in known},
        **{name: whole[name] for name in WHOLE if name in known},
        **{state.id: state.id in piece.states for state in card.states},
        **{
            id_: _unit_fact(board, plan, piece, source)
            for id_, source in _sources(card, of_unit=True).items()
        },
    }


def _unit_fact(board: Board, plan: Engagement, piece: Piece, source: MapFact) -> bool | int:
    match source.kind:
        case "distance":
            return piece.place.distance(plan.target)
        case "across":
            attacks = piece.side == plan.side
            return attacks and source.terrain in _crossed(board, piece, plan)
        case "in":
            return source.terrain in board.map.places[piece.place].terrain
    return "unsupplied" in piece.states


def _crossed(board: Board, piece: Piece, plan: Engagement) -> frozenset[str]:
    """Give the terrain of the hexside over which a unit attacks; from a distance there is none."""
    if piece.place.distance(plan.target) != 1:
        return frozenset()
    return board.map.between(piece.place, plan.target)


def _board_facts(
    field: CardField, board: Board, plan: Engagement, defending: tuple[Piece, ...]
) -> Iterator[tuple[str, bool | int]]:
    """Give the facts of the fight that the map tells."""
    crossed = [_crossed(board, piece, plan) for piece in plan.attackers]
    for id_, source in _sources(field.card, of_unit=False).items():
        match source.kind:
            case "all across":
                yield id_, all(source.terrain in sides for sides in crossed)
            case "any across":
                yield id_, any(source.terrain in sides for sides in crossed)
            case "surrounded":
                yield id_, field.surrounded(board, plan.target, plan.side, edge_closes=False)
            case "distance":
                yield id_, max(piece.place.distance(plan.target) for piece in plan.attackers)
            case "attacking hexes":
                yield id_, len({piece.place for piece in plan.attackers})
            case "support" if field.rules.support is not None:
                helpers = plan.supports if source.side == "attacker" else defending
                yield id_, sum(piece.number(field.rules.support.strength) for piece in helpers)


def _terrain_facts(
    field: CardField, board: Board, plan: Engagement
) -> Iterator[tuple[str, list[str]]]:
    """Give every fact that is a set of terrain: the target's, and hexsides that all cross."""
    crossed = (_crossed(board, piece, plan) for piece in plan.attackers)
    shared = frozenset.intersection(*crossed)
    found = sorted(board.map.places[plan.target].terrain | shared)
    printed = {row.id for row in field.card.terrain}
    for fact in field.card.facts:
        if fact.kind == "set" and not fact.values and fact.of != "unit":
            yield fact.id, [id_ for id_ in found if id_ in printed]


# ------------------------------------------------------------------ room to retreat


def retreat_room(field: CardField, board: Board, units: Iterable[Piece]) -> int | None:
    """Tell how far the freest stack of a side can retreat; None: as far as any result says.

    A stack that has less room pays for it on the board, after the fight.
    """
    most = longest_result(field.card)
    best = max(
        field.longest_retreat(board, stack, (hex_,), most)[0]
        for hex_, stack in by_hex(units).items()
    )
    return None if best == most else best


def by_hex(units: Iterable[Piece]) -> dict[Hex, list[Piece]]:
    """Sort units by the hexes in which they stand."""
    found: dict[Hex, list[Piece]] = {}
    for unit in units:
        found.setdefault(unit.place, []).append(unit)
    return found


def longest_result(card: Card) -> int:
    """Give the longest retreat among the results of a card."""
    does = [result.does for table in card.tables for result in table.results]
    words = (*does, *(check.fails for check in card.checks))
    effects = (effect for said in words if said for effect in parse_does(said).effects())
    return max((int(e.amount) for e in effects if e.kind == "retreat"), default=0)
