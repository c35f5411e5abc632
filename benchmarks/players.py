"""Phases of colonels and generals: processor time on one core, with an empty cache of odds."""

from collections.abc import Iterator
from time import process_time

from benchmarks.timing import duration, table
from grognard.fights.odds import forget
from grognard.matches.match import begin
from grognard.matches.protocol import Order
from grognard.players.bot import Bot
from grognard.players.general import SECONDS
from grognard.players.levels import automatic_player

SMALL = ("weissenberg", "carrefour", "steppe", "pulkovo")
LARGEST = "bautzen-1945"
TURNS = 2  # that are played


def report() -> str:
    return table(["the slowest phase of an automatic player", "measured", "promised"], [*_rows()])


def _rows() -> Iterator[list[str]]:
    for name in (*SMALL, LARGEST):
        promised = "10 s" if name == LARGEST else "2 s"
        yield [
            f"colonel, {name}",
            duration(_slowest(name, automatic_player(1, "colonel"))),
            promised,
        ]
    for name in (*SMALL, LARGEST):
        general = automatic_player(1, "general", SECONDS)
        yield [f"general, {name}", duration(_slowest(name, general)), f"{SECONDS:g} s"]


def _slowest(name: str, bot: Bot) -> float:
    forget()
    return max(phases(name, bot, TURNS).values())


def phases(name: str, bot: Bot, turns: int | None = None) -> dict[tuple[int, str, str], float]:
    """Let a bot play both sides for some turns, or to the end; give the processor time of each
    phase."""
    found: dict[tuple[int, str, str], float] = {}
    match, phase = begin(name), (0, "", "")
    before = process_time()
    while (ask := match.asking) is not None:
        if isinstance(ask, Order):
            phase = ask.turn, ask.side, ask.phase
            if turns is not None and ask.turn > turns:
                break
        match.answer(bot.answer(match))
        now = process_time()
        found[phase] = found.get(phase, 0.0) + now - before
        before = now
    return found
