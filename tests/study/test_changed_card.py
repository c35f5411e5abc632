"""A changed card is played by the rules if it fits them, and refused if not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grognard.files.source import Source
from grognard.rules import game
from grognard.study import player_sheet
from grognard.study.changed_card import changes, own_game
from grognard.words.refusal import Refusal

GAMES = Path(game.__file__).parents[1] / "games"


def text(id_: str) -> str:
    return (GAMES / id_.replace("-", "_") / "card.toml").read_text(encoding="utf-8")


def own(id_: str, old: str = "", new: str = "") -> Source:
    assert not old or text(id_).count(old) >= 1
    return Source("my-card.toml", text(id_).replace(old, new, 1) if old else text(id_))


@pytest.mark.parametrize("id_", game.ids())
def test_a_game_s_own_card_fits_and_differs_in_nothing(id_: str) -> None:
    rules = own_game(id_, own(id_))
    assert not list(changes(rules.card, game.card(id_)))
    assert rules.procedures == game.load(id_).procedures


@pytest.mark.parametrize(
    ("id_", "old", "new", "problem"),
    [
        (
            "normandy",
            "attacker_steps = 1",
            "attacker_steps = 1000000",
            "attacker_steps: the number is too large; at most 100 either side of 0",
        ),
        ("normandy", "attacker_steps = 1", "attacker_steps = -1", "can't be below 0"),
        (
            "normandy",
            'determined_defence = "open"',
            'determined_defence = "opQn"',
            "near matches: o",
        ),
        (
            "normandy",
            'attacker_loss_by = "defender"',
            'attacker_loss_by = "him"',
            "'him' is not poss",
        ),
        (
            "white-october",
            'from = [0, "1/4", "1/3", "1/2", "2/3", 1, "3/2", 2, "5/2", 3, "7/2", 4, 5]',
            "",
            "table ratio: columns.from is missing",
        ),
        (
            "panzer-grenadier",
            "from = [1, 2, 4, 7, 11, 16, 22, 30, 45]",
            "",
            "columns.from is missing",
        ),
        (
            "white-october",
            'id = "mandatory_loss"\nvalue = 1',
            'id = "mandatory_loss"\nvalue = -5',
            "the number 'mandatory_loss' can't be below 0",
        ),
    ],
)
def test_a_number_that_no_rule_can_use_is_refused(
    id_: str, old: str, new: str, problem: str
) -> None:
    with pytest.raises(Refusal) as refused:
        own_game(id_, own(id_, old, new))
    assert problem in str(refused.value)
    assert str(refused.value).startswith("my-card.toml:")


@pytest.mark.parametrize(
    ("table", "old", "new"),
    [
        ("direct-fire", "steps = 0", "steps = 1"),
        ("direct-fire", "check = false", "check = true"),
        ("anti-tank", "check = false", "check = true"),
    ],
)
def test_a_result_may_take_steps_or_call_for_checks_without_the_finer_values(
    table: str, old: str, new: str
) -> None:
    before, heading, rest = text("panzer-grenadier").partition(f'id = "{table}"')
    assert old in rest
    changed = Source("my-card.toml", before + heading + rest.replace(old, new, 1))
    fight = own_game("panzer-grenadier", changed).fight(
        attackers=[{"name": "A", "fire": 5, "anti_tank": 5}],
        defenders=[{"name": "D", "kind": "afv-open", "morale": 7, "armour": 2}],
        range=1,
        procedure=table,
    )
    assert fight.odds("take", "hold").total


@pytest.mark.parametrize(
    ("id_", "old", "new", "what", "then", "now"),
    [
        (
            "bautzen",
            '["1",   "3/0"',
            '["1",   "4/0"',
            "Combat results, 1 × 1/2-",
            "3/0",
            "4/0",
        ),
        (
            "bautzen",
            'value = -1\nwhen = ["terrain has town"]',
            'value = -2\nwhen = ["terrain has town"]',
            "Town",
            "−1 column, terrain has town",
            "−2 columns, terrain has town",
        ),
    ],
)
def test_what_differs_is_told_with_both_readings(  # a case is one line
    id_: str, old: str, new: str, what: str, then: str, now: str
) -> None:
    (changed,) = changes(own_game(id_, own(id_, old, new)).card, game.card(id_))
    assert (changed.what.en, changed.then.en, changed.now.en) == (what, then, now)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (own("normandy"), "this is a card of normandy, not of bautzen"),
        (own("bautzen", 'dice = "1d6"', 'dice = "2d6"'), "the rules need dice as they are"),
        (own("bautzen", '"1/2-", ', '"1/2", '), "the rules need column_labels as they are"),
        (own("bautzen", '["1",   "3/0"', '["1",   "9/0"'), "'9'"),
        (own("bautzen", 'id = "town"\ngroup', 'id = "city"\ngroup'), "'town'"),
        (own("bautzen", "[[facts]]", "[[fact]]"), "fact"),
        (Source("my-card.toml", "format = "), "my-card.toml"),
    ],
)
def test_a_card_that_does_not_fit_the_rules_is_refused(source: Source, problem: str) -> None:
    with pytest.raises(Refusal) as refused:
        own_game("bautzen", source)
    assert problem in str(refused.value)
    assert str(refused.value).startswith("my-card.toml")


def _result(values: str) -> str:
    return values.replace("retreat = 4", 'retreat = "far"', 1)


NEW = """[[facts]]
id = "new"
kind = "flag"
text = { en = "New", fr = "Neuf" }

"""


def _fact(card: str) -> str:
    return card.replace("[[facts]]", f"{NEW}[[facts]]", 1)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_result, "the rules know no such result 'DH'"),
        (_fact, "the rules state no fact 'new' of this kind"),
    ],
)
def test_results_and_facts_are_those_that_the_rules_know(
    change: Callable[[str], str], problem: str
) -> None:
    changed = change(text("normandy"))
    assert changed != text("normandy")
    with pytest.raises(Refusal, match=problem):
        own_game("normandy", Source("my-card.toml", changed))


def test_a_cell_with_blanks_around_it_is_read_as_without() -> None:
    rules = own_game("panzer-grenadier", own("panzer-grenadier", '"step"],', '" step"],'))
    (sheet,) = (
        s for s in player_sheet.load("panzer-grenadier").sheets if s.procedure == "anti-tank"
    )
    changed, shipped = (
        game_.fight(dict(sheet.example), procedure=sheet.procedure).odds("take", "hold")
        for game_ in (rules, game.load("panzer-grenadier"))
    )
    assert changed.found.weights == shipped.found.weights
