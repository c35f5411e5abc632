"""From a photograph to a match, as docs/cards.md leads: an invented table on two dice, differences
in nine bands, five kinds of terrain, a map."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grognard.cli.new import starter
from grognard.rules import game, game_places
from tests.command import run
from tests.example_games import look_in

TABLE = """
       | -7 or less | -6 to -4 | -3 to -1 |  0  | +1, +2 | +3 to +5 | +6 to +8 | +9 to +11 | +12
-------+------------+----------+----------+-----+--------+----------+----------+-----------+-----
 2     |  Ae        |  Ae      |  A2      | A2  | A1     |  A1      |  B1      |  X        |  X
 3-4   |  Ae        |  A2      |  A2      | A1  | A1     |  B1      |  X       |  X        |  Dr
 5-6   |  A2        |  A2      |  A1      | A1  | B1     |  X       |  Dr      |  Dr       |  D/r2
 7     |  A2        |  A1      |  A1      | -   | -      |  Dr      |  Dr      |  D/r2     |  D/r2
 8-9   |  A1        |  A1      |  -       | -   | Dr     |  Dr      |  D/r2    |  D/r2     |  D1+
 10-11 |  A1        |  -       |  -       | Dr  | D/r2   |  D/r2    |  D1+     |  D1+      |  De
 12    |  -         |  -       |  Dr      | D/r2| D1+    |  D1+     |  De      |  De       |  De
"""
REST = """
[tables.results]
Ae = "attacker is eliminated"
A1 = "attacker loses 1 step"
A2 = "attacker loses 2 steps"
B1 = "both lose 1 step"
X = "exchange, printed strength"
"-" = "nothing"
Dr = "defender retreats 1"
"D/r2" = "defender retreats 2 or loses 1 step"
"D1+" = "defender loses 1 step and retreats 2 and attacker must advance"
De = "defender is eliminated"

[[facts]]
id = "hexes_around"
kind = "number"
least = 1
most = 6

[[facts]]
id = "guns"
kind = "number"

[[unit_fields]]
id = "unsupplied"
kind = "flag"

[[unit_fields]]
id = "kind"
kind = "word"
values = ["infantry", "mountain", "artillery"]

[[unit_fields]]
id = "barrage"

[[modifiers]]
id = "around"
changes = "column"
value = 1
when = "hexes_around >= 3"

[[modifiers]]
id = "unsupplied"
changes = "attack"
factor = "1/2"
when = "any_attacker_unsupplied"

[[modifiers]]
id = "mountain"
changes = "die"
value = 1
when = ["attackers_kind has mountain", "terrain has karst|ridge"]

[[modifiers]]
id = "guns"
changes = "attack"
value = 1
times = "guns"

[[terrain]]
id = "meadow"
[[terrain]]
id = "forest"
cost = 2
[[terrain]]
id = "karst"
cost = 3
[[terrain]]
id = "village"
[[terrain]]
id = "ridge"
on = "hexside"
cost = 1

[[modifiers]]
id = "forest"
changes = "column"
value = -1
when = "terrain has forest|ridge"
[[modifiers]]
id = "karst"
changes = "column"
value = -2
when = "terrain has karst"
[[modifiers]]
id = "village"
changes = "die"
value = -1
when = "terrain has village"

[map]
stacking = 3
supply = "lines"
support = { kinds = ["artillery"], strength = "barrage", range = 3 }
[map.facts]
guns = "attacker's support"
hexes_around = "attacking hexes"
unsupplied = "unsupplied"
"""
SCENARIO = """
turns = 5
sides = [{ id = "blue", name = "Blue" }, { id = "red", name = "Red", colour = "red" }]
objectives = [{ hex = "0302", points = 3, text = "the village" }]

[[units]]
name = "1st"
side = "blue"
kind = "mountain"
hex = "0105"
move = 4
faces = [{ attack = 6, defence = 5 }, { attack = 3, defence = 2 }]

[[units]]
name = "Guns"
side = "blue"
kind = "artillery"
hex = "0205"
move = 3
faces = [{ barrage = 3, defence = 1 }]

[[units]]
name = "Guard"
side = "red"
kind = "infantry"
hex = "0302"
move = 4
faces = [{ attack = 3, defence = 4 }]

[map]
first = "0101"
grid = \"\"\"
. . . k .
. f v . .
k . . . f
. . f . .
. . . . .
\"\"\"
legend = { "." = ["meadow"], k = ["karst"], f = ["forest"], v = ["village"] }
hexsides = [{ kind = "ridge", between = ["0303 0304", "0204 0304"] }]
sources = { blue = ["0105"], red = ["0501"] }
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    begun = starter("difference", "en").replace("{name}", "karst").replace("{title}", "Karst")
    table = re.sub(r'grid = """.*?"""', f'grid = """{TABLE}"""', begun, flags=re.DOTALL)
    card = table.partition("# What each result does")[0].replace('"d10"', '"2d6"') + REST
    Path("karst.toml").write_text(card, encoding="utf-8")
    Path("karst.pass.toml").write_text(SCENARIO, encoding="utf-8")
    look_in(tmp_path, monkeypatch)
    yield
    game_places.refresh()


@pytest.mark.slow
def test_the_game_and_its_scenario_are_proved_and_play_themselves() -> None:
    checked = run("check", "karst.toml")
    assert checked.exit_code == 0, checked.stderr
    assert "karst: read, proved on random fights, ready to play" in checked.stdout
    assert "karst.pass: read, played to its end, ready to play" in checked.stdout
    assert "never apply" not in checked.stdout
    assert (
        run("play", "karst.pass", "--auto", "all", "--level", "sergeant", "--seed", "1").exit_code
        == 0
    )


def test_its_odds_are_those_of_the_print() -> None:
    """8 + 4 against 4 is +8; three hexes around and the forest cancel out: column +6 to +8."""
    fight = game.load("karst").fight(
        attackers=[{"name": "1st", "attack": 8}, {"name": "2nd", "attack": 4}],
        defenders=[{"name": "Guard", "defence": 4}],
        terrain=["forest"],
        hexes_around=3,
    )
    assert fight.explain().column() == {"basic": "+6 to +8", "final": "+6 to +8"}
    rolls = {2: "B1", 3: "X", 4: "X", 5: "Dr", 6: "Dr", 7: "Dr", 8: "D/r2", 9: "D/r2"}
    rolls |= {10: "D1+", 11: "D1+", 12: "De"}
    weights = dict[str, int]()
    for roll, code in rolls.items():
        weights[code] = weights.get(code, 0) + 6 - abs(7 - roll)
    found = dict[str, int]()
    for outcome, chance in fight.odds().outcomes():
        found[outcome.result] = found.get(outcome.result, 0) + int(chance * 36)
    assert found == weights
