"""Random fights of any procedure: a form, and columns of values for some of its fields."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import numpy as np
from msgspec import inspect
from numpy.typing import NDArray

from grognard import Refusal
from grognard.batch import Words
from grognard.card.card import Card
from grognard.files.toml_file import ValuePath, written
from grognard.rules.procedure import Game

Column = NDArray[np.int64] | Words
MOST_UNITS = 3
MOST_COLUMNS = 12


class Drawn(NamedTuple):
    """A form, columns for some of its fields, and the options."""

    stated: dict[str, Any]
    columns: dict[str, Column]
    options: dict[str, str]


def drawn(game: Game, procedure: str, random: Random, rows: int) -> Drawn:
    """Draw a fight that the rules allow, under random options, and columns for some fields."""
    options = {o.id: random.choice(o.choices).id for o in game.card.options}
    described = inspect.type_info(game.procedure(procedure).setup)
    while True:
        stated = _struct(described, game.card, random)
        try:
            game.fight(stated, procedure=procedure, options=options)
        except Refusal:
            continue
        break
    places = [*_places(described, stated)]
    if not places:
        return drawn(game, procedure, random, rows)
    chosen = random.sample(places, min(len(places), random.randint(3, MOST_COLUMNS)))
    columns = {
        written(path): _column(type_, str(path[-1]), game.card, random, rows)
        for path, type_ in chosen
    }
    return Drawn(stated, columns, options)


def _column(type_: inspect.Type, name: str, card: Card, random: Random, rows: int) -> Column:
    pool = [_value(type_, name, card, random) for _ in range(random.randint(4, 12))]
    places = np.array([random.randrange(len(pool)) for _ in range(rows)])
    if isinstance(pool[0], list):
        return Words(tuple("+".join(words) for words in pool), places)
    if isinstance(pool[0], str):
        return Words(tuple(pool), places)
    return np.array(pool, np.int64).take(places)


def _struct(type_: inspect.Type, card: Card, random: Random) -> dict[str, Any]:
    assert isinstance(type_, inspect.StructType)
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
    raise NotImplementedError(type_)


def _word(name: str, card: Card, random: Random) -> str:
    known = [*card.fact(name).values] or [row.id for row in card.terrain if row.on != "hexside"]
    return random.choice(known)


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
