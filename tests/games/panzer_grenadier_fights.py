"""Fire of Panzer Grenadier for tests."""

from collections.abc import Mapping

from grognard.fights.explain import Explanation
from grognard.fights.play import Play
from grognard.rules.ask import Choose, Roll
from grognard.rules.fight import Fight
from grognard.rules.game import load
from grognard.words.numbers import signed

GAME = load("panzer-grenadier")
Stated = dict[str, object]


def unit(name: str, kind: str = "infantry", **facts: object) -> Stated:
    return {"name": name, "kind": kind, "morale": 8, **facts}


def direct(
    *targets: Stated,
    fire: int = 11,
    options: Mapping[str, str] | None = None,
    stated: Stated | None = None,
    **facts: object,
) -> Fight:
    """Set up a direct fire of one unit, in the open at range 2 unless stated otherwise."""
    usual = {
        "attackers": [{"name": "F", "fire": fire}],
        "defenders": list(targets) or [unit("A")],
        "range": 2,
    }
    return GAME.fight({**usual, **facts, **(stated or {})}, options=options)


def anti_tank(
    target: Stated | None = None,
    *leaders: Stated,
    value: int = 5,
    options: Mapping[str, str] | None = None,
    stated: Stated | None = None,
    **facts: object,
) -> Fight:
    """Set up an anti-tank fire at armour 3, in the open at range 2 unless stated otherwise."""
    usual = {
        "attackers": [{"name": "F", "anti_tank": value}],
        "defenders": [target or unit("T", "afv-closed", armour=3), *leaders],
        "range": 2,
    }
    facts = {**usual, **facts, **(stated or {})}
    return GAME.fight(facts, procedure="anti-tank", options=options)


def two_dice(total: int) -> tuple[int, int]:
    return (1, total - 1) if total <= 7 else (6, total - 6)


def rolled(fight: Fight, *totals: int) -> Play:
    """Play with the given sums of two dice, up to the first question that they do not answer."""
    play = fight.play()
    for total in totals:
        assert isinstance(play.asking, Roll)
        play.answer(two_dice(total))
    return play


def shifts(explanation: Explanation) -> dict[str, int]:
    """The shift against each group of units, by their names."""
    lines = [line for line in explanation.lines if line.id == "shift"]
    return {line.unit: int(str(line.value)) for line in lines}


def checks(play: Play) -> dict[str, tuple[int, str]]:
    """Who must check, against which morale and with what added to the dice."""
    lines = [told.line for told in play.told]
    added = {line.unit: int(str(line.value)) for line in lines if line.id == "result-adds"}
    checking = [line for line in lines if line.id == "must-check"]
    return {line.unit: (int(str(line.value)), signed(added.get(line.unit, 0))) for line in checking}


def steps(play: Play) -> dict[str, int]:
    return {unit.name: unit.steps for unit in play.fight.defenders}


def offered(play: Play) -> list[tuple[str, ...]]:
    assert isinstance(play.asking, Choose)
    assert play.asking.side == "defender"
    options = [option for option in play.asking.options if isinstance(option, tuple)]
    return [tuple(str(name) for name in option) for option in options]
