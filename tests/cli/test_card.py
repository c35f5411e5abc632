"""`grognard games` and `grognard card`: the cards in the terminal and as JSON."""

import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grognard.card.card import Card
from grognard.card.tables import Table
from grognard.card.wording import MARK
from grognard.cli.main import main
from grognard.draw.text.card import PARTS
from grognard.rules import game
from grognard.words.text import LANGS, Lang, colon
from grognard.words.typography import spaced
from tests.example_games import FOUND, GAMES, example_card, finds_examples
from tests.processes import PATIENCE
from tests.transcription import lines

ESCAPE = "\x1b["
COMMAND = Path(sys.executable).with_name("grognard")


def _run(
    *args: str, width: int = 100, color: bool = False, env: dict[str, str] | None = None
) -> Result:
    clean = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "", "COLUMNS": str(width)}
    return CliRunner(env={**clean, **(env or {})}).invoke(main, args, color=color)


def _shown(*args: str, width: int = 100, env: dict[str, str] | None = None) -> str:
    result = _run(*args, width=width, env=env)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def _words(text: str) -> str:
    """Join broken lines."""
    return re.sub(r"[ \n]+", " ", text)


def _parts(card: Card) -> list[str]:
    return [table.id for table in card.tables] + [p for p in PARTS if getattr(card, p)]


def _card(id_: str) -> Card:
    """Read a card before any test looks for the examples."""
    return game.read_card(example_card(id_), f"{id_}.toml") if id_ in GAMES else game.card(id_)


ALL_PARTS = [(id_, part) for id_ in FOUND for part in _parts(_card(id_))]
pytestmark = finds_examples

# ------------------------------------------------------------------ games


@pytest.mark.parametrize("lang", LANGS)
def test_games_lists_every_game_with_its_name(lang: Lang) -> None:
    shown = _shown("games", "--lang", lang)
    for id_ in FOUND:
        card = game.card(id_)
        assert re.search(rf"^{id_} +{re.escape(card.name.in_(lang))}$", shown, re.MULTILINE)
        assert card.about.in_(lang) in shown
    assert "grognard card" in shown.splitlines()[-1]


def test_games_as_json() -> None:
    listed = json.loads(_shown("games", "--json"))
    assert [one["id"] for one in listed] == FOUND
    for one in listed:
        card = game.card(one["id"])
        assert one["name"] == {"en": card.name.en, "fr": card.name.fr}
        assert one["about"] == {"en": card.about.en, "fr": card.about.fr}


# ------------------------------------------------------------------ cards as text


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("id_", FOUND)
def test_a_whole_card_shows_every_row_in_the_readers_language(id_: str, lang: Lang) -> None:
    card = game.card(id_)
    shown = _words(_shown("card", id_, "--lang", lang))
    assert shown.startswith(card.name.in_(lang))
    rows = (*card.modifiers, *card.numbers, *card.options, *card.terrain, *card.limits)
    for row in rows:
        assert row.text.in_(lang) in shown, row.id
    for table in card.tables:
        assert table.text.in_(lang).upper() in shown
        for result in table.results:
            assert result.text.in_(lang) in shown, (table.id, result.code)
    for option in card.options:
        for choice in option.choices:
            assert f"{choice.id}{colon(lang)}{choice.text.in_(lang)}" in shown, (
                option.id,
                choice.id,
            )


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("id_", FOUND)
def test_every_doubt_is_shown_with_its_reason(id_: str, lang: Lang) -> None:
    card = game.card(id_)
    shown = _words(_shown("card", id_, "--lang", lang))
    doubtful = [row.reading for row in (*card.modifiers, *card.numbers, *card.terrain)]
    doubtful += [row.reading for row in (*card.groups, *card.limits, *card.options)]
    doubtful += [row.reading for row in (*card.unit_classes, *card.terrain_columns)]
    doubtful += [table.reading for table in card.tables]
    doubtful += [doubt.reading for table in card.tables for doubt in table.doubts]
    doubtful += [result.reading for table in card.tables for result in table.results]
    for reading in doubtful:
        if reading.reason:
            assert reading.reason.in_(lang) in shown


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("id_", "part"), ALL_PARTS)
def test_a_part_of_a_card_is_shown_alone(id_: str, part: str, lang: Lang) -> None:
    alone = _shown("card", id_, part, "--lang", lang)
    assert alone.strip()
    assert alone in _shown("card", id_, "--lang", lang)
    assert game.card(id_).about.in_(lang) not in alone


