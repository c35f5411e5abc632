"""Bautzen 1945, 8.6.3: an attack on logistic columns alone in a hex."""

from typing import Literal

from msgspec.structs import replace

from grognard.games.bautzen.stated import BautzenFight, only_columns
from grognard.rules.ask import Asking, roll
from grognard.rules.fight import with_unit
from grognard.rules.rolls import code_at, row_at


def columns_alone(fight: BautzenFight) -> Asking[BautzenFight]:
    """8.6.3: no combat; a die for each logistic column that stands alone in the hex."""
    if not only_columns(fight.defenders):
        return fight
    case, table = fight.case, fight.case.card.table("cl-fate")
    room = case.setup.cl_room
    fates: list[str] = []
    for unit in fight.defenders:
        if unit.kind != "cl" or unit.at_distance:
            continue
        die = yield from roll("cl-roll", 1, "8.6.3", unit=unit.name)
        row, fate = row_at(table, die), code_at(table, die)
        yield case.tell("lookup", "look-up-row", "8.6.3", value=fate, of=table.id, row=row)
        if fate == "C" and fates.count("C") >= room:
            yield case.tell("limit", "cl-full", "7.2", side="attacker", value=room)
            fate = "D"
        fates.append(fate)
        phrase = "cl-captured" if fate == "C" else "cl-destroyed"
        kind: Literal["captured", "eliminated"] = "captured" if fate == "C" else "eliminated"
        yield case.tell(kind, phrase, "8.6.3", side="defender", unit=unit.name)
        fight = with_unit(fight, "defender", replace(unit, steps=0))
    return replace(fight, fates=tuple(fates), result="+".join(fates))
