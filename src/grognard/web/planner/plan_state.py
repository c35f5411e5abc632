"""The state of the planner's page: a plan as plain data, and what a tap changes in it."""

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Literal

import msgspec
from msgspec import Struct

from grognard.files.toml_file import converted
from grognard.rules import game
from grognard.study import player_sheet
from grognard.study.aid import PlayerSheet
from grognard.study.planner.plan_file import MOST_TARGETS
from grognard.study.tray import tray
from grognard.web.quick.shown_units import StatedJson
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang

ATTACKERS, DEFENDERS = "attackers", "defenders"
_CHOSEN = ("goal", "success", "chain", "attacker", "defender")
_CLEAR = "clear"


class PlanChange(Struct, frozen=True, forbid_unknown_fields=True):
    """One tap. `at` is where: `units`, `u2` a unit, `t0` a target, `t0d1` one of its defenders,
    `t0d1r` that defender reduced, `t0g1` a group of units with facts (`t0g` a new one), `t0n` the
    next attack."""

    do: Literal["counter", "new", "remove", "set", "word", "reach", "target", "edit", "choose"]
    at: str = ""
    name: str = ""  # of a counter, a unit, a field or a word
    field: str = ""
    value: bool | int | str | None = None


class PlanTap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The plan on the page, as a file states it; open editors; and what was tapped."""

    units: list[StatedJson] = msgspec.field(default_factory=list)
    targets: list[StatedJson] = msgspec.field(default_factory=list)
    goal: str = "each"
    success: str = "cleared"
    chain: int = 1
    attacker: str = "best"
    defender: str = "best"
    open: tuple[str, ...] = ()
    change: PlanChange | None = None


def plannable(game_id: str) -> list[PlayerSheet]:
    """Give the sheets of a game on which two sides fight."""
    loaded = game.load(game_id)
    return [
        sheet
        for sheet in player_sheet.load(game_id).sheets
        if {ATTACKERS, DEFENDERS}.issubset(
            loaded.procedure(sheet.procedure).setup.__struct_fields__
        )
    ]


def first_sight(game_id: str, procedure: str, lang: Lang) -> PlanTap:
    """State a plan to begin with: the units of the sample fight, and two targets."""
    sheet = player_sheet.load(game_id).sheet(procedure)
    example: StatedJson = msgspec.to_builtins(dict(sheet.example))
    units, defenders = example.pop(ATTACKERS, []), example.pop(DEFENDERS, [])
    example.pop("options", None)
    factor = sheet.unit_list(ATTACKERS).factor
    fighting = [str(unit.get("name")) for unit in units if not factor or unit.get(factor)]
    shared = {fact: example.pop(fact) for fact in sheet.together if fact in example}
    if shared and len(fighting) > 1:  # each target by itself would get what all units bring
        example[TOGETHER] = [{"units": fighting, **shared}]
    targets = [{"name": _target_name(1, lang), **example, DEFENDERS: defenders}]
    second = _other_defenders(game_id, procedure, defenders)
    facts = _without_extras(game_id, procedure, example)
    targets.append({"name": _target_name(2, lang), **facts, DEFENDERS: second})
    return PlanTap(units=units, targets=targets)


def _without_extras(game_id: str, procedure: str, stated: StatedJson) -> StatedJson:
    """Leave out what a side has only once, such as supply columns and air support."""
    known = player_sheet.controls(game_id, procedure)
    extras = {
        c.field for c in known.values() if not c.list and c.kind == "number" and not c.default
    }
    needed = {c.field for c in known.values() if not c.list and c.default is None}
    return deepcopy({key: one for key, one in stated.items() if key not in extras - needed})


def _target_name(number: int, lang: Lang) -> str:
    return say("Target {n}", n=number).in_(lang)


def _other_defenders(game_id: str, procedure: str, defenders: list[StatedJson]) -> list[StatedJson]:
    """Give a defender of the same army, or the same one under another name."""
    counters = tray(game.place(game_id), procedure, DEFENDERS)
    named = {str(unit.get("name")) for unit in defenders}
    armies = {counters[name].army for name in named if name in counters}
    for name, counter in counters.items():
        if counter.army in armies and name not in named and counter.unit is not None:
            return [dict(counter.unit)]
    return [{**unit, "name": f"{unit.get('name')}*"} for unit in defenders[:1]]


# ------------------------------------------------------------------ taps

_PLACE = re.compile(
    r"u(?P<unit>\d+)"
    r"|t(?P<target>\d+)(?:d(?P<defender>\d+)(?P<reduced>r)?|g(?P<group>\d+)|(?P<then>n))?"
)
TOGETHER, THEN, REDUCED = "together", "then", "reduced"


class _Named(Struct):
    name: str


class _DefenderShape(_Named):
    reduced: StatedJson = {}


class _GroupShape(Struct):
    units: list[str]


class _TargetShape(Struct):
    name: str = ""
    defenders: list[_DefenderShape] = []
    reaches: list[str | _Named] | None = None
    together: list[_GroupShape] = []
    then: StatedJson = {}


class _Shape(Struct):
    """What taps rely on; the rules read all the rest."""

    units: list[_Named] = []
    targets: list[_TargetShape] = []


class _Taps:
    """Carries out a tap on a copy of the plan."""

    def __init__(self, game_id: str, procedure: str, tap: PlanTap, lang: Lang) -> None:
        self.game_id, self.procedure, self.lang = game_id, procedure, lang
        self.state: StatedJson = msgspec.to_builtins(tap)
        self.units: list[StatedJson] = self.state.setdefault("units", [])
        self.targets: list[StatedJson] = self.state.setdefault("targets", [])

    def do(self, change: PlanChange) -> None:
        match change.do:
            case "choose" if change.field in _CHOSEN:
                self.state[change.field] = change.value
            case "target":
                self._add_target()
            case "counter":
                self._counter(change.at, change.name)
            case "new":
                self._new(change.at)
            case "remove":
                self._remove(change.at)
            case "edit":
                now = list(self.state.get("open", ()))
                self.state["open"] = [x for x in now if x != change.at] or []
                if change.at not in now:
                    self.state["open"].append(change.at)
            case "reach":
                self._reach(self._thing(change.at), change.name)
            case "set" | "word":
                self._set(change)
            case _:
                raise _unknown(change.at)

    def _list(self, at: str) -> tuple[list[StatedJson], str]:
        """Give a list of units by its place, and its name on the sheet."""
        if at == "units":
            return self.units, ATTACKERS
        listed: list[StatedJson] = self._thing(at).setdefault(DEFENDERS, [])
        return listed, DEFENDERS

    def _thing(self, at: str) -> StatedJson:
        """Give a unit, a target or a defender by its place."""
        found = _PLACE.fullmatch(at)
        try:
            if found and found["unit"]:
                return self.units[int(found["unit"])]
            if found:
                return _in_target(self.targets[int(found["target"])], found)
        except (LookupError, TypeError):
            pass
        raise _unknown(at)

    def _add_target(self) -> None:
        if len(self.targets) >= MOST_TARGETS:
            raise Refusal(say("at most {n} targets", n=MOST_TARGETS))
        names = {target.get("name") for target in self.targets}
        numbers = range(1, len(names) + 2)
        free = next(n for n in map(self._named, numbers) if n not in names)
        facts = {
            key: value
            for key, value in (self.targets[-1] if self.targets else {}).items()
            if key not in ("name", "value", "reaches", TOGETHER, THEN, DEFENDERS)
        }
        self.targets.append({"name": free, **facts, DEFENDERS: []})

    def _add_group(self, target: StatedJson) -> None:
        """Add facts that hold if units attack together: at first all that reach the target."""
        names = [str(unit.get("name")) for unit in self.units]
        reaching_ = [reaching(entry) for entry in target.get("reaches", names)]
        if len(reaching_) < 2:
            raise Refusal(say("only one unit reaches this target; none attacks together with it"))
        target.setdefault(TOGETHER, []).append({"units": reaching_})

    def _named(self, number: int) -> str:
        return _target_name(number, self.lang)

    def _counter(self, at: str, name: str) -> None:
        """Put a counter of the tray into a list, or take it out again."""
        listed, list_ = self._list(at)
        there = [number for number, unit in enumerate(listed) if unit.get("name") == name]
        if there:
            self._remove(f"u{there[0]}" if at == "units" else f"{at}d{there[0]}")
            return
        counter = tray(game.place(self.game_id), self.procedure, list_).get(name)
        if counter is None or counter.unit is None:
            raise _unknown(name)
        listed.append(dict(counter.unit))

    def _new(self, at: str) -> None:
        """Add a unit that no counter of the game has, or a group."""
        if at.endswith("g"):
            self._add_group(self._thing(at.removesuffix("g")))
            return
        listed, list_ = self._list(at)
        units = player_sheet.load(self.game_id).sheet(self.procedure).unit_list(list_)
        names = {unit.get("name") for group in self._lists() for unit in group}
        label = units.text.in_(self.lang)
        name = next(n for n in (f"{label} {k}" for k in range(1, 1000)) if n not in names)
        factor = {units.factor: 1} if units.factor else {}
        listed.append({"name": name, **dict(units.new), **factor})
        place = len(listed) - 1
        opened = f"u{place}" if at == "units" else f"{at}d{place}"
        self.state["open"] = [*self.state.get("open", ()), opened]

    def _lists(self) -> list[list[StatedJson]]:
        return [self.units, *(target.get(DEFENDERS, []) for target in self.targets)]

    def _remove(self, at: str) -> None:
        thing = self._thing(at)
        groups = [target.get(TOGETHER, []) for target in self.targets]
        for listed in (self.units, self.targets, *self._lists()[1:], *groups):
            place = next((n for n, one in enumerate(listed) if one is thing), None)
            if place is not None:
                del listed[place]
        if at.startswith("u"):
            for target in self.targets:
                if (reaches := target.get("reaches")) is not None:
                    target["reaches"] = [r for r in reaches if reaching(r) != thing.get("name")]
                self._regroup(target, lambda name: None if name == thing.get("name") else name)
        self.state["open"] = []  # the numbers of the others have changed

    def _regroup(self, target: StatedJson, named: Callable[[str], str | None]) -> None:
        """Name the units of groups anew; a group of one unit is none."""
        for group in target.get(TOGETHER, ()):
            group["units"] = [name for one in group["units"] if (name := named(one)) is not None]
        if TOGETHER in target:
            target[TOGETHER] = [one for one in target[TOGETHER] if len(one["units"]) > 1]

    def _reach(self, target: StatedJson, name: str) -> None:
        names = [str(unit.get("name")) for unit in self.units]
        now = {reaching(entry): entry for entry in target.get("reaches", names)}
        after = [now.get(one, one) for one in names if (one in now) != (one == name)]
        target["reaches"] = after
        if after == names:
            del target["reaches"]

    def _set(self, change: PlanChange) -> None:
        thing, field, value = self._thing(change.at), change.field, change.value
        if field in (DEFENDERS, "reaches", TOGETHER, THEN, REDUCED):
            raise _unknown(field)
        if change.do == "word":
            base = self._base(change.at)
            value_ = self._words({**base, **thing}, field, change.name, on=bool(value))
            thing.pop(field, None)
            thing.update({field: value_} if value_ or field in base else {})
            return
        before = thing.get("name")
        if value is None or (value == "" and field != "name"):
            thing.pop(field, None)
        else:
            thing[field] = value
        if field == "name" and change.at.startswith("u"):
            for target in self.targets:
                if (reaches := target.get("reaches")) is not None:
                    target["reaches"] = [_renamed(r, before, value) for r in reaches]
                self._regroup(target, lambda one: str(value) if one == before else one)

    def _base(self, at: str) -> StatedJson:
        """Give what a place changes: of a reduced defender the whole one, of a group of units or
        the next attack the target; of all others nothing."""
        found = _PLACE.fullmatch(at)
        if found and found["reduced"]:
            return self._thing(at.removesuffix("r"))
        if found and (found["group"] or found["then"]):
            return self._thing(f"t{found['target']}")
        return {}

    def _words(self, thing: StatedJson, field: str, word: str, *, on: bool) -> list[str]:
        now = thing.get(field) or []
        kept = [one for one in now if one != word and not (on and one == _CLEAR)]
        return [*kept, word] if on else kept


def _in_target(target: StatedJson, place: re.Match[str]) -> StatedJson:
    """Give a part of a target, or the whole."""
    found = target
    if place["then"]:
        found = target.setdefault(THEN, {})
    elif place["group"]:
        found = target[TOGETHER][int(place["group"])]
    elif place["defender"]:
        found = target[DEFENDERS][int(place["defender"])]
        if place["reduced"]:
            found = found.setdefault(REDUCED, {})
    return found


def reaching(entry: str | StatedJson) -> str:
    """Give the name of a unit that reaches a target: alone, or with fields that differ there."""
    return entry if isinstance(entry, str) else str(entry["name"])


def _renamed(entry: str | StatedJson, before: object, name: object) -> object:
    """Give an entry of `reaches` after a unit has got another name."""
    if reaching(entry) != before:
        return entry
    return name if isinstance(entry, str) else {**entry, "name": name}


def _unknown(what: str) -> Refusal:
    return Refusal(say("there is no '{word}' to tap", word=what))


def tapped(game_id: str, procedure: str, tap: PlanTap, lang: Lang) -> PlanTap:
    """Carry out a tap."""
    converted(msgspec.to_builtins(tap), _Shape)
    if tap.change is None:
        return tap
    taps = _Taps(game_id, procedure, tap, lang)
    taps.do(tap.change)
    taps.state.pop("change", None)
    return converted(taps.state, PlanTap)


def as_plan(game_id: str, procedure: str, tap: PlanTap) -> Mapping[str, object]:
    """Give the plan on the page as a plan file states it."""
    state: StatedJson = msgspec.to_builtins(tap)
    kept = {key: value for key, value in state.items() if key not in ("open", "change")}
    return {"game": game_id, "procedure": procedure, **kept}
