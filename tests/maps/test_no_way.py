"""Why a hex can't be reached: reasons by hand from the rules, and on random boards against a plain
search written here."""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from grognard.maps import scenario as scenarios
from grognard.maps.board import Board, Piece
from grognard.maps.hexes import Hex
from grognard.maps.movement import POINT
from grognard.matches.field import Field
from grognard.matches.match import begin, new_field
from grognard.words.numbers import mixed
from grognard.words.refusal import Refusal
from tests.tiers import sized

BOARDS = sized(12, soak=400)  # random boards of each scenario
SCENARIOS = ("weissenberg", "carrefour", "steppe", "pulkovo")
STATES = {"steppe": "disrupted", "weissenberg": "unsupplied", "pulkovo": "routed"}


@cache
def field(name: str, options: tuple[tuple[str, str], ...] = ()) -> Field:
    scenario = scenarios.load(name)
    return new_field(replace(scenario, options={**scenario.options, **dict(options)}))


def board(name: str, where: Mapping[str, str], *states: str) -> Board:
    """Set up these units only; the first of them has the states."""
    whole = scenarios.load(name).board()
    first = next(iter(where))
    pieces = tuple(
        replace(
            piece,
            at=whole.map.hex(where[piece.name]) if piece.name in where else None,
            states=frozenset(states) if piece.name == first else frozenset(),
        )
        for piece in whole.pieces
    )
    return replace(whole, pieces=pieces, holders={}, pools={})


def reason(name: str, to: str, where: Mapping[str, str], *states: str, **options: str) -> str:
    """Say why the first of some units can't move to a hex."""
    on, rules = board(name, where, *states), field(name, tuple(options.items()))
    with pytest.raises(Refusal) as refused:
        rules.route(on, on.piece(next(iter(where))), (to,))
    return str(refused.value)


# ------------------------------------------------------------------ by hand


def test_bautzen_says_why() -> None:
    # 2109 and 2011 cost 1, the road 2109-2009-2010 and the one into 2112 1/2 for each hex.
    assert reason("weissenberg", "2112", {"QG 2 AWP": "2108"}) == "2112: 3½ MP of 3"
    # 7.3: an unsupplied armoured unit has half of its 10; seven road hexes at 1/2 to 1607, 1707 at
    # 1 and a wood at 2.
    assert reason("weissenberg", "1706", {"21/20Pz": "1913"}, "unsupplied") == "1706: 6½ MP of 5"
    # 3: the enemy is never entered; 4: and nobody passes through him: 2 to leave his zone for 1912,
    # 3 for six hexes by road to 1709, 1808 and 1909 at 1.
    beside = {"21/20Pz": "1911", "861/294": "1910"}
    assert reason("weissenberg", "1910", beside) == "1910: the enemy is there"
    around = reason("weissenberg", "1909", beside, "unsupplied")
    assert around == "1909: 7 MP of 5; enemy at 1910"
    # 4: never straight from zone to zone; out of the zone (+1) to 1907 and into the wood takes 4.
    apart = {"QG 2 AWP": "1807", "KG 72": "1707"}
    assert reason("weissenberg", "1806", apart) == "1806: 4 MP of 3; ZOC at 1806"
    # The chart: a lake is closed to all, a dominant position open to others by road only.
    shore = {"21/20Pz": "1708", "861/294": "1607"}
    lake = reason("weissenberg", "1707", shore, "unsupplied")
    assert lake == "1707: 5½ MP of 5; Lake between 1708 and 1707 is closed to it"
    up = {"1 KP": "1810", "21/20Pz": "1812"}
    closed = reason("weissenberg", "1811", up, dominant_in_zoc="closed")
    assert closed == "1811: Dominant position only by road or rail"
    # 5.2: 2 + 2 + 2 + 2 + 4 points in clear terrain, which has room for 6, if each move is checked.
    pile = {"21/20Pz": "1912", "112/20Pz": "1913", "KG 1/17": "1913", "59/20Pz": "1913"}
    full = reason("weissenberg", "1913", pile | {"QG 57 PzK": "1913"}, stacking_check="each_move")
    assert full == "1913: 12 stacking points; at most 6"
    # 7.1.2: nobody enters a hex where he would be unsupplied: 857/294 in 2108 cuts 2207 off.
    start = field("weissenberg").scenario.board()
    problem = field("weissenberg").move_problem(start, start.piece("KG 72"), start.map.hex("2207"))
    assert str(problem) == "2207: KG 72 would be unsupplied there"


