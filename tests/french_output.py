"""Everything that a French reader is shown, as texts: terminal, pages, JSON, SVG, questions.

Each text comes with the place where it is shown, for the message of a test that finds fault.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import click
import httpx

from grognard import load
from grognard.cli.main import COMMANDS
from grognard.draw.text import fight as fight_text
from grognard.draw.text.outcome import outcome_words
from grognard.fights.play import Play
from grognard.maps import scenario
from grognard.rules import game
from grognard.rules.ask import Answer, Ask, Commit, Roll
from grognard.rules.wording import named, question
from grognard.study import player_sheet
from grognard.testing import random_fights
from grognard.words.refusal import Refusal
from tests.command import run
from tests.golden import EXAMPLES
from tests.tiers import sized

FRENCH = {"accept-language": "fr"}


class Shown(NamedTuple):
    """A text and the place where it is shown."""

    place: str
    text: str


# ------------------------------------------------------------------ the terminal


def helps() -> Iterator[Shown]:
    """Give the help of the commands, and click's own errors."""
    for name in COMMANDS:
        yield from _printed(name, "--help")
        yield from _printed(name, "a", "b", "c", "--no-such-option")
    for name in ("key", "new", "accept", "play", "show", "export"):
        yield from _printed("mail", name, "--help")
    for name, option in (("series", "--matches"), ("sweep", "--most"), ("serve", "--port")):
        for number in ("-1", "9" * 99, "many"):
            yield from _printed(name, option, number)


def tables() -> Iterator[Shown]:
    """Give the cards and the lists."""
    yield from _printed("games")
    yield from _printed("scenarios")
    for id_ in game.ids():
        yield from _printed("card", id_)


def examples() -> Iterator[Shown]:
    """Give every example explained, its odds, and the fight played."""
    for example in map(str, EXAMPLES):
        for words in (["explain"], ["odds"], ["resolve", "--auto", "--seed", "1"]):
            yield from _printed(words[0], example, *words[1:])
            yield from _in_json(" ".join(words), run(*words, example, "--lang", "fr", "--json"))


def names_in_examples() -> Iterator[Shown]:
    """Give the names of units in the examples: they are shown as they are written."""
    for example in EXAMPLES:
        for units in tomllib.loads(example.read_text(encoding="utf-8")).values():
            if isinstance(units, list):
                names = [unit.get("name", "") for unit in units if isinstance(unit, dict)]
                yield from (Shown(example.name, name) for name in names)


LARGE, TURNS = "bautzen-1945", sized(1, soak=6)  # a turn takes 2 s
AUTOMATIC = ("--auto", "all", "--level", "sergeant", "--seed", "1")


def matches(folder: Path) -> Iterator[Shown]:
    """Give a map and a whole match of each scenario, and a series."""
    yield from _printed("series", "weissenberg", "--matches", "1", "--workers", "1")
    words = ("weissenberg", "steppe", "--players", "sergeant", "--matches", "1")
    yield from _printed("series", *words, "--workers", "1")
    for name, file in scenario.ids().items():
        yield from in_html(f"map {name}", run("map", name, "--lang", "fr").stdout)
        played = run("play", _shortened(name, file, folder), *AUTOMATIC, "--lang", "fr")
        assert played.exit_code == 0, played.output
        for line in played.stdout.splitlines():
            yield Shown(f"play {name}", click.unstyle(line))


def _shortened(name: str, file: Path, folder: Path) -> Path | str:
    """Give the large scenario with fewer turns, as a file in a folder; the others as they are."""
    if name != LARGE:
        return name
    copy = folder / file.name
    text = file.read_text(encoding="utf-8")
    copy.write_text(re.sub(r"(?m)^turns = \d+$", f"turns = {TURNS}", text), encoding="utf-8")
    return copy


def _printed(*words: str) -> Iterator[Shown]:
    result = run(*words, "--lang", "fr")
    for line in (result.stdout + result.stderr).splitlines():
        yield Shown(" ".join(words), click.unstyle(line))


def _in_json(place: str, result: object) -> Iterator[Shown]:
    yield from in_json(place, json.loads(result.stdout))  # type: ignore[attr-defined]


# ------------------------------------------------------------------ questions


def questions(count: int) -> Iterator[Shown]:
    """Give the questions and lines of random fights, with the words of every option."""
    for id_ in game.ids():
        for procedure in load(id_).procedures:
            random = Random(1)
            for fight in islice(random_fights(load(id_), procedure.id, random), count):
                for words in _played(Play(fight), random):
                    yield Shown(f"{id_} {procedure.id}", words)


