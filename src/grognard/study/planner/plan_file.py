"""Plan files: units, targets, who reaches whom, and what the player wants."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Annotated, Any, Literal, cast

from msgspec import Meta, Struct

from grognard.fights.doctrine import doctrine
from grognard.fights.fight_file import fight_parts
from grognard.files.source import Source
from grognard.files.toml_file import converted
from grognard.files.value_path import ValuePath, parsed, written
from grognard.rules import game
from grognard.rules.fight import Name
from grognard.rules.procedure import Game
from grognard.words.message import say
from grognard.words.refusal import Refusal, near

Goal = Literal["each", "all", "one", "losses"]
Success = Literal["cleared", "taken", "eliminated"]
GOALS: tuple[Goal, ...] = ("each", "all", "one", "losses")
Stated = dict[str, Any]
NOTHING: Mapping[str, object] = MappingProxyType({})
MOST_UNITS = 24
MOST_TARGETS = 12
_TARGET_KEYS = ("name", "value", "reaches", "together", "then")


class _Head(Struct, forbid_unknown_fields=True, kw_only=True):
    """The keys of a plan file besides game, procedure and options."""

    goal: Goal = "each"
    success: Success = "cleared"
    chain: Annotated[int, Meta(ge=1, le=3)] = 1
    attacker: str = "best"
    defender: str = "best"
    facts: Stated = {}
    units: Annotated[list[Stated], Meta(min_length=1, max_length=MOST_UNITS)]
    targets: Annotated[list[Stated], Meta(min_length=1, max_length=MOST_TARGETS)]


class PlanBody(_Head, kw_only=True):
    """A plan, as a file states it: units, targets with their defenders and facts, and the goal."""

    game: str
    procedure: str | None = None
    options: dict[str, str] = {}

    def plan(self) -> "Plan":
        """Make the plan; refused with the place of what is wrong."""
        stated = {key: getattr(self, key) for key in self.__struct_fields__}
        return stated_plan({key: value for key, value in stated.items() if value is not None})


class _TargetHead(Struct, forbid_unknown_fields=True, kw_only=True):
    """The keys of a target that are no facts of a fight."""

    name: Name
    value: Annotated[int, Meta(ge=1, le=1000)] = 1
    reaches: list[str | Stated] | None = None
    together: list[Stated] = []
    then: Stated = {}


class _Named(Struct):
    name: Name


class _Group(Struct):
    units: Annotated[list[str], Meta(min_length=2)]


class Target(Struct, frozen=True, eq=False):
    """A target: its fight as stated, and who can attack it."""

    name: str
    value: int
    stated: Mapping[str, object]  # facts and defenders, as in a fight file
    reaches: Mapping[str, Mapping[str, object]]  # unit -> its fields that differ here
    together: tuple[tuple[frozenset[str], Mapping[str, object]], ...]  # units -> facts
    then: Mapping[str, object]  # facts that differ from the second attack on
    reduced: Mapping[str, Mapping[str, object]]  # defender -> its fields once it has lost a step
    shared: frozenset[str]  # facts that are stated for all targets together

    def worn(
        self, names: Collection[str], defenders: Iterable[Stated] | None = None
    ) -> list[Stated]:
        """Give the defenders, those named with the fields of their reduced sides."""
        listed = cast("list[Stated]", self.stated["defenders"]) if defenders is None else defenders
        return [
            {**unit, **(self.reduced[name] if (name := str(unit["name"])) in names else {})}
            for unit in listed
        ]


class Plan(Struct, frozen=True, eq=False):
    """What is to be planned."""

    game: Game
    procedure: str
    options: Mapping[str, str]
    goal: Goal
    success: Success
    chain: int  # attacks on one target, one after the other, at most
    attacker: str  # doctrines
    defender: str
    units: Mapping[str, Mapping[str, object]]
    targets: tuple[Target, ...]

    def stated(self, target: Target, names: Iterable[str], left: Mapping[str, object]) -> Stated:
        """State the attack of some units on what is there of a target."""
        attacking = tuple(names)
        facts: Stated = dict(left)
        for needed, more in target.together:
            if needed.issubset(attacking):
                facts.update(more)
        facts["attackers"] = [{**self.units[name], **target.reaches[name]} for name in attacking]
        return facts

    @contextmanager
    def placing(
        self, target: Target, names: Iterable[str], then: Mapping[str, object] = NOTHING
    ) -> Iterator[None]:
        """Put the place in the plan before a refusal of a fight of these units."""
        try:
            yield
        except Refusal as refusal:
            place = self._place(target, tuple(names), then, parsed(refusal.place))
            raise Refusal(refusal.problem, place=written(place)) from None

    def _place(
        self, target: Target, names: tuple[str, ...], then: Mapping[str, object], path: ValuePath
    ) -> ValuePath:
        here: ValuePath = ("targets", self.targets.index(target))
        match path:
            case "attackers", int(number), *rest if number < len(names):
                return ("units", list(self.units).index(names[number]), *rest)
            case ("attackers", *_):
                return here
            case key, *_ if key in target.shared:
                return ("facts", *path)
            case key, *_ if key in then and key in target.then:
                return (*here, "then", *path)
        return (*here, *path)


def read_plan(source: Source) -> Plan:
    """Read a plan file; a refusal names file, line and reason."""
    data = source.data()
    with source.placing():
        return stated_plan(data)


def stated_plan(data: Stated) -> Plan:
    """Make a plan from plain data, as a file or a request has it."""
    parts = fight_parts(data)
    rules = game.load(parts.game)
    procedure = rules.procedure(parts.procedure)
    if not {"attackers", "defenders"}.issubset(procedure.setup.__struct_fields__):
        problem = say("'{id}' has no attackers and defenders to plan with", id=procedure.id)
        raise Refusal(problem, place="procedure")
    chosen = parts.chosen()
    rules.card.chosen(chosen)
    head = converted(parts.setup, _Head)
    for side in ("attacker", "defender"):
        with below(side):
            doctrine(getattr(head, side))
    units = _units(head.units)
    plan = Plan(
        game=rules,
        procedure=procedure.id,
        options=chosen,
        goal=head.goal,
        success=head.success,
        chain=head.chain,
        attacker=head.attacker,
        defender=head.defender,
        units=units,
        targets=tuple(_targets(head, units)),
    )
    _check_types(plan)
    return plan


@contextmanager
def below(*path: str | int) -> Iterator[None]:
    """Put a path before the place of a refusal."""
    try:
        yield
    except Refusal as refusal:
        place = written((*path, *(parsed(refusal.place) if refusal.place else ())))
        raise Refusal(refusal.problem, place=place) from None


def _units(stated: list[Stated]) -> dict[str, Stated]:
    units: dict[str, Stated] = {}
    for number, unit in enumerate(stated):
        with below("units", number):
            name = converted(unit, _Named).name
            _new(name, units)
        units[name] = unit
    return units


def _new(name: str, known: Iterable[str]) -> None:
    if name in known:
        raise Refusal(say("'{name}' is there twice", name=name), place="name")


def _targets(head: _Head, units: Mapping[str, Stated]) -> Iterator[Target]:
    names: list[str] = []
    for number, stated in enumerate(head.targets):
        with below("targets", number):
            target = _target(stated, head.facts, units)
            _new(target.name, names)
        names.append(target.name)
        yield target


def _target(stated: Stated, facts: Stated, units: Mapping[str, Stated]) -> Target:
    keys = converted({k: v for k, v in stated.items() if k in _TARGET_KEYS}, _TargetHead)
    fight: Stated = {**facts, **{k: v for k, v in stated.items() if k not in _TARGET_KEYS}}
    if "attackers" in fight:
        problem = say("the attackers of a plan are its units; a target has only defenders")
        raise Refusal(problem, place="attackers")
    defenders, reduced = _defenders(fight.get("defenders"))
    return Target(
        keys.name,
        keys.value,
        {**fight, "defenders": defenders},
        _reaches(keys.reaches, units),
        tuple(_together(keys.together, units)),
        keys.then,
        reduced,
        frozenset(facts) - stated.keys(),
    )


def _defenders(stated: object) -> tuple[list[Stated], dict[str, Stated]]:
    """Split the defenders into their fields, and those of their reduced sides."""
    listed = converted({"defenders": [] if stated is None else stated}, _Defenders).defenders
    if not listed:
        raise Refusal(say("nobody defends; state at least one of them"), place="defenders")
    reduced: dict[str, Stated] = {}
    units: list[Stated] = []
    for number, unit in enumerate(listed):
        with below("defenders", number):
            face = converted(unit, _Reduced)
        reduced[face.name] = face.reduced
        units.append({key: value for key, value in unit.items() if key != "reduced"})
    return units, reduced


class _Defenders(Struct):
    defenders: list[Stated]


class _Reduced(_Named):
    reduced: Stated = {}


def _reaches(
    listed: list[str | Stated] | None, units: Mapping[str, Stated]
) -> dict[str, Mapping[str, object]]:
    if listed is None:
        return {name: {} for name in units}
    found: dict[str, Mapping[str, object]] = {}
    for number, entry in enumerate(listed):
        with below("reaches", number):
            name = entry if isinstance(entry, str) else converted(entry, _Named).name
            _known(name, units)
            _new(name, found)
        found[name] = {} if isinstance(entry, str) else entry
    return {name: found[name] for name in units if name in found}


def _known(name: str, units: Mapping[str, Stated]) -> None:
    if name not in units:
        raise Refusal(say("there is no unit '{name}'; {near}", name=name, near=near(name, units)))


def _together(
    listed: list[Stated], units: Mapping[str, Stated]
) -> Iterator[tuple[frozenset[str], Mapping[str, object]]]:
    for number, entry in enumerate(listed):
        with below("together", number):
            names = converted(entry, _Group).units
            for place, name in enumerate(names):
                with below("units", place):
                    _known(name, units)
        yield frozenset(names), {key: value for key, value in entry.items() if key != "units"}


# ------------------------------------------------------------------ types


def _check_types(plan: Plan) -> None:
    """Refuse wrong fields of units and targets, whoever attacks whom."""
    for target in plan.targets:
        _check(plan, target, list(plan.units), {})
        _check(plan, target, target.reaches, target.then)
        for names, facts in target.together:
            _check(plan, target, names, facts)
        if any(target.reduced.values()):
            _check(plan, target, target.reaches, {"defenders": target.worn(target.reduced)})


def _check(plan: Plan, target: Target, names: Iterable[str], more: Mapping[str, object]) -> None:
    attackers = [{**plan.units[name], **target.reaches.get(name, {})} for name in names]
    stated = {**target.stated, "attackers": attackers or [*plan.units.values()][:1], **more}
    with plan.placing(target, names, more):
        plan.game.setup(plan.game.procedure(plan.procedure), stated)
