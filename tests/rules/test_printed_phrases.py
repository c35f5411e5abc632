"""What the hobby prints, phrase by phrase: a small card for each, its odds worked out by hand."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product

import pytest

from grognard.rules import game
from grognard.rules.fight import Fight, Outcome
from grognard.rules.procedure import Game
from grognard.rules.stages.state import CardFight
from grognard.words.refusal import Refusal

Units = tuple[tuple[int, int], ...]  # strength and steps


def made(text: str) -> Game:
    return game.made(game.read_card(text, "phrase.toml"))


def table(labels: str, cells: str = "R", of: str = "ratio", more: str = "") -> str:
    """Write a table of one row: the same result in every column."""
    heads = labels.split()
    columns = f'columns = {{ of = "{of}" }}\n' if of != "ratio" else ""
    line = " ".join([cells] * len(heads))
    return f'[[tables]]\n{columns}{more}grid = """\ndie {labels}\n1-6 {line}\n"""\n'


def units(side: str, stated: Units) -> list[dict[str, object]]:
    field = {"A": "attack", "D": "defence"}[side]
    return [{"name": f"{side}{n}", field: f, "steps": s} for n, (f, s) in enumerate(stated)]


def fight(
    rules: Game,
    ours: Units = ((4, 2),),
    theirs: Units = ((4, 2),),
    facts: Mapping[str, object] | None = None,
) -> Fight:
    stated = {"attackers": units("A", ours), "defenders": units("D", theirs)}
    return rules.fight({**stated, **(facts or {})})


# ------------------------------------------------------------------ families of columns

ODDS = "1:4 1:3 1:2 1:1 3:2 2:1 3:1 4:1"
HALVES = "0.5:1 1:1 1.5:1 2:1 2.5:1"
BANDS = "-6/-5 -4/-1 0 +1/+5 +6..+8 +9"
MINUS = "\u22126/\u22125 \u22124/\u22121 0 +1/+5"
COLUMNS = {
    "odds, any steps: 1:4": (ODDS, "ratio", (2, 8), "1:4"),
    "odds, any steps: 3:2": (ODDS, "ratio", (6, 4), "3:2"),
    "odds: below a step is the step before": (ODDS, "ratio", (7, 5), "1:1"),
    "odds: 1.5:1": (HALVES, "ratio", (3, 2), "1.5:1"),
    "odds: 2.5:1": (HALVES, "ratio", (5, 2), "2.5:1"),
    "odds with a hyphen": ("1-2 1-1 2-1", "ratio", (4, 2), "2-1"),
    "differences": ("-2 -1 0 +1 +2", "difference", (5, 4), "+1"),
    "differences: uneven bands, low": (BANDS, "difference", (1, 6), "-6/-5"),
    "differences: uneven bands, inside": (BANDS, "difference", (1, 3), "-4/-1"),
    "differences: uneven bands, one value": (BANDS, "difference", (4, 4), "0"),
    "differences: uneven bands, high": (BANDS, "difference", (9, 2), "+6..+8"),
    "differences: the printed minus": (MINUS, "difference", (1, 3), "\u22124/\u22121"),
    "one side's total": ("1 3 6 10+", "attack", (7, 99), "6"),
    "a rating of the attackers": ("1 3 6", "rating", (1, 1), "3"),
    "a range": ("0 2 5", "range", (1, 1), "2"),
}
STATED = """
[[facts]]
id = "range"
kind = "number"
[[unit_fields]]
id = "rating"
default = 4
"""


@pytest.mark.parametrize("phrase", COLUMNS)
def test_families_of_columns(phrase: str) -> None:
    labels, of, (ours, theirs), column = COLUMNS[phrase]
    text = f'[[procedures]]\n{table(labels, of=of)}[tables.results]\nR = "nothing"\n{STATED}'
    found = fight(made(text), ((ours, 1),), ((theirs, 1),), {"range": 3}).explain()
    assert found.column()["basic"] == column


ENDS = {  # the procedure, attack to defence -> the column, the result without a roll, or refused
    "rounded for the defender": ("", (29, 10), "2:1"),
    "rounded to the nearest": ('rounding = "nearest"', (26, 10), "3:1"),
    "rounded in fractions: none lost": ("", (3, 2), "3:2"),
    "a side's fractions dropped": ('fractions = "down"', (3, 1), "3:1"),
    "below the table: refused": ('below = "refused"', (1, 9), "refused"),
    "below the table: clamped": ('below = "first"', (1, 9), "1:2"),
    "below the table: automatic": ('below = "A"', (1, 9), "A"),
    "beyond the table: refused": ('beyond = "refused"\nbeyond_from = 7', (7, 1), "refused"),
    "beyond the table: clamped": ('beyond = "last"', (70, 1), "3:1"),
    "beyond the table: automatic": ('beyond = "A"\nbeyond_from = 7', (7, 1), "A"),
    "beyond the table, from odds": ('beyond = "A"\nbeyond_from = "7:1"', (7, 1), "A"),
    "just within the table": ('beyond = "A"\nbeyond_from = 7', (6, 1), "3:1"),
    "defence 0: the last column": ("", (1, 0), "3:1"),
    "defence 0: counts as 1": ('zero_defence = "one"', (2, 0), "2:1"),
    "defence 0: refused": ('zero_defence = "refused"', (2, 0), "refused"),
    "defence 0: automatic": ('zero_defence = "A"', (2, 0), "A"),
}


@pytest.mark.parametrize("phrase", ENDS)
def test_rounding_and_the_ends_of_the_table(phrase: str) -> None:
    procedure, (ours, theirs), expected = ENDS[phrase]
    text = f"[[procedures]]\n{procedure}\n{table('1:2 1:1 3:2 2:1 3:1')}"
    rules = made(text + '[tables.results]\nR = "nothing"\nA = "attacker is eliminated"\n')
    if expected == "refused":
        with pytest.raises(Refusal):
            fight(rules, ((ours, 1),), ((theirs, 1),))
        return
    found = fight(rules, ((ours, 1),), ((theirs, 1),))
    if expected == "A":
        assert only(found).attacker_eliminated
    else:
        assert found.explain().column()["final"] == expected


HALVED = """
[[unit_fields]]
id = "tired"
kind = "flag"
default = true
[[modifiers]]
id = "tired"
changes = "attack"
factor = "1/2"
when = "tired"
"""


@pytest.mark.parametrize(
    ("keys", "column"),
    [  # two halved units of 5 against 5: 5, 4, 6 (each rounded), 5
        ("", "0"),
        ('unit_fractions = "down"', "-1"),
        ('unit_fractions = "up"', "+1"),
        ('unit_fractions = "nearest"', "+1"),
        ('fractions = "down"', "0"),
    ],
)
def test_fractions_of_halved_units(keys: str, column: str) -> None:
    text = f"[[procedures]]\n{keys}\n{table('-1 0 +1', of='difference')}"
    rules = made(text + '[tables.results]\nR = "nothing"\n' + HALVED)
    found = fight(rules, ((5, 1), (5, 1)), ((5, 1),)).explain()
    assert found.column()["basic"] == column


# ------------------------------------------------------------------ several tables

SEVERAL = """
[[procedures]]
tables = [
  { table = "barrage", when = ["not attackers_kind has foot|horse"] },
  { table = "charge", when = ["attackers_kind has horse"] },
  { table = "assault", when = ["manner = assault"] },
  { table = "mobile" },
]
[[facts]]
id = "manner"
kind = "word"
values = ["mobile", "assault"]
[[unit_fields]]
id = "kind"
kind = "word"
values = ["foot", "horse", "guns"]
"""
NAMES = ("barrage", "charge", "assault", "mobile")
TABLES = {
    "assault, as stated": (("foot",), "assault", "assault"),
    "mobile, as stated": (("foot", "guns"), "mobile", "mobile"),
    "cavalry": (("foot", "horse"), "assault", "charge"),
    "artillery alone": (("guns", "guns"), "assault", "barrage"),
}


@pytest.mark.parametrize("phrase", TABLES)
def test_several_tables_for_one_fight(phrase: str) -> None:
    kinds, manner, expected = TABLES[phrase]
    tables = "".join(
        f"{table('1:1', more=f'id = {chr(34)}{name}{chr(34)}' + chr(10))}"
        f'[tables.results]\nR = "attacker loses {n} steps"\n'
        for n, name in enumerate(NAMES, start=1)
    )
    ours = [{"name": f"A{n}", "kind": k, "attack": 2, "steps": 9} for n, k in enumerate(kinds)]
    rules = made(SEVERAL + tables)
    found = only(rules.fight(attackers=ours, defenders=units("D", ((1, 1),)), manner=manner))
    assert found.attacker_steps_lost == NAMES.index(expected) + 1


# ------------------------------------------------------------------ dice

Rolls = Iterable[tuple[int, ...]]


def d(faces: int, count: int = 1) -> Rolls:
    return product(range(1, faces + 1), repeat=count)


DICE: dict[str, tuple[str, Rolls, Callable[[tuple[int, ...]], int], int]] = {
    "1d6": ("1d6", d(6), sum, 5),
    "2d6": ("2d6", d(6, 2), sum, 9),
    "3d6": ("3d6", d(6, 3), sum, 12),
    "d8": ("d8", d(8), sum, 6),
    "d10": ("d10", d(10), sum, 8),
    "d10, its 0 is 0": ("d10 from 0", product(range(10)), sum, 8),
    "d12": ("d12", d(12), sum, 11),
    "d20": ("d20", d(20), sum, 18),
    "d66": ("d66", d(6, 2), lambda r: 10 * r[0] + r[1], 45),
    "percentile": ("d100", d(100), sum, 73),
    "both sides rolling": ("1d6 - 1d6", d(6, 2), lambda r: r[0] - r[1], 2),
    "the highest of several": ("highest of 3d6", d(6, 3), max, 5),
    "the lowest of several": ("lowest of 2d10", d(10, 2), min, 4),
}


@pytest.mark.parametrize("phrase", DICE)
def test_dice(phrase: str) -> None:
    dice, rolls, read, least = DICE[phrase]
    values = [read(roll) for roll in rolls]
    text = f'[[procedures]]\n[[tables]]\ndice = "{dice}"\ngrid = """\nroll effect\n'
    text += f'{min(values)} N\n{least} R\n"""\n[tables.results]\nN = "nothing"\n'
    odds = fight(made(text + 'R = "defender loses 1 step"\n')).odds()
    hits = sum(value >= least for value in values)
    assert odds.expected("defender_steps_lost") == Fraction(hits, len(values))


