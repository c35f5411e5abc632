"""Answers in a match say which units they eliminate, in fights and after them."""

from random import Random

import pytest

from grognard.draw.json.match_question import MatchChooseJson, asking_json
from grognard.matches.advised import match_advised
from grognard.matches.match import Match, begin
from grognard.rules.ask import Choose
from grognard.rules.line import Line
from grognard.testing.random_matches import any_answer

# Seeds of matches with answers that eliminate, in a fight and after it.
SEEDS = {"carrefour": 8, "pulkovo": 20, "weissenberg": 38}


@pytest.mark.slow
@pytest.mark.parametrize("name", SEEDS)
def test_answers_name_all_whom_they_eliminate(name: str) -> None:
    random, match = Random(SEEDS[name]), begin(name)
    after_fights = 0
    while (ask := match.asking) is not None:
        answer = any_answer(ask, random, 0.05)
        known = match_advised(match).eliminates if isinstance(ask, Choose) else {}
        in_fight = match.play is not None
        told = len(match.log)
        match.answer(answer)
        if known:
            gone = eliminated(match, told)
            # What the map makes of the outcome comes after the fight.
            assert known[answer] == (gone[: len(known[answer])] if in_fight else gone)
            after_fights += not in_fight and any(known.values())
    assert after_fights


def eliminated(match: Match, since: int) -> tuple[str, ...]:
    """Name those who were eliminated since an entry of the log."""
    lines = [entry for entry in match.log[since:] if isinstance(entry, Line)]
    return tuple(line.unit for line in lines if line.kind == "eliminated")


def test_the_open_question_of_a_match_says_who_is_eliminated() -> None:
    random, match = Random(SEEDS["weissenberg"]), begin("weissenberg")
    while (ask := match.asking) is not None:
        asking = asking_json(match, "en") if isinstance(ask, Choose) else None
        if isinstance(asking, MatchChooseJson):
            told = [option.text for option in asking.options if option.eliminates]
            if told:
                assert all("eliminated" in text for text in told)
                return
        match.answer(any_answer(ask, random, 0.05))
    raise AssertionError("no answer eliminates")
