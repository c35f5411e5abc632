"""Chains and reveals in the store under random attempts: no roll twice, none without both sides."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from grognard.card.dice import D6, Dice
from grognard.matches.dice_proof import Proof, ProvenRoll, check_proof
from grognard.matches.fair_dice import Asked, Chain, anchor_of, fair_dice, link_of, new_secret
from grognard.matches.storage.dice import DiceRows, Revealing, read_dice, written_dice
from grognard.matches.storage.kept_rows import answers_of
from grognard.matches.storage.rows import Damaged, New, Standing
from grognard.matches.storage.store import Store
from grognard.words.refusal import Refusal
from tests.tiers import sized

SIDES = ("allied", "german")
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
            chains=tuple(Chain(one.side, one.first, one.anchor) for one in chains),
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
            "INSERT INTO chains (match, side, first, anchor) VALUES (?, 'german', 'x', 'y')", id_
        )
    with pytest.raises(Damaged, match=id_):
        DiceRows(store).state(id_)


def test_chains_go_with_their_match(store: Store) -> None:
    id_ = store.keep(NEW).id
    DiceRows(store).begin(id_, "german", anchor_of(new_secret()), None)
    store.delete(id_)
    with store.database.transaction(write=False):
        assert store.database.rows("SELECT * FROM chains") == []


def test_a_proof_reads_as_it_was_written() -> None:
    proof = Proof("i", "c", ("fair",), ("n",), ("h",), (Chain("a", 1, "x"),), ())
    assert msgspec.json.decode(msgspec.json.encode(proof), type=Proof) == proof
