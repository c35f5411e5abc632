"""English words in French text: the vocabulary of the texts that exist in both languages.

A word is English if it occurs in the English of some text, and in French never, except as the
translation of itself (`step` for `step`). French words that are always spelt as in English are in
`SHARED`. Names are found by their capital letter in both languages.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache

from grognard.fights.doctrine import DOCTRINES
from grognard.maps import scenario
from grognard.rules import game
from grognard.words.typography import NARROW
from tests import catalogue
from tests.example_games import FOLDER
from tests.golden import EXAMPLES

# French words that our English texts spell in the same way, and names of programs and formats
SHARED = frozenset(
    re.findall(
        r"\w+",
        """air application attrition auto avalanche bocage brigade chances cluster clusters
        dangers plan plans
        colonel conditions description direct doctrine doctrines dominant duels faces final format
        formats formation formations fortification fraction fractions id identification
        impassable interface internet local long message mobile nation nations offensive
        option options
        page phase places plan plans points port position positions rail second signal
        silhouette site situation situations six sorties source sources standard steppe suspect
        tables train transport version village villages wargames web zone zones zoom
        csv grognard html json parquet postgresql proxy ray sqlite svg toml""",
    )
)
# What a player types, or a programmer writes: named in the help of the commands and on `/api`
TYPED = frozenset(
    re.findall(
        r"\w+",
        """accept all array attack backup best boolean by card check delete drop each end event
        explain export fight from key mail show story
        copy difference example fire games general help hold json keep lang main map modifiers
        move new number
        numbers object losses one
        odds orders org play post quit reach record renew replay report resolve salvage save
        scenarios sergeant series serve spare store stream string supply sweep take text to town
        undo weather with wood""",
    )
)
CODES = frozenset(("rd", "ano", "mulberries"))  # on cards: rout, an army, the harbours

# Words that end as a plural does, and stand after a one
ONE = "pas|hex|dans|fois|mois|plus|moins|sans|vers|puis|aux|des|les"

Pair = tuple[str, str]


def english_words(text: str, *, typed: bool = False) -> list[str]:
    """Find the English words of a French text; input that it quotes, names and ids do not count."""
    words = [word for word in re.findall(r"\w+", _plain(text)) if word.isalpha()]
    known = SHARED | CODES | (TYPED if typed else frozenset())
    return [
        word
        for word in words
        if word.lower() in _english() and word.lower() not in known and word not in _names()
    ]


def in_a_name(name: str) -> list[str]:
    """Find the English words in the name of a unit; a rank and two vehicles are names."""
    return [word for word in _words(name) if word in _english() - CODES - {"major", "mark", "aa"}]


def wrong_french(text: str) -> list[str]:
    """Find plurals of one or none, hyphens before numbers, and limits as programs write them."""
    plurals = re.findall(rf"(?<![\w,./:+−±-])[01] (?!(?:{ONE})\b)[a-zéèêàôî]+[sx]\b", text)
    minus = re.findall(r"(?<=[\w:(] )-\d", re.sub(r"`[^`]*`|«[^»]*»", " ", text))
    return plurals + minus + re.findall(r"\w+ ?[<>]=", text)


def _plain(text: str) -> str:
    """Leave out what is quoted, the names of units, and ids beside their meaning."""
    return re.sub(_QUOTED, " ", _units().sub(" ", _ids().sub(" ", text)))


_QUOTED = r"«[^«»]*»|“[^”]*”|(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|--?\w[\w-]*|\S*/\S*\.\w+|`[^`]*`"


# ------------------------------------------------------------------ the vocabulary


@cache
def _english() -> frozenset[str]:
    english, french = set[str](), set[str]()
    for one, other in pairs():
        english |= _words(one)
        french |= _words(other) - _words(one)
    return frozenset(english - french)


def _words(text: str) -> set[str]:
    bare = re.sub(r"\{[^}]*\}", " ", text)
    found = (word.lower() for word in re.findall(r"\w+", bare) if word.isalpha())
    return {word for word in found if len(word) > 1}


@cache
def pairs() -> tuple[Pair, ...]:
    """Give every text of the program in both languages: catalogues, cards, sheets, scenarios."""
    return (*_in_catalogues(), *_in_files(), *_in_modules())


def _in_catalogues() -> Iterator[Pair]:
    for file in catalogue.wanted():
        for one, other in catalogue.translations(file).items():
            if isinstance(one, str) and isinstance(other, str):
                yield one, other
            else:
                yield " ".join(one), " ".join(other)


def _in_files() -> Iterator[Pair]:
    for file in (*catalogue.SOURCES.rglob("*.toml"), *FOLDER.glob("*.toml")):
        yield from _within(tomllib.loads(file.read_text(encoding="utf-8")))


def _within(data: object) -> Iterator[Pair]:
    match data:
        case {"en": str(english), "fr": str(french)}:
            yield english, french
        case dict():
            for value in data.values():
                yield from _within(value)
        case list():
            for value in data:
                yield from _within(value)


def _in_modules() -> Iterator[Pair]:
    for file in catalogue.SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name("Text"),
                    args=[ast.Constant(str(english)), ast.Constant(str(french))],
                ):
                    yield english, french


# ------------------------------------------------------------------ names and ids


@cache
def _names() -> frozenset[str]:
    """Words with a capital letter in both languages of one text, and texts that are only a name."""
    found = set[str]()
    for one, other in pairs():
        if one == other:
            found |= {word for word in re.findall(r"\w+", one) if word[0].isupper()}
        found |= _capitals(one) & _capitals(other, first=True)
        found |= _capitals(one, first=True) & _capitals(other)
    for id_ in (*game.ids(), *scenario.ids()):
        found |= {*re.split("[-.]", id_)}
    return frozenset(found)


def _capitals(text: str, *, first: bool = False) -> set[str]:
    """Give the words with a capital letter, at the beginning of a sentence only if asked."""
    return set(
        re.findall(r"\b[A-ZÉ]\w*" if first else r"(?<=[\w,;«'] )[A-ZÉ]\w*|(?<=\()[A-ZÉ]\w*", text)
    )


@cache
def _units() -> re.Pattern[str]:
    """The names of units and formations in scenarios and examples, and of random fights."""
    names = {unit.name for id_ in scenario.ids() for unit in scenario.load(id_).units}
    names |= {str(unit.formation) for id_ in scenario.ids() for unit in scenario.load(id_).units}
    names |= {
        unit["name"]
        for file in EXAMPLES
        for units in tomllib.loads(file.read_text(encoding="utf-8")).values()
        if isinstance(units, list)
        for unit in units
        if isinstance(unit, dict) and "name" in unit
    }
    listed = "|".join(map(re.escape, sorted(filter(None, names), key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{listed}|unit \d+)(?!\w)")


@cache
def _ids() -> re.Pattern[str]:
    """Ids that stand beside their meaning: options, choices, doctrines, typed orders; keys."""
    options = [option for id_ in game.ids() for option in game.card(id_).options]
    ids = {option.id for option in options}
    ids |= {choice.id for option in options for choice in option.choices}
    either, ways = "|".join(map(re.escape, ids)), "|".join(DOCTRINES)
    return re.compile(
        rf"^ +(?:[●○] )?(?:{either})(?={NARROW}:)"  # `  ○ loss : une perte …`
        rf"|[▶◆] (?:{ways})(?={NARROW}:)|(?:{ways})(?= par défaut)"
        rf"|\[?option (?:{either})\]?|^ *(?:{either})\]$"
        r"|^[■○] > .*?(?= \([^()]*\)$|$)"  # a typed order, before its meaning
        r"|^[a-z_]+: |\(\S+\)$"  # the key of a refusal, the game of a scenario
    )
