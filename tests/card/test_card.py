"""Loading cards: what a good one gives, and how a wrong one is refused."""

import ast
import re
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from grognard.card import checks
from grognard.card.card import Card, decode_hook, shared_phrases
from grognard.card.modifier_rows import Comparison, Condition
from grognard.card.modifier_rows import Test as Look
from grognard.card.tables import Axis
from grognard.maps import scenario
from grognard.rules import game
from grognard.words.refusal import Refusal
from grognard.words.text import Text
from grognard.words.typography import spaced
from tests.example_games import FOUND, finds_examples

ROOT = Path(__file__).parents[2]
GAMES = game.ids()
pytestmark = finds_examples
FILE = "skirmish.toml"


def _example() -> str:
    page = (ROOT / "docs" / "cards.md").read_text(encoding="utf-8")
    blocks: list[str] = re.findall(r"^```toml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return blocks[-1]


EXAMPLE = _example()
# The example is small on purpose. What it lacks is added here.
FULL = (
    EXAMPLE
    + """
[[limits]]
id = "fog"
text = { en = "Fog", fr = "Brume" }

[[numbers]]
id = "turns"
value = 6
text = { en = "Turns", fr = "Tours" }

[[facts]]
id = "night"
kind = "flag"
text = { en = "Night", fr = "Nuit" }

[[facts]]
id = "range"
kind = "number"
text = { en = "Range", fr = "Portée" }

[[modifiers]]
id = "far"
group = "terrain"
table = "combat"
changes = "die"
value = -1
times = "range"
limit = "fog"
when = ["night", "range >= 3"]
instead = [{ when = ["draw = both_lose"], value = -2 }]
text = { en = "Far", fr = "Loin" }

[[tables]]
id = "losses"
cells = "pair"
text = { en = "Losses", fr = "Pertes" }
rows = { text = { en = "die", fr = "dé" } }
grid = [["die", "low", "high"], ["any", "0/1", "1/0"]]
results = [
  { code = "0", text = { en = "none", fr = "aucune" } },
  { code = "1", text = { en = "one", fr = "une" } },
]

[tables.columns]
text = { en = "odds", fr = "rapport" }
spans = [{ text = { en = "all", fr = "tout" }, first = "low", last = "high" }]

[[tables]]
id = "effects"
cells = "options"
text = { en = "Effects", fr = "Effets" }
rows = { text = { en = "die", fr = "dé" } }
columns = { text = { en = "odds", fr = "rapport" }, names = [{ en = "low", fr = "bas" }] }
grid = [["die", "low"], ["any", "D:r/dr|r"]]
results = [
  { code = "r", text = { en = "retreat", fr = "retraite" } },
  { code = "dr", text = { en = "rout", fr = "déroute" } },
]

[[tables.doubts]]
row = "any"
column = "low"
half = "attacker"
instead = { both_lose = "r" }
reading = { status = "assumed", option = "draw", reason = { en = "So.", fr = "Voilà." } }

[phrases]
rolls = { en = "{unit} rolls", fr = "{unit} lance" }
"""
)


def _edited(old: str, new: str, text: str = FULL) -> str:
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in the card"
    return text.replace(old, new)


@cache
def _refusal(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        game.read_card(text, FILE)
    return caught.value


class Wrong(NamedTuple):
    """An edit of the card; the line on which it is refused holds `at`, the words are in `says`."""

    old: str
    new: str
    at: str
    place: str
    says: tuple[str, ...]


NUMBER = 'id = "turns"\nvalue = 6'
WRONG = {
    # ---- the file
    "not TOML": Wrong('id = "fog"', 'id = "fog', 'id = "fog', "", ("this is not TOML: ",)),
    "key written twice": Wrong(
        'id = "fog"', 'id = "fog"\nid = "mist"', 'id = "mist"', "", ("this is not TOML: ",)
    ),
    "unknown format": Wrong(
        "format = 1", "format = 9", "format = 9", "format", ("9", "expected 1")
    ),
    # ---- single values
    "missing key": Wrong(
        'kind = "flag"\n', "", '[[facts]]\nid = "night"', "facts[1]", ("'kind' is missing",)
    ),
    "unknown key": Wrong(
        NUMBER,
        NUMBER + "\nvalu = 7",
        "valu = 7",
        "numbers[0].valu",
        ("unknown key 'valu'", "near matches: value"),
    ),
    "unknown key in a reading": Wrong(
        "confidence = 70",
        "confidense = 70",
        "confidense",
        "tables[0].doubts[0].reading.confidense",
        ("unknown key 'confidense'", "confidence"),
    ),
    "wrong type": Wrong(
        'times = "range"', "times = 3", "times = 3", "modifiers[1].times", ("a text", "found 3")
    ),
    "list instead of text": Wrong(
        'times = "range"', "times = []", "times = []", "modifiers[1].times", ("found […] (0)",)
    ),
    "table instead of text": Wrong(
        'times = "range"', "times = {}", "times = {}", "modifiers[1].times", ("found {…}",)
    ),
    "unknown word": Wrong(
        'kind = "flag"',
        'kind = "flagg"',
        'kind = "flagg"',
        "facts[1].kind",
        ("'flagg'", "near matches: flag"),
    ),
    "unknown word, nothing near": Wrong(
        'kind = "flag"',
        'kind = "zzz"',
        'kind = "zzz"',
        "facts[1].kind",
        ("'zzz'", "known: flag, number, set, word"),
    ),
    "blank French": Wrong(
        'fr = "Nuit"', 'fr = "  "', 'fr = "  "', "facts[1].text.fr", ("some words", "'  '")
    ),
    "wrong value in a mapping": Wrong(
        'cost = { foot = "2" }',
        'cost = { foot = "2", horse = 3 }',
        "horse = 3",
        "terrain[0].cost.horse",
        ("a text", "found 3"),
    ),
    "not a fraction": Wrong(
        NUMBER, 'id = "turns"\nvalue = "6/0"', '"6/0"', "numbers[0].value", ("fraction", "1/2")
    ),
    "a float is no fraction": Wrong(
        NUMBER, 'id = "turns"\nvalue = 0.5', "value = 0.5", "numbers[0].value", ("fraction",)
    ),
    "not a condition": Wrong(
        '"night", "range >= 3"',
        '"night", "range > 3"',
        '"range > 3"',
        "modifiers[1].when[1]",
        ("'range > 3' is not a condition", "range >= 3"),
    ),
    "a number is no condition": Wrong(
        '"night", "range >= 3"', "3", "when = [3]", "modifiers[1].when[0]", ("condition in words",)
    ),
    # ---- readings
    "reading without reason": Wrong(
        NUMBER,
        NUMBER + '\nreading = { status = "assumed" }',
        'reading = { status = "assumed" }',
        "numbers[0].reading",
        ("assumed", "needs its reason"),
    ),
    "reconstructed without confidence": Wrong(
        "confidence = 70, ",
        "",
        "The cell is smudged",
        "tables[0].doubts[0].reading",
        ("needs its confidence",),
    ),
    "confidence out of range": Wrong(
        "confidence = 70",
        "confidence = 101",
        "confidence = 101",
        "tables[0].doubts[0].reading",
        ("1 to 100", "101"),
    ),
    "doubt without reason": Wrong(
        'reading = { status = "assumed", option = "draw", reason = { en = "So.", fr = "Voilà." } }',
        "reading = {}",
        '[[tables.doubts]]\nrow = "any"',
        "tables[2].doubts[0]",
        ("needs a reading with its reason",),
    ),
    "reading names an unknown option": Wrong(
        'confidence = 70, option = "draw"',
        'confidence = 70, option = "drow"',
        '"drow"',
        "tables[0].doubts[0].reading.option",
        ("no option 'drow'", "near matches: draw"),
    ),
    "option without its reason": Wrong(
        'reading = { status = "assumed", reason = { en = "The print is silent.", '
        'fr = "Le texte est muet." } }',
        "",
        "[[options]]",
        "options[0].reading",
        ("option 'draw' needs a reading with its reason",),
    ),
    "former default that is no choice": Wrong(
        'text = { en = "What a draw does"',
        'formerly = "noting"\ntext = { en = "What a draw does"',
        'formerly = "noting"',
        "options[0].formerly",
        ("'noting' is no choice", "near matches: nothing"),
    ),
    # ---- rows
    "two options of one name": Wrong(
        '[[facts]]\nid = "terrain"',
        '[[options]]\nid = "draw"\ntext = { en = "a", fr = "b" }\nchoices = []\n\n'
        '[[facts]]\nid = "terrain"',
        "[[options]]",
        "options[1]",
        ("'draw' stands twice among the options",),
    ),
    "two facts of one name": Wrong(
        'id = "night"',
        'id = "terrain"',
        '[[facts]]\nid = "terrain"',
        "facts[1]",
        ("'terrain'", "twice"),
    ),
    "two tables of one name": Wrong(
        'id = "losses"',
        'id = "combat"',
        '[[tables]]\nid = "combat"',
        "tables[1]",
        ("'combat'", "twice"),
    ),
    "two groups of one name": Wrong(
        '[[modifiers]]\nid = "wood"',
        '[[groups]]\nid = "terrain"\ntext = { en = "a", fr = "b" }\n\n[[modifiers]]\nid = "wood"',
        "[[groups]]",
        "groups[1]",
        ("'terrain'", "twice among the groups"),
    ),
    "two limits of one name": Wrong(
        "[[numbers]]",
        '[[limits]]\nid = "fog"\ntext = { en = "a", fr = "b" }\n\n[[numbers]]',
        "[[limits]]",
        "limits[1]",
        ("'fog'", "twice among the limits"),
    ),
    "two modifiers of one name": Wrong(
        'id = "far"',
        'id = "wood"',
        '[[modifiers]]\nid = "wood"',
        "modifiers[1]",
        ("twice among the modifiers",),
    ),
    "two unit classes of one name": Wrong(
        '[[terrain]]\nid = "wood"',
        '[[unit_classes]]\nid = "foot"\ntext = { en = "a", fr = "b" }\n\n[[terrain]]\nid = "wood"',
        "[[unit_classes]]",
        "unit_classes[1]",
        ("'foot'", "twice among the unit_classes"),
    ),
    "two terrains of one name": Wrong(
        "[[limits]]",
        '[[terrain]]\nid = "wood"\non = "hex"\ntext = { en = "a", fr = "b" }\n\n[[limits]]',
        "[[terrain]]",
        "terrain[1]",
        ("'wood'", "twice among the terrain"),
    ),
    "two numbers of one name": Wrong(
        '[[facts]]\nid = "night"',
        '[[numbers]]\nid = "turns"\nvalue = 1\ntext = { en = "a", fr = "b" }\n\n'
        '[[facts]]\nid = "night"',
        "[[numbers]]",
        "numbers[1]",
        ("'turns'", "twice among the numbers"),
    ),
    "an option without a choice": Wrong(
        '  { id = "nothing", text = { en = "nothing", fr = "rien" } },\n',
        "",
        "choices = [",
        "options[0].choices",
        ("'draw'", "at least two choices"),
    ),
    "a choice twice": Wrong(
        'id = "nothing"', 'id = "both_lose"', "choices = [", "options[0].choices", ("different",)
    ),
    # ---- tables
    "table without rows": Wrong(
        'grid = [["die", "low"], ["any", "D:r/dr|r"]]',
        'grid = [["die", "low"]]',
        'grid = [["die", "low"]]',
        "tables[2].grid",
        ("at least one row",),
    ),
    "missing cell": Wrong(
        '["4+",  "DR",  "DE"]',
        '["4+",  "DR"]',
        '["4+"',
        "tables[0].grid[2]",
        ("row '4+' has 1 cells", "expected 2", "1-1, 2-1+"),
    ),
    "empty cell": Wrong(
        '["4+",  "DR",  "DE"]',
        '["4+",  "",  "DE"]',
        '["4+"',
        "tables[0].grid[2][1]",
        ("row '4+' has an empty cell", "write -"),
    ),
    "cell too many": Wrong(
        '["4+",  "DR",  "DE"]',
        '["4+",  "DR",  "DE", "DE"]',
        '["4+"',
        "tables[0].grid[2]",
        ("row '4+' has 3 cells", "expected 2"),
    ),
    "two rows for one die": Wrong(
        '["4+",  "DR"', '["1-3",  "DR"', '["1-3",  "DR"', "tables[0].grid[2]", ("two rows", "1-3")
    ),
    "two columns of one name": Wrong(
        '["die", "1-1", "2-1+"]',
        '["die", "1-1", "1-1"]',
        '["die", "1-1"',
        "tables[0].grid[0]",
        ("two columns for '1-1'",),
    ),
    "a row without its value": Wrong(
        "from = [1, 4]", "from = [1]", "from = [1]", "tables[0].rows.from", ("1 values", "2 labels")
    ),
    "a column without its name": Wrong(
        'names = [{ en = "low", fr = "bas" }]',
        'names = [{ en = "low", fr = "bas" }, { en = "high", fr = "haut" }]',
        'en = "high", fr = "haut"',
        "tables[2].columns.names",
        ("2 values", "1 labels (low)"),
    ),
    "two rows for one value": Wrong(
        "from = [1, 4]",
        "from = [4, 4]",
        "from = [4, 4]",
        "tables[0].rows.from[1]",
        ("'4+' starts at 4", "above the one before (4)"),
    ),
    "a heading over an unknown column": Wrong(
        'last = "high"',
        'last = "hihg"',
        '"hihg"',
        "tables[1].columns.spans[0]",
        ("no label 'hihg'", "near matches: high"),
    ),
    "a result that is not in the legend": Wrong(
        '["4+",  "DR",  "DE"]',
        '["4+",  "DR",  "DX"]',
        '"DX"',
        "tables[0].grid[2][2]",
        ("'DX'", "not in the legend", "-, DR, DE"),
    ),
    "a pair without its second half": Wrong(
        '"0/1", "1/0"', '"0/1", "1"', '"0/1", "1"', "tables[1].grid[1][2]", ("'1'", "'/'")
    ),
    "a pair with a code that is not in the legend": Wrong(
        '"0/1", "1/0"', '"0/1", "1/7"', '"1/7"', "tables[1].grid[1][2]", ("'7'", "expected one of")
    ),
    "options without a bar": Wrong(
        '"D:r/dr|r"', '"D:r/dr"', '"D:r/dr"', "tables[2].grid[1][1]", ("'D:r/dr'", "'|'")
    ),
    "options with an unknown code": Wrong(
        '"D:r/dr|r"', '"D:r/dx|r"', '"D:r/dx|r"', "tables[2].grid[1][1]", ("'dx'", "legend")
    ),
    "a code twice in the legend": Wrong(
        'code = "DE"', 'code = "DR"', "le défenseur est éliminé", "tables[0].results[2]", ("twice",)
    ),
    "doubt about an unknown row": Wrong(
        'row = "1-3"',
        'row = "1-4"',
        'row = "1-4"',
        "tables[0].doubts[0].row",
        ("no label '1-4'", "1-3"),
    ),
    "doubt about an unknown column": Wrong(
        'column = "1-1"',
        'column = "1-2"',
        'column = "1-2"',
        "tables[0].doubts[0].column",
        ("no label '1-2'", "1-1"),
    ),
    "doubt about half of a whole cell": Wrong(
        'printed = "smudged"',
        'printed = "smudged"\nhalf = "attacker"',
        '[[tables.doubts]]\nrow = "1-3"',
        "tables[0].doubts[0]",
        ("names a half",),
    ),
    "doubt about no half": Wrong(
        'half = "attacker"\n',
        "",
        '[[tables.doubts]]\nrow = "any"',
        "tables[2].doubts[0]",
        ("names a half",),
    ),
    "another reading under an unknown choice": Wrong(
        'instead = { both_lose = "DE" }',
        'instead = { both_los = "DE" }',
        "both_los =",
        "tables[0].doubts[0].instead.both_los",
        ("draw is never 'both_los'", "both_lose"),
    ),
    "another reading without an option": Wrong(
        'status = "assumed", option = "draw", ',
        'status = "assumed", ',
        '[[tables.doubts]]\nrow = "any"',
        "tables[2].doubts[0]",
        ("names the option",),
    ),
    "another reading that is not in the legend": Wrong(
        'instead = { both_lose = "DE" }',
        'instead = { both_lose = "DX" }',
        '"DX"',
        "tables[0].doubts[0].instead.both_lose",
        ("'DX'", "not in the legend"),
    ),
    "another reading of a half that is not in the legend": Wrong(
        'instead = { both_lose = "r" }',
        'instead = { both_lose = "x" }',
        'both_lose = "x"',
        "tables[2].doubts[0].instead.both_lose",
        ("'x'", "not in the legend"),
    ),
    # ---- modifiers
    "unknown cap": Wrong(
        'limit = "fog"',
        'limit = "frog"',
        'limit = "frog"',
        "modifiers[1].limit",
        ("'far'", "unknown limit 'frog'", "near matches: fog"),
    ),
    "unknown group": Wrong(
        'id = "far"\ngroup = "terrain"',
        'id = "far"\ngroup = "weather"',
        '"weather"',
        "modifiers[1].group",
        ("unknown group 'weather'", "known: terrain"),
    ),
    "unknown table": Wrong(
        'group = "terrain"\ntable = "combat"\nchanges = "die"\nvalue = -1\ntimes',
        'group = "terrain"\ntable = "combt"\nchanges = "die"\nvalue = -1\ntimes',
        '"combt"',
        "modifiers[1].table",
        ("unknown table 'combt'", "near matches: combat"),
    ),
    "unknown number to count": Wrong(
        'times = "range"',
        'times = "night"',
        'times = "night"',
        "modifiers[1].times",
        ("unknown times 'night'", "range"),
    ),
    "unknown number to compare": Wrong(
        'times = "range"',
        'sign_of = "rnge"',
        'sign_of = "rnge"',
        "modifiers[1].sign_of",
        ("unknown sign_of 'rnge'", "near matches: range"),
    ),
    "neither value nor factor": Wrong(
        "value = -1\ntimes",
        "times",
        '[[modifiers]]\nid = "far"',
        "modifiers[1]",
        ("either a value or a factor",),
    ),
    "both value and factor": Wrong(
        "value = -1\ntimes",
        'value = -1\nfactor = "1/2"\ntimes',
        '[[modifiers]]\nid = "far"',
        "modifiers[1]",
        ("either a value or a factor",),
    ),
    "both times and sign_of": Wrong(
        'times = "range"',
        'times = "range"\nsign_of = "range"',
        '[[modifiers]]\nid = "far"',
        "modifiers[1]",
        ("not both",),
    ),
    "unknown field of units": Wrong(
        '"night", "range >= 3"',
        '"any_attacker_tired", "range >= 3"',
        '"any_attacker_tired"',
        "modifiers[1].when[0]",
        ("no fact 'any_attacker_tired'", '[[unit_fields]], here with id = "tired"'),
    ),
    "unknown fact": Wrong(
        '"night", "range >= 3"',
        '"nigth", "range >= 3"',
        '"nigth"',
        "modifiers[1].when[0]",
        ("no fact 'nigth'", "near matches: night"),
    ),
    "unknown fact in an exception": Wrong(
        '"draw = both_lose"',
        '"drow = both_lose"',
        '"drow = both_lose"',
        "modifiers[1].instead[0].when[0]",
        ("no fact 'drow'", "draw"),
    ),
    "a flag with a number": Wrong(
        '"night", "range >= 3"',
        '"night >= 2", "range >= 3"',
        '"night >= 2"',
        "modifiers[1].when[0]",
        ("'night' is a flag", "expected 'night'"),
    ),
    "a number without one": Wrong(
        '"night", "range >= 3"',
        '"night", "range"',
        '"night", "range"',
        "modifiers[1].when[1]",
        ("'range' is a number", "'range >= …' / 'range <= …'"),
    ),
    "a set that is asked for one word": Wrong(
        '"terrain has wood"',
        '"terrain = wood"',
        '"terrain = wood"',
        "modifiers[0].when[0]",
        ("'terrain' is a set", "'terrain has …'"),
    ),
    "an option that is asked for a choice it has not": Wrong(
        '"draw = both_lose"',
        '"draw = both_los"',
        '"draw = both_los"',
        "modifiers[1].instead[0].when[0]",
        ("'draw' is never 'both_los'", "both_lose"),
    ),
    "a terrain that is not in the chart": Wrong(
        '"terrain has wood"',
        '"terrain has wood|swamp"',
        '"terrain has wood|swamp"',
        "modifiers[0].when[0]",
        ("'terrain' is never 'swamp'", "known: wood"),
    ),
    # ---- terrain
    "unknown unit class": Wrong(
        'cost = { foot = "2" }',
        'cost = { foto = "2" }',
        "foto =",
        "terrain[0].cost.foto",
        ("no unit class 'foto'", "near matches: foot"),
    ),
    "wrong cost": Wrong(
        'cost = { foot = "2" }',
        'cost = { foot = "two" }',
        '"two"',
        "terrain[0].cost.foot",
        ("'two' is not a cost", "2 stop"),
    ),
    "unknown modifier": Wrong(
        'combat = ["wood"]',
        'combat = ["woods"]',
        '"woods"',
        "terrain[0].combat[0]",
        ("no modifier 'woods'", "near matches: wood"),
    ),
    "the look of a river for a hex": Wrong(
        'combat = ["wood"]',
        'combat = ["wood"]\nlook = { like = "river" }',
        "look =",
        "terrain[0].look.like",
        ("a hex never looks like 'river'", "known: wood, difficult"),
    ),
    "no colour": Wrong(
        'combat = ["wood"]',
        'combat = ["wood"]\nlook = { colour = "green" }',
        "look =",
        "terrain[0].look",
        ("'green' is not a colour such as #d3dfb2",),
    ),
    # ---- phrases
    "blanks differ": Wrong(
        'fr = "{unit} lance"',
        'fr = "{unité} lance"',
        "rolls =",
        "phrases.rolls",
        ("'rolls'", "{unit} and {unité}"),
    ),
    "brace without its partner": Wrong(
        'fr = "{unit} lance"', 'fr = "{unit lance"', "rolls =", "phrases.rolls", ("brace", "{unit}")
    ),
}


def _cases() -> list[object]:
    return [pytest.param(wrong, id=name) for name, wrong in WRONG.items()]


def test_the_example_of_the_documentation_is_a_whole_card() -> None:
    card = game.read_card(EXAMPLE, FILE)
    assert card.id == "skirmish"
    assert [table.id for table in card.tables] == ["combat"]
    assert card.options[0].default == "nothing"
    assert card.table("combat").cell("4+", "2-1+").codes == ("DE",)
    assert card.modifiers[0].text == Text(en="Wood", fr="Bois")


def test_the_card_that_is_edited_below_is_good() -> None:
    assert list(checks.problems(game.read_card(FULL, FILE))) == []


@pytest.mark.parametrize("wrong", _cases())
def test_a_wrong_card_is_refused_with_file_line_key_and_reason(wrong: Wrong) -> None:
    text = _edited(wrong.old, wrong.new)
    message = str(_refusal(text))
    # What is at fault stands on the first line of `at`, the last of several alike.
    line = text[: text.rindex(wrong.at)].count("\n") + 1
    where = f"{FILE}:{line}: " + (f"{wrong.place}: " if wrong.place else "")
    assert message.startswith(where), message
    for words in wrong.says:
        assert words in message.removeprefix(where), message


@pytest.mark.parametrize("wrong", _cases())
def test_a_wrong_card_is_refused_in_french_too(wrong: Wrong) -> None:
    refusal = _refusal(_edited(wrong.old, wrong.new))
    english, french = refusal.in_("en"), refusal.in_("fr")
    assert french != english
    assert french.startswith(f"{refusal.where}: ")
    assert str(refusal) == english
    for word in ("expected", "near matches", "known:", "missing"):
        assert word not in french


def test_every_check_of_cards_is_tried_above() -> None:
    tried = {_refusal(_edited(w.old, w.new)).problem.template for w in WRONG.values()}
    source = Path(checks.__file__).read_text(encoding="utf-8")
    said = {
        node.args[0].value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "say"
        and isinstance(node.args[0], ast.Constant)
    }
    assert said - tried == set()


def test_a_refusal_of_the_whole_file_names_the_file() -> None:
    message = str(_refusal("format = 1"))
    assert re.match(rf"{FILE}: the key '\w+' is missing", message)


def test_an_unfinished_file_is_refused_at_its_last_line() -> None:
    text = EXAMPLE.replace('combat = ["wood"]', 'combat = ["wood"')
    last = len(text.splitlines())
    assert str(_refusal(text)).startswith(f"{FILE}:{last}: this is not TOML")


def test_french_of_a_refusal_reads_like_french() -> None:
    wrong = WRONG["unknown cap"]
    french = _refusal(_edited(wrong.old, wrong.new)).in_("fr")
    problem = (
        "modifiers[1].limit: le modificateur « far » nomme « frog », inconnu comme limit ; "
        "vouliez-vous dire : fog ?"
    )
    assert french.endswith(spaced(problem))


# ------------------------------------------------------------------ the cards of the games


def _text(id_: str) -> str:
    file = ROOT / "src" / "grognard" / "games" / id_.replace("-", "_") / "card.toml"
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("id_", FOUND)
def test_a_game_has_a_card_without_problems(id_: str) -> None:
    card = game.card(id_)
    assert card.id == id_
    assert card.format == 1
    assert list(checks.problems(card)) == []
    assert game.card(id_) is card, "a card is read once"


@pytest.mark.parametrize("id_", GAMES)
def test_a_cell_that_is_not_in_the_legend_is_found_in_a_real_card(id_: str) -> None:
    first = game.card(id_).tables[0]
    cell = first.grid[1][1]
    text = _text(id_)
    start = text.index(f'"{cell}"', text.index("grid = ["))
    broken = text[:start] + '"ZZZ"' + text[start + len(cell) + 2 :]
    line = broken[:start].count("\n") + 1
    message = str(_refusal(broken))
    assert message.startswith(f"{FILE}:{line}: tables[0].grid[1][1]: "), message
    assert "ZZZ" in message


@pytest.mark.parametrize("id_", GAMES)
def test_a_lost_cell_is_found_in_a_real_card(id_: str) -> None:
    text = _text(id_)
    start = text.index("grid = [")
    end = text.index("],\n]", start)
    comma = text.rindex(",", start, end)
    broken = text[:comma] + text[end:]
    message = str(_refusal(broken))
    line = broken[:comma].count("\n") + 1
    assert message.startswith(f"{FILE}:{line}: tables[0].grid["), message
    assert "cells; expected" in message


@pytest.mark.parametrize("id_", GAMES)
def test_a_card_that_comes_with_grognard_has_every_text_in_both_languages(id_: str) -> None:
    """The types alone accept it; a wording in one language needs to be completed first."""
    msgspec.convert(tomllib.loads(_text(id_)), Card, dec_hook=decode_hook)


@pytest.mark.parametrize("words", ['"Night"', '{ en = "Night" }', '{ fr = "Night" }'])
def test_one_wording_stands_for_both_languages(words: str) -> None:
    text = _edited('{ en = "Night", fr = "Nuit" }', words)
    (night,) = (fact for fact in game.read_card(text, FILE).facts if fact.id == "night")
    assert night.text == Text("Night", "Night")


@pytest.mark.parametrize("id_", GAMES)
def test_every_option_changes_something(id_: str) -> None:
    card = game.card(id_)
    folder = ROOT / "src" / "grognard" / "games" / id_.replace("-", "_")
    rules = " ".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    for shared in ("rules", "matches"):
        for file in (ROOT / "src" / "grognard" / shared).rglob("*.py"):
            rules += file.read_text(encoding="utf-8")
    facts = {
        test.fact
        for modifier in card.modifiers
        for when in (modifier.when, *(instead.when for instead in modifier.instead))
        for condition in when
        for test in condition.tests
    }
    cells = {d.reading.option for table in card.tables for d in table.doubts if d.instead}
    battles = scenario.of_game(id_)
    parts = [part.when for s in battles for part in s.areas]
    parts += [part.when for s in battles for part in s.units]
    for option in card.options:
        used = option.id in facts | cells or f'"{option.id}"' in rules
        used = used or any(option.id in when for when in parts)
        assert used, f"option {option.id} of {id_} has no effect"


@pytest.mark.parametrize("id_", GAMES)
def test_the_readme_of_a_game_lists_its_options_and_choices(id_: str) -> None:
    folder = ROOT / "src" / "grognard" / "games" / id_.replace("-", "_")
    page = (folder / "README.md").read_text(encoding="utf-8")
    part = page.split("\n## Options\n")[1].split("\n## ")[0]
    rows = [line.split("|") for line in part.splitlines() if line.startswith("| `")]
    listed = {row[1].strip(" `"): re.findall(r"\w+", " ".join(row[2:])) for row in rows}
    options = game.card(id_).options
    assert list(listed) == [option.id for option in options]
    for option in options:
        choices = [choice.id for choice in option.choices]
        assert [word for word in listed[option.id] if word in choices] == choices, option.id


# ------------------------------------------------------------------ values


@pytest.mark.parametrize("id_", FOUND)
def test_a_card_can_not_be_changed(id_: str) -> None:
    card = game.card(id_)
    parts: list[msgspec.Struct] = [
        card,
        card.name,
        card.tables[0],
        card.tables[0].rows,
        card.tables[0].results[0],
        card.modifiers[0],
        card.modifiers[0].reading,
        *(option.choices[0] for option in card.options[:1]),
        *card.numbers[:1],
    ]
    for part in parts:
        for field in part.__struct_fields__:
            with pytest.raises(AttributeError):
                setattr(part, field, None)
        with pytest.raises(AttributeError):
            part.extra = 1  # type: ignore[attr-defined]


def _mappings(part: object) -> list[object]:
    """Find every mapping inside a card."""
    if isinstance(part, msgspec.Struct):
        inner = [getattr(part, field) for field in part.__struct_fields__]
        return [found for value in inner for found in _mappings(value)]
    if isinstance(part, tuple):
        return [found for value in part for found in _mappings(value)]
    return [part] if hasattr(part, "keys") else []


@pytest.mark.parametrize("id_", FOUND)
def test_mappings_of_a_card_can_not_be_changed(id_: str) -> None:
    found = _mappings(game.card(id_))
    assert found
    for mapping in found:
        with pytest.raises(TypeError):
            mapping["x"] = 1  # type: ignore[index]
        with pytest.raises(TypeError):
            del mapping["x"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("id_", FOUND)
def test_a_card_holds_tuples_and_no_lists(id_: str) -> None:
    def lists(part: object) -> bool:
        if isinstance(part, msgspec.Struct):
            return any(lists(getattr(part, field)) for field in part.__struct_fields__)
        return isinstance(part, list | dict | set) or (
            isinstance(part, tuple) and any(map(lists, part))
        )

    assert not lists(game.card(id_))


@pytest.mark.parametrize(
    ("words", "tests"),
    [
        ("night", [Look("night", Comparison.HOLDS, None, False)]),
        ("not supplied", [Look("supplied", Comparison.HOLDS, None, True)]),
        ("range >= 3", [Look("range", Comparison.AT_LEAST, 3, False)]),
        ("not range <= -1", [Look("range", Comparison.AT_MOST, -1, True)]),
        ("terrain has town|wood", [Look("terrain", Comparison.HAS, ("town", "wood"), False)]),
        ("weather = clear", [Look("weather", Comparison.IS, ("clear",), False)]),
        (
            "dug_in or terrain has town",
            [
                Look("dug_in", Comparison.HOLDS, None, False),
                Look("terrain", Comparison.HAS, ("town",), False),
            ],
        ),
    ],
)
def test_a_condition_is_written_in_words(words: str, tests: list[Look]) -> None:
    condition = Condition(words)
    assert list(condition.tests) == tests
    assert str(condition) == words


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Night",
        "range > 3",
        "range >=",
        "range >= x",
        "has town",
        "a b",
        "a or",
        "a  or b",
    ],
)
def test_other_words_are_no_condition(words: str) -> None:
    with pytest.raises(Refusal, match="is not a condition"):
        Condition(words)


AXIS = Axis(text=Text(en="odds", fr="rapport"), starts=(Fraction(1, 3), Fraction(1), Fraction(4)))


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (Fraction(1, 3), 0),
        (Fraction(999, 1000), 0),
        (1, 1),
        (Fraction(7, 2), 1),
        (4, 2),
        (10**9, 2),
    ],
)
def test_a_value_falls_into_the_last_place_that_it_reaches(
    value: Fraction | int, place: int
) -> None:
    assert AXIS.position(value) == place


