"""Procedures: the steps of a fight, named as in the rulebook, from set-up to outcome."""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import astuple, replace

from grognard.card.card import Card, decode_hook
from grognard.files.plain_data import check_plain
from grognard.files.value_path import written
from grognard.rules.ask import Asking
from grognard.rules.doubtful_refusal import with_readings
from grognard.rules.fight import SETUP_LIMITS, Case, Fight, Outcome, Setup, Unit
from grognard.rules.line import Line
from grognard.words.message import say
from grognard.words.refusal import Refusal, near

# A step of a game takes and returns that game's own kind of fight; here any will do.
Step = Callable[[Any], Asking[Any]]
F = TypeVar("F", bound=Fight)
T = TypeVar("T", bound=Struct)
G = TypeVar("G")


def as_it_is(given: G) -> G:
    """Give the same fight, or the same value."""
    return given


class Trim(Struct, frozen=True, eq=False):
    """The step after which the place on the table is known: it drops what is no longer needed.

    `of` turns the fight into a type of its own, without the fields that no later step and no
    outcome reads. A rule that does read one fails with an AttributeError, in every driver. Equal
    trimmed fights have equal odds. `moved` shifts a trimmed fight by some columns and adds to its
    die, within the table.
    """

    of: Callable[[Any], Fight]
    moved: Callable[[Any, int, int], Fight]

    @property
    def __name__(self) -> str:
        return self.of.__name__

    def __call__(self, fight: Fight) -> Asking[Fight]:
        """Run as a step that asks and tells nothing."""
        yield from ()
        return self.of(fight)


class StandIns(Struct, frozen=True, eq=False):
    """Units that stand for all units which a step does not tell apart.

    `of` gives a fight with stand-ins, each named by its `stand_in_name`, and the names of the units
    that each stands for. `back` turns what the step has changed into what it changes of the fight.
    """

    of: Callable[[Any], tuple[Fight, tuple[str, ...]]]
    back: Callable[[Any, dict[str, Any]], dict[str, Any]]


FIRST_STAND_IN = 0x100000  # a character that no card uses, so that names can be put into any text


def stand_in_name(number: int) -> str:
    """Name a unit that stands for others."""
    return chr(FIRST_STAND_IN + number)


class Glance(Struct, frozen=True, eq=False):
    """A step that only rolls, and looks only at some fields of a fight, never at its set-up.

    Odds run it once for all fights that are equal in these fields: on a fight that has nothing
    else, so that a rule which looks at more fails, and they put what it changes into the others.
    Every other driver runs it as it is.
    """

    step: Step
    fields: tuple[str, ...]
    stand_ins: StandIns | None = None

    @property
    def __name__(self) -> str:
        return self.step.__name__

    def __call__(self, fight: Fight) -> Asking[Any]:
        """Run the step."""
        return self.step(fight)

    def looks_at(self, fight: Fight) -> tuple[object, ...]:
        """Give what the step looks at: the values of its fields, and the work left for it."""
        return (self, fight.pending, *[getattr(fight, field) for field in self.fields])

    def seen(self, fight: Fight) -> Fight:
        """Give a fight that has only what the step looks at, in a case without a set-up."""
        kind = type(fight)
        shown: dict[str, Any] = dict.fromkeys(kind.__struct_fields__)
        _, shown["pending"], *values = self.looks_at(fight)
        return kind(**shown | dict(zip(self.fields, values, strict=True), case=fight.case.bare))


def rule_of(step: Step) -> Callable[[Any], object]:
    """Give the function of a step that says more than that about itself."""
    match step:
        case Trim():
            return step.of
        case Glance():
            return step.step
    return step


def changes(before: Fight, after: Fight) -> dict[str, Any]:
    """Give the fields of a fight that a step has changed."""
    values = zip(before.__struct_fields__, astuple(before), astuple(after), strict=True)
    return {field: now for field, was, now in values if now is not was}


def with_survivors(
    setup: Setup, fight: Fight, worn: Callable[[Any, Any], Unit | None] | None = None
) -> Setup:
    """Give the set-up that a second attack meets: the defenders that a fight has left.

    `worn` takes a unit as stated and as it is at the end; without it only the steps change.
    """
    at_end = {unit.name: unit for unit in fight.defenders if unit.alive}
    stated: tuple[Unit, ...] = setup.defenders  # type: ignore[attr-defined]  # a fight of two sides
    pairs = [(unit, at_end[unit.name]) for unit in stated if unit.name in at_end]
    left = [worn(*pair) if worn else replace(pair[0], steps=pair[1].steps) for pair in pairs]
    return replace(setup, defenders=tuple(unit for unit in left if unit is not None))


Carried = tuple[tuple[str, object], ...]  # fields of an outcome


def nothing_carried(fight: Fight) -> Carried:  # noqa: ARG001  # as procedures call it
    """Give no field of the outcome."""
    return ()


class Outset(NamedTuple):
    """A fight with the odds of another one, and what finds the doubts of that one."""

    fight: Fight
    lines: tuple[Line, ...] = ()  # doubtful lines that it leaves out
    # Gives a fight with these odds that has also all by which later lines are doubtful; odds look
    # at it when somebody reads their doubts. None: the fight itself has it.
    doubted: Callable[[], Fight] | None = None


