"""Symbols (own drawings in the manner of NATO's), sizes, states and factors of counters.

A symbol's box is 24 by 15, its middle at the origin.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from grognard.card.rows import Value
from grognard.draw.svg.terrain import INK
from grognard.files import toml_file
from grognard.maps.board import FACE_DOWN, Piece
from grognard.words.text import Lang, Text, colon
from grognard.words.typography import with_minus


class Symbol(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a kind of unit, its symbol in a box from -12 -7.5 to 12 7.5, and other kinds that
    have the same symbol."""

    name: Text
    drawing: str
    framed: bool = True
    also: tuple[str, ...] = ()


class StateMark(Struct, frozen=True, forbid_unknown_fields=True):
    """A state that a counter shows, with its letter in each language."""

    letter: Text
    name: Text


class _Signs(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that counters show, as in `symbols.toml`."""

    symbols: dict[str, Symbol]
    unknown: Symbol
    sizes: dict[str, tuple[str, Text]]  # the mark of a size and its name
    states: dict[str, StateMark]  # the worst first
    # The factors of a face: in the line below, to the left, to the right of the symbol.
    line: dict[str, Text]
    left: dict[str, Text]
    right: dict[str, Text]


_FILE = Path(__file__).with_suffix(".toml")
_SIGNS = toml_file.read(_FILE.read_text(encoding="utf-8"), _Signs, _FILE.name)
SYMBOLS, UNKNOWN = _SIGNS.symbols, _SIGNS.unknown
SIZES, STATES = _SIGNS.sizes, _SIGNS.states
LINE, LEFT, RIGHT = _SIGNS.line, _SIGNS.left, _SIGNS.right
_SAME = {kind: name for name, made in SYMBOLS.items() for kind in made.also}


def known(kind: str) -> str:
    """Give the name of a kind's symbol."""
    name = _SAME.get(kind, kind)
    return name if name in SYMBOLS else "unknown"


def symbol(kind: str) -> Symbol:
    """Find the symbol of a kind of unit."""
    return SYMBOLS.get(known(kind), UNKNOWN)


def drawing(kind: str, how: str = "") -> str:
    """Draw a kind's symbol with its box; more attributes of the group may be given."""
    made = symbol(kind)
    frame = ' stroke-width="1.1"' if made.framed else ' stroke="none"'
    return (
        f'<g {how}fill="none" stroke="{INK}" stroke-width="1.2" '
        f'stroke-linejoin="round"><rect x="-12" y="-7.5" width="24" height="15" '
        f'fill="#fffdf6"{frame}/>{made.drawing}</g>'
    )


def use(kind: str) -> str:
    """Use a kind's symbol, which the picture defines under the id `symbol-` and its name."""
    return f'<use href="#symbol-{known(kind)}"/>'


# ------------------------------------------------------------------ words


def size(piece: Piece) -> tuple[str, Text] | None:
    """Give the mark of a unit's size and its name: `army-hq` is as large as an army."""
    for word in piece.size.split("-"):
        if word in SIZES:
            return SIZES[word]
    return None


# States that last only through a phase or turn; they are a dot.
BRIEF = (
    *("moved", "attacked", "supported", "defended", "retreated", "strafed", "acted", "moving"),
    *("moved-before", "led", "fired"),
)
HIDDEN = Text("hidden counter", "pion caché")
ACTED = Text("has moved or acted", "a bougé ou agi")
REDUCED = Text("reduced", "réduite")
RANGE = Text("range", "portée")
STEPS = Text("steps", "pas")
COUNT = Text("number", "nombre")
MOVE = Text("movement", "mouvement")
_FORMS = {"bonus": "{:+}", "range": "({})"}


def _is_number(value: Value | None) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def brief(state: str) -> bool:
    """Tell whether a state ends with the phase or turn (also `shot-0704-23`)."""
    return state in BRIEF or state.startswith("shot-")


def states(piece: Piece) -> list[str]:
    """Give the states that a counter's corner shows, the worst first, unknown ones last."""
    order = list(STATES)
    shown = [state for state in piece.states if not brief(state)]
    return sorted(shown, key=lambda s: (order.index(s) if s in order else len(order), s))


def letter(state: str, lang: Lang) -> str:
    """Give the letter by which a counter shows a state."""
    known_ = STATES.get(state)
    return known_.letter.in_(lang) if known_ else state[:1].upper()


def state_name(state: str, lang: Lang) -> str:
    """Name a state."""
    known_ = STATES.get(state)
    return known_.name.in_(lang) if known_ else state.replace("-", " ").replace("_", " ")


def factors(piece: Piece) -> str:
    """Give the line of factors: attack-defence-movement, fire(range)-movement, or those printed."""
    face = piece.face
    parts = []
    for key in line_keys(face):
        reach = f"({face['range']})" if key == ranged(face) else ""
        parts.append(f"{face[key]}{reach}")
    if piece.move:
        parts.append(f"{piece.move}")
    return "-".join(parts)


def ranged(face: Mapping[str, Value]) -> str | None:
    """Name the factor that the range follows; without one the range stands at the right."""
    keys = ("fire", "support") if _is_number(face.get("range")) else ()
    return next((key for key in keys if _is_number(face.get(key))), None)


def line_names(piece: Piece, lang: Lang) -> str:
    """Give the meaning of the numbers in a counter's line."""
    face = piece.faces[0]
    words = []
    for key in line_keys(face):
        name = LINE[key].in_(lang) if key in LINE else key.replace("_", " ")
        words.append(f"{name}({RANGE.in_(lang)})" if key == ranged(face) else name)
    return "-".join([*words, *([MOVE.in_(lang)] if piece.move else [])])


def beside_keys(face: Mapping[str, Value]) -> list[str]:
    """Give the factors that stand beside a symbol."""
    return [
        key
        for key in (*LEFT, *RIGHT)
        if _is_number(face.get(key)) and not (key == "range" and ranged(face))
    ]


def line_keys(face: Mapping[str, Value]) -> list[str]:
    """Give the factors of a face that stand in its line: the usual ones, then any others."""
    numbers = [key for key, value in face.items() if _is_number(value)]
    other = [key for key in numbers if key not in {*LINE, *LEFT, *RIGHT}]
    return [key for key in LINE if key in numbers] + sorted(other)


def beside(face: Mapping[str, Value], keys: Iterable[str]) -> list[str]:
    """Write those of some factors that stand beside a symbol."""
    return [
        _FORMS.get(key, "{}").format(face[key]).replace("-", "−")
        for key in beside_keys(face)
        if key in keys
    ]


def stack_sum(stack: Iterable[Piece]) -> str:
    """Add up the factors of a stack: attack-defence, or strength, or fire."""
    pieces = list(stack)
    for keys in (("attack", "defence"), ("strength",), ("fire",)):
        sums = [sum(piece.number(key) for piece in pieces) for key in keys]
        if any(sums):
            return "-".join(map(str, sums))
    return ""


def described(piece: Piece, lang: Lang) -> str:
    """Describe a counter in words."""
    if piece.kind == FACE_DOWN:
        return HIDDEN.in_(lang)
    names = {**LINE, **LEFT, **RIGHT, "range": RANGE, "steps": STEPS, "count": COUNT}
    size_ = size(piece)
    words = [
        symbol(piece.kind).name.in_(lang),
        *([size_[1].in_(lang)] if size_ else []),
        *([piece.formation] if piece.formation else []),
        *(
            f"{names[key].in_(lang) if key in names else key.replace('_', ' ')} {value}"
            for key, value in piece.face.items()
            if _is_number(value)
        ),
        *([f"{MOVE.in_(lang)} {piece.move}"] if piece.move else []),
        *(state_name(state, lang) for state in states(piece)),
    ]
    return f"{piece.name}{colon(lang)}{with_minus(', '.join(words))}"