@pytest.mark.parametrize(("id_", "part"), [key for key in ALL_PARTS if key[1] not in PARTS])
@pytest.mark.parametrize("width", [80, 100, 200])
def test_every_cell_of_a_table_is_shown(id_: str, part: str, width: int) -> None:
    table = game.card(id_).table(part)
    shown = _shown("card", id_, part, width=width).replace("−", "-")  # labels of cards have hyphens
    assert _cells(shown, table) == {
        (row, column): _printed(table, row, column)
        for row in table.row_labels
        for column in table.column_labels
    }


def _printed(table: Table, row: str, column: str) -> list[str]:
    cell = table.cell(row, column)
    if table.cells != "options":
        shown = {"none": "no effect"}.get(cell.printed, cell.printed)
        return [shown + (MARK if cell.doubts else "")]
    marked = {doubt.half for doubt in cell.doubts}
    return [
        str(half) + (MARK if side in marked else "")
        for half, side in zip(cell.halves, ("attacker", "defender"), strict=True)
    ]


def _cells(shown: str, table: Table) -> dict[tuple[str, str], list[str]]:
    """Parse a printed table: each cell ends below the end of its column's name."""
    found: dict[tuple[str, str], list[str]] = {}
    names = [name.en for name in table.columns.names] or list(table.column_labels)
    rows, edges, place, row = list(table.row_labels), [0], 0, -1
    for line in shown.splitlines():
        if "│" in line and row in (-1, len(rows) - 1) and table.rows.text.en in line:
            place += len(edges) - 1
            edges, row = [line.index("│") + 1], -1
            for name in names[place:]:
                start = line.find(f" {name}", edges[-1])
                if start < 0:
                    break
                edges.append(start + 1 + len(name))
        elif match := re.match(r"  (.*?) ([│▶◆]) ", line):
            row += match[2] != "◆"
            cells = [line[a:b].strip() for a, b in pairwise(edges)]
            for number, cell in enumerate(cells):
                key = (rows[row], table.column_labels[place + number])
                found.setdefault(key, []).append(cell)
    return found


def test_white_october_shows_90_cells_with_exactly_the_doubtful_ones_marked() -> None:
    table = game.card("white-october").table("combat")
    for width in (80, 200):
        cells = _cells(_shown("card", "white-october", "combat", width=width), table)
        assert len(cells) == 90
        marked = {key for key, halves in cells.items() if any(MARK in half for half in halves)}
        printed = {(line["row"], line["column"]) for line in lines("white-october", "doubts")}
        assert marked == printed
        assert len(marked) == 19


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("width", [80, 100, 200])
@pytest.mark.parametrize("id_", FOUND)
def test_no_line_of_a_table_is_wider_than_the_terminal(id_: str, width: int, lang: Lang) -> None:
    for table in game.card(id_).tables:
        shown = _shown("card", id_, table.id, "--lang", lang, width=width).splitlines()
        for line in shown[1:]:  # after the heading
            assert len(line) <= width, (table.id, line)


@pytest.mark.parametrize(
    ("id_", "part"), [key for key in ALL_PARTS if key[1] in ("modifiers", "numbers", "options")]
)
def test_no_line_of_a_list_is_wider_than_the_terminal(id_: str, part: str) -> None:
    for line in _shown("card", id_, part, "--lang", "fr", width=80).splitlines():
        assert len(line) <= 80, line


def test_a_wide_table_is_broken_into_pages_on_a_narrow_terminal() -> None:
    narrow = _shown("card", "white-october", "combat", width=80)
    wide = _shown("card", "white-october", "combat", width=200)
    assert wide.count("dominant morale │") == 1
    assert narrow.count("dominant morale │") > 1
    for heading in ("defender's victory", "attacker's victory"):
        assert heading in narrow
        assert heading in wide


@pytest.mark.parametrize("width", [80, 200])
def test_columns_stand_below_each_other(width: int) -> None:
    shown = _shown("card", "bautzen", "combat", width=width).splitlines()
    bars = {line.index("│") for line in shown if "│" in line}
    assert len(bars) == 1
    assert {line.index("┼") for line in shown if "┼" in line} == bars


def test_effects_are_written_as_printed() -> None:
    shown = _shown("card", "white-october", "modifiers")
    for words, effect in {
        "Ratio of strengths": "±n on the dice",
        "Difference of the dominant Qualities": "±n on the dice",
        "More (+) or fewer (−) support fires": "±1 on the dice",
        "Defensive value of the terrain": "−n on the dice",
        "Trotsky": "+2 morale",
        "Routed unit": "×1/2 strength",
    }.items():
        (line,) = [line for line in shown.splitlines() if line.startswith(f"  {words}")]
        assert line.endswith(f" {effect}"), line
    shown = _shown("card", "bautzen", "modifiers", "--lang", "fr")
    assert re.search(r"Le défenseur a attribué des CL, chacune \.+ 7\.2 −1 colonne\n", shown)
    assert "+n column" in _shown("card", "normandy", "modifiers")


