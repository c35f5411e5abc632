"""Each doubt about the whole game of Bautzen 1945: a position in which its choices differ."""

import pytest
from msgspec.structs import replace

from grognard import Refusal
from grognard.fights.table_shift import trimmed
from grognard.games.bautzen import aftermath, campaign, results
from grognard.games.bautzen.field import Moves, breaks_through, breakthrough
from grognard.games.bautzen.stated import BautzenFight
from grognard.maps.board import Board
from grognard.matches.deployment_areas import Areas
from grognard.matches.match import begin
from grognard.matches.orders import AttackOrders, typed
from grognard.matches.protocol import Order
from tests.fields.bautzen_board import Run, setup
from tests.fields.campaign_board import FIELD, NAME, START, at, deployed, field, only, put, roll_of


def numbers(board: Board, hexes: object) -> set[str]:
    assert isinstance(hexes, list | tuple | frozenset | dict)
    return {board.map.number(hex_) for hex_ in hexes}


def cost(board: Board, name: str, to: str, **options: str) -> float | None:
    """Give what a move costs; None where a unit does not get to."""
    found = field(**options).reach(board, board.piece(name)).get(at(board, to))
    return float(found.cost) if found else None


def refusal(board: Board, side: str, order: str, **options: str) -> str:
    """Say why an attack is refused; nothing where it is not."""
    try:
        AttackOrders(field(**options), board, side).check(typed(order))
    except Refusal as problem:
        return str(problem.problem)
    return ""


# ------------------------------------------------------------------ 12 deployment (D 1, 4 to 7)


@pytest.mark.parametrize(
    ("choice", "german", "allied"), [("allied", 0, 4), ("none", 0, 0), ("both", 4, 4)]
)
def test_d1_start_columns(choice: str, german: int, allied: int) -> None:
    board = deployed(start_columns=choice).board
    columns = [piece.side for piece in board.pieces if piece.kind == "cl" and piece.at]
    assert (columns.count("german"), columns.count("allied")) == (german, allied)


def test_d4_places() -> None:
    """11 and 13: the printed numbers miss each place by a row."""
    numbered = only().held([at(START, n) for n in ("1410", "1511", "1911", "2109")], "german")
    named = only().held([at(START, n) for n in ("1409", "1510", "1910", "2108")], "german")
    for board, choice, other in ((named, "names", "numbers"), (numbered, "numbers", "names")):
        assert [c.holds for c in field(places=choice).verdict(board).conditions] == [True] * 3
        assert not field(places=other).verdict(board).conditions[1].holds
        assert campaign.modifier(field(places=choice), board, 4) == 2
        assert campaign.modifier(field(places=other), board, 4) == 0


@pytest.mark.parametrize(
    ("option", "unit", "choices"),
    [
        ("start_464", "QG 464", {"1905": "1905 1904 1906 1804 1805 2004 2005",
                                 "1902": "1902 1901 1903 1801 1802 2001 2002"}),
        ("start_8dp", "QG 8 DP", {"0511": "0511 0510 0512 0410 0411 0610 0611",
                                  "0510": "0510 0509 0511 0409 0410 0609 0610"}),
    ],
)  # fmt: skip
def test_d5_and_d6_where_a_division_deploys(
    option: str, unit: str, choices: dict[str, str]
) -> None:
    for choice, hexes in choices.items():
        areas = Areas(field(**{option: choice}).scenario)
        board = only()
        assert numbers(board, areas.hexes(board, board.piece(unit))) == set(hexes.split())


def test_d7_start_independents() -> None:
    """12.1: one independent unit beside another, with no division near."""
    board = only(("7H", "0506"))
    beside = {"0506", "0505", "0507", "0405", "0406", "0605", "0606"}
    for choice, hexes in (("any_polish", beside), ("formations_only", set())):
        areas = Areas(field(start_independents=choice).scenario)
        assert numbers(board, areas.hexes(board, board.piece("6L"))) == hexes


