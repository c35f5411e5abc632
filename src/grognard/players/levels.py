"""The levels of automatic players, by name."""

from collections.abc import Mapping
from typing import Literal, get_args

from grognard.players.bot import Bot, Officer
from grognard.players.colonel import Colonel
from grognard.players.general import SECONDS, General
from grognard.players.sergeant import Sergeant
from grognard.words.message import say
from grognard.words.refusal import Refusal, near
from grognard.words.text import Text

Level = Literal["sergeant", "colonel", "general"]
LEVELS: tuple[Level, ...] = get_args(Level)
USUAL: Level = "colonel"  # the level of an opponent if none is named
NAMES: Mapping[Level, Text] = {
    "sergeant": Text("sergeant", "sergent"),
    "colonel": Text("colonel", "colonel"),
    "general": Text("general", "général"),
}
ABOUT: Mapping[Level, Text] = {
    "sergeant": Text(
        "looks at one order at a time, at once", "regarde un ordre à la fois, sans attendre"
    ),
    "colonel": Text(
        "plans all attacks of a phase together, and the moves for them",
        "planifie ensemble toutes les attaques d'une phase, et les mouvements qui y mènent",
    ),
    "general": Text(
        "makes several plans, and plays each on in thought before choosing; takes seconds",
        "fait plusieurs plans et joue chacun en pensée avant de choisir ; prend quelques secondes",
    ),
}


def level(name: str) -> Level:
    """Find a level by its name."""
    for known in LEVELS:
        if known == name:
            return known
    raise Refusal(say("there is no level '{name}'; {near}", name=name, near=near(name, LEVELS)))


def known_level(name: str) -> Level:
    """Find a level by a name that may be damaged; the usual level if there is none such."""
    return next((known for known in LEVELS if known == name), USUAL)


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
