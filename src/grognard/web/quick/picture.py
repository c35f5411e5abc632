"""The picture of a fight that is over: what the page has shown, as one SVG."""

from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import Response

from grognard.draw.svg.fight_picture import (
    FightPicture,
    PicturedCounter,
    PicturedDie,
    PicturedRow,
    PicturedSide,
    draw,
)
from grognard.draw.text.chances import percent
from grognard.fights.hindsight import hindsight
from grognard.fights.play import Play
from grognard.maps.labels import labelled, labels_of
from grognard.rules import game
from grognard.study.tray import battles, tray
from grognard.web.known_pages import known_sheet
from grognard.web.lanes.answering import STEADY
from grognard.web.language import language
from grognard.web.quick import links
from grognard.web.quick.drawn_counters import (
    ListedUnit,
    drawn_counter,
    drawn_unit,
    key_of,
    symbols,
)
from grognard.web.quick.quick_page import QuickView, view
from grognard.web.quick.resolution import struck
from grognard.web.quick.shown_table import ShownTable
from grognard.web.quick.shown_units import ShownList, StatedJson
from grognard.web.quick.tap import play_of
from grognard.web.templating import page_route
from grognard.words.message import say
from grognard.words.refusal import Refusal
from grognard.words.text import Lang


def picture(shown: QuickView, play: Play, lang: Lang) -> FightPicture:
    """Lay out the picture of a fight that is over."""
    if shown.panel is None or shown.resolution is None or shown.resolution.outcome is None:
        raise Refusal(say("the fight is not over yet"))
    column, rows = _column(shown.panel.table, lang)
    labels = labels_of(battles(shown.card.id), lang)
    return FightPicture(
        title=f"{shown.card.name.in_(lang)} · {shown.sheet.text.in_(lang)}",
        sides=tuple(_side(shown, list_, lang) for list_ in shown.lists),
        column=column,
        rows=rows,
        dice=tuple(_dice(shown, play)),
        outcome=labelled(shown.resolution.outcome, labels),
        had=_had(shown, play, lang),
        symbols=symbols(),
    )


def _had(shown: QuickView, play: Play, lang: Lang) -> str:
    """Tell the chance that there was: to take the hex, or for what was rolled."""
    looked_back = hindsight(play, shown.tap.attacker, shown.tap.defender)
    if looked_back is None:
        return ""
    if taken := looked_back.before.chance("taken"):
        had = say("you had {chance} to take the hex", chance=percent(taken, lang))
    else:
        had = say("this result had {chance}", chance=percent(looked_back.chance, lang))
    return had.in_(lang)


def _dice(shown: QuickView, play: Play) -> Iterator[PicturedDie]:
    """Give the dice that hit the table."""
    answers = [given.answer for given in play.given]
    for roll in shown.rolls:
        if struck(Play(play.start, answers[: roll.place + 1]), shown.sheet.table):
            yield from (PicturedDie(face, roll.dice.faces) for face in roll.shown)
            return


def _side(shown: QuickView, list_: ShownList, lang: Lang) -> PicturedSide:
    """Draw the counters of a list as they are after the fight, and those that support it."""
    place, procedure, units = game.place(shown.card.id), shown.sheet.procedure, list_.units
    found = shown.resolution.units if shown.resolution else ()
    after = {unit.name: unit for unit in found if unit.side == units.side}
    field = next((field for field, key in units.faces.items() if key == "steps"), None)

    def counter(entry: StatedJson, drawing: str) -> PicturedCounter:
        unit = after.get(str(entry.get("name")))
        if unit is None or unit.steps == unit.before or field is None:
            return PicturedCounter(drawing, lost=False)
        if not unit.steps:
            return PicturedCounter(drawing, lost=True)
        left = key_of({**entry, field: unit.steps})
        listed = ListedUnit(procedure, units.list, left, list_.army)
        return PicturedCounter(drawn_unit(place, listed, lang), lost=False)

    known = tray(place, procedure, units.list)
    support = (drawn_counter(known[one.name], lang) for one in list_.supporters)
    fought = zip(shown.tap.fight.get(units.list, ()), list_.shown, strict=True)
    return PicturedSide(
        units.side,
        units.text.in_(lang),
        list_.total or "",
        (
            *(counter(entry, unit.drawing) for entry, unit in fought),
            *(PicturedCounter(drawing, lost=False) for drawing in support),
        ),
    )


def _column(table: ShownTable, lang: Lang) -> tuple[str, tuple[PicturedRow, ...]]:
    """Give the column that was hit with its rows; where dice give the column, the row."""
    places = [
        (n, m) for n, row in enumerate(table.rows) for m, cell in enumerate(row.cells) if cell.hit
    ]
    if not places:
        return "", ()
    hit, column = places[0]
    if table.below is not None:
        cells, chances = table.rows[hit].cells, table.below
        rows = [
            PicturedRow(name, _text(cell.halves), percent(chance, lang), n == column)
            for n, (name, cell, chance) in enumerate(
                zip(table.columns, cells, chances, strict=True)
            )
            if chance
        ]
        return table.rows[hit].name, tuple(rows)
    rows = [
        PicturedRow(
            row.name,
            _text(row.cells[column].halves),
            percent(row.chance, lang) if row.chance else "",
            n == hit,
        )
        for n, row in enumerate(table.rows)
        if row.chance or n == hit
    ]
    return table.columns[column], tuple(rows)


def _text(halves: tuple[str, ...]) -> str:
    if len(halves) < 2:
        return "".join(halves) or "–"
    return " ".join(f"{mark}{half or '–'}" for mark, half in zip("▶◆", halves, strict=False))


def _picture(request: Request) -> Response:
    """Answer with the picture of the fight in the address."""
    game_id, procedure = known_sheet(request.path_params["game"], request.path_params["procedure"])
    tap = links.stated_in(request, game_id, procedure)
    if tap is None:
        raise Refusal(say("the address does not hold a fight"))
    lang = language(request)
    play = play_of(game_id, procedure, tap)
    drawn = draw(picture(view(game_id, procedure, tap, lang), play, lang))
    return Response(drawn, media_type="image/svg+xml")


PAGES = [page_route("/games/{game}/{procedure}/picture.svg", _picture, STEADY)]
