"""Fights of Bautzen 1945 for tests."""

from typing import Any

from grognard.fights.play import Play
from grognard.rules.ask import Answer, Choose
from grognard.rules.fight import Fight
from grognard.rules.game import load

GAME = load("bautzen")
Stated = dict[str, Any]  # what a player writes, as it is read from a file


def unit(name: str, **stated: object) -> Stated:
    return {"name": name, **stated}


def hq(name: str, support: int, **stated: object) -> Stated:
    return {**unit(name, kind="hq", size="division-hq", support=support), **stated}


# 12 against 4 is column 3/1, read 1/0, 1/0, 1/1, 1/2, 1/2, 1/2 with dice 1 to 6, then 1/2, 1/3.
TWELVE = [unit("A", attack=12)]
FOUR = [unit("D", defence=4)]


def attack(
    attackers: list[Stated] | None = None,
    defenders: list[Stated] | None = None,
    options: dict[str, str] | None = None,
    **stated: object,
) -> Fight:
    sides = {"attackers": attackers or TWELVE, "defenders": defenders or FOUR}
    return GAME.fight({**sides, **stated}, options=options)


def play(fight: Fight, *answers: Answer) -> Play:
    """Give every answer; the attack must be over with the last."""
    played = Play(fight, answers)
    assert played.asking is None
    return played


def asked(fight: Fight, *answers: Answer) -> tuple[Answer, ...]:
    """Give the options of the choice that follows the answers."""
    asking = Play(fight, answers).asking
    assert isinstance(asking, Choose)
    return asking.options


def steps(played: Play) -> dict[str, int]:
    return {unit.name: unit.steps for unit in (*played.fight.attackers, *played.fight.defenders)}


def totals(fight: Fight) -> tuple[object, object]:
    found = fight.explain().totals()
    return found["attack"], found["defence"]


def columns(fight: Fight) -> tuple[object, object]:
    found = fight.explain().column()
    return found["basic"], found["final"]


def result(fight: Fight, die: int) -> str:
    """The table's result: the same whatever the sides decide after the roll."""
    return fight.resolve(dice=[die], seed=1).outcome.result


STACK = [unit("D", defence=2), unit("E", defence=2)]


def groups(*words: str) -> set[Answer]:
    return {tuple(word) for word in words}
