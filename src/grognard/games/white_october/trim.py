"""White October: what still counts of an attack when rows and dice modifiers are known."""

from grognard.games.white_october.stated import (
    Counter,
    TrimmedAttack,
    TrimmedCounter,
    WhiteOctoberFight,
    WhiteOctoberPreparation,
    steps_at_first,
)


def trim(fight: WhiteOctoberPreparation) -> WhiteOctoberFight:
    """Keep the rows of the morale, and what all else adds to the dice."""
    setup = fight.case.setup
    attackers, defenders = (
        tuple([_trimmed(unit) for unit in units]) for units in (setup.attackers, setup.defenders)
    )
    stated = TrimmedAttack(
        attackers=attackers,
        defenders=defenders,
        second_hex_allowed=setup.second_hex_allowed,
        attacker_can_retreat=setup.attacker_can_retreat,
        defender_can_retreat=setup.defender_can_retreat,
    )
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
