"""Families of printed tables: columns, fractions, tables by condition, dice, results, checks."""

from fractions import Fraction

import pytest

from grognard.rules.ask import Choose
from grognard.words.refusal import Refusal
from tests.rules.small_cards import SURE, fight, made, only, units

# ------------------------------------------------------------------ columns


def one_row(*labels: str) -> str:
    """Write a table with these columns and one result."""
    return f"grid = [{['die', *labels]}, {['1-6', *'R' * len(labels)]}]"


COLUMNS = {  # the kind of the table: its heads, then attack and defence and their column
    "odds": (
        ("1:4", "1:2", "2:3", "1:1", "1.5:1", "2:1", "5:2"),
        {
            (1, 4): "1:4",
            (1, 3): "1:4",
            (2, 3): "2:3",
            (7, 5): "1:1",
            (3, 2): "1.5:1",
            (9, 4): "2:1",
            (5, 2): "5:2",
        },
    ),
    "difference": (
        ("-6/-5", "-4/-1", "0", "+1 to +5", "+6 to +8", "+9"),
        {
            (1, 7): "-6/-5",
            (1, 6): "-6/-5",
            (1, 5): "-4/-1",
            (1, 2): "-4/-1",
            (2, 2): "0",
            (3, 2): "+1 to +5",
            (7, 2): "+1 to +5",
            (8, 2): "+6 to +8",
            (10, 2): "+6 to +8",
            (11, 2): "+9",
        },
    ),
    "attack": (
        ("1-3", "4-7", "8+"),
        {(3, 9): "1-3", (4, 1): "4-7", (7, 90): "4-7", (8, 0): "8+"},
    ),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_columns_have_any_steps(kind: str) -> None:
    """Odds in any steps, uneven bands of differences, the total of one side."""
    labels, found = COLUMNS[kind]
    axis = f'columns = {{ of = "{kind}" }}\n' if kind == "attack" else ""
    rules = made("nothing", table=axis + one_row(*labels))
    for (attack, defence), column in found.items():
        told = fight(rules, ((attack, 1),), ((defence, 1),)).explain().column()
        assert told["basic"] == column, (attack, defence)


TIRED = (
    '[[unit_fields]]\nid = "tired"\nkind = "flag"\n[[modifiers]]\nid = "tired"\n'
    'changes = "strength"\nfactor = "1/4"\nwhen = "tired"\n'
)
QUARTERS = one_row("1:1", "2:1", "9:4", "11:4", "3:1")


def tired_column(procedure: str, *attacks: int) -> object:
    """Give the column of attackers that count a quarter, against a defence of 1."""
    rules = made("nothing", procedure, QUARTERS, TIRED)
    ours = [{"name": f"A{n}", "attack": a, "tired": True} for n, a in enumerate(attacks)]
    found = rules.fight(attackers=ours, defenders=units("defenders", (1, 1)))
    return found.explain().column()["basic"]


@pytest.mark.parametrize("key", ["unit_fractions", "fractions"])
@pytest.mark.parametrize(
    ("word", "of_nine", "of_eleven"),
    [
        ("kept", "9:4", "11:4"),
        ("down", "2:1", "2:1"),
        ("up", "3:1", "3:1"),
        ("nearest", "2:1", "3:1"),
    ],
)
def test_fractions_are_kept_or_rounded(key: str, word: str, of_nine: str, of_eleven: str) -> None:
    assert tired_column(f'{key} = "{word}"', 9) == of_nine
    assert tired_column(f'{key} = "{word}"', 11) == of_eleven


def test_fractions_of_units_are_rounded_before_they_are_added() -> None:
    """1½ and 1½ are 3, or 1 and 1."""
    assert tired_column('fractions = "down"', 6, 6) == "3:1"
    assert tired_column('unit_fractions = "down"', 6, 6) == "2:1"


# ------------------------------------------------------------------ tables and dice

BY_CONDITION = (
    'tables = [{ table = "guns", when = ["attackers_kind has gun"] }, '
    '{ table = "assault", when = ["manner = assault"] }'
)
OTHERS = (
    '[[tables]]\nid = "guns"\ngrid = [["die", "1:2", "1:1"], ["1-6", "G", "G"]]\n'
    '[tables.results]\nG = "nothing"\n'
    '[[tables]]\nid = "mobile"\ngrid = [["die", "1:2", "1:1"], ["1-6", "M", "M"]]\n'
    '[tables.results]\nM = "nothing"\n'
    '[[facts]]\nid = "manner"\nkind = "word"\nvalues = ["assault", "mobile"]\n'
    '[[unit_fields]]\nid = "kind"\nkind = "word"\nvalues = ["foot", "gun"]\n'
)


@pytest.mark.parametrize(
    ("manner", "kind", "result"),
    [("assault", "foot", "R"), ("mobile", "foot", "M"), ("assault", "gun", "G")],
)
def test_one_fight_has_several_tables_by_what_is_stated(
    manner: str, kind: str, result: str
) -> None:
    """By the manner of the attack, and by the units that attack."""
    table = 'id = "assault"\ngrid = [["die", "1:2", "1:1"], ["1-6", "R", "R"]]'
    rules = made("nothing", BY_CONDITION + ', { table = "mobile" }]', table, OTHERS)
    ours = [{"name": "A", "attack": 4, "kind": kind}]
    stated = {"attackers": ours, "defenders": units("defenders", (4, 1)), "manner": manner}
    assert only(rules.fight(stated)).result == result
    none_fits = made("nothing", BY_CONDITION + "]", table, OTHERS)
    if result == "M":
        with pytest.raises(Refusal, match="no table of the procedure fits"):
            none_fits.fight(stated)


DICE = {  # the lowest value, the row that costs a step, and the chance of it
    "1d6": (1, 6, "1/6"),
    "2d6": (2, 11, "3/36"),
    "3d6": (3, 17, "4/216"),
    "d8": (1, 7, "2/8"),
    "d10": (1, 10, "1/10"),
    "d10 from 0": (0, 9, "1/10"),
    "d12": (1, 12, "1/12"),
    "d20": (1, 19, "2/20"),
    "d66": (11, 61, "6/36"),
    "d100": (1, 96, "5/100"),
    "highest of 2d6": (1, 6, "11/36"),
    "lowest of 3d6": (1, 2, "125/216"),
    "1d6 - 1d6": (-5, 4, "3/36"),
}


@pytest.mark.parametrize("dice", DICE)
def test_a_table_is_read_with_any_dice(dice: str) -> None:
    lowest, row, chance = DICE[dice]
    table = f'dice = "{dice}"\ngrid = [["roll", "effect"], ["{lowest}", "N"], ["{row}", "R"]]'
    rules = made("defender loses 1 step", table=table, rest='N = "nothing"\n')
    assert fight(rules).odds().expected("defender_steps_lost") == Fraction(chance)


def test_both_sides_roll_each_for_the_losses_of_the_other() -> None:
    """A 5 or 6 costs the enemy a step, whatever the other rolls."""
    table = 'cells = "pair"\ngrid = [["die", "1:1"], ["1", "N/N"], ["5", "R/R"]]'
    odds = fight(made("loses 1 step", 'rolls = "each"', table, 'N = "nothing"\n')).odds()
    chances = {(o.attacker_steps_lost, o.defender_steps_lost): p for o, p in odds.outcomes()}
    expected = {(0, 0): "4/9", (1, 0): "2/9", (0, 1): "2/9", (1, 1): "1/9"}
    assert chances == {lost: Fraction(chance) for lost, chance in expected.items()}


# ------------------------------------------------------------------ results

RESULTS = {  # steps lost, attacker thrown back, hex left by the defender; three steps each
    "no effect": (0, 0, False, False),
    "defender loses 2 hits": (0, 2, False, False),
    "attacker loses half, rounded down": (1, 0, False, False),
    "attacker loses half": (2, 0, False, False),
    "attacker retreats 1": (0, 0, True, False),
    "both retreat 1": (0, 0, True, True),
    "defender retreats 1 and loses 1 step": (0, 1, False, True),
    "both are eliminated": (3, 3, False, True),
    "both lose 1 step and defender retreats 2": (1, 1, False, True),
    "defender loses 1 step or loses 2 steps": (0, 1, False, False),
    "defender loses 1 step or loses 2 steps, attacker chooses": (0, 2, False, False),
    "attacker retreats 1 or loses all": (0, 0, True, False),
    "attacker retreats 1 or loses all, defender chooses": (3, 0, False, False),
}


@pytest.mark.parametrize("does", RESULTS)
def test_what_a_result_does(does: str) -> None:
    found = only(fight(made(does, 'advance = "no"'), ((4, 3),), ((4, 3),)))
    lost = found.attacker_steps_lost, found.defender_steps_lost
    assert (*lost, found.attacker_left, found.vacated) == RESULTS[does]


EXCHANGES = {  # attackers and defenders, of one strength a step -> steps lost
    "exchange": [((12, 3), (3, 3)), ((3, 12), (3, 3))],
    "exchange, modified strength, twice": [((12, 3), (6, 3)), ((3, 12), (3, 6))],
    "exchange, printed strength, three times": [((12, 3), (9, 3)), ((3, 12), (3, 9))],
    "attacker's exchange": [((12, 3), (12, 3)), ((3, 12), (3, 3))],
    "defender's exchange": [((12, 3), (3, 3)), ((3, 12), (3, 12))],
    "defender's exchange, twice": [((12, 3), (6, 3))],
}


@pytest.mark.parametrize("does", EXCHANGES)
def test_an_exchange_costs_the_other_side_once_to_three_times_as_much(does: str) -> None:
    for (ours, theirs), lost in EXCHANGES[does]:
        found = only(fight(made(does), ((ours, ours),), ((theirs, theirs),)))
        assert (found.attacker_steps_lost, found.defender_steps_lost) == lost


PICKS = {  # the result, the key `losses`, and who picks
    ("defender loses 1 step", "owner"): "defender",
    ("defender loses 1 step", "opponent"): "attacker",
    ("defender loses 1 unit", "owner"): "defender",
    ("defender loses 1 unit, attacker picks", "owner"): "attacker",
    ("attacker loses 1 unit", "opponent"): "defender",
    ("1 defender unit is shaken", "owner"): "defender",
    ("1 defender unit is shaken, attacker picks", "owner"): "attacker",
}


@pytest.mark.parametrize(("does", "losses"), PICKS)
def test_who_picks_the_unit_that_suffers(does: str, losses: str) -> None:
    rules = made(does, f'losses = "{losses}"', rest='[[states]]\nid = "shaken"\n')
    play = fight(rules, ((4, 2), (3, 1)), ((4, 2), (3, 1))).play()
    play.answer((1,))
    assert isinstance(play.asking, Choose)
    assert play.asking.side == PICKS[does, losses]


def test_losses_that_are_spread_fall_on_each_unit_before_a_second_one() -> None:
    rules = made("defender loses 2 steps", 'losses = "spread"')
    play = fight(rules, theirs=((4, 2), (3, 2))).resolve(dice=(1,))
    lost = [told.line.unit for told in play.told if told.line.kind == "loss"]
    assert lost == ["d0", "d1"]


@pytest.mark.parametrize(
    ("traded", "lost", "gone"), [(0, 4, True), (1, 1, True), (2, 2, True), (3, 3, False)]
)
def test_steps_are_traded_for_hexes_of_a_retreat(traded: int, lost: int, gone: bool) -> None:
    """Three hexes with room for two: a unit that trades none is lost."""
    rules = made("defender retreats 3", 'stand = "trade"\nadvance = "no"')
    play = fight(rules, theirs=((4, 4),), room=2).play()
    play.answer((1,))
    assert isinstance(play.asking, Choose)
    assert play.asking.options == (0, 1, 2, 3)
    play.answer(traded)
    found = play.outcome
    assert (found.defender_steps_lost, found.vacated) == (lost, gone)


# ------------------------------------------------------------------ checks

MORALE = (
    '[[states]]\nid = "shaken"\n[[unit_fields]]\nid = "morale"\ndefault = 7\n'
    '[[unit_fields]]\nid = "leader"\nkind = "flag"\n'
    '[[modifiers]]\nid = "led"\nchanges = "morale"\nvalue = 1\nwhen = "leader"\n'
    '[[checks]]\nid = "morale"\nagainst = "morale"\n'
)
MARGIN = (
    'table = "margin"\n[[tables]]\nid = "margin"\nrows = { of = "excess" }\n'
    'grid = [["excess", "effect"], ["-9", "-"], ["1-2", "S"], ["3+", "K"]]\n'
    '[tables.results]\n"-" = "nothing"\nS = "unit is shaken"\nK = "unit is eliminated"\n'
)


@pytest.mark.parametrize(
    ("does", "led", "shaken", "lost"),
    [
        ("defender checks morale", False, 9, 6),  # 8 and 9; 10 to 12
        ("defender checks morale +1", False, 11, 10),  # 7 and 8; 9 to 12
        ("defender checks morale -1", True, 5, 1),  # against 8: 10 and 11; 12
    ],
)
def test_a_check_has_modifiers_and_its_margin_is_read_on_a_table(
    does: str, led: bool, shaken: int, lost: int
) -> None:
    theirs = [{"name": "D", "defence": 4, "leader": led}]
    rules = made(does, 'table = "t"', f'id = "t"\n{SURE}', MORALE + MARGIN)
    odds = rules.fight(attackers=units("attackers", (4, 2)), defenders=theirs).odds()
    assert odds.expected("defender_shaken") == Fraction(shaken, 36)
    assert odds.expected("defender_steps_lost") == Fraction(lost, 36)
