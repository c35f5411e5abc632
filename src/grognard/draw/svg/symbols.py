"""Symbols (own drawings in the manner of NATO's), sizes, states and factors of counters.

A symbol's box is 24 by 15, its middle at the origin.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from grognard.card.rows import Value
from grognard.draw.svg.terrain import INK
from grognard.maps.board import Piece
from grognard.words.text import Lang, Text


class Symbol(NamedTuple):
    """The name of a kind of unit, and its symbol in a box from -12 -7.5 to 12 7.5."""

    name: Text
    drawing: str
    framed: bool = True


_CROSS = '<path d="M-12-7.5L12 7.5M-12 7.5L12-7.5"/>'
_SLASH = '<path d="M-12 7.5L12-7.5"/>'
_OVAL = '<rect x="-8.5" y="-4" width="17" height="8" rx="4"/>'
_WHEELS = (
    '<g fill="#fffdf6"><circle cx="-6" cy="8.8" r="1.3"/><circle cx="6" cy="8.8" r="1.3"/></g>'
)
_SOLID = f'fill="{INK}" stroke="none"'
_RIMS = '<g fill="#fffdf6"><circle cx="-6" cy="4.5" r="2"/><circle cx="6" cy="4.5" r="2"/></g>'
_TRACKS = '<rect x="-9" y="2" width="18" height="4.5" rx="2.2" fill="#fffdf6"/>'

SYMBOLS = {
    "infantry": Symbol(Text("infantry", "infanterie"), _CROSS),
    "motorised": Symbol(Text("motorised infantry", "infanterie motorisée"), _CROSS + _WHEELS),
    "mechanised": Symbol(Text("mechanised infantry", "infanterie mécanisée"), _CROSS + _OVAL),
    "armour": Symbol(Text("armour", "blindés"), _OVAL),
    "cavalry": Symbol(Text("cavalry", "cavalerie"), _SLASH),
    "engineers": Symbol(Text("engineers", "génie"), '<path d="M-7 4.5V-3.5H7V4.5M0-3.5V4.5"/>'),
    "artillery": Symbol(Text("artillery", "artillerie"), f'<circle r="3.4" {_SOLID}/>'),
    "anti-tank": Symbol(Text("anti-tank", "antichar"), '<path d="M-12 7.5L0-7.5L12 7.5"/>'),
    "anti-aircraft": Symbol(
        Text("anti-aircraft", "antiaérien"), '<path d="M-8.5 7.5C-8.5-6 8.5-6 8.5 7.5"/>'
    ),
    "mortar": Symbol(
        Text("mortar", "mortier"),
        '<circle cy="4" r="2.2"/><path d="M0 1.8V-5.5M-2.6-2.8L0-5.5L2.6-2.8"/>',
    ),
    "machine-guns": Symbol(
        Text("machine guns", "mitrailleuses"),
        '<path d="M0 5.5V-5M-3-2L0-5.5L3-2M-4 5.5H4M-2.2 2.5H2.2"/>',
    ),
    "hq": Symbol(
        Text("headquarters", "quartier général"),
        f'<rect x="-12" y="-7.5" width="24" height="4.5" {_SOLID}/><path d="M-12 7.5V10.5"/>'
        '<path d="M-5.5-.5V5.5M-1.5-.5V5.5M-5.5 2.5H-1.5M6.5 5.8L4.5 3.8" '
        'stroke-width="1.3"/><ellipse cx="4" cy="2.5" rx="2.3" ry="3" stroke-width="1.3"/>',
    ),
    "cl": Symbol(
        Text("supply column", "colonne logistique"),
        '<path d="M-12 4H12"/><path d="M-4-1H4M0-5V1.5" stroke-width="1.6"/>',
    ),
}
_UNFRAMED = {
    "tank": (
        Text("tank", "char"),
        f'<path d="M-10 2L-5-5.5H6L10.5-1.5L6 5.5H-7Z"/><path d="M-2-2H3V2H-2ZM3 0H8" {_SOLID}/>'
        '<path d="M3 0H8.5"/>',
    ),
    "afv-closed": (
        Text("closed-top AFV", "blindé à toit fermé"),
        _TRACKS + f'<path d="M-8 2L-6-.5H-4V-4.5H3L4.5-.5H7L9 2Z" {_SOLID}/>'
        '<path d="M3.5-3H11.5" stroke-width="1.5"/>',
    ),
    "afv-open": (
        Text("open-top AFV", "blindé à toit ouvert"),
        _TRACKS + f'<path d="M-8 2L-8-4.5L-6.5-.5H3L4-4L5-.5H7L9 2Z" {_SOLID}/>'
        '<path d="M2-2.8H11.5" stroke-width="1.5"/>',
    ),
    "armoured-car": (
        Text("armoured car", "automitrailleuse"),
        f'<path d="M-9.5 4V0L-5-2H-3V-5.5H3V-2H6L9.5 0V4Z" {_SOLID}/><path d="M3-4H8"/>' + _RIMS,
    ),
    "armoured-train": (
        Text("armoured train", "train blindé"),
        f'<path d="M-11 3.5V-2H-8V-5H-4V-2H-1.5V3.5ZM-.5 3.5V-2H2V-5.5H5V-2H8L11 3.5Z" {_SOLID}/>'
        '<path d="M-12 6H12" stroke-dasharray="1.5 1.5" stroke-width="2"/><path d="M-12 5H12"/>',
    ),
    "truck": (
        Text("truck", "camion"),
        '<path d="M-10 3.5V-4.5H2V3.5Z" fill="#fffdf6"/>'
        f'<path d="M2.8 3.5V-2.5H6L9.5.5V3.5Z" {_SOLID}/>' + _RIMS,
    ),
    "wagon": (
        Text("wagon", "chariot"),
        '<path d="M-8 2V-2C-8-7 6-7 6-2V2ZM6 1L12-1"/><g fill="#fffdf6"><circle cx="-4.5" cy="3.5" '
        'r="2.8"/><circle cx="3.5" cy="3.5" r="2.8"/></g>',
    ),
    "sledge": (
        Text("sledge", "traîneau"),
        '<path d="M-10 5.5H7C11 5.5 11-.5 7.5-.5M-7 5.5V1H5V5.5M-7 1L-9-4.5"/>',
    ),
    "leader": (
        Text("leader", "chef"),
        f'<path d="M0-7L2-2.1L7.2-1.7L3.2 1.7L4.5 6.8L0 4L-4.5 6.8L-3.2 1.7L-7.2-1.7'
        f'L-2-2.1Z" {_SOLID}/>',
    ),
    "aircraft": (
        Text("aircraft", "avion"),
        f'<path d="M0-7L1.5-3.5L11 .5V2.5L1.5 1.2L1 4.5L3.8 6.5H-3.8L-1 4.5L-1.5 1.2'
        f'L-11 2.5V.5L-1.5-3.5Z" {_SOLID}/>',
    ),
    "fleet": (
        Text("warship", "navire de guerre"),
        f'<path d="M-11.5 1H11.5L9 5.5H-9ZM-5 .5V-2.5H-2V-6H0V-2.5H4V.5ZM5 .5V-1.5H7.5V.5Z" '
        f'{_SOLID}/><path d="M7-1H11.5M-6-1H-10.5"/>',
    ),
}
SYMBOLS |= {kind: Symbol(*drawn, framed=False) for kind, drawn in _UNFRAMED.items()}
UNKNOWN = Symbol(Text("other unit", "autre unité"), '<path d="M-3 0H3M0-3V3"/>')

_SAME = {
    "flak": "anti-aircraft",
    "other": "machine-guns",
    "armor": "armour",
    "motorized": "motorised",
    "mechanized": "mechanised",
    "engineer": "engineers",
    "supply": "cl",
    "air": "aircraft",
    "ship": "fleet",
}


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


def definition(kind: str) -> str:
    """Define a kind's symbol, to be used by `symbol-` and its name."""
    return drawing(kind, f'id="symbol-{known(kind)}" ')


