"""Where the table will be read: the column and the die modifier, and their chances.

Secret commitments and rolls that come before the table may still move the column. The odds assume
what the doctrines make of them; what is lit on the table assumes that nothing more moves it.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.rows import Side
from grognard.fights.chances import Odds
from grognard.fights.odds import averaged
from grognard.fights.opening import Told
from grognard.fights.play import Given, Play
from grognard.fights.prospects import Prospects, prospects
from grognard.rules.ask import Answer, Ask, Commit, Roll, first_answer
from grognard.rules.line import Line
from grognard.rules.wording import question
from grognard.words.text import LANGS, Text, semicolon

_DEEPEST = 3  # rolls before the table is read; where there are more, the places are not told apart


class TablePlace(NamedTuple):
    """A place on the table: the column of each target, and the die modifier."""

    columns: tuple[tuple[str, str], ...]  # the target, or "" for all of them, and its column
    die: int | None  # None where no modifier of the die is told

    @property
    def column(self) -> str | None:
        """The column of the first target; it is told last."""
        return self.columns[-1][1] if self.columns else None


class TablePlaces(NamedTuple):
    """The place that is lit, and those that the odds assume, with their chances."""

    lit: TablePlace
    chances: tuple[tuple[TablePlace, Fraction], ...]

    @property
    def open(self) -> bool:
        """Tell whether the odds assume another place than the lit one."""
        return self.chances != ((self.lit, Fraction(1)),)


def table_places(play: Play, attacker: str = "best", defender: str = "best") -> TablePlaces | None:
    """Find the places where the table may be read; None once it has been, or if no die is rolled.

    Each side commits and chooses by its doctrine.
    """
    if play.fight.result or play.asking is None:
        return None
    lit = place_of_next_roll(play)
    walk = _Walk(attacker, defender).by_doctrine(play)
    return TablePlaces(lit, tuple(_summed((place, p) for place, p, _ in walk).items()))


def odds_as_it_stands(
    play: Play, lit: TablePlace, attacker: str = "best", defender: str = "best"
) -> Odds | None:
    """Work out the odds if nothing more moves the column; None where something must."""
    walk = _Walk(attacker, defender).as_it_stands(play)
    parts = [(p, at) for place, p, at in walk if place == lit]
    whole = sum(p for p, _ in parts)
    odds = [(p / whole, prospects(at, attacker, defender).odds) for p, at in parts]
    return averaged(odds) if odds else None


def places_behind(play: Play, ahead: Prospects, side: Side, answer: Answer) -> TablePlaces:
    """Find where the table may be read after an answer of a side; lit is the place where the other
    side commits nothing. All else is decided by the doctrines of the prospects."""
    both, nothing = _with_the_other(play, ahead, side, answer)
    walk = _Walk(*(way.id for way in ahead.odds.doctrines))
    found = (
        (place, p * q) for whole, p in both for place, q, _ in walk.by_doctrine(_again(play, whole))
    )
    return TablePlaces(place_of_next_roll(_again(play, nothing)), tuple(_summed(found).items()))


def _with_the_other(
    play: Play, ahead: Prospects, side: Side, answer: Answer
) -> tuple[list[tuple[Answer, Fraction]], Answer]:
    """Give the answers of both sides in which one gives this answer, with their chances; and that
    in which the other side commits nothing."""
    match play.asking, side:
        case Commit(defender=theirs), "attacker":
            shares = _shares(theirs, ahead, "defender")
            return [((answer, his), p) for his, p in shares], (answer, theirs[0])
        case Commit(attacker=ours), _:
            shares = _shares(ours, ahead, "attacker")
            return [((mine, answer), p) for mine, p in shares], (ours[0], answer)
    return [(answer, Fraction(1))], answer


def mixed_places(parts: Sequence[tuple[Fraction, TablePlaces | None]]) -> TablePlaces | None:
    """Mix the places of several fights with the chances of each; the likeliest place is lit."""
    chances = _summed(
        (place, p * q) for p, places in parts if places for place, q in places.chances
    )
    return TablePlaces(next(iter(chances)), tuple(chances.items())) if chances else None


def _summed(found: Iterator[tuple[TablePlace, Fraction]]) -> dict[TablePlace, Fraction]:
    chances: dict[TablePlace, Fraction] = {}
    for place, chance in found:
        chances[place] = chances.get(place, Fraction(0)) + chance
    return dict(sorted(chances.items(), key=lambda item: -item[1]))


def place_of_next_roll(play: Play) -> TablePlace:
    """Give the place if nothing is committed; a roll before that of the table has no modifier."""
    play = _again(play)
    while play.asking is not None and not isinstance(play.asking, Roll):
        play.answer(first_answer(play.asking))
    place = place_of(play)
    return place if play.asking is None or _decides(play) else place._replace(die=None)


def open_asks(play: Play) -> tuple[Ask, ...]:
    """Give the commitments, choices and rolls that come before the roll of the table."""
    play, asks = _again(play), list[Ask]()
    while play.asking is not None and not play.fight.result and not _decides(play):
        ask = play.asking
        asks.append(ask)
        play.answer(ask.dice.middling() if isinstance(ask, Roll) else first_answer(ask))
    return tuple(asks)


def told_so_far(play: Play, lines: Iterable[Line]) -> tuple[Line, ...]:
    """Call no column final while something before the roll of the table is open, and name it."""
    asks, card = open_asks(play), play.start.case.card
    return tuple(_so_far(line, asks, card) for line in lines)


def log_so_far(play: Play) -> tuple[Told | Given, ...]:
    """Give the log of a play, in which no column is called final that was moved later; what was
    asked in between is named."""
    found, asks = list[Told | Given](), dict[str, list[Ask]]()
    for entry in reversed(play.log):
        if isinstance(entry, Given):
            for open_ in asks.values():
                open_.insert(0, entry.ask)
        elif entry.line.id == "final-column":
            line = _so_far(entry.line, asks.get(entry.line.unit, ()), play.start.case.card)
            asks[entry.line.unit] = []
            found.append(replace(entry, line=line))
            continue
        found.append(entry)
    return tuple(reversed(found))


def _so_far(line: Line, asks: Sequence[Ask], card: Card) -> Line:
    """Say of a final column that it is final only so far, if something is still to be asked."""
    if not asks or line.id != "final-column":
        return line
    en, fr = (semicolon(lang).join(question(card, ask, lang) for ask in asks) for lang in LANGS)
    still = ("open", Text(en, fr))
    return replace(line, text=card.phrase("column-so-far"), blanks=(*line.blanks, still))


def place_of(play: Play) -> TablePlace:
    """Read the place from the lines told: final columns, and what is added to the next roll."""
    columns: dict[str, str] = {}
    die: int | None = None
    for entry in play.log:
        match entry:
            case Given(ask=Roll()):
                die = None
            case Told(line=line) if line.id == "final-column":
                columns.pop(line.unit, None)
                columns[line.unit] = str(line.value)
            case Told(line=line) if line.id == "die-modifier" and isinstance(line.value, int):
                die = line.value
    return TablePlace(tuple(columns.items()), die)


def _decides(play: Play) -> bool:
    """Tell whether the open roll gives the result, or the column itself."""
    if not isinstance(play.asking, Roll):
        return False
    roll = play.asking.dice.middling()
    return not place_of(play).columns or bool(_again(play, roll).fight.result)


def _again(play: Play, *answers: Answer) -> Play:
    """Play the same once more, and go on with some answers."""
    return Play(play.start, [*(given.answer for given in play.given), *answers])


class _Walk(NamedTuple):
    """All ways to the roll that gives the result, with their chances."""

    attacker: str
    defender: str

    def by_doctrine(self, play: Play) -> Iterator[tuple[TablePlace, Fraction, Play]]:
        return self._on(play, Fraction(1), _DEEPEST, first=False)

    def as_it_stands(self, play: Play) -> Iterator[tuple[TablePlace, Fraction, Play]]:
        return self._on(play, Fraction(1), _DEEPEST, first=True)

    def _on(
        self, play: Play, share: Fraction, depth: int, *, first: bool
    ) -> Iterator[tuple[TablePlace, Fraction, Play]]:
        ask = play.asking
        if ask is None or play.fight.result or not depth or _decides(play):
            yield place_of(play), share, play
        elif isinstance(ask, Roll):
            ways = ask.dice.ways()
            whole = sum(weight for _, weight in ways)
            for faces, weight in ways:
                part = share * Fraction(weight, whole)
                yield from self._on(_again(play, faces), part, depth - 1, first=first)
        elif first:
            yield from self._on(_again(play, first_answer(ask)), share, depth, first=first)
        else:
            for answer, p in self._decided(play):
                yield from self._on(_again(play, answer), share * p, depth, first=first)

    def _decided(self, play: Play) -> Iterator[tuple[Answer, Fraction]]:
        """Give the answers that the doctrines give, and how often."""
        ahead = prospects(play, self.attacker, self.defender)
        if not isinstance(play.asking, Commit):
            yield from (
                (o.answer, o.share) for menu in ahead.options.values() for o in menu if o.share
            )
            return
        for ours, p in _shares(play.asking.attacker, ahead, "attacker"):
            for theirs, q in _shares(play.asking.defender, ahead, "defender"):
                yield (ours, theirs), p * q


def _shares(
    options: tuple[Answer, ...], ahead: Prospects, side: Side
) -> list[tuple[Answer, Fraction]]:
    if side not in ahead.options:
        return [(options[0], Fraction(1))]
    return [(o.answer, o.share) for o in ahead.options[side] if o.share]
