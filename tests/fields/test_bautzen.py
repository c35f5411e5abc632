"""Bautzen 1945 on the map: the printed example, zones, movement, stacking, supply."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from grognard.games.bautzen.field import Moves, breakthrough
from grognard.games.bautzen.ground import ALLIED, GERMAN
from grognard.maps.board import Piece
from grognard.maps.movement import POINT
from grognard.matches.match import Match, begin
from grognard.matches.orders import AttackOrders, typed
from grognard.matches.protocol import END
from grognard.rules.ask import Choose
from grognard.rules.line import Line
from grognard.words.refusal import Refusal
from tests.fields.bautzen_board import (
    ASSAULT,
    FIELD,
    NAME,
    SHEET,
    WHOLE,
    Run,
    at,
    attack,
    board,
    changed,
    cost,
    numbers,
    path,
    played,
    setup,
    where,
)

# ------------------------------------------------------------------ the printed example


def example(die: int = 5) -> Match:
    """The example up to the defender's answer."""
    match = begin(NAME)
    match.answer(END)
    match.answer(typed(ASSAULT))
    match.answer(("QG 294",))
    match.answer(((0, 0), (1, 0)))
    match.answer((die,))
    return match


def lines(match: Match) -> list[Line]:
    return [entry for entry in match.log if isinstance(entry, Line)]


def test_the_printed_example_on_the_board() -> None:
    match = example()
    told = lines(match)
    totals = [(line.id, line.value) for line in told if line.kind == "total"]
    assert totals == [
        ("support-total", 12),
        ("attack-total", 26),
        ("support-total", 2),
        ("defence-total", 6),
    ]
    columns = [(line.id, line.value) for line in told if line.kind == "column"]
    assert columns == [("basic-column", "4/1"), ("final-column", "3/1")]
    counted = {line.id: (line.changes, line.value) for line in told if line.kind == "modifier"}
    assert counted == {
        "formation": ("die", 1),
        "river": ("die", -1),
        "village": ("die", -1),
        "defender-cl": ("column", -1),
    }
    notes = [line.in_("en") for line in told if line.id in ("across", "formation-attacks")]
    assert notes == [
        "Formation 20 Pz attacks with all its units",
        "Across the Löbauer Wasser: 112/20 from 1911",
    ]
    assert [line.value for line in told if line.id == "look-up"] == ["1/2"]


def test_the_printed_example_to_its_end() -> None:
    match = example()
    for answer in ("112/20", 2, ("21/20", "50/20")):
        match.answer(answer)
    retreats = []
    for hex_ in ("1909", "1808"):
        ask = match.asking
        assert isinstance(ask, Choose)
        retreats.append(set(ask.options))
        match.answer(hex_)
    # From 1910 only 1909 and 2009 are free of German zones.
    assert retreats[0] == {"1909", "2009"}
    assert "1808" in retreats[1]
    on = match.board
    assert (where(on, "861/294"), on.piece("861/294").steps) == ("1808", 2)
    assert on.piece("112/20").steps == 1
    assert (where(on, "21/20"), where(on, "50/20"), where(on, "112/20")) == ("1910", "1910", "1911")
    assert (where(on, "CL A1"), where(on, "CL G1")) == ("", "1811")
    assert on.holders[at("1910")] == GERMAN
    marks = {piece.name: set(piece.states) for piece in on.pieces if piece.states}
    assert marks == {
        **{name: {"attacked"} for name in ("21/20", "50/20", "112/20")},
        **{name: {"supported"} for name in ("QG 20 Pz", "QG 57 PzK")},
        "QG 294": {"defended"},
        "861/294": {"retreated"},
    }
    assert on.pools.get("air_used", 0) == 0
    assert match.verdict().points == {GERMAN: 3, ALLIED: 6}
    match.answer(END)
    assert not any(piece.states for piece in match.board.pieces)


def test_german_columns_would_stand_at_hand_in_the_example() -> None:
    stated = setup(WHOLE, GERMAN, ASSAULT)
    assert (stated.attacker_cl_at_hand, stated.defender_cl_at_hand) == (1, 1)
    assert (stated.attacker_air_at_hand, stated.defender_air_at_hand) == (0, 3)
    assert not stated.concentric
    assert stated.can_retreat


# ------------------------------------------------------------------ 3 zones of control


