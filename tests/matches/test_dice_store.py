"""Chains and reveals in the store under random attempts: no roll twice, none without both sides."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from grognard.card.dice import D6, Dice
from grognard.matches.dice_proof import Proof, ProvenRoll, check_proof
from grognard.matches.fair_dice import Asked, Chain, anchor_of, fair_dice, link_of, new_secret
from grognard.matches.storage.checking import check
from grognard.matches.storage.dice import (
    DiceRows,
    DiceState,
    Revealing,
    read_dice,
    written_dice,
)
from grognard.matches.storage.kept_rows import answers_of
from grognard.matches.storage.rows import Damaged, New, Standing
from grognard.matches.storage.store import Store
from grognard.matches.storage.tables import columns
from grognard.words.refusal import Refusal
from tests.sqlite_file import opened
from tests.tiers import sized

SIDES = ("allied", "german")
SECRETS = {"allied": "a" * 64, "german": "b" * 64}
NEW = New(name="x", scenario="weissenberg", options={}, apart=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "matches.sqlite") as opened:
        yield opened


class Table:
    """Two sides that try whatever comes to mind, at a match whose every question is a roll."""

    def __init__(self, store: Store, random: Random) -> None:
        self.store, self.rows, self.random = store, DiceRows(store), random
        self.id = store.keep(NEW).id
        self.secrets: dict[str, str] = {}  # anchor -> secret
        self.given: dict[tuple[int, str], str] = {}  # the question of each reveal that stands
        self.questions: list[str] = []  # of the rolls that were made

    def begin(self, side: str) -> None:
        secret = new_secret()
        if self.secrets and self.random.random() < 0.2:
            secret = self.random.choice([*self.secrets.values()])
        anchor = anchor_of(secret)
        state = self.rows.state(self.id)
        mine = state.chains.get(side)
        replaces = self.random.choice([mine.anchor if mine else None] * 4 + [None, "0" * 64])
        self.rows.begin(self.id, side, anchor, replaces)
        self.secrets[anchor] = secret
        if not mine or mine.anchor != anchor:
            assert not set(state.links) - {side}  # the other had not revealed
            self.given.pop((state.roll, side), None)

    def reveal(self, side: str) -> None:
        state = self.rows.state(self.id)
        mine, other = state.chains.get(side), state.other(side)
        if mine is None:
            return
        place = state.roll - mine.first + self.random.choice([0, 0, 0, 1])
        link = link_of(self.secrets[mine.anchor], min(place, 4))
        question = self.random.choice([state.kept.head] * 4 + ["0" * 64])
        roll = state.roll + self.random.choice([0] * 4 + [1, -1])
        given = Revealing(side, roll, question, other.anchor if other else "", link)
        self.rows.reveal(self.id, given, D6)
        right = link_of(self.secrets[mine.anchor], state.roll - mine.first)
        assert (roll, question, link) == (state.roll, state.kept.head, right)
        self.given[roll, side] = question

    def roll(self, _: str) -> None:
        state = self.rows.state(self.id)
        if set(state.links) != set(SIDES):
            return
        made = fair_dice(Asked(self.id, state.roll, state.kept.head, D6), state.links)
        version = state.kept.version
        self.store.append(self.id, version, [list(made)], Standing(), "fair")
        self.questions.append(state.kept.head)

    def order(self, _: str) -> None:
        """An order comes only when nobody has revealed: then it is not a roll that is asked."""
        if not self.rows.state(self.id).links:
            kept = self.store.get(self.id)
            self.store.append(self.id, kept.version, [["end"]], Standing())

    def undo(self, _: str) -> None:
        kept, state = self.store.get(self.id), self.rows.state(self.id)
        sources = self.store.whole(self.id).sources
        if sources and sources[-1] != "fair":  # the rules refuse to take dice back
            self.store.undo(self.id, kept.version, Standing())
            assert not state.links

    def proof(self) -> Proof:
        chains, reveals = self.rows.everything(self.id)
        with self.store.database.transaction(write=False):
            kept = self.store.get(self.id)
            answers = answers_of(self.store.database, kept)
        links: dict[int, dict[str, str]] = {}
        for one in reveals:
            links.setdefault(one.roll, {})[one.side] = one.value
            assert one.question == self.questions[one.roll - 1]
        return Proof(
            id=self.id,
            created=kept.created,
            sources=tuple(row.source for row in answers),
            nonces=tuple(row.nonce for row in answers),
            heads=tuple(row.seal for row in answers),
            chains=tuple(Chain(one.side, one.first, one.anchor, one.withdrawn) for one in chains),
            rolls=tuple(ProvenRoll(6, 1, links[roll]) for roll in sorted(links)),
        )


def test_whatever_the_sides_try_every_roll_holds_and_no_question_is_rolled_twice(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grognard.matches.fair_dice.LENGTH", 5)  # chains are used up
    rolls = 0
    for seed in range(sized(20)):
        random = Random(seed)
        table = Table(store, random)
        others = (table.begin, table.order, table.undo)
        actions = (*others, *(table.reveal,) * 5, *(table.roll,) * 3)
        for _ in range(120):
            try:
                random.choice(actions)(random.choice(SIDES))
            except Refusal:
                continue
        whole = store.whole(table.id)
        made = check_proof(table.proof(), "weissenberg", {}, whole.answers)
        assert made == len(table.questions) == whole.sources.count("fair")
        assert len(set(table.questions)) == made  # each question once
        for (roll, _), question in table.given.items():
            if roll <= made:  # a roll is for what both sides revealed for
                assert question == table.questions[roll - 1]
        rolls += made
    assert rolls  # else nothing was tried


def test_dice_are_written_with_each_reveal() -> None:
    for dice in (D6, Dice(3, 10, "digits", 0)):
        again = read_dice("x", written_dice(dice))
        assert (again.count, again.faces, again.first) == (dice.count, dice.faces, dice.first)
    for damaged in ("[1", "[1,6]", "[0,6,1]", "[1,1099511627776,1]", "[1,0,1]", "[99,6,1]"):
        with pytest.raises(Damaged):
            read_dice("x", damaged)


def test_a_damaged_row_of_dice_is_named(store: Store) -> None:
    id_ = store.keep(NEW).id
    with store.database.transaction(write=True):
        store.database.run(
            "INSERT INTO chains (match, side, first, anchor) VALUES (?, 'german', 1, 'y')", id_
        )
    with pytest.raises(Damaged, match=id_):
        DiceRows(store).state(id_)


def test_two_processes_begin_the_chain_of_an_automatic_side_at_once(
    store: Store, tmp_path: Path
) -> None:
    """Between the look of the first and its change the second one begins a chain."""
    id_ = store.keep(NEW).id
    with Store(tmp_path / "matches.sqlite") as other:
        first, second = DiceRows(store), DiceRows(other)
        look = first.state

        def late(id_: str) -> DiceState:
            state = look(id_)
            second.hold(id_, ["german"])
            return state

        first.state = late  # type: ignore[method-assign]
        first.hold(id_, ["german"])
        assert len(second.everything(id_)[0]) == 1


def test_a_withdrawn_chain_stays_in_the_file_and_is_never_begun_again(store: Store) -> None:
    id_, rows = store.keep(NEW).id, DiceRows(store)
    first, second = anchor_of(new_secret()), anchor_of(new_secret())
    rows.begin(id_, "german", first, None)
    rows.begin(id_, "german", second, first)
    chains = {chain.anchor: chain.withdrawn for chain in rows.everything(id_)[0]}
    assert chains == {first: True, second: False}
    assert rows.state(id_).chains["german"].anchor == second
    with pytest.raises(Refusal, match="begun before"):
        rows.begin(id_, "german", first, second)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        (table, column)
        for table in ("chains", "reveals")
        for column in columns()[table]
        if column != "match"
    ],
)
def test_no_flipped_bit_of_dice_is_served(tmp_path: Path, table: str, column: str) -> None:
    """A page would take it for cheating."""
    file = tmp_path / "matches.sqlite"
    with Store(file) as store:
        played = Table(store, Random(1))
        for side in SIDES:
            secret = SECRETS[side]
            played.rows.begin(played.id, side, anchor_of(secret), None, secret)
        for side in SIDES:
            state = played.rows.state(played.id)
            other = state.other(side)
            assert other is not None
            given = Revealing(side, 1, state.kept.head, other.anchor, link_of(SECRETS[side], 0))
            played.rows.reveal(played.id, given, D6)
        played.roll("")
        played.rows.everything(played.id)
    with opened(file) as connection:
        (value,) = connection.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchone()
        if isinstance(value, int):
            flipped: object = value ^ 1
        else:
            flipped = chr(ord(value[0]) ^ 1) + value[1:]
        key = connection.execute(f"SELECT min(rowid) FROM {table}").fetchone()
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (flipped, *key))
    with Store(file) as store:
        rows = DiceRows(store)
        with pytest.raises(Damaged, match=r"checksum of its dice|links of its dice are missing"):
            rows.everything(played.id)
    found = check(file)
    assert [played.id in str(problem) for problem in found.problems] == [True]


def test_chains_go_with_their_match(store: Store) -> None:
    id_ = store.keep(NEW).id
    DiceRows(store).begin(id_, "german", anchor_of(new_secret()), None)
    store.delete(id_)
    with store.database.transaction(write=False):
        assert store.database.rows("SELECT * FROM chains") == []


def test_a_proof_reads_as_it_was_written() -> None:
    proof = Proof("i", "c", ("fair",), ("n",), ("h",), (Chain("a", 1, "x"),), ())
    assert msgspec.json.decode(msgspec.json.encode(proof), type=Proof) == proof
