"""The report, compared with numbers calculated from the printed card alone."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from grognard.fights.odds import odds_when_trimmed
from grognard.files.source import Source
from grognard.rules import game
from grognard.study import player_sheet
from grognard.study.changed_card import own_game
from grognard.study.figures import figures
from grognard.study.grid import HERE, Dip, Grid, GridPlace, ShiftAxis
from grognard.study.luck import Luck, PlaceLuck
from grognard.study.printed_cells import PrintedCell
from grognard.study.report import Baseline, Report, ReportRequest, Section, report
from tests.oracles.bautzen import COLUMNS, DIE, TABLE
from tests.tiers import soaked

FILE = Path(game.__file__).parents[1] / "games" / "bautzen" / "card.toml"
CARD = Source("my-card.toml", FILE.read_text(encoding="utf-8"))
ROWS = ("1", "2", "3", "4", "5", "6", "7", "8+")
OURS, THEIRS = 0, 1


@cache
def of(id_: str) -> Report:
    return report(ReportRequest(game=game.load(id_)))


@pytest.fixture
def bautzen() -> Section:
    (section,) = of("bautzen").sections
    return section


@pytest.fixture(params=game.ids())
def reported(request: pytest.FixtureRequest) -> Report:
    return of(request.param)


# ------------------------------------------------------------------ by hand


def row(die: int, modifier: int) -> int:
    return max(1, min(8, die + modifier))


def losses(column: str, modifier: int) -> list[int]:
    """The attacker's losses for each face of the die; the example has three steps to lose."""
    return [TABLE[row(die, modifier)][COLUMNS.index(column)][OURS] for die in DIE]