def test_the_terrain_chart_is_shown_with_costs_effects_and_notes() -> None:
    shown = _shown("card", "normandy", "terrain", "--lang", "fr")
    assert re.search(r"Rivière majeure⁂ +\+1 si adjacente .* non +−1 colonne, ×1/2 attaque", shown)
    assert "(A) seule une unité partant adjacente" in shown
    assert "arrêt de la retraite  [13.3]" in shown
    shown = _shown("card", "bautzen", "terrain", "--lang", "en")
    assert re.search(r"Dominant position +2 +by road or rail only +−1 column +as the hex", shown)


def test_a_terrain_says_what_its_effects_need_besides_it() -> None:
    shown = _shown("card", "panzer-grenadier", "terrain", "--lang", "en")
    hill, river = shown.index("  Hill "), shown.index("  River")
    assert "−1 die: Target on a hill hex higher than the firer" in shown[hill:river]
    assert "+1 column: Units in the target hex are being helped across a river" in shown[river:]
    assert "+1 die: Target is crossing a river with the help of engineers  [5.73]" in shown[river:]
    assert "−1 column: " not in shown  # a hill of any elevation needs nothing more
    french = _shown("card", "panzer-grenadier", "terrain", "--lang", "fr")
    assert "Cible sur une colline plus haute que le tireur" in french


# ------------------------------------------------------------------ cards as JSON


@pytest.mark.parametrize("id_", FOUND)
def test_a_card_as_json_holds_every_part(id_: str) -> None:
    data = json.loads(_shown("card", id_, "--json"))
    card = game.card(id_)
    assert (data["id"], data["format"]) == (id_, 1)
    for part in ("options", "facts", "tables", "groups", "limits", "modifiers", "numbers"):
        assert [row["id"] for row in data.get(part, ())] == [
            row.id for row in getattr(card, part)
        ], part
    assert [row["id"] for row in data.get("terrain", [])] == [row.id for row in card.terrain]
    assert data.get("phrases", {}).keys() == card.phrases.keys()


@pytest.mark.parametrize(("id_", "part"), ALL_PARTS)
def test_a_part_of_a_card_as_json(id_: str, part: str) -> None:
    whole = json.loads(_shown("card", id_, "--json"))
    alone = json.loads(_shown("card", id_, part, "--json"))
    tables = {table["id"]: table for table in whole["tables"]}
    assert alone == (whole[part] if part in PARTS else tables[part])


def _json_cell(id_: str, table: str, row: str, column: str) -> dict[str, object]:
    read: list[dict[str, object]] = json.loads(_shown("card", id_, table, "--json"))["read"]
    (cell,) = [cell for cell in read if (cell["row"], cell["column"]) == (row, column)]
    return cell


def test_cells_as_json_are_taken_apart_into_halves_options_and_codes() -> None:
    assert _json_cell("white-october", "combat", "m1", "4") == {
        "row": "m1",
        "column": "4",
        "printed": "D:1r/rd|r/d",
        "halves": [
            {"chooser": "defender", "options": [["1", "r"], ["r", "d"]]},
            {"chooser": "owner", "options": [["r"], ["d"]]},
        ],
        "doubtful": True,
    }
    assert _json_cell("white-october", "combat", "m6", "7")["halves"] == [
        {"chooser": "owner", "options": [[]]},
        {"chooser": "owner", "options": [[]]},
    ]
    assert _json_cell("bautzen", "combat", "8+", "7/1+")["halves"] == [
        {"chooser": "owner", "options": [["0"]]},
        {"chooser": "owner", "options": [["6"]]},
    ]
    assert _json_cell("normandy", "determined-defence", "6", "entrenched")["halves"] == [
        {"chooser": "owner", "options": [["●", "PA", "*"]]}
    ]


@pytest.mark.parametrize("id_", FOUND)
def test_every_cell_is_in_the_json(id_: str) -> None:
    for table in json.loads(_shown("card", id_, "--json"))["tables"]:
        head, *rows = table["grid"]
        assert [(cell["row"], cell["column"], cell["printed"]) for cell in table["read"]] == [
            (row[0], column, cell)
            for row in rows
            for column, cell in zip(head[1:], row[1:], strict=True)
        ]


