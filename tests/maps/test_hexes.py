from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard import Refusal
from grognard.maps.hexes import Hex, Numbering, hexside, line, ring, within

hexes = st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30))
numberings = st.sampled_from([Numbering("odd"), Numbering("even")])


def numbers(*hexes: Hex, lower: Literal["odd", "even"]) -> set[str]:
    return {Numbering(lower).number(hex_) for hex_ in hexes}


def test_the_neighbours_of_1910_in_both_conventions() -> None:
    odd = Numbering("odd").hex("1910").neighbours()
    even = Numbering("even").hex("1910").neighbours()
    # Where odd columns stand lower, column 19 lies half a hex below 18 and 20.
    assert numbers(*odd, lower="odd") == {"1909", "1911", "1810", "1811", "2010", "2011"}
    assert numbers(*even, lower="even") == {"1909", "1911", "1809", "1810", "2009", "2010"}


def test_neighbours_go_clockwise_from_the_top() -> None:
    odd = Numbering("odd")
    around = [odd.number(hex_) for hex_ in odd.hex("1910").neighbours()]
    assert around == ["1909", "2010", "2011", "1911", "1811", "1810"]


@given(numberings, st.integers(0, 99), st.integers(0, 99))
def test_a_number_names_one_hex_and_back(numbering: Numbering, column: int, row: int) -> None:
    number = f"{column:02}{row:02}"
    assert numbering.number(numbering.hex(number)) == number


@pytest.mark.parametrize("number", ["", "19", "191", "19100", "19a0", "-910"])
def test_what_is_no_hex_number_is_refused(number: str) -> None:
    with pytest.raises(Refusal, match="1910"):
        Numbering().hex(number)


@given(hexes, hexes, hexes)
def test_distance_is_a_distance(a: Hex, b: Hex, c: Hex) -> None:
    assert a.distance(b) == b.distance(a)
    assert (a.distance(b) == 0) == (a == b)
    assert a.distance(c) <= a.distance(b) + b.distance(c)


@given(hexes, st.integers(0, 5))
def test_a_neighbour_is_found_again_by_its_direction(hex_: Hex, direction: int) -> None:
    other = hex_.step(direction)
    assert hex_.distance(other) == 1
    assert hex_.direction(other) == direction
    assert other.step(direction + 3) == hex_
    assert hex_.side(direction) == other.side(direction + 3) == hexside(other, hex_)


def test_there_is_no_side_between_hexes_apart() -> None:
    with pytest.raises(ValueError, match="no neighbours"):
        hexside(Hex(0, 0), Hex(2, 0))


@given(hexes, st.integers(0, 6))
def test_a_ring_is_all_that_is_at_its_distance(centre: Hex, radius: int) -> None:
    found = list(ring(centre, radius))
    square = range(-radius, radius + 1)
    near = {Hex(centre.q + q, centre.r + r) for q in square for r in square}
    assert len(found) == len(set(found)) == (6 * radius or 1)
    assert set(found) == {hex_ for hex_ in near if hex_.distance(centre) == radius}
    assert set(within(centre, radius)) == {h for h in near if h.distance(centre) <= radius}


@given(hexes, hexes)
def test_a_line_goes_from_neighbour_to_neighbour(a: Hex, b: Hex) -> None:
    passed = line(a, b)
    assert passed[0] == (a,)
    assert passed[-1] == (b,)
    assert len(passed) == a.distance(b) + 1
    for step, here in enumerate(passed):
        assert len(here) in (1, 2)
        assert all(hex_.distance(a) == step for hex_ in here)
    assert [set(here) for here in line(b, a)] == [set(here) for here in reversed(passed)]


def test_a_line_along_a_hexside_names_both_hexes() -> None:
    assert [set(here) for here in line(Hex(0, 0), Hex(2, -1))] == [
        {Hex(0, 0)},
        {Hex(1, -1), Hex(1, 0)},
        {Hex(2, -1)},
    ]
