"""What is known of the answers to a commitment: the columns to which their figures belong."""

from fractions import Fraction

from msgspec import UnsetType

from grognard import load
from grognard.draw.json.fight import play_answer
from grognard.draw.text.answers import offered_answers
from grognard.fights.advised import advised
from grognard.fights.play import Play
from grognard.fights.prospects import Prospects
from grognard.fights.table_place import place_of
from grognard.rules.ask import Commit

# 26 : 6 is column 4/1. The defender holds a logistic column and three aircraft, of which two count.
FIGHT = {
    "attackers": [{"name": "A", "attack": 26, "steps": 2}],
    "defenders": [{"name": "D", "defence": 6, "steps": 2}],
    "allied": "defender",
    "attacker_cl_at_hand": 1,
    "defender_cl_at_hand": 1,
    "defender_air_at_hand": 3,
}


def asked() -> Play:
    return load("bautzen").fight(FIGHT).play()


def test_each_commitment_names_the_columns_of_its_figures() -> None:
    """They are those at which the same answers arrive when they are given."""
    play = asked()
    ahead = advised(play).ahead
    assert isinstance(play.asking, Commit)
    assert isinstance(ahead, Prospects)
    theirs = {option.answer: option.share for option in ahead.options["defender"]}
    for option in ahead.options["attacker"]:
        found: dict[str | None, Fraction] = {}
        for answer, share in theirs.items():
            column = place_of(Play(play.start, [(option.answer, answer)])).column
            found[column] = found.get(column, Fraction(0)) + share
        assert option.places is not None
        told = {place.column: p for place, p in option.places.chances}
        assert told == {column: p for column, p in found.items() if p}
        nothing = Play(play.start, [(option.answer, (0, 0))])
        assert option.places.lit == place_of(nothing)


def test_the_terminal_and_json_name_the_column() -> None:
    play = asked()
    assert isinstance(play.asking, Commit)
    card, known = play.start.case.card, advised(play)
    for side in ("attacker", "defender"):
        lines = offered_answers(card, play.asking, side, known, "en").lines
        assert all("column " in line for line in lines if "Commit" in line)
    answer = play_answer(play, "en")
    asking = answer.asking
    assert asking is not None
    assert asking.ask == "commit"
    for option in (*asking.choices.attacker, *asking.choices.defender):
        assert not isinstance(option.odds, UnsetType)
        chances = [Fraction(place.p) for place in option.odds.columns]
        assert sum(chances) == Fraction(1)
        assert all(place.column for place in option.odds.columns)


def test_once_the_table_is_read_no_column_is_named() -> None:
    play = asked()
    play.answer(((0, 0), (0, 0)))
    play.answer((6,))
    ahead = advised(play).ahead
    assert isinstance(ahead, Prospects)
    assert ahead.options
    assert all(o.places is None for options in ahead.options.values() for o in options)


def test_a_commitment_of_more_than_counts_says_what_counts() -> None:
    """10: aircraft shift by two columns at most."""
    play = asked()
    assert isinstance(play.asking, Commit)
    lines = offered_answers(
        play.start.case.card, play.asking, "defender", advised(play), "en"
    ).lines
    assert any("Commit 2 air markers (−2 columns) " in line for line in lines)
    assert any("Commit 3 air markers (−2 columns: at most 2) " in line for line in lines)
    assert not any("−3 columns" in line for line in lines)