def order_refused(order: tuple[str, ...], **options: str) -> str:
    """Give the refusal of a German deployment order after the usual Allied set-up."""
    match = begin(NAME, options)
    match.answer(("end",))
    assert isinstance(match.asking, Order)
    assert match.asking.side == "german"
    try:
        match.asking.orders.check(order)
    except Refusal as problem:
        return str(problem.problem)
    return ""


def test_d36_deployment_stacking() -> None:
    """5.2: three mechanised regiments in the wood of 0101 to 0113."""
    for choice, problem in (("both_sides", "6 stacking points; at most 4"), ("allies_only", "")):
        match = begin(NAME, {"deployment_stacking": choice})
        match.answer(("end",))
        for name in ("59/20Pz", "112/20Pz"):
            match.answer(("place", name, "0111"))
        assert isinstance(match.asking, Order)
        try:
            match.asking.orders.check(("place", "21/20Pz", "0111"))
            told = ""
        except Refusal as refused:
            told = str(refused.problem)
        assert told == problem


def test_d38_german_start() -> None:
    """12.1: 1601 belongs to the area of 14 GRD and to that of 546 VGD."""
    order = ("place", "732", "1601")
    assert order_refused(order) == ""
    assert order_refused(order, german_start="outside_allied_areas") == "Allied units deploy there"
    assert order_refused(("place", "732", "1401"), german_start="outside_allied_areas") == ""


def test_d34_kg_615() -> None:
    for choice, steps in (("one", 1), ("two", 2)):
        assert field(kg_615=choice).scenario.board().piece("KG/615").steps == steps


# ------------------------------------------------------------------ 11 (D 11, 12, 35)


def test_d11_guards_line() -> None:
    """11.3: held back in row 04, a German in row 05."""
    board = only(("36/14Gd", "1704"), ("KG/615", "1705"))
    order = "attack 1705 with 36/14Gd"
    assert refusal(board, "allied", order) == ""
    held = "36/14Gd is held back and does not attack there"
    assert refusal(board, "allied", order, guards_line="also_attack") == held
    division = ("36/14Gd", "38/14Gd", "41/14Gd")
    for name in division:
        board = put(board, name, "1704")
    board = board.changed(replace(board.piece("KG/615"), steps=1))
    order = "attack 1705 with 36/14Gd 38/14Gd 41/14Gd"
    won = Run(
        FIELD.carry_out(board, "allied", typed(order)), combat_roll=6, who_advances=division[:2]
    )
    assert not won.board.stack(at(board, "1705"))
    assert {won.board.piece(name).at for name in division} == {at(board, "1704")}  # no advance
    assert won.told("advance-closed")


def test_d12_reinforcement_entry() -> None:
    """11.2: a German beside 2001, another in 2306, whose zone reaches 2305."""
    board = only(("KG 1/464", "2002"), ("KG 2/464", "2306"))
    piece = board.piece("284/95Gd")
    assert numbers(board, FIELD.entries(board, piece)) == {"2001", "2305"}
    assert field(reinforcement_entry="free_of_zoc").entries(board, piece) == []


def test_d35_reinforcement_roll() -> None:
    assert roll_of(START, 4, 5)[1][0] == "reinforcement-result"
    run = Run(campaign.reinforcements(FIELD, START, 4), reinforcement_roll=5)
    assert run.asked[0] == "reinforcement-roll"
    free = field(reinforcement_roll="may_decline")
    run = Run(campaign.reinforcements(free, START, 4), reinforcement_test="no")
    assert (run.asked, run.board) == (["reinforcement-test"], START)
    run = Run(
        campaign.reinforcements(free, START, 4), reinforcement_test="yes", reinforcement_roll=3
    )
    assert run.asked[:2] == ["reinforcement-test", "reinforcement-roll"]


# ------------------------------------------------------------------ 7 supply (D 13 to 19)


def test_d13_supply_check() -> None:
    """7.1: a Soviet who is cut off, in the German combat segment."""
    board = only(("929/254", "0506"), ("KG 1/17", "2001"), ("KG 2/17", "2305"), ("KG 72", "2306"))
    for choice, marked in (("own_phase", False), ("both_sides", True)):
        run = Run(field(supply_check=choice).combat_phase(board, "german", 2))
        assert ("unsupplied" in run.board.piece("929/254").states) == marked


