"""White October: what still counts of an attack when rows and dice modifiers are known."""

from grognard.games.white_october.stated import (
    Counter,
    TrimmedAttack,
    TrimmedCounter,
    WhiteOctoberFight,
    WhiteOctoberPreparation,
    steps_at_first,
)
from grognard.rules.trimming import kept


def trim(fight: WhiteOctoberPreparation) -> WhiteOctoberFight:
    """Keep the rows of the morale, and what all else adds to the dice."""
    setup = fight.case.setup
    attackers, defenders = (
        tuple([_trimmed(unit) for unit in units]) for units in (setup.attackers, setup.defenders)
    )
    stated = kept(setup, TrimmedAttack, attackers=attackers, defenders=defenders)
    return WhiteOctoberFight(
        case=fight.case.restated(stated),
        attackers=attackers,
        defenders=defenders,
        rows=fight.rows,
        die_modifier=fight.die_modifier,
        mandatory=fight.mandatory,
    )


def _trimmed(unit: Counter) -> TrimmedCounter:
    return TrimmedCounter(
        name=unit.name,
        steps=steps_at_first(unit),
        routed=unit.routed,
        disorganised=unit.disorganised,
    )
