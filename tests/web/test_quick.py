"""Quick combat on the server: taps, addresses that hold nonsense, hints."""

import json
import re
import tomllib
from collections.abc import Mapping
from contextvars import copy_context
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from grognard.draw.json.fight import units_json
from grognard.draw.svg.counter import CounterSheet
from grognard.fights import odds
from grognard.fights.fight_file import stated_fight
from grognard.rules import game
from grognard.rules.ask import Roll, first_answer
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet
from grognard.study.tray import battles, tray
from grognard.web import limits
from grognard.web.quick.drawn_counters import ListedUnit, drawn_counter, drawn_unit, key_of
from grognard.web.quick.hints import factors_needed, hints
from grognard.web.quick.quick_page import view
from grognard.web.quick.resolution import resolution
from grognard.web.quick.shown_units import fight_on
from grognard.web.quick.tap import Tap, play_of, tapped
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

WEISSENBERG = {
    "attackers": [{"name": "21/20Pz", "attack": 14}, {"name": "QG", "kind": "hq", "support": 12}],
    "defenders": [{"name": "861/294", "defence": 6}],
}


@pytest.mark.parametrize(
    "fight",
    [
        {},
        {"attackers": {"a": 1}, "terrain": 3},
        {"attackers": [1, "x", None], "defenders": "y"},
        {"options": {"ratio_clamp": [1]}},
        {"options": 7},
        {"attackers": [{"name": 5, "attack": "many", "unsupplied": 1}], "concentric": "yes"},
        {"game": 3, "procedure": [], "unheard_of": True},
    ],
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_nonsense_is_shown_as_a_sheet_that_says_what_is_wrong(fight: object, lang: str) -> None:
    assert isinstance(fight, dict)
    shown = view("bautzen", "attack", Tap(fight=fight), "fr" if lang == "fr" else "en")
    assert shown.problem
    assert shown.panel is None
    assert shown.groups


@pytest.mark.parametrize("id_", game.ids())
def test_an_empty_sheet_asks_for_units(id_: str) -> None:
    for sheet in player_sheet.load(id_).sheets:
        shown = view(id_, sheet.procedure, Tap(fight=dict(sheet.start)), "en")
        assert shown.problem
        assert "key" not in shown.problem


def test_what_is_missing_or_wrong_is_named_as_on_the_page() -> None:
    ours = [{"name": "21/20Pz", "attack": 6}]
    sheet = view("bautzen", "attack", Tap(fight={"attackers": ours}), "fr")
    assert [text.fr for text in sheet.missing] == ["Défenseur"]
    wrong = view("bautzen", "attack", Tap(fight={**WEISSENBERG, "attacker_cl": 9}), "fr")
    assert not wrong.missing
    assert wrong.problem is not None
    assert "attacker_cl" not in wrong.problem


def test_a_tap_rolls_answers_and_undoes() -> None:
    tap = tapped("bautzen", "attack", Tap(fight=WEISSENBERG, answer=[6]))
    assert tap.answers == ([6],)
    assert view("bautzen", "attack", tap, "en").resolution is not None
    rolled = tapped("bautzen", "attack", Tap(fight=WEISSENBERG, roll=True))
    ((die,),) = rolled.answers
    assert 1 <= die <= 6
    with pytest.raises(Refusal) as refused:
        tapped("bautzen", "attack", Tap(fight=WEISSENBERG, answers=([6],), undo=True))
    expected = say("nothing can be taken back: dice or a reveal stand before this")
    assert refused.value.problem.template == expected.template


def test_typed_dice_can_be_corrected_and_rolled_dice_stand() -> None:
    """What followed the wrong dice is dropped with them."""
    tap = tapped("bautzen", "attack", Tap(fight=WEISSENBERG, answer=[6]))
    assert tap.typed == (0,)
    (offer, *_) = view("bautzen", "attack", tap, "en").resolution.question.decisions[0].offers  # type: ignore[union-attr]
    later = tapped("bautzen", "attack", replace(tap, answer=json.loads(offer.value)))
    assert len(later.answers) == 2
    corrected = tapped("bautzen", "attack", replace(later, answer=[3], at=0))
    assert corrected.answers == ([3],)
    assert corrected.typed == (0,)
    rolled = tapped("bautzen", "attack", Tap(fight=WEISSENBERG, roll=True))
    assert rolled.typed == ()
    for at in (0, 1, -1):
        with pytest.raises(Refusal):
            tapped("bautzen", "attack", replace(rolled, answer=[3], at=at))


def test_it_is_told_which_dice_were_typed_and_which_rolled() -> None:
    typed = tapped("bautzen", "attack", Tap(fight=WEISSENBERG, answer=[6]))
    (shown,) = view("bautzen", "attack", typed, "en").rolls
    assert (shown.shown, shown.typed) == ((6,), True)
    rolled = tapped("bautzen", "attack", Tap(fight=WEISSENBERG, roll=True))
    (shown,) = view("bautzen", "attack", rolled, "en").rolls
    assert not shown.typed


@pytest.mark.parametrize("id_", game.ids())
def test_the_first_sight_is_a_sample_fight_with_its_table(site: httpx.Client, id_: str) -> None:
    for sheet in player_sheet.load(id_).sheets:
        text = site.get(f"/games/{id_}/{sheet.procedure}").text
        assert 'class="refusal"' not in text
        assert 'class="printed"' in text
        assert 'class="headline"' in text


@pytest.mark.parametrize("id_", game.ids())
def test_an_empty_sheet_shows_the_table_and_a_pale_hint(site: httpx.Client, id_: str) -> None:
    for sheet in player_sheet.load(id_).sheets:
        text = site.get(f"/games/{id_}/{sheet.procedure}?start=empty").text
        assert 'class="refusal"' not in text
        assert 'class="missing"' in text
        assert 'class="printed"' in text


@pytest.mark.parametrize(
    ("id_", "procedure"),
    [
        (id_, sheet.procedure)
        for id_ in game.ids()
        for sheet in player_sheet.load(id_).sheets
        if any(units.factor and units.side for units in sheet.units)
    ],
)
def test_a_side_has_one_total(id_: str, procedure: str) -> None:
    """The total beside the counters is the one of the headline: support and halving included."""
    example = player_sheet.load(id_).sheet(procedure).example
    shown = view(id_, procedure, Tap(fight=json.loads(json.dumps(dict(example)))), "en")
    assert shown.panel is not None
    told = {"attacker": shown.panel.headline.attack, "defender": shown.panel.headline.defence}
    for list_ in shown.lists:
        if list_.units.factor and list_.units.side and told[list_.units.side]:
            assert list_.total == told[list_.units.side]


def test_a_counter_is_drawn_as_on_the_map() -> None:
    """With the stated values: an unsupplied 21/20Pz with one step and attack 5."""
    unit = {"name": "21/20Pz", "kind": "armour", "attack": 5, "steps": 1, "unsupplied": True}
    fight = {**WEISSENBERG, "attackers": [unit]}
    (ours, theirs) = view("bautzen", "attack", Tap(fight=fight), "fr").lists
    (drawn,) = ours.shown
    battle, *_ = battles("bautzen")  # the first that has the counter
    (piece,) = (piece for piece in battle.board().pieces if piece.name == "21/20Pz")
    face = {**piece.face, "attack": 5}
    stated = replace(piece, faces=(face,), steps=1, states=frozenset({"unsupplied"}))
    symbol = '<use href="#symbol-armour"/>'
    assert CounterSheet(battle).counter(stated, "fr", symbol) in drawn.drawing
    assert 'class="reduced"' in drawn.drawing
    assert "861/294" in theirs.shown[0].drawing


def test_a_tap_never_moves_the_tray() -> None:
    """Whoever is put in first, a tray keeps its order, and what is in stays there as taken."""

    def names(fight: dict[str, object]) -> list[str]:
        (ours, _) = view("bautzen", "attack", Tap(fight=fight), "en").lists
        return [counter.name for counter in ours.counters]

    empty = names({})
    for name in ("1 KP", "21/20Pz", "QG 20 Pz"):
        unit = tray(game.place("bautzen"), "attack", "attackers")[name].unit
        assert names({"attackers": [dict(unit or {})]}) == empty


def needed(game: str, fight: Mapping[str, object], lang: Lang = "en") -> str | None:
    sheet = player_sheet.load(game).sheet("attack")
    return factors_needed(fight_on(game, sheet, dict(fight)), sheet, lang)


@pytest.mark.parametrize(
    ("attack", "told"),
    [
        (26, "4 more factors for 5/1"),
        (24, "6 more factors for 5/1"),
        (29, "one more factor for 5/1"),
    ],
)
def test_the_factors_for_the_next_column_are_counted(attack: int, told: str) -> None:
    """26 : 6 is 4/1, and 30 : 6 is 5/1."""
    fight = {**WEISSENBERG, "attackers": [{"name": "A", "attack": attack}]}
    assert needed("bautzen", fight) == told
    assert needed("bautzen", fight, "fr") == f"encore {attack_left(attack)} pour 5/1"


def attack_left(attack: int) -> str:
    return "un facteur" if attack == 29 else f"{30 - attack} facteurs"


def test_no_factors_help_beyond_the_last_column() -> None:
    fight = {**WEISSENBERG, "attackers": [{"name": "A", "attack": 90}]}
    assert needed("bautzen", fight) is None


def test_more_factors_do_not_change_who_dominates() -> None:
    """10 : 8 is 1/1, and 12 : 8 is 1.5/1; quality and morale stay those of the unit."""
    ours = {"name": "A", "pe": 4, "strength": 10, "quality": 5, "morale": 4}
    theirs = {"name": "D", "pe": 4, "strength": 8, "quality": 3, "morale": 4}
    told = needed("white-october", {"attackers": [ours], "defenders": [theirs]})
    assert told == "2 more factors for 1.5/1"


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/games/bautzen/attack?s=" + "[" * 2000 + "]" * 2000, 422),
        ("/games/bautzen/attack?s=not-json", 400),
        ("/games/bautzen/attack?f=not-a-link", 422),
        ("/games/bautzen/attack?f=", 422),
        ("/games/bautzen/attack?s=%7B%22fight%22%3A3%7D", 422),
        ("/games/bautzen/nothing", 404),
        ("/games/nobody", 404),
        ("/games/bautzen/attack", 200),
    ],
)
def test_addresses_are_answered_with_a_page(site: httpx.Client, address: str, status: int) -> None:
    answer = site.get(address)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert "<main" in answer.text


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_hints_come_from_beside_as_they_are_found_here(site: httpx.Client, lang: str) -> None:
    tap = {"fight": WEISSENBERG, "attacker": "take", "defender": "hold"}
    answer = site.post(f"/games/bautzen/attack/hints?lang={lang}", json=tap)
    own: Lang = "fr" if lang == "fr" else "en"
    assert answer.json() == {
        "hints": hints("bautzen", "attack", WEISSENBERG, ("take", "hold"), own)
    }
    assert len(answer.json()["hints"]) > 1