def test_d14_unsupplied_entry() -> None:
    """7.1.2: beside a German column on the dominant position 1406 a unit is cut off, as no line
    reaches it; two hexes away it is supplied. From 1408 the short way to 1606 is 1508, 1507."""
    board = only(("CL G1", "1406"), ("13/5DP", "1408"))
    assert cost(board, "13/5DP", "1606", unsupplied_entry="last_hex") == 2
    assert cost(board, "13/5DP", "1606") == 4
    for choice in ("every_hex", "last_hex"):
        assert cost(board, "13/5DP", "1507", unsupplied_entry=choice) is None


@pytest.mark.parametrize(
    ("choice", "inside", "outside"),
    [("free", 4, 4.5), ("only_to_supply", None, 4.5), ("none", None, 5.5)],
)
def test_d15_pocket_moves(choice: str, inside: float | None, outside: float) -> None:
    """7.1.2: cut off beside the same column, to another hex beside it (1407), and past it (1408),
    where the way around is a point longer."""
    board = only(("CL G1", "1406"), ("13/5DP", "1405"))
    assert at(board, "1405") not in FIELD.supplied(board, "allied")
    assert cost(board, "13/5DP", "1407", pocket_moves=choice) == inside
    assert cost(board, "13/5DP", "1408", pocket_moves=choice) == outside


# The only Allied source that no German occupies, in the zone of one of them.
LAST_SOURCE = (("KG 72", "1901"), ("KG 1/17", "2305"), ("KG 2/17", "2306"))


def test_d16_line_test() -> None:
    """7.1.2: a unit in that source opens it; it shuts behind the unit."""
    board = only(*LAST_SOURCE, ("13/5DP", "2001"))
    assert at(board, "2102") in FIELD.supplied(board, "allied")
    assert cost(board, "13/5DP", "2102") is None
    assert cost(board, "13/5DP", "2102", line_test="before_step") == 2


def test_d17_source_in_zoc() -> None:
    board = only(*LAST_SOURCE)
    assert at(board, "2102") not in FIELD.supplied(board, "allied")
    open_ = field(source_in_zoc="open")
    assert at(board, "2102") in open_.supplied(board, "allied")
    taken = put(board, "KG 72", "2001")
    assert at(board, "2102") not in open_.supplied(taken, "allied")
    left = only(*LAST_SOURCE, ("13/5DP", "2001"))  # and it stays open behind a unit
    assert cost(left, "13/5DP", "2102", source_in_zoc="open") == 2


def test_d18_dominant_lines() -> None:
    """10.4: a column on 1811, as it has no zone of control that would shut the inner ring too."""
    board = only(("CL G1", "1811"))
    for choice, inner in (("within_two", True), ("at_two", False)):
        shut = field(dominant_lines=choice).shut(board, "allied")
        assert (at(board, "1810") in shut) == inner
        assert at(board, "1809") in shut


def test_d19_cl_occupies() -> None:
    board = only(("CL G1", "1812"))
    for choice, counts in (("yes", True), ("no", False)):
        rules = field(cl_occupies=choice)
        there = Run(rules.carry_out(board, "german", ("move", "CL G1", "1811"))).board
        assert (at(board, "1809") in rules.shut(there, "allied")) == counts
        assert (rules.control(there, at(board, "1811")) == "german") == counts
        assert rules.zoc(there, "german") == frozenset()


# ------------------------------------------------------------------ 5, 6, 9 (D 20 to 25, 37)


def test_d20_cl_nation() -> None:
    board = only()
    stack = tuple(map(board.piece, ("13/5DP", "44/15Gd", "CL A1")))
    assert FIELD.stacking_problem(board, at(board, "1609"), stack) is None
    strict = field(cl_nation="one_nation")
    problem = strict.stacking_problem(board, at(board, "1609"), stack)
    assert str(problem) == "units of two nations may not stack"
    assert strict.stacking_problem(board, at(board, "1609"), stack[:2]) is None


