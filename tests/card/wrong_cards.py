"""Wrong cards: edits of the full card, and how they are refused."""

from typing import NamedTuple


class Wrong(NamedTuple):
    """An edit of the card; the line on which it is refused holds `at`, the words are in `says`."""

    old: str
    new: str
    at: str
    place: str
    says: tuple[str, ...]


NUMBER = 'id = "turns"\nvalue = 6'
ROWS = {
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
    "no number between two bounds": Wrong(
        'kind = "flag"\n',
        'kind = "number"\nleast = 5\nmost = 4\n',
        "least = 5",
        "facts[1].least",
        ("no number of 'night' is possible", "at least 5, at most 4"),
    ),
    "a bound beyond every fight": Wrong(
        'kind = "flag"\n',
        'kind = "number"\nleast = 10001\n',
        "least = 10001",
        "facts[1].least",
        ("at least 10001, at most 999",),
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
}
