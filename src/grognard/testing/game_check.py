"""The check of a game that somebody writes: it is read, proved on random fights, and advised on."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Literal, NamedTuple

from grognard.card.written_lines import line_in_card
from grognard.files import toml_file
from grognard.maps import scenario
from grognard.maps.scenario import Scenario
from grognard.rules import game
from grognard.rules.game_places import GamePlace
from grognard.rules.line import Line
from grognard.rules.procedure import Game
from grognard.testing.array_conformance import check_arrays
from grognard.testing.card_advice import advice
from grognard.testing.conformance import NotConforming, check_game
from grognard.testing.random_matches import check_match, random_match
from grognard.testing.random_setups import random_fights
from grognard.words.message import Message, say
from grognard.words.refusal import Refusal

FIGHTS, ON_ARRAYS = 25, 8  # random fights of each procedure
MATCHES = 3  # random matches of each scenario


class Finding(NamedTuple):
    """What a check has found: a problem, or advice; `where` is the file and the line."""

    kind: Literal["problem", "advice"]
    text: Message
    where: str


def check_place(place: GamePlace) -> Iterator[Finding]:
    """Check a game and the scenarios beside it; a card that can't be read is refused."""
    rules = game.load(place.id)
    for problem in proved(rules):
        yield Finding("problem", problem, place.source)
    text = place.text()
    data = toml_file.parse(text, place.source)
    for told, path in advice(rules, data):
        line = line_in_card(text, data, path)
        where = place.source if line is None else f"{place.source}:{line}"
        yield Finding("advice", told, where)
    yield from check_scenarios(place)


def proved(rules: Game, seed: int = 0) -> Iterator[Message]:
    """Prove a game on random fights made from its card; give its problems."""
    for procedure in rules.procedures:
        fights = [*islice(random_fights(rules, procedure.id, Random(seed)), FIGHTS)]
        try:
            check_game(rules, fights, seed)
            check_arrays(fights[:ON_ARRAYS])
        except NotConforming as error:
            yield say(
                "procedure {id} does not keep what every game must keep: {problem}",
                id=procedure.id,
                problem=str(error),
            )


# ------------------------------------------------------------------ scenarios


def check_scenarios(place: GamePlace) -> Iterator[Finding]:
    """Read every scenario beside a card, and play it to its end with random orders."""
    for file in place.scenarios:
        try:
            battle = scenario.own(file.stem)
        except Refusal as refusal:
            yield Finding("problem", refusal.problem, refusal.where)
        else:
            yield from _played(battle, str(file))


def _played(battle: Scenario, source: str) -> Iterator[Finding]:
    fought = False
    still = [unit.name for unit in battle.units if not unit.move]
    if still:
        told = say("without `move` a unit never moves: {units}", units=", ".join(still))
        yield Finding("advice", told, source)
    for seed in range(MATCHES):
        try:
            match = random_match(battle.id, seed)
            check_match(match)
        except NotConforming as error:
            problem = say(
                "a random match does not keep what every match must keep: {problem}",
                problem=str(error),
            )
            yield Finding("problem", problem, source)
            return
        lines = (entry for entry in match.log if isinstance(entry, Line))
        fought = fought or any(line.kind == "result" for line in lines)
    if not fought:
        told = say(
            "nobody fought in {n} random matches: are the sides too far apart for {turns} "
            "{turns:turn|turns}?",
            n=MATCHES,
            turns=battle.turns,
        )
        yield Finding("advice", told, source)
