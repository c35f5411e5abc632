"""The pages of matches: their list, the map, and the pieces of the page that come anew."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice
from json import dumps, loads
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from httpx import Client

from grognard.maps import scenario
from grognard.matches import match as matches
from grognard.matches.match import Match
from grognard.matches.orders import TOP
from grognard.matches.protocol import Order
from grognard.players.bot import Bot
from grognard.rules.ask import Roll
from grognard.web.matches.order_menu import Deed, Menu, deeds, menu
from grognard.words.text import LANGS
from tests.tiers import sized, soaked

SCENARIOS = sorted(scenario.ids())
View = dict[str, Any]


def begin(site: Client, **stated: object) -> View:
    answer = site.post(
        "/api/matches", json={"scenario": "weissenberg", "level": "sergeant", **stated}
    )
    assert answer.status_code == 201, answer.text
    view: View = answer.json()
    return view


def do(site: Client, view: View, verb: str, **body: object) -> View:
    path = f"/api/matches/{view['id']}/{verb}"
    answer = site.post(path, json={"version": view["version"], **body})
    assert answer.status_code == 200, answer.text
    done: View = answer.json()
    return done


def parts(site: Client, view: View, **query: str) -> View:
    answer = site.get(f"/matches/{view['id']}/parts", params=query)
    assert answer.status_code == 200, answer.text
    given: View = answer.json()
    return given


def given(html: str, name: str) -> list[str]:
    """The values of an attribute, in the order of the page."""
    return [unescape(value) for value in re.findall(rf' {name}="([^"]*)"', html)]


# ------------------------------------------------------------------ the list


@pytest.mark.parametrize("lang", LANGS)
def test_the_list_shows_matches_and_offers_every_scenario(site: Client, lang: str) -> None:
    view = begin(site, name="Ligny & <Wavre>")
    shown = site.get("/matches", params={"lang": lang})
    assert shown.status_code == 200
    assert "Ligny &amp; &lt;Wavre&gt;" in shown.text
    assert f"/matches/{view['id']}" in given(shown.text, "href")
    for name in SCENARIOS:
        assert scenario.own(name).name.in_(lang) in unescape(shown.text)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["/", "/matches"])
def test_a_new_match_is_one_tap_by_the_sides_that_you_play(site: Client, path: str) -> None:
    view = begin(site)
    shown = site.get(path).text
    offered = [loads(words) for words in given(shown, "data-begin")]
    for name in SCENARIOS:
        first, second = (side.id for side in scenario.own(name).sides)
        autos = [one["autos"] for one in offered if one["scenario"] == name]
        assert autos == [[second], [first], [], [first, second]]  # one side, the other, both, none
        assert f"/scenarios/{name}/map.svg?lang=en" in given(shown, "src")
    assert f"/matches/{view['id']}" in given(shown, "href")
    assert set(re.findall(r"<option value=\"(\w+)\" selected>colonel<", shown)) == {"colonel"}
    assert ">plans all attacks of a phase together" in shown
    begun = site.post("/api/matches", json=offered[0])
    assert begun.status_code == 201


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_has_its_picture(site: Client, name: str) -> None:
    answer = site.get(f"/scenarios/{name}/map.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert ElementTree.fromstring(answer.text).tag.endswith("svg")


@pytest.mark.parametrize("path", ["/matches/nothere", "/matches/nothere/map.svg"])
def test_a_match_that_is_not_there_is_a_page_that_says_so(site: Client, path: str) -> None:
    answer = site.get(path, params={"lang": "fr"})
    assert answer.status_code == 404
    assert "nothere" in answer.text


def test_a_scenario_that_is_not_there_has_no_picture(site: Client) -> None:
    assert site.get("/scenarios/nothere/map.svg").status_code == 404


# ------------------------------------------------------------------ the map's page


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_page_has_every_hex_and_every_counter(site: Client, name: str, lang: str) -> None:
    view = begin(site, scenario=name)
    html = site.get(f"/matches/{view['id']}", params={"lang": lang}).text
    board = scenario.own(name).board()
    assert {board.map.number(hex_) for hex_ in board.map.places} <= {*given(html, "data-hex")}
    buttons = re.findall(r'<button type="button" class="piece.*?</button>', html, re.S)
    assert sorted(given("".join(buttons), "data-unit")[::2]) == sorted(
        piece.name for piece in board.pieces
    )
    assert all("aria-label=" in button for button in buttons)


def test_an_answer_changes_the_pieces_of_the_page_and_adds_to_its_log(site: Client) -> None:
    view = begin(site)
    before = parts(site, view)
    view = do(site, view, "answers", answer=["move", "21/20Pz", "1711"])
    after = parts(site, view, since=before["log"]["mark"])
    assert after["version"] == view["version"]
    assert re.search(r'data-unit="21/20Pz" data-hex="1810"', before["pieces"])
    assert re.search(r'data-unit="21/20Pz" data-hex="1711"', after["pieces"])
    assert not after["log"]["whole"]
    assert "1711" in after["log"]["html"]
    assert "disabled" in before["parts"]["ask"]  # nothing to take back yet
    assert "disabled" not in after["parts"]["ask"]


def test_the_log_is_told_anew_after_an_undo(site: Client) -> None:
    view = do(site, begin(site), "answers", answer=["move", "21/20Pz", "1711"])
    mark = parts(site, view)["log"]["mark"]
    view = do(site, view, "undo")
    after = parts(site, view, since=mark)
    assert after["log"]["whole"]
    assert "1711" not in after["log"]["html"]


def test_the_hexes_of_the_log_are_shown_on_the_map(site: Client) -> None:
    view = do(site, begin(site), "answers", answer=["move", "687/615", "1713"])
    shown = given(parts(site, view)["log"]["html"], "data-show")
    assert shown == ["1713", "1713", "1712"]  # of the order, of what came of it, and whence


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("weissenberg", "Tap a unit: the map shows where it can go."),
        ("steppe", "Tap a unit to use it, or a target to attack it."),
    ],
)
def test_a_line_says_what_to_do_next(site: Client, scenario: str, words: str) -> None:
    hint = parts(site, begin(site, scenario=scenario))["parts"]["hint"]
    assert words in hint


# ------------------------------------------------------------------ units


def test_a_unit_shows_where_it_can_go_and_what_it_costs(site: Client) -> None:
    view = begin(site)
    told = site.get(f"/matches/{view['id']}/unit", params={"name": "21/20Pz"}).json()
    asked = site.get(f"/api/matches/{view['id']}/unit", params={"name": "21/20Pz"}).json()
    costs = dict(
        zip(given(told["html"], "data-hex"), given(told["html"], "data-cost"), strict=True)
    )
    assert costs.keys() == {way["hex"] for way in asked["reach"]}
    halves = {way["hex"]: way["cost"] for way in asked["reach"] if "/" in way["cost"]}
    assert halves
    assert {costs[hex_] for hex_, cost in halves.items() if cost == "11/2"} == {"5½"}
    assert told["zoc"] == asked["zoc"]
    assert told["supply"] == asked["supply"]


def test_a_move_over_the_stacking_limit_is_offered_with_a_warning(site: Client) -> None:
    path = f"/matches/{begin(site)['id']}/unit"
    html = site.get(path, params={"name": "21/20Pz"}).json()["html"]
    warned = re.findall(r'class="go rash"[^>]* data-hex="(\d+)"', html)
    assert set(warned) == {"1911", "1912"}  # HQs of 3 and 4 points, with 2 and 1 beside them: 5.2


def test_an_enemy_unit_shows_itself_but_offers_nothing(site: Client) -> None:
    view = begin(site)
    told = site.get(f"/matches/{view['id']}/unit", params={"name": "861/294"}).json()
    assert "861/294 is not yours to use here" in told["html"]
    assert not given(told["html"], "data-order")


def test_an_order_that_is_tried_tells_why_it_would_be_refused(site: Client) -> None:
    path = f"/matches/{begin(site)['id']}"

    def tried(*order: str) -> str | None:
        told: dict[str, str | None] = site.post(f"{path}/try", json={"order": order}).json()
        return told["refusal"]

    assert tried("move", "21/20Pz", "1811") is None
    assert tried("move", "21/20Pz", "1910") == "1910: the enemy is there"
    assert tried("move", "861/294", "1909") == "861/294 is not yours to use here"
    asked = {"name": "861/294", "tried": '["move", "21/20Pz", "1910"]'}
    assert site.get(f"{path}/unit", params=asked).json()["refusal"] == "1910: the enemy is there"
    for bad in ("[", "7", '[["move"]]'):
        refused = site.get(f"{path}/unit", params={"name": "861/294", "tried": bad})
        assert refused.status_code == 422


def test_a_unit_that_has_nothing_to_do_says_why(site: Client) -> None:
    view = begin(site)
    view = do(site, view, "answers", answer=["move", "687/615", "1713"])
    assert 'title="687/615 has moved already"' in parts(site, view)["parts"]["strip"]
    view = do(site, view, "answers", answer=["end"])
    strip = parts(site, view)["parts"]["strip"]
    assert 'title="687/615 is adjacent to no enemy"' in strip
    assert 'title="a logistic column does not attack"' in strip
    told = site.get(f"/matches/{view['id']}/unit", params={"name": "21/20Pz"}).json()
    assert told["aims"] == ["1910"]
    assert "attack 1910" in told["html"]


def test_a_unit_that_is_not_there_is_refused(site: Client) -> None:
    answer = site.get(f"/matches/{begin(site)['id']}/unit", params={"name": "Old Guard"})
    assert answer.status_code == 422
    assert "Old Guard" in answer.json()["refusal"]


# ------------------------------------------------------------------ orders


def positions(name: str, seed: int) -> Iterator[Match]:
    """A match that is played by itself, at each of its orders."""
    match, bot, dice = matches.begin(name), Bot(seed), Random(seed)
    while match.asking is not None:
        if isinstance(match.asking, Order):
            yield match
        if isinstance(match.asking, Roll):
            match.answer(tuple(dice.randint(1, 6) for _ in range(match.asking.dice.count)))
        else:
            match.answer(bot.answer(match))


def offered(shown: Menu, doings: dict[str, tuple[Deed, ...]], order: tuple[str, ...]) -> bool:
    """Whether an order can be put together from what the page shows."""
    wholes = [plain.order for plain in (*shown.ends, *shown.plain)]
    for deed in doings.get(order[1], ()) if len(order) > 1 else ():
        wholes += [go.order for go in deed.goes] or [deed.words]
    return any(tuple(loads(whole)) == order for whole in wholes) or any(
        (aim.verb, aim.target) == order[:2] and set(order[2:]) <= set(aim.units)
        for aim in shown.aims
    )


FEW = {"bautzen-1945": sized(150, soak=1)}  # of so many positions of the large map one


@pytest.mark.slow
@pytest.mark.parametrize("name", soaked(SCENARIOS, "bautzen-1945"))
def test_every_order_of_a_whole_match_has_its_place_on_the_page(name: str) -> None:
    verbs = set()
    for match in islice(positions(name, seed=7), None, None, FEW.get(name, 1)):
        ask = match.asking
        assert isinstance(ask, Order)
        shown = menu(match, "en")
        under = {order[1] for order in ask.orders.deeds() if order[0] == TOP}
        doings = {unit: deeds(match, unit, "en") for unit in shown.acting | under}
        moves = (move for piece in ask.orders.pieces() for move in ask.orders.moves(piece))
        for order in (*ask.orders.all(), *moves):
            verbs.add(order[0])
            assert offered(shown, doings, order), order
        for aim in shown.aims:
            ask.orders.check((aim.verb, aim.target, *aim.party))
            assert ask.board.map.has(aim.hex), aim
    assert len(verbs) > 2


# ------------------------------------------------------------------ fights

ATTACK = ["attack", "1910", "21/20Pz", "59/20Pz", "112/20Pz"]


def test_an_attack_is_looked_at_with_what_the_map_says(site: Client) -> None:
    view = do(site, begin(site), "answers", answer=["end"])
    told = site.post(f"/matches/{view['id']}/look", json={"order": ATTACK}).json()
    asked = site.post(
        f"/api/matches/{view['id']}/look", json={"target": "1910", "units": ATTACK[2:]}
    ).json()
    assert told["label"] == asked["fight"]["explanation"]["column"]["final"]
    assert told["by"] == "german"
    html = unescape(told["details"])
    for line in asked["lines"]:
        assert line["text"] in html
    assert "Formation 20 Pz attacks with all its units" in html


def test_a_unit_that_can_not_move_says_why_for_every_hex_that_is_tapped(site: Client) -> None:
    """A gun without a movement factor, and every unit where units do not move."""
    view = begin(site, scenario="steppe")
    assert view["asking"]["side"] == "german"
    told = site.get(f"/matches/{view['id']}/unit", params={"name": "leFH 18"}).json()
    assert told["stays"] is None
    tried = site.post(f"/matches/{view['id']}/try", json={"order": [*told["tries"], "0202"]}).json()
    assert tried["refusal"] == "leFH 18 does not move"
    waiting = site.get(f"/matches/{view['id']}/unit", params={"name": "T-34"}).json()
    assert (waiting["tries"], waiting["stays"]) == (None, None)
    view = do(site, begin(site), "answers", answer=["end"])
    told = site.get(f"/matches/{view['id']}/unit", params={"name": "687/615"}).json()
    assert (told["tries"], told["stays"]) == (None, "units do not move in this phase")


SUPPORTED = [*ATTACK, "QG 20 Pz", "QG 57 PzK"]


def test_a_look_names_what_it_assumes_and_the_column_of_every_other_answer(site: Client) -> None:
    view = do(site, begin(site), "answers", answer=["end"])
    told = site.post(f"/matches/{view['id']}/look", json={"order": SUPPORTED}).json()
    html = unescape(told["details"])
    assert "Which HQs and guns support the defence? QG 294 RD and 6L" in html
    ways = re.findall(r'<ul class="lines ways">(.*?)</ul>', html, re.DOTALL)[0].split("</li>")
    answers = ["QG 294 RD and 6L", "QG 294 RD", "6L", "No support"]
    columns = ["2/1", "4/1", "3/1", "6/1"]
    for way, answer, column in zip(ways, answers, columns, strict=False):
        assert answer in way
        assert f"column {column}" in way
        assert "hex taken" in way


def test_a_question_before_a_fight_shows_the_fight_behind_each_answer(site: Client) -> None:
    view = do(site, begin(site), "answers", answer=["end"])
    view = do(site, view, "answers", answer=SUPPORTED)
    shown = parts(site, view)["parts"]["ask"]
    groups = {g["answer"]: g["figures"] for g in loads(given(shown, "data-groups")[0])}
    assert "question 1" in shown
    for option in view["asking"]["options"]:
        then = do(site, view, "answers", answer=option["answer"])
        column = lit(parts(site, then)["parts"]["fight"])[1]
        figures = groups[dumps(option["answer"])].removeprefix("★ ")
        assert figures.startswith((f"column {column[0]} ", f"column {column[0]}, ")), figures
        view = do(site, then, "undo")


@pytest.mark.parametrize(
    ("order", "words"),
    [(["attack", "1910", "857/294"], "857/294"), (["end"], "this leads to no fight")],
)
def test_what_is_no_fight_is_refused_before_it_is_ordered(
    site: Client, order: list[str], words: str
) -> None:
    view = do(site, begin(site), "answers", answer=["end"])
    answer = site.post(f"/matches/{view['id']}/look", json={"order": order})
    assert answer.status_code == 422
    assert words in answer.json()["refusal"]


def committing(site: Client) -> View:
    view = do(site, begin(site), "answers", answer=["end"])
    view = do(site, view, "answers", answer=ATTACK)
    return do(site, view, "answers", answer=["QG 294 RD"])


def test_a_secret_half_is_not_told_to_any_page(site: Client) -> None:
    view = committing(site)
    assert {*given(parts(site, view)["parts"]["ask"], "data-half")} == {"german", "allied"}
    view = do(site, view, "commit", side="german", option=[1, 0])
    shown = parts(site, view)
    assert {*given(shown["parts"]["ask"], "data-half")} == {"allied"}
    menu_of_the_other = r"<details class=\"half-secret.*?</details>"
    ask = re.sub(menu_of_the_other, "", shown["parts"]["ask"], flags=re.S)
    for told in (ask, shown["parts"]["fight"], shown["log"]["html"]):
        assert "Commit 1 CL" not in told


def test_the_struck_cell_stays_on_the_table_until_the_next_order(site: Client) -> None:
    view = committing(site)
    view = do(site, view, "commit", side="german", option=[0, 0])
    view = do(site, view, "commit", side="allied", option=[0, 0])
    assert " hit" not in parts(site, view)["parts"]["fight"]
    view = do(site, view, "answers", answer=[6])
    while view["asking"]["ask"] != "order":
        assert " hit" in parts(site, view)["parts"]["fight"]
        view = do(site, view, "answers", answer=view["asking"]["options"][0]["answer"])
    shown = parts(site, view)["parts"]
    assert " hit" in shown["fight"]
    ended = re.findall(r'<p class="just-fought".*?<strong>(.*?)</strong>', shown["ask"])
    assert ended
    assert ended[0] in shown["details"]  # the outcome stands above the next question too
    view = do(site, view, "answers", answer=["end"])
    assert not parts(site, view)["parts"]["fight"].strip()


def test_a_committed_column_is_shown_as_it_was_decided(site: Client) -> None:
    view = committing(site)
    view = do(site, view, "commit", side="german", option=[1, 0])
    view = do(site, view, "commit", side="allied", option=[0, 0])
    if view["asking"]["text"] != "Combat roll":
        view = do(site, view, "answers", answer=[6])
    told = [e for e in view["log"]["entries"] if e.get("id") == "final-column"]
    fight = parts(site, view)["parts"]["fight"]
    headline = re.search(r'<strong class="column">.*?</span>([^<]*)', fight)
    assert headline is not None
    assert headline[1].strip() == str(told[-1]["value"])


@pytest.mark.parametrize(
    ("name", "unit", "traced"), [("steppe", "GrW 34", False), ("weissenberg", "21/20Pz", True)]
)
def test_supply_is_told_only_where_the_map_has_sources(
    site: Client, name: str, unit: str, traced: bool
) -> None:
    view = begin(site, scenario=name)
    told = site.get(f"/matches/{view['id']}/unit", params={"name": unit}).json()
    assert (told["supply"] is not None) == traced
    assert ("supply" in told["html"]) == traced


# ------------------------------------------------------------------ from the first look to the roll


def lit(html: str) -> tuple[list[str], list[str]]:
    """Give the numbers above a printed table, and its lit columns."""
    head = re.findall(r'<div class="headline".*?</div>', html, re.DOTALL)
    return [" ".join(text.split()) for text in head], re.findall(
        r'<th scope="col" class="in-question">([^<]*)<', html
    )


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("pulkovo", ["attack", "1005", "Bulak Horse", "ANO Flight"]),
        ("weissenberg", ["attack", "1910", "21/20Pz", "59/20Pz"]),
    ],
)
def test_the_panel_is_the_same_from_the_first_look_to_the_roll(
    site: Client, name: str, order: list[str]
) -> None:
    view = do(site, begin(site, scenario=name), "answers", answer=["end"])
    looked = site.post(f"/matches/{view['id']}/look", json={"order": order}).json()["html"]
    first = lit(looked)
    assert first[0]
    assert first[1]
    view = do(site, view, "answers", answer=order)
    questions = 0
    while view["asking"]["ask"] == "choose":  # who supports the defence
        shown = parts(site, view)["parts"]
        assert lit(shown["fight"]) == first
        arrows = loads(unescape(given(shown["ask"], "data-arrows")[0]))
        assert arrows["target"] == order[1]
        view = do(site, view, "answers", answer=view["asking"]["options"][0]["answer"])
        questions += 1
    assert questions
    assert lit(parts(site, view)["parts"]["fight"]) == first