def test_both_sides_roll_on_one_table_each_for_the_losses_of_the_other() -> None:
    text = '[[procedures]]\nrolls = "each"\n[[tables]]\ncells = "pair"\ngrid = """\ndie effect\n'
    text += '1-4 N/N\n5-6 1/2\n"""\n[tables.results]\nN = "nothing"\n'
    text += '1 = "loses 1 step"\n2 = "loses 2 steps"\n'
    odds = fight(made(text), ((4, 5),), ((4, 5),)).odds()
    assert odds.expected("attacker_steps_lost") == Fraction(1, 3)
    assert odds.expected("defender_steps_lost") == Fraction(2, 3)


# ------------------------------------------------------------------ results


def only(of: Fight, attacker: str = "best", defender: str = "best") -> Outcome:
    ((outcome, chance),) = of.odds(attacker, defender).outcomes()
    assert chance == 1
    return outcome


# Attackers: 6 in three steps, 2 in one; defenders: 4 in two steps, 1 in one. Steps lost by each.
LOST = {
    "steps, a number": ("defender loses 2 steps", 0, 2),
    "steps of the attacker": ("attacker loses 2 steps", 2, 0),
    "hits": ("defender loses 1 hit", 0, 1),
    "steps, half": ("attacker loses half", 2, 0),
    "steps, half, rounded up": ("defender loses half", 0, 2),
    "steps, half, rounded down": ("defender loses half, rounded down", 0, 1),
    "steps, all": ("attacker loses all", 4, 0),
    "a step of each unit": ("each defender unit loses 1 step", 0, 2),
    "whole units, a number": ("defender loses 1 unit", 0, 1),
    "whole units, half": ("attacker loses half units, defender picks", 3, 0),
    "whole units, all": ("defender loses all units", 0, 3),
    "elimination": ("defender is eliminated", 0, 3),
    "exchange: the smaller side gone, the other as much": ("exchange", 3, 3),
    "exchange, printed strength": ("exchange, printed strength", 3, 3),
    "exchange, twice": ("exchange, twice", 4, 3),
    "exchange, three times": ("exchange, three times", 4, 3),
    "both lose": ("both lose 1 step", 1, 1),
    "attacker's exchange": ("attacker's exchange", 4, 3),
    "defender's exchange": ("defender's exchange", 3, 3),
    "no effect": ("no effect", 0, 0),
    "the enemy picks": ("defender loses 1 unit, attacker picks", 0, 2),
    "lose and retreat": ("defender loses 1 step and retreats 1", 0, 1),
    "a result that calls another table": ("read table rout", 0, 2),
}
ROUT = """
[[tables]]
id = "rout"
grid = [["die", "effect"], ["1-6", "R2"]]
[tables.results]
R2 = "defender loses 2 steps"
"""


