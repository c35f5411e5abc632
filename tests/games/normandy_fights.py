"""Fights of Normandy '44 for tests: units, set-ups, and what is read from them."""

from collections.abc import Mapping
from typing import Any

from grognard.fights.play import Play
from grognard.rules.ask import Answer, Choose, Roll
from grognard.rules.fight import Fight, units_of
from grognard.rules.game import load
from grognard.rules.line import Line

GAME = load("normandy")
Stated = dict[str, Any]  # what a player may write, right or wrong
Options = Mapping[str, str]


def main(factor: int, name: str = "A", **facts: object) -> Stated:
    """A unit of the main force, with enough steps to survive."""
    return {"name": name, "factor": factor, "steps": 3, "main_force": True, **facts}


def defender(factor: int = 1, name: str = "D", **facts: object) -> Stated:
    return {"name": name, "factor": factor, "steps": 2, **facts}


def attack(
    factor: int | list[Stated],
    defence: int | list[Stated] = 1,
    options: Options | None = None,
    **facts: object,
) -> Fight:
    """Set up an attack: lists of units, or one unit a side with the given factor."""
    attackers = [main(factor)] if isinstance(factor, int) else factor
    defenders = [defender(defence)] if isinstance(defence, int) else defence
    return GAME.fight({"attackers": attackers, "defenders": defenders, **facts}, options=options)


def totals(fight: Fight) -> tuple[object, object]:
    found = fight.explain().totals()
    return found["attack"], found["defence"]


def basic(fight: Fight) -> object:
    return fight.explain().column()["basic"]


def final(fight: Fight) -> object:
    return fight.explain().column()["final"]


def shift(fight: Fight) -> int:
    """The sum of the column shifts told."""
    lines = [line for line in fight.explain().lines if line.changes == "column"]
    return sum(int(str(line.value)) for line in lines if line.kind == "modifier")


def played(fight: Fight, *answers: int | str | tuple[str, ...]) -> Play:
    return go_on(fight.play(), *answers)


def go_on(play: Play, *answers: int | str | tuple[str, ...]) -> Play:
    """Answer the questions in turn; a number is a die where one is asked."""
    for answer in answers:
        is_die = isinstance(play.asking, Roll) and isinstance(answer, int)
        play.answer((answer,) if is_die else answer)
    return play


def asked(play: Play) -> tuple[str, str, tuple[Answer, ...]]:
    """Who is asked, what, and the legal answers."""
    assert isinstance(play.asking, Choose)
    return play.asking.side, play.asking.what, play.asking.options


def steps_left(play: Play) -> dict[str, int]:
    units = [*units_of(play.fight, "attacker"), *units_of(play.fight, "defender")]
    return {unit.name: unit.steps for unit in units}


def told(play: Play, id_: str) -> list[Line]:
    return [entry.line for entry in play.told if entry.line.id == id_]


# Attacks of one unit on one defender of factor 1 (or less than even: the defence)
ODDS = {
    "1-3": (1, 3),
    "1-2": (1, 2),
    "1-1": (1, 1),
    "2-1": (2, 1),
    "3-1": (3, 1),
    "4-1": (4, 1),
    "5-1": (5, 1),
    "6-1": (6, 1),
    "7-1+": (7, 1),
}
DIAGONAL = ["A1"] * 4 + ["A1/DR", "EX", "DR", "DR", "A1/D1", "D1", "D1", "A1/D2", "DH", "DH"]


# Odds and die that give a result
RESULTS = {
    "A1": (1, 1),
    "A1/DR": (3, 1),
    "EX": (4, 1),
    "DR": (4, 2),
    "A1/D1": (4, 4),
    "D1": (4, 5),
    "A1/D2": (7, 4),
    "DH": (7, 6),
}


def after(
    result: str,
    attackers: list[Stated] | None = None,
    defenders: list[Stated] | None = None,
    options: Options | None = None,
    **facts: object,
) -> Play:
    """Play an attack in the open up to where the given result has been rolled.

    The first attacker brings the factors: 4 times the defence or 7 times, as the result needs."""
    ratio, die = RESULTS[result]
    theirs = defenders or [defender()]
    strength = sum(int(str(unit["factor"])) for unit in theirs) * ratio
    ours = attackers or [main(0)]
    ours = [{**ours[0], "factor": strength}, *({**unit, "factor": 0} for unit in ours[1:])]
    play = played(attack(ours, theirs, options, **facts), die)
    assert play.fight.result == result
    return play


def german(options: Options | None = None, **facts: object) -> Fight:
    return attack(6, 1, options, attacker_camp="german", **facts)
