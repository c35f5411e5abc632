"""Random cards from the whole vocabulary of results, and large fights of theirs."""

from collections.abc import Sequence
from random import Random

from grognard.card.effects import VOCABULARY
from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.rules.procedure import Game

UNITS, STEPS = 10, 6  # a side of a large fight: so many different units, each with so many steps
CHECKED = tuple(words for words in VOCABULARY if words.startswith("unit "))
SAID = tuple(words for words in VOCABULARY if words not in CHECKED)
CHOICES = {
    "rolls": ("once",),
    "losses": ("owner", "opponent", "spread"),
    "blocked": ("lost", "step a hex", "stays"),
    "stand": ("no", "step", "trade"),
    "advance": ("may", "must", "no"),
}
FAILS = ("is disrupted", "loses 1 step", "retreats 1", "is eliminated", "loses half and retreats 1")


def random_card(random: Random, results: int = 3) -> str:
    """Write a card whose table has so many results, each of one to three entries."""
    keys = "".join(f'{key} = "{random.choice(words)}"\n' for key, words in CHOICES.items())
    said = [_result(random) for _ in range(results)]
    rout = _result(random, called=True)
    again = random.choice(("nothing", "step", "eliminated"))
    return _card(said, keys, rout, again, random.choice(FAILS))


def _card(
    said: Sequence[str],
    keys: str = "",
    rout: str = "nothing",
    again: str = "nothing",
    fails: str = "is disrupted",
) -> str:
    codes = [f"R{n}" for n in range(len(said))]
    meanings = "".join(f'{code} = "{words}"\n' for code, words in zip(codes, said, strict=True))
    rows = "".join(f', ["{n + 1}", "{code}", "{code}"]' for n, code in enumerate(codes))
    return (
        f'[[procedures]]\ntable = "combat"\n{keys}\n'
        f'[[tables]]\nid = "combat"\ngrid = [["die", "1:1", "2:1"]{rows}]\n'
        f"[tables.results]\n{meanings}\n"
        '[[tables]]\nid = "rout"\ngrid = [["die", "effect"], ["1", "-"], ["4", "R"]]\n'
        f'[tables.results]\n"-" = "nothing"\nR = "{rout}"\n'
        f'[[states]]\nid = "disrupted"\nagain = "{again}"\n'
        '[[unit_fields]]\nid = "morale"\ndefault = 7\n'
        f'[[checks]]\nid = "morale"\nagainst = "morale"\nfails = "{fails}"\n'
    )


def _result(random: Random, *, called: bool = False) -> str:
    """Join entries of the vocabulary; a table that is called calls no other."""
    entries = [words for words in SAID if not (called and words.startswith("read"))]
    return " and ".join(
        random.sample([w for w in entries if " or " not in w], random.randint(1, 3))
    )


def random_game(random: Random) -> Game:
    """Make a game of a random card."""
    return game.made(game.read_card(random_card(random), "random.toml"))


def game_of(does: str, fails: str = FAILS[0]) -> Game:
    """Make a game whose table has one result."""
    return game.made(game.read_card(_card([does], fails=fails), "random.toml"))


def large_fight(rules: Game, random: Random, units: int = UNITS, steps: int = STEPS) -> Fight:
    """Let ten different units of six steps fight as many."""
    ours, theirs = (
        [
            {"name": f"{side}{n}", field: least + n, "steps": steps, "morale": 4 + n % 7}
            for n in range(units)
        ]
        for side, field, least in (("A", "attack", 4), ("D", "defence", 2))
    )
    rooms = {f"{side}_room": random.choice((None, 0, 1)) for side in ("attacker", "defender")}
    known = rules.procedure().setup.__struct_fields__
    stated = {key: room for key, room in rooms.items() if key in known and room is not None}
    return rules.fight({"attackers": ours, "defenders": theirs, **stated})
