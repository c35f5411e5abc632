"""How a row of the terrain chart looks on a map, where its card says so."""

import re
from collections.abc import Mapping
from typing import Literal, get_args

from grognard.card.rows import CardPart
from grognard.words.message import say
from grognard.words.refusal import Refusal

# The looks that `draw/svg/terrain.toml` has, of hexes, hexsides, roads and railways.
GroundLook = Literal[
    "wood", "difficult", "bocage", "mixed", "town", "flooded", "marsh", "lake", "sea", "hilltop",
    "dominant", "hill", "coast", "village", "airfield", "strongpoint", "entrenchment", "minefield",
    "clear",
]  # fmt: skip
SideLook = Literal[
    "causeway", "flooded", "impassable", "runway", "perimeter", "major-river", "minor-river",
    "lake", "river",
]  # fmt: skip
WayLook = Literal["rail", "main", "secondary", "track", "road"]
LOOKS: Mapping[str, tuple[str, ...]] = {
    "hex": get_args(GroundLook),
    "hexside": get_args(SideLook),
    "way": get_args(WayLook),
}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class TerrainLook(CardPart, frozen=True, kw_only=True):
    """The look of terrain: a known one as base, and what is otherwise."""

    like: GroundLook | SideLook | WayLook | None = None  # None: as the id tells
    colour: str | None = None  # of the ground, or of the main line: "#d3dfb2"
    pattern: GroundLook | None = None  # that of another look, of a hex
    letter: str | None = None  # in the hex or on the side

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.colour is not None and not _COLOUR.fullmatch(self.colour):
            problem = say("'{colour}' is not a colour such as #d3dfb2", colour=self.colour)
            raise Refusal(problem)
        if self.letter is not None and not 1 <= len(self.letter) <= 2:
            raise Refusal(say("'{letter}' is not one letter or two", letter=self.letter))
