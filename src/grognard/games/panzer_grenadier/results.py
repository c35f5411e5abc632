"""Panzer Grenadier, 6.5, 7.61, 14.1: step losses, leaders and morale checks."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from grognard.card.card import Card
from grognard.card.dice import Dice
from grognard.card.rows import CERTAIN, Reading
from grognard.games.panzer_grenadier.stated import (
    STATES,
    TRANSPORT,
    Check,
    DirectFight,
    F,
    FireFight,
    Hit,
    P,
    State,
    Target,
    TrimmedFire,
    TrimmedTarget,
    is_combat_unit,
    still_there,
)
from grognard.rules.ask import Asking, Later, choose, roll
from grognard.rules.fight import Case, with_unit
from grognard.rules.kept import kept, told_once
from grognard.rules.line import Line, row_line
from grognard.rules.losses import lose_steps, spreads
from grognard.rules.modifiers import modified
from grognard.rules.rolls import bands, cell_line, row_at

# ------------------------------------------------------------------ 7.61 losses

Placed = frozenset[tuple[tuple[TrimmedTarget, int], int]]


def losses(fight: DirectFight) -> Asking[DirectFight]:
    """7.61: each result takes its steps, from units on its own column; then who must check."""
    legend = fight.case.card.table("direct-fire").legend
    for hit in fight.hits:
        values = legend[hit.code].values
        if count := int(values["steps"]):
            units = still_there(fight, hit.places)
            soft = [u for u in units if is_combat_unit(u) and u.kind != "afv-closed"]
            fight = yield from _lose_among(fight, soft, count, int(values.get("open_top_steps", 0)))
            transport = [u for u in units if u.kind in TRANSPORT]
            fight = yield from _lose_among(fight, transport, count)
    yield from _exempt(fight)
    checks = tuple(check for hit in fight.hits for check in _called(fight, hit))
    return (yield from must_check(replace(fight, hits=()), checks))


def _lose_among(
    fight: DirectFight, takers: list[TrimmedTarget], count: int, open_top: int = 0
) -> Asking[DirectFight]:
    """7.61: the owner places the steps within a category; a missing one is ignored."""
    if not takers:
        return fight
    options = placements(takers, count, open_top, fight.case.options["step_losses"])
    chosen = yield from choose("defender", "who-loses", options, "7.61", count=str(count))
    for name in dict.fromkeys(chosen):
        fight = yield from lose_steps(fight, "defender", name, "7.61", lost=chosen.count(name))
    return fight


def placements(
    takers: list[TrimmedTarget], count: int, open_top: int, way: str
) -> list[tuple[str, ...]]:
    """7.61: how the steps may be placed, some of them on an open-top AFV if there is one.

    Units that differ in nothing but their name are the same to the rules: of such ways only the
    first is offered.
    """
    if way == "one_unit":
        ways = [(unit.name,) * min(count, unit.steps) for unit in takers]
    else:
        most = {unit.name: 1 if way == "one_each" else unit.steps for unit in takers}
        ways = spreads(most, count)
    open_tops = {unit.name for unit in takers if unit.kind == "afv-open"}
    if open_tops:
        ways = [names for names in ways if sum(name in open_tops for name in names) >= open_top]
    like = {unit.name: replace(unit, name="") for unit in takers}
    different: dict[Placed, tuple[str, ...]] = {}
    for names in ways:
        different.setdefault(_placed(names, like), names)
    return list(different.values())


def _placed(names: tuple[str, ...], like: Mapping[str, TrimmedTarget]) -> Placed:
    """Give how many units of which kind lose how many steps."""
    each = {name: names.count(name) for name in names}
    return frozenset(Counter((like[name], lost) for name, lost in each.items()).items())


def _exempt(fight: DirectFight) -> Asking[None]:
    """14.1: tell of leaders and trucks that would check by the other reading."""
    case, legend = fight.case, fight.case.card.table("direct-fire").legend
    for hit in fight.hits:
        values = legend[hit.code].values
        for unit in still_there(fight, hit.places) if values["check"] else ():
            spared = {"leader": "leaders_check", "truck": "trucks_check"}.get(unit.kind, "")
            by_all = unit.kind == "truck" and "other_check" in values  # X makes all units check
            if spared and not by_all and case.options[spared] == "exempt":
                yield case.tell(
                    "note",
                    "need-not-check",
                    "14.1",
                    side="defender",
                    unit=unit.name,
                    reading=case.doubt(spared),
                )


def _called(fight: DirectFight, hit: Hit) -> Iterator[Check]:
    """14.1, 7.61: who checks morale after a result, and what is added to the dice."""
    options = fight.case.options
    values = fight.case.card.table("direct-fire").legend[hit.code].values
    if not values["check"]:
        return
    for unit in still_there(fight, hit.places):
        if unit.kind == "leader" and options["leaders_check"] == "exempt":
            continue
        if "other_check" in values:
            key = "closed_top_check" if unit.kind == "afv-closed" else "other_check"
            yield check_of(fight, unit, int(values.get(key, 0)))
        elif not unit.armoured and (unit.kind != "truck" or options["trucks_check"] == "check"):
            yield check_of(fight, unit, int(values.get("check_modifier", 0)))


# ------------------------------------------------------------------ 6.5, 14.1 morale

PASSED: Literal["passed"] = "passed"


def leaders(fight: P) -> Asking[P]:
    """6.5: leaders in or next to the hex help the morale of its units."""
    return replace(fight, bonus=(yield from _bonus(fight.case, fight.defenders)))


@told_once
def _bonus(case: Case[Any], targets: tuple[Target, ...]) -> Asking[int]:
    helping = [u for u in targets if u.bonus and u.state != "demoralised"]
    if helping and case.options["leader_bonus"] == "best":
        helping = [max(helping, key=lambda leader: leader.bonus)]
    reading = case.card.number_row("leader_reach").reading
    for leader in helping:
        yield case.tell(
            "note",
            "leader-bonus",
            "6.5",
            side="defender",
            unit=leader.name,
            value=leader.bonus,
            changes="leaders",
            reading=reading,
        )
    return sum(leader.bonus for leader in helping)


def check_of(fight: FireFight, unit: TrimmedTarget, added: int) -> Check:
    """14.1, 6.5: a unit's check to come, with the leaders' bonus on its morale."""
    morale = unit.morale + _help(fight, unit)
    if unit.state == "demoralised":
        morale += int(fight.case.card.number("demoralised_morale"))
    return Check(fight.defenders.index(unit), added, morale)


def _help(fight: FireFight, unit: TrimmedTarget) -> int:
    """6.5: what leaders add to the morale of a unit; to that of other leaders only by option."""
    helped = unit.kind != "leader" or fight.case.options["leaders_helped"] == "yes"
    return fight.bonus if helped else 0


def must_check(fight: F, checks: tuple[Check, ...]) -> Asking[F]:
    """14.1: announce the checks to come."""
    case, table = fight.case, fight.case.card.table("morale-check")
    if checks:
        yield case.tell("note", "check-rule", "14.1", side="defender", reading=table.reading)
    for check in checks:
        unit = fight.defenders[check.place]
        certain = unit.kind != "leader" and unit.state != "demoralised"
        yield Later(partial(_must_check, fight, check), certain=certain)
    return replace(fight, checks=checks)


def _must_check(fight: FireFight, check: Check) -> Iterator[Line]:
    """14.1: tell the morale of a check to come, and what is added to its dice."""
    case, (place, added, morale) = fight.case, check
    unit = fight.defenders[place]
    yield from _morale_changes(fight, unit)
    yield case.tell(
        "total",
        "must-check",
        "14.1",
        side="defender",
        unit=unit.name,
        value=morale,
        of="morale",
        reading=_leader_doubt(case.card) if unit.kind == "leader" else CERTAIN,
        printed=unit.morale,
    )
    if added:
        yield case.tell(
            "modifier", "result-adds", "14.1", unit=unit.name, value=added, changes="roll"
        )


def _morale_changes(fight: FireFight, unit: TrimmedTarget) -> Iterator[Line]:
    """Tell what raises or lowers a unit's own morale."""
    case = fight.case
    doubt = case.doubt("leaders_helped") if unit.kind == "leader" else CERTAIN
    if bonus := _help(fight, unit):
        yield case.tell(
            "modifier",
            "leaders-help",
            "6.5",
            side="defender",
            unit=unit.name,
            value=bonus,
            of="leaders",
            changes="morale",
            reading=doubt,
        )
    elif fight.bonus:
        yield case.tell(
            "note", "leader-unhelped", "6.5", side="defender", unit=unit.name, reading=doubt
        )
    if unit.state == "demoralised":
        row = case.card.number_row("demoralised_morale")
        lowered = int(row.value)
        yield row_line("modifier", row, lowered, changes="morale", side="defender", unit=unit.name)


