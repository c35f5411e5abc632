"""The analysis page: the heat maps, the worths and their fractions, for examples and own fights."""

import json
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from grognard.fights.fight_file import stated_fight
from grognard.rules import game
from grognard.study import player_sheet
from grognard.words.text import LANGS

SHEETS = [(id_, sheet.procedure) for id_ in game.ids() for sheet in player_sheet.rolled(id_)]


class Cell(NamedTuple):
    """A cell of a table with shades: its number, the exact one, and how it is marked."""

    text: str
    exact: Fraction
    here: bool


class Page(HTMLParser):
    """The tables of a page: their captions or corners, and the cells of every row."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tables: list[list[list[Cell]]] = []
        self.links: list[str] = []
        self._open: list[str] | None = None
        self._cell: tuple[str, bool] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "table" and "heat" in (given.get("class") or "").split():
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag == "td" and "--heat" in (given.get("style") or ""):
            here = "here" in (given.get("class") or "").split()
            self._cell, self._open = (given["title"] or "", here), []
        elif tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "td" and self._cell is not None and self._open is not None:
            exact, here = self._cell
            text = "".join(self._open).split()[0]
            self.tables[-1][-1].append(Cell(text, Fraction(exact), here))
            self._cell = self._open = None

    def cells(self, table: int) -> list[list[Cell]]:
        return [row for row in self.tables[table] if row]


def show(site: httpx.Client, id_: str, **query: str) -> httpx.Response:
    return site.get(f"/games/{id_}/analysis", params=query)


def own(stated: dict[str, Any]) -> str:
    return json.dumps({"fight": stated, "answers": [[5]], "attacker": "best", "defender": "best"})


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("id_", "procedure"), SHEETS)
def test_every_procedure_that_rolls_has_its_page(
    site: httpx.Client, id_: str, procedure: str, lang: str
) -> None:
    answer = show(site, id_, procedure=procedure, lang=lang)
    assert answer.status_code == 200, answer.text
    assert f'<html lang="{lang}">' in answer.text
    assert Page(answer.text).tables
    for sheet in player_sheet.rolled(id_):
        assert f"/games/{id_}/analysis?procedure={sheet.procedure}" in answer.text


def test_without_a_procedure_the_first_is_shown(site: httpx.Client) -> None:
    assert (
        Page(show(site, "normandy").text).tables
        == Page(show(site, "normandy", procedure="attack").text).tables
    )


def test_the_maps_hold_the_exact_odds_of_the_example(site: httpx.Client) -> None:
    page = Page(show(site, "bautzen", lang="en").text)
    stated = dict(player_sheet.load("bautzen").sheet("attack").example)
    odds = stated_fight({**stated, "game": "bautzen"}).odds()
    numbers = ("attacker_steps_lost", "defender_steps_lost", "taken")
    for table, number in enumerate(numbers):
        cells = page.cells(table)
        assert (len(cells), {len(row) for row in cells}) == (7, {8})
        (here,) = (cell for row in cells for cell in row if cell.here)
        assert here.exact == odds.expected(number)
    assert page.cells(2)[3][3] == Cell("50", Fraction(1, 2), here=True)  # 4, 5 and 6: two steps


def test_numbers_are_written_as_the_language_does(site: httpx.Client) -> None:
    english, french = (Page(show(site, "bautzen", lang=lang).text) for lang in LANGS)
    assert (english.cells(0)[3][2].text, french.cells(0)[3][2].text) == ("1.00", "1,00")


def test_the_uneven_places_of_bautzen_carry_a_sign_and_its_words(site: httpx.Client) -> None:
    text = show(site, "bautzen", lang="en").text
    assert "⇐" in text
    assert "uneven: all in all ▶ is better off one column to the left" in text


def test_doctrines_are_chosen_in_the_address_and_named(site: httpx.Client) -> None:
    usual, chosen = (
        show(site, "bautzen", lang="en", **query)
        for query in ({}, {"attacker": "take", "defender": "hold"})
    )
    named = "▶ take the ground, then spare the units · ◆ hold the ground, then spare the units"
    assert named in chosen.text
    assert named not in usual.text
    assert Page(usual.text).tables != Page(chosen.text).tables


def test_a_fight_of_quick_combat_is_analysed_as_stated(site: httpx.Client) -> None:
    stated = {
        "attackers": [{"name": "StuG III", "anti_tank": 6}],
        "defenders": [{"name": "T-34", "kind": "afv-closed", "armour": 4, "morale": 8}],
        "range": 6,
    }
    answer = show(site, "panzer-grenadier", procedure="anti-tank", s=own(stated))
    fight = stated_fight({**stated, "game": "panzer-grenadier", "procedure": "anti-tank"})
    (here,) = (cell for cell in Page(answer.text).cells(0)[0] if cell.here)
    assert here.exact == fight.odds().expected("defender_steps_lost")


@pytest.mark.parametrize(("id_", "procedure"), SHEETS)
def test_the_example_can_be_changed_in_quick_combat_and_brought_back(
    site: httpx.Client, id_: str, procedure: str
) -> None:
    page = Page(show(site, id_, procedure=procedure).text)
    (link,) = (link for link in page.links if link.startswith(f"/games/{id_}/{procedure}?"))
    assert site.get(link).status_code == 200
    (state,) = parse_qs(urlsplit(link).query)["f"]
    back = show(site, id_, procedure=procedure, f=state)
    assert back.status_code == 200, back.text
    here = [[c for row in p.cells(0) for c in row if c.here] for p in (page, Page(back.text))]
    assert here[0] == here[1]


def test_a_name_is_only_a_name(site: httpx.Client) -> None:
    stated = json.loads(json.dumps(dict(player_sheet.load("bautzen").sheet("attack").example)))
    stated["attackers"][0]["name"] = "<script>alert(1)</script>"
    answer = show(site, "bautzen", s=own(stated))
    assert answer.status_code == 200
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize(
    ("id_", "query", "status"),
    [
        ("waterloo", {}, 404),
        ("bautzen", {"procedure": "siege"}, 404),
        ("normandy", {"procedure": "reinforcements"}, 404),  # nothing is rolled there
        ("bautzen", {"attacker": "bold"}, 422),
        ("bautzen", {"s": "{"}, 400),
        ("bautzen", {"f": "1"}, 422),
        ("bautzen", {"s": '{"fight": []}'}, 422),
        ("bautzen", {"s": '{"fight": {}}'}, 422),
        ("bautzen", {"s": '{"fight": {"defender_cl": 99999999}}'}, 422),
    ],
)
def test_what_can_t_be_analysed_is_refused_on_a_page(
    site: httpx.Client, id_: str, query: dict[str, str], status: int
) -> None:
    answer = show(site, id_, **query)
    assert answer.status_code == status
    assert 'class="refusal"' in answer.text


def test_a_stated_fight_is_within_the_limits(site: httpx.Client) -> None:
    many = [{"name": f"R{n}", "attack": 1} for n in range(17)]
    stated = {"attackers": many, "defenders": [{"name": "D", "defence": 4}]}
    assert show(site, "bautzen", s=own(stated)).status_code == 422
