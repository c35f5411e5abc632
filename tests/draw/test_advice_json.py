"""Advice as JSON and in words: what comes first, what decides, and what is left of a plan."""

from grognard.draw.json.match_advice import advice_json, kept_advice_json
from grognard.draw.json.match_preview import preview
from grognard.draw.text.chances import plain_percent
from grognard.draw.text.match_advice import advice_lines, column_label
from grognard.matches.match import Match, begin
from grognard.matches.protocol import END, Order
from grognard.players.advice import advice
from grognard.players.bot import Bot


def asked(match: Match) -> Order:
    assert isinstance(match.asking, Order)
    return match.asking


def test_units_that_can_land_come_before_the_end_of_the_phase() -> None:
    """Each arrival in turn, on the page and in the terminal; then nothing is left to be done."""
    match = begin("carrefour")
    told = list(advice_lines(advice(match.field, asked(match)), match.field, asked(match), "en"))
    assert told[0] == "first: land 39/9 0601"
    assert not any("nothing is worth doing" in line for line in told)
    landed = []
    while (first := kept_advice_json(match, (), "fr").first) is not None:
        assert first.text.startswith("débarquer")
        landed.append(first.order[1])
        match.answer(tuple(first.order))
    assert landed[0] == "39/9"
    assert len(landed) == len({*landed}) > 1


def test_an_attack_shows_the_column_and_the_chance_of_the_fight_panel() -> None:
    match = begin("weissenberg")
    match.answer(END)
    found = advice_json(match, "en")
    assert found.first is None
    assert found.attacks
    for attack in found.attacks:
        _, fight = preview(match, tuple(attack.order))
        assert attack.column == column_label(fight, "en")
        assert attack.chance == plain_percent(fight.odds().chance("taken"), "en")
        lit, _, assumed = attack.column.partition(" → ")
        column = f"column {lit} (the odds assume {assumed})" if assumed else f"column {lit}"
        assert attack.text.startswith(f"{column}; takes the hex with {attack.chance};")


def test_an_attack_that_was_made_is_no_longer_part_of_the_plan() -> None:
    """Even if its units stand where they could attack again."""
    match, bot = begin("carrefour"), Bot(1)
    while asked(match).phase != "phase-combat":
        match.answer(END)
    side = asked(match).side
    plan = [tuple(one.order) for one in advice_json(match, "en").attacks]
    assert len(plan) > 1
    match.answer(plan[0])
    while not isinstance(match.asking, Order):
        match.answer(bot.answer(match))
    assert match.asking.side == side
    left = kept_advice_json(match, plan, "en").attacks
    assert all(one.now for one in left)
    assert plan[0] not in [tuple(one.order) for one in left]