def test_two_dice_are_said_as_such(site: httpx.Client) -> None:
    """White October adds to the sum of two dice; Bautzen has one die."""
    page = site.get("/games/white-october/attack?start=example&lang=fr").text
    assert "+3 aux dés" in page
    assert "au dé<" not in page
    assert "+1 au dé<" in site.get("/games/bautzen/attack?start=example&lang=fr").text


def test_a_french_hint_has_a_decimal_comma() -> None:
    """White October, 8 : 8: four more factors give 1.5/1."""
    example = dict(player_sheet.load("white-october").sheet("attack").example)
    assert "1,5/1" in hints("white-october", "attack", example, ("best", "best"), "fr")[0]
    assert "1.5/1" in hints("white-october", "attack", example, ("best", "best"), "en")[0]


def test_what_is_refused_beside_is_refused_in_the_reader_s_words(site: httpx.Client) -> None:
    tap = {"fight": {**WEISSENBERG, "terrain": ["moon"]}}
    answer = site.post("/games/bautzen/attack/hints?lang=fr", json=tap)
    assert answer.status_code == 422
    with pytest.raises(Refusal) as refused:
        hints("bautzen", "attack", tap["fight"], ("best", "best"), "fr")
    assert answer.json()["refusal"] == refused.value.in_("fr")
    assert answer.json()["place"] == refused.value.place