def mean(values: list[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def at(grid: Grid, column: str, modifier: int) -> GridPlace:
    assert grid.column_labels is not None
    return GridPlace(grid.columns[grid.column_labels.index(column)], modifier - grid.die)


def places(grid: Grid) -> Iterator[tuple[str, int]]:
    return product(COLUMNS, (grid.die + die for die in grid.dice))


# ------------------------------------------------------------------ maps and steps


@pytest.mark.slow
def test_the_map_of_losses_is_the_mean_of_the_printed_cells(bautzen: Section) -> None:
    grid = bautzen.found.grid
    found = {(c, m): grid.cells[at(grid, c, m)].attacker_steps_lost for c, m in places(grid)}
    assert found == {(c, m): mean(losses(c, m)) for c, m in places(grid)}
    assert len(found) == 8 * 7


def test_a_column_and_a_point_of_the_die_bring_the_difference_of_the_means(
    bautzen: Section,
) -> None:
    grid = bautzen.found.grid
    columns, dice = bautzen.brings["column"], bautzen.brings["die"]
    assert len(columns) == 7 * 7  # nothing lies beyond the last column
    assert len(dice) == 8 * 7
    for column, modifier in places(grid):
        here = mean(losses(column, modifier))
        place = at(grid, column, modifier)
        assert dice[place].attacker_steps_lost == mean(losses(column, modifier + 1)) - here
        if column != COLUMNS[-1]:
            right = COLUMNS[COLUMNS.index(column) + 1]
            assert columns[place].attacker_steps_lost == mean(losses(right, modifier)) - here


@pytest.mark.slow
def test_what_places_have_in_common_is_looked_at_once_and_comes_to_the_same(
    reported: Report,
) -> None:
    for section in reported.sections:
        found = section.found
        if found.shifted is None:
            continue
        for place in found.grid.cells:
            alone = odds_when_trimmed(found.shifted.trim.moved(found.shifted.start, *place))
            assert dict(found.odds(place).outcomes()) == dict(alone.outcomes())


# ------------------------------------------------------------------ uneven


Found = set[tuple[str, object, ShiftAxis, Fraction]]


def dips_of(dips: tuple[Dip[PrintedCell], ...], measure: str) -> Found:
    return {
        (dip.at.column, dip.at.row, dip.axis, dip.now - dip.then)
        for dip in dips
        if dip.measure.id == measure
    }


def test_the_uneven_cells_are_those_of_the_printed_table(bautzen: Section) -> None:
    expected: Found = set()
    for place, column in product(range(8), range(8)):
        here = TABLE[place + 1][column][OURS]
        before: list[tuple[ShiftAxis, int]] = []
        if column:
            before.append(("column", TABLE[place + 1][column - 1][OURS]))
        if place:
            before.append(("die", TABLE[place][column][OURS]))
        expected |= {
            (COLUMNS[column], ROWS[place], axis, Fraction(here - loss))
            for axis, loss in before
            if here > loss
        }
    assert dips_of(bautzen.printed_dips, "attacker_steps_lost") == expected
    # Two of them are named in test_structure.py: 1/1 falls and rises again, 6/1 rises at 3.
    assert ("1/1", "5", "die", Fraction(1)) in expected
    assert ("6/1", "3", "die", Fraction(1)) in expected
    assert not dips_of(bautzen.printed_dips, "defender_steps_lost")  # never less, in print


def test_the_uneven_expectations_are_those_of_the_means(bautzen: Section) -> None:
    grid = bautzen.found.grid
    expected = set()
    for column, modifier in places(grid):
        here = mean(losses(column, modifier))
        neighbours: list[tuple[ShiftAxis, str, int]] = []
        if column != COLUMNS[0]:
            neighbours.append(("column", COLUMNS[COLUMNS.index(column) - 1], modifier))
        if modifier != grid.die + grid.dice[0]:
            neighbours.append(("die", column, modifier - 1))
        for axis, beside, less in neighbours:
            there = mean(losses(beside, less))
            if here > there:
                expected.add((column, modifier, axis, here - there))
    found = {
        (grid.column_name(dip.at), grid.die + dip.at.die, dip.axis, dip.now - dip.then)
        for dip in bautzen.dips
        if dip.measure.id == "attacker_steps_lost"
    }
    assert found == expected
    assert ("3/1", 3, "column", Fraction(3, 6)) in found  # six times 1 beside 1, 1, 1, 0, 0, 0


def test_all_in_all_means_by_the_points_of_the_doctrine(bautzen: Section) -> None:
    for dip in bautzen.dips:
        cells = bautzen.found.grid.cells
        assert dip.all_in_all == (cells[dip.than].worth > cells[dip.at].worth)
        if dip.measure.id == "worth":
            assert dip.all_in_all


@pytest.mark.slow
def test_a_result_comes_to_the_same_wherever_it_is_rolled(reported: Report) -> None:
    for section in reported.sections:
        seen: dict[str, set[object]] = {}
        for place in section.found.grid.cells:
            for result, odds in section.found.odds(place).by_result().items():
                seen.setdefault(result, set()).add(figures(odds))
        assert all(len(found) == 1 for found in seen.values())
        assert set(section.printed.texts) == set(section.printed.cells)


@pytest.mark.slow
def test_dice_that_nothing_modifies_are_not_compared() -> None:
    sections = of("panzer-grenadier").sections
    along = {section.sheet.procedure: dict(section.printed.along) for section in sections}
    assert along == {"direct-fire": {"column": "column"}, "anti-tank": {"die": "row"}}
    (october,) = of("white-october").sections
    assert october.printed.along == {"die": "column"}
    assert october.printed.rows == ("m5|m4",)  # each side reads its own row


# ------------------------------------------------------------------ luck


def test_the_chances_of_losses_are_counted_on_the_printed_column(bautzen: Section) -> None:
    grid = bautzen.found.grid
    assert [grid.column_name(spread.place) for spread in bautzen.spreads] == list(COLUMNS)
    for spread, column in zip(bautzen.spreads, COLUMNS, strict=True):
        counted = Counter(losses(column, grid.die))
        expected = {value: Fraction(counted[value], 6) for value in sorted(counted)}
        assert spread.losses["attacker"].chances == expected


def test_luck_on_the_first_column_by_hand(bautzen: Section) -> None:
    # 1/2- without a modifier: 3, 3, 3, 2, 2, 2
    luck = bautzen.spreads[0].losses["attacker"]
    assert luck.chances == {2: Fraction(1, 2), 3: Fraction(1, 2)}
    assert luck.mean == Fraction(5, 2)
    assert luck.variance == Fraction(4 * 3 + 9 * 3, 6) - Fraction(5, 2) ** 2
    assert luck.points == (2, 2, 3)


@pytest.mark.parametrize(
    ("chances", "points"),
    [
        ({0: "1"}, (0, 0, 0)),
        ({0: "1/10", 1: "9/10"}, (0, 1, 1)),  # a tenth is enough for the first point
        ({0: "1/11", 1: "10/11"}, (1, 1, 1)),
        ({0: "1/2", 1: "1/2"}, (0, 0, 1)),
        ({-4: "1/3", 0: "1/3", 6: "1/3"}, (-4, 0, 6)),
        ({0: "9/10", 5: "1/10"}, (0, 0, 0)),
        ({0: "89/100", 5: "11/100"}, (0, 0, 5)),
    ],
)
def test_points_are_the_least_values_that_so_many_do_not_exceed(
    chances: dict[int, str], points: tuple[int, int, int]
) -> None:
    assert Luck({value: Fraction(chance) for value, chance in chances.items()}).points == points


def test_ahead_equal_and_behind_are_the_signs_of_the_points() -> None:
    third = Fraction(1, 3)
    points = Luck({-4: Fraction(1, 6), -1: third, 0: Fraction(1, 12), 6: Fraction(5, 12)})
    spread = PlaceLuck(place=HERE, losses={}, points=points)
    assert (spread.ahead, spread.equal, spread.behind) == (
        Fraction(5, 12),
        Fraction(1, 12),
        Fraction(1, 2),
    )


@pytest.mark.slow
def test_every_distribution_is_whole_and_has_the_mean_of_the_map(reported: Report) -> None:
    for section in reported.sections:
        assert [spread.place for spread in section.spreads] == list(section.found.grid.row())
        for spread in section.spreads:
            cell = section.found.grid.cells[spread.place]
            for luck in (*spread.losses.values(), spread.points):
                assert sum(luck.chances.values()) == 1
                assert list(luck.chances) == sorted(luck.chances)
            assert spread.losses["attacker"].mean == cell.attacker_steps_lost
            assert spread.losses["defender"].mean == cell.defender_steps_lost
            assert spread.points.mean == cell.worth
            assert spread.ahead + spread.equal + spread.behind == 1


# ------------------------------------------------------------------ readings


def test_an_option_changes_the_places_that_it_speaks_of(bautzen: Section) -> None:
    """A modified die below 1 needs a modifier below 0: three of the seven rows."""
    changed = {(s.option.id, s.choice.id): s for s in bautzen.switches if s.changed}
    assert set(changed) == {("low_die", "no_effect")}
    switch = changed["low_die", "no_effect"]
    assert (switch.changed, switch.of) == (3 * 8, 7 * 8)
    assert switch.most is not None
    # On 1/2- with -3, a 1, a 2 and a 3 cost three steps each, and would cost none.
    assert (switch.most.measure.id, switch.most.column, switch.most.die, switch.most.change) == (
        "attacker_steps_lost",
        "1/2-",
        -3,
        Fraction(-3, 2),
    )
    options = game.card("bautzen").options
    assert len(bautzen.switches) == sum(len(option.choices) - 1 for option in options)


@pytest.mark.slow
@pytest.mark.parametrize("id_", soaked(game.ids(), "bautzen", "normandy", "white-october"))
def test_an_option_that_is_not_looked_at_would_change_nothing(
    id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report does not play these; played all the same, they give the same."""
    shown = [section.switches for section in of(id_).sections]
    every = {option.id for option in game.card(id_).options}
    monkeypatch.setattr("grognard.study.report._looked_at", lambda *_: every)
    again = report(ReportRequest(game=game.load(id_)))
    played = [section.switches for section in again.sections]
    assert str(shown) == str(played)
    assert any(not switch.changed for switches in shown for switch in switches)


@pytest.mark.slow
def test_a_reading_under_which_nothing_can_be_fought_says_so() -> None:
    (section,) = of("white-october").sections
    (switch,) = (
        s for s in section.switches if (s.option.id, s.choice.id) == ("damaged_cells", "refuse")
    )
    assert switch.refused is not None
    assert "damaged_cells" in str(switch.refused)


@pytest.mark.slow
def test_every_doubtful_reading_of_table_and_modifiers_is_told(reported: Report) -> None:
    card = reported.request.game.card
    for section in reported.sections:
        table = card.table(section.sheet.table)
        readings = [
            table.reading,
            *(doubt.reading for doubt in table.doubts),
            *(result.reading for result in table.results),
            *(row.reading for row in card.modifiers if row.group in section.sheet.groups),
        ]
        told = {doubt.reading.reason for doubt in section.doubts}
        assert {reading.reason for reading in readings if reading.doubtful} <= told
        assert len(told) == len(section.doubts)


# ------------------------------------------------------------------ compared


def changed_card(old: str, new: str) -> ReportRequest:
    assert CARD.text.count(old) == 1
    rules = own_game("bautzen", Source(CARD.name, CARD.text.replace(old, new)))
    return ReportRequest(game=rules, against=Baseline(game.load("bautzen"), {}))


@pytest.mark.slow
def test_one_cell_changes_the_places_from_which_it_can_be_rolled() -> None:
    old = '["3",   "3/0",  "1/0", "1/0", "1/1", "1/2", "1/3", "1/3", "1/3"]'
    asked = changed_card(old, old.replace('"1/3"]', '"0/3"]'))
    (section,) = report(asked).sections
    grid, difference = section.found.grid, section.difference
    assert difference is not None
    for column, modifier in places(grid):
        hit = column == "7/1+" and any(die + modifier == 3 for die in DIE)
        expected = Fraction(-1, 6) if hit else Fraction(0)
        assert difference[at(grid, column, modifier)].attacker_steps_lost == expected
    removed = ("7/1+", "3", "die", Fraction(1))
    assert removed not in dips_of(section.printed_dips, "attacker_steps_lost")


@pytest.mark.slow
def test_places_are_compared_by_their_name_wherever_the_fight_stands() -> None:
    """If a CL is worth two columns, the fight is on another column of the same table."""
    old = 'value = -1\ntimes = "defender_cl"'
    (section,) = report(changed_card(old, old.replace("-1", "-2"))).sections
    assert section.found.grid.column_name(HERE) == "2/1"
    assert section.difference is not None
    assert len(section.difference) == len(section.found.grid.cells)
    assert not any(any(change) for change in section.difference.values())


def test_a_report_can_be_compared_with_another_option() -> None:
    rules = game.load("bautzen")
    (section,) = report(
        ReportRequest(game=rules, against=Baseline(rules, {"low_die": "no_effect"}))
    ).sections
    assert section.difference is not None
    grid = section.found.grid
    there = section.difference[at(grid, "1/2-", -2)].attacker_steps_lost
    assert there == 1  # two of six rolls cost three steps that they would not


@pytest.mark.slow
def test_a_fight_of_one_s_own_is_reported_on() -> None:
    stated = dict(player_sheet.load("bautzen").sheet("attack").example)
    stated["concentric"] = True
    (section,) = report(ReportRequest(game=game.load("bautzen"), own={"attack": stated})).sections
    assert section.own
    assert section.found.grid.column_name(HERE) == "4/1"
