"""The cache of matches in use: bounded in number and in bytes, whatever order they are used in."""

from pathlib import Path
from random import Random

from grognard.matches.storage.rows import New
from grognard.matches.storage.store import Store
from grognard.web.matches.known_facts import KnownFacts
from grognard.web.matches.match_cache import COPY, Copies


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


def test_known_facts_begin_anew_when_they_are_many() -> None:
    known = KnownFacts[int](3)
    for fact in range(3):
        known.add(fact)
    assert all(fact in known for fact in range(3))
    known.add(3)
    assert 3 in known
    assert 0 not in known