def test_a_value_below_the_first_falls_into_it_unless_the_axis_says_none() -> None:
    assert AXIS.position(0) == 0
    closed = msgspec.structs.replace(AXIS, below="none")
    assert closed.position(0) is None
    assert closed.position(Fraction(1, 3)) == 0


def test_an_axis_without_values_has_no_places() -> None:
    words = msgspec.structs.replace(AXIS, starts=(), below="none")
    assert words.position(1) is None


# ------------------------------------------------------------------ reading cells


def _read(row: str, column: str, side: str, **chosen: str) -> str:
    table = game.card("white-october").table("combat")
    assert side in ("attacker", "defender")
    return str(table.read(row, column, chosen, "attacker" if side == "attacker" else "defender"))


@pytest.mark.parametrize(
    ("cell", "chosen", "read"),
    [
        (("m1", "4", "attacker"), {}, "D:1r/rd"),
        (("m1", "4", "attacker"), {"damaged_cells": "fill"}, "D:1r/rd"),
        (("m1", "4", "attacker"), {"damaged_cells": "fill_1d"}, "D:1r/1d"),
        (("m1", "4", "attacker"), {"damaged_cells": "fill_1d_rd"}, "D:1r/1d/rd"),
        (("m2", "4", "attacker"), {"damaged_cells": "fill_1d_rd"}, "D:1r/rd"),
        (("m1", "4", "attacker"), {"damaged_cells": "legible"}, "D:1r"),
        (("m1", "4", "defender"), {"damaged_cells": "legible"}, "r/d"),
        (("m2", "6", "defender"), {"damaged_cells": "legible"}, ""),
        (("m2", "6", "attacker"), {"damaged_cells": "refuse"}, "D:r/d"),
        (("m6", "4", "attacker"), {"c4_m6_chooser": "owner"}, "2/1r/1d"),
        (("m6", "4", "attacker"), {"damaged_cells": "refuse"}, "D:2/1r/1d"),
        (("m5", "8", "attacker"), {"c8_slash_one": "defender"}, "1da"),
        (("m5", "8", "defender"), {"c8_slash_one": "defender"}, "r/d/1"),
        (("m6", "11", "defender"), {"c11_m6": "attacker"}, "r2/1r/1d"),
    ],
)
def test_a_doubtful_cell_is_read_as_the_option_says(
    cell: tuple[str, str, str], chosen: dict[str, str], read: str
) -> None:
    assert _read(*cell, **chosen) == read