def test_a_zone_of_control_ends_a_move_and_no_step_leads_into_the_next() -> None:
    on = board({"21/20": "1911", "861/294": "1909"})
    assert numbers(FIELD.zoc(on, ALLIED)) == {"1908", "1910", "1808", "1809", "2008", "2009"}
    assert cost(on, "21/20", "1910") == 2  # a clear hex across a river; no road into a zone
    assert path(on, "21/20", "1809") == ["1911", "1810", "1809"]  # never 1910 1809
    assert cost(on, "21/20", "1809") == 3
    assert cost(on, "21/20", "1909") is None


def test_leaving_a_zone_costs_a_point_more() -> None:
    on = board({"21/20": "1910", "861/294": "1909"})
    assert cost(on, "21/20", "1810") == 2
    assert cost(on, "21/20", "1911") == 3  # with the river, and no road out of a zone
    assert path(on, "21/20", "1809") == ["1910", "1810", "1809"]


def test_a_logistic_column_has_no_zone_and_an_hq_has() -> None:
    assert not FIELD.zoc(board({"CL A1": "1909"}), ALLIED)
    assert len(FIELD.zoc(board({"QG 294": "1909"}), ALLIED)) == 6


# ------------------------------------------------------------------ 4 movement


def test_a_road_costs_half_a_point_and_bridges_the_river() -> None:
    on = board({"21/20": "1914", "Gr 545": "1613"})
    assert cost(on, "21/20", "1911") == Fraction(3, 2)
    assert cost(on, "21/20", "1906") == 4
    assert cost(on, "Gr 545", "1812") == 1


@pytest.mark.parametrize(
    ("start", "to", "infantry", "other"),
    [
        ("1912", "2012", Fraction(1, 2), Fraction(1, 2)),  # road
        ("2013", "2014", 1, 1),  # clear
        ("2010", "2011", 2, 3),  # difficult, across the river
        ("1711", "1712", 1, 2),  # wood
        ("1711", "1811", 1, 2),  # difficult with wood: the dearest counts
        ("1810", "1711", 2, 2),  # clear, across the river
        ("2014", "2013", 1, 1),  # town
    ],
)
def test_terrain_costs_by_class(start: str, to: str, infantry: Fraction, other: Fraction) -> None:
    assert cost(board({"Gr 545": start}), "Gr 545", to) == infantry
    assert cost(board({"21/20": start}), "21/20", to) == other


def test_no_step_and_no_attack_leads_across_a_lake() -> None:
    on = board({"21/20": "2106", "Gr 545": "2106", "861/294": "2107"}, held=False)
    for name in ("21/20", "Gr 545"):
        walked = FIELD.reach(on, on.piece(name)).get(at("2206"))
        assert walked is None or len(walked.path) > 2
    assert cost(board({"21/20": "2106"}), "21/20", "2107") == 2  # around it
    with pytest.raises(Refusal, match="no attack leads across this hexside: Lake"):
        AttackOrders(FIELD, on, GERMAN).check(("attack", "2107", "21/20"))


def test_a_dominant_position_is_open_to_others_than_infantry_by_road_only() -> None:
    assert cost(board({"1 KP": "1908"}), "1 KP", "2208") == Fraction(3, 2)
    on = board({"1 KP": "2209"})
    assert path(on, "1 KP", "2208") == ["2209", "2109", "2108", "2208"]
    assert cost(on, "1 KP", "2208") == Fraction(5, 2)
    assert cost(board({"857/294": "2209"}), "857/294", "2208") == 2
    far = board({"2/7 GvCC": "2207", "21/20": "2008"})  # 2108 is in a German zone
    assert cost(far, "2/7 GvCC", "2208") is None


def test_a_unit_moves_once_and_only_its_own_side_moves_it() -> None:
    on = changed(board({"21/20": "1914", "861/294": "1906"}), "21/20", "moved")
    for order, words in (
        (("move", "21/20", "1913"), "moved already"),
        (("move", "861/294", "1907"), "not yours"),
        (("break", "21/20"), "moved already"),
        (("move", "Pi 70", "1913"), "not on the map"),
    ):
        with pytest.raises(Refusal, match=words):
            Moves(FIELD, on, GERMAN).check(order)


# ------------------------------------------------------------------ 4.3 breaking through


def test_breaking_through_rolls_for_every_hex_in_a_zone() -> None:
    on = board({"21/20": "1910", "861/294": "1810"})
    assert ("break", "21/20") in Moves(FIELD, on, GERMAN).all()
    way = breakthrough(FIELD, on, on.piece("21/20"))
    assert [SHEET.number(hex_) for hex_ in way] == ["1911", "1912", "1913", "1914"]
    for die, steps in ((1, 1), (2, 1), (3, 2), (6, 2)):
        run = Run(FIELD.carry_out(on, GERMAN, ("break", "21/20")), breakthrough_roll=die)
        assert run.asked == ["breakthrough-roll"]
        assert run.board.piece("21/20").steps == steps
        assert where(run.board, "21/20") == "1914"
        assert "moved" in run.board.piece("21/20").states