def _leader_doubt(card: Card) -> Reading:
    return next(row.reading for row in card.unit_classes if row.id == "leader")


def morale_checks(fight: F) -> Asking[F]:
    """14.1: two dice for each unit that must check, one unit a run."""
    if not fight.checks:
        return fight
    check = fight.checks[0]
    unit = fight.defenders[check.place]
    bands = _bands(fight.case, unit.state, check)
    dice = yield from roll("morale-roll", 2, "14.1", bands=bands, side="defender", unit=unit.name)
    checked = _checked(fight.case, unit.name, unit.state, check, dice)
    yield checked.lines
    if checked.state != unit.state:
        fight = with_unit(fight, "defender", replace(unit, state=checked.state))
    rest = fight.checks[1:]
    return replace(fight, checks=rest, pending=("morale-check",) * len(rest))


@kept
def _bands(case: Case[TrimmedFire], state: State, check: Check) -> tuple[int, ...]:
    """14.1: the sums from which a check ends otherwise; between them the same follows."""
    over = check.added - check.morale
    return bands(Dice(2), lambda rolled: _exceeded(case, rolled + over, state)[0])


class Checked(NamedTuple):
    """What a morale check makes of a unit, and the lines that tell it."""

    state: State
    lines: tuple[Line, ...]


@kept
def _checked(case: Case[TrimmedFire], name: str, state: State, check: Check, dice: int) -> Checked:
    """14.1: read a morale check. Exact odds meet each check many times over, so it is kept."""
    against = dice + check.added
    over = against - check.morale
    code, row = _exceeded(case, over, state)
    lines = [
        *modified(case, dice, check.added, "14.1", unit=name),
        case.tell(
            "total",
            "against-morale",
            "14.1",
            side="defender",
            unit=name,
            value=over,
            of="excess",
            roll=against,
            morale=check.morale,
        ),
        _look_up_check(case, name, state, code, row),
    ]
    if code == PASSED:
        return Checked(state, tuple(lines))
    lines.append(case.tell("state", f"check-{code}", "14.1", side="defender", unit=name))
    return Checked(code, tuple(lines))


def _look_up_check(case: Case[TrimmedFire], name: str, state: State, code: str, row: str) -> Line:
    table = case.card.table("morale-check")
    return cell_line(
        case,
        table,
        row,
        state,
        code,
        "14.1",
        kind="result" if code == PASSED else "lookup",
        phrase="check-passed" if code == PASSED else "exceeded",
        side="defender",
        unit=name,
        effect=table.legend[code].text,
    )


@kept
def _exceeded(
    case: Case[TrimmedFire], over: int, state: State
) -> tuple[Literal["passed"] | State, str]:
    """14.1: what the table says of a roll that is so much over the morale, and in which row."""
    table = case.card.table("morale-check")
    row = row_at(table, over)
    code = table.read(row, state, case.options).options[0][0]
    return next((after for after in STATES if after == code), PASSED), row
