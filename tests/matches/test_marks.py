"""Entries of a log that another reading would change carry its mark and reason in every face."""

import pytest

from grognard.draw.json.match_log import LineEntryJson, log_json
from grognard.matches.marks import match_marks
from grognard.matches.match import Match, Reply, begin
from grognard.matches.protocol import Order
from grognard.rules.line import Line
from grognard.testing.random_matches import random_match
from grognard.words.text import Lang
from tests.command import run

# Bulak Horse goes along the enemy's zones; Semenov stays far from them.
ORDERS = (("move", "Semenov", "0505"), ("move", "Bulak Horse", "1006"))
REASON = {
    "en": "The card says what has a ZOC, not what it does",
    "fr": "L'aide de jeu dit qui a une ZdC, pas ce qu'elle fait",
}


def moved() -> Match:
    match = begin("pulkovo")
    for order in ORDERS:
        match.answer(order)
    return match


def test_a_move_that_another_reading_of_zones_would_change_is_marked() -> None:
    match = moved()
    found = match_marks(match)
    assert [reading.option for reading in found[len(match.log) - 1]] == ["zoc_movement"]
    assert not [n for n in found if 2 <= n < len(match.log) - 1]
    other = Match(match.field.under("zoc_movement", "infiltrate"), ORDERS)
    assert other.log[-1] != match.log[-1]


@pytest.mark.slow
def test_an_order_that_only_one_reading_allows_is_marked_itself() -> None:
    """Panzer Grenadier: without zones of control, or with another activation, it is not legal."""
    match = random_match("steppe", 0)
    found = match_marks(match)
    marked = [readings for n, readings in found.items() if isinstance(match.log[n], Reply)]
    assert {reading.option for readings in marked for reading in readings} & {"zones", "activation"}


def test_each_reading_of_the_set_up_has_a_footnote_of_its_own() -> None:
    match = begin("bautzen-1945")
    while not any(isinstance(entry, Line) and entry.id == "deployed" for entry in match.log):
        match.answer(("usual",) if ("usual",) in asked(match).orders.all() else ("end",))
    place = next(n for n, e in enumerate(match.log) if isinstance(e, Line) and e.id == "deployed")
    readings = match_marks(match)[place]
    asked_for = match.field.setup_doubt()
    assert ", ".join(str(reading.option) for reading in readings) == asked_for.option
    assert len({reading.reason for reading in readings}) == len(readings) > 4


def asked(match: Match) -> Order:
    assert isinstance(match.asking, Order)
    return match.asking


@pytest.mark.parametrize("lang", REASON)
def test_json_and_terminal_tell_the_reason(lang: Lang) -> None:
    *_, last = log_json(moved(), lang)
    assert isinstance(last, LineEntryJson)
    assert isinstance(last.doubts, list)
    assert [doubt.option for doubt in last.doubts] == ["zoc_movement"]
    assert REASON[lang] in last.doubts[0].reason
    typed = "".join(f"{a} '{b}' {c}\n" for a, b, c in ORDERS) + "quit\n"
    shown = run("play", "pulkovo", "--lang", lang, stdin=typed).stdout
    assert f"⁂ {REASON[lang]}" in shown
    assert "[option zoc_movement]" in shown
