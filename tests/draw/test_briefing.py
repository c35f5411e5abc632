"""The briefing before a match: sides, goals, turns, and what is special."""

import pytest

from grognard.draw.json.briefing import briefing_json
from grognard.maps import scenario
from grognard.matches.match import begin, new_field
from tests.command import run
from tests.example_games import finds_examples

FOUND = sorted({*scenario.ids(), "fire-lane.crossroads", "river-line.bridgehead"})


@finds_examples
@pytest.mark.parametrize("name", FOUND)
def test_every_scenario_has_a_briefing_in_both_languages(name: str) -> None:
    field = new_field(scenario.load(name))
    english, french = (briefing_json(field, (), lang) for lang in ("en", "fr"))
    assert english.text
    assert french.text
    assert english.text != french.text
    assert english.turns == field.scenario.turns
    forces = field.scenario.forces
    told = sum(side.units + sum(one.units for one in side.arrivals) for side in english.sides)
    assert told == len(forces)
    assert english.goals


def test_goals_are_the_objectives_or_the_conditions_of_victory() -> None:
    field = begin("weissenberg").field
    told = briefing_json(field, ("allied",), "en")
    first = told.goals[0]
    assert (first.hex, first.points, first.holder) == (
        "1910",
        5,
        "allied",
    )
    assert [side.automatic for side in told.sides] == [False, True]
    campaign = briefing_json(begin("bautzen-1945").field, (), "en")
    assert campaign.victory == "These conditions decide at the end."
    assert all(goal.hex is None for goal in campaign.goals)


def test_a_handicap_is_among_the_goals() -> None:
    field = begin("carrefour").field
    given = briefing_json(field, (), "en").goals[-1]
    assert (given.hex, given.points, given.holder) == (None, 1, "allied")
    assert sum(goal.points or 0 for goal in briefing_json(field, (), "en").goals) == 14 + 1


def test_options_that_are_not_played_as_usual_are_named() -> None:
    usual = briefing_json(begin("weissenberg").field, (), "en")
    assert [option.id for option in usual.special] == ["hidden_stacks"]
    other = briefing_json(begin("weissenberg", {"ratio_clamp": "after"}).field, (), "en")
    assert {option.id for option in other.special} == {"hidden_stacks", "ratio_clamp"}


def test_the_terminal_begins_with_it() -> None:
    result = run("play", "weissenberg", "--lang", "fr", stdin="quit\n")
    assert "avant-gardes soviétiques" in result.output
    assert "Weissenberg" in result.output
    assert "4 tours" in result.output
