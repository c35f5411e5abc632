"""A procedure: the steps of a fight, named as in the rulebook, and how it begins and ends."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from grognard.card.card import Card, decode_hook
from grognard.rules.ask import Asking
from grognard.rules.fight import Case, Fight, Outcome, Setup
from grognard.words.message import say
from grognard.words.refusal import Refusal, near

# A step of a game takes and returns that game's own kind of fight; here any will do.
Step = Callable[[Any], Asking[Any]]
F = TypeVar("F", bound=Fight)


class Plain(Struct, frozen=True, eq=False):
    """When the reckoning is done, and what then still counts.

    `of` gives a fight that stands before the step `before` without all that neither this step, nor
    a later one, nor the outcome looks at. Fights that are equal then have the same odds. `moved`
    gives such a fight further columns to the right and with more on the die, within the table.
    """

    before: Step
    of: Callable[[Any], Fight]
    moved: Callable[[Any, int, int], Fight]


class Procedure(Struct, frozen=True, eq=False):
    """How one kind of fight runs. `check` refuses a set-up that the rules do not allow."""

    id: str
    setup: type[Setup]
    start: Callable[[Case[Any]], Fight]
    steps: tuple[Step, ...]
    outcome: Callable[[Any], Outcome]
    check: Callable[[Any, Card, Mapping[str, str]], None]
    plain: Plain | None = None  # without one, only the names of units do not count

    @property
    def reckoned(self) -> int:
        """Give the place of the step before which the kind of a fight is known."""
        return self.steps.index(self.plain.before) if self.plain else 0


def beginning(kind: Callable[..., F]) -> Callable[[Case[Any]], F]:
    """Give the start of a procedure whose fight begins with both sides as they were stated."""

    def start(case: Case[Any]) -> F:
        return kind(case=case, attackers=case.setup.attackers, defenders=case.setup.defenders)

    return start


class Game(Struct, frozen=True, eq=False):
    """A game: its card and its procedures; the first one is meant where none is named."""

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
        """Set up a fight from what is stated, as a mapping or as keywords."""
        chosen = self.procedure(procedure)
        settings = self.card.chosen(options or {})
        if not isinstance(setup, Setup):
            setup = self.setup(chosen, {**(setup or {}), **stated})
        chosen.check(setup, self.card, settings)
        return chosen.start(Case(self.card, settings, setup, chosen))

    def setup(self, procedure: Procedure, stated: Mapping[str, object]) -> Setup:
        """Read what is stated; refuse what is of the wrong type or out of its bounds."""
        from grognard.files.toml_file import explain_error, written  # noqa: PLC0415  # only when refused

        try:
            return msgspec.convert(stated, procedure.setup, dec_hook=decode_hook)
        except msgspec.ValidationError as error:
            problem, path = explain_error(error, stated, procedure.setup)
            raise Refusal(problem, place=written(path)) from None
