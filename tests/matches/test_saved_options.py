"""Saved matches keep their options, also those whose default has changed since."""

import pytest

from grognard import Refusal
from grognard.matches.match import Saved, begin, from_saved, saved
from grognard.rules import game


def test_a_new_match_is_saved_with_all_its_options() -> None:
    kept = saved(begin("weissenberg", {"reattacked": "really_lost"}))
    card = game.card("bautzen")
    assert kept.options == card.chosen({"reattacked": "really_lost", "hidden_stacks": "open"})
    assert from_saved(kept).field.options == kept.options


def test_a_match_saved_without_an_option_goes_on_with_its_former_default() -> None:
    old = from_saved(Saved(1, "weissenberg", {"reattacked": "really_lost"}, ()))
    card = game.card("bautzen")
    assert card.former_defaults == {"no_retreat_loss": "added"}
    stated = {"reattacked": "really_lost", "no_retreat_loss": "added", "hidden_stacks": "open"}
    assert old.field.options == card.chosen(stated)
    assert begin("weissenberg").field.options["no_retreat_loss"] == "nothing_traded"


@pytest.mark.parametrize(
    ("answer", "changed"),
    [
        (["move", "21/20", "1911"], True),  # the unit is called 21/20Pz now
        (["move", "21/20Pz", "9999"], True),  # no such hex
        (["move", "21/20Pz", "2108"], False),  # too far, whatever the scenario
        (["land", "supply-point", "us"], False),
    ],
)
def test_a_saved_order_about_what_is_not_there_says_that_the_scenario_has_changed(
    answer: list[str], changed: bool
) -> None:
    with pytest.raises(Refusal) as caught:
        from_saved(Saved(1, "weissenberg", {}, (answer,)))
    assert caught.value.place == "answers[0]"
    told = (
        "the scenario weissenberg has changed since this match was saved, or the file was edited: "
    )
    assert str(caught.value.problem).startswith(told) == changed
