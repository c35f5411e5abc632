"""What is drawn once is what would be drawn anew."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard import load
from grognard.fights import odds
from grognard.fights.doctrine import DOCTRINES
from grognard.rules.fight import Setup
from grognard.web import templating
from grognard.web.quick import drawn_counters, hints, shown_outcomes, shown_table
from grognard.web.quick.quick_page import view
from grognard.web.quick.tap import Tap
from grognard.words.refusal import Refusal
from grognard.words.text import LANGS, Lang
from tests.random_setups import SETUPS, each_procedure, fewer

BAUTZEN = {
    "attackers": [{"name": "21/20Pz", "attack": 14, "unsupplied": False}],
    "defenders": [{"name": "861/294", "defence": 4}],
    "terrain": ["town"],
}


def drawn(game_id: str, procedure: str, tap: Tap, lang: Lang) -> str:
    return templating.fill("quick_sheet.html", lang, view=view(game_id, procedure, tap, lang))


def forget_all() -> None:
    odds.forget()
    memories = (templating._piece, shown_table._laid_out, shown_outcomes._of_kind, hints._figures)
    for memory in (*memories, drawn_counters.drawn_unit):
        memory.cache_clear()


def plain(setup: Setup) -> dict[str, Any]:
    stated: dict[str, Any] = msgspec.to_builtins(setup)
    return stated


@each_procedure
def test_a_sheet_is_drawn_the_same_whatever_was_drawn_before(game: str, procedure: str) -> None:
    """The first drawing of a sheet finds many parts of those before it, the second nothing."""
    options = st.fixed_dictionaries(
        {},
        optional={
            option.id: st.sampled_from([choice.id for choice in option.choices])
            for option in load(game).card.options
        },
    )
    unfolded = st.sets(st.sampled_from(["options", "unit-attackers-0", "unit-defenders-0"]))
    doctrines = st.sampled_from(list(DOCTRINES))

    @fewer(25, game)
    @given(SETUPS[game, procedure], options, unfolded, doctrines, st.sampled_from(LANGS))
    def check(
        setup: Setup, options: dict[str, str], unfolded: set[str], way: str, lang: Lang
    ) -> None:
        fight = {**plain(setup), "options": options}
        tap = Tap(fight=fight, open=tuple(unfolded), attacker=way)
        remembered = drawn(game, procedure, tap, lang)
        forget_all()
        assert drawn(game, procedure, tap, lang) == remembered

    check()


@each_procedure
def test_hints_are_the_same_whatever_was_asked_before(game: str, procedure: str) -> None:
    def told(setup: Setup, ways: tuple[str, str], lang: Lang) -> list[str] | str:
        try:
            return hints.hints(game, procedure, plain(setup), ways, lang)
        except Refusal as refusal:
            return refusal.in_(lang)

    doctrines = st.sampled_from(list(DOCTRINES))

    @fewer(25, game)
    @given(SETUPS[game, procedure], st.tuples(doctrines, doctrines), st.sampled_from(LANGS))
    def check(setup: Setup, ways: tuple[str, str], lang: Lang) -> None:
        remembered = told(setup, ways, lang)
        forget_all()
        assert told(setup, ways, lang) == remembered

    check()


def variants() -> Iterator[tuple[str, Callable[[], str]]]:
    """Give sheets that differ in one thing only."""

    def sheet(lang: Lang = "en", attacker: str = "best", **more: object) -> Callable[[], str]:
        tap = Tap(fight={**BAUTZEN, **more}, attacker=attacker, open=("options",))
        return lambda: drawn("bautzen", "attack", tap, lang)

    yield "as stated", sheet()
    yield "language", sheet(lang="fr")
    yield "doctrine", sheet(attacker="hold")
    yield "option", sheet(options={"low_die": "no_effect"})
    yield "box", sheet(concentric=True)
    yield "name", sheet(defenders=[{"name": "862/294", "defence": 4}])
    yield "unit's box", sheet(attackers=[{"name": "21/20Pz", "attack": 14, "unsupplied": True}])
    yield "column", sheet(attackers=[{"name": "21/20Pz", "attack": 6, "unsupplied": False}])


def test_whatever_is_stated_otherwise_is_drawn_otherwise() -> None:
    first = {name: draw() for name, draw in variants()}
    assert len(set(first.values())) == len(first)
    for name, draw in variants():
        forget_all()
        assert draw() == first[name]


@pytest.mark.parametrize("lang", LANGS)
def test_names_are_escaped_in_parts_too(lang: Lang) -> None:
    fight = {**BAUTZEN, "attackers": [{"name": "<b>&", "attack": 14}]}
    html = drawn("bautzen", "attack", Tap(fight=fight, open=("unit-attackers-0",)), lang)
    assert "<b>&" not in html
    assert "&lt;b&gt;&amp;" in html
    assert "&amp;lt;" not in html
