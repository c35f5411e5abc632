"""Small cards with one result, and fights on them."""

from grognard.rules import game
from grognard.rules.fight import Fight, Outcome
from grognard.rules.procedure import Game

SURE = 'grid = [["die", "1:2", "1:1", "2:1"], ["1-6", "R", "R", "R"]]'


def made(does: str, procedure: str = "", table: str = SURE, rest: str = "") -> Game:
    """Make a game whose table has one result."""
    text = (
        f'[[procedures]]\n{procedure}\n[[tables]]\n{table}\n[tables.results]\nR = "{does}"\n{rest}'
    )
    return game.made(game.read_card(text, "small.toml"))


def units(side: str, *stated: tuple[int, int]) -> list[dict[str, object]]:
    """State units by strength and steps."""
    field = "attack" if side == "attackers" else "defence"
    return [
        {"name": f"{side[0]}{n}", field: strength, "steps": steps}
        for n, (strength, steps) in enumerate(stated)
    ]


def fight(
    rules: Game,
    ours: tuple[tuple[int, int], ...] = ((4, 2),),
    theirs: tuple[tuple[int, int], ...] = ((4, 2),),
    room: int | None = None,
) -> Fight:
    """Let units fight, stated by strength and steps; the defender has so many hexes of room."""
    stated: dict[str, object] = {} if room is None else {"defender_room": room}
    stated["attackers"] = units("attackers", *ours)
    stated["defenders"] = units("defenders", *theirs)
    return rules.fight(stated)


def only(of: Fight, attacker: str = "best", defender: str = "best") -> Outcome:
    """Give the only outcome of a fight."""
    ((outcome, chance),) = of.odds(attacker, defender).outcomes()
    assert chance == 1
    return outcome
