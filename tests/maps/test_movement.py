"""Movement and supply on random boards, against plain searches written here."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from grognard.games.bautzen.conditions import concentric
from grognard.games.bautzen.field import BautzenField
from grognard.maps import scenario as scenarios
from grognard.maps.board import Board, Map, Piece, Place
from grognard.maps.hexes import Hex, Hexside, Numbering, hexside
from grognard.maps.movement import POINT, parsed, reach, steps
from grognard.words.text import Text
from tests.tiers import examples

FIELD = BautzenField(scenarios.load("weissenberg"))
ROWS = {row.id: row for row in FIELD.card.terrain}
GROUND = [{"clear"}, {"difficult"}, {"wood"}, {"difficult", "wood"}, {"town"}]
ON_IT = [set[str](), {"village"}, {"dominant-position"}, {"village", "dominant-position"}]
WIDTH, HEIGHT = 6, 6
HEXES = [Hex(q, r - q // 2) for q in range(WIDTH) for r in range(HEIGHT)]
SIDES = sorted({hexside(h, n) for h in HEXES for n in h.neighbours() if n in HEXES})


@st.composite
def maps(draw: st.DrawFn) -> Map:
    """Draw a map of several terrains, rivers, lakes and roads."""
    ground, on_it = st.sampled_from(GROUND), st.sampled_from(ON_IT)
    places = {hex_: Place(frozenset(draw(ground) | draw(on_it))) for hex_ in HEXES}
    some = st.sets(st.sampled_from(SIDES), max_size=25)
    water = dict.fromkeys(draw(some), frozenset({"river"}))
    water |= dict.fromkeys(draw(some), frozenset({"lake"}))
    ways = dict.fromkeys(draw(some), frozenset({"road"}))
    around = {hex_: tuple(n for n in hex_.neighbours() if n in places) for hex_ in places}
    sources = {HEXES[0]: "german", HEXES[-1]: "allied"}
    names: dict[Hexside, Text] = {}
    return Map(Numbering("odd"), places, water, ways, names, ROWS, sources, around)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Draw a board with one to four units a side, no two in one hex."""
    sheet = draw(maps())
    spots = draw(st.permutations(HEXES))[: draw(st.integers(2, 8))]
    pieces = []
    for number, hex_ in enumerate(spots):
        side = "german" if number % 2 == 0 else "allied"
        kind = draw(st.sampled_from(["infantry", "armour", "hq", "cl"]))
        pieces.append(
            Piece(
                name=f"{number}",
                side=side,
                nation=side,
                kind=kind,
                unit_class="infantry" if kind == "infantry" else "other",
                size="regiment",
                move=draw(st.integers(1, 6)),
                at=hex_,
            )
        )
    return Board(sheet, tuple(pieces))


def cost_by_hand(board: Board, piece: Piece, path: tuple[Hex, ...]) -> Fraction:
    """Add up a path from the chart's words: hex, river or lake, road, leaving an enemy zone."""
    zone = zones_by_hand(board, "allied" if piece.side == "german" else "german")
    whole = Fraction(0)
    for here, there in pairwise(path):
        costs = list[Fraction]()
        road = bool(board.map.ways_between(here, there))
        water = board.map.between(here, there)
        ground = ground_by_hand(piece, board.map.places[there].terrain, road=road)
        if ground is not None and "lake" not in water:
            costs.append(Fraction(ground + len(water)))
        if road and here not in zone and there not in zone:
            costs.append(Fraction(1, 2))
        whole += min(costs) + (1 if here in zone else 0)
    return whole


def ground_by_hand(piece: Piece, terrain: frozenset[str], *, road: bool) -> int | None:
    """Give the cost of a hex: the dearest terrain, but a village its own; up to a dominant position
    infantry for 2, others along a road for what the other terrain costs."""
    infantry = piece.unit_class == "infantry"
    dear = 1 if infantry else 2
    dearest = max(dear if t in ("difficult", "wood") else 1 for t in terrain)
    ground = 1 if "village" in terrain else dearest
    if "dominant-position" in terrain:
        return 2 if infantry else ground if road else None
    return ground


def zones_by_hand(board: Board, side: str) -> set[Hex]:
    return {
        near
        for piece in board.pieces
        if piece.side == side and piece.kind != "cl" and piece.at
        for near in piece.at.neighbours()
    }


@examples(80)
@given(boards())
def test_a_path_costed_by_hand_costs_what_the_board_says(board: Board) -> None:
    for piece in board.pieces:
        enemy = "allied" if piece.side == "german" else "german"
        zone = zones_by_hand(board, enemy)
        for hex_, way in FIELD.reach(board, piece).items():
            assert way.path[0] == piece.at
            assert way.path[-1] == hex_
            assert cost_by_hand(board, piece, way.path) == way.cost <= piece.move
            assert all(board.side_of(passed) != enemy for passed in way.path)
            assert all(passed not in zone for passed in way.path[1:-1])


@examples(40)
@given(boards())
def test_a_path_walked_hex_by_hex_costs_the_same(board: Board) -> None:
    for piece in board.pieces:
        for hex_, way in FIELD.reach(board, piece).items():
            if hex_ != piece.at:
                assert FIELD.along(board, piece, way.path) == way


