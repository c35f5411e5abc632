"""A match: a scenario, the answers given so far, the open question; undo, saving and loading."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from grognard.card.rows import SIDES
from grognard.fights.play import Play, checked_answer
from grognard.fights.record import from_plain, plain
from grognard.files import atomic_file
from grognard.files.source import is_file, read_json, read_source
from grognard.files.struct_types import prepare
from grognard.files.toml_file import converted
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board
from grognard.maps.scenario import Scenario
from grognard.matches.card_field import CardField
from grognard.matches.deployment import whole_match
from grognard.matches.dice_proof import Proof
from grognard.matches.field import Field
from grognard.matches.protocol import Order, Playing, Roles, Verdict, Words, side_of
from grognard.matches.refused_order import check_order
from grognard.matches.storage.rows import Source
from grognard.rules import game
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.fight import Fight, units_of
from grognard.rules.game import card
from grognard.rules.line import Line
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

if TYPE_CHECKING:
    from grognard.matches.history import Event

VERSION = 1
NOT_YOURS = say("the last answer was not yours")


class Reply(Struct, frozen=True):
    """A question with its answer."""

    ask: Order | Ask
    answer: Answer
    side: str | None  # the side that answered; None for dice and reveals
    source: Source = "unknown"  # of the answer


class Fighting(NamedTuple):
    """A fight of a match: where its lines begin in the log, who attacks whom, its play."""

    first: int
    roles: Roles
    play: Play


class Match:
    """A match being played. `asking` is the open question, or None when it is over."""

    def __init__(self, field: Field, answers: Iterable[Answer] = ()) -> None:
        self.field = field
        self._begin()
        for answer in answers:
            self.answer(answer)

    def _begin(self, replies: Iterable[Reply] = ()) -> None:
        field = self.field
        self.board: Board = field.scenario.board()
        self.log: list[Line | Reply | Roles] = []
        # The board after each change, with the number of entries in the log by then.
        self.boards: list[tuple[int, Board]] = [(0, self.board)]
        self.fights: list[Fighting] = []
        self.events: tuple[Event, ...] = ()  # as far as `history` has derived them
        self.asking: Order | Ask | None = None
        self.roles = Roles(*(side.id for side in field.scenario.sides))
        self.play: Play | None = None  # the fight being resolved
        self.fought: Play | None = None  # the last one that ended since the last order
        self._playing: Playing = whole_match(field, self.board)
        self._go_on(None)
        for reply in replies:
            self.answer(reply.answer, reply.source)

    def answer(self, answer: Answer, source: Source = "unknown") -> None:
        """Answer the open question; an illegal answer is refused and changes nothing."""
        ask = self.asking
        if ask is None:
            raise Refusal(say("the match is over; nothing is asked any more"))
        if isinstance(ask, Order):
            check_order(ask, _words(answer))
        else:
            checked_answer(ask, answer)
        self.log.append(Reply(ask, answer, self.asked, source))
        if isinstance(ask, Order):
            self.fought = None
        try:
            if self.play is None:
                self._go_on(answer)
            else:
                self._fight_on(self.play, answer)
        except Refusal:  # by rules that came after the check
            self._begin(self.replies[:-1])
            raise

    @property
    def asked(self) -> str | None:
        """The side that must answer; None for dice and for both sides."""
        match self.asking:
            case Order(side=side):
                return side
            case Choose(side=role):
                return side_of(self.roles, role)
        return None

    @property
    def replies(self) -> list[Reply]:
        return [entry for entry in self.log if isinstance(entry, Reply)]

    @property
    def answers(self) -> list[Answer]:
        return [reply.answer for reply in self.replies]

    def board_at(self, length: int) -> Board:
        """Give the board as it was when the log had so many entries."""
        place = bisect_right(self.boards, length, key=lambda known: known[0])
        return self.boards[max(place - 1, 0)][1]

    @property
    def ordered(self) -> tuple[Order, Words, tuple[Answer, ...]] | None:
        """The order that is being carried out, its question, and the answers given since; None
        while a side is asked for an order, and at the end."""
        if self.asking is None or isinstance(self.asking, Order):
            return None
        since: list[Answer] = []
        for entry in reversed(self.log):
            if isinstance(entry, Reply):
                if isinstance(entry.ask, Order):
                    return entry.ask, _words(entry.answer), tuple(reversed(since))
                since.append(entry.answer)
        return None

    def undo_problem(self, autos: Collection[str] = ()) -> Message | None:
        """Say why the last answer may not be taken back, or None: it may. Dice, reveals and the
        answers of automatic sides (`autos`) stand."""
        last = next((entry for entry in reversed(self.log) if isinstance(entry, Reply)), None)
        if last is None:
            return say("nothing has been answered yet")
        if isinstance(last.ask, Roll | Commit):
            return say("nothing can be taken back: dice or a reveal stand before this")
        return NOT_YOURS if last.side in autos else None

    def undo(self, autos: Collection[str] = ()) -> None:
        """Take the last answer back, or refuse to."""
        self.field.refuse(self.undo_problem(autos))
        self._begin(self.replies[:-1])

    def verdict(self) -> Verdict:
        """Count the points as they stand now."""
        return self.field.verdict(self.board)

    def _go_on(self, sent: Answer | Play | None) -> None:
        """Run the rules to their next question; resolve fights that ask nothing."""
        self.asking = None
        while (said := run_on(self._playing, sent, self._note)) is not None:
            if not isinstance(said, Fight):
                self.asking = said
                if isinstance(said, Order):
                    self._note(said.board)
                return
            self.play = Play(said)
            if any(units_of(said, side) for side in SIDES):  # else something is only worked out
                self.fights.append(Fighting(len(self.log), self.roles, self.play))
            if self._in_fight(self.play, 0):
                return
            sent, self.fought, self.play = self.play, self.play, None

    def _note(self, told: Line | Board | Roles) -> None:
        match told:
            case Board():
                if told is not self.board:
                    self.board = told
                    self.boards.append((len(self.log), told))
                return
            case Roles():
                self.roles = told
        self.log.append(told)

    def _fight_on(self, play: Play, answer: Answer) -> None:
        told = len(play.told)
        play.answer(answer)
        if not self._in_fight(play, told):
            self.fought, self.play = play, None
            self._go_on(play)

    def _in_fight(self, play: Play, told: int) -> bool:
        """Log the new lines of a fight; tell whether it has another question."""
        self.log += [entry.line for entry in play.told[told:]]
        self.asking = play.asking
        return play.asking is not None


def run_on(
    playing: Playing, sent: Answer | Play | None, note: Callable[[Line | Board | Roles], None]
) -> Order | Choose | Roll | Fight | None:
    """Run a sequence of play to its next question or fight; None at its end.

    Lines, boards and roles on the way go to `note`.
    """
    try:
        while isinstance(said := playing.send(sent), Line | Board | Roles):
            note(said)
            sent = None
    except StopIteration as end:
        note(end.value)
        return None
    return said


class Ahead(NamedTuple):
    """The result of an order. Questions on the way get their first answer."""

    fight: Fight | None  # None if the order leads to none
    attacker: str  # the side that attacks in it
    log: tuple[Line | Reply | Roles, ...]  # lines on the way, and assumed answers


def look_ahead(playing: Playing, side: str, given: Iterable[Answer] = ()) -> Ahead:
    """Carry out a side's order up to its first fight, with the answers given so far; no board
    changes."""
    known = iter(given)
    log: list[Line | Reply | Roles] = []
    attacker = side

    def note(told: Line | Board | Roles) -> None:
        nonlocal attacker
        if isinstance(told, Roles):
            attacker = told.attacker
        if not isinstance(told, Board):
            log.append(told)

    sent: Answer | None = None
    try:
        while True:
            said = run_on(playing, sent, note)
            match said:
                case Choose():
                    assumed: Answer = said.options[0]
                case Roll():
                    assumed = said.dice.middling()
                case _:
                    return Ahead(said if isinstance(said, Fight) else None, attacker, tuple(log))
            sent = next(known, None)
            if sent is None:
                sent = assumed
                log.append(Reply(said, sent, None))
    finally:
        playing.close()


def _words(answer: Answer) -> Words:
    if not isinstance(answer, tuple) or not answer or not all(isinstance(w, str) for w in answer):
        raise Refusal(say("an order is a verb and names, such as move 21/20Pz 1811"))
    return tuple(str(word) for word in answer)


class Saved(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A match as saved: the scenario's name, its options, and every answer."""

    match: int
    scenario: str
    options: dict[str, str]
    answers: tuple[Any, ...]  # as JSON; each is checked against its question
    sources: tuple[Source, ...] | UnsetType = UNSET  # of the answers, as the writer tells them
    proof: Proof | None = None  # of fair dice


