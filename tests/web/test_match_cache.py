"""The cache of matches in use: bounded in number and in bytes, whatever order they are used in."""

from pathlib import Path
from random import Random

import pytest

from grognard.fights.work_budget import TooHeavy
from grognard.matches.storage.rows import Kept, New, Standing, Unusable
from grognard.matches.storage.store import Store
from grognard.web.lanes.answering import Cold
from grognard.web.matches.known_facts import KnownFacts
from grognard.web.matches.match_cache import COPY, Copies, Copy
from grognard.web.responses import HttpRefusal
from grognard.words.message import say
from grognard.words.refusal import Refusal


def test_copies_stay_within_number_and_bytes(tmp_path: Path) -> None:
    random = Random(5)
    with Store(tmp_path / "matches.sqlite") as store:
        ids = [store.keep(New(name="", scenario="pulkovo", options={})).id for _ in range(6)]
        for most, size in ((4, 100 * COPY), (100, 3 * COPY), (100, 1)):
            copies = Copies(store, most, size)
            for _ in range(30):
                with copies.seen(random.choice(ids)):
                    pass
                places = copies._places
                assert copies._used == sum(place.size for place in places.values())
                assert len(places) == 1 or (len(places) <= most and copies._used <= size)


def failed(copies: Copies, id_: str, failure: Exception, *, ahead: bool = False) -> Copy:
    """Give the copy that a request had which failed."""
    try:
        with copies.seen(id_) as copy:
            copy.ahead = ahead
            raise failure
    except type(failure):
        return copy


@pytest.mark.parametrize(
    "failure", [TooHeavy(), HttpRefusal(429, Refusal(say("x"))), Refusal(say("x")), Cold()]
)
def test_a_copy_stays_after_a_refusal_and_for_work_that_goes_elsewhere(
    tmp_path: Path, failure: Exception
) -> None:
    """Whoever asks next needs no replay."""
    with Store(tmp_path / "matches.sqlite") as store:
        id_ = store.keep(New(name="", scenario="weissenberg", options={})).id
        copies = Copies(store, 4)
        first = failed(copies, id_, failure)
        store.append(id_, 0, [["end"]], Standing())  # by another process
        with copies.seen(id_) as again:
            assert again is first
            assert len(again.match.answers) == 1


def test_a_copy_that_is_ahead_of_the_store_or_broken_is_replayed(tmp_path: Path) -> None:
    with Store(tmp_path / "matches.sqlite") as store:
        id_ = store.keep(New(name="", scenario="weissenberg", options={})).id
        copies = Copies(store, 4)
        for failure, ahead in ((TooHeavy(), True), (RuntimeError(), False)):
            first = failed(copies, id_, failure, ahead=ahead)
            with copies.seen(id_) as again:
                assert again is not first


def test_a_copy_stays_while_the_store_can_not_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "matches.sqlite") as store:
        id_ = store.keep(New(name="", scenario="weissenberg", options={})).id
        copies = Copies(store, 4)
        with copies.seen(id_) as first:
            pass

        def away(_: str) -> Kept:
            raise Unusable(say("x"))

        monkeypatch.setattr(store, "get", away)
        with pytest.raises(Unusable), copies.seen(id_):
            pass
        monkeypatch.undo()
        with copies.seen(id_) as again:
            assert again is first


def test_known_facts_begin_anew_when_they_are_many() -> None:
    known = KnownFacts[int](3)
    for fact in range(3):
        known.add(fact)
    assert all(fact in known for fact in range(3))
    known.add(3)
    assert 3 in known
    assert 0 not in known