def test_breaking_through_two_zones_may_kill() -> None:
    on = board({"21/20": "1910", "861/294": "1810", "859/294": "2011"})
    # No line reaches 1911, so a supplied unit does not enter it (7.1.2), unless only the last hex
    # counts. 1911 and 1912 take 3 and 2 points; 1913 lies beyond the zones.
    assert breakthrough(FIELD, on, on.piece("21/20")) == ()
    last_hex = played(unsupplied_entry="last_hex")
    run = Run(last_hex.carry_out(on, GERMAN, ("break", "21/20")), breakthrough_roll=[2, 1])
    assert run.asked == ["breakthrough-roll"] * 2
    assert not run.board.piece("21/20").alive
    assert where(run.board, "21/20") == ""


def test_only_a_unit_in_a_zone_breaks_through() -> None:
    on = board({"21/20": "1912", "861/294": "1910"})
    with pytest.raises(Refusal, match="no enemy zone"):
        Moves(FIELD, on, GERMAN).check(("break", "21/20"))


def test_a_breakthrough_stops_where_the_points_end() -> None:
    on = changed(board({"21/20": "1910", "861/294": "1810"}), "21/20", "unsupplied")
    way = breakthrough(FIELD, on, on.piece("21/20"))
    # 3 of 4 points: clear ground, the river, one more to leave the zone; then 1.
    assert [SHEET.number(hex_) for hex_ in way] == ["1911", "1912"]


# ------------------------------------------------------------------ 5 stacking


def pieces(*names: str, **changes: str) -> tuple[Piece, ...]:
    return tuple(replace(WHOLE.piece(name), **changes) for name in names)


@pytest.mark.parametrize(
    ("size", "points"),
    [
        ("CL G1", 1),
        ("21/20", 2),
        ("Gr 545", 3),
        ("1 KP", 3),
        ("QG 20 Pz", 3),
        ("QG 57 PzK", 4),
    ],
)
def test_stacking_points(size: str, points: int) -> None:
    assert FIELD.points(WHOLE.piece(size)) == points


@pytest.mark.parametrize(
    ("hex_", "names", "words"),
    [
        ("1914", ("21/20", "50/20", "112/20"), ""),
        ("1914", ("21/20", "50/20", "112/20", "CL G1"), "7 stacking points; at most 6"),
        ("1910", ("21/20", "50/20", "112/20"), ""),  # a village is as its other terrain
        ("2013", ("21/20", "QG 57 PzK"), ""),
        ("2008", ("21/20", "50/20"), ""),
        ("2008", ("21/20", "50/20", "CL G1"), "at most 4"),
        ("2011", ("QG 20 Pz", "21/20"), "at most 4"),
        ("2208", ("QG 20 Pz", "21/20"), "at most 4"),
        ("1811", ("QG 57 PzK",), ""),
        ("1914", ("861/294", "3 Art"), "two nations"),
        ("1914", ("861/294", "2/7 GvCC"), ""),  # one of another formation
        ("1914", ("861/294", "857/294", "CL A1"), ""),
        ("1914", ("Gr 545", "QG 20 Pz"), ""),  # independents with anyone
        ("1914", ("1 KP", "CL A3"), ""),
        ("1914", ("861/294", "21/20"), "occupied by the enemy"),
    ],
)
def test_who_may_stack(hex_: str, names: tuple[str, ...], words: str) -> None:
    problem = FIELD.stacking_problem(WHOLE, at(hex_), pieces(*names))
    assert words in (str(problem) if problem else "")
    assert bool(problem) == bool(words)


def test_one_guest_of_another_formation_and_no_third_formation() -> None:
    home = pieces("861/294", "857/294", size="cl")
    guest = pieces("859/294", size="cl", formation="7 GvCC")
    second = pieces("2/7 GvCC", size="cl")
    third = pieces("2/7 GvCC", size="cl", formation="9")
    allowed = [(*home, *guest), (home[0], *guest)]
    forbidden = [(*home, *guest, *second), (home[0], *guest, *third)]
    for stack in allowed:
        assert FIELD.stacking_problem(WHOLE, at("1914"), stack) is None
    for stack in forbidden:
        assert "one formation" in str(FIELD.stacking_problem(WHOLE, at("1914"), stack))


