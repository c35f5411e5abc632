"""A match by mail: letters replayed and checked, and the letter that is being written.

Every move is checked for whose turn it is and against the rules, so the other player's program
accepts nothing that this one would refuse.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from secrets import token_hex

from msgspec.structs import replace

from grognard.fights.play import checked_answer
from grognard.fights.record import from_plain, plain
from grognard.files.plain_data import check_plain
from grognard.maps import scenario as scenarios
from grognard.maps.scenario import Scenario
from grognard.matches.fair_dice import (
    Asked,
    Chain,
    anchor_of,
    fair_dice,
    link_of,
    link_problem,
)
from grognard.matches.mail.keys import Identity, Seen, signed_by
from grognard.matches.mail.letters import (
    PRINTED,
    VERSION,
    Answered,
    AnyMove,
    Half,
    Join,
    Letter,
    MailFile,
    Opened,
    Revealed,
    Sealed,
    agreed,
    first_head,
    letter_text,
    next_head,
    sealed,
)
from grognard.matches.match import VERSION as MATCH_VERSION
from grognard.matches.match import Match, Saved, begin, from_saved, new_field
from grognard.matches.protocol import side_of
from grognard.matches.seats import awaited, together
from grognard.matches.storage.rows import Source
from grognard.rules import game
from grognard.rules.ask import Answer, Commit, Roll
from grognard.words.message import say
from grognard.words.refusal import Refusal, near


class MailMatch:
    """A match by mail as far as its letters go, and the moves of the letter not signed yet."""

    def __init__(self, file: MailFile) -> None:
        self.file = file
        self.written: list[AnyMove] = []  # of the next letter
        self._begin()

    def _begin(self) -> None:
        kept = Saved(MATCH_VERSION, self.file.scenario, dict(self.file.options), ())
        self.match: Match = from_saved(kept)
        if self.match.field.hides_stacks():
            raise Refusal(OPEN_ONLY, place="options")
        self.sides = tuple(side.id for side in self.match.field.scenario.sides)
        self.players: dict[str, Join] = {}
        self.head = first_head(self.file)
        self.heads: list[str] = []  # of the letters
        self.sources: list[Source] = []  # of the answers
        self.rolls = 0
        self._question = ""  # the head when the open roll or commitment was asked
        self._last = ""  # the side that moved last
        self._links: dict[str, str] = {}  # for the open roll
        self._before: dict[str, str] = {}  # of the last roll
        self._seals: dict[str, str] = {}  # for the open commitment
        self._halves: dict[str, Answer] = {}
        for number, letter in enumerate(self.file.letters, 1):
            self._read(number, letter)

    def _read(self, number: int, letter: Letter) -> None:
        place = f"letters[{number - 1}]"
        for n, move in enumerate(letter.moves):
            try:
                self._apply(letter.by, move)
            except Refusal as refusal:
                raise Refusal(refusal.problem, place=f"{place}.moves[{n}]") from None
        known = self.players.get(letter.by)
        text = letter_text(number, letter.by, self.head)
        if known is None or not signed_by(known.key, text, letter.signature):
            problem = say(
                "the signature of letter {n} does not fit: the letter was changed, or it is not by "
                "{side}",
                n=number,
                side=letter.by,
            )
            raise Refusal(problem, place=place)
        self.heads.append(self.head)

    # -------------------------------------------------------------- whose turn it is

    @property
    def turn(self) -> str | None:
        """The side that must move; None when the match is over."""
        if len(self.players) < len(self.sides):
            return next(side for side in self.sides if side not in self.players)
        match self.match.asking:
            case None:
                return None
            case Roll(side=role):
                roller = side_of(self.match.roles, role)
                return self.other(roller) if roller in self._links else roller
            case Commit():
                return self._committing()
        return self.match.asked

    def _committing(self) -> str:
        """Give the side that must seal, give or open its half of a commitment."""
        missing = awaited(self.match, self._halves)
        if len(missing) == 2:
            if self._seals:
                return self.other(next(iter(self._seals)))
            return self._last if self._last in missing else self.sides[0]
        return next(iter(missing))

    def other(self, side: str) -> str:
        """Give the other side."""
        return next(one for one in self.sides if one != side)

    @property
    def opens(self) -> bool:
        """Whether the side whose turn it is has only its sealed half to open."""
        return isinstance(self.match.asking, Commit) and self.turn in self._seals

    # -------------------------------------------------------------- moves

    def _apply(self, by: str, move: AnyMove) -> None:
        """Make a move of a side, or refuse it."""
        if isinstance(move, Join):
            self._join(by, move)
        elif by != self.turn:
            problem = say("{side} moves, but it is the turn of {turn}", side=by, turn=self.turn)
            raise Refusal(problem)
        else:
            if self._question == "":
                self._question = self.head
            self._played(by, move)
        self.head = next_head(self.head, by, move)
        self._last = by

    def _join(self, by: str, move: Join) -> None:
        if by not in self.sides or by in self.players:
            raise Refusal(say("'{side}' is no free side of this match", side=by))
        if move.anchor in {player.anchor for player in self.players.values()}:
            raise Refusal(say("this chain was begun before; begin a new one"))
        self.players[by] = move

    def _played(self, by: str, move: AnyMove) -> None:
        ask = self.match.asking
        match move:
            case Revealed(link=link) if isinstance(ask, Roll):
                self._reveal(by, link, ask)
            case Sealed(seal=seal) if isinstance(ask, Commit) and not self._seals:
                if len(awaited(self.match, self._halves)) != 2:
                    raise Refusal(say("there is nothing to seal: the other side has no choice"))
                self._seals[by] = seal
            case Half(option=option) if isinstance(ask, Commit) and by not in self._seals:
                if not self._seals and len(awaited(self.match, self._halves)) == 2:
                    raise Refusal(say("the first half of a commitment is sealed"))
                self._give_half(by, from_plain(option), ask)
            case Opened(option=option, nonce=nonce) if isinstance(ask, Commit):
                seal = sealed(self.file.id, self._question, by, option, nonce)
                if self._seals.get(by) != seal:
                    raise Refusal(say("this is not the half that was sealed"))
                self._give_half(by, from_plain(option), ask)
            case Answered(answer=answer) if not isinstance(ask, Roll | Commit):
                self._answer(from_plain(answer), "person")
            case _:
                raise Refusal(say("this is not what is asked for now"))

    def _answer(self, answer: Answer, source: Source) -> None:
        self.match.answer(answer)
        self.sources.append(source)
        self._question = ""
        self._links, self._seals, self._halves = {}, {}, {}

    def _give_half(self, by: str, option: Answer, ask: Commit) -> None:
        halves = {**self._halves, by: option}
        both = together(self.match, (ask.attacker[0], ask.defender[0]), halves)
        checked_answer(ask, both)
        self._halves = halves
        if not awaited(self.match, halves):
            self._answer(both, "person")

    def _reveal(self, by: str, link: str, ask: Roll) -> None:
        roll = self.rolls + 1
        chains = [Chain(side, 1, player.anchor) for side, player in self.players.items()]
        problem = link_problem(chains, by, roll, link, self._before.get(by))
        if problem:
            raise Refusal(problem)
        self._links[by] = link
        if len(self._links) == 2:
            asked = Asked(self.file.id, roll, self._question, ask.dice)
            made, self._before, self.rolls = fair_dice(asked, self._links), self._links, roll
            self._answer(made, "fair")

    # -------------------------------------------------------------- writing a letter

    def move(self, side: str, move: AnyMove) -> None:
        """Make a move in the letter that is being written."""
        self._apply(side, move)
        self.written.append(move)

    def seal(self, me: Identity, side: str, option: Answer) -> None:
        """Give a half of a commitment: sealed if the other side has to choose as well."""
        ask = self.match.asking
        if isinstance(ask, Commit):
            both = together(self.match, (ask.attacker[0], ask.defender[0]), {side: option})
            checked_answer(ask, both)
        if self._seals or len(awaited(self.match, self._halves)) < 2:
            self.move(side, Half(option=plain(option)))
            return
        nonce = me.derived("half", self.file.id, self.head)
        seal = sealed(self.file.id, self.head, side, plain(option), nonce)
        self.move(side, Sealed(seal=seal))

    def open(self, me: Identity, side: str) -> None:
        """Open the half that the side has sealed: the key alone knows which one it was."""
        ask = self.match.asking
        if not isinstance(ask, Commit):
            raise Refusal(say("no secret commitment is asked for now"))
        nonce = me.derived("half", self.file.id, self._question)
        menu = ask.attacker if side == self.match.roles.attacker else ask.defender
        for option in menu:
            found = sealed(self.file.id, self._question, side, plain(option), nonce)
            if found == self._seals.get(side):
                self.move(side, Opened(option=plain(option), nonce=nonce))
                return
        raise Refusal(say("the half was sealed with another key"))

    def reveal(self, me: Identity, side: str) -> None:
        """Reveal the side's link for the dice that are asked for."""
        secret = me.derived("dice", self.file.id, self.players[side].salt)
        self.move(side, Revealed(link=link_of(secret, self.rolls)))

    @property
    def can_undo(self) -> bool:
        """Whether the last move is an answer of the letter that is being written."""
        return bool(self.written) and isinstance(self.written[-1], Answered)

    def undo(self, side: str) -> None:
        """Take the last answer of the letter back; what is revealed, sealed or signed stands."""
        if not self.can_undo:
            raise Refusal(say("nothing can be taken back: what is signed or revealed stands"))
        moves, self.written = self.written[:-1], []
        self._begin()
        for move in moves:
            self.move(side, move)

    def signed(self, me: Identity, side: str) -> MailFile:
        """Sign the letter, and give the file with it."""
        number = len(self.file.letters) + 1
        signature = me.sign(letter_text(number, side, self.head))
        letter = Letter(side, tuple(self.written), signature)
        return replace(self.file, letters=(*self.file.letters, letter))

    def check_seen(self, seen: Seen) -> None:
        """Refuse a file that is older than the one seen, or another branch."""
        agreed(self.heads, seen.heads)

    def side_of(self, me: Identity) -> str:
        """Give the side of a key; refuse a stranger's."""
        for side, player in self.players.items():
            if player.key == me.public:
                return side
        raise Refusal(say("your key is that of neither side of this match"))