class Procedure(Struct, frozen=True, eq=False, dict=True):
    """One kind of fight. `check` refuses a set-up that the rules do not allow."""

    id: str
    setup: type[Setup]
    start: Callable[[Case[Any]], Fight]
    steps: tuple[Step, ...]  # one of them may be a `Trim`
    outcome: Callable[[Any], Outcome]
    check: Callable[[Any, Card, Mapping[str, str]], None]
    # Makes fights equal that have equal odds, though their units differ; odds then merge them.
    settled: Callable[[Any], Fight] = as_it_is
    weight: int = 1  # what a situation of such a fight counts against a work budget
    # Gives, from a set-up and the end of its fight, the set-up of a second attack on the target.
    remains: Callable[[Any, Any], Setup] = with_survivors
    # Makes of a fight before its first question one with equal odds, in a case of its own, that has
    # as little as possible of what no later step looks at.
    outset: Callable[[Any], Outset] = Outset
    reads: Step | None = None  # the step that reads the table; None: the first after the trimming
    # Makes of a fight whose table is read one with equal odds, in a shared case of its own, that
    # has as little as possible of what no later step looks at.
    least: Callable[[Any], Fight] = as_it_is
    # Fields of the outcome that such a fight has settled already, and `least` leaves out.
    carried: Callable[[Any], Carried] = nothing_carried

    @cached_property
    def trim(self) -> Trim | None:
        """The step that trims the fight, if there is one."""
        return next((step for step in self.steps if isinstance(step, Trim)), None)

    @cached_property
    def trimmed(self) -> int:
        """The number of the first step after the trimming; there the kind of a fight is known."""
        return self.steps.index(self.trim) + 1 if self.trim else 0

    @cached_property
    def glances(self) -> Mapping[int, Glance]:
        """The steps that look only at some fields of a fight, by their numbers."""
        return {n: step for n, step in enumerate(self.steps) if isinstance(step, Glance)}

    @cached_property
    def read(self) -> int:
        """The number of the first step after the table is read."""
        return (self.steps.index(self.reads) if self.reads else self.trimmed) + 1


def trimmed(kind: type[T], of: Struct, /, **given: object) -> T:
    """Trim a unit, a set-up or a fight: to the fields given, and those that both types have.

    A field of the trimmed type without a default that is in neither is a TypeError.
    """
    taken = {name: getattr(of, name) for name in _in_both(kind, type(of)) if name not in given}
    return kind(**taken, **given)


@lru_cache(maxsize=256)
def _in_both(one: type[Struct], other: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in one.__struct_fields__ if name in other.__struct_fields__)


class OnTable(Protocol):
    """A trimmed fight at a place of its table; a game's own type may lack one of the fields."""

    column: int
    die_modifier: int


def moved(fight: F, columns: int, die: int, *, table: str = "", by_die: bool = True) -> F:
    """Shift a fight by some columns of a table, within its ends, and add to its die.

    Uses the fields `column` and `die_modifier`; without a table only the latter.
    """
    now = cast(OnTable, fight)
    changed: dict[str, int] = {}
    if table:
        changed["column"] = fight.case.card.table(table).within(now.column + columns)
    if by_die:
        changed["die_modifier"] = now.die_modifier + die
    return replace(fight, **changed)


def beginning(kind: Callable[..., F]) -> Callable[[Case[Any]], F]:
    """Give the start of a procedure whose fight begins with both sides as they were stated."""

    def start(case: Case[Any]) -> F:
        return kind(case=case, attackers=case.setup.attackers, defenders=case.setup.defenders)

    return start


class Game(Struct, frozen=True, eq=False):
    """A game: its card and its procedures; the first procedure is the default."""

    card: Card
    procedures: tuple[Procedure, ...]

    @property
    def id(self) -> str:
        return self.card.id

    def procedure(self, id_: str | None = None) -> Procedure:
        if id_ is None:
            return self.procedures[0]
        found = {procedure.id: procedure for procedure in self.procedures}
        if id_ not in found:
            problem = say(
                "{game} has no procedure '{id}'; {near}",
                game=self.id,
                id=id_,
                near=near(id_, found),
            )
            raise Refusal(problem, place="procedure")
        return found[id_]

    def fight(
        self,
        setup: Setup | Mapping[str, object] | None = None,
        /,
        *,
        procedure: str | None = None,
        options: Mapping[str, str] | None = None,
        **stated: object,
    ) -> Fight:
        """Set up a fight from a mapping or from keywords."""
        chosen = self.procedure(procedure)
        settings = self.card.chosen(options or {})
        if not isinstance(setup, Setup):
            setup = self.setup(chosen, {**(setup or {}), **stated})
        try:
            return self.begun(chosen, setup, settings)
        except Refusal as refusal:
            raise with_readings(
                refusal,
                self.card,
                settings,
                lambda option, choice: self.begun(chosen, setup, {**settings, option: choice}),
            ) from None

    def begun(
        self,
        procedure: Procedure,
        setup: Setup,
        options: Mapping[str, str],
        *,
        traced: bool = False,
    ) -> Fight:
        """Begin a fight, or refuse what the rules do not allow."""
        procedure.check(setup, self.card, options)
        return procedure.start(Case(self.card, options, setup, procedure, traced))

    def setup(self, procedure: Procedure, stated: Mapping[str, object]) -> Setup:
        """Convert input to a set-up; refuse wrong types and values out of bounds."""
        from grognard.files.toml_file import explain_error  # noqa: PLC0415  # only when refused

        try:
            setup = msgspec.convert(stated, procedure.setup, dec_hook=decode_hook)
        except msgspec.ValidationError as error:
            problem, path = explain_error(error, stated, procedure.setup)
            raise Refusal(problem, place=written(path)) from None
        check_plain(dict(stated), SETUP_LIMITS)
        return setup
