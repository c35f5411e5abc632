"""Random set-ups of any procedure that the rules allow, and columns of values for batches."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import numpy as np
from msgspec import inspect
from numpy.typing import NDArray

from grognard.arrays.batch import WordColumn
from grognard.card.card import Card
from grognard.files.value_path import ValuePath, written
from grognard.rules.fight import Fight
from grognard.rules.procedure import Game
from grognard.study import player_sheet
from grognard.words.refusal import Refusal

BatchColumn = NDArray[np.int64] | WordColumn
MOST_UNITS = 3
MOST_COLUMNS = 12


class RandomSetup(NamedTuple):
    """A random set-up, columns for some of its fields, and the options."""

    stated: dict[str, Any]
    columns: dict[str, BatchColumn]
    options: dict[str, str]


def random_setup(game: Game, procedure: str, random: Random, rows: int) -> RandomSetup:
    """Draw a set-up that the rules allow, under random options, and columns for some fields."""
    stated, options, _ = _allowed(game, procedure, random)
    described = inspect.type_info(game.procedure(procedure).setup)
    places = [*_places(described, stated)]
    if not places:
        return random_setup(game, procedure, random, rows)
    chosen = random.sample(places, min(len(places), random.randint(3, MOST_COLUMNS)))
    columns = {
        written(path): _column(type_, str(path[-1]), game.card, random, rows)
        for path, type_ in chosen
    }
    return RandomSetup(stated, columns, options)


def random_fights(game: Game, procedure: str, random: Random) -> Iterator[Fight]:
    """Draw fights without end, each under random options."""
    while True:
        yield _allowed(game, procedure, random)[2]


def _allowed(
    game: Game, procedure: str, random: Random
) -> tuple[dict[str, Any], dict[str, str], Fight]:
    options = {o.id: random.choice(o.choices).id for o in game.card.options}
    described = inspect.type_info(game.procedure(procedure).setup)
    while True:
        stated = _struct(described, game.card, random)
        try:
            return stated, options, game.fight(stated, procedure=procedure, options=options)
        except Refusal:
            continue


def _column(type_: inspect.Type, name: str, card: Card, random: Random, rows: int) -> BatchColumn:
    pool = [_value(type_, name, card, random) for _ in range(random.randint(4, 12))]
    places = np.array([random.randrange(len(pool)) for _ in range(rows)])
    if isinstance(pool[0], list):
        return WordColumn(tuple("+".join(words) for words in pool), places)
    if isinstance(pool[0], str):
        return WordColumn(tuple(pool), places)
    return np.array(pool, np.int64).take(places)


def _struct(type_: inspect.Type, card: Card, random: Random) -> dict[str, Any]:
    if not isinstance(type_, inspect.StructType):
        raise TypeError(f"a set-up is a struct, not {type_!r}")
    stated = {f.encode_name: _value(f.type, f.encode_name, card, random) for f in type_.fields}
    # Leave out half of the optional fields, so that not all modifiers apply at once.
    kept = {f.encode_name for f in type_.fields if f.required or random.random() < 0.5}
    return {key: value for key, value in stated.items() if key in kept}


def _value(  # noqa: PLR0911  # one for each type
    type_: inspect.Type, name: str, card: Card, random: Random
) -> Any:  # noqa: ANN401  # whatever the type holds
    match type_:
        case inspect.Metadata():
            return _value(type_.type, name, card, random)
        case inspect.IntType():
            least = -2 if type_.ge is None else type_.ge
            return random.randint(least, min(least + 8, type_.le or 99))
        case inspect.BoolType():
            return random.random() < 0.4
        case inspect.LiteralType():
            return random.choice(type_.values)
        case inspect.StrType():
            return (
                f"unit {random.randrange(10**6)}" if name == "name" else _word(name, card, random)
            )
        case inspect.VarTupleType(item_type=inspect.StructType()):
            count = random.randint(1, MOST_UNITS)
            return [_struct(type_.item_type, card, random) for _ in range(count)]
        case inspect.VarTupleType():
            some = {_word(name, card, random) for _ in range(random.randint(1, 2))}
            return sorted(some)
        case inspect.UnionType():
            parts = [part for part in type_.types if not isinstance(part, inspect.NoneType)]
            return _value(parts[0], name, card, random)
    raise TypeError(f"a set-up holds no {type_!r}")


def _word(name: str, card: Card, random: Random) -> str:
    stated = next((fact.values for fact in card.facts if fact.id == name), ())
    over = bool(card.procedures)  # such a card states the hexsides that all attackers cross
    terrain = [row.id for row in card.terrain if over or row.on != "hexside"]
    return random.choice(player_sheet.load(card.id).words.get(name) or stated or terrain)


def _places(
    type_: inspect.Type,
    value: Any,  # noqa: ANN401  # a mapping, a list or a single value
    path: ValuePath = (),
) -> Iterator[tuple[ValuePath, inspect.Type]]:
    """Yield the path and type of every single value."""
    match type_:
        case inspect.StructType():
            for field in type_.fields:
                name = field.encode_name
                if name in value and name != "name":
                    yield from _places(field.type, value[name], (*path, name))
        case inspect.VarTupleType(item_type=inspect.StructType()):
            for place, part in enumerate(value):
                yield from _places(type_.item_type, part, (*path, place))
        case _:
            yield path, type_
