"""Normandy '44: Allied reinforcements and their price in points (6.5)."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from grognard.card.card import Card
from grognard.card.rows import Value
from grognard.games.normandy.stated import Army
from grognard.rules.ask import Asking
from grognard.rules.fight import Case, Count, Fight, Outcome, Setup
from grognard.rules.procedure import Procedure
from grognard.rules.setup_checks import need
from grognard.words.message import say
from grognard.words.refusal import near
from grognard.words.text import Text


class Wanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Something to bring in, by its row of the table; the army matters for supply points."""

    what: str
    count: Annotated[int, Meta(ge=1)] = 1
    army: Army | None = None


class Purchase(Setup, frozen=True, kw_only=True):
    """The set-up of a purchase of reinforcements."""

    points: Count
    wanted: tuple[Wanted, ...]
    mulberries: tuple[Army, ...] = ()  # built: Omaha for the US, Arromanches for the British


class PurchaseFight(Fight, frozen=True, kw_only=True):
    """A purchase; there is nothing to roll."""

    case: Case[Purchase]


def arrivals(fight: PurchaseFight) -> Asking[PurchaseFight]:
    """6.5: everything that is wanted comes in, each at its price."""
    case = fight.case
    for item in case.setup.wanted:
        cost, name = price(case.card, item), _name(case.card, item)
        yield case.tell(
            "note", "costs", "6.5", value=cost, changes="points", what=name, count=item.count
        )
        yield case.tell("state", "arrives", "6.5", side="attacker", what=name, count=item.count)
    spent = bill(case.setup, case.card)
    yield case.tell("total", "points-spent", "6.5", value=spent, of="points")
    yield case.tell("spent", "points-left", "6.5", side="attacker", value=case.setup.points - spent)
    return fight


def bill(setup: Purchase, card: Card) -> int:
    """Add up what everything wanted costs."""
    return sum(price(card, item) for item in setup.wanted)


def price(card: Card, item: Wanted) -> int:
    """Give what all pieces of one row cost."""
    return item.count * sum(int(values["points"]) for values in _row(card, item))


def _row(card: Card, item: Wanted) -> list[Mapping[str, Value]]:
    table = card.table("reinforcements")
    codes = table.cell(item.what, table.column_labels[0]).codes
    return [table.legend[code].values for code in codes]


def _name(card: Card, item: Wanted) -> Text:
    table = card.table("reinforcements")
    return table.rows.names[table.row_labels.index(item.what)]


def _check(setup: Purchase, card: Card, options: Mapping[str, str]) -> None:  # noqa: ARG001  # as procedures call it
    need(setup.wanted, say("nothing is wanted; name at least one reinforcement"), "wanted")
    known = card.table("reinforcements").row_labels
    for place, item in enumerate(setup.wanted):
        where = f"wanted[{place}]"
        problem = say(
            "no points bring in '{what}'; {near}", what=item.what, near=near(item.what, known)
        )
        need(item.what in known, problem, f"{where}.what")
        if any(values["mulberry"] for values in _row(card, item)):
            _mulberry(setup, item, where)
    cost = bill(setup, card)
    problem = say("this costs {cost} points; there are {points}", cost=cost, points=setup.points)
    need(cost <= setup.points, problem, "points")


def _mulberry(setup: Purchase, item: Wanted, where: str) -> None:
    """6.5: supply points come in only once the Mulberry of that army is built."""
    need(item.army, say("say for which army the supply point is: us or british"), f"{where}.army")
    problem = say("the Mulberry of this army is not built yet: {army}", army=item.army)
    need(item.army in setup.mulberries, problem, where)


def _start(case: Case[Purchase]) -> PurchaseFight:
    return PurchaseFight(case=case)


def _arrived(fight: PurchaseFight) -> Outcome:
    setup = fight.case.setup
    return Outcome(
        attacker_spent=bill(setup, fight.case.card),
        details=tuple(f"{item.count} × {item.what}" for item in setup.wanted),
    )


REINFORCEMENTS = Procedure(
    id="reinforcements",
    setup=Purchase,
    start=_start,
    steps=(arrivals,),
    outcome=_arrived,
    check=_check,
)
