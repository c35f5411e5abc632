"""Chains and reveals of fair dice in the store.

Whatever is refused changes nothing, and every rule here holds for two requests at once: each runs
in one transaction that has locked the match.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from grognard.card.dice import MOST_DICE, MOST_FACES, Dice
from grognard.matches.fair_dice import (
    Chain,
    anchor_of,
    chain_for,
    is_link,
    link_of,
    link_problem,
    new_secret,
)
from grognard.matches.storage.database import Database, Row, insert_row
from grognard.matches.storage.kept_rows import sealed_dice
from grognard.matches.storage.rows import Damaged, Kept, Stale
from grognard.matches.storage.store import Store, open_roll
from grognard.words.message import say
from grognard.words.refusal import Refusal

T = TypeVar("T")
_LAST_ROLL = (1 << 31) - 1  # the largest number of a column


class KeptChain(Chain, frozen=True):
    """A chain in the store; with its secret if the server answers for the side."""

    secret: str | None = None


class Reveal(Struct, frozen=True):
    """A link that a side has revealed for a roll."""

    roll: int
    side: str
    value: str
    question: str
    dice: str  # JSON: number of dice, faces, lowest face


class DiceState(Struct, frozen=True):
    """What both sides need to know for the next roll."""

    kept: Kept
    roll: int  # its number
    chains: Mapping[str, KeptChain]  # side -> the chain that serves it
    links: Mapping[str, str]  # side -> its link, of the sides that have revealed

    def other(self, side: str) -> KeptChain | None:
        """Give the chain of the other side."""
        return next((chain for one, chain in self.chains.items() if one != side), None)


class Revealing(Struct, frozen=True):
    """A link that a client sends, and for what it was meant."""

    side: str
    roll: int
    question: str
    other: str  # the anchor of the other side, as the client knows it
    value: str


def chains_of(database: Database, id_: str) -> list[KeptChain]:
    """Read all chains of a match, withdrawn ones too; within a transaction."""
    rows = database.rows("SELECT * FROM chains WHERE match = ? ORDER BY first, side, anchor", id_)
    return _read(id_, "chains", rows, list[KeptChain])


def reveals_of(
    database: Database, id_: str, since: int = 1, until: int = _LAST_ROLL
) -> list[Reveal]:
    """Read the reveals of a match from a roll to another; within a transaction."""
    rows = database.rows(
        "SELECT * FROM reveals WHERE match = ? AND roll BETWEEN ? AND ? ORDER BY roll, side",
        id_,
        since,
        until,
    )
    return _read(id_, "reveals", rows, list[Reveal])


def _read(id_: str, table: str, rows: Sequence[Row], type_: type[T]) -> T:
    """Read rows; refuse one that damage has changed, which would look like cheating."""
    if any(row != sealed_dice(table, row) for row in rows):
        raise Damaged(id_, say("the checksum of its dice does not fit"))
    try:
        return msgspec.convert(rows, type_, strict=False)  # a flag is a number in the store
    except msgspec.ValidationError:
        raise Damaged(id_, say("its row can't be read")) from None


def made_reveals(database: Database, id_: str, since: int = 1) -> list[Reveal]:
    """Read the reveals of the rolls that were made, two of each; within a transaction."""
    first, after = max(since, 1), open_roll(database, id_)
    found = reveals_of(database, id_, first, after - 1)
    if [one.roll for one in found] != [roll for roll in range(first, after) for _ in range(2)]:
        raise Damaged(id_, say("links of its dice are missing"))
    return found


def write_chain(database: Database, id_: str, chain: KeptChain) -> None:
    """Write a chain, or what has changed of one."""
    row = {"match": id_, **asdict(chain), "withdrawn": int(chain.withdrawn)}
    database.run("DELETE FROM chains WHERE match = ? AND anchor = ?", id_, chain.anchor)
    insert_row(database, "chains", sealed_dice("chains", row))


def write_reveal(database: Database, id_: str, reveal: Reveal) -> None:
    """Write a reveal."""
    row = {"match": id_, **asdict(reveal)}
    insert_row(database, "reveals", sealed_dice("reveals", row))


def written_dice(dice: Dice) -> str:
    """Write what a checker must know of dice."""
    return msgspec.json.encode([dice.count, dice.faces, dice.first]).decode()


def read_dice(id_: str, text: str) -> Dice:
    """Read dice that were written with a reveal."""
    try:
        number, faces, first = msgspec.json.decode(text, type=tuple[int, int, int])
    except msgspec.DecodeError:
        raise Damaged(id_, say("its row can't be read")) from None
    if not (1 <= number <= MOST_DICE and 2 <= faces <= MOST_FACES):
        raise Damaged(id_, say("its row can't be read"))
    return Dice(number, faces, "sum", first)


class DiceRows:
    """The chains and reveals of the matches of a store."""

    def __init__(self, store: Store) -> None:
        self._store, self._database = store, store.database

    # -------------------------------------------------------------- reading

    def state(self, id_: str) -> DiceState:
        """Give the state of the next roll."""
        with self._database.transaction(write=False):
            return self._state(id_)

    def _state(self, id_: str) -> DiceState:
        kept = self._store.get(id_)
        roll = open_roll(self._database, id_)
        chains = chains_of(self._database, id_)
        found = {side: self._serving(chains, side, roll) for side in _sides(chains)}
        return DiceState(
            kept,
            roll,
            {side: chain for side, chain in found.items() if chain},
            {one.side: one.value for one in reveals_of(self._database, id_, roll, roll)},
        )

    def _serving(self, chains: Sequence[KeptChain], side: str, roll: int) -> KeptChain | None:
        chain = chain_for(chains, side, roll)
        return chain if isinstance(chain, KeptChain) else None

    def everything(self, id_: str, since: int = 1) -> tuple[list[KeptChain], list[Reveal]]:
        """Give all chains of a match, and the reveals of the rolls that were made."""
        with self._database.transaction(write=False):
            return chains_of(self._database, id_), made_reveals(self._database, id_, since)

    # -------------------------------------------------------------- changing

    def begin(
        self, id_: str, side: str, anchor: str, replaces: str | None, secret: str | None = None
    ) -> None:
        """Begin a chain of a side, or give the secret of the one that it has.

        `replaces` is the anchor that the side has now. The other side must not have revealed:
        whoever knows its link could choose a chain. A reveal of the side itself is withdrawn.
        """
        _check_chain(anchor, secret)
        with self._database.transaction(write=True):
            self._store.lock(id_)
            chains = chains_of(self._database, id_)
            state = self._state(id_)
            mine = state.chains.get(side)
            if mine and mine.anchor == anchor:
                self._keep_secret(id_, mine, secret)
                return
            if replaces != (mine.anchor if mine else None):
                raise Stale
            if any(chain.anchor == anchor for chain in chains):
                raise Refusal(say("this chain was begun before; begin a new one"), place="anchor")
            if set(state.links) - {side}:
                raise Refusal(
                    say(
                        "the other side has revealed for roll {roll}; it alone can begin this roll "
                        "anew, under “Fair dice” on its page",
                        roll=state.roll,
                    )
                )
            self._withdraw(id_, mine, state)
            write_chain(self._database, id_, KeptChain(side, state.roll, anchor, secret=secret))
            self._store.tell(id_)

    def _withdraw(self, id_: str, chain: KeptChain | None, state: DiceState) -> None:
        """Withdraw what a side has revealed for the open roll, and its chain if that serves no
        roll before; the chain stays in the match file."""
        if chain is None:
            return
        self._database.run(
            "DELETE FROM reveals WHERE match = ? AND side = ? AND roll = ?",
            id_,
            chain.side,
            state.roll,
        )
        if chain.first == state.roll:
            write_chain(self._database, id_, replace(chain, withdrawn=True))

    def _keep_secret(self, id_: str, chain: KeptChain, secret: str | None) -> None:
        if secret is None or chain.secret == secret:
            return
        write_chain(self._database, id_, replace(chain, secret=secret))
        self._store.tell(id_)

    def hold(self, id_: str, sides: Iterable[str]) -> None:
        """Begin chains of the server for sides that it answers for and that have none of it."""
        if not self._to_hold(self.state(id_), sides):
            return
        with self._database.transaction(write=True):  # nobody begins one in between
            self._store.lock(id_)
            state = self._state(id_)
            for side in self._to_hold(state, sides):
                mine, secret = state.chains.get(side), new_secret()
                self.begin(id_, side, anchor_of(secret), mine.anchor if mine else None, secret)

    def _to_hold(self, state: DiceState, sides: Iterable[str]) -> list[str]:
        return [
            side
            for side in sides
            if (side not in state.chains or state.chains[side].secret is None)
            and not set(state.links) - {side}
        ]

    def reveal(self, id_: str, given: Revealing, dice: Dice) -> None:
        """Keep the link of a side for the open roll; the same link again changes nothing."""
        with self._database.transaction(write=True):
            self._store.lock(id_)
            state = self._state(id_)
            other = state.other(given.side)
            if other is None:
                raise Refusal(say("the other side has not begun a chain of dice yet"))
            if (given.roll, given.question, given.other) != (
                state.roll,
                state.kept.head,
                other.anchor,
            ):
                raise Stale
            if state.links.get(given.side) != given.value:
                self._check(id_, state, given)
                self._add(id_, state, given.side, given.value, dice)
                self._store.tell(id_)

    def revealed_before(self, id_: str, given: Revealing) -> None:
        """Refuse a link for a roll that was made, unless it is the one that was revealed."""
        with self._database.transaction(write=False):
            known = reveals_of(self._database, id_, given.roll, given.roll)
        if (given.roll, given.side, given.value) not in {(o.roll, o.side, o.value) for o in known}:
            raise Stale

    def _check(self, id_: str, state: DiceState, given: Revealing) -> None:
        before = {
            one.side: one.value
            for one in reveals_of(self._database, id_, state.roll - 1, state.roll - 1)
        }
        problem = link_problem(
            state.chains.values(), given.side, state.roll, given.value, before.get(given.side)
        )
        if problem:
            raise Refusal(problem, place="value")

    def reveal_for(self, id_: str, sides: Iterable[str], dice: Dice) -> None:
        """Reveal for sides that have given their secrets and have not revealed yet."""
        with self._database.transaction(write=True):
            self._store.lock(id_)
            state = self._state(id_)
            for side in sides:
                chain = state.chains.get(side)
                if side not in state.links and chain and chain.secret:
                    link = link_of(chain.secret, state.roll - chain.first)
                    self._add(id_, state, side, link, dice)
                    self._store.tell(id_)

    def _add(self, id_: str, state: DiceState, side: str, value: str, dice: Dice) -> None:
        question, shown = state.kept.head, written_dice(dice)
        write_reveal(self._database, id_, Reveal(state.roll, side, value, question, shown))


def _sides(chains: Iterable[Chain]) -> list[str]:
    return sorted({chain.side for chain in chains})


def _check_chain(anchor: str, secret: str | None) -> None:
    if not is_link(anchor):
        raise Refusal(say("expected 64 small hexadecimal digits"), place="anchor")
    if secret is not None and (not is_link(secret) or anchor_of(secret) != anchor):
        raise Refusal(say("this is not the secret of the chain"), place="secret")
