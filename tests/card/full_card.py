"""A small card with a row of every part, to be edited in tests."""

import re
from functools import cache
from pathlib import Path

import pytest

from grognard.rules import game
from grognard.words.refusal import Refusal

ROOT = Path(__file__).parents[2]
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


def edited(old: str, new: str, text: str = FULL) -> str:
    """Replace what stands once in a card."""
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in the card"
    return text.replace(old, new)


@cache
def refusal(text: str) -> Refusal:
    """Give the refusal of a wrong card."""
    with pytest.raises(Refusal) as caught:
        game.read_card(text, FILE)
    return caught.value
