"""Reading fights from TOML or JSON files; errors name file, line and key."""

from typing import NamedTuple

from grognard.files.source import Source
from grognard.rules import game
from grognard.rules.fight import Fight
from grognard.words.message import say
from grognard.words.refusal import Refusal, shown


def read_fight(source: Source) -> Fight:
    """Set up the fight that a file states."""
    data = source.data()
    with source.placing():
        return stated_fight(data)


class FightParts(NamedTuple):
    """The parts of a fight in a file: game, procedure, options; the rest is the set-up."""

    game: str
    procedure: str | None
    options: dict[str, object]
    setup: dict[str, object]

    def chosen(self) -> dict[str, str]:
        """Give the options; refuse values that are not strings."""
        chosen = {id_: choice for id_, choice in self.options.items() if isinstance(choice, str)}
        if len(chosen) < len(self.options):
            raise no_options()
        return chosen


def fight_parts(data: dict[str, object]) -> FightParts:
    """Split a fight into `game`, `procedure`, `options` and the set-up."""
    setup = dict(data)
    game_id = _word(setup, "game")
    if game_id is None:
        raise Refusal(say("the key 'game' is missing; known: {ids}", ids=", ".join(game.ids())))
    procedure = _word(setup, "procedure")
    options = setup.pop("options", {})
    if not isinstance(options, dict):
        raise no_options()
    return FightParts(game_id, procedure, options, setup)


def stated_fight(data: dict[str, object]) -> Fight:
    """Set up a fight from its parts in a mapping."""
    parts = fight_parts(data)
    rules = game.load(parts.game)
    return rules.fight(parts.setup, procedure=parts.procedure, options=parts.chosen())


def no_options() -> Refusal:
    """Make the refusal of options that are not pairs of strings."""
    return Refusal(say('options are pairs such as ratio_clamp = "after"'), place="options")


def _word(stated: dict[str, object], key: str) -> str | None:
    value = stated.pop(key, None)
    if value is not None and not isinstance(value, str):
        raise Refusal(say("expected a name, found {found}", found=shown(value)), place=key)
    return value
