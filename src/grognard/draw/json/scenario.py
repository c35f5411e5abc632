"""Scenarios and their sides as JSON."""

from collections.abc import Collection

from grognard.card.card import Card
from grognard.draw.json.structs import JsonStruct, joined
from grognard.maps.scenario import MARKS, Scenario
from grognard.words.text import Lang


class NamedScenarioJson(JsonStruct):
    """A scenario by its names."""

    id: str
    name: str
    game: str
    game_name: str
    turns: int


class SideJson(JsonStruct):
    """A side: its name, and the mark and colour of its counters."""

    id: str
    name: str
    mark: str
    colour: str


class SeatJson(SideJson):
    """A side of a match, and whether it plays itself."""

    automatic: bool


class ScoredSeatJson(SeatJson):
    """A side of a match with its points."""

    points: int


class ChoiceJson(JsonStruct):
    """A way in which an option may be played."""

    id: str
    text: str


class RuleOptionJson(JsonStruct):
    """An option of the rules, and how it is played."""

    id: str
    text: str
    rule: str | None
    chosen: str
    choices: list[ChoiceJson]


class ScenarioJson(NamedScenarioJson):
    """A scenario before a match of it begins."""

    about: str
    units: int
    sides: list[SideJson]
    options: list[RuleOptionJson]


def scenario_json(scenario: Scenario, card: Card, lang: Lang) -> ScenarioJson:
    """Describe a scenario before a match of it begins."""
    chosen = card.chosen(scenario.options)
    return joined(
        ScenarioJson,
        named_scenario(scenario, card, lang),
        about=scenario.about.in_(lang),
        units=len(scenario.forces),
        sides=sides_json(scenario, lang),
        options=[
            joined(
                RuleOptionJson,
                option,
                text=option.text.in_(lang),
                chosen=chosen[option.id],
                choices=[ChoiceJson(id=c.id, text=c.text.in_(lang)) for c in option.choices],
            )
            for option in card.options
        ],
    )


def named_scenario(scenario: Scenario, card: Card, lang: Lang) -> NamedScenarioJson:
    """Name a scenario and its game."""
    name, game_name = scenario.name.in_(lang), card.name.in_(lang)
    return joined(NamedScenarioJson, scenario, name=name, game_name=game_name)


def sides_json(scenario: Scenario, lang: Lang) -> list[SideJson]:
    """Give the two sides with their marks, in the order of play."""
    return [
        joined(SideJson, side, name=side.name.in_(lang), mark=mark)
        for side, mark in zip(scenario.sides, MARKS, strict=True)
    ]


def seats_json(scenario: Scenario, autos: Collection[str], lang: Lang) -> list[SeatJson]:
    """Give the two sides of a match, and which of them play themselves."""
    return [
        joined(SeatJson, side, automatic=side.id in autos) for side in sides_json(scenario, lang)
    ]
