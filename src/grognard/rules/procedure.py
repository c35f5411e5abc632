"""A procedure: the steps of a fight, named as in the rulebook, and how it begins and ends."""

from collections.abc import Callable, Mapping
from functools import cached_property
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


class Trim(Struct, frozen=True, eq=False):
    """The step at which the place on the table is known: what has done its work is dropped.

    `of` turns the fight into a type of its own, without the fields that no later step and no
    outcome reads. A rule that reads one of them fails, in every driver. Trimmed fights that are
    equal have the same odds. `moved` gives a trimmed fight further columns to the right and with
    more on the die, within the table.
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


class Procedure(Struct, frozen=True, eq=False, dict=True):
    """How one kind of fight runs. `check` refuses a set-up that the rules do not allow."""

    id: str
    setup: type[Setup]
    start: Callable[[Case[Any]], Fight]
    steps: tuple[Step, ...]  # one of them may be a `Trim`
    outcome: Callable[[Any], Outcome]
    check: Callable[[Any, Card, Mapping[str, str]], None]

    @cached_property
    def trim(self) -> Trim | None:
        """The step that trims the fight; without one, only the names of units do not count."""
        return next((step for step in self.steps if isinstance(step, Trim)), None)

    @cached_property
    def trimmed(self) -> int:
        """The number of the first step after the trimming: from there on the kind is known."""
        return self.steps.index(self.trim) + 1 if self.trim else 0


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