def test_d21_joint_attacks() -> None:
    board = only(("13/5DP", "1609"), ("44/15Gd", "1709"), ("KG 72", "1710"))
    order = "attack 1710 with 13/5DP 44/15Gd"
    assert refusal(board, "allied", order) == ""
    apart = "units of two nations do not attack together"
    assert refusal(board, "allied", order, joint_attacks="one_nation") == apart
    assert refusal(board, "allied", "attack 1710 with 44/15Gd", joint_attacks="one_nation") == ""


def test_d22_guest_nation() -> None:
    board = only()
    hex_, guest = at(board, "1609"), tuple(map(board.piece, ("13/5DP", "15/5DP", "44/15Gd")))
    assert FIELD.stacking_problem(board, hex_, guest) is None
    problem = field(guest_nation="same").stacking_problem(board, hex_, guest)
    assert str(problem) == "units of two nations may not stack"
    independent = tuple(map(board.piece, ("14S Arm", "44/15Gd")))  # 5.5 in either case
    assert FIELD.stacking_problem(board, hex_, independent) is not None


def test_d23_independents_support() -> None:
    """9.1: an independent Pole beside the HQ of a division; then beside the army's."""
    board = only(("14S Arm", "1609"), ("QG 5 DP", "1608"), ("KG 72", "1610"))
    for choice, supports in (("corps_or_army", False), ("any_hq", True)):
        rules = field(independents_support=choice)
        unit, hq = board.piece("14S Arm"), board.piece("QG 5 DP")
        found = rules.may_support(board, "allied", hq, at(board, "1610"), [unit])
        assert (found is None) == supports
        army = put(board, "QG 2 AWP", "1608").piece("QG 2 AWP")
        assert rules.may_support(board, "allied", army, at(board, "1610"), [unit]) is None


def test_d24_cl_command() -> None:
    """7.2.2: far from its division's HQ, near that of the army, a column beside it."""
    board = only(("13/5DP", "1609"), ("CL A1", "1609"), ("KG 72", "1610"), ("QG 2 AWP", "1607"))
    order = "attack 1610 with 13/5DP"
    assert setup(board, "allied", order, FIELD).attacker_cl_at_hand == 0
    wide = field(cl_command="also_corps_army")
    assert setup(board, "allied", order, wide).attacker_cl_at_hand == 1
    near = put(board, "QG 5 DP", "1608")
    assert setup(near, "allied", order, FIELD).attacker_cl_at_hand == 1


def test_d25_soviet_corps() -> None:
    """6.1, 9.2: the HQ of 7 GMC beside a regiment of another Soviet division."""
    board = only(("776/214", "1609"), ("24/7Gd", "1609"), ("QG 7 GMC", "1608"), ("13/5DP", "1608"))
    hq = board.piece("QG 7 GMC")
    for choice, others in (("own_formation", False), ("all_soviets", True)):
        rules = field(soviet_corps=choice)
        assert rules.supports_unit(hq, board.piece("776/214")) == others
        assert rules.supports_unit(hq, board.piece("24/7Gd"))
        assert not rules.supports_unit(hq, board.piece("13/5DP"))


def test_d37_gun_nation() -> None:
    """8.6.2: Polish guns behind a Soviet regiment."""
    board = only(("776/214", "1609"), ("6L", "1607"), ("KG 72", "1610"))
    order = "attack 1610 with 776/214 6L"
    assert refusal(board, "allied", order) == ""
    assert refusal(board, "allied", order, gun_nation="same") == "6L supports no engaged unit"


# ------------------------------------------------------------------ 8 combat (D 26, 27)


def test_d26_unsupplied_guns() -> None:
    """7.3: an unsupplied anti-tank brigade (4) with a regiment (3, halved to 1)."""
    board = only(("13/5DP", "1609"), ("9S", "1609"), ("KG 72", "1610"))
    board = board.changed(*(board.piece(n).marked("unsupplied") for n in ("13/5DP", "9S")))
    order = typed("attack 1610 with 13/5DP 9S")
    for choice, total in (("unaffected", 1 + 4), ("as_infantry", 1 + 2)):
        run = Run(field(unsupplied_guns=choice).carry_out(board, "allied", order))
        assert [line.value for line in run.lines if line.id == "attack-total"] == [total]


