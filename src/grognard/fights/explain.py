"""The explanation of a fight before the dice: every number with its reason."""

from fractions import Fraction

from msgspec import Struct

from grognard.fights.opening import Opening, opening
from grognard.fights.play import Play
from grognard.rules.ask import Roll, first_answer
from grognard.rules.fight import Fight
from grognard.rules.line import EXPLAINS, Line

# Commitments are part of the explanation of a column; other events are not.
SHOWN = EXPLAINS | {"spent"}


class Explanation(Struct, frozen=True, eq=False):
    """The explanation of totals, columns and modifiers, line by line."""

    lines: tuple[Line, ...]

    def _value(self, kind: str, id_: str) -> int | Fraction | str | None:
        found = [line.value for line in self.lines if line.kind == kind and line.id == id_]
        return found[-1] if found else None

    def totals(self) -> dict[str, int | Fraction | str | None]:
        return {name: self._value("total", f"{name}-total") for name in ("attack", "defence")}

    def column(self) -> dict[str, int | Fraction | str | None]:
        return {name: self._value("column", f"{name}-column") for name in ("basic", "final")}

    @property
    def table(self) -> str | None:
        """The table on which the fight is read; None where no column is told."""
        found = [line.of for line in self.lines if line.kind == "column"]
        return found[-1] if found else None

    @property
    def die_modifier(self) -> int:
        value = self._value("die", "die-modifier")
        return 0 if value is None or isinstance(value, str | Fraction) else value

    @property
    def modifiers(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.kind == "modifier")

    @property
    def doubts(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.reading.doubtful)


def explain(fight: Fight) -> Explanation:
    """Run a fight up to its first roll. Open decisions count as not taken."""
    return explain_begun(fight, opening(fight))


def explain_begun(fight: Fight, begun: Opening) -> Explanation:
    """Explain a fight whose opening has been run."""
    if isinstance(begun.asking, Roll | None):
        return Explanation(tuple(line for line in begun.lines if line.kind in SHOWN))
    return explain_once(fight)


def explain_once(fight: Fight) -> Explanation:
    """Explain a fight without caching its opening."""
    play = Play(fight)
    while not isinstance(play.asking, Roll | None):
        play.answer(first_answer(play.asking))
    return Explanation(tuple(told.line for told in play.told if told.line.kind in SHOWN))