def test_numbers_in_json_are_whole_or_fractions_in_words() -> None:
    numbers = json.loads(_shown("card", "bautzen", "numbers", "--json"))
    values = {number["id"]: number["value"] for number in numbers}
    assert values["hq_alone"] == "1/2"
    assert values["turns"] == 6


def test_json_does_not_depend_on_the_language() -> None:
    french = _shown("card", "bautzen", "--json", "--lang", "fr")
    assert french == _shown("card", "bautzen", "--json", "--lang", "en")


# ------------------------------------------------------------------ language and colour


@pytest.mark.parametrize(
    ("env", "lang"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "FR"}, "fr"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "fr_CA.UTF-8", "LANG": "en_US.UTF-8"}, "fr"),
        ({"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, "en"),
        ({"LC_MESSAGES": "fr_BE.UTF-8", "LANG": "en_US.UTF-8"}, "fr"),
    ],
)
def test_the_language_is_that_of_the_terminal(env: dict[str, str], lang: Lang) -> None:
    assert _shown("card", "bautzen", env=env) == _shown("card", "bautzen", "--lang", lang)


def test_the_asked_language_comes_before_that_of_the_terminal() -> None:
    shown = _shown("games", "--lang", "en", env={"LANG": "fr_FR.UTF-8"})
    assert game.card("bautzen").about.en in shown


def test_an_unknown_language_is_refused() -> None:
    result = _run("games", "--lang", "de")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "'en', 'fr'" in result.stderr


@pytest.mark.parametrize("args", [("games",), ("card", "white-october"), ("card", "normandy")])
def test_colour_is_for_terminals_only(args: tuple[str, ...]) -> None:
    assert ESCAPE not in _run(*args).stdout
    coloured = _run(*args, color=True).stdout
    assert ESCAPE in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == _run(*args).stdout


def test_json_is_never_coloured() -> None:
    assert ESCAPE not in _run("card", "bautzen", "--json", color=True).stdout


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize(
    ("args", "lang", "words"),
    [
        (("bauzen",), "en", "there is no game 'bauzen'; near matches: bautzen"),
        (("bauzen",), "fr", "il n'y a pas de jeu « bauzen » ; vouliez-vous dire : bautzen ?"),
        (("zzz",), "en", f"known: {', '.join(FOUND)}"),
        (("zzz",), "fr", f"choix possibles : {', '.join(FOUND[:3])}"),
        (("bautzen", "combatt"), "en", "has no table 'combatt'; near matches: combat"),
        (("bautzen", "combatt"), "fr", "n'a pas de table « combatt » ; vouliez-vous dire : combat"),
        (("bautzen", "modifier"), "en", "near matches: modifiers"),
        (("white-october", "terrain"), "en", "white-october has no table 'terrain'"),
        (("bautzen", "facts"), "en", "has no table 'facts'"),
        (("../bautzen",), "en", "there is no game '../bautzen'"),
    ],
)
def test_an_unknown_game_or_table_is_answered_with_the_near_matches(
    args: tuple[str, ...], lang: Lang, words: str, more: tuple[str, ...]
) -> None:
    result = _run("card", *args, "--lang", lang, *more)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("grognard: ")
    assert (spaced(words) if lang == "fr" else words) in result.stderr
    assert "Traceback" not in result.stderr


def test_a_missing_game_is_a_question_of_usage() -> None:
    result = _run("card")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Missing argument 'GAME'" in result.stderr


# ------------------------------------------------------------------ the command itself


def _environment(**env: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    return {**kept, "PYTHONUTF8": "1", "COLUMNS": "80", **env}


def test_the_installed_command_shows_a_card() -> None:
    done = subprocess.run(
        [COMMAND, "card", "white-october", "combat"],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env=_environment(LANG="fr_FR.UTF-8"),
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == _shown("card", "white-october", "combat", "--lang", "fr", width=80)


def test_the_installed_command_refuses_an_unknown_game() -> None:
    done = subprocess.run(
        [COMMAND, "card", "norm"],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env=_environment(),
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "grognard: there is no game 'norm'; near matches: normandy\n"


def test_a_real_terminal_gets_colour() -> None:
    pty = pytest.importorskip("pty", reason="needs a terminal of its own")
    ours, theirs = pty.openpty()
    with subprocess.Popen([COMMAND, "games"], stdout=theirs, env=_environment()) as process:
        os.close(theirs)
        shown = b""
        while chunk := _chunk(ours):
            shown += chunk
    os.close(ours)
    assert process.returncode == 0
    assert ESCAPE.encode() in shown
    assert "Bautzen 1945" in shown.decode("utf-8")


def _chunk(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux ends a closed terminal with an error
        return b""