def test_d27_at_alone() -> None:
    board = only(("9S", "1609"), ("13/5DP", "1608"), ("KG 72", "1610"))
    order = "attack 1610 with 9S"
    assert refusal(board, "allied", order) == "9S only adds to a unit of its hex that attacks"
    assert refusal(board, "allied", order, at_alone="attacks") == ""
    together = put(board, "13/5DP", "1609")
    assert refusal(together, "allied", "attack 1610 with 13/5DP 9S") == ""


# ------------------------------------------------------------------ 4 movement (D 28 to 32)


# A Soviet beside the way of a German from 0404 to the source 0104: 0304 and 0203 are in his zone.
BELT = (("21/20Pz", "0404"), ("929/254", "0303"))


def way_through(board: Board, name: str, **options: str) -> list[str]:
    return [
        board.map.number(hex_) for hex_ in breakthrough(field(**options), board, board.piece(name))
    ]


def test_d28_breakthrough() -> None:
    """4.3: from outside a zone, and from inside."""
    outside = only(*BELT)
    inside = put(outside, "21/20Pz", "0403")
    for choice, way in (("from_anywhere", ["0304", "0203", "0104"]), ("from_zoc", [])):
        assert way_through(outside, "21/20Pz", breakthrough=choice) == way
        assert way_through(inside, "21/20Pz", breakthrough=choice) == ["0304", "0203", "0104"]


def test_d28_no_breakthrough_makes_a_unit_unsupplied() -> None:
    """7.1.2: 1305 is beside no hex that a line passes: a German column stands on 1406."""
    board = only(("CL G1", "1406"), ("13/5DP", "1206"), ("KG 72", "1304"))
    assert way_through(board, "13/5DP") == []
    through = ["1205", "1305", "1404", "1504", "1603"]
    assert way_through(board, "13/5DP", unsupplied_entry="last_hex") == through


def test_d28_breakthrough_dice() -> None:
    """4.3: a second stack has its zone in 0203 as well."""
    board = only(*BELT, ("933/254", "0202"))
    for choice, dice in (("each_hex", 2), ("each_stack", 3)):
        playing = breaks_through(field(breakthrough_dice=choice), board, board.piece("21/20Pz"))
        run = Run(playing, breakthrough_roll=6)
        assert run.asked == ["breakthrough-roll"] * dice
        assert run.board.piece("21/20Pz").steps == 2


@pytest.mark.parametrize(
    ("name", "here", "there", "option", "default", "other"),
    [
        ("21/20Pz", "1402", "1302", "village_cost", ("one", 1), ("dearest", 2)),
        ("13/5DP", "1402", "1302", "village_cost", ("one", 1), ("dearest", 1)),
        ("21/20Pz", "1111", "1112", "hill_wood_cost", ("dearest", 2), ("added", 4)),
        ("13/5DP", "1111", "1112", "hill_wood_cost", ("dearest", 1), ("added", 2)),
        ("13/5DP", "0906", "1006", "hill_wood_cost", ("dearest", 0.5), ("added", 0.5)),
        ("13/5DP", "1005", "1006", "hill_wood_cost", ("dearest", 2), ("added", 2)),
        ("21/20Pz", "1705", "1805", "lake_railway", ("by_rail", 0.5), ("closed", None)),
    ],
)
def test_d29_to_d31_what_a_step_costs(
    name: str,
    here: str,
    there: str,
    option: str,
    default: tuple[str, float],
    other: tuple[str, float | None],
) -> None:
    board = only((name, here))
    for choice, points in (default, other):
        step = field(**{option: choice}).entry(
            board, board.piece(name), at(board, here), at(board, there), first=True
        )
        assert (step.sixths / 6 if step else None) == points


def test_d31_nobody_attacks_across_a_lake_not_even_by_rail() -> None:
    board = only(("21/20Pz", "1705"), ("857/294", "1805"))
    problem = refusal(board, "german", "attack 1805 with 21/20Pz")
    assert problem.startswith("no attack leads across this hexside")
    assert at(board, "1805") in FIELD.zoc(board, "german")


