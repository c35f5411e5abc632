"""What a card says about play on the map: defaults, and what is refused, with the line."""

from pathlib import Path

import pytest

from grognard import Refusal
from grognard.card.map_rules import OF_FIGHTS, OF_UNITS, MapRules, parse_map_fact
from grognard.rules import game

FILE = Path(__file__).parents[2] / "examples" / "games" / "river-line.toml"
TEXT = FILE.read_text(encoding="utf-8")


def test_an_empty_part_has_the_defaults_of_the_hobby() -> None:
    card = game.read_card(f"{TEXT.partition('# How it is played')[0]}[map]\n", "river-line.toml")
    assert card.map == MapRules()
    assert (MapRules().zoc, MapRules().leaving, MapRules().stacking) == ("rigid", 0, None)
    assert MapRules(zoc="fluid").leaving == 1
    assert [row.id for row in card.unit_classes] == ["units"]


def test_a_hex_costs_a_point_and_one_cost_is_of_all_classes() -> None:
    card = game.read_card(TEXT, "river-line.toml")
    costs = {row.id: row.cost["units"] for row in card.terrain}
    assert costs == {
        "clear": "1",
        "rough": "2",
        "town": "1",
        "orchard": "3/2",
        "river": "2",
        "road": "1/2",
    }


def test_a_class_without_a_cost_pays_a_point_too() -> None:
    text = TEXT.replace("cost = 2\ncombat", "cost = { horse = 3 }\ncombat", 1)
    text += "".join(f'[[unit_classes]]\nid = "{id_}"\n' for id_ in ("foot", "horse"))
    card = game.read_card(text, "river-line.toml")
    assert dict(card.terrain_row("rough").cost) == {"foot": "1", "horse": "3"}


@pytest.mark.parametrize("words", OF_FIGHTS)
def test_every_form_of_a_fact_of_the_fight_is_read(words: str) -> None:
    known = (*words.split(" river"), "chooses", "support")
    assert parse_map_fact(words, of_unit=False).kind in known
    if words in OF_UNITS:
        return
    with pytest.raises(Refusal, match="nothing that the map tells"):
        parse_map_fact(words, of_unit=True)


@pytest.mark.parametrize("words", OF_UNITS)
def test_every_form_of_a_fact_of_a_unit_is_read(words: str) -> None:
    assert parse_map_fact(words, of_unit=True).kind == words.split(maxsplit=1)[0]
    if words in OF_FIGHTS:
        return
    with pytest.raises(Refusal, match="nothing that the map tells"):
        parse_map_fact(words, of_unit=False)


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        (
            'zoc = "rigid"',
            'zoc = "hard"',
            "map.zoc",
            "'hard' .*known: fluid, none, rigid",
        ),
        ("stacking = 2", "stacks = 2", "map.stacks", "unknown key 'stacks'.*stacking"),
        ("stacking = 2", "stacking = -1", "map.stacking", "expected .*at least 0, found -1"),
        (
            "stacking = 2",
            'stacking_counts = "men"',
            "map.stacking_counts",
            "no unit field 'men'; .*units, steps",
        ),
        ("stacking = 2", 'procedure = "siege"', "map.procedure", "no procedure 'siege'; .*attack"),
        ("stacking = 2", 'range = "reach"', "map.range", "no unit field 'reach'"),
        ("stacking = 2", 'sight = ["fog"]', "map.sight", "no terrain 'fog'; near matches: rough"),
        (
            "stacking = 2",
            'support = { kinds = ["guns"], strength = "barrage" }',
            "map.support",
            "no unit field 'barrage'",
        ),
        (
            'across_river = "all across river"',
            'across_river = "distance"',
            "map.facts.across_river",
            "'across_river' is a flag; expected a number",
        ),
        ("across_river =", "over_river =", "map.facts.over_river", "no fact 'over_river'"),
        (
            '"all across river"',
            '"every across river"',
            "map.facts.across_river",
            "nothing that the map tells; near matches: any across river, all across river",
        ),
        (
            '"all across river"',
            '"all across stream"',
            "map.facts.across_river",
            "no terrain 'stream'; known: river",
        ),
        (
            'across_river = "all across river"',
            'terrain = "surrounded"',
            "map.facts.terrain",
            "'terrain' is a set; expected a flag",
        ),
    ],
)
def test_a_wrong_rule_is_refused_with_file_line_key_and_reason(
    old: str, new: str, place: str, words: str
) -> None:
    assert TEXT.count(old) == 1
    text = TEXT.replace(old, new)
    with pytest.raises(Refusal, match=words) as refused:
        game.read_card(text, "river-line.toml")
    assert refused.value.place == place
    line = text[: text.index(new)].count("\n") + 1
    assert str(refused.value).startswith(f"river-line.toml:{line}: ")


def test_rules_in_python_have_no_part_map() -> None:
    card = Path(game.__file__).parents[1] / "games" / "bautzen" / "card.toml"
    with pytest.raises(Refusal, match="rules on the map in Python"):
        game.read_card(f"{card.read_text(encoding='utf-8')}\n[map]\n", "bautzen.toml")