def test_normandy_says_why() -> None:
    # The chart: flooded hexes are closed to mechanised units and end the move of others.
    closed = reason("carrefour", "0402", {"70 Tk": "0401"})
    assert closed == "0402: Flooded is closed to it"
    # A move ends in an enemy zone; by the road through 0505 it would cost 1 1/2.
    zone = {"8/4": "0506", "1058/91": "0504"}
    assert reason("carrefour", "0504", zone) == "0504: the enemy is there"
    assert reason("carrefour", "0502", zone) == "0502: 7 MP of 4; ZOC at 0505"
    # Three units in a hex at most, HQs not counted.
    pile = {"8/4": "0401", "22/4": "0403", "505/82": "0403", "39/9": "0403"}
    assert reason("carrefour", "0403", pile) == "0403: 4 units in the hex; at most 3"
    # 9.8: strategic movement never begins in an enemy zone, nor with a disorganised unit.
    on = board("carrefour", {"8/4": "0505", "1058/91": "0504"})
    strategic = field("carrefour")
    with pytest.raises(Refusal, match="in an enemy ZOC: no strategic movement"):
        strategic.strategic_route(on, on.piece("8/4"), "0508")  # type: ignore[attr-defined]
    on = board("carrefour", {"8/4": "0506", "1058/91": "0504"})
    with pytest.raises(Refusal, match="0505: ZOC at 0505"):
        strategic.strategic_route(on, on.piece("8/4"), "0505")  # type: ignore[attr-defined]


def test_panzer_grenadier_says_why() -> None:
    # 5: a disrupted unit moves one hex.
    assert reason("steppe", "0102", {"Gren 1": "0104"}, "disrupted") == "0102: 2 hexes of 1"
    assert reason("steppe", "0305", {"Flak 88": "0304"}) == "Flak 88 does not move"
    assert reason("steppe", "0308", {"Wagon": "0307"}) == "0308: Marsh is closed to it"
    enemy = {"Gren 1": "0604", "Rifles 1": "0605"}
    assert reason("steppe", "0605", enemy) == "0605: the enemy is there"
    # 4.4: three combat units in a hex.
    pile = {"Gren 1": "0304", "Gren 2": "0305", "Gren 3": "0305", "Pz IV": "0305"}
    assert reason("steppe", "0305", pile) == "0305: more than 3 combat units in the hex"
    # 5.7: no one crosses the river without engineers; the ford is six points away.
    river = reason("steppe", "0503", {"Gren 1": "0403"})
    assert river.startswith("0503: 6 MP of 3; ")
    assert river.endswith(" between 0403 and 0503 is closed to it")


def test_white_october_says_why() -> None:
    # Around the marsh: six hexes at 1.
    assert reason("pulkovo", "0409", {"Talabsk": "0404"}) == "0409: 6 MP of 4"
    sea = reason("pulkovo", "0302", {"Talabsk": "0303"})
    assert sea == "0302: Gulf of Finland is closed to it"
    woods = reason("pulkovo", "0207", {"Brown Bear": "0307"})
    assert woods == "0207: woods is closed to it"
    barred = {"Talabsk": "0306", "Sailors": "0305"}
    assert reason("pulkovo", "0303", barred) == "0303: 8 MP of 4; enemy at 0305"
    routed = {"Talabsk": "0307", "Sailors": "0305"}
    wary = "0306: Talabsk is routed and goes to no enemy zone of control"
    assert reason("pulkovo", "0306", routed, "routed") == wary
    alone = {"Trotsky": "0604", "Sailors": "0604"}
    assert reason("pulkovo", "0705", alone) == "0705: Trotsky ends a move only with a unit"


def test_a_named_path_is_refused_at_the_step_that_is_wrong() -> None:
    on = board("weissenberg", {"21/20Pz": "1912", "861/294": "1910"})
    for path, why in (
        (("1912", "1913"), "1913: 1912 is not beside 1912"),
        (("1911", "1910"), "1910: enemy at 1910|1910: ZOC at 1911"),
        (("1911", "1912"), "1912: ZOC at 1911"),
        (("1913", "2211"), "2211: 2211 is not beside 1913"),
    ):
        with pytest.raises(Refusal, match=why):
            field("weissenberg").route(on, on.piece("21/20Pz"), path)


def test_the_reasons_are_french_too() -> None:
    on = board("carrefour", {"8/4": "0506", "1058/91": "0504"})
    problem = field("carrefour").move_problem(on, on.piece("8/4"), on.map.hex("0502"))
    words = problem.in_("fr")
    assert words.replace("\N{NARROW NO-BREAK SPACE}", " ").replace("\xa0", " ") == (
        "0502 : 7 PM sur 4 ; ZdC en 0505"
    )


def test_an_order_is_refused_with_the_reason() -> None:
    match = begin("weissenberg")
    with pytest.raises(Refusal, match="1910: the enemy is there"):
        match.answer(("move", "21/20Pz", "1910"))


# ------------------------------------------------------------------ on random boards