prepare(Saved)


def new_field(scenario: Scenario) -> Field:
    """Give a scenario the rules of its game, for one match."""
    if not game.place(scenario.game).has_module("field"):
        return CardField(scenario)
    field: Field = game.module(scenario.game, "field").FIELD(scenario)
    return field


def begin(name: str, options: Mapping[str, str] | None = None) -> Match:
    """Begin a match of a scenario; options replace the scenario's own."""
    return Match(new_field(scenarios.load(name).with_options(options or {})))


def stored(name: str) -> Match | None:
    """Read a match from a file; None if there is no such file or it holds no match."""
    found = stored_file(name)
    return found[0] if found else None


def stored_file(name: str) -> tuple[Match, Saved] | None:
    """Read a match from a file, replayed and as saved; None if there is none in it."""
    if name in scenarios.ids() or not is_file(name):
        return None
    source = read_source(name)
    return _loaded(source.text, source.name) if source.is_json else None


def saved(match: Match) -> Saved:
    """Give a match in its saved form."""
    answers = tuple(plain(answer) for answer in match.answers)
    sources = told_sources(reply.source for reply in match.replies)
    return Saved(VERSION, match.field.scenario.id, dict(match.field.options), answers, sources)


def told_sources(sources: Iterable[Source]) -> tuple[Source, ...] | UnsetType:
    """Give the sources of answers for a file; nothing where none is known."""
    told = tuple(sources)
    return told if any(source != "unknown" for source in told) else UNSET


