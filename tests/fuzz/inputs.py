"""Every kind of input: good examples of it, and how the program is asked to use one."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

from click.testing import Result

from grognard.draw.svg import map as svg_map
from grognard.draw.text import map as text_map
from grognard.fights.work_budget import SITUATIONS, allow
from grognard.files.source import Source, read_json
from grognard.maps import scenario
from grognard.matches.dice_proof import check_proof
from grognard.matches.mail.keys import KeyFolder
from grognard.matches.mail.letters import Answered, written_file
from grognard.matches.mail.mail_match import MailMatch, invited, joining
from grognard.matches.match import Match, load, new_field, read_match, saved, written_match
from grognard.rules import game
from grognard.study import player_sheet
from grognard.study.changed_card import own_game
from grognard.testing.random_matches import any_answer
from grognard.testing.random_setups import random_fights
from grognard.words.refusal import Refusal
from tests.command import run
from tests.fuzz.mutations import Format, mutated, mutated_bytes

ROOT: Final = Path(__file__).parents[2]
ANSWERS: Final = 12  # that a random match gets
FIGHTS: Final = 2  # random ones of each procedure of a card
Try = Callable[[Random, Path], None]


class Broken(Exception):
    """The program did neither answer nor refuse."""


def _command(*words: str, stdin: bytes = b"") -> Result:
    """Call a command; it answers (0) or refuses (2), and says nothing else."""
    result = run(*words, stdin=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in (0, 2) or (result.exit_code == 2 and not result.stderr.strip()):
        raise Broken(f"exit status {result.exit_code}: {result.output[-300:]}")
    return result


def _format(random: Random) -> Format:
    return random.choice(("toml", "json"))


# ------------------------------------------------------------------ fights, records, dice, sweeps


@cache
def _fights() -> tuple[dict[str, Any], ...]:
    files = sorted((ROOT / "examples").glob("*.toml"))
    return tuple(tomllib.loads(file.read_text(encoding="utf-8")) for file in files)


def fight(random: Random, folder: Path) -> None:  # noqa: ARG001  # every kind is given a folder
    """Explain, predict or resolve the fight of a file."""
    stdin = mutated(random.choice(_fights()), random, _format(random))
    lang = random.choice(("en", "fr"))
    words = random.choice((("explain",), ("odds",), ("resolve", "--auto", "--seed", "1")))
    json_ = random.choice(((), ("--json",)))
    _command(*words, "-", "--lang", lang, *json_, stdin=stdin)


@cache
def _records(folder: Path) -> tuple[dict[str, Any], ...]:
    found = []
    for number, stated in enumerate(_fights()):
        file = folder / f"record-{number}.json"
        text = json.dumps(stated).encode()
        words = ("resolve", "--auto", "--seed", "1", "--attacker", "take", "--defender", "hold")
        _command(*words, "--record", str(file), "-", stdin=text)
        found.append(json.loads(file.read_bytes()))
    return tuple(found)


def record(random: Random, folder: Path) -> None:
    """Replay a record."""
    stdin = mutated(random.choice(_records(folder)), random, _format(random))
    _command("replay", "-", stdin=stdin)


def dice(random: Random, folder: Path) -> None:  # noqa: ARG001  # every kind is given a folder
    """Resolve a fight with typed dice, a seed and doctrines."""
    words = [mutated_bytes(b"5,3,4 1", random).decode("utf-8", "surrogateescape")]
    for good in ("best", "take", "3"):
        odd = mutated_bytes(good.encode(), random).decode("utf-8", "surrogateescape")
        words.append(odd if random.random() < 0.2 else good)
    dice_, attacker, defender, seed = words
    stdin = json.dumps(random.choice(_fights()[:2])).encode()
    options = (f"--dice={dice_}", f"--attacker={attacker}", f"--defender={defender}")
    _command("resolve", "-", "--auto", *options, f"--seed={seed}", stdin=stdin)


SWEEP: Final = {
    "game": "bautzen",
    "terrain": {"each": ["wood", "town"]},
    "attacker_cl": {"from": 0, "to": 2},
    "attackers": [{"name": "attackers", "attack": {"from": 4, "to": 8, "by": 2}}],
    "defenders": [{"name": "defenders", "defence": {"from": 3, "to": 4}}],
    "options": {"ratio_clamp": {"each": "all"}},
    "sweep": {
        "attacker": "take",
        "defender": {"each": ["hold", "spare"]},
        "give": ["final", "defender_steps_lost", "taken"],
    },
}


def sweep(random: Random, folder: Path) -> None:  # noqa: ARG001  # every kind is given a folder
    """Run a sweep."""
    stdin = mutated(SWEEP, random, _format(random))
    _command("sweep", "-", "--workers", "1", "--most", "300", stdin=stdin)


PLAN: Final = {
    "game": "bautzen",
    "goal": "all",
    "success": "cleared",
    "chain": 2,
    "attacker": "best",
    "facts": {"allied": "defender"},
    "options": {"ratio_clamp": "after"},
    "units": [{"name": "A", "attack": 6}, {"name": "B", "attack": 4}, {"name": "C", "attack": 3}],
    "targets": [
        {
            "name": "T",
            "value": 2,
            "terrain": ["wood"],
            "reaches": ["A", {"name": "B", "across_river": True}],
            "together": [{"units": ["A", "B"], "formation_complete": True}],
            "then": {"defender_cl": 1},
            "defenders": [{"name": "D", "defence": 3, "reduced": {"defence": 1}}],
        },
        {"name": "S", "defenders": [{"name": "E", "defence": 2, "steps": 1}]},
    ],
}


def plan(random: Random, folder: Path) -> None:  # noqa: ARG001  # every kind is given a folder
    """Divide units over targets."""
    stdin = mutated(PLAN, random, _format(random))
    _command("plan", "-", "--work", "60", stdin=stdin)


# ------------------------------------------------------------------ cards


@cache
def _cards(pattern: str) -> tuple[dict[str, Any], ...]:
    cards = (tomllib.loads(file.read_text("utf-8")) for file in sorted(ROOT.glob(pattern)))
    return tuple(card for card in cards if "tables" in card)


def card(random: Random, folder: Path) -> None:
    """Read the card of a game without Python, or now and then another card for a shipped game;
    predict fights with it."""
    if random.random() < 0.9:
        _small_card(random)
    else:
        _shipped_card(random, folder)


def _small_card(random: Random) -> None:
    """Read a card that says how its fights run, and predict random ones."""
    good = random.choice(_cards("examples/games/*.toml"))
    text = mutated(good, random, "toml").decode("utf-8", "replace")
    try:
        rules = game.made(game.read_card(text, "card.toml"))
        for procedure in rules.procedures:
            for stated in islice(random_fights(rules, procedure.id, random), FIGHTS):
                allow(SITUATIONS)
                stated.explain()
                stated.odds("take", "hold")
    except Refusal as refusal:
        refusal.in_("fr")


def _shipped_card(random: Random, folder: Path) -> None:
    """Read another card for a game, and predict its examples; now and then report on it."""
    good = random.choice(_cards("src/grognard/games/*/card.toml"))
    id_, text = good["id"], mutated(good, random, "toml").decode("utf-8", "replace")
    if random.random() < 0.01:
        file = folder / "card.toml"
        file.write_text(text, encoding="utf-8")
        _command("report", id_, "--card", str(file), "--json", "--budget", "200000")
        return
    try:
        rules = own_game(id_, Source("card.toml", text))
        for sheet in player_sheet.load(id_).sheets:
            stated = rules.fight(dict(sheet.example), procedure=sheet.procedure)
            stated.explain()
            stated.odds("take", "hold")
    except Refusal as refusal:
        refusal.in_("fr")


# ------------------------------------------------------------------ scenarios and matches


@cache
def _scenarios() -> tuple[dict[str, Any], ...]:
    files = [file for _, file in sorted(scenario.ids().items())]
    return tuple(tomllib.loads(file.read_text(encoding="utf-8")) for file in files)


def battle(random: Random, folder: Path) -> None:  # noqa: ARG001  # every kind is given a folder
    """Read a scenario, draw it, and play some questions of it."""
    text = mutated(random.choice(_scenarios()), random, "toml").decode("utf-8", "replace")
    try:
        read = scenario.read(text, "scenario.toml")
        board = read.board()
        svg_map.draw(board, read, "fr")
        text_map.draw(board, read, "en")
        match = Match(new_field(read))
        _play_on(match, random)
        match.verdict()
    except Refusal as refusal:
        refusal.in_("fr")


def _play_on(match: Match, random: Random) -> None:
    """Give some answers in full phases, or more where phases are cut short."""
    answers, hurry = random.choice(((ANSWERS, 0.3), (4 * ANSWERS, 0.95)))
    for _ in range(answers):
        if match.asking is None:
            return
        match.answer(any_answer(match.asking, random, hurry))


@cache
def _matches() -> tuple[dict[str, Any], ...]:
    found = []
    for name in sorted(scenario.ids()):
        match = Match(new_field(scenario.own(name)))
        _play_on(match, Random(1))
        found.append(json.loads(written_match(saved(match))))
    return tuple(found)


@cache
def _letters() -> dict[str, Any]:
    """A match by mail of two letters."""
    with TemporaryDirectory() as folder:
        one, two = (KeyFolder(Path(folder) / name).identity() for name in ("one", "two"))
    mail = invited(one, "weissenberg", "german", "Anna", {})
    mail = MailMatch(mail.signed(one, "german"))
    mail.move("allied", joining(two, mail.file.id, "Bob"))
    mail = MailMatch(mail.signed(two, "allied"))
    mail.move("german", Answered(answer=["end"]))
    read: dict[str, Any] = json.loads(written_file(mail.signed(one, "german")))
    return read


def mail_file(random: Random, folder: Path) -> None:
    """Check a match by mail."""
    file = folder / "mail.json"
    file.write_bytes(mutated(_letters(), random, "json"))
    _command("mail", "show", str(file), "--keys", str(folder / "keys"))


def proven_file(random: Random, folder: Path) -> None:  # noqa: ARG001  # every kind is given a folder
    """Check the dice of a match file; no file is proven that was not made so."""
    proof = {"id": "x", "created": "y", "sources": ["fair"], "nonces": ["n"], "heads": ["h"]}
    chains = [{"side": side, "first": 1, "anchor": "0" * 64} for side in ("a", "b")]
    links = {"a": "0" * 64, "b": "1" * 64}
    rolls = [{"faces": 6, "lowest": 1, "links": links}]
    data = {"match": 1, "scenario": "s", "options": {}, "answers": [[6]]}
    whole = {**data, "proof": {**proof, "chains": chains, "rolls": rolls}}
    text = mutated(whole, random, "json").decode("utf-8", "replace")
    try:
        kept = read_match(read_json(text, "match.json"))
        if kept.proof is not None:
            check_proof(kept.proof, kept.scenario, kept.options, kept.answers)
    except Refusal:
        return


def match_file(random: Random, folder: Path) -> None:  # noqa: ARG001  # every kind is given a folder
    """Continue a saved match."""
    text = mutated(random.choice(_matches()), random, "json").decode("utf-8", "replace")
    try:
        load(text, "match.json").verdict()
    except Refusal as refusal:
        refusal.in_("fr")


# ------------------------------------------------------------------ HTTP


def request(random: Random) -> tuple[str, str, bytes]:
    """Draw the method, the address and the body of a request."""
    stated = random.choice(_fights())
    game, procedure = stated["game"], stated.get("procedure", "attack")
    bodies: tuple[tuple[str, Any], ...] = (
        ("/api/explain", stated),
        ("/api/odds", stated),
        ("/api/resolve", {"fight": stated, "auto": True, "seed": 1, "dice": [1, 2]}),
        ("/api/resolve", {"fight": stated, "answers": [[5]], "attacker": "take"}),
        ("/api/matches/import", {"match": random.choice(_matches()), "name": "x"}),
        ("/api/matches", {"scenario": "steppe", "autos": ["german"], "name": "x"}),
        ("/api/matches/x/look", {"target": "1910", "units": ["21/20Pz"]}),
        (f"/games/{game}/{procedure}/tap", {"fight": _setup(stated), "roll": True}),
    )
    if random.random() < 0.6:
        path, body = random.choice(bodies)
        return "POST", path, mutated(body, random, "json")
    state = mutated({"fight": _setup(stated)}, random, "json").decode("utf-8", "replace")
    pages = (
        f"/games/{game}/{procedure}?s={quote(state)}",
        f"/games/{game}/analysis?procedure={procedure}&s={quote(state)}",
        f"/games/{game}?lang=fr",
        "/api/games/bautzen?table=combat",
        "/api/matches/1/unit?name=21/20Pz",
        "/api/matches/1?since=0-0",
        "/matches/1",
    )
    address = random.choice(pages[:2] if random.random() < 0.4 else pages)
    if random.random() < 0.4:
        address = quote(mutated_bytes(address.encode(), random), safe="/?&=%")
    return "GET", address[:4000], b""


def _setup(stated: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in stated.items() if key not in ("game", "procedure")}


KINDS: Final[Mapping[str, Try]] = {
    "fight": fight,
    "record": record,
    "dice": dice,
    "sweep": sweep,
    "plan": plan,
    "card": card,
    "scenario": battle,
    "match": match_file,
    "mail": mail_file,
    "proof": proven_file,
}
