"""Time the odds of attacks from a file: a script that also runs in older versions of the package.

`python benchmarks/timed_attacks.py FILE` prints a list for each match: of each new kind the seconds
of its odds, the seconds with all outcomes read, and a digest. `PYTHONPATH` says which version is
measured. Options that this version does not know are left out.
"""

import json
import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from time import process_time_ns
from typing import Any

import msgspec

import grognard

OLD = {"fights.odds": "odds", "rules.fight": "fight", "card.card": "card"}  # version 0.1 was flat


def part(name: str) -> Any:  # noqa: ANN401  # a module of any version
    """Import a module of the package by its present name."""
    try:
        return import_module(f"grognard.{name}")
    except ModuleNotFoundError:
        return import_module(f"grognard.{OLD[name]}")


ODDS, FIGHT, CARD = (part(name) for name in OLD)


def case(attack: dict[str, Any]) -> Any:  # noqa: ANN401  # a case of any version
    game = grognard.load(attack["game"])
    known = {option.id for option in game.card.options}
    options = game.card.chosen({id_: c for id_, c in attack["options"].items() if id_ in known})
    procedure = game.procedure(attack["procedure"])
    setup = msgspec.convert(attack["setup"], procedure.setup, dec_hook=CARD.decode_hook)
    return FIGHT.Case(game.card, options, setup, procedure)


def timed(attacks: list[dict[str, Any]]) -> list[tuple[float, float, str]]:
    """Ask for all odds in the order of a match, then read them; give the seconds of new kinds."""
    cases, found = [case(attack) for attack in attacks], list[tuple[float, Any]]()
    ODDS.forget()
    for attack, stated in zip(attacks, cases, strict=True):
        fight = stated.procedure.start(stated)
        start = process_time_ns()
        odds = fight.odds()
        seconds = (process_time_ns() - start) / 1e9
        if attack["new"]:
            found.append((seconds, odds))
    return [(seconds, seconds + reading(odds), digest(odds)) for seconds, odds in found]


def reading(odds: Any) -> float:  # noqa: ANN401  # odds of any version
    """Give the seconds in which all outcomes are read."""
    start = process_time_ns()
    _ = odds.weights
    return (process_time_ns() - start) / 1e9


def digest(odds: Any) -> str:  # noqa: ANN401  # odds of any version
    """Give a text that is equal for equal odds."""
    rows = sorted(f"{msgspec.to_builtins(outcome)} {chance}" for outcome, chance in odds.outcomes())
    return sha256("\n".join(rows).encode()).hexdigest()


if __name__ == "__main__":
    matches = json.loads(Path(sys.argv[1]).read_bytes())
    print(json.dumps([timed(attacks) for attacks in matches]))