def _played(play: Play, random: Random) -> Iterator[str]:
    while play.asking is not None:
        yield from _asked(play, play.asking)
        try:
            play.answer(_any(play.asking, random))
        except Refusal as refusal:  # a damaged cell, under an option that refuses it
            yield refusal.in_("fr")
            return
    yield from map(click.unstyle, fight_text.log(play, "fr"))
    yield outcome_words(play.outcome, play.start.case.card, "fr")


def _asked(play: Play, ask: Ask) -> Iterator[str]:
    card = play.start.case.card
    yield question(card, ask, "fr")
    if not isinstance(ask, Roll):
        options = ask.attacker + ask.defender if isinstance(ask, Commit) else ask.options
        yield from (named(card, ask, option, "fr") for option in options)


def _any(ask: Ask, random: Random) -> Answer:
    if isinstance(ask, Roll):
        return ask.dice.draw(random)
    if isinstance(ask, Commit):
        return random.choice(ask.attacker), random.choice(ask.defender)
    return random.choice(ask.options)


# ------------------------------------------------------------------ pages and pictures


def pages(site: httpx.Client) -> Iterator[Shown]:
    """Give the pages of the application: of every game, its procedures, and a match of each map."""
    addresses = ["/", "/matches", "/api", "/rien"]
    for id_ in game.ids():
        addresses.append(f"/games/{id_}")
        for sheet in player_sheet.rolled(id_):
            addresses.append(f"/games/{id_}/{sheet.procedure}")
        addresses.append(f"/games/{id_}/analysis")
    for name in scenario.ids():
        begun = site.post("/api/matches", json={"scenario": name}, headers=FRENCH)
        yield from in_json("/api/matches", begun.json())
        addresses.append(f"/matches/{begun.json()['id']}")
    for address in addresses:
        answer = site.get(address, headers=FRENCH, follow_redirects=True)
        yield from in_html(address, answer.text)


def taps(site: httpx.Client) -> Iterator[Shown]:
    """Give the quick-combat page of every example after each of its answers, and its hints."""
    for example in EXAMPLES:
        fight = tomllib.loads(example.read_text(encoding="utf-8"))
        body = {"fight": fight, "auto": True, "seed": 1}
        played = site.post("/api/resolve", json=body, headers=FRENCH).json()
        yield from in_json(f"/api/resolve of {example.stem}", played)
        record = played["record"]
        address = f"/games/{fight.pop('game')}/{fight.pop('procedure', record['procedure'])}"
        stated = {"fight": fight}
        answers = [answered["answer"] for answered in record["answers"]]
        for given in range(len(answers) + 1):
            tap = {**stated, "answers": answers[:given]}
            answer = site.post(f"{address}/tap", json=tap, headers=FRENCH).json()
            yield from in_json(f"{example.stem} after {given} answers", answer)
        hints = site.post(f"{address}/hints", json=stated, headers=FRENCH).json()
        yield from in_json(f"hints of {example.stem}", hints)


class _Reader(HTMLParser):
    """Collects what a page shows or reads aloud; not code and styles, nor rule numbers and ids."""

    SHOWN = ("title", "alt", "placeholder", "aria-label")
    HIDDEN = ("style", "script", "code", "pre")
    VOID = ("br", "img", "input", "hr", "meta", "link")

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in self.SHOWN and value]
        hidden = self._within or tag in self.HIDDEN or ("class", "rule-number") in attrs
        if hidden and tag not in self.VOID:
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._within:
            del self._within[self._within.index(tag) :]

    def handle_data(self, data: str) -> None:
        if not self._within and data.strip():
            self.found.append(data.strip())


def in_html(place: str, text: str) -> Iterator[Shown]:
    """Give the texts of a page or a picture."""
    reader = _Reader()
    reader.feed(text)
    return (Shown(place, found) for found in reader.found)


WORDS = (
    "hints",
    "text",
    "words",
    "reason",
    "refusal",
    "question",
    "label",
    "title",
    "meaning",
    "heading",
)


def in_json(place: str, data: object, key: str = "") -> Iterator[Shown]:
    """Give the texts of JSON: what stands under a key that holds words; pages are read as such."""
    match data:
        case dict():
            for name, value in data.items():
                yield from in_json(f"{place} {name}", value, name)
        case list():
            for value in data:
                yield from in_json(place, value, key)
        case str() if data.lstrip().startswith("<"):
            yield from in_html(place, data)
        case str() if key in WORDS:
            yield Shown(place, data)
