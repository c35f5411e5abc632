"""The fight panel of the map: what is looked at is what is fought."""

from collections.abc import Iterator
from itertools import islice

import pytest

from grognard.draw.json.match_preview import order_leaves_out, preview
from grognard.draw.json.match_question import BEST
from grognard.matches import match as matches
from grognard.matches.match import Match, Reply
from grognard.web.matches.match_fight import coming, fought, looked
from grognard.web.matches.order_menu import menu
from grognard.web.quick.panel import Panel
from grognard.words.refusal import Refusal
from tests.matches.test_before_fight import ATTACK
from tests.web.test_match_pages import SCENARIOS, positions

LOOKS = 6  # attacks of each scenario


def attacks(name: str) -> Iterator[tuple[Match, tuple[str, ...]]]:
    """Attacks of all that can on a target, in a match that is played by itself."""
    for match in positions(name, seed=5):
        for aim in menu(match, "en").aims[:1]:
            order = (aim.verb, aim.target, *aim.party)
            try:
                preview(match, order)
            except Refusal:
                continue
            yield match, order


def answered(panel: Panel) -> Panel:
    """A panel as it is once nothing is assumed any more."""
    if panel.places is None:
        return panel
    lit = panel.places.lit.partition("; assumed: ")[0]
    return panel._replace(places=panel.places._replace(lit=lit))


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_table_column_and_chances_are_the_same_from_the_first_look_to_the_roll(name: str) -> None:
    """Once the questions before the fight are answered as the look says that it assumes."""
    questions = 0
    for match, order in islice(attacks(name), LOOKS):
        shown = looked(match, order, ("best", "best"), "en")
        replies = [entry for entry in preview(match, order)[0].log if isinstance(entry, Reply)]
        if order_leaves_out(match, order):  # what is hidden shows in the fight only
            assert len(shown.assumed) == len(replies) + 1
            continue
        assert len(shown.assumed) == len(replies)
        assert len(shown.questions) == len(replies)
        for asked in shown.questions:
            assert [way.assumed for way in asked.ways].count(True) == 1
            told = [way.figures for way in asked.ways]
            assert all(told) or len(set(told)) == 1, asked
        ordered = matches.from_saved(matches.saved(match))
        ordered.answer(order)
        for reply in replies:
            before = coming(ordered, "en")
            assert before is not None
            assert answered(before.panel) == answered(shown.panel)
            ordered.answer(reply.answer)
            questions += 1
        assert ordered.play is not None
        panel = fought(ordered, ordered.play, "en").panel
        assert panel == answered(shown.panel)
        assert panel.headline.columns or panel.headline.basic
        assert any(row.chance for row in panel.table.rows) or panel.table.below
    assert questions or name in ("bautzen-1945", "pulkovo", "steppe")


def test_the_lit_column_names_the_support_that_it_assumes() -> None:
    """At Weissenberg 2/1 is lit only if the defence has all its support."""
    shown = looked(Match(matches.begin("weissenberg").field, [("end",)]), ATTACK, BEST, "en")
    assert shown.panel.places is not None
    assert shown.panel.places.lit.startswith("2/1 as it stands")
    assert shown.assumed
    assert all(answer in shown.panel.places.lit for answer in shown.assumed)
    assert "QG 294 RD" in shown.panel.places.lit


def test_the_look_has_figures_behind_each_answer_to_every_question_before_the_fight() -> None:
    """The last question of a landing is for the navy: one column more or not."""
    match = Match(matches.begin("carrefour").field, [("end",), ("end",)])
    shown = looked(match, ("attack", "0503", "8/4", "22/4", "70 Tk"), BEST, "en")
    hqs, ships = shown.questions
    assert (hqs.text, ships.text) == (
        "Which HQs support the attack?",
        "Does the navy support the attack?",
    )
    assert [way.figures[:2] for way in ships.ways] == [
        ("column 3-1", "hex taken 66.7 %"),
        ("column 2-1", "hex taken 50.0 %"),
    ]