@pytest.mark.parametrize("phrase", LOST)
def test_losses(phrase: str) -> None:
    does, ours, theirs = LOST[phrase]
    rules = made(f'[[procedures]]\n{table("1:1")}[tables.results]\nR = "{does}"\n{ROUT}')
    found = only(fight(rules, ((6, 3), (2, 1)), ((4, 2), (1, 1))))
    assert (found.attacker_steps_lost, found.defender_steps_lost) == (ours, theirs)


GONE = {  # the result -> hexes that the attacker and the defender retreat
    "retreat of n hexes, defender": ("defender retreats 3", 0, 3),
    "retreat of n hexes, attacker": ("attacker retreats 2", 2, 0),
    "both retreat": ("both retreat 1", 1, 1),
    "retreat and lose": ("defender retreats 2 and loses 1 step", 0, 2),
}


@pytest.mark.parametrize("phrase", GONE)
def test_retreats(phrase: str) -> None:
    does, ours, theirs = GONE[phrase]
    rules = made(f'[[procedures]]\n{table("1:1")}[tables.results]\nR = "{does}"\n')
    ended = fight(rules).play()
    ended.answer((1,))
    while ended.asking is not None:
        ended.answer(ended.asking.options[0])  # type: ignore[union-attr]  # only choices are left
    assert isinstance(ended.fight, CardFight)
    assert ended.fight.retreated == (ours, theirs)