# ------------------------------------------------------------------ words

SIZES = {
    "section": ("••", Text("section", "groupe")),
    "platoon": ("•••", Text("platoon", "section")),
    "company": ("I", Text("company", "compagnie")),
    "squadron": ("II", Text("squadron", "escadron")),
    "battalion": ("II", Text("battalion", "bataillon")),
    "regiment": ("III", Text("regiment", "régiment")),
    "brigade": ("X", Text("brigade", "brigade")),
    "division": ("XX", Text("division", "division")),
    "corps": ("XXX", Text("corps", "corps")),
    "army": ("XXXX", Text("army", "armée")),
}


def size(piece: Piece) -> tuple[str, Text] | None:
    """Give the mark of a unit's size and its name: `army-hq` is as large as an army."""
    for word in piece.size.split("-"):
        if word in SIZES:
            return SIZES[word]
    return None


class StateMark(NamedTuple):
    """A state that a counter shows, with its letter in each language."""

    letter: Text
    name: Text


# The worst first. What lasts only through a phase is a dot.
STATES = {
    "demoralised": StateMark(Text("M", "M"), Text("demoralised", "démoralisée")),
    "routed": StateMark(Text("R", "R"), Text("routed", "en déroute")),
    "disorganised": StateMark(Text("D", "D"), Text("disorganised", "désorganisée")),
    "disrupted": StateMark(Text("D", "D"), Text("disrupted", "désorganisée")),
    "isolated": StateMark(Text("I", "I"), Text("isolated", "isolée")),
    "unsupplied": StateMark(Text("U", "N"), Text("unsupplied", "non ravitaillée")),
    "overstacked": StateMark(Text("O", "O"), Text("over-stacked", "en sur-empilement")),
    "cut-off": StateMark(Text("C", "C"), Text("cut off", "coupée")),
    "out_of_ammunition": StateMark(
        Text("A", "A"), Text("out of ammunition", "à court de munitions")
    ),
    "strategic": StateMark(Text("S", "S"), Text("strategic movement", "mouvement stratégique")),
    "reserve": StateMark(Text("V", "V"), Text("in reserve", "en réserve")),
    "landed": StateMark(Text("L", "B"), Text("landed this turn", "débarquée ce tour")),
    "crossing": StateMark(Text("X", "X"), Text("crossing", "en franchissement")),
    "dug-in": StateMark(Text("E", "E"), Text("dug in", "enterrée")),
    "digging": StateMark(Text("e", "e"), Text("digging in", "s'enterre")),
}
BRIEF = (
    *("moved", "attacked", "supported", "defended", "retreated", "strafed", "acted", "moving"),
    *("moved-before", "led", "fired"),
)
ACTED = Text("has moved or acted", "a bougé ou agi")
REDUCED = Text("reduced", "réduite")

# What a face may show: in the line below, attack first; to the left; to the right of the symbol
LINE = {
    "attack": Text("attack", "attaque"),
    "defence": Text("defence", "défense"),
    "strength": Text("strength", "force"),
    "fire": Text("fire", "feu"),
    "support": Text("support", "soutien"),
}
LEFT = {
    "quality": Text("quality", "qualité"),
    "anti_tank": Text("anti-tank fire", "tir antichar"),
    "at_range": Text("its range", "sa portée"),
}
RIGHT = {
    "armour": Text("armour", "blindage"),
    "morale": Text("morale", "moral"),
    "bonus": Text("bonus", "bonus"),
    "range": Text("(range)", "(portée)"),
}
RANGE = Text("range", "portée")
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


_COLON = Text(": ", " : ")


def described(piece: Piece, lang: Lang) -> str:
    """Describe a counter in words."""
    names = {**LINE, **LEFT, **RIGHT, "range": RANGE}
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
    return f"{piece.name}{_COLON.in_(lang)}{', '.join(words)}"