def test_a_damaged_cell_can_be_refused() -> None:
    with pytest.raises(Refusal) as caught:
        _read("m1", "4", "defender", damaged_cells="refuse")
    for words in ("m1", "4", "combat", "damaged_cells"):
        assert words in str(caught.value)
    assert "abîmée" in caught.value.in_("fr")


def test_a_doubtful_whole_cell_is_read_as_the_option_says() -> None:
    table = game.card("normandy").table("determined-defence")
    assert table.read("5", "open", {}).options == (("-1",),)
    assert table.read("5", "open", {"dd_row_five": "cancelled"}).options == (("●", "-1"),)


def test_a_pair_is_read_for_each_side() -> None:
    table = game.card("bautzen").table("combat")
    assert str(table.read("1", "1/2-", {}, "attacker")) == "3"
    assert str(table.read("1", "1/2-", {}, "defender")) == "0"


@pytest.mark.parametrize("id_", FOUND)
def test_every_cell_is_read_under_every_choice_of_every_option(id_: str) -> None:
    card = game.card(id_)
    chosen = [{option.id: choice.id} for option in card.options for choice in option.choices]
    for options in ({}, *chosen):
        for table in card.tables:
            _read_all(card, table.id, options)


def _read_all(card: Card, id_: str, chosen: dict[str, str]) -> None:
    table = card.table(id_)
    for row in table.row_labels:
        for column in table.column_labels:
            try:
                if table.cells == "codes":
                    table.read(row, column, chosen)
                else:
                    table.read(row, column, chosen, "attacker")
                    table.read(row, column, chosen, "defender")
            except Refusal as refusal:
                assert "is damaged in print" in str(refusal)  # noqa: PT017  # the only one allowed