def from_saved(kept: Saved) -> Match:
    """Replay a saved match; refuse it at the first answer that is not legal."""
    scenario = scenarios.own(kept.scenario)
    options = {**card(scenario.game).former_defaults, **scenario.options, **kept.options}
    match = Match(new_field(scenario.with_options(options)))
    replay(match, kept.answers, kept.sources or ())
    return match


def replay(match: Match, answers: Iterable[object], sources: Iterable[Source] = ()) -> None:
    """Play saved answers, after those already played; sources that are not given are unknown."""
    told = iter(sources)
    for number, answer in enumerate(answers, len(match.answers)):
        try:
            match.answer(from_plain(answer), next(told, "unknown"))
        except Refusal as refusal:
            problem = _changed_since(match, answer, refusal.problem)
            raise Refusal(problem, place=f"answers[{number}]") from None


_KEYWORD = re.compile(r"[a-z-]+")  # of an order; names have capitals or numbers


def _changed_since(match: Match, answer: object, problem: Message) -> Message:
    """Say that a saved order names a unit or a hex that the scenario does not have any more."""
    scenario = match.field.scenario
    if not isinstance(match.asking, Order) or not isinstance(answer, list | tuple):
        return problem
    known = {unit.name for unit in scenario.units}
    words = [str(word) for word in answer[1:]]
    if all(
        word in known or match.board.map.has(word) or _KEYWORD.fullmatch(word) for word in words
    ):
        return problem
    return say(
        "the scenario {scenario} has changed since this match was saved, or the file was edited: "
        "{problem}",
        scenario=scenario.id,
        problem=problem,
    )


def written_match(kept: Saved) -> bytes:
    """Write a match as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(kept)) + b"\n"


def read_match(data: object) -> Saved:
    """Read the data of a match file; refuse damaged data and other versions."""
    found = data.get("match", "-") if isinstance(data, dict) else "-"
    if found != VERSION:
        problem = say(
            "a match of version {found} can't be read here; expected {known}",
            found=found,
            known=VERSION,
        )
        raise Refusal(problem, place="match")
    kept = converted(data, Saved)
    if kept.sources and len(kept.sources) != len(kept.answers):
        problem = say(
            "{found} sources do not fit {n} answers", found=len(kept.sources), n=len(kept.answers)
        )
        raise Refusal(problem, place="sources")
    return kept if kept.proof else replace(kept, sources=_unproven(kept.sources))


def _unproven(sources: tuple[Source, ...] | UnsetType) -> tuple[Source, ...] | UnsetType:
    """Give the sources of a file without a proof: whoever wrote it may call any dice fair."""
    return tuple("unknown" if one == "fair" else one for one in sources) if sources else UNSET


def save(match: Match, path: Path) -> None:
    """Save a match in a file, atomically."""
    atomic_file.write(path, written_match(saved(match)))


def load(text: str, source: str) -> Match:
    """Read a match; refuse a damaged one or another version, and name the place."""
    return _loaded(text, source)[0]


def _loaded(text: str, source: str) -> tuple[Match, Saved]:
    data = read_json(text, source)
    try:
        kept = read_match(data)
        return from_saved(kept), kept
    except Refusal as refusal:
        raise Refusal(refusal.problem, source=source, place=refusal.place) from None
