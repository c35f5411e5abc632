"""The whole game of Bautzen 1945: reach, orders in the server, automatic play, opening a match."""

import http.client
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter

from msgspec.structs import replace

from benchmarks.players import phases
from benchmarks.timing import best_of, duration, growth, table
from grognard.fights.odds import forget
from grognard.maps import scenario
from grognard.maps.scenario import Force, Scenario
from grognard.matches.match import Match, begin, load, new_field, saved, written_match
from grognard.matches.protocol import END, Order
from grognard.players.bot import Bot, play_on
from grognard.rules.ask import Answer
from grognard.testing.random_matches import any_answer

NAME = "bautzen-1945"
ORDERS = 120  # sent to the server
ANSWERS = 2000  # of the match that is opened
SEEDS = (3, 4, 5)  # of the automatic campaigns
UNITS = (24, 48, 95)  # as they grow; logistic columns come on top


def report() -> str:
    rows = [_reach(), *_orders(), *_automatic(), *_growth(), _opening()]
    return table(["the whole game of Bautzen", "measured", "promised"], rows)


def _deployed() -> Match:
    match = begin(NAME)
    match.answer(END)
    match.answer(END)
    return match


def _reach() -> list[str]:
    """Time the reach of every unit of the set-up, each on a board that no other search has seen."""
    match = _deployed()
    times = []
    for piece in match.board.pieces:
        if piece.at is None or not piece.move:
            continue
        board = replace(match.board)  # equal, and unknown to all caches
        start = perf_counter()
        match.field.reach(board, board.piece(piece.name))
        times.append(perf_counter() - start)
    name = f"reach of one unit of {len(times)}, median; slowest"
    return [name, f"{duration(median(times))}; {duration(max(times))}", "5 ms"]


# ------------------------------------------------------------------ orders in the server


def _orders() -> Iterator[list[str]]:
    """Time moves of the first turn as a page sends them, inside the server."""
    match, random = _deployed(), Random(1)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "matches.sqlite"
        command = [sys.executable, "-m", "benchmarks.timed_serve", "--port", "0"]
        with subprocess.Popen(
            [*command, "--store", str(store)], stdout=subprocess.PIPE, text=True
        ) as server:
            assert server.stdout is not None
            found = re.search(r"http://([^:]+):(\d+)", server.stdout.readline())
            assert found is not None
            try:
                _send_moves(http.client.HTTPConnection(found[1], int(found[2])), match, random)
            finally:
                server.kill()
        noted = (
            line.rsplit(" ", 1) for line in store.with_suffix(".notes").read_text().split("\n")
        )
        times = [float(note[1]) for note in noted if note[0].endswith("/answers")][2:]
    yield [f"an order in the server, median of {len(times)}", duration(median(times)), ""]
    yield ["an order in the server, 95 %", duration(quantiles(times, n=20)[-1]), "50 ms"]


def _send_moves(wire: http.client.HTTPConnection, match: Match, random: Random) -> None:
    view = _post(wire, "/api/matches", {"scenario": NAME})
    path, version = f"/matches/{view['id']}/answers", int(str(view["version"]))
    answers: list[Answer] = [END, END]
    for number in range(ORDERS):
        if number >= len(answers):
            answers.append(_busy(match, random))
            match.answer(answers[-1])
        log = view["log"]
        since = f"?since={log['mark']}" if isinstance(log, dict) else ""
        view = _post(wire, path + since, {"version": version, "answer": answers[number]})
        version = int(str(view["version"]))


def _post(wire: http.client.HTTPConnection, path: str, body: object) -> dict[str, object]:
    wire.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = wire.getresponse()
    text = answer.read()
    if answer.status not in (200, 201):
        raise SystemExit(f"{path}: {answer.status} {text[:200]!r}")
    given: dict[str, object] = json.loads(text)
    return given


# ------------------------------------------------------------------ automatic play


def _automatic() -> Iterator[list[str]]:
    """Time automatic campaigns and their phases, in processor time, with an empty cache of odds."""
    wholes, slowest = [], 0.0
    for seed in SEEDS:
        forget()
        found = phases(NAME, Bot(seed))
        wholes.append(sum(found.values()))
        slowest = max(slowest, *found.values())
    yield [f"the slowest automatic phase of {len(SEEDS)} campaigns", duration(slowest), "5 s"]
    yield ["an automatic campaign, the slowest of them", duration(max(wholes)), "90 s"]


def _growth() -> Iterator[list[str]]:
    """Time the first automatic turn with more and more of the units."""
    whole = scenario.own(NAME)
    smaller = {n: replace(whole, turns=1, units=tuple(_some(whole, n))) for n in UNITS}
    return growth((count, partial(_turn, battle)) for count, battle in smaller.items())


def _some(battle: Scenario, count: int) -> Iterator[Force]:
    """Give so many units, spread over both sides, and all logistic columns."""
    names = list(dict.fromkeys(unit.name for unit in battle.units if unit.kind != "cl"))
    chosen = {names[number * len(names) // count] for number in range(count)}
    return (unit for unit in battle.units if unit.kind == "cl" or unit.name in chosen)


def _turn(battle: Scenario) -> None:
    forget()
    match, bot = Match(new_field(battle)), Bot(3)
    for _ in play_on(match, dict.fromkeys(("german", "allied"), bot)):
        pass


# ------------------------------------------------------------------ a saved match


def _opening() -> list[str]:
    """Open a long match: a campaign has fewer answers, so it begins with many placements."""
    busy = _long_match()
    text = written_match(saved(busy)).decode()
    seconds = best_of(lambda: load(text, "match.json"), 3)
    return [f"a match of {len(busy.answers):,} answers opens", duration(seconds), "2 s"]


def _long_match() -> Match:
    """Place German units again and again, then let every unit move in every turn."""
    rest = len(_played_out(begin(NAME), 0).answers)
    return _played_out(begin(NAME), ANSWERS - rest)


def _played_out(match: Match, placements: int) -> Match:
    random = Random(1)
    for answer in (END, ("usual",)):
        match.answer(answer)
    for _ in range(placements):
        ask = match.asking
        assert isinstance(ask, Order)
        places = [list(ask.orders.moves(piece)) for piece in ask.orders.pieces()]
        match.answer(random.choice(random.choice([found for found in places if found])))
    while match.asking is not None:
        match.answer(_busy(match, random))
    return match


def _busy(match: Match, random: Random) -> Answer:
    """Answer so that every unit moves and attacks if it can; the usual set-up."""
    ask = match.asking
    assert ask is not None
    if not isinstance(ask, Order):
        return any_answer(ask, random, 0)
    if ask.phase == "phase-deployment":
        return END
    moves = (list(ask.orders.moves(piece)) for piece in ask.orders.pieces())
    move = next((random.choice(found) for found in moves if found), None)
    attacks = [order for order in ask.orders.deeds() if order[0] == "attack"] if not move else []
    return move or (random.choice(attacks) if attacks else END)
