"""The levels of automatic players, by name."""

from collections.abc import Mapping
from typing import Literal, get_args

from grognard.players.bot import Bot, Officer
from grognard.players.colonel import Colonel
from grognard.players.general import SECONDS, General
from grognard.players.sergeant import Sergeant
from grognard.words.message import say
from grognard.words.refusal import Refusal, near

Level = Literal["sergeant", "colonel", "general"]
LEVELS: tuple[Level, ...] = get_args(Level)
USUAL: Level = "colonel"  # the level of an opponent if none is named


def level(name: str) -> Level:
    """Find a level by its name."""
    for known in LEVELS:
        if known == name:
            return known
    raise Refusal(say("there is no level '{name}'; {near}", name=name, near=near(name, LEVELS)))


def automatic_player(seed: int, of: Level = USUAL, seconds: float = SECONDS) -> Bot:
    """Make an automatic player; a general plans for so many seconds a phase."""
    return Bot(seed, _officer(of, seed, seconds))


def _officer(of: Level, seed: int, seconds: float) -> Officer:
    match of:
        case "sergeant":
            return Sergeant()
        case "colonel":
            return Colonel()
        case "general":
            return General(seed, seconds)


def players_for(levels: Mapping[str, Level], seed: int, seconds: float = SECONDS) -> dict[str, Bot]:
    """Make a player of a level for each side; the same seed gives the same match."""
    return {
        side: automatic_player(seed + place, of, seconds)
        for place, (side, of) in enumerate(levels.items())
    }
