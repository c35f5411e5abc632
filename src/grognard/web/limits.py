"""What the server accepts: every limit in one place. docs/web.md states them.

Fights on this machine's command line have no such limits: there a person waits for his own answer.
"""

from collections.abc import Iterator
from contextvars import ContextVar
from functools import cache, wraps
from typing import Any, get_args

from msgspec.structs import replace

from grognard import game
from grognard.ask import Answer, Asking, Choose
from grognard.card import Side
from grognard.fight import Fight, steps, units_of
from grognard.fight_file import stated_fight
from grognard.message import say
from grognard.procedure import Game, Procedure, Step
from grognard.refusal import Refusal
from grognard.toml_file import Path, written

BODY = 256 * 1024  # bytes
DEPTH = 16  # lists and objects in each other
NUMBER = 1_000_000  # either side of 0
WORD = 1_000  # characters
UNITS = 16  # entries of a list of a fight, so also units of a side
STEPS = 32  # of a side
SITUATIONS = 200_000  # looked at for one answer: runs of a step, and what they offer

TOO_DEEP = say("this is nested too deeply; at most {n} levels", n=DEPTH)


def check_body(data: object) -> None:
    """Refuse numbers, words and nesting that no game needs."""
    for path, value in _inside(data):
        match value:
            case int() if abs(value) > NUMBER:
                problem = say("the number is too large; at most {n} either side of 0", n=NUMBER)
            case str() if len(value) > WORD:
                problem = say("the text is too long; at most {n} characters", n=WORD)
            case _ if len(path) > DEPTH:
                problem = TOO_DEEP
            case _:
                continue
        raise Refusal(problem, place=_short(path))


def check_fight(stated: dict[str, Any]) -> None:
    """Refuse lists that are longer than those of any fight."""
    for path, value in _inside(stated):
        if isinstance(value, list) and len(value) > UNITS:
            problem = say("{n} entries are too many; at most {most}", n=len(value), most=UNITS)
            raise Refusal(problem, place=_short(path))


def _inside(data: object) -> Iterator[tuple[Path, object]]:
    """Give everything inside, keys too, with its path. Not recursive: depth is for us to judge."""
    open_: list[tuple[Path, object]] = [((), data)]
    while open_:
        path, value = open_.pop()
        yield path, value
        match value:
            case dict():
                for key in value:
                    yield path, key
                open_ += [((*path, key), inner) for key, inner in reversed(value.items())]
            case list():
                open_ += [((*path, n), value[n]) for n in reversed(range(len(value)))]


def _short(path: Path) -> str:
    return written(tuple(step if isinstance(step, int) else step[:40] for step in path))


def limited_fight(stated: dict[str, Any]) -> Fight:
    """Set a fight up within the limits; whatever is asked of it may look at so many situations."""
    check_fight(stated)
    fight = stated_fight(stated, _limited)
    sides: tuple[Side, ...] = get_args(Side)
    for side in sides:
        if (found := steps(units_of(fight, side))) > STEPS:
            problem = say("{n} steps are too many; at most {most} a side", n=found, most=STEPS)
            raise Refusal(problem, place=f"{side}s")
    _allowance.set(Allowance())
    return fight


class Allowance:
    """How many situations may still be looked at."""

    def __init__(self) -> None:
        self.left = SITUATIONS

    def spend(self, count: int) -> None:
        """Take some away, or refuse."""
        self.left -= count
        if self.left < 0:
            problem = say(
                "too much can happen in this fight: more than {n} situations; state fewer units, "
                "or ask on the command line",
                n=SITUATIONS,
            )
            raise Refusal(problem)


_allowance: ContextVar[Allowance | None] = ContextVar("_allowance", default=None)


@cache
def _limited(game_id: str) -> Game:
    """Give a game whose steps count against the allowance; each situation runs a step once."""
    loaded = game.load(game_id)
    return Game(loaded.card, tuple(map(_counting, loaded.procedures)))


def _counting(procedure: Procedure) -> Procedure:
    counted = {step: _counted(step) for step in procedure.steps}
    plain = procedure.plain and replace(procedure.plain, before=counted[procedure.plain.before])
    return replace(procedure, steps=tuple(counted.values()), plain=plain)


def _counted(step: Step) -> Step:
    @wraps(step)
    def run(fight: Fight) -> Asking[Any]:
        allowance = _allowance.get()
        return step(fight) if allowance is None else _spending(step(fight), allowance)

    return run


def _spending(running: Asking[Any], allowance: Allowance) -> Asking[Any]:
    """Run a step, and count the run and whatever it offers."""
    allowance.spend(1)
    answer: Answer | None = None
    try:
        while True:
            said = running.send(answer)
            if isinstance(said, Choose):
                allowance.spend(len(said.options))
            answer = yield said
    except StopIteration as end:
        return end.value
