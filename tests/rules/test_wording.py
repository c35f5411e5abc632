"""Answers in words: names, numbers, groups and commitments, in both languages."""

import pytest

from grognard import load
from grognard.rules.ask import Answer, Choose, Commit
from grognard.rules.wording import answered, members, named, question
from grognard.words.numbers import Counted
from grognard.words.text import Lang
from grognard.words.typography import NARROW

TRADE = Choose("defender", "trade", (0, 1, 2))
GROUPS: tuple[Answer, ...] = ((), ("21/20Pz",), ("59/20Pz",), ("21/20Pz", "59/20Pz"))
ADVANCE = Choose("attacker", "who-advances", GROUPS)
SECRET = Commit("commit-cl", ((0, 0), (1, 0), (2, 1)), ((0, 0), (1, 0)))


@pytest.mark.parametrize(
    ("game", "ask", "option", "en", "fr"),
    [
        ("bautzen", TRADE, 0, "Hold and lose 2 steps", "Tenir et perdre 2 pas"),
        ("bautzen", TRADE, 2, "Retreat 2 hexes", "Reculer de 2 hex"),
        (
            "bautzen",
            TRADE,
            1,
            "Lose 1 step and retreat 1 hex",
            "Perdre 1 pas et reculer de 1 hex",
        ),
        (
            "bautzen",
            Choose("defender", "trade", (0, 1)),
            0,
            "Hold and lose 1 step",
            "Tenir et perdre 1 pas",
        ),
        ("bautzen", ADVANCE, (), "Nobody advances", "Personne n'avance"),
        ("bautzen", ADVANCE, ("21/20Pz",), "21/20Pz advances", "21/20Pz avance"),
        (
            "bautzen",
            ADVANCE,
            ("21/20Pz", "59/20Pz"),
            "21/20Pz and 59/20Pz advance",
            "21/20Pz et 59/20Pz avancent",
        ),
        ("bautzen", SECRET, (0, 0), "Commit nothing", "Ne rien engager"),
        ("bautzen", SECRET, (1, 0), "Commit 1 CL (+1 column)", "Engager 1 CL (+1 colonne)"),
        (
            "bautzen",
            SECRET,
            (2, 1),
            "Commit 2 CL (+2 columns) and 1 air marker (+1 column)",
            "Engager 2 CL (+2 colonnes) et 1 marqueur aérien (+1 colonne)",
        ),
        (
            "normandy",
            Choose("defender", "retreat-or-stand", ("retreat", "stand"), blanks=(("hexes", "1"),)),
            "retreat",
            "Retreat 1 hex",
            "Retraiter de 1 hex",
        ),
        ("normandy", Choose("attacker", "call-air", (2, 1, 0)), 2, "2 columns", "2 colonnes"),
        (
            "normandy",
            Choose("attacker", "call-air", (2, 1, 0)),
            0,
            "No air support",
            "Aucun soutien aérien",
        ),
        ("normandy", Choose("defender", "lead-unit", ("916/352", "Z")), "Z", "Z", "Z"),
        (
            "panzer-grenadier",
            Choose("defender", "who-loses", (("A", "A"), ("A", "B"))),
            ("A", "A"),
            "A loses 2 steps",
            "A perd 2 pas",
        ),
        (
            "panzer-grenadier",
            Choose("defender", "opportunity", (("shoot", "T-34", "88mm"), "hold")),
            ("shoot", "T-34", "88mm"),
            "Anti-tank fire at T-34: 88mm",
            f"Tir antichar sur T-34{NARROW}: 88mm",
        ),
        (
            "panzer-grenadier",
            Choose("defender", "opportunity", (("fire", "A", "B"), "hold")),
            ("fire", "A", "B"),
            "Direct fire: A, B",
            f"Tir direct{NARROW}: A, B",
        ),
        (
            "white-october",
            Choose("attacker", "own-result", (("1", "a"), ("d", "a"))),
            ("1", "a"),
            "1 loss and advance",
            "1 perte et avance",
        ),
    ],
)
def test_an_option_in_words(
    game: str, ask: Choose | Commit, option: Answer, en: str, fr: str
) -> None:
    card = load(game).card
    assert named(card, ask, option, "en") == en
    assert named(card, ask, option, "fr") == fr


def test_the_defender_counts_columns_against_the_attack() -> None:
    card = load("bautzen").card
    assert named(card, SECRET, (1, 0), "en", "defender") == "Commit 1 CL (−1 column)"
    both = answered(card, SECRET, ((2, 1), (0, 0)), "fr")
    assert both == (
        "▶ Engager 2 CL (+2 colonnes) et 1 marqueur aérien (+1 colonne), ◆ Ne rien engager"
    )


def test_a_question_counts_in_words_too() -> None:
    card = load("normandy").card
    for hexes, words in (("1", "Retreat 1 hex, or"), ("2", "Retreat 2 hexes, or")):
        ask = Choose("defender", "retreat-or-stand", ("retreat",), blanks=(("hexes", hexes),))
        assert question(card, ask, "en").startswith(words)


def test_groups_are_told_from_other_answers() -> None:
    assert members(GROUPS) == ("21/20Pz", "59/20Pz")
    assert members(((), ("A",), ("A", "A"))) == ()  # a unit that loses twice is no group
    assert members((("A",), ("B",))) == ()
    assert members((0, 1)) == ()


@pytest.mark.parametrize(
    ("n", "lang", "words"),
    [
        (0, "en", "0 steps"),
        (1, "en", "1 step"),
        (2, "en", "2 steps"),
        (0, "fr", "0 perte"),
        (1, "fr", "1 perte"),
        (2, "fr", "2 pertes"),
    ],
)
def test_singular_and_plural(n: int, lang: Lang, words: str) -> None:
    text = "{n} {n:perte|pertes}" if lang == "fr" else "{n} {n:step|steps}"
    assert text.format(n=Counted(n, lang)) == words