CHOOSERS = {
    "retreat or lose: its own choice": ("defender retreats 2 or loses 1 step", "defender"),
    "retreat or lose, the enemy chooses": (
        "defender retreats 2 or loses 1 step, attacker chooses",
        "attacker",
    ),
    "two results of two sides": (
        "attacker loses 1 step or defender retreats 1, attacker chooses",
        "attacker",
    ),
}


@pytest.mark.parametrize("phrase", CHOOSERS)
def test_or_between_two_results(phrase: str) -> None:
    does, side = CHOOSERS[phrase]
    rules = made(f'[[procedures]]\n{table("1:1")}[tables.results]\nR = "{does}"\n')
    play = fight(rules).play()
    play.answer((1,))
    assert play.asking is not None
    assert play.asking.what == "which-way"
    assert play.asking.side == side  # type: ignore[union-attr]  # a choice
    assert len(play.asking.options) == 2  # type: ignore[union-attr]


ADVANCES = {  # the result -> taken by an attacker who would rather stay, and who would rather go
    "advance allowed": ("defender is eliminated and attacker may advance", True),
    "advance obligatory": ("defender is eliminated and attacker must advance", True),
    "advance forbidden": ("defender is eliminated and attacker may not advance", False),
}


@pytest.mark.parametrize("phrase", ADVANCES)
def test_advance(phrase: str) -> None:
    does, taken = ADVANCES[phrase]
    rules = made(f'[[procedures]]\n{table("1:1")}[tables.results]\nR = "{does}"\n')
    play = fight(rules).play()
    play.answer((1,))
    assert (play.asking is not None) == (phrase == "advance allowed")
    assert only(fight(rules)).taken is taken


