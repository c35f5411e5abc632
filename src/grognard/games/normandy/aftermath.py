"""Normandy '44: the retreat (13), the advance after combat (14), and the Reserve."""

from msgspec.structs import replace

from grognard.games.normandy.stated import (
    NormandyFight,
    TrimmedAttack,
    TrimmedAttacker,
    effect,
    one_step_engaged,
    surviving,
    vacated,
)
from grognard.rules.ask import Asking, choose
from grognard.rules.fight import Case, alive
from grognard.rules.losses import lose_steps

# ------------------------------------------------------------------ retreat


def go_back(fight: NormandyFight) -> Asking[NormandyFight]:
    """13: the defenders that are left go back as far as the result says."""
    case, values, names = fight.case, effect(fight), surviving(fight)
    if not values["retreat"] or not names:
        return fight
    if not case.setup.can_retreat:
        return (yield from _cannot_retreat(fight))
    hexes = yield from _stopped(case, int(values["retreat"]))
    yield case.tell("retreat", "retreats", "13", side="defender", value=hexes)
    disorganised = values["disorganised"] or case.options["disorganised_two_hexes"] == "yes"
    if disorganised:
        for name in names:
            yield case.tell("state", "is-disorganised", side="defender", unit=name)
    return replace(fight, retreated=hexes, disorganised=bool(disorganised))


def _cannot_retreat(fight: NormandyFight) -> Asking[NormandyFight]:
    every = fight.case.options["cannot_retreat"] == "eliminated"
    yield fight.case.tell("remark", "cannot-retreat", "13", side="defender")
    for unit in alive(fight.defenders):
        lost = unit.steps if every else 1
        fight = yield from lose_steps(fight, "defender", unit.name, "13", lost=lost)
    return fight


def _stopped(case: Case[TrimmedAttack], hexes: int) -> Asking[int]:
    """13.3: terrain on the way may, or must, end the retreat before its full length."""
    rows = map(case.card.terrain_row, case.setup.retreat_path[: hexes - 1])
    stops = [place for place, row in enumerate(rows, 1) if row.values.get("retreat_stop")]
    if stops and case.options["retreat_stop"] == "must":
        return stops[0]
    return (yield from choose("defender", "retreat-hexes", (hexes, *stops), "13.3"))


# ------------------------------------------------------------------ advance, reserve


def advance(fight: NormandyFight) -> Asking[NormandyFight]:
    """14: each attacker that is left advances into the hex, goes into Reserve, or stays."""
    values = effect(fight)
    enter, reserve = _open(fight, str(values["advance"])), bool(values["reserve"])
    if not (enter or reserve):
        return fight
    limited = values["advance"] == "limited"
    for unit in alive(fight.attackers):
        way = yield from _choose_way(fight, unit, enter=enter, reserve=reserve)
        if way == "advance" and (limited or unit.advance == "first-hex"):
            yield fight.case.tell("remark", "advance-ends", "14.4", side="attacker", unit=unit.name)
        taken, reserved = fight.taken or way == "advance", fight.reserve or way == "reserve"
        fight = replace(fight, taken=taken, reserve=reserved)
    if enter and not fight.taken:
        yield fight.case.tell("remark", "nobody-advances", "14", side="attacker")
    return fight


def _open(fight: NormandyFight, advance: str) -> bool:
    """Tell whether the hex is empty and the result lets the attacker in."""
    if advance == "none" or (advance == "limited" and not one_step_engaged(fight)):
        return False
    return vacated(fight)


def _choose_way(
    fight: NormandyFight, unit: TrimmedAttacker, *, enter: bool, reserve: bool
) -> Asking[str]:
    case, ways = fight.case, ["stay"]
    if reserve:
        ways.insert(0, "reserve")
    if enter and unit.advance != "barred":
        ways.insert(0, "advance")
    # What another unit has done already changes nothing any more.
    done = {"advance": fight.taken, "reserve": fight.reserve, "stay": True}
    alike = [True if done[way] else way for way in ways]
    way = yield from choose("attacker", "after-combat", ways, "14", alike, unit=unit.name)
    if way == "advance":
        yield case.tell("advance", "advances", "14", side="attacker", unit=unit.name)
    elif way == "reserve":
        yield case.tell("state", "into-reserve", side="attacker", unit=unit.name)
    return way
