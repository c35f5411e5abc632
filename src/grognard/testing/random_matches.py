"""Random matches on the map: played with any legal answers, and checked at their end."""

from random import Random

from grognard.maps.board import Piece
from grognard.matches.match import Match, begin
from grognard.matches.protocol import END, Order
from grognard.rules.ask import Answer, Ask, Choose, Commit, Roll
from grognard.rules.line import Line
from grognard.testing.conformance import NotConforming

MOST_ANSWERS = 5000
HURRIES = (0.1, 0.4, 0.7)  # how often a phase is ended early


def any_answer(ask: Order | Ask, random: Random, hurry: float) -> Answer:
    """Give a random legal answer; `hurry` is how often a phase is ended early."""
    match ask:
        case Order():
            return END if random.random() < hurry else ask.orders.draw(random)
        case Roll():
            return ask.dice.draw(random)
        case Choose():
            return random.choice(ask.options)
        case Commit():
            return random.choice(ask.attacker), random.choice(ask.defender)


def random_match(name: str, seed: int) -> Match:
    """Play a scenario to its end."""
    random, match = Random(seed), begin(name)
    hurry = random.choice(HURRIES)
    for _ in range(MOST_ANSWERS):
        if match.asking is None:
            return match
        match.answer(any_answer(match.asking, random, hurry))
    raise NotConforming(f"{name}, seed {seed}: still asking {match.asking}")


def check_match(match: Match) -> None:
    """No unit appears or vanishes, none lives off the map that has been on it, no hex holds two
    sides or too many units; every step that is gone was told, as was everybody who changed
    sides."""
    before = {unit.name: unit for unit in match.field.scenario.board().pieces}
    steps, captured = _told(match, before)
    if sorted(unit.name for unit in match.board.pieces) != sorted(before):
        raise NotConforming("a unit has appeared or vanished")
    for unit in match.board.pieces:
        gone = unit.name in captured and not unit.steps
        if unit.steps != steps[unit.name] and not gone:
            raise NotConforming(f"{unit.name} has {unit.steps} steps, told: {steps[unit.name]}")
        if unit.side != before[unit.name].side and unit.name not in captured:
            raise NotConforming(f"{unit.name} has changed sides")
        if unit.at is not None and not (unit.alive and unit.at in match.board.map.places):
            raise NotConforming(f"{unit.name} stands off the map")
    for hex_, stack in match.board.stacks().items():
        if len({unit.side for unit in stack}) > 1:
            raise NotConforming(f"both sides stand in {match.board.map.number(hex_)}")


def _told(match: Match, before: dict[str, Piece]) -> tuple[dict[str, int], set[str]]:
    """Follow the log: the steps that each unit should have, and who was captured."""
    steps, captured = {name: unit.steps for name, unit in before.items()}, set[str]()
    for line in (entry for entry in match.log if isinstance(entry, Line) and entry.unit):
        match (line.kind, line.id):
            case ("loss", _):
                left = line.value if isinstance(line.value, int) else -1
                if not 0 <= left < steps[line.unit]:
                    raise NotConforming(f"{line.in_('en')}: it had {steps[line.unit]}")
                steps[line.unit] = left
            case ("eliminated", _) | (_, "column-used"):
                steps[line.unit] = 0
            case ("captured", _):
                captured.add(line.unit)
            case (_, "arrives" | "cl-turned"):  # a logistic column comes back
                steps[line.unit] = before[line.unit].steps
    return steps, captured
