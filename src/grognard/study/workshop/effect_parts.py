"""A result taken apart for the pickers of the page: who, what and how much of each effect."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, get_args

from msgspec.structs import replace

from grognard.card.effects import Does, Effect, Subject, parse_does
from grognard.card.rows import Side
from grognard.study.workshop.card_text import CardData
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

_NOTHING = Effect(kind="nothing")
MOST = 20  # steps, units or hexes
# Words of the picker, and the effect that each stands for; those of the card follow.
WHATS: Mapping[str, tuple[Message, Effect]] = {
    "nothing": (say("nothing happens"), _NOTHING),
    "lose": (say("loses steps"), Effect(kind="lose")),
    "each": (say("each unit loses steps"), Effect(kind="lose", each=True)),
    "units": (say("loses whole units"), Effect(kind="lose", units=True)),
    "half": (say("loses half"), Effect(kind="lose", amount="half")),
    "all": (say("loses everything"), Effect(kind="lose", amount="all")),
    "eliminate": (say("is eliminated"), Effect(kind="eliminate")),
    "retreat": (say("retreats hexes"), Effect(kind="retreat")),
    "exchange": (say("exchange, strength as modified"), Effect(kind="exchange", word="modified")),
    "printed": (say("exchange, printed strength"), Effect(kind="exchange", word="printed")),
    "may": (say("may advance"), Effect(kind="advance", word="may")),
    "must": (say("must advance"), Effect(kind="advance", word="must")),
    "may not": (say("may not advance"), Effect(kind="advance", word="may not")),
}
_COUNTED = ("lose", "each", "units", "retreat")


class EffectParts(NamedTuple):
    """An effect as its pickers show it."""

    side: Subject
    what: str
    amount: int | None  # None: it has no number

    @property
    def has_side(self) -> bool:
        return self.what not in ("nothing", "exchange", "printed") and not self.what.startswith(
            "read:"
        )


def parts(effect: Effect) -> EffectParts:
    """Take an effect apart."""
    what = _what(effect)
    if effect.kind == "check":
        return EffectParts(effect.side, what, effect.added)
    amount = effect.amount if what in _COUNTED and isinstance(effect.amount, int) else None
    return EffectParts(effect.side, what, amount)


def _what(effect: Effect) -> str:
    match effect.kind:
        case "lose" if isinstance(effect.amount, str):
            return effect.amount
        case "lose":
            return "units" if effect.units else "each" if effect.each else "lose"
        case "state" | "check" | "read":
            return f"{effect.kind}:{effect.word}"
        case "exchange":
            return "exchange" if effect.word == "modified" else effect.word
        case "advance":
            return effect.word
    return effect.kind


def read(words: str) -> Does | None:
    """Read what a result does; None where that is missing or not of the vocabulary."""
    try:
        return parse_does(words) if words else None
    except Refusal:
        return None


# ------------------------------------------------------------------ changes


def changed(words: str, way: int, place: int, part: str, value: str, *, own: bool) -> str:
    """Give a meaning with one part of one effect picked anew.

    In a side's own half of a cell nobody is named; elsewhere the defender, unless another is.
    """
    does = read(words) or Does(((_NOTHING,),))
    effects = [[*one] for one in does.ways]
    old = effects[way][place] if own else effects[way][place].of("defender")
    effects[way][place] = _PARTS[part](old, value)
    return _written(effects, does.chooser)


def has_place(words: str, way: int, place: int) -> bool:
    """Tell whether a meaning has an effect at a place."""
    ways = (read(words) or Does(((_NOTHING,),))).ways
    return 0 <= way < len(ways) and 0 <= place < len(ways[way])


def _with_side(effect: Effect, value: str) -> Effect:
    side = next((subject for subject in get_args(Subject) if subject == value), effect.side)
    return replace(effect, side=side)


def _with_what(effect: Effect, value: str) -> Effect:
    kind, _, word = value.partition(":")
    side = effect.side
    match kind:
        case "state":
            return Effect(kind="state", side=side, amount="all", word=word)
        case "check":
            return Effect(kind="check", side=side, word=word)
        case "read":
            return Effect(kind="read", word=word)
    found = WHATS[value][1] if value in WHATS else _NOTHING
    keeps = (
        found.amount == 1 and isinstance(effect.amount, int) and found.kind in ("lose", "retreat")
    )
    amount = effect.amount if keeps else found.amount
    if found.kind in ("nothing", "exchange"):
        return found
    return replace(found, side=side, amount=amount)


def _with_amount(effect: Effect, value: str) -> Effect:
    number = int(value) if value.lstrip("+-").isdecimal() else 1
    if effect.kind == "check":
        return replace(effect, added=max(-MOST, min(MOST, number)))
    return replace(effect, amount=max(1, min(MOST, number)))


_PARTS: Mapping[str, Callable[[Effect, str], Effect]] = {
    "side": _with_side,
    "what": _with_what,
    "amount": _with_amount,
}


def added(words: str, joint: str) -> str:
    """Add an effect: `and` to the last way, `or` as another way."""
    does = read(words) or Does(((_NOTHING,),))
    effects = [[*one] for one in does.ways]
    new = Effect(kind="lose", side=effects[-1][-1].side)
    if joint == "or":
        effects.append([new])
    else:
        effects[-1].append(new)
    return _written(effects, does.chooser)


def removed(words: str, way: int, place: int) -> str:
    """Take an effect away."""
    does = read(words) or Does(((_NOTHING,),))
    effects = [[*one] for one in does.ways]
    del effects[way][place]
    return _written([one for one in effects if one] or [[_NOTHING]], does.chooser)


def chosen_by(words: str, side: str) -> str:
    """Say who chooses between two ways."""
    does = read(words) or Does(((_NOTHING,),))
    chooser: Side | None = None
    if side in ("attacker", "defender"):
        chooser = "attacker" if side == "attacker" else "defender"
    return str(Does(does.ways, chooser))


def _written(effects: list[list[Effect]], chooser: Side | None) -> str:
    ways = tuple(tuple(one) for one in effects)
    return str(Does(ways, chooser if len(ways) > 1 else None))


def with_rows_for(card: CardData, what: str) -> CardData:
    """Give a card the state or check that a picked effect names, if it has none."""
    kind, _, word = what.partition(":")
    if kind == "state" and word not in _ids(card, "states"):
        return {**card, "states": [*card.get("states", []), {"id": word}]}
    if kind == "check" and word not in _ids(card, "checks"):
        check = {"id": word, "dice": "2d6", "against": word, "fails": "is disrupted"}
        card = {**card, "checks": [*card.get("checks", []), check]}
        if word not in _ids(card, "unit_fields"):
            field = {"id": word, "least": 2, "most": 12, "default": 7}
            card = {**card, "unit_fields": [*card.get("unit_fields", []), field]}
        return with_rows_for(card, "state:disrupted")
    return card


def _ids(card: CardData, part: str) -> list[str]:
    return [row["id"] for row in card.get(part, ()) if isinstance(row, dict) and "id" in row]
