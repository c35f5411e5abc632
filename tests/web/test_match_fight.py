"""The fight panel of the map: what is looked at is what is fought."""

from collections.abc import Iterator
from itertools import islice

import pytest

from grognard.draw.json.match_preview import preview
from grognard.matches import match as matches
from grognard.matches.match import Match, Reply
from grognard.web.matches.match_fight import coming, fought, looked
from grognard.web.matches.order_menu import menu
from grognard.words.refusal import Refusal
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


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENARIOS)
def test_table_column_and_chances_are_the_same_from_the_first_look_to_the_roll(name: str) -> None:
    """Once the questions before the fight are answered as the look says that it assumes."""
    questions = 0
    for match, order in islice(attacks(name), LOOKS):
        shown = looked(match, order, ("best", "best"), "en")
        replies = [entry for entry in preview(match, order)[0].log if isinstance(entry, Reply)]
        assert len(shown.assumed) == len(replies)
        ordered = matches.from_saved(matches.saved(match))
        ordered.answer(order)
        for reply in replies:
            before = coming(ordered, "en")
            assert before is not None
            assert before.panel == shown.panel
            ordered.answer(reply.answer)
            questions += 1
        assert ordered.play is not None
        panel = fought(ordered, ordered.play, "en").panel
        assert panel == shown.panel
        assert panel.headline.columns or panel.headline.basic
        assert any(row.chance for row in panel.table.rows) or panel.table.below
    assert questions or name in ("pulkovo", "steppe")