def random_board(name: str, random: Random) -> Board:
    """Scatter the units of a scenario; no two sides in one hex, some units in a bad state."""
    whole = scenarios.load(name).board()
    hexes = random.sample(list(whole.map.places), len(whole.map.places) // 2)
    owners: dict[Hex, str] = {}
    pieces = []
    for piece in whole.pieces:
        spot = random.choice(hexes)
        fits = owners.setdefault(spot, piece.side) == piece.side
        states = {STATES[name]} if name in STATES and random.random() < 0.3 else set()
        pieces.append(
            replace(piece, at=spot if fits else None, states=frozenset(states), arrives=0)
        )
    pools = {"weather": random.randrange(3)} if name == "carrefour" else {}
    return replace(whole, pieces=tuple(pieces), pools=pools)


def plain_costs(rules: Field, on: Board, piece: Piece) -> list[tuple[dict[Hex, int], int]]:
    """Find the cost of every hex, however dear, by going round until nothing gets cheaper; with
    the allowance. One entry for each way of moving."""
    found = []
    for mobility in rules.mobilities(on, piece):
        zone, closed = rules.zoc(on, rules.enemy(piece.side)), rules.closed(on, piece)
        closed |= rules.off_limits(on, piece)
        going: dict[Hex, int] = {piece.place: 0}  # hexes from which the move goes on
        best: dict[Hex, int] = {piece.place: 0}
        changed = True
        while changed:
            changed = False
            for here, spent in list(going.items()):
                for there in on.map.around[here]:
                    step = mobility.ground(here, there, here == piece.place)
                    zones = (here in zone) + (there in zone)
                    if step is None or there in closed or (zones == 2 and not rules.zoc_to_zoc):
                        continue
                    cost = spent + step.sixths + (rules.zoc_exit if here in zone else 0)
                    stops = step.stop or (there in zone and rules.zoc_stops)
                    for costs in (best,) if stops else (best, going):
                        if cost < costs.get(there, cost + 1):
                            costs[there], changed = cost, True
        found.append((best, mobility.allowance))
    return found


def check_reason(rules: Field, on: Board, piece: Piece, hex_: Hex, words: str) -> None:
    """Check every part of a reason against the board."""
    number, _, said = words.partition(": ")
    costs = plain_costs(rules, on, piece)
    if not costs:
        assert words == f"{piece.name} does not move"
        return
    assert number == on.map.number(hex_)
    _, cost, most = min(
        (best.get(hex_, 1 << 50) - most, best.get(hex_), most) for best, most in costs
    )
    if ending := rules.may_end(on, piece, hex_):
        said = said.replace(str(ending), "ENDING")
    for part in said.split("; "):
        if found := re.fullmatch(r"(\S+) (?:MP|hexes) of (\S+)", part):
            assert cost is not None
            assert cost > most
            shown = [str(mixed(Fraction(sixths, POINT))) for sixths in (cost, most)]
            assert list(found.groups()) == shown
        else:
            check_obstacle(rules, on, piece, hex_, part)


def check_obstacle(rules: Field, on: Board, piece: Piece, hex_: Hex, part: str) -> None:
    """Check what is said to be in the way, or that the piece may not stay in the hex."""
    if found := re.fullmatch(r"ZOC at (\S+)", part):
        assert on.map.hex(found[1]) in rules.zoc(on, rules.enemy(piece.side))
    elif found := re.fullmatch(r"enemy at (\S+)", part):
        assert on.map.hex(found[1]) in rules.closed(on, piece)
    elif found := re.fullmatch(r"it may not enter (\S+)", part):
        assert on.map.hex(found[1]) in rules.off_limits(on, piece)
    elif part == "the enemy is there":
        assert hex_ in rules.closed(on, piece)
    elif found := re.search(r"between (\S+) and (\S+) (?:is|only)", part):
        step = map(on.map.hex, found.groups())
        assert rules.entry(on, piece, *step, first=False) is None
    elif found := re.search(r" at (\S+) (?:is closed|only|ends)|ends at (\S+)$", part):
        assert on.map.has(found[1] or found[2])
    elif re.search(r"is closed to it$|only by road or rail$", part):
        around = on.map.around[hex_]
        assert any(rules.entry(on, piece, here, hex_, first=False) is None for here in around)
    else:
        assert part == "ENDING"


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_hex_is_within_reach_or_has_a_true_reason(name: str) -> None:
    random, rules = Random(name), field(name)
    for _ in range(BOARDS):
        on = random_board(name, random)
        piece = random.choice([piece for piece in on.pieces if piece.at is not None])
        reached = rules.reach(on, piece)
        costs = plain_costs(rules, on, piece)
        for hex_ in on.map.places:
            if hex_ == piece.at:
                continue
            within = [best[hex_] for best, most in costs if best.get(hex_, most + 1) <= most]
            if within and rules.may_end(on, piece, hex_) is None:
                assert reached[hex_].sixths == min(within)
            else:
                assert hex_ not in reached
                words = rules.move_problem(on, piece, hex_)
                check_reason(rules, on, piece, hex_, str(words))