# ------------------------------------------------------------------ options


def test_settings_are_completed_with_the_defaults() -> None:
    card = game.card("bautzen")
    chosen = card.chosen({"low_die": "no_effect"})
    assert chosen["low_die"] == "no_effect"
    assert chosen["ratio_clamp"] == "before"
    assert set(chosen) == {option.id for option in card.options}


def test_an_unknown_option_is_refused_with_the_near_matches() -> None:
    with pytest.raises(Refusal, match="bautzen has no option 'low_dye'; near matches: low_die"):
        game.card("bautzen").chosen({"low_dye": "row_1"})


def test_an_unknown_choice_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refusal, match="low_die is never 'x'; known: row_1, no_effect"):
        game.card("bautzen").chosen({"low_die": "x"})


def test_an_unknown_game_is_refused_with_the_near_matches() -> None:
    with pytest.raises(Refusal, match="there is no game 'normandie'; near matches: normandy"):
        game.card("normandie")


def test_phrases_of_the_card_come_before_those_of_all_games() -> None:
    card = game.card("bautzen")
    assert card.phrase("commit-cl") == card.phrases["commit-cl"]
    assert card.phrase("combat-roll") == shared_phrases()["combat-roll"]


def test_numbers_are_exact() -> None:
    assert game.card("bautzen").number("hq_alone") == Fraction(1, 2)
    assert game.card("normandy").number("factor_cap") == 18
