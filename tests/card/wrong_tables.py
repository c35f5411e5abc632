"""Wrong tables, modifiers and terrain of cards: edits of the full card, and their refusals."""

from tests.card.wrong_cards import Wrong

TABLES = {
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