def test_d32_control() -> None:
    """13: from 1909 along the road to 2109."""
    board = only(("13/5DP", "1909"))
    order = ("move", "13/5DP", "2109")
    for choice, passed in (("passing", "allied"), ("ending", None)):
        rules = field(control=choice)
        after = Run(rules.carry_out(board, "allied", order)).board
        assert after.holders.get(at(board, "2009")) == passed
        assert after.holders[at(board, "2109")] == "allied"
    assert at(START, "1811") not in START.holders  # nobody was there


def test_d32_a_breakthrough_takes_hexes_like_a_move() -> None:
    board = only(*BELT)
    for choice, passed in (("passing", "german"), ("ending", None)):
        playing = breaks_through(field(control=choice), board, board.piece("21/20Pz"))
        after = Run(playing, breakthrough_roll=6).board
        assert after.holders.get(at(board, "0203")) == passed
        assert after.holders.get(at(board, "0104")) == "german"


def test_d32_a_retreat_takes_hexes_like_a_move() -> None:
    """8.5: two hexes back, the first of them only passed."""
    board = only(("21/20Pz", "1911"), ("59/20Pz", "1911"), ("861/294", "1910"))
    order = "attack 1910 with 21/20Pz 59/20Pz"
    for choice, passed in (("passing", "allied"), ("ending", None)):
        rules = field(control=choice)
        plan = rules.engagement(board, "german", typed(order))
        fight = trimmed(rules.game.fight(setup(board, "german", order, rules), options={}))
        assert isinstance(fight, BautzenFight)
        fight = replace(fight, retreat=2)
        run = Run(aftermath.retreat(rules, board, plan, fight))
        first, last = (line.value for line in run.lines if line.id == "retreats-to")
        assert run.board.holders.get(at(board, str(first))) == passed
        assert run.board.holders[at(board, str(last))] == "allied"


def test_d33_hidden_stacks() -> None:
    """10.3: two units in a hex, and a dominant position beside it."""
    board = only(("13/5DP", "1710"), ("15/5DP", "1710"), ("KG 72", "1612"))
    assert FIELD.hidden(board, "german") == {"15/5DP"}
    assert field(hidden_stacks="open").hidden(board, "german") == frozenset()
    watched = put(board, "KG 72", "1611")
    beside = put(put(watched, "13/5DP", "1711"), "15/5DP", "1711")
    assert FIELD.hidden(watched, "german") == {"15/5DP"}
    assert FIELD.hidden(beside, "german") == frozenset()
    assert FIELD.hidden(board, "allied") == frozenset()


# ------------------------------------------------------------------ 13 victory (D 3)


def test_d3_encircled() -> None:
    """13: no Allied source serves, so no line leads from Bautzen, although nobody is near it."""
    board = only(("929/254", "1409"), ("933/254", "1510"), *LAST_SOURCE)
    for choice, closed in (("no_supply_line", True), ("ring", False)):
        assert field(encircled=choice).verdict(board).conditions[0].holds == closed


# ------------------------------------------------------------------ at this size


def test_the_moves_worth_listing_keep_to_the_stacking_limit() -> None:
    """5.2: three regiments in clear ground; a fourth may go there, but nobody advises it."""
    board = only(*((name, "1609") for name in ("13/5DP", "15/5DP", "17/5DP")), ("14S Arm", "1608"))
    orders, piece = Moves(FIELD, board, "allied"), board.piece("14S Arm")
    there = ("move", "14S Arm", "1609")
    assert there in orders.moves(piece)
    assert there not in orders.sound_moves(piece)
    assert set(orders.samples(piece)) <= set(orders.moves(piece))
    assert any(orders.samples(piece))


def test_forty_attackers_are_offered_only_the_groups_that_fit() -> None:
    """8.4: at most three regiments enter a clear hex, whoever of forty they are."""
    groups = results.fitting(tuple((f"unit {n}", 2) for n in range(40)), 6)
    assert len(groups) == 1 + 40 + 780 + 9880
    assert results.fitting((("column", 1), ("brigade", 3), ("corps", 4)), 4) == (
        (),
        ("column",),
        ("brigade",),
        ("corps",),
        ("column", "brigade"),
    )