def test_a_name_can_t_break_out_of_the_page(site: httpx.Client) -> None:
    fight = {"attackers": [{"name": "</script><script>alert(1)</script>", "attack": 4}]}
    answer = site.get("/games/bautzen/attack", params={"s": json.dumps({"fight": fight})})
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text


STRAFING = {"targets": [{"name": "25/12 SS"}]}
SHOT = {
    "attackers": [{"name": "StuG III", "anti_tank": 5}],
    "defenders": [{"name": "T-34", "kind": "afv-closed", "armour": 4, "morale": 8}],
    "range": 6,
}


def test_where_one_side_has_units_only_its_chances_are_shown() -> None:
    """19.1.3: aircraft lose nothing, and no hex is fought for."""
    panel = view("normandy", "strafing", Tap(fight=STRAFING), "en").panel
    assert panel is not None
    assert [bar.text for bar in panel.outcomes.ground] == ["◆ eliminated"]
    assert [side.side for side in panel.outcomes.losses] == ["defender"]


def test_a_purchase_is_told_in_words_and_has_no_chances() -> None:
    wanted = [{"what": "one-step-unit", "count": 2}]
    shown = view("normandy", "reinforcements", Tap(fight={"points": 4, "wanted": wanted}), "fr")
    assert shown.panel is not None
    assert shown.panel.outcomes.ground == ()
    assert shown.panel.outcomes.losses == ()
    assert shown.resolution is not None
    assert shown.resolution.outcome == "2 × unité à un seul pas"


