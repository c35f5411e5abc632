"""The points of both sides turn by turn, as a small picture."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from grognard.draw.json.story import TurnJson
from grognard.draw.svg.elements import short
from grognard.web.matches.match_list import Badge
from grognard.words.message import say
from grognard.words.text import Lang

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420.0, 150.0, 30.0, 14.0, 24.0


def points_chart(turns: Sequence[TurnJson], sides: Mapping[str, Badge], lang: Lang) -> str:
    """Draw a line for each side; the second one is dashed."""
    most = max([points for turn in turns for points in turn.points.values()], default=0) or 1
    title = say("Points by turn").in_(lang)
    drawn = "".join([*_grid(turns, most, lang), *_lines(turns, most, sides)])
    return (
        f'<svg class="points-chart" viewBox="0 0 {short(WIDTH)} {short(HEIGHT)}" role="img" '
        f'aria-label="{escape(title)}">{drawn}</svg>'
    )


def _x(place: int, turns: Sequence[TurnJson]) -> float:
    return LEFT + (WIDTH - LEFT - 16) * place / max(len(turns) - 1, 1)


def _y(points: int, most: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * points / most


def _grid(turns: Sequence[TurnJson], most: int, lang: Lang) -> Iterator[str]:
    for points in sorted({0, most // 2, most}):
        y = short(_y(points, most))
        yield f'<path class="rule" d="M{short(LEFT)} {y}H{short(WIDTH)}"/>'
        yield f'<text class="value" x="{short(LEFT - 6)}" y="{y}" dy="4">{points}</text>'
    for place, turn in enumerate(turns):
        name = str(turn.turn) if turn.turn else say("start").in_(lang)
        x, y = short(_x(place, turns)), short(HEIGHT - 6)
        yield f'<text class="turn-name" x="{x}" y="{y}">{escape(name)}</text>'


def _lines(turns: Sequence[TurnJson], most: int, sides: Mapping[str, Badge]) -> Iterator[str]:
    for number, (id_, side) in enumerate(sides.items()):
        spots = [
            f"{short(_x(place, turns))},{short(_y(turn.points[id_], most))}"
            for place, turn in enumerate(turns)
        ]
        for kind, colour in (("edge", side.livery.edge), ("line", side.livery.fill)):
            yield (
                f'<polyline class="{kind}{" second" if number else ""}" stroke="{colour}" '
                f'points="{" ".join(spots)}"/>'
            )
        for spot in spots:
            x, y = spot.split(",")
            yield (
                f'<circle class="spot" cx="{x}" cy="{y}" r="4.5" fill="{side.livery.fill}" '
                f'stroke="{side.livery.edge}"/>'
            )