@examples(80)
@given(boards(), st.integers(1, 3))
def test_no_legal_retreat_enters_a_forbidden_hex(board: Board, hexes: int) -> None:
    for piece in board.pieces:
        assert piece.at is not None
        enemy = "allied" if piece.side == "german" else "german"
        attackers = tuple(p for p in board.pieces if p.side == enemy)
        if not attackers:
            continue
        zone, enemies = zones_by_hand(board, enemy), {p.at for p in attackers}
        for there in FIELD.retreats(board, (piece,), (piece.at,), hexes):
            assert there.distance(piece.at) == 1
            assert there not in zone
            assert there not in enemies
            lake = "lake" in board.map.between(piece.at, there)
            assert not lake or board.map.ways_between(piece.at, there)
            assert hexes > 1 or len(board.stack(there)) <= 2


@examples(60)
@given(maps(), st.sampled_from(["infantry", "other"]), st.integers(1, 30))
def test_reach_finds_the_cheapest_way_to_everything_in_reach(
    sheet: Map, unit_class: str, allowance: int
) -> None:
    """Against the plainest search: relax every step until nothing changes."""
    table = steps(sheet, unit_class)
    least: dict[Hex, int] = {HEXES[7]: 0}
    changed = True
    while changed:
        changed = False
        for (here, there), step in table.items():
            if here in least and step.across is not None:
                cost = least[here] + step.across.sixths
                if cost <= allowance and cost < least.get(there, allowance + 1):
                    least[there], changed = cost, True
    found = reach(HEXES[7], allowance, sheet.around, lambda a, b, _: table[a, b].across)
    assert {hex_: way.sixths for hex_, way in found.items()} == least


@examples(80)
@given(boards())
def test_supply_is_what_a_plain_search_finds(board: Board) -> None:
    for piece in board.pieces:
        enemy = "allied" if piece.side == "german" else "german"
        zone = zones_by_hand(board, enemy)
        felt = dominated_by_hand(board, enemy)
        friends = {p.at for p in board.pieces if p.side == piece.side}
        enemies = {p.at for p in board.pieces if p.side == enemy}
        open_ = {
            h
            for h in HEXES
            if h not in enemies and (h in friends or (h not in zone and h not in felt))
        }
        seen = {piece.at}
        fringe = [piece.at]
        while fringe:
            here = fringe.pop()
            assert here is not None
            for there in here.neighbours():
                if there in open_ and there not in seen:
                    seen.add(there)
                    fringe.append(there)
        sources = {h for h, side in board.map.sources.items() if side == piece.side}
        supplied = bool(seen & (sources - enemies))
        line = FIELD.supply(board, piece)
        assert line.traced == supplied == (piece.at in FIELD.supplied(board, piece.side))
        if line.traced:
            assert line.path[0] == piece.at
            assert line.path[-1] in sources
            assert all(hex_ in open_ for hex_ in line.path[1:])
            assert all(a.distance(b) == 1 for a, b in pairwise(line.path))
        else:
            assert all(hex_ not in open_ for hex_ in line.cut_by)


def dominated_by_hand(board: Board, side: str) -> set[Hex]:
    held = {
        p.at
        for p in board.pieces
        if p.side == side and p.at and "dominant-position" in board.map.places[p.at].terrain
    }
    return {h for h in HEXES for top in held if top and h.distance(top) <= 2}


@examples(100)
@given(boards())
def test_concentric_is_its_definition(board: Board) -> None:
    for piece in board.pieces:
        assert piece.at is not None
        enemy = "allied" if piece.side == "german" else "german"
        zone = zones_by_hand(board, enemy)
        units = {p.at: p.side for p in board.pieces}
        closed = [
            units.get(h) == enemy or (h in zone and h not in units)
            for h in piece.at.neighbours()
            if h in board.map.places
        ]
        surrounded = len(closed) == 6 and all(closed)
        assert concentric(FIELD, board, piece.at, enemy) == surrounded


def around(*directions: int, friend: int | None = None) -> bool:
    """Put attackers around a defender in open country, as in the printed diagrams."""
    sheet = scenarios.load("weissenberg").board().map
    target = sheet.hex("1909")
    base = Piece(name="", side="german", kind="infantry", unit_class="infantry", size="regiment")
    pieces = [replace(base, name="D", side="allied", at=target)]
    pieces += [replace(base, name=str(d), at=target.step(d)) for d in directions]
    if friend is not None:
        pieces.append(replace(base, name="F", side="allied", at=target.step(friend)))
    return concentric(FIELD, Board(sheet, tuple(pieces)), target, "german")


def test_the_printed_diagrams_of_the_concentric_attack() -> None:
    assert around(0, 3)  # opposite hexes: their zones close the other four
    assert not around(0, 1, 2)  # all on one side
    assert around(0, 2, 4)  # spread around
    assert not around(0, 2, 4, friend=1)  # but not with another defender beside


def test_costs_are_read_as_the_chart_writes_them() -> None:
    assert parsed("1/2") == (POINT // 2, False, False, False)
    assert parsed("1/3") == (POINT // 3, False, False, False)
    assert parsed("+1") == (POINT, True, False, False)
    assert parsed("2 stop") == (2 * POINT, False, True, False)
    assert parsed("+1 adjacent") == (POINT, True, False, True)
    assert [parsed(word) for word in ("other", "way", "no")] == [None] * 3


def test_a_piece_off_the_map_stands_in_no_hex() -> None:
    with pytest.raises(TypeError, match="not on the map"):
        _ = Piece(name="A", side="german", kind="infantry", unit_class="foot").place
