"""Fair dice: chains, the dice that come of links, and that each face is as likely as the others."""

import re
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.card.dice import Dice
from grognard.matches.fair_dice import (
    LENGTH,
    Asked,
    Chain,
    anchor_of,
    chain_for,
    fair_dice,
    hashed,
    is_link,
    link_of,
    link_problem,
    new_secret,
)
from tests.oracles import fair_dice as oracle
from tests.tiers import examples, sized

TEN = Dice(3, 10, "sum", 0)
links = st.binary(min_size=32, max_size=32).map(bytes.hex)
dice = st.builds(
    Dice, st.integers(1, 20), st.integers(2, 100), st.just("sum"), st.sampled_from([0, 1])
)


def test_a_chain_is_its_secret_hashed_again_and_again() -> None:
    secret = new_secret()
    known = oracle.chain(secret)
    assert len(known) == LENGTH + 1
    assert anchor_of(secret) == known[-1]
    assert [link_of(secret, place) for place in (0, 1, LENGTH - 1)] == [
        known[-2],
        known[-3],
        secret,
    ]
    assert hashed(known[0]) == sha256(bytes.fromhex(secret)).hexdigest() == known[1]


def test_secrets_have_256_bits_and_do_not_come_again() -> None:
    drawn = {new_secret() for _ in range(100)}
    assert len(drawn) == 100
    assert all(map(is_link, drawn))


@examples(300)
@given(st.text(min_size=1), st.integers(1, 5000), links, links, links, dice)
def test_dice_are_those_of_the_document(
    match: str, roll: int, question: str, mine: str, theirs: str, asked: Dice
) -> None:
    both = {"german": mine, "allied": theirs}
    made = fair_dice(Asked(match, roll, question, asked), both)
    assert asked.check(made)
    kind = asked.count, asked.faces, asked.first
    assert list(made) == oracle.rolled(match, roll, question, both, kind)


def test_dice_change_with_everything_that_makes_them() -> None:
    both = {"a": "0" * 64, "b": "1" * 64}
    asked = Asked("m", 1, "2" * 64, Dice(20))
    others = [
        fair_dice(Asked("n", 1, "2" * 64, Dice(20)), both),
        fair_dice(Asked("m", 2, "2" * 64, Dice(20)), both),
        fair_dice(Asked("m", 1, "3" * 64, Dice(20)), both),
        fair_dice(asked, {**both, "a": "4" * 64}),
        fair_dice(asked, {**both, "b": "4" * 64}),
        fair_dice(asked, {"a": both["b"], "b": both["a"]}),
    ]
    assert fair_dice(asked, both) == fair_dice(asked, dict(reversed(both.items())))
    assert len({fair_dice(asked, both), *others}) == 7


def test_a_number_that_would_favour_low_faces_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**32 - 4 is the first number that six faces can't share evenly."""
    blocks = iter([f"{2**32 - 4:08x}" * 2 + f"{2**32 - 5:08x}" + "00000000" * 5])
    monkeypatch.setattr("grognard.matches.fair_dice.digest", lambda *_: next(blocks))
    asked = Asked("m", 1, "", Dice(2))
    assert fair_dice(asked, {"a": "", "b": ""}) == ((2**32 - 5) % 6 + 1, 1)


def test_every_face_is_as_likely_as_the_others() -> None:
    number = sized(2000)
    both = {"a": new_secret(), "b": new_secret()}
    shown = Counter(
        die for roll in range(number) for die in fair_dice(Asked("m", roll, "q", Dice(6)), both)
    )
    expected = number * 6 / 6
    # A fair set is farther away than this once in a million: 49 with 5 degrees of freedom.
    assert sum((shown[face] - expected) ** 2 / expected for face in range(1, 7)) < 49


# ------------------------------------------------------------------ which chain serves a roll


def test_the_last_chain_begun_before_a_roll_serves_it() -> None:
    chains = [Chain("a", 1, "first"), Chain("a", 7, "second"), Chain("b", 1, "other")]
    served = {roll: chain_for(chains, "a", roll) for roll in (0, 1, 6, 7, 6 + LENGTH, 7 + LENGTH)}
    assert {roll: chain and chain.anchor for roll, chain in served.items()} == {
        0: None,
        1: "first",
        6: "first",
        7: "second",
        6 + LENGTH: "second",
        7 + LENGTH: None,  # used up
    }


def test_a_link_is_the_one_before_the_link_of_the_last_roll() -> None:
    secret = new_secret()
    chains = [Chain("a", 3, anchor_of(secret))]
    third, fourth = link_of(secret, 0), link_of(secret, 1)
    assert link_problem(chains, "a", 3, third, None) is None
    assert link_problem(chains, "a", 4, fourth, third) is None
    for roll, value, before in [
        (3, fourth, None),  # a link too early
        (3, new_secret(), None),  # of another chain
        (4, third, third),  # the same link again
        (4, fourth, None),  # nothing is known of the roll before
        (3, third.upper(), None),
        (3, "", None),
    ]:
        assert "does not belong" in str(link_problem(chains, "a", roll, value, before))
    assert "no chain" in str(link_problem(chains, "b", 3, third, None))
    assert "no chain" in str(link_problem(chains, "a", 2, third, None))


def test_the_example_of_the_document_is_right() -> None:
    text = (Path(__file__).parents[2] / "docs" / "dice.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([^|]+) \| `([^`|]+)` \|$", text, re.MULTILINE))
    links = {}
    for side in ("allied", "german"):
        secret = rows[f"secret of `{side}`"]
        assert oracle.chain(secret)[-1] == anchor_of(secret) == rows[f"anchor of `{side}`"]
        links[side] = link_of(secret, 0)
        assert links[side] == rows[f"link of `{side}`"]
    for name, dice_ in [("five six-sided dice", Dice(5)), ("three ten-sided dice from 0", TEN)]:
        shown = [int(die) for die in rows[name].split()]
        kind = dice_.count, dice_.faces, dice_.first
        asked = Asked(rows["id"], int(rows["roll"]), rows["head"], dice_)
        assert oracle.rolled(asked.match, asked.roll, asked.question, links, kind) == shown
        assert list(fair_dice(asked, links)) == shown
