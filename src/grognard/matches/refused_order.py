"""Why an order is not legal, with the doubtful readings that would allow it."""

from contextlib import suppress
from copy import copy

from grognard.card.card import Option
from grognard.matches.field import Field
from grognard.matches.orders import PhaseOrders
from grognard.matches.protocol import Order, Words
from grognard.matches.watched_options import looked_at, watched
from grognard.rules.doubtful_refusal import with_readings
from grognard.words.refusal import Refusal


def check_order(ask: Order, order: Words) -> None:
    """Refuse an order that is not legal; the refusal names the readings on which that hangs."""
    try:
        ask.orders.check(order)
    except Refusal as refusal:
        if not isinstance(ask.orders, PhaseOrders):
            raise
        orders, field = ask.orders, ask.orders.field
        raise with_readings(
            refusal,
            field.card,
            field.options,
            lambda option, choice: _under(field, option, choice, orders).check(order),
            lambda: _deciding(field, orders, order),
        ) from None


def _deciding(field: Field, orders: PhaseOrders, order: Words) -> tuple[Option, ...]:
    """Give the options that the rules look at before they refuse an order."""
    noting = watched(field)
    with suppress(Refusal):  # as before; what was looked at counts
        _with_field(orders, noting).check(order)
    found = looked_at(noting)
    return tuple(option for option in field.card.options if option.id in found)


def _under(field: Field, option: str, choice: str, orders: PhaseOrders) -> PhaseOrders:
    """Give the orders under another choice. Their field is new: the message may be read in another
    thread than that of the match."""
    scenario = field.scenario
    changed = scenario.with_options({**scenario.options, option: choice})
    return _with_field(orders, type(field)(changed))


def _with_field(orders: PhaseOrders, field: Field) -> PhaseOrders:
    found = copy(orders)
    found.field = field
    return found