def test_results_that_are_words_are_in_the_readers_language() -> None:
    panel = view("panzer-grenadier", "anti-tank", Tap(fight=SHOT), "fr").panel
    assert panel is not None
    printed = [cell.halves for row in panel.table.rows for cell in row.cells]
    assert printed == [("aucun effet",), ("un pas",), ("éliminée",)]


def test_where_too_much_can_happen_answers_stand_without_figures_and_it_is_said_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The table and the question stay; only odds and figures are missing."""
    stated = {**WEISSENBERG, "attackers": [{"name": f"A {n}", "attack": 5} for n in range(3)]}
    tap = Tap(fight=stated, answers=((6,),))

    odds.forget()
    monkeypatch.setattr(limits, "SITUATIONS", 1)
    shown = copy_context().run(view, "bautzen", "attack", tap, "en")
    assert shown.panel is not None
    assert "situations" in shown.panel.no_odds
    assert shown.panel.table.rows
    assert shown.resolution is not None
    assert shown.resolution.question is not None
    (decision,) = shown.resolution.question.decisions
    assert "situations" in decision.assumes
    assert decision.offers
    assert not any(offer.figures for offer in decision.offers)


def test_figures_and_odds_are_those_that_remain_after_the_dice() -> None:
    """1/1 on 3/1: the attacker has lost his step, the defender chooses between step and hex."""
    stated = {
        "attackers": [{"name": "A", "attack": 14, "steps": 2}],
        "defenders": [{"name": "D", "defence": 4, "steps": 2}],
    }
    shown = view("bautzen", "attack", Tap(fight=stated, answers=((3,),)), "en")
    assert shown.panel is not None
    assert shown.panel.rolled
    assert [bar.text for bar in shown.panel.outcomes.losses[0].bars] == ["1"]
    assert shown.resolution is not None
    assert shown.resolution.question is not None
    (decision,) = shown.resolution.question.decisions
    assert [offer.figures for offer in decision.offers] == [
        ("hex held 100 %", "a step lost"),
        ("hex held 0 %", "no loss"),
    ]
    assert sum(offer.best for offer in decision.offers) == 1


def phone_bar(site: httpx.Client, address: str, fight: Mapping[str, object]) -> str:
    """Give the words of the bar at the lower edge of a phone."""
    text = site.get(address, params={"s": json.dumps({"fight": fight})}).text
    bar = text.split('<div class="phone-bar no-print">')[1].split("</div>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", bar).split())


def test_the_phone_bar_names_the_column_of_each_figure(site: httpx.Client) -> None:
    """2/1 is lit; the odds assume what the defender makes of the two columns at hand."""
    fight = {
        "attackers": [{"name": "A", "attack": 13, "steps": 2}],
        "defenders": [{"name": "D", "defence": 6, "steps": 2}],
    }
    plain = phone_bar(site, "/games/bautzen/attack", fight)
    assert re.fullmatch(r"2/1 (die 0 )?hex taken (\S+) %", plain)
    taken = plain.partition("hex taken ")[2]
    panel = view("bautzen", "attack", Tap(fight={**fight, "defender_cl_at_hand": 2}), "en").panel
    assert panel is not None
    assert panel.places is not None
    told = phone_bar(site, "/games/bautzen/attack", {**fight, "defender_cl_at_hand": 2})
    assert f"hex taken {taken} {panel.places.columns}: hex taken " in told


def test_each_answer_of_a_mixed_commitment_has_its_share_on_the_page() -> None:
    fight = {
        "attackers": [{"name": "A", "attack": 13, "steps": 2}],
        "defenders": [{"name": "D", "defence": 6, "steps": 2}],
        "attacker_cl_at_hand": 1,
        "defender_cl_at_hand": 2,
        "defender_air_at_hand": 1,
    }
    resolution = view("bautzen", "attack", Tap(fight=fight), "en").resolution
    assert resolution is not None
    assert resolution.question is not None
    attacker = resolution.question.decisions[0]
    assert [(offer.best, bool(offer.share)) for offer in attacker.offers] == [(True, True)] * 2


SAMPLES = [(id_, sheet) for id_ in game.ids() for sheet in player_sheet.load(id_).sheets]


@pytest.mark.parametrize(("id_", "sheet"), SAMPLES, ids=lambda one: getattr(one, "procedure", one))
def test_no_bar_is_empty_and_steps_are_read_as_at_least(id_: str, sheet: PlayerSheet) -> None:
    """Fire is told unit by unit; what can't happen is named once, without a bar."""
    shown = view(id_, sheet.procedure, Tap(fight=dict(sheet.example)), "en").panel
    assert shown is not None
    outcomes = shown.outcomes
    bars = [*outcomes.ground, *(bar for fate in outcomes.units for bar in fate.chances)]
    for side in outcomes.losses:
        bars += [*side.bars, *side.at_least, *side.shaken]
        exactly = {int(bar.text): bar.chance for bar in side.bars}
        for bar in side.at_least:
            assert bar.chance == sum(p for n, p in exactly.items() if n >= int(bar.text))
    assert all(bar.chance for bar in bars)
    if sheet.procedure == "direct-fire":
        fates = {fate.unit: [bar.text for bar in fate.chances] for fate in outcomes.units}
        assert fates["Rifles 1"] == ["disrupted", "demoralised", "eliminated", "a step lost"]
        assert not outcomes.ground
        assert not outcomes.never  # nothing is said of the side that its units contradict