STATES = """
[[states]]
id = "disrupted"
[[states]]
id = "out_of_ammo"
"""


@pytest.mark.parametrize(
    ("does", "shaken"),
    [
        ("defender is disrupted", (0, 2)),
        ("both are out_of_ammo", (2, 2)),
        ("1 defender unit is disrupted, attacker picks", (0, 1)),
        ("attacker is disrupted and defender is out_of_ammo", (2, 2)),
    ],
)
def test_disruption_or_any_named_state(does: str, shaken: tuple[int, int]) -> None:
    rules = made(f'[[procedures]]\n{table("1:1")}[tables.results]\nR = "{does}"\n{STATES}')
    found = only(fight(rules, ((6, 3), (2, 1)), ((4, 2), (1, 1))))
    assert (found.attacker_shaken, found.defender_shaken) == shaken


# ------------------------------------------------------------------ checks

CHECK = """
[[unit_fields]]
id = "morale"
default = 7
[[unit_fields]]
id = "led"
kind = "flag"
[[modifiers]]
id = "led"
changes = "morale"
value = 1
when = "led"
[[states]]
id = "shaken"
[[checks]]
id = "morale"
against = "morale"
"""
MARGIN = """table = "margin"
[[tables]]
id = "margin"
rows = { of = "excess" }
grid = [["excess", "effect"], ["0", "ok"], ["1", "S"], ["3", "X"]]
[tables.results]
ok = "nothing"
S = "is shaken"
X = "loses 1 step"
"""
TWO = Counter(a + b for a, b in product(range(1, 7), repeat=2))  # rolls of two dice


def chance(least: int, most: int = 12) -> Fraction:
    return Fraction(sum(TWO[value] for value in range(least, most + 1)), 36)


def test_a_check_of_each_unit_with_modifiers() -> None:
    """One unit fails on 8 and more, the one with a leader on 9 and more."""
    rules = made(
        f'[[procedures]]\n{table("1:1")}[tables.results]\nR = "defender checks morale"\n{CHECK}'
        'fails = "is shaken"\n'
    )
    theirs = [{"name": "D", "defence": 2}, {"name": "E", "defence": 2, "led": True}]
    odds = rules.fight(attackers=units("A", ((4, 1),)), defenders=theirs).odds()
    assert odds.expected("defender_shaken") == chance(8) + chance(9)


def test_a_check_whose_margin_is_read_on_a_table() -> None:
    """With 1 added: 7 and 8 are over by 1 and 2, 9 and more by 3 and more."""
    rules = made(
        f'[[procedures]]\n{table("1:1")}[tables.results]\nR = "defender checks morale +1"\n'
        f"{CHECK}{MARGIN}"
    )
    odds = fight(rules, theirs=((4, 2),)).odds()
    assert odds.expected("defender_shaken") == chance(7, 8)
    assert odds.expected("defender_steps_lost") == chance(9)


# ------------------------------------------------------------------ a retreat that is blocked

BLOCKED = {  # the procedure, room -> steps lost of 2 + 2, vacated; the defender holds if he can
    "blocked: lost": ('blocked = "lost"', 1, 4, True),
    "blocked: a step a hex": ('blocked = "step a hex"', 1, 2, True),
    "blocked: no retreat": ('blocked = "stays"', 1, 0, False),
    "stand for a step": ('stand = "step"', None, 1, False),
    "steps traded for hexes": ('stand = "trade"', None, 2, False),
}


@pytest.mark.parametrize("phrase", BLOCKED)
def test_a_blocked_retreat(phrase: str) -> None:
    keys, room, lost, gone = BLOCKED[phrase]
    text = f'[[procedures]]\n{keys}\n{table("1:1")}[tables.results]\nR = "defender retreats 2"\n'
    facts = {} if room is None else {"defender_room": room}
    found = only(fight(made(text), theirs=((2, 2), (2, 2)), facts=facts), defender="hold")
    assert (found.defender_steps_lost, found.vacated) == (lost, gone)
