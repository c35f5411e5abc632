"""The vocabulary of results: what a code of a table does, in words of a fixed grammar.

`defender retreats 2 or loses 1 step` has two ways between which the defender chooses; each way is a
chain of effects with `and` between them. An effect without a subject takes that of the one before.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grognard.card.rows import Side
from grognard.words.message import say
from grognard.words.refusal import Refusal, near

Subject = Literal["attacker", "defender", "both", "unit", ""]
Amount = int | Literal["half", "all"]
Kind = Literal[
    "nothing", "lose", "eliminate", "retreat", "exchange", "state", "advance", "check", "read"
]


class Effect(Struct, frozen=True, cache_hash=True, gc=False, kw_only=True):
    """One thing that a result does, to whom, and how much of it."""

    kind: Kind
    side: Subject = ""  # "": the side whose half of the cell it is, or nobody's
    amount: Amount = 1  # steps, units or hexes
    units: bool = False  # whole units instead of steps; some units instead of all
    each: bool = False  # every unit for itself loses so much
    down: bool = False  # half is rounded down
    picks: Side | None = None  # who picks the units; None: their owner
    word: str = ""  # the state, check or table; may, must, may not; printed, modified
    times: int = 1  # of an exchange
    added: int = 0  # to the roll of a check

    def __str__(self) -> str:
        return _WRITTEN[self.kind](self)

    def of(self, side: Subject) -> "Effect":
        """Give the effect with a subject, if it has none of its own."""
        return self if self.side else replace(self, side=side)


Way = tuple[Effect, ...]


class Does(Struct, frozen=True, gc=False):
    """Everything that a result does: one way, or several and who chooses among them."""

    ways: tuple[Way, ...]
    chooser: Side | None = None

    def __str__(self) -> str:
        words = " or ".join(" and ".join(map(str, way)) for way in self.ways)
        return f"{words}, {self.chooser} chooses" if self.chooser else words

    def of(self, side: Subject) -> "Does":
        """Give the same for a side, where no subject is named."""
        ways = tuple(tuple(effect.of(side) for effect in way) for way in self.ways)
        return Does(ways, self.chooser)

    def decider(self) -> Side:
        """Say who chooses: as stated, or the side that the first way is about."""
        if self.chooser:
            return self.chooser
        return "attacker" if self.ways[0][0].side == "attacker" else "defender"

    def effects(self) -> tuple[Effect, ...]:
        """Give the effects of all ways."""
        return tuple(effect for way in self.ways for effect in way)


# ------------------------------------------------------------------ reading

_WHO = r"(?:(?P<side>attacker|defender|both|unit) )?"
_MANY = r"(?P<amount>\d{1,2}|an?|one|half|all)"
_STEPS = rf"{_MANY}(?: (?P<unit>steps?|hits?|units?))?(?P<down>, rounded down)?"
_PICKS = r"(?:, (?P<picks>attacker|defender) picks)?"
_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("nothing", r"nothing|no effect"),
    ("lose", rf"{_WHO}loses? {_STEPS}{_PICKS}"),
    ("lose", rf"(?P<each>each) (?:(?P<side>attacker|defender) )?unit loses {_STEPS}"),
    ("eliminate", rf"{_WHO}(?:is|are) eliminated"),
    ("retreat", rf"{_WHO}retreats? (?P<amount>\d{{1,2}}|an?|one)(?: hex(?:es)?)?"),
    (
        "exchange",
        r"(?:(?P<side>attacker|defender)'s )?exchange(?:, (?P<word>printed|modified) strength)?"
        r"(?:, (?P<times>once|twice|three times))?",
    ),
    ("advance", rf"{_WHO}(?P<word>may not|may|must) advance"),
    ("check", rf"{_WHO}checks? (?P<word>[a-z][a-z0-9_-]*)(?: (?P<added>[+-]\d{{1,2}}))?"),
    ("read", r"reads? table (?P<word>[a-z][a-z0-9_-]*)"),
    (
        "state",
        r"(?P<amount>\d{1,2}|one|an?) (?P<side>attacker|defender) (?P<unit>units?) "
        rf"(?:is|are) (?P<word>[a-z][a-z0-9_-]*){_PICKS}",
    ),
    ("state", rf"{_WHO}(?:is|are) (?P<word>[a-z][a-z0-9_-]*)"),
)
_COMPILED = tuple((kind, re.compile(pattern)) for kind, pattern in _PATTERNS)
_TIMES = {"twice": 2, "three times": 3}

# What tables also print, in the words of the vocabulary.
_OTHER_WORDS = tuple(
    (re.compile(pattern), word)
    for pattern, word in (
        (r"\b(?:the|all) (?=(?:attacker|defender)s?\b)", ""),
        (r"\b(attacker|defender)s (are|is)\b", r"\1 is"),
        (r"\b(attacker|defender)s lose\b", r"\1 loses"),
        (r"\b(attacker|defender)s retreat\b", r"\1 retreats"),
        (r"\b(attacker|defender)s? eliminated\b", r"\1 is eliminated"),
        (r"\bboth sides\b", "both"),
        (r"\.$", ""),
    )
)

# One example of every form; docs/cards.md explains them, and a test reads them all.
VOCABULARY = (
    "nothing",
    "defender loses 2 steps",
    "both lose 1 step",
    "attacker loses half",
    "attacker loses half, rounded down",
    "each defender unit loses 1 step",
    "defender loses all",
    "defender loses 1 unit",
    "defender loses 1 unit, attacker picks",
    "defender is eliminated",
    "defender retreats 2",
    "both retreat 1",
    "defender retreats 1 and loses 1 step",
    "defender retreats 2 or loses 1 step",
    "attacker retreats 1 or loses 1 step, defender chooses",
    "exchange",
    "exchange, printed strength",
    "exchange, modified strength, twice",
    "attacker's exchange",
    "defender's exchange, three times",
    "defender is disrupted",
    "2 defender units are disrupted, attacker picks",
    "attacker may advance",
    "attacker must advance",
    "attacker may not advance",
    "defender checks morale",
    "defender checks morale +1",
    "read table rout",
    "unit is disrupted and loses 1 step",
)


@lru_cache(maxsize=4096)
def parse_does(words: str) -> Does:
    """Read what a result does; refuse other words with the nearest entry of the vocabulary."""
    plain = words
    for pattern, word in _OTHER_WORDS:
        plain = pattern.sub(word, plain)
    chooser = re.search(r", (attacker|defender) chooses$", plain)
    rest = plain[: chooser.start()] if chooser else plain
    side: Subject = ""
    ways: list[Way] = []
    for part in rest.split(" or "):
        way: list[Effect] = []
        for piece in re.split(r" and (?:then )?| then ", part):
            effect = _parsed(piece.strip(), words)
            if not effect.side and effect.kind not in ("nothing", "exchange", "read"):
                effect = replace(effect, side=side)
            side = effect.side or side
            way.append(effect)
        ways.append(tuple(way))
    by: Side | None = None
    if chooser:
        by = "attacker" if chooser[1] == "attacker" else "defender"
    return Does(tuple(ways), by)


def _parsed(piece: str, words: str) -> Effect:
    for kind, pattern in _COMPILED:
        if match := pattern.fullmatch(piece):
            return _effect(kind, match.groupdict())
    problem = say(
        "'{piece}' in '{words}' is not something that a result can do; {near}",
        piece=piece,
        words=words,
        near=near(piece, VOCABULARY),
    )
    raise Refusal(problem)


def _effect(kind: Kind, found: dict[str, str | None]) -> Effect:
    amount = found.get("amount") or ("all" if kind == "state" else "1")
    by, side = found.get("picks"), found.get("side")
    picks: Side | None = None
    if by:
        picks = "attacker" if by == "attacker" else "defender"
    return Effect(
        kind=kind,
        side=_SUBJECTS[side or ""],
        amount=_amount(amount),
        units=(found.get("unit") or "").startswith("unit"),
        each=bool(found.get("each")),
        down=bool(found.get("down")),
        picks=picks,
        word=found.get("word") or ("modified" if kind == "exchange" else ""),
        times=_TIMES.get(found.get("times") or "", 1),
        added=int(found.get("added") or 0),
    )


def _amount(word: str) -> Amount:
    if word == "half":
        return "half"
    if word == "all":
        return "all"
    return int(word) if word.isdecimal() else 1


_SUBJECTS: dict[str, Subject] = {
    "": "",
    "attacker": "attacker",
    "defender": "defender",
    "both": "both",
    "unit": "unit",
}

# ------------------------------------------------------------------ writing


def _lose(effect: Effect) -> str:
    what = "unit" if effect.units else "step"
    plural = "s" if effect.amount != 1 else ""
    who = f"each {effect.side} unit loses".replace("  ", " ") if effect.each else ""
    down = ", rounded down" if effect.down else ""
    lost = f"{who or _verb(effect, 'lose')} {effect.amount} {what}{plural}"
    return f"{lost}{down}{_picked(effect)}"


def _state(effect: Effect) -> str:
    if effect.amount == "all":
        return f"{_verb(effect, 'is')} {effect.word}"
    units, verb = ("units", "are") if effect.amount != 1 else ("unit", "is")
    return f"{effect.amount} {effect.side} {units} {verb} {effect.word}{_picked(effect)}"


def _exchange(effect: Effect) -> str:
    whose = f"{effect.side}'s " if effect.side else ""
    times = {2: ", twice", 3: ", three times"}.get(effect.times, "")
    return f"{whose}exchange, {effect.word} strength{times}"


def _check(effect: Effect) -> str:
    added = f" {effect.added:+d}" if effect.added else ""
    return f"{_verb(effect, 'check')} {effect.word}{added}"


def _verb(effect: Effect, verb: str) -> str:
    if verb == "is":
        return f"{effect.side} {'are' if effect.side == 'both' else 'is'}".strip()
    return f"{effect.side} {verb}{'' if effect.side == 'both' else 's'}".strip()


def _picked(effect: Effect) -> str:
    return f", {effect.picks} picks" if effect.picks else ""


_WRITTEN: dict[Kind, Callable[[Effect], str]] = {
    "nothing": lambda _: "nothing",
    "lose": _lose,
    "eliminate": lambda effect: f"{_verb(effect, 'is')} eliminated",
    "retreat": lambda effect: f"{_verb(effect, 'retreat')} {effect.amount}",
    "exchange": _exchange,
    "state": _state,
    "advance": lambda effect: f"{effect.side} {effect.word} advance".strip(),
    "check": _check,
    "read": lambda effect: f"read table {effect.word}",
}
