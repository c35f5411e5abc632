"""White October: what of an attack still counts when rows and dice modifiers are known."""

from msgspec.structs import replace

from grognard.card.rows import SIDES
from grognard.games.white_october.stated import Counter, WhiteOctoberFight, steps_at_first

# What has done its work when rows and dice modifiers are known, as if it had not been stated.
RECKONED = {
    "attacker_air": False,
    "night": False,
    "attacker_is_ano": False,
    "hq_bonus": 0,
    "clear_terrain": False,
    "terrain_value": 0,
    **{f"{side}_support": 0 for side in SIDES},
    **{f"{side}_encircled": False for side in SIDES},
    **{f"{side}_trotsky": False for side in SIDES},
    **{f"{side}_quality": None for side in SIDES},
    **{f"{side}_morale": None for side in SIDES},
}
RECKONED_OF_UNITS = {
    "pe": 0,
    "strength": 0,
    "quality": 0,
    "morale": 0,
    "combat": True,
    "tank": False,
    "armoured_car": False,
    "cavalry": False,
    "out_of_ammunition": False,
}


def plain(fight: WhiteOctoberFight) -> WhiteOctoberFight:
    """Before the dice: of the morale its row is left, of all else what it adds to the dice."""
    setup = fight.case.setup
    attackers, defenders = (
        tuple(map(_plain_unit, units)) for units in (setup.attackers, setup.defenders)
    )
    stated = replace(setup, **RECKONED, attackers=attackers, defenders=defenders)
    return replace(
        fight, case=fight.case.restated(stated), attackers=attackers, defenders=defenders
    )


def _plain_unit(unit: Counter) -> Counter:
    return replace(unit, **RECKONED_OF_UNITS, steps=steps_at_first(unit))


def moved(fight: WhiteOctoberFight, columns: int, die: int) -> WhiteOctoberFight:  # noqa: ARG001  # as procedures call it
    """Give the attack with more added to the dice: they alone choose the column."""
    return replace(fight, die_modifier=fight.die_modifier + die)
