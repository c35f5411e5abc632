"""The page of a scenario's balance: what each reading does to it, in one file without scripts."""

from math import ceil
from typing import NamedTuple

from markupsafe import Markup

from grognard.draw.text.balance import balance_note, change_words, favoured
from grognard.draw.text.series import players_line, share_words
from grognard.maps.scenario import MARKS
from grognard.players.option_balance import Balance, Change, ReadingBalance
from grognard.players.series import Contest
from grognard.web.report.report_page import STYLES
from grognard.web.static_files import STATIC
from grognard.web.templating import fill
from grognard.words.message import Message, say
from grognard.words.text import Lang, Text

HALF = 110  # pixels from the middle of a picture to its edge
ROW = 16  # pixels of height for each side


class Whisker(NamedTuple):
    """A difference and its interval, as a picture has them."""

    mark: str
    low: float
    middle: float
    high: float
    y: int
    clear: bool


class ShownReading(NamedTuple):
    """A row of the table."""

    of: ReadingBalance
    whiskers: tuple[Whisker, ...]
    won: tuple[str, ...]
    changes: tuple[str, ...]
    favours: Message | Text


def draw(of: Balance, players: Contest, seed: int, lang: Lang) -> str:
    """Draw the whole page."""
    style = "\n".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)
    scale = _scale(of)
    changed = [one for one in of.readings if one.otherwise.count]
    return fill(
        "balance.html",
        lang,
        style=Markup(style),
        of=of,
        sides=tuple(zip(MARKS, of.field.scenario.sides, strict=True)),
        usual=[share_words(of.usual.won[side.id], lang) for side in of.field.scenario.sides],
        draws=share_words(of.usual.draws, lang),
        rows=[_row(of, one, scale, lang) for one in changed],
        same=[one for one in of.readings if not one.otherwise.count],
        players=players_line(players),
        note=balance_note(),
        seed=seed,
        scale=scale,
        half=HALF,
        high=ROW * len(MARKS),
    )


def _scale(of: Balance) -> int:
    """Give the points of percent at the edge of all pictures: tens, so that all intervals fit."""
    limits = [
        limit
        for one in of.readings
        for change in one.changes.values()
        for limit in (change.low, change.high)
    ]
    return max(10, 10 * ceil(10 * max(map(abs, limits), default=0.0)))


def _row(of: Balance, one: ReadingBalance, scale: int, lang: Lang) -> ShownReading:
    sides = [side.id for side in of.field.scenario.sides]
    return ShownReading(
        one,
        tuple(
            _whisker(mark, one.changes[side], scale, place)
            for place, (mark, side) in enumerate(zip(MARKS, sides, strict=True))
        ),
        tuple(share_words(one.won[side], lang) for side in sides),
        tuple(change_words(one.changes[side], lang) for side in sides),
        favoured(of, one) or say("nobody clearly"),
    )


def _whisker(mark: str, change: Change, scale: int, place: int) -> Whisker:
    low, middle, high = (
        HALF * (1 + 100 * part / scale) for part in (change.low, change.difference, change.high)
    )
    return Whisker(mark, low, middle, high, ROW * place + ROW // 2, change.clear)