@pytest.mark.parametrize(("lang", "column"), [("en", "1/1.5"), ("fr", "1/1,5")])
def test_a_column_is_written_as_the_language_writes_numbers(lang: Lang, column: str) -> None:
    """White October at 8 : 12."""
    sample = player_sheet.load("white-october").sheet("attack").example
    unit = {"name": "6", "pe": 4, "strength": 12, "quality": 3, "morale": 4}
    fight = {**sample, "defenders": [unit]}
    shown = view("white-october", "attack", Tap(fight=fight), lang).panel
    assert shown is not None
    assert shown.headline.basic == column


@pytest.mark.parametrize("id_", game.ids())
def test_every_unit_has_the_symbol_of_its_kind(id_: str) -> None:
    """The units of the samples, the counters of the tray, and a unit of one's own."""
    place = game.place(id_)
    for sheet in player_sheet.load(id_).sheets:
        for units in (one for one in sheet.units if one.faces):
            sample = sheet.example[units.list]
            assert isinstance(sample, list)
            stated = (*sample, {"name": "mine", **units.new})
            listed = (ListedUnit(sheet.procedure, units.list, key_of(unit), 0) for unit in stated)
            drawn = [drawn_unit(place, unit, "en") for unit in listed]
            printed = tray(place, sheet.procedure, units.list).values()
            drawn += [drawn_counter(counter, "en") for counter in printed]
            assert not [one for one in drawn if "symbol-unknown" in one]