# ------------------------------------------------------------------ beginning

OPEN_ONLY = say(
    "stacks can't be hidden from a program that replays the file: by mail they are open"
)


def joining(me: Identity, id_: str, name: str) -> Join:
    """Make the move with which a player takes his side."""
    check_plain(name, PRINTED)
    salt = token_hex(32)
    anchor = anchor_of(me.derived("dice", id_, salt))
    return Join(name=name, key=me.public, anchor=anchor, salt=salt)


def invited(
    me: Identity, scenario: str, side: str, name: str, options: Mapping[str, str]
) -> MailMatch:
    """Begin a match by mail; the first letter is written, not signed."""
    begun = begin(scenario, open_options(scenarios.load(scenario), options))
    sides = [one.id for one in begun.field.scenario.sides]
    if side not in sides:
        raise Refusal(say("there is no side '{id}'; {near}", id=side, near=near(side, sides)))
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    file = MailFile(
        VERSION, token_hex(16), begun.field.scenario.id, dict(begun.field.options), now, ()
    )
    mail = MailMatch(file)
    mail.move(side, joining(me, file.id, name))
    return mail


def open_options(scenario: Scenario, options: Mapping[str, str]) -> dict[str, str]:
    """Give the options of a match by mail: stacks are open, whatever the scenario says."""
    chosen = dict(options)
    if not new_field(scenario.with_options(chosen)).hides_stacks():
        return chosen
    for option in game.card(scenario.game).options:
        for choice in option.choices:
            tried = {**chosen, option.id: choice.id}
            if (
                option.id not in chosen
                and not new_field(scenario.with_options(tried)).hides_stacks()
            ):
                return tried
    raise Refusal(OPEN_ONLY)


def opens_stacks(name: str) -> bool:
    """Tell whether a scenario hides stacks that lie open by mail."""
    return new_field(scenarios.load(name)).hides_stacks()
