"""Normandy '44: refusals, odds, strafing, attrition, reinforcements, conformance."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from grognard.rules.fight import Fight
from grognard.testing.conformance import check_game
from grognard.words.refusal import Refusal
from grognard.words.typography import spaced
from tests.games.normandy_fights import (
    GAME,
    Options,
    Stated,
    asked,
    attack,
    basic,
    defender,
    final,
    german,
    main,
    played,
    steps_left,
    told,
    totals,
)

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("normandy*.toml"))


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"attackers": []}, "main force"),
        ({"attackers": [{"name": "A", "factor": 4}]}, "no unit is in the main force"),
        ({"defenders": []}, "nobody is attacked"),
        ({"attackers": [main(-1)]}, "factor"),
        ({"attackers": [main(4, steps=0)]}, "steps"),
        ({"attackers": [main(4, "D")]}, "two units are named 'D'"),
        ({"attackers": [main(0)]}, "no combat factor left"),
        ({"defenders": [defender(0)]}, "no odds"),
        ({"terrain": ["swamp"]}, "no terrain 'swamp'"),
        ({"terrain": ["minor-river"]}, "no terrain 'minor-river'"),
        ({"terrain": ["marsh"]}, "no terrain 'marsh'"),
        ({"terrain": []}, "name the terrain"),
        ({"attackers": [main(4, crosses=["impassable"])]}, "no terrain 'impassable'"),
        ({"retreat_path": ["minor-river"]}, "no terrain 'minor-river'"),
        ({"offensive_air": 3}, "offensive_air: 3 is too many; at most 2"),
        ({"hq_support": -1}, "hq_support: −1 is too few; at least 0"),
        ({"tiger_advantage": 2}, "tiger_advantage: 2 is too many; at most 1"),
        ({"defensive_support": -1}, "defensive_support: −1 is too few"),
        ({"fortification": "bunker"}, "fortification"),
        ({"weather": "rain"}, "weather"),
        (
            {"attackers": [main(4, nationality="us"), main(4, "B", nationality="british")]},
            "do not attack together",
        ),
        (
            {"attackers": [main(4, nationality="us")], "attacker_camp": "german"},
            "do not attack with the Germans",
        ),
        (
            {"attackers": [main(4, landing=True)], "attacker_camp": "german"},
            "only Allied reinforcements land",
        ),
        ({"bocage": True}, "bocage"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(facts: Stated, message: str) -> None:
    usual: Stated = {"attackers": [main(4)], "defenders": [defender()]}
    with pytest.raises(Refusal, match=message):
        GAME.fight({**usual, **facts})


# ------------------------------------------------------------------ odds


def test_exact_odds_of_a_small_attack_worked_out_by_hand() -> None:
    # 4-1: EX, DR, DR, A1/D1, D1, D1. The defender has two steps. After DR he stands, and holds
    # with a 6 only (EX); after a loss he has one step and would die standing, so he goes.
    odds = attack(4, 1).odds(attacker="take", defender="hold")
    assert odds.chance("taken") == Fraction(2, 6) * Fraction(5, 6) + Fraction(3, 6)
    assert odds.chance("vacated") == odds.chance("taken")
    assert odds.expected("attacker_steps_lost") == Fraction(14, 36)
    assert odds.expected("defender_steps_lost") == Fraction(28, 36)
    assert {code: part.total for code, part in odds.by_result().items()}.keys() == {
        "EX",
        "DR",
        "A1/D1",
        "D1",
    }


def test_odds_with_jabos_are_those_of_the_four_columns() -> None:
    # 6-1 three times in six, then 5-1, 4-1, 3-1: chance of DH or A1/D2 is 2/6, 1/6, 0, 0
    odds = german(weather="clear").odds()
    rare = sum(chance for outcome, chance in odds.outcomes() if outcome.result in ("DH", "A1/D2"))
    assert rare == Fraction(1, 2) * Fraction(2, 6) + Fraction(1, 6) * Fraction(1, 6)


# ------------------------------------------------------------------ strafing


def strafing(*targets: Stated, options: Options | None = None, **facts: object) -> Fight:
    stated = {"targets": list(targets) or [{"name": "Pz", "steps": 2}], **facts}
    return GAME.fight(stated, procedure="strafing", options=options)


@pytest.mark.parametrize(
    ("facts", "hits"),
    [
        ({}, 1),
        ({"strafed_strategic": True}, 2),
        ({"flak_present": True}, 0),
        ({"flak_present": True, "strafed_strategic": True}, 1),
    ],
)
def test_strafing_hits_with_a_modified_6(facts: Stated, hits: int) -> None:
    odds = strafing(**facts).odds()
    assert odds.expected("defender_steps_lost") == Fraction(hits, 6)


def test_strafing_costs_an_armour_silhouette_a_step_picked_by_its_owner() -> None:
    targets: list[Stated] = [
        {"name": "Pz", "steps": 2},
        {"name": "Gren", "armoured": False},
        {"name": "StuG"},
    ]
    play = played(strafing(*targets), 6)
    assert asked(play) == ("defender", "which-loses", ("Pz", "StuG"))
    play.answer("StuG")
    assert steps_left(play) == {"Pz": 2, "Gren": 1, "StuG": 0}
    assert not play.outcome.defender_eliminated
    other = played(strafing(*targets, options={"loss_choice": "opponent"}), 6)
    assert asked(other)[0] == "attacker"


def test_strafing_without_an_armour_silhouette_is_refused() -> None:
    with pytest.raises(Refusal, match="no armour silhouette"):
        strafing({"name": "Gren", "armoured": False})


# ------------------------------------------------------------------ attrition


def attrition(*units: Stated, camp: str = "german") -> Fight:
    return GAME.fight({"units": list(units), "camp": camp}, procedure="attrition")


@pytest.mark.parametrize(
    ("facts", "lost"),
    [
        ({}, 4),
        ({"quality": 1}, 3),
        ({"quality": -1}, 5),
        ({"supply_line_to": "town"}, 2),
        ({"supply_line_to": "hq", "quality": 2}, 0),
        ({"supply_line_to": "strongpoint", "quality": -2}, 4),
    ],
)
def test_attrition_costs_a_step_with_a_modified_4_or_less(facts: Stated, lost: int) -> None:
    odds = attrition({"name": "U", "steps": 2, **facts}).odds()
    assert odds.expected("defender_steps_lost") == Fraction(lost, 6)


def test_attrition_rolls_for_each_unit() -> None:
    play = played(attrition({"name": "U"}, {"name": "V", "steps": 2, "quality": 2}), 4, 3)
    assert steps_left(play) == {"U": 0, "V": 2}
    assert play.outcome.result == "-1"
    assert not play.outcome.defender_eliminated
    assert [line.unit for line in told(play, "unit-quality")] == ["V"]


def test_attrition_refuses_supply_lines_of_the_other_camp() -> None:
    assert attrition({"name": "U", "supply_line_to": "coast"}, camp="allied")
    with pytest.raises(Refusal, match="only Allied units"):
        attrition({"name": "U", "supply_line_to": "coast"})
    with pytest.raises(Refusal, match="only German units"):
        attrition({"name": "U", "supply_line_to": "strongpoint"}, camp="allied")
    with pytest.raises(Refusal, match="no unit is isolated"):
        attrition()


# ------------------------------------------------------------------ reinforcements


def purchase(points: int, *wanted: Stated, mulberries: tuple[str, ...] = ()) -> Fight:
    stated = {"points": points, "wanted": list(wanted), "mulberries": list(mulberries)}
    return GAME.fight(stated, procedure="reinforcements")


@pytest.mark.parametrize(
    ("what", "cost"),
    [
        ("british-armoured-brigade", 4),
        ("us-combat-command", 4),
        ("us-regiment", 3),
        ("commonwealth-brigade", 3),
        ("hq", 2),
        ("two-step-armour", 2),
        ("one-step-unit", 1),
    ],
)
def test_each_reinforcement_has_its_price(what: str, cost: int) -> None:
    play = purchase(cost, {"what": what}).play()
    assert play.asking is None
    assert play.outcome.attacker_spent == cost
    assert [line.value for line in told(play, "points-left")] == [0]
    with pytest.raises(Refusal, match=f"costs {cost} points; there are {cost - 1}"):
        purchase(cost - 1, {"what": what})


def test_a_purchase_tells_what_arrives_and_what_remains() -> None:
    play = purchase(12, {"what": "us-regiment", "count": 2}, {"what": "hq"}).play()
    assert [entry.line.in_("en") for entry in play.events] == [
        "Arrives: 2 × US regiment",
        "Arrives: 1 × HQ",
        "Reinforcement points left: 4",
    ]
    assert [entry.line.in_("fr") for entry in play.events][1:] == [
        spaced("Arrive : 1 × QG"),
        spaced("Points de renfort restants : 4"),
    ]


def test_a_supply_point_needs_the_mulberry_of_its_army() -> None:
    supply: Stated = {"what": "supply-point", "army": "us"}
    assert purchase(3, supply, mulberries=("us",)).play().outcome.attacker_spent == 3
    with pytest.raises(Refusal, match="Mulberry of this army is not built yet: us"):
        purchase(3, supply, mulberries=("british",))
    with pytest.raises(Refusal, match="for which army"):
        purchase(3, {"what": "supply-point"}, mulberries=("us", "british"))


def test_unknown_or_missing_wishes_are_refused() -> None:
    with pytest.raises(
        Refusal, match=r"no points bring in 'us-regimnt'; near matches: us-regiment"
    ):
        purchase(3, {"what": "us-regimnt"})
    with pytest.raises(Refusal, match="nothing is wanted"):
        purchase(3)
    with pytest.raises(Refusal, match="points"):
        purchase(-1, {"what": "hq"})


# ------------------------------------------------------------------ examples, conformance


def example(file: Path) -> Fight:
    stated = tomllib.loads(file.read_text(encoding="utf-8"))
    assert stated.pop("game") == "normandy"
    procedure = stated.pop("procedure", None)
    return GAME.fight(stated, procedure=procedure, options=stated.pop("options", {}))


def test_there_is_an_example_of_every_procedure() -> None:
    procedures = {example(file).case.procedure.id for file in EXAMPLES}
    assert procedures == {procedure.id for procedure in GAME.procedures}


def test_the_example_is_worked_out_as_its_comments_say() -> None:
    fight = example(EXAMPLES[0].with_name("normandy.toml"))
    assert totals(fight) == (Fraction(33, 2), 8)  # 7 + 7 + 5/2 against 3 + 2 and bocage
    assert (basic(fight), final(fight)) == ("2-1", "5-1")  # quality, air, naval; no armour


def conforming() -> list[Fight]:
    mixed = [main(6), main(4, "B", steps=1), {"name": "C", "factor": 4, "crosses": ["minor-river"]}]
    theirs = [defender(1, quality=1), defender(1, "E", steps=1, armour=1, lead_uses_armour=True)]
    ways: Stated = {"terrain": ["wood"], "fortification": "entrenchment", "retreat_path": ["wood"]}
    return [
        attack(mixed, theirs, weather="clear", attacker_camp="german", hq_support=1),
        attack(mixed, theirs, offensive_air=2, **ways),
        attack(mixed, theirs, {"loss_choice": "opponent"}, can_retreat=False, hq_support=2),
        attack(1, 3, quality_advantage=-1),
        *[example(file) for file in EXAMPLES],
    ]


@pytest.mark.slow
def test_the_game_keeps_what_every_game_must() -> None:
    check_game(GAME, conforming())
