"""The log of a match as JSON."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from grognard.card.rows import SIDES, Reading, Side
from grognard.draw.json.fight import dice_of
from grognard.draw.json.lines import AnyLineJson, DoubtJson, line_json, reading_json
from grognard.draw.json.structs import AnswerJson, Joined, JsonStruct, joined, one_of
from grognard.draw.json.unnamed import without_names
from grognard.matches import orders
from grognard.matches.field import Field
from grognard.matches.marks import NO_MARKS, Marks, match_marks
from grognard.matches.match import Match, Reply
from grognard.matches.protocol import Order, Roles, order_words, side_of
from grognard.matches.recap import QuietNames
from grognard.matches.sight import hidden_from, viewer
from grognard.matches.storage.rows import Source
from grognard.rules.ask import Answer, Choose, Commit, Roll
from grognard.rules.line import Line
from grognard.rules.wording import named, question
from grognard.words.text import Lang


class NumberedLineJson(JsonStruct):
    """The number of a line in the log."""

    n: int
    entry: Literal["line"]
    doubts: list[DoubtJson] | UnsetType = UNSET  # readings that decide it


class LineEntryJson(NumberedLineJson, AnyLineJson, metaclass=Joined):
    """A line in the log."""

    role: Side | UnsetType = UNSET  # of the side of the match that the line concerns
    hexes: list[str] | UnsetType = UNSET  # that it names, and where its unit stood


class OrderEntryJson(JsonStruct):
    """An order in the log."""

    n: int
    entry: Literal["order"]
    side: str
    text: str
    answer: AnswerJson
    rule: None
    source: Source
    doubts: list[DoubtJson] | UnsetType = UNSET  # readings that allow it
    hexes: list[str] | UnsetType = UNSET  # that it names, and where its units stood


class RollEntryJson(JsonStruct):
    """A roll in the log."""

    n: int
    entry: Literal["roll"]
    text: str
    rule: str | None
    dice: list[int]
    source: Source  # typed, rolled by the server, fair: made by both sides, imported, unknown
    hexes: list[str] | UnsetType = UNSET


class ChooseEntryJson(JsonStruct):
    """A choice in the log."""

    n: int
    entry: Literal["choose"]
    text: str
    rule: str | None
    side: str
    answer: AnswerJson
    answer_text: str
    source: Source
    hexes: list[str] | UnsetType = UNSET


class CommitEntryJson(JsonStruct):
    """A secret commitment of both sides in the log, revealed."""

    n: int
    entry: Literal["commit"]
    text: str
    rule: str | None
    answers: dict[str, str]
    source: Source
    hexes: list[str] | UnsetType = UNSET


GIVEN_ENTRIES = (OrderEntryJson, RollEntryJson, ChooseEntryJson, CommitEntryJson)
ENTRIES = (LineEntryJson, *GIVEN_ENTRIES)
if TYPE_CHECKING:
    GivenEntryJson = OrderEntryJson | RollEntryJson | ChooseEntryJson | CommitEntryJson
    EntryJson = LineEntryJson | GivenEntryJson
else:
    GivenEntryJson = one_of(*GIVEN_ENTRIES)
    EntryJson = one_of(*ENTRIES)


def log_json(
    match: Match,
    lang: Lang,
    since: int = 0,
    autos: Collection[str] = (),
    seat: str | None = None,
) -> list[EntryJson]:
    """Give what was told and answered, from an entry on; each entry carries its number. Where
    stacks are hidden, counters that lie under others now are named only where they fought."""
    settled = _settled(match, lang)
    kept = settled.entries[bisect_left(settled.entries, since, key=lambda entry: entry.n) :]
    new = _entries_since(match, lang, max(since, settled.until))
    told = [*kept, *(_with_hexes(match, entry) for entry in new)]
    hidden = hidden_from(match, viewer(match, autos, seat))
    if not hidden:
        return told
    quiet = QuietNames(match, hidden)
    known = ((entry, without_names(entry, quiet.at(entry.n))) for entry in told)
    return [entry if less is entry else _with_hexes(match, less) for entry, less in known]


def _entries_since(match: Match, lang: Lang, since: int) -> Iterator[EntryJson]:
    first, second = match.field.scenario.sides
    roles, marked = Roles(first.id, second.id), match_marks(match, since)
    return entries(match.field, match.log, roles, lang, since, marked)


def _with_hexes(match: Match, entry: EntryJson) -> EntryJson:
    return replace(entry, hexes=_hexes(match, entry) or UNSET)


class _Settled:
    """The entries of a log that no later answer changes: those before the last order."""

    def __init__(self, log: object) -> None:
        self.log = log  # a match that takes an answer back begins another one
        self.entries: list[EntryJson] = []
        self.until = 0


_SETTLED: WeakKeyDictionary[Match, dict[Lang, _Settled]] = WeakKeyDictionary()


def _settled(match: Match, lang: Lang) -> _Settled:
    """Give the settled entries of a log, so that a long log costs no more than a short one."""
    kept = _SETTLED.setdefault(match, {})
    if lang not in kept or kept[lang].log is not match.log:
        kept[lang] = _Settled(match.log)
    settled, log = kept[lang], match.log
    orders = (
        n
        for n in range(len(log) - 1, settled.until, -1)
        if isinstance(entry := log[n], Reply) and isinstance(entry.ask, Order)
    )
    last = next(orders, settled.until)
    if last > settled.until:
        new = _entries_since(match, lang, settled.until)
        settled.entries += [_with_hexes(match, e) for e in takewhile(lambda e: e.n < last, new)]
        settled.until = last
    return settled


_WORD = re.compile(r"[^\W_]+")


def _hexes(match: Match, entry: EntryJson) -> list[str]:
    """Give the hexes that an entry names, and those in which its units stood then."""
    board = match.board_at(entry.n)
    words = list[str]()
    if isinstance(entry, OrderEntryJson):
        words += order_words(entry.answer)
    elif isinstance(entry, LineEntryJson):
        words += [entry.unit] if entry.unit else []
        words += _WORD.findall(entry.text)
    elif isinstance(entry, ChooseEntryJson):
        words += [part for part in _flat(entry.answer) if isinstance(part, str)]
    found = list[str]()
    for word in words:
        if board.has(word):
            at = board.piece(word).at
            found += [board.map.number(at)] if at else []
        elif board.map.has(word):
            found.append(word)
    return list(dict.fromkeys(found))


def _flat(answer: Answer) -> Iterator[int | str]:
    if isinstance(answer, tuple):
        for part in answer:
            yield from _flat(part)
    else:
        yield answer


def entries(
    field: Field,
    log: Iterable[Line | Reply | Roles],
    roles: Roles,
    lang: Lang,
    since: int = 0,
    marked: Marks = NO_MARKS,
) -> Iterator[EntryJson]:
    """Give the entries of a log, whose first lines concern these roles, with their marks."""
    for n, entry in enumerate(log):
        if isinstance(entry, Roles):
            roles = entry
        elif n >= since:
            if isinstance(entry, Line):
                yield _line_entry(n, entry, roles, marked.get(n, ()), lang)
            else:
                yield _given_entry(n, field, entry, roles, marked.get(n, ()), lang)


def _line_entry(
    n: int, line: Line, roles: Roles, marked: Sequence[Reading], lang: Lang
) -> LineEntryJson:
    side = side_of(roles, line.side) if line.side else UNSET
    role, told = line.side or UNSET, line_json(line, lang)
    doubts = _doubts(marked, told.text, lang)
    return joined(LineEntryJson, told, n=n, entry="line", side=side, role=role, doubts=doubts)


def _doubts(marked: Sequence[Reading], text: str, lang: Lang) -> list[DoubtJson] | UnsetType:
    return [reading_json(reading, text, lang) for reading in marked] or UNSET


def _given_entry(
    n: int, field: Field, given: Reply, roles: Roles, marked: Sequence[Reading], lang: Lang
) -> GivenEntryJson:
    ask, answer, card = given.ask, given.answer, field.card
    if isinstance(ask, Order):
        text = orders.written(order_words(answer))
        return OrderEntryJson(
            n=n,
            entry="order",
            side=ask.side,
            text=text,
            answer=answer,
            rule=None,
            source=given.source,
            doubts=_doubts(marked, text, lang),
        )
    text = question(card, ask, lang)
    match ask:
        case Roll():
            return RollEntryJson(
                n=n,
                entry="roll",
                text=text,
                rule=ask.rule,
                dice=dice_of(answer),
                source=given.source,
            )
        case Choose():
            return ChooseEntryJson(
                n=n,
                entry="choose",
                text=text,
                rule=ask.rule,
                side=side_of(roles, ask.side),
                answer=answer,
                answer_text=named(card, ask, answer, lang),
                source=given.source,
            )
        case Commit():
            halves = answer if isinstance(answer, tuple) else ()
            sides = zip(SIDES, halves, strict=True)
            texts = (named(card, ask, half, lang, side) for side, half in sides)
            answers = dict(zip(roles, texts, strict=True))
            return CommitEntryJson(
                n=n,
                entry="commit",
                text=text,
                rule=ask.rule,
                answers=answers,
                source=given.source,
            )
