"""Stages of games from a card alone: each key of a procedure, and each kind of result."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from grognard.fights.work_budget import allow
from grognard.rules.ask import Choose
from grognard.rules.wording import named
from grognard.words.refusal import Refusal
from tests.rules.small_cards import SURE, fight, made, only, units

LOSSES = {
    "defender loses 1 step": (0, 1),
    "both lose 1 step": (1, 1),
    "attacker loses half": (2, 0),
    "defender loses all": (0, 4),
    "defender loses 1 unit": (0, 1),
    "defender loses 1 unit, attacker picks": (0, 3),
    "defender is eliminated": (0, 4),
    "exchange": (3, 4),  # of 4 strength each: both are lost, and the attacker has three steps
    "attacker's exchange": (3, 4),
}


@pytest.mark.parametrize("does", LOSSES)
def test_losses(does: str) -> None:
    """The defender has a unit of three steps and one of one; each picks what hurts him least."""
    found = only(fight(made(does), ((4, 3),), ((2, 3), (2, 1))))
    assert (found.attacker_steps_lost, found.defender_steps_lost) == LOSSES[does]


@pytest.mark.parametrize(
    ("does", "lost"),
    [
        ("exchange", 2),  # 6 of 6 + 6: one unit of two steps
        ("exchange, printed strength", 2),
        ("exchange, modified strength, twice", 4),
        ("defender's exchange, three times", 4),
    ],
)
def test_an_exchange_takes_as_much_from_the_larger_side(does: str, lost: int) -> None:
    found = only(fight(made(does), ((6, 2), (6, 2)), ((6, 1),)))
    assert (found.attacker_steps_lost, found.defender_eliminated) == (lost, True)


def test_an_exchange_by_modified_strength_counts_what_the_fight_counts() -> None:
    half = '[[unit_fields]]\nid = "tired"\nkind = "flag"\n[[modifiers]]\nid = "tired"\n'
    half += 'changes = "strength"\nfactor = "1/2"\nwhen = "tired"\n'
    stated: Mapping[str, Any] = {
        "attackers": [{"name": "A", "attack": 6, "steps": 6}],
        "defenders": [{"name": "D", "defence": 4, "tired": True}],
    }
    lost = {"modified": 2, "printed": 4}
    for word, steps in lost.items():
        rules = made(f"exchange, {word} strength", rest=half)
        assert only(rules.fight(stated)).attacker_steps_lost == steps


RETREATS = [  # blocked, stand, room -> steps lost, vacated
    ("lost", "no", None, 0, True),
    ("lost", "no", 1, 4, True),
    ("stays", "no", 1, 0, False),
    ("step a hex", "no", 1, 2, True),  # each unit a step for the missing hex
    ("lost", "step", 1, 1, False),
    ("lost", "trade", 0, 2, False),
]


@pytest.mark.parametrize(("blocked", "stand", "room", "lost", "gone"), RETREATS)
def test_retreats(blocked: str, stand: str, room: int | None, lost: int, gone: bool) -> None:
    rules = made("defender retreats 2", f'blocked = "{blocked}"\nstand = "{stand}"')
    found = only(fight(rules, theirs=((2, 2), (2, 2)), room=room), defender="hold")
    assert (found.defender_steps_lost, found.vacated) == (lost, gone)


@pytest.mark.parametrize(
    ("does", "procedure", "taken"),
    [
        ("defender is eliminated", "", True),
        ("defender is eliminated", 'advance = "no"', False),
        ("defender is eliminated and attacker may not advance", "", False),
        ("defender is eliminated and attacker must advance", 'advance = "no"', True),
    ],
)
def test_advance(does: str, procedure: str, taken: bool) -> None:
    assert only(fight(made(does, procedure))).taken is taken


def test_the_defender_advances_only_if_a_result_lets_him() -> None:
    assert only(fight(made("attacker is eliminated"))).defender_advanced is False
    rules = made("attacker is eliminated and defender may advance")
    assert only(fight(rules)).defender_advanced is True


def test_a_side_chooses_between_two_results_in_its_own_language() -> None:
    play = fight(made("defender retreats 2 or loses 1 step")).play()
    play.answer((1,))
    assert isinstance(play.asking, Choose)
    assert play.asking.side == "defender"
    words = [named(play.start.case.card, play.asking, way, "fr") for way in play.asking.options]
    assert words == ["le défenseur recule de 2 hex", "le défenseur perd un pas"]
    other = fight(made("defender retreats 2 or loses 1 step, attacker chooses")).play()
    other.answer((1,))
    assert isinstance(other.asking, Choose)
    assert other.asking.side == "attacker"


COLUMNS = {  # rounding -> attack to defence, and its column
    "defender": [((5, 2), "2:1"), ((3, 2), "1:1"), ((2, 5), "1:3")],
    "nearest": [((5, 2), "2:1"), ((8, 3), "3:1"), ((4, 9), "1:2"), ((2, 5), "1:3")],
    "attacker": [((5, 2), "3:1"), ((9, 8), "2:1"), ((2, 5), "1:2")],
}
WIDE = 'grid = [["die", "1:3", "1:2", "1:1", "2:1", "3:1"], ["1-6", "R", "R", "R", "R", "R"]]'


@pytest.mark.parametrize("rounding", COLUMNS)
def test_rounding_between_two_columns(rounding: str) -> None:
    rules = made("nothing", f'rounding = "{rounding}"', WIDE)
    for (attack, defence), column in COLUMNS[rounding]:
        found = fight(rules, ((attack, 1),), ((defence, 1),)).explain().column()
        assert found["basic"] == column, (rounding, attack, defence)


@pytest.mark.parametrize(
    ("key", "value", "attack", "defence", "told"),
    [
        ("below", "first", 1, 9, "1:3"),
        ("below", "refused", 1, 9, "below the first column"),
        ("below", "R", 1, 9, None),
        ("beyond", "last", 90, 9, "3:1"),
        ("beyond", "refused", 90, 9, "beyond the table"),
        ("beyond", "R", 90, 9, None),
        ("zero_defence", "last", 5, 0, "3:1"),
        ("zero_defence", "one", 2, 0, "2:1"),
        ("zero_defence", "refused", 5, 0, "the defenders have no strength"),
        ("zero_defence", "R", 5, 0, None),
    ],
)
def test_the_ends_of_the_table(
    key: str, value: str, attack: int, defence: int, told: str | None
) -> None:
    rules = made("defender loses 1 step", f'{key} = "{value}"\nbeyond_from = 10', WIDE)
    if value == "refused":
        with pytest.raises(Refusal, match=told):
            fight(rules, ((attack, 1),), ((defence, 1),))
        return
    found = fight(rules, ((attack, 1),), ((defence, 1),))
    assert found.explain().column()["final"] == told
    if told is None:
        assert found.play().asking is None or not found.play().given  # no die is rolled
        assert only(found).result == "R"


def test_both_sides_may_roll_on_one_table() -> None:
    table = 'dice = "1d6 - 1d6"\ngrid = [["roll", "effect"], ["-5", "N"], ["1", "R"]]'
    rules = made("defender loses 1 step", table=table, rest='N = "nothing"\n')
    odds = fight(rules).odds()
    assert odds.expected("defender_steps_lost") == Fraction(15, 36)


@pytest.mark.parametrize(
    ("columns", "column"),
    [
        ('of = "range"', "3"),
        ('of = "rating"', "6"),
        ('of = "rating", whose = "attacker"', "6"),
        ('of = "rating", whose = "defender"', "1"),
        ('of = "rating", whose = "difference"', "3"),
    ],
)
def test_a_column_may_be_a_range_or_a_rating(columns: str, column: str) -> None:
    """The range is 4; the best of the attackers is 6, of the defenders 2."""
    table = f'columns = {{ {columns} }}\ngrid = [["die", "1", "3", "6"], ["1-6", "R", "R", "R"]]'
    rest = '[[facts]]\nid = "range"\nkind = "number"\nleast = 1\nmost = 9\n'
    rest += '[[unit_fields]]\nid = "rating"\n'
    rules = made("nothing", table=table, rest=rest)
    ours = [{"name": "A", "attack": 1, "rating": 2}, {"name": "B", "attack": 1, "rating": 6}]
    theirs = [{"name": "D", "defence": 1, "rating": 2}, {"name": "E", "defence": 1, "rating": 1}]
    found = rules.fight(attackers=ours, defenders=theirs, range=4)
    assert found.explain().column()["basic"] == column


@pytest.mark.parametrize(("passes", "chance"), [("at most", 15), ("at least", 15)])
def test_checks_roll_against_a_field(passes: str, chance: int) -> None:
    """Against 7: 8 and more fail, or 6 and less."""
    rest = '[[states]]\nid = "shaken"\n[[unit_fields]]\nid = "morale"\ndefault = 7\n[[checks]]\n'
    rest += f'id = "morale"\nagainst = "morale"\npasses = "{passes}"\nfails = "is shaken"\n'
    odds = fight(made("defender checks morale", rest=rest)).odds()
    assert odds.expected("defender_shaken") == Fraction(chance, 36)


FIELDS = (
    '[[states]]\nid = "shaken"\n[[unit_fields]]\nid = "morale"\ndefault = 4\n'
    '[[unit_fields]]\nid = "leadership"\ndefault = 3\n'
)


def test_a_check_may_add_up_several_fields() -> None:
    """4 and 3: as against 7."""
    check = '[[checks]]\nid = "morale"\nagainst = "morale + leadership"\nfails = "is shaken"\n'
    found = fight(made("defender checks morale", rest=FIELDS + check))
    assert found.odds().expected("defender_shaken") == Fraction(15, 36)
    assert [line.value for line in found.explain().lines if line.id == "unit-rating"] == [7, 7]
    with pytest.raises(Refusal, match="there is no unit field 'luck'"):
        made("defender checks morale", rest=FIELDS + check.replace("leadership", "luck"))


def test_each_check_of_a_card_has_its_own_fields() -> None:
    """2d6 of at most 4 in 6 of 36, of at most 3 in 3 of 36."""
    checks = "".join(
        f'[[checks]]\nid = "{id_}"\nagainst = "{id_}"\nfails = "is shaken"\n'
        for id_ in ("morale", "leadership")
    )
    for id_, held in (("morale", 6), ("leadership", 3)):
        odds = fight(made(f"defender checks {id_}", rest=FIELDS + checks)).odds()
        assert odds.expected("defender_shaken") == Fraction(36 - held, 36)


def test_a_table_that_a_result_calls_has_modifiers_of_its_own() -> None:
    """A roll of 4 and more costs a step there; +3 for the heat makes that every roll."""
    rest = (
        '[[tables]]\nid = "rout"\ngrid = [["die", "effect"], ["1", "-"], ["4", "L"]]\n'
        '[tables.results]\n"-" = "nothing"\nL = "defender loses 1 step"\n'
        '[[facts]]\nid = "hot"\nkind = "flag"\n[[facts]]\nid = "wet"\nkind = "flag"\n'
        '[[modifiers]]\nid = "hot"\ntable = "rout"\nchanges = "die"\nvalue = 3\nwhen = "hot"\n'
        '[[modifiers]]\nid = "wet"\nchanges = "die"\nvalue = 3\nwhen = "wet"\n'
    )
    rules = made("read table rout", 'table = "t"', f'id = "t"\n{SURE}', rest)
    sides = {"attackers": units("attackers", (4, 2)), "defenders": units("defenders", (4, 2))}
    for stated, chance in (({}, "1/2"), ({"hot": True}, "1"), ({"wet": True}, "1/2")):
        odds = rules.fight({**sides, **stated}).odds()
        assert odds.expected("defender_steps_lost") == Fraction(chance)
    play = rules.fight({**sides, "hot": True}).resolve(dice=(1, 1))
    assert {"hot", "modified-roll"} <= {told.line.id for told in play.told}


@pytest.mark.parametrize(("again", "lost"), [("nothing", 0), ("step", 1), ("eliminated", 2)])
def test_a_state_that_a_unit_is_in_already(again: str, lost: int) -> None:
    rest = f'[[states]]\nid = "shaken"\nagain = "{again}"\n'
    rules = made("defender is shaken", rest=rest)
    theirs = [{"name": "D", "defence": 4, "steps": 2, "shaken": True}]
    found = only(rules.fight(attackers=units("attackers", (4, 2)), defenders=theirs))
    assert (found.defender_steps_lost, found.defender_shaken) == (lost, 0)


@pytest.mark.parametrize(
    "does",
    [
        "both lose half",
        "defender loses 30 steps and attacker loses all",
        "exchange",
        "defender's exchange, twice",
        "5 defender units are shaken and defender loses 20 steps",
    ],
)
def test_ten_units_of_six_steps_a_side_have_few_situations(does: str) -> None:
    """Which units take the losses is followed only as far as it matters."""
    ours, theirs = (tuple((least + n, 6) for n in range(10)) for least in (4, 2))
    rules = made(does, rest='[[states]]\nid = "shaken"\n')
    allow(60_000)
    try:
        assert fight(rules, ours, theirs).odds().total
    finally:
        allow(None)


FAR = (
    '[[states]]\nid = "shaken"\n[[unit_fields]]\nid = "far"\n[[unit_fields]]\nid = "morale"\n'
    '[[checks]]\nid = "morale"\nagainst = "morale"\nfails = "is shaken"\n'
)
SUFFERED = {  # steps that attackers lose, units shaken, whether they are thrown back
    "attacker is eliminated": (2, 0, False),
    "attacker loses half": (1, 0, False),
    "each attacker unit loses 1 step": (1, 0, False),
    "attacker loses 1 unit": (2, 0, False),
    "attacker loses 3 steps": (2, 0, False),
    "attacker's exchange": (2, 0, False),
    "attacker retreats 2": (0, 0, True),
    "attacker is shaken": (0, 1, False),
    "2 attacker units are shaken, defender picks": (0, 1, False),
    "attacker checks morale": (0, 1, False),
}


@pytest.mark.parametrize("does", SUFFERED)
def test_results_do_nothing_to_attackers_that_are_unharmed(does: str) -> None:
    """Two units of two steps, one of them far away; then both."""
    rules = made(does, 'unharmed = "far >= 2"', rest=FAR)
    near, far = ({"name": n, "attack": 4, "steps": 2, "far": f} for n, f in (("N", 1), ("F", 2)))
    for ours, expected in (
        ([near, far], SUFFERED[does]),
        ([far, {**far, "name": "G"}], (0, 0, False)),
    ):
        found = rules.fight(attackers=ours, defenders=units("defenders", (4, 2)))
        out = only(found)
        assert (out.attacker_steps_lost, out.attacker_shaken, out.attacker_left) == expected
        assert not out.attacker_eliminated
        told = [line.unit for line in found.explain().lines if line.id == "unharmed"]
        assert told == [unit["name"] for unit in ours if unit["far"] == 2]


def test_a_condition_of_the_unharmed_must_be_known() -> None:
    with pytest.raises(Refusal, match="far"):
        made("nothing", 'unharmed = "far >= 2"')
