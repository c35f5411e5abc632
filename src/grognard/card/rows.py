"""Base types of a card: rows, their wording and rule, and how certain our reading is."""

from collections.abc import Iterable
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import Struct

from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Text

Side = Literal["attacker", "defender"]
SIDES: tuple[Side, Side] = ("attacker", "defender")
Value = bool | int | str


class CardPart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Base of all parts of a card; mappings in it are read-only."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, dict):
                msgspec.structs.force_setattr(self, name, MappingProxyType(value))


class Reading(CardPart, frozen=True, kw_only=True):
    """How certain our reading of the print is, and why."""

    status: Literal["certain", "reconstructed", "assumed"] = "certain"
    confidence: int | None = None  # percent
    reason: Text | None = None
    option: str | None = None  # the option that reads it otherwise

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.status != "certain" and self.reason is None:
            raise Refusal(say("a reading that is {status} needs its reason", status=self.status))
        if self.status == "reconstructed" and self.confidence is None:
            raise Refusal(say("a reconstructed reading needs its confidence, in percent"))
        if self.confidence is not None and not 0 < self.confidence <= 100:
            raise Refusal(say("a confidence is 1 to 100 percent, not {n}", n=self.confidence))

    @property
    def doubtful(self) -> bool:
        """Whether the reader must be told: not certain, or certain as printed but suspect."""
        return self.reason is not None


CERTAIN = Reading()


def joined_readings(readings: Iterable[Reading]) -> Reading:
    """Make one reading of several, with the reasons and options of all of them."""
    doubtful = [(one, one.reason) for one in readings if one.reason is not None]
    if len(doubtful) < 2:
        return doubtful[0][0] if doubtful else CERTAIN
    reasons = [reason for _, reason in doubtful]
    text = Text(" ".join(r.en for r in reasons), " ".join(r.fr for r in reasons))
    options = ", ".join(one.option for one, _ in doubtful if one.option)
    return Reading(status="assumed", reason=text, option=options or None)


class Row(CardPart, frozen=True, kw_only=True):
    """Base of every printed row: id, wording, rule, and our reading."""

    id: str
    text: Text
    rule: str | None = None
    reading: Reading = CERTAIN
