"""A log that is told again and again is told as if it were told once."""

import pytest

from grognard.draw.json import match_log
from grognard.draw.json.match_log import log_json
from grognard.maps import scenario
from grognard.matches.match import Match, begin
from grognard.players.levels import automatic_player
from grognard.words.text import LANGS
from tests.tiers import sized

ANSWERS = sized(60)


def fresh(match: Match, since: int) -> object:
    """Tell a log without what is kept of it."""
    match_log._SETTLED.pop(match, None)
    return log_json(match, "fr", since)


@pytest.mark.parametrize("name", sorted(scenario.ids()))
def test_entries_that_are_kept_are_those_that_would_be_made(name: str) -> None:
    """From the beginning and from any mark, after each answer, also after one was taken back."""
    match, bot = begin(name), automatic_player(7, "sergeant")
    told = 0
    for number in range(ANSWERS):
        if match.asking is None:
            break
        if number % 9 == 5 and match.undo_problem() is None:
            match.undo()
        match.answer(bot.answer(match))
        kept = [log_json(match, lang, since) for lang in LANGS for since in (0, told)]
        french = LANGS.index("fr") * 2
        assert kept[french] == fresh(match, 0)
        assert kept[french + 1] == fresh(match, told)
        told = len(match.log)