def test_hints_compare_fights_with_the_same_commitments() -> None:
    """Both sides of an arrow leave out what may still be committed."""
    stated = {
        **WEISSENBERG,
        "allied": "defender",
        "attacker_cl_at_hand": 1,
        "defender_cl_at_hand": 2,
        "defender_air_at_hand": 3,
    }
    told = hints("bautzen", "attack", stated, ("best", "best"), "en")
    plain = hints("bautzen", "attack", WEISSENBERG, ("best", "best"), "en")
    assert told[1:] == [f"as it stands, {line}" for line in plain[1:]]
    assert any("hex taken" in line for line in plain)


def test_once_the_table_is_read_its_rows_have_no_chances() -> None:
    before = view("bautzen", "attack", Tap(fight=WEISSENBERG), "en").panel
    after = view("bautzen", "attack", Tap(fight=WEISSENBERG, answers=([6],)), "en").panel
    assert before is not None
    assert after is not None
    assert before.table.rolled
    assert not after.table.rolled
    assert after.table.below is None
    assert after.table.in_question == before.table.in_question


def test_the_end_counts_the_steps_of_those_who_could_lose_some() -> None:
    """Nothing can happen to those who fire in Panzer Grenadier."""
    stated = tomllib.loads(Path("examples/panzer-grenadier.toml").read_text(encoding="utf-8"))
    play = stated_fight(stated).play()
    while play.asking is not None:
        ask = play.asking
        play.answer(ask.dice.middling() if isinstance(ask, Roll) else first_answer(ask))
    aid = player_sheet.load("panzer-grenadier")
    units = resolution(play, aid, ("best", "best"), "en").units
    assert {unit.side for unit in units} == {"defender"}


def test_a_row_that_a_low_die_reaches_has_its_mark_and_its_reason() -> None:
    """Die 1 less 1 is no printed row: row 1 is read, and that is doubtful."""
    fight = {**WEISSENBERG, "terrain": ["village"]}
    panel = view("bautzen", "attack", Tap(fight=fight), "en").panel
    assert panel is not None
    lit = [cell for row in panel.table.rows for cell in row.cells if cell.lit]
    assert [cell.doubt is not None for cell in lit] == [True, False, False, False, False]
    assert lit[0].doubt is not None
    assert lit[0].doubt.en in {doubt.reason for doubt in panel.doubts}
    hit = view("bautzen", "attack", Tap(fight=fight, answers=([2],)), "en").panel
    assert hit is not None
    assert not any(cell.doubt for row in hit.table.rows for cell in row.cells if cell.hit)


def test_a_leader_has_no_steps() -> None:
    """Panzer Grenadier: units are told with their steps, leaders without."""
    sheet = player_sheet.load("panzer-grenadier").sheet("direct-fire")
    tap = Tap(fight=dict(sheet.example))
    play = play_of("panzer-grenadier", "direct-fire", tap)
    while isinstance(play.asking, Roll):
        play.answer((4, 4))
    units = {unit.name: unit.has_steps for unit in units_json(play)}
    assert units["Rifles 1"]
    assert not units["Lieutenant"]


def test_who_is_tested_rolls() -> None:
    """The dice of a morale check belong to the side of the unit that checks."""
    sheet = player_sheet.load("panzer-grenadier").sheet("direct-fire")
    play = play_of("panzer-grenadier", "direct-fire", Tap(fight=dict(sheet.example)))
    sides = []
    while isinstance(play.asking, Roll):
        sides.append((play.asking.what, play.asking.side))
        play.answer((6, 6))
    assert sides[0] == ("fire-roll", "attacker")
    assert sides[1] == ("morale-roll", "defender")


def test_hints_speak_of_dice_where_two_are_rolled() -> None:
    stated = dict(player_sheet.load("white-october").sheet("attack").example)
    told = "\n".join(hints("white-october", "attack", stated, ("best", "best"), "fr"))
    assert "un de plus aux dés" in told
    assert "au dé" not in told
