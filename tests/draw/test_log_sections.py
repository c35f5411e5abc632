"""The log divided: headings of turns and phases, fights that can be folded, hexes of its lines."""

from grognard.draw.json.log_sections import sections_json
from grognard.draw.json.match_log import LineEntryJson, log_json
from grognard.matches.match import begin
from grognard.matches.protocol import END, Roles
from grognard.rules.line import Line
from grognard.testing.random_matches import random_match


def test_headings_name_turn_side_and_phase() -> None:
    match = begin("weissenberg")
    match.answer(("move", "687/615", "1811"))
    match.answer(END)
    match.answer(END)
    match.answer("1906")  # where a column arrives
    first, second, third, *_ = sections_json(match, "en").headings
    assert first.text == "Turn 1, Germans, movement"
    assert (second.text, second.same) == ("combat", True)
    assert (third.text, third.turn) == ("Soviets and Poles, before the turn", None)


def test_headings_and_fights_of_a_log_that_is_read_in_parts() -> None:
    match = random_match("pulkovo", 3)
    whole = sections_json(match, "en")
    for since in (0, len(match.log) // 3, len(match.log) - 1):
        part = sections_json(match, "en", since)
        assert part.headings == [one for one in whole.headings if one.n >= since]
        assert part.fights == [one for one in whole.fights if one.until > since]
    for heading in whole.headings:
        assert not isinstance(match.log[heading.n], Roles)
    for fold, fighting in zip(whole.fights, match.fights, strict=True):
        assert fold.over
        lines = [entry for entry in match.log[fold.first : fold.until] if isinstance(entry, Line)]
        assert lines == [told.line for told in fighting.play.told]


def test_a_line_about_a_unit_points_at_its_hex() -> None:
    match = begin("weissenberg")
    match.answer(("move", "687/615", "1811"))
    order, line = log_json(match, "en")
    assert order.hexes == ["1712", "1811"]
    assert isinstance(line, LineEntryJson)
    assert line.hexes == ["1712", "1811"]
    assert match.board.map.number(match.board.piece("687/615").place) == "1811"
