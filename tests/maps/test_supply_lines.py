"""Supply lines: the shortest way, what cuts it, how long it may be."""

from grognard.maps.hexes import Hex
from grognard.maps.supply_lines import Supply, trace

ROW = [Hex(q, 0) for q in range(6)]
AROUND = {hex_: tuple(h for h in hex_.neighbours() if h in ROW) for hex_ in ROW}


def line(
    shut: tuple[int, ...] = (), longest: int | None = None, *, ford: int | None = None
) -> Supply:
    """Trace from the first hex of a row to its last; `ford` names a hex that can't be entered."""
    return trace(
        AROUND,
        ROW[0],
        lambda hex_: hex_ == ROW[-1],
        {ROW[place] for place in shut},
        passes=lambda _, there: ford is None or there != ROW[ford],
        longest=longest,
    )


def test_a_line_is_the_way_to_its_source() -> None:
    assert line() == Supply(tuple(ROW))
    assert line().traced


def test_a_shut_hex_cuts_a_line_but_not_where_the_unit_stands() -> None:
    assert line(shut=(3,)) == Supply((), (ROW[3],))
    assert not line(shut=(3,)).traced
    assert line(shut=(0,)).traced


def test_a_line_may_be_too_long_or_meet_ground_that_it_does_not_pass() -> None:
    assert line(longest=5).traced
    assert line(longest=4) == Supply(())
    assert line(ford=2) == Supply(())