def test_a_corps_hq_stacks_with_any_formation() -> None:
    stack = (*pieces("QG 57 PzK"), *pieces("21/20", "50/20", size="cl"))
    assert FIELD.stacking_problem(WHOLE, at("1914"), stack) is None


# ------------------------------------------------------------------ 7.1 supply


def test_a_supply_line_ends_at_a_source() -> None:
    on = board({"21/20": "1911"})
    line = FIELD.supply(on, on.piece("21/20"))
    assert [SHEET.number(hex_) for hex_ in line.path][-1] == "1914"
    assert len(line.path) == 4


def test_enemies_and_their_zones_cut_a_line_unless_a_friend_stands_there() -> None:
    on = board({"Gr 545": "1606", "861/294": "1707"})
    line = FIELD.supply(on, on.piece("Gr 545"))
    assert not line.traced
    assert numbers(line.cut_by) == {"1706", "1707", "1607"}
    assert at("1606") not in FIELD.supplied(on, GERMAN)
    helped = board({"Gr 545": "1606", "861/294": "1707", "CL G1": "1607"})
    assert FIELD.supply(helped, helped.piece("Gr 545")).traced


def test_an_enemy_on_a_source_shuts_it() -> None:
    on = board({"21/20": "1912", "859/294": "1914", "861/294": "1613"})
    assert not FIELD.supply(on, on.piece("21/20")).traced


def test_a_dominant_position_of_the_enemy_cuts_lines_within_two_hexes() -> None:
    on = board({"Gr 545": "2209", "CL A1": "2208"})
    line = FIELD.supply(on, on.piece("Gr 545"))
    assert numbers(line.cut_by) == {"2208", "2210", "2109", "2110"}
    for open_ in (
        board({"Gr 545": "2209"}),  # last held by the Allies, but empty
        board({"Gr 545": "2209", "21/20": "2110", "CL A1": "2208"}),
        board({"Gr 545": "2209", "21/20": "2208"}),  # now it is German
    ):
        assert FIELD.supply(open_, open_.piece("Gr 545")).traced


def test_no_unit_moves_where_it_would_be_unsupplied() -> None:
    start = {"21/20": "2111", "CL A1": "2208"}
    assert cost(board(start), "21/20", "2209") is None
    assert cost(board({"21/20": "2111"}), "21/20", "2209") is not None
    assert cost(board(start), "21/20", "2110") == 2  # beside hexes that are fed
    column = {"CL G1": "2111", "CL A1": "2208"}
    assert cost(board(column), "CL G1", "2209") is not None  # columns need none


def test_units_are_marked_unsupplied_and_cleared_again() -> None:
    on = board({"Gr 545": "2209", "CL G1": "2209", "21/20": "1912", "CL A1": "2208"})
    run = Run(FIELD.check_supply(on, GERMAN))
    assert run.told("is-unsupplied")[0].startswith("Gr 545 is unsupplied; its line is cut at ")
    assert [p.name for p in run.board.pieces if "unsupplied" in p.states] == ["Gr 545"]
    home = run.board.moved(["Gr 545"], at("1912"))
    again = Run(FIELD.check_supply(home, GERMAN))
    assert again.told("is-supplied") == ["Gr 545 is supplied again"]
    assert not again.board.piece("Gr 545").states


# ------------------------------------------------------------------ 7.3 unsupplied units


@pytest.mark.parametrize(
    ("name", "points"), [("21/20", 4), ("Pi 70", 3), ("QG 20 Pz", 3), ("Gr 545", 4), ("PzJg 20", 7)]
)
def test_unsupplied_mechanical_units_move_half(name: str, points: int) -> None:
    piece = WHOLE.piece(name).marked("unsupplied")
    assert FIELD.allowance(WHOLE, piece) == points * POINT


def test_unsupplied_units_fight_at_half() -> None:
    on = board({"21/20": "1810", "QG 20 Pz": "1811", "861/294": "1910"})
    for name in ("21/20", "QG 20 Pz", "861/294"):
        on = changed(on, name, "unsupplied")
    run = attack(on, GERMAN, 'attack 1910 with 21/20 "QG 20 Pz"')
    assert [line.value for line in run.lines if line.kind == "total"] == [3, 4]
    assert run.told("hq-unsupplied")
    assert run.counted() == {"unsupplied": 1, "village": -1}
    armour = changed(board({"861/294": "1909", "Pi 70": "1910"}), "Pi 70", "unsupplied")
    run = attack(armour, ALLIED, "attack 1910 with 861/294")
    assert [line.value for line in run.lines if line.kind == "total"] == [3, 2]  # 3 halved up
